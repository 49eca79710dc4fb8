"""Moves of cards that both timing modes share, and what is counted when they happen. Nothing here knows a clock.

Arguments come in one order everywhere: the record, the player, and then what the move is about. A bunch goes by its
number among all bunches.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.cards import shuffle_cards
from stressim.compiled.jit import count_ones, kernel, lowest_one
from stressim.compiled.rng import below, mix, rekeyed, stream_key
from stressim.exchange.events import JOKER_RANK, Kind, Outcome
from stressim.exchange.kernel.layout import (
    ATTEMPT,
    BEST,
    BUNCH_BLOCK,
    BUNCH_CARDS,
    BUNCH_DEPTH,
    BUNCHES,
    CENTRE,
    CENTRE_COUNT,
    CENTRE_HELPS_1,
    CENTRE_MASK,
    CENTRE_SHARES_1,
    CHURNS,
    CLEARED_FROM,
    COMEBACK,
    COMPLETED_AT,
    DEAD_PPM,
    DEAL,
    DEALT_COMPLETE,
    FIRST_STALL_US,
    GIVES_WAY,
    GRAB_RANK,
    HEIGHT,
    HELD,
    HOPELESS,
    LAID,
    LAID_WORDS,
    LAST_BUNCH,
    LAST_TAKEN,
    LEAD_CHANGES,
    LEAD_SINCE,
    LEADER,
    LEFT,
    LENGTH_US,
    LOCKED,
    LOCKED_NOW,
    LOCKS,
    LOGGING,
    LOSER_BUNCHES,
    LOSERS,
    LOWEST,
    MISSED,
    MOST_BEHIND,
    MOVES,
    N_CENTRE,
    N_HELD,
    N_IN,
    N_LAID,
    N_LOGGED,
    N_UNDER_WAY,
    N_UNFINISHED,
    NOW,
    OPEN,
    OPENED,
    OUT,
    OUTCOME,
    PAIRED_BUNCHES,
    PAIRLESS_1,
    PLAYER_BLOCK,
    PLAYERS,
    POSITIONS,
    POSITIONS_LIMIT,
    REDEALS,
    SEEN_POSITION,
    STALL_SINCE,
    STALLED,
    STALLED_AT_START,
    STALLED_US,
    STALLS,
    START_HEIGHT,
    SWAPPED,
    SWAPS,
    SWAPS_DONE,
    TABLE_BEST,
    TAKEN,
    TAKES,
    TO_LAY,
    TO_TAKE,
    UNDER_WAY,
    UNFINISHED,
    WIN_1,
    WINNER,
    WINNER_RANKS,
    WINNER_SWAPPED_CARDS,
    WINNER_WORK,
    WON,
    WORK,
    YIELDS,
)
from stressim.exchange.rules import SwapOrder, TakeBackOwn

NOBODY = np.int64(-1)
UNUSED = np.int64(-1)
ZERO = np.int64(0)
ONE = np.int64(1)
UONE = np.uint64(1)

# Masks that change no place but tell the compiler that it is not negative; otherwise every access of an array begins
# with a test for an index from the end.
SMALL = np.int64(4095)
NIBBLE = np.uint64(15)
_CARD_BITS = np.int64(63)
_BAR_WORDS = np.int64(63)


# --- places ---------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def player_at(player):
    """First place of a player's block in ``state``."""
    return (PLAYERS + player * PLAYER_BLOCK) & SMALL


@kernel(inline=True)
def bunch_at(bunch):
    """First place of a bunch's block in ``state``."""
    return (BUNCHES + bunch * BUNCH_BLOCK) & SMALL


@kernel(inline=True)
def bunch_cards(bunch):
    """Place of a bunch's first card in ``cards``."""
    return (BUNCH_CARDS + bunch * BUNCH_DEPTH) & SMALL


@kernel(inline=True)
def first_bunch(game, player):
    """The first of a player's bunches."""
    return player * game.rules.bunches_each


