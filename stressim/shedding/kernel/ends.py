"""Begin and end of a deal: cards dealt, the lead, who is out, how it ended."""

from __future__ import annotations

import numpy as np

from stressim.compiled.cards import shuffle_cards
from stressim.compiled.instructions import lay_out_suit
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, rekeyed, stream_key
from stressim.shedding.choices import MergeEqualRanks, PileView, RefillPolicy, RestartSource
from stressim.shedding.events import JOKER_RANK, Kind, Outcome
from stressim.shedding.kernel.flips import key_streams
from stressim.shedding.kernel.lanes import row_mask, slots_used
from stressim.shedding.kernel.layout import (
    CLEARED_FROM,
    COMEBACK,
    DEAD_PPM,
    FAR,
    FIRST_OUT,
    FITS,
    LANES,
    LAST_CARD_EQUAL,
    LAST_EQUAL,
    LAST_LEAD,
    LEAD,
    LEAD_CHANGES,
    LEAD_FROM,
    LEAD_SINCE,
    LEADER,
    LENGTH_US,
    LOSER_CARDS,
    LOSERS,
    MOST_BEHIND,
    MOVES,
    NOW,
    OUTCOME,
    PAIR,
    PILE_RANK,
    PILE_SIZE,
    RIGHT,
    VIEWER,
    WIN_1,
    WINNER,
    WON,
)
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    is_pair,
    log_event,
    n_piles,
    n_players,
    pile_at,
    pile_cards,
    player_at,
    remaining,
)
from stressim.shedding.kernel.rows import append_cards, append_stock, pop_stock
from stressim.shedding.kernel.seats import seat_players
from stressim.shedding.kernel.side_piles import deal_side_pile

_OTHER_LEADS = 1 ^ -1  # of who leads and who led last, where these are the two players


@kernel()
def deal_cards(game, seed, deal):
    """Key the streams, shuffle and share out the cards (B1, B2, B3); rows are laid out by :func:`fill_row`."""
    rules = game.rules
    state = game.state
    cards = game.cards
    streams = game.streams
    for i in range(CLEARED_FROM, state.shape[0]):
        state[i] = 0
    for i in range(n_players(game) * LANES):
        game.lanes[i] = 0
    state[LEADER] = -1
    state[OUTCOME] = -1
    state[WINNER] = -1
    n = n_players(game)
    for who in range(n + 1):
        streams[n + 1 + who] = stream_key(seed, np.uint64(deal), np.uint64(0), np.uint64(who))
    key_streams(game)
    for pile in range(n_piles(game)):
        state[pile_at(pile) + PILE_RANK] = -1
    for player in range(n):
        state[player_at(player) + LEAD_SINCE] = -1
    if not is_pair(game):
        seat_players(game)
    n_shares = ONE
    if rules.own_decks == 1:
        n_shares = n
    copies = rules.n_copies_total // n_shares
    jokers = rules.n_jokers // n_shares
    for share in range(n_shares):
        n_cards = ZERO
        for copy in range(share * copies, (share + 1) * copies):
            lay_out_suit(cards, n_cards, np.int64(copy))  # of all ranks: those that are not played lie behind the rest
            n_cards += rules.n_ranks
        for joker in range(share * jokers, (share + 1) * jokers):
            cards[n_cards] = JOKER_RANK + 16 * joker
            n_cards += 1
        shuffle_cards(cards, streams, n_cards, ZERO)
        if n_shares == 1:
            for player in range(n):
                append_cards(game, np.int64(player), player * rules.cards_dealt, rules.cards_each)
        else:
            append_cards(game, np.int64(share), ZERO, rules.cards_each)
        if rules.restart_source == RestartSource.SIDE_PILES:
            for player in range(n):
                if n_shares == 1:
                    deal_side_pile(game, np.int64(player), player * rules.cards_dealt)
                elif player == share:
                    deal_side_pile(game, np.int64(player), ZERO)
    if rules.reflexes > 0:
        for who in range(n + 1):
            streams[n + 1 + who] = rekeyed(streams[n + 1 + who], rules.reflexes, ZERO)
        key_streams(game)
    state[VIEWER] = -1
    if rules.pile_view == PileView.ABSOLUTE:
        state[VIEWER] = below(streams, ZERO, n)