@kernel(inline=True)
def held_of(game, bunch, rank):
    """How many cards of a bunch have a rank."""
    return np.int64((game.counts[bunch & 127] >> np.uint64(rank << 2)) & NIBBLE)


@kernel(inline=True)
def bits_of(mask):
    """Number of ones of a mask of ranks."""
    return count_ones(np.uint64(mask))


@kernel(inline=True)
def lowest_rank(mask):
    """The first rank of a mask that has one."""
    return lowest_one(np.uint64(mask))


@kernel()
def random_rank(game, who, mask):
    """A rank of a mask that has some, each as likely; the stream is used only where there is a choice."""
    if mask & (mask - 1) != 0:
        nth = below(game.streams, who, bits_of(mask))
        while nth > 0:
            mask = mask & (mask - 1)
            nth -= 1
    return lowest_rank(mask)


@kernel(inline=True)
def log_event(game, kind, player, bunch, card, number):
    """Append an event if a log is kept."""
    if game.state[LOGGING] == 1:
        _write_event(game, np.int64(kind), np.int64(player), np.int64(bunch), np.int64(card), np.int64(number))


@kernel()
def _write_event(game, kind, player, bunch, card, number):
    state = game.state
    log = game.log
    at = state[N_LOGGED]
    if at < log.shape[0]:
        log[at, 0] = state[NOW]
        log[at, 1] = kind
        log[at, 2] = player
        log[at, 3] = bunch if bunch < 0 else bunch - first_bunch(game, player)
        log[at, 4] = card
        log[at, 5] = number
    state[N_LOGGED] = at + 1


# --- bunches and centre ---------------------------------------------------------------------------------------------


@kernel()
def weigh_bunch(game, bunch):
    """Write what a bunch is after its cards have changed."""
    state = game.state
    at = bunch_at(bunch)
    first = bunch_cards(bunch)
    counts = game.counts[bunch & 127]
    height = ZERO
    low = np.int64(16)
    best = ZERO
    lowest = ZERO
    held = ZERO
    for i in range(state[at + N_HELD]):
        rank = np.int64(game.cards[first + i]) & 15
        bit = ONE << rank
        count = np.int64((counts >> np.uint64(rank << 2)) & NIBBLE)
        held |= bit
        best = bit if count > height else (best | bit if count == height else best)
        lowest = bit if count < low else (lowest | bit if count == low else lowest)
        height = max(height, count)
        low = min(low, count)
    state[at + HEIGHT] = height
    state[at + BEST] = best if height < game.rules.bunch_size else ZERO
    state[at + LOWEST] = lowest
    state[at + HELD] = held


@kernel()
def lowest_ranks(counts, ranks):
    """Mask of those of some ranks that are held, and held least often; ``counts`` has four bits a rank."""
    lowest = ZERO
    low = np.int64(16)
    while ranks != 0:
        rank = lowest_rank(ranks)
        ranks &= ranks - 1
        count = np.int64((counts >> np.uint64(rank << 2)) & NIBBLE)
        if count > 0 and count < low:
            low = count
            lowest = ZERO
        if count == low:
            lowest |= ONE << rank
    return lowest


@kernel(inline=True)
def add_to_centre(game, card):
    """Lay a card in the centre."""
    state = game.state
    rank = card & 15
    n = state[N_CENTRE]
    game.cards[(CENTRE + n) & SMALL] = card
    state[N_CENTRE] = n + 1
    state[CENTRE_COUNT + rank] += 1
    state[CENTRE_MASK] |= ONE << rank


@kernel()
def in_centre(game, card):
    """The place of a card in the centre, -1 if it does not lie there."""
    for i in range(game.state[N_CENTRE]):
        if np.int64(game.cards[(CENTRE + i) & SMALL]) == card:
            return np.int64(i)
    return NOBODY


@kernel(inline=True)
def remove_from_centre(game, card):
    """Take a card that lies there out of the centre."""
    state = game.state
    rank = card & 15
    place = in_centre(game, card)
    n = state[N_CENTRE] - 1
    game.cards[(CENTRE + place) & SMALL] = game.cards[(CENTRE + n) & SMALL]
    state[N_CENTRE] = n
    left = state[CENTRE_COUNT + rank] - 1
    state[CENTRE_COUNT + rank] = left
    if left == 0:
        state[CENTRE_MASK] &= ~(ONE << rank)


@kernel(inline=True)
def add_to_bunch(game, bunch, card):
    """Put a card into a bunch; it is weighed by the caller."""
    at = bunch_at(bunch)
    n = game.state[at + N_HELD]
    game.cards[bunch_cards(bunch) + (n & 15)] = card
    game.state[at + N_HELD] = n + 1
    game.counts[bunch & 127] += UONE << np.uint64((card & 15) << 2)


@kernel(inline=True)
def remove_from_bunch(game, bunch, card):
    """Take a card out of a bunch that has it; it is weighed by the caller."""
    cards = game.cards
    at = bunch_at(bunch)
    first = bunch_cards(bunch)
    n = game.state[at + N_HELD] - 1
    for i in range(n):
        if np.int64(cards[first + i]) == card:
            cards[first + i] = cards[first + (n & 15)]
            break
    game.state[at + N_HELD] = n
    game.counts[bunch & 127] -= UONE << np.uint64((card & 15) << 2)


# --- barred cards ---------------------------------------------------------------------------------------------------


@kernel(inline=True)
def laid_before(game, player, card):
    """Whether a player has laid a card in the centre since the cards were dealt; noted under ``forbidden`` only."""
    word = game.laid[(player * LAID_WORDS + (card >> 6)) & _BAR_WORDS]
    return (word >> np.uint64(card & _CARD_BITS)) & UONE == UONE


@kernel()
def laid_now(game, player, card):
    """Whether a player has laid a card in the swap that is under way."""
    state = game.state
    at = player_at(player)
    found = False
    for i in range(state[at + N_LAID]):
        found = found or state[at + LAID + (i & 3)] == card
    return found


@kernel()
def all_laid_before(game, player):
    """Whether a player has laid every card of the centre himself, which lifts the bar (``forbidden``)."""
    lifted = True
    for i in range(game.state[N_CENTRE]):
        lifted = lifted and laid_before(game, player, np.int64(game.cards[(CENTRE + i) & SMALL]))
    return lifted


@kernel()
def is_barred(game, player, card, lifted):
    """Whether a player may not take a card (A14, A-U3); ``lifted`` comes from :func:`all_laid_before`."""
    rule = game.rules.take_back_own
    if rule == TakeBackOwn.ALLOWED:
        return False
    if laid_now(game, player, card):
        return True
    return rule == TakeBackOwn.FORBIDDEN and not lifted and laid_before(game, player, card)


@kernel(inline=True)
def bars_cards(game, player):
    """Whether some card of the centre may be barred for a player."""
    rule = game.rules.take_back_own
    return rule == TakeBackOwn.FORBIDDEN or (
        rule == TakeBackOwn.ALLOWED_LATER and game.state[player_at(player) + N_LAID] > 0
    )


@kernel()
def unbarred_ranks(game, player):
    """Mask of the ranks in the centre that a player may take, card by card."""
    lifted = all_laid_before(game, player)
    mask = ZERO
    for i in range(game.state[N_CENTRE]):
        card = np.int64(game.cards[(CENTRE + i) & SMALL])
        if not is_barred(game, player, card, lifted):
            mask |= ONE << (card & 15)
    return mask


@kernel(inline=True)
def open_ranks(game, player):
    """Mask of the ranks in the centre that a player may take."""
    state = game.state
    if not bars_cards(game, player):
        return state[CENTRE_MASK]
    at = player_at(player)
    if game.rules.take_back_own == TakeBackOwn.ALLOWED_LATER and state[at + N_LAID] == 1:
        # Nearly always so: one card is barred, which counts only where it is the last of its rank.
        card = state[at + LAID]
        if state[CENTRE_COUNT + (card & 15)] == 1 and in_centre(game, card) >= 0:
            return state[CENTRE_MASK] & ~(ONE << (card & 15))
        return state[CENTRE_MASK]
    return unbarred_ranks(game, player)