@kernel()
def hand_over_handicap(game):
    """Move the cards of the handicap from stocks' tops under others: between player 1 and each of the others."""
    rules = game.rules
    for other in range(1, n_players(game)):
        giver = np.int64(other) if rules.handicap_cards > 0 else ZERO
        receiver = np.int64(other) - giver
        for _ in range(abs(rules.handicap_cards)):
            card = pop_stock(game, giver)
            append_stock(game, receiver, card)
            log_event(game, Kind.HANDICAP, receiver, UNUSED if is_pair(game) else giver, UNUSED, card, UNUSED)


@kernel(inline=True)
def _shown_ranks(game):
    """Mask of the ranks in all rows."""
    mask = ZERO
    for player in range(n_players(game)):
        mask |= row_mask(game, np.int64(player))
    return mask


@kernel()
def nothing_ever_fits(game):
    """Whether no card of the centre piles takes a card of a row: as side piles they would go round for ever."""
    state = game.state
    cards = game.cards
    wanted = _shown_ranks(game)
    for pile in range(n_piles(game)):
        for i in range(state[pile_at(pile) + PILE_SIZE]):
            if state[FITS + (np.int64(cards[pile_cards(pile) + i]) & 15)] & wanted != 0:
                return False
    return True


@kernel(inline=True)
def merges_at_deal(game):
    """Whether equal ranks may be put together while rows are laid out."""
    rules = game.rules
    return rules.merge_equal_ranks != MergeEqualRanks.OFF


@kernel()
def log_view(game):
    """Note which pile lies on whose right where that is a matter of chance, and whose right and left count."""
    state = game.state
    if not is_pair(game) and n_piles(game) % n_players(game) > 0:
        for player in range(n_players(game)):
            log_event(game, Kind.SEAT, np.int64(player), state[player_at(player) + RIGHT], UNUSED, UNUSED, UNUSED)
    if state[VIEWER] >= 0:
        log_event(game, Kind.VIEW, state[VIEWER], UNUSED, UNUSED, UNUSED, UNUSED)


@kernel(inline=True)
def judge_lead(game):
    """Note after a landing who has strictly the fewest cards, and how far behind each player is."""
    state = game.state
    row = game.row
    if not is_pair(game):
        _judge_lead_of_many(game)
        return
    lead = remaining(game, ONE) - remaining(game, ZERO)
    at_0 = player_at(ZERO)
    at_1 = player_at(ONE)
    state[at_0 + MOST_BEHIND] = max(state[at_0 + MOST_BEHIND], -lead)
    state[at_1 + MOST_BEHIND] = max(state[at_1 + MOST_BEHIND], lead)
    # Without branches: whether somebody leads, and who, is chance, and two branches in five landings went wrong here.
    leads = np.int64(lead > 0) | (lead >> 63)
    changed = -np.int64(leads != state[LEAD])
    state[LEAD] = leads
    state[LEAD_FROM] ^= (state[LEAD_FROM] ^ state[NOW]) & changed
    row[LEAD_CHANGES] += np.int64((leads ^ state[LAST_LEAD]) == _OTHER_LEADS)
    state[LAST_LEAD] = leads | (state[LAST_LEAD] & -np.int64(leads == 0))


@kernel(inline=True)
def _leads_since(game, player):
    """Since when a player has led; -1 if he does not lead."""
    state = game.state
    if not is_pair(game):
        return state[player_at(player) + LEAD_SINCE]
    return state[LEAD_FROM] if state[LEAD] == 1 - 2 * player else NOBODY


@kernel(beyond=PAIR)
def _judge_lead_of_many(game):
    """:func:`judge_lead` among any number of players: who is behind is so behind the best of the others."""
    state = game.state
    row = game.row
    leader = NOBODY
    fewest = FAR
    second = FAR
    for player in range(n_players(game)):
        left = remaining(game, np.int64(player))
        if left < fewest:
            leader = np.int64(player)
            second = fewest
            fewest = left
        else:
            second = min(second, left)
    if second == fewest:
        leader = NOBODY
    for player in range(n_players(game)):
        at = player_at(player)
        behind = remaining(game, np.int64(player)) - (second if player == leader else fewest)
        state[at + MOST_BEHIND] = max(state[at + MOST_BEHIND], behind)
        if player != leader:
            state[at + LEAD_SINCE] = -1
    if leader >= 0 and state[player_at(leader) + LEAD_SINCE] < 0:
        state[player_at(leader) + LEAD_SINCE] = state[NOW]
        if state[LEADER] >= 0 and state[LEADER] != leader:
            row[LEAD_CHANGES] += 1
        state[LEADER] = leader