@kernel()
def open_cards(game, player, rank):
    """How many cards of a rank in the centre a player may take."""
    if not bars_cards(game, player):
        return game.state[CENTRE_COUNT + rank]
    lifted = all_laid_before(game, player)
    n = ZERO
    for i in range(game.state[N_CENTRE]):
        card = np.int64(game.cards[(CENTRE + i) & SMALL])
        if card & 15 == rank and not is_barred(game, player, card, lifted):
            n += 1
    return n


# --- what can be improved -------------------------------------------------------------------------------------------


@kernel()
def can_end_higher(game, player, bunch):
    """Whether a swap under way can still leave the bunch higher than it was before."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    to_take = state[at + TO_TAKE]
    if to_take == 1 and state[at + TO_LAY] == 0 and rules.grab_equal_only == 0:
        # Nearly always so: one card is still to be taken, and it must be of a rank held as often as before the swap.
        height = state[bunch_at(bunch) + HEIGHT]
        if height != state[at + START_HEIGHT]:
            return height > state[at + START_HEIGHT]
        needed = state[bunch_at(bunch) + BEST] & state[CENTRE_MASK]
        return needed != 0 and needed & open_ranks(game, player) != 0
    n_kept = state[bunch_at(bunch) + N_HELD] - state[at + TO_LAY]
    if rules.swap_order == SwapOrder.TAKE_FIRST:
        n_kept = rules.bunch_size
    ranks = open_ranks(game, player) | state[bunch_at(bunch) + HELD]
    one_rank = rules.grab_equal_only == 1 and state[at + MISSED] == 0
    while ranks != 0:
        rank = lowest_rank(ranks)
        ranks &= ranks - 1
        n_open = open_cards(game, player, rank)
        if one_rank and (n_open < to_take or (state[at + GRAB_RANK] >= 0 and state[at + GRAB_RANK] != rank)):
            n_open = ZERO
        own = held_of(game, bunch, rank)
        if rules.swap_order == SwapOrder.TAKE_FIRST:
            height = min(n_kept, own + min(to_take, n_open))
        else:
            height = min(n_kept, own) + min(to_take, n_open)
        if height > state[at + START_HEIGHT]:
            return True
    return False


# --- stalls, locks and the lead ---------------------------------------------------------------------------------------


@kernel()
def begin_stall(game):
    """Note that nobody can improve the bunch in his hand."""
    state = game.state
    row = game.row
    if state[STALL_SINCE] >= 0:
        return
    state[STALL_SINCE] = state[NOW]
    row[STALLS] += 1
    if row[STALLED] == 0:
        row[STALLED] = 1
        row[FIRST_STALL_US] = state[NOW]
    if state[SWAPPED] == 0:
        row[STALLED_AT_START] = 1


@kernel()
def end_stall(game):
    """Note that somebody can improve the bunch in his hand again, or that the cards are gathered in."""
    state = game.state
    if state[STALL_SINCE] >= 0:
        game.row[STALLED_US] += state[NOW] - state[STALL_SINCE]
        state[STALL_SINCE] = -1
    state[LOCKED_NOW] = 0


@kernel()
def begin_lock(game):
    """Note that nobody can improve any unfinished bunch of his."""
    if game.state[LOCKED_NOW] == 0:
        game.state[LOCKED_NOW] = 1
        game.row[LOCKS] += 1
        game.row[LOCKED] = 1
        begin_stall(game)
        if game.state[HOPELESS] == 0:
            _look_ahead(game)


@kernel(inline=True)
def remaining(game, player):
    """Bunches that a player has not laid open."""
    return game.state[player_at(player) + LEFT]


@kernel()
def judge_lead(game):
    """Note who has strictly the fewest bunches left, and how far behind each player is."""
    state = game.state
    n_players = game.rules.n_players
    least = np.int64(1 << 20)
    leader = NOBODY
    second = least
    for player in range(n_players):
        left = remaining(game, player)
        if left < least:
            second = least
            least = left
            leader = np.int64(player)
        else:
            second = min(second, left)
    for player in range(n_players):
        at = player_at(player)
        behind = state[at + LEFT] - least
        state[at + MOST_BEHIND] = max(state[at + MOST_BEHIND], behind)
        if player != leader or least == second:
            state[at + LEAD_SINCE] = -1
    if least == second:
        return
    at = player_at(leader)
    if state[at + LEAD_SINCE] < 0:
        state[at + LEAD_SINCE] = state[NOW]
    if state[LEADER] >= 0 and state[LEADER] != leader:
        game.row[LEAD_CHANGES] += 1
    state[LEADER] = leader


# --- swaps ----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def begin_swap(game, player, bunch, n, to_take, to_lay):
    """Note that a player begins to swap ``n`` cards of a bunch."""
    state = game.state
    at = player_at(player)
    state[at + UNDER_WAY] = n
    state[at + TO_TAKE] = to_take
    state[at + TO_LAY] = to_lay
    state[at + START_HEIGHT] = state[bunch_at(bunch) + HEIGHT]
    state[at + MISSED] = 0
    state[at + GRAB_RANK] = -1
    state[at + N_LAID] = 0
    state[N_UNDER_WAY] += 1
    state[SWAPPED] = 1


@kernel(inline=True)
def lay_in_centre(game, player, bunch, card, number):
    """Lay a card of a bunch in the centre, as a part of the swap under way."""
    state = game.state
    at = player_at(player)
    remove_from_bunch(game, bunch, card)
    weigh_bunch(game, bunch)
    add_to_centre(game, card)
    state[at + TO_LAY] -= 1
    state[at + LAID + (state[at + N_LAID] & 3)] = card
    state[at + N_LAID] += 1
    state[at + TAKEN] &= ~(ONE << (card & 15))
    if game.rules.take_back_own == TakeBackOwn.FORBIDDEN:
        game.laid[(player * LAID_WORDS + (card >> 6)) & _BAR_WORDS] |= UONE << np.uint64(card & _CARD_BITS)
    log_event(game, Kind.PUT_DOWN, player, bunch, card, number)


@kernel(inline=True)
def take_from_centre(game, player, bunch, card, number):
    """Put a card of the centre into a bunch, as a part of the swap under way."""
    state = game.state
    at = player_at(player)
    remove_from_centre(game, card)
    add_to_bunch(game, bunch, card)
    weigh_bunch(game, bunch)
    bit = ONE << (card & 15)
    state[at + TO_TAKE] -= 1
    state[at + TAKES] += 1
    state[at + LAST_TAKEN] = bit
    state[at + TAKEN] |= bit
    if state[at + GRAB_RANK] < 0:
        state[at + GRAB_RANK] = card & 15
    log_event(game, Kind.TAKE, player, bunch, card, number)


@kernel(inline=True)
def end_swap(game, player, bunch):
    """Count the swap that is done by what it has done to the bunch, and key the player's stream anew."""
    rules = game.rules
    state = game.state
    row = game.row
    at = player_at(player)
    height = state[bunch_at(bunch) + HEIGHT]
    state[at + UNDER_WAY] = 0
    state[at + N_LAID] = 0
    state[N_UNDER_WAY] -= 1
    row[MOVES] += 1
    if height > state[at + START_HEIGHT]:
        row[SWAPS] += 1
        if height == rules.bunch_size:
            state[at + UNFINISHED] -= 1
            state[N_UNFINISHED] -= 1
    elif height == state[at + START_HEIGHT]:
        row[CHURNS] += 1
    else:
        row[YIELDS] += 1
    state[at + SWAPS_DONE] += 1
    key_player(game, player)


@kernel()
def lay_open(game, player, bunch):
    """Lay a complete bunch open."""
    state = game.state
    at = player_at(player)
    state[bunch_at(bunch) + OPEN] = 1
    state[at + LEFT] -= 1
    state[at + OPENED] += 1
    state[at + COMPLETED_AT] = state[NOW]
    log_event(game, Kind.COMPLETE, player, bunch, UNUSED, UNUSED)
    judge_lead(game)


@kernel(inline=True)
def _whole_ranks(game):
    """Whether each rank makes complete bunches without a rest, so that those still needed can always be made."""
    rules = game.rules
    copies = rules.n_copies_total
    return copies % rules.bunch_size == 0 and rules.cards_removed % copies == 0 and rules.n_jokers == 0


@kernel()
def _look_ahead(game):
    """In a lock, note when nobody can win any more.

    Cards go round among those who give way, and through the centre, except those that are more than half of a bunch:
    whoever yields none never lays them. If nobody else wants a rank that goes round, the others never swap again; if
    the cards make fewer complete bunches than each of those who give way needs, none of them wins.
    """
    rules = game.rules
    state = game.state
    n_giving = ZERO
    wanted = ZERO  # by those who do not give way
    least = np.int64(1 << 20)
    for player in range(rules.n_players):
        at = player_at(player)
        if state[at + OUT] == 1:
            continue
        if state[at + LEFT] > 0 and state[at + UNFINISHED] == 0:
            return  # he has only to lay his bunches open
        if state[at + GIVES_WAY] > 0:
            n_giving += 1
            least = min(least, state[at + LEFT])
        else:
            first = first_bunch(game, player)
            for bunch in range(first, first + rules.bunches_each):
                wanted |= state[bunch_at(bunch) + BEST]
    if n_giving == 0 or (n_giving == rules.n_players and _whole_ranks(game)):
        return
    possible = ZERO
    for rank in range(16):
        n = state[CENTRE_COUNT + rank]
        goes_round = n > 0
        for bunch in range(rules.n_bunches):
            at = player_at(bunch // rules.bunches_each)
            if state[bunch_at(bunch) + OPEN] == 0 and state[at + OUT] == 0 and state[at + GIVES_WAY] > 0:
                held = held_of(game, bunch, rank)
                n += held
                goes_round = goes_round or (held > 0 and (2 * held <= rules.bunch_size or state[at + GIVES_WAY] == 2))
        if goes_round and (wanted >> rank) & 1 == 1:
            return
        possible += n // rules.bunch_size
    if possible < least:
        state[HOPELESS] = 1


@kernel()
def position_came_back(game):
    """Whether the present position is the one that was kept; after more and more positions another is kept (Brent)."""
    rules = game.rules
    state = game.state
    word = np.uint64(0)
    for rank in range(16):
        word = mix(word + np.uint64(state[CENTRE_COUNT + rank]))
    for bunch in range(rules.n_bunches):
        word = mix(word ^ game.counts[bunch & 127])
    if rules.take_back_own == TakeBackOwn.FORBIDDEN:
        for i in range(rules.n_players * LAID_WORDS):
            word = mix(word ^ game.laid[i & _BAR_WORDS])
    position = np.int64(word >> UONE)
    if state[POSITIONS_LIMIT] > 0 and position == state[SEEN_POSITION]:
        return True
    if state[POSITIONS] == state[POSITIONS_LIMIT]:
        state[SEEN_POSITION] = position
        state[POSITIONS] = 0
        state[POSITIONS_LIMIT] = 2 * state[POSITIONS_LIMIT] + 1
    state[POSITIONS] += 1
    return False


# --- begin and end --------------------------------------------------------------------------------------------------


@kernel(inline=True)
def key_player(game, player):
    """Start a player's stream anew after a swap of his."""
    n_players = game.rules.n_players
    swaps = game.state[player_at(player) + SWAPS_DONE]
    key = game.streams[(n_players + 2 + player) & 31]
    game.streams[(1 + player) & 31] = rekeyed(key, game.state[ATTEMPT], swaps)


@kernel()
def _key_streams(game):
    """Start all streams for the present attempt at the deal."""
    state = game.state
    streams = game.streams
    n = game.rules.n_players + 1
    for who in range(n):
        key = stream_key(streams[(2 * n) & 31], np.uint64(state[DEAL]), np.uint64(state[ATTEMPT]), np.uint64(who))
        streams[(n + who) & 31] = key
        streams[who & 31] = rekeyed(key, state[ATTEMPT], ZERO)


@kernel()
def start_deal(game, seed, deal):
    """Clear the table and deal for the first time."""
    state = game.state
    for i in range(CLEARED_FROM, PLAYERS):
        state[i] = 0
    for i in range(PLAYERS, PLAYERS + game.rules.n_players * PLAYER_BLOCK):
        state[i] = 0
    state[LEADER] = -1
    state[OUTCOME] = -1
    state[WINNER] = -1
    state[STALL_SINCE] = -1
    state[DEAL] = deal
    game.streams[(2 * game.rules.n_players + 2) & 31] = seed
    deal_cards(game)
    _note_the_deal(game)


@kernel()
def deal_cards(game):
    """Shuffle and lay out bunches and centre (A1, A5, A6); players' empty hands are the caller's."""
    rules = game.rules
    state = game.state
    cards = game.cards
    size = rules.bunch_size
    _key_streams(game)
    n = ZERO
    n_ranked = rules.n_ranks * rules.n_copies_total - rules.cards_removed
    for rank in range(rules.n_ranks):
        for copy in range(rules.n_copies_total):
            if n < n_ranked:
                cards[n & 255] = rank + 16 * copy
                n += 1
    for joker in range(rules.n_jokers):
        cards[n & 255] = JOKER_RANK + 16 * joker
        n += 1
    shuffle_cards(cards, game.streams, n, ZERO)
    for rank in range(16):
        state[CENTRE_COUNT + rank] = 0
    state[N_CENTRE] = 0
    state[CENTRE_MASK] = 0
    state[N_UNDER_WAY] = 0
    state[N_UNFINISHED] = 0
    state[N_IN] = rules.n_players
    state[HOPELESS] = 0
    state[POSITIONS] = 0
    state[POSITIONS_LIMIT] = 0
    for i in range(rules.n_players * LAID_WORDS):
        game.laid[i & _BAR_WORDS] = np.uint64(0)
    for bunch in range(rules.n_bunches):
        at = bunch_at(bunch)
        for i in range(BUNCH_BLOCK):
            state[at + i] = 0
        game.counts[bunch & 127] = np.uint64(0)
        for i in range(size):
            add_to_bunch(game, bunch, np.int64(cards[(bunch * size + i) & 255]))
        weigh_bunch(game, bunch)
    for i in range(rules.n_bunches * size, n):
        add_to_centre(game, np.int64(cards[i & 255]))
    for player in range(rules.n_players):
        at = player_at(player)
        state[at + LEFT] = rules.bunches_each
        state[at + LAST_TAKEN] = 0
        state[at + TAKEN] = 0
        state[at + UNDER_WAY] = 0
        state[at + N_LAID] = 0
        state[at + TAKES] = 0
        state[at + OPENED] = 0
        state[at + SWAPS_DONE] = 0
        state[at + OUT] = 0
        state[at + WORK] = 0
        state[at + UNFINISHED] = 0
        state[at + TABLE_BEST] = 0
        state[at + LAST_BUNCH] = -1
        first = first_bunch(game, player)
        for bunch in range(first, first + rules.bunches_each):
            best = state[bunch_at(bunch) + BEST]
            state[at + WORK] += size - state[bunch_at(bunch) + HEIGHT]
            state[at + TABLE_BEST] |= best
            if best != 0:
                state[at + UNFINISHED] += 1
                state[N_UNFINISHED] += 1
    judge_lead(game)


@kernel()
def _note_the_deal(game):
    """Write the facts that the first deal alone decides."""
    rules = game.rules
    state = game.state
    row = game.row
    row[PAIRLESS_1] = 1
    for bunch in range(rules.n_bunches):
        height = state[bunch_at(bunch) + HEIGHT]
        if height == rules.bunch_size:
            row[DEALT_COMPLETE] = 1
        if height >= 2:
            row[PAIRED_BUNCHES] += 1
            if bunch < rules.bunches_each:
                row[PAIRLESS_1] = 0
    at = bunch_at(ZERO)
    # A complete bunch has a best rank too, though nothing can improve it.
    best = state[at + BEST] | (state[at + HELD] if state[at + HEIGHT] == rules.bunch_size else ZERO)
    row[CENTRE_HELPS_1] = 1 if best & state[CENTRE_MASK] != 0 else 0
    row[CENTRE_SHARES_1] = 1 if state[at + HELD] & state[CENTRE_MASK] != 0 else 0


@kernel()
def deal_again(game, reason):
    """Gather the cards in and deal them again; time and counts go on."""
    rules = game.rules
    state = game.state
    end_stall(game)
    log_event(game, Kind.REDEAL, NOBODY, UNUSED, UNUSED, reason)
    game.row[REDEALS] += 1
    state[ATTEMPT] += 1
    deal_cards(game)
    if state[LOGGING] == 1:
        n = ZERO
        for player in range(rules.n_players):
            first = first_bunch(game, player)
            for bunch in range(first, first + rules.bunches_each):
                for _ in range(rules.bunch_size):
                    card = np.int64(game.cards[n & 255])
                    log_event(game, Kind.DEAL, player, bunch, card, UNUSED)
                    n += 1
        for i in range(n, rules.n_cards):
            log_event(game, Kind.DEAL, NOBODY, UNUSED, np.int64(game.cards[i & 255]), UNUSED)


@kernel()
def end_deal(game, outcome, winner):
    """Write how the deal ended; lengths in the clock's unit, microseconds or moves."""
    rules = game.rules
    state = game.state
    row = game.row
    end_stall(game)
    state[OUTCOME] = np.int64(outcome)
    state[WINNER] = winner
    row[WON + np.int64(outcome)] = 1
    row[LENGTH_US] = state[NOW]
    if outcome == Outcome.WON:
        at = player_at(winner)
        row[WIN_1 + winner] = 1
        row[LOSERS] = rules.n_players - 1
        for player in range(rules.n_players):
            if player != winner:
                row[LOSER_BUNCHES] += state[player_at(player) + OPENED]
        if 2 * state[at + MOST_BEHIND] >= rules.bunches_each:
            row[COMEBACK] = 1
        if state[NOW] > 0 and state[at + LEAD_SINCE] >= 0:
            row[DEAD_PPM] = 1_000_000 - (1_000_000 * state[at + LEAD_SINCE]) // state[NOW]
        row[WINNER_SWAPPED_CARDS] = state[at + TAKES]
        row[WINNER_WORK] = state[at + WORK]
        first = first_bunch(game, winner)
        for bunch in range(first, first + rules.bunches_each):
            row[WINNER_RANKS] |= state[bunch_at(bunch) + HELD]
    log_event(game, Kind.END, winner, UNUSED, UNUSED, np.int64(outcome))


@kernel()
def most_complete_wins(game):
    """End the deal by counting the bunches laid open by those who are not out; equal numbers are a draw."""
    state = game.state
    most = NOBODY
    winner = NOBODY
    for player in range(game.rules.n_players):
        at = player_at(player)
        opened = state[at + OPENED]
        if state[at + OUT] == 1:
            continue
        if opened > most:
            most = opened
            winner = np.int64(player)
        elif opened == most:
            winner = NOBODY
    end_deal(game, Outcome.DRAWN if winner < 0 else Outcome.WON, winner)