@kernel()
def end_deal(game, outcome, winner):
    """Write how the deal ended; lengths in the clock's unit, microseconds or plays."""
    rules = game.rules
    state = game.state
    row = game.row
    state[OUTCOME] = np.int64(outcome)
    state[WINNER] = winner
    row[WON + np.int64(outcome)] = 1
    row[LENGTH_US] = state[NOW]
    if outcome == Outcome.WON:
        at = player_at(winner)
        row[WIN_1 + winner] = 1
        row[LOSERS] = n_players(game) - 1
        if is_pair(game):
            row[LOSER_CARDS] = remaining(game, 1 - winner)
        else:
            row[LOSER_CARDS] = -remaining(game, winner)
            for player in range(n_players(game)):
                row[LOSER_CARDS] += remaining(game, np.int64(player))
        if 2 * state[at + MOST_BEHIND] >= rules.cards_each:
            row[COMEBACK] = 1
        if state[at + LAST_EQUAL] == 1:
            row[LAST_CARD_EQUAL] = 1
        since = _leads_since(game, winner)
        if state[NOW] > 0 and since >= 0:
            row[DEAD_PPM] = 1_000_000 - (1_000_000 * since) // state[NOW]
    log_event(game, Kind.END, winner, UNUSED, UNUSED, UNUSED, np.int64(outcome))


@kernel(inline=True)
def somebody_is_out(game):
    """Whether a player has no card left."""
    for player in range(n_players(game)):
        if remaining(game, np.int64(player)) == 0:
            return True
    return False


@kernel()
def players_out(game):
    """Who has no card left: a player, ``n_players`` for several at once, or -1."""
    found = NOBODY
    for player in range(n_players(game)):
        if remaining(game, np.int64(player)) == 0:
            if found >= 0:
                return n_players(game)
            found = np.int64(player)
    return found


@kernel()
def end_if_out(game):
    """End the deal if somebody has no card left; several at once, which only a flip can do, are a draw."""
    winner = players_out(game)
    if winner == n_players(game) and game.state[FIRST_OUT] > 0:
        winner = game.state[FIRST_OUT] - 1
    if winner == n_players(game):
        end_deal(game, Outcome.DRAWN, NOBODY)
    elif winner >= 0:
        end_deal(game, Outcome.WON, winner)


@kernel()
def fewest_cards(game):
    """End a lock by counting cards: fewer win, equal numbers are a draw."""
    winner = NOBODY
    fewest = FAR
    for player in range(n_players(game)):
        left = remaining(game, np.int64(player))
        if left < fewest:
            winner = np.int64(player)
            fewest = left
        elif left == fewest:
            winner = NOBODY
    if winner < 0:
        end_deal(game, Outcome.DRAWN, NOBODY)
    else:
        game.state[player_at(winner) + LAST_EQUAL] = 0  # no card has won
        end_deal(game, Outcome.WON, winner)


@kernel()
def comes_back_for_ever(game):
    """Whether taking the piles when both stocks are empty can change nothing, ever (U4).

    That is so when no card of the piles, whichever comes up, takes a card of a row, and none can get into a row:
    because the rows are full, or because each pile is the one card that is flipped again at once.
    """
    rules = game.rules
    state = game.state
    cards = game.cards
    wanted = _shown_ranks(game)
    may_refill = False
    if rules.refill_policy != RefillPolicy.NONE:
        for player in range(n_players(game)):
            may_refill |= slots_used(game, np.int64(player)) < rules.row_slots
    for pile in range(n_piles(game)):
        size = state[pile_at(pile) + PILE_SIZE]
        if may_refill and (size > 1 or (size == 1 and rules.flip_before_refill == 0)):
            return False
        for i in range(size):
            rank = np.int64(cards[pile_cards(pile) + i]) & 15
            if state[FITS + rank] & wanted != 0:
                return False
    return True


@kernel()
def add_moves(game):
    """Count a play."""
    row = game.row
    row[MOVES] += 1
