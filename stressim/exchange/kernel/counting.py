"""What is counted beside swaps: stalls and locks, the lead, and whether play goes round for ever."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.exchange.choices import DeadlockRule
from stressim.exchange.habits import OwnMemory
from stressim.exchange.kernel.acts import PICKING_UP, PUTTING_BACK, WAITING
from stressim.exchange.kernel.bunches import held_ranks, lowest_ranks
from stressim.exchange.kernel.layout import (
    ACT,
    AIM,
    BEST,
    CENTRE_COUNT,
    CENTRE_MASK,
    CLOSED,
    FIRST_DONE,
    FIRST_STALL_US,
    GIVES_WAY,
    HAND,
    HAND_BEST,
    HANDS_WATCHED,
    HEIGHT,
    HOPELESS,
    LEAD_CHANGES,
    LEAD_SINCE,
    LEADER,
    LEFT,
    LOCK_MOVES,
    LOCKED,
    LOCKED_NOW,
    LOCKS,
    MOST_BEHIND,
    N_UNDER_WAY,
    NOW,
    OUT,
    SEEN,
    STALL_SINCE,
    STALLED,
    STALLED_AT_START,
    STALLED_US,
    STALLS,
    STAYING,
    SWAPPED,
    TABLE_BEST,
    UNFINISHED,
    WATCHED,
)
from stressim.exchange.kernel.loose_cards import count_loose_cards, ranks_can_be_split
from stressim.exchange.kernel.places import (
    NOBODY,
    ONE,
    ZERO,
    bunch_at,
    first_bunch,
    has_rank,
    held_of,
    lowest_rank,
    player_at,
    remaining,
)
from stressim.exchange.kernel.positions import position_came_back
from stressim.exchange.kernel.seeing import seen_taken
from stressim.exchange.kernel.staying import goes_round, hands_are_locked, nobody_can_win, somebody_sets_off

_FIRST_LOOK = 32  # swaps in a lock before it is looked whether cards go round
_HANDS_LOOKS = 15  # after each 16 swaps it is looked whether those who stay with their bunches are stuck with them


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
        game.state[LOCK_MOVES] = 0
        game.row[LOCKS] += 1
        game.row[LOCKED] = 1
        begin_stall(game)
        if game.state[WATCHED] == 1 and game.state[HOPELESS] == 0:
            _count_cards(game)
            if game.state[HOPELESS] == 0 and game.rules.plain_swaps == 1 and _goes_back(game):
                game.state[HOPELESS] = 1
        elif game.state[WATCHED] == 2 and game.state[N_UNDER_WAY] == 0:
            count_loose_cards(game)


@kernel()
def note_what_is_watched(game):
    """Note whether play may go round for ever: not where all give way and all cards make complete bunches.

    They may fail to do so after all where a rank can be shared out among more bunches than it completes, each with so
    many of it that they are never laid.
    """
    state = game.state
    all_give = True
    nobody_yields = True
    for player in range(game.rules.n_players):
        all_give = all_give and state[player_at(player) + GIVES_WAY] > 0
        nobody_yields = nobody_yields and state[player_at(player) + GIVES_WAY] == 1
    state[WATCHED] = 1
    if all_give and _whole_ranks(game):
        state[WATCHED] = 2 if nobody_yields and game.rules.team_size == 1 and ranks_can_be_split(game) else 0
    if state[WATCHED] == 0 and state[STAYING] != 0:
        state[WATCHED] = 3


@kernel(inline=True)
def _whole_ranks(game):
    """Whether each rank makes complete bunches without a rest, so that those still needed can always be made."""
    rules = game.rules
    copies = rules.n_copies_total
    return copies % rules.bunch_size == 0 and rules.cards_removed % copies == 0 and rules.n_jokers == 0


@kernel()
def watch_lock(game, habits):
    """Look, after a swap in a lock, whether play goes round for ever: nobody can win and a position comes back.

    ``habits`` says whether players hold cards back; without a clock they do not.
    """
    state = game.state
    if state[STAYING] != 0 and state[HOPELESS] == 0:
        state[HANDS_WATCHED] += 1
        if state[HANDS_WATCHED] & _HANDS_LOOKS == 0:
            stuck = state[N_UNDER_WAY] == 0 and hands_are_locked(game) and not somebody_sets_off(game)
            if nobody_can_win(game) or (stuck and _same_cards_go_round(game, habits)):
                state[HOPELESS] = 1
    if state[HOPELESS] == 0 and state[LOCKED_NOW] == 1 and state[N_UNDER_WAY] == 0 and state[WATCHED] != 3:
        state[LOCK_MOVES] += 1
        n = state[LOCK_MOVES]
        # Under the clock a hand may be on its way that lays a card although what it wants has gone.
        sets_off = habits and somebody_sets_off(game)
        if n >= _FIRST_LOOK and n & (n - 1) == 0 and not sets_off:
            if state[WATCHED] == 2:
                count_loose_cards(game)
            else:
                _count_cards(game)
                if _same_cards_go_round(game, habits):
                    state[HOPELESS] = 1
    return state[HOPELESS] == 1 and position_came_back(game)


@kernel()
def _count_cards(game):
    """In a lock, note when nobody can win any more, for lack of cards.

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
            least = min(least, state[at + UNFINISHED])
        else:
            first = first_bunch(game, player)
            for bunch in range(first, first + rules.bunches_each):
                wanted |= state[bunch_at(bunch) + BEST]
    if n_giving == 0:
        return
    possible = ZERO
    for rank in range(16):
        n = state[CENTRE_COUNT + rank]
        goes_round = n > 0
        for bunch in range(rules.n_bunches):
            at = player_at(bunch // rules.bunches_each)
            if state[bunch_at(bunch) + BEST] != 0 and state[at + OUT] == 0 and state[at + GIVES_WAY] > 0:
                held = held_of(game, bunch, rank)
                n += held
                goes_round = goes_round or (held > 0 and (2 * held <= rules.bunch_size or state[at + GIVES_WAY] == 2))
        if goes_round and has_rank(wanted, rank):
            return
        possible += n // rules.bunch_size
    if possible < least:
        state[HOPELESS] = 1


@kernel()
def _goes_back(game):
    """Whether, in a lock, one player alone gives way, and breaks up his last bunch only to mend it.

    That bunch lacks one card and he is settled on its rank. A card of the rank that he yields lies in the centre until
    he takes it back with his next swap: nobody else wants it, no other rank is held more often by then, and while that
    card lies there he loses no patience. So the card that is lacking never comes, unless others want what goes round.
    """
    rules = game.rules
    state = game.state
    if state[N_UNDER_WAY] > 0 or rules.deadlock_rule != DeadlockRule.NONE:
        return False
    giver = NOBODY
    wanted = ZERO
    for player in range(rules.n_players):
        at = player_at(player)
        what = state[at + ACT]
        if state[at + OUT] == 1:
            continue
        if state[at + GIVES_WAY] > 0:
            if giver >= 0:
                return False
            giver = np.int64(player)
        elif state[at + UNFINISHED] == 0 or (what != WAITING and what != PUTTING_BACK and what != PICKING_UP):
            return False
        else:
            wanted |= state[at + HAND_BEST] | state[at + TABLE_BEST]
    if giver < 0:
        return False
    at = player_at(giver)
    hand = state[at + HAND]
    if state[at + GIVES_WAY] < 2 or state[at + LEFT] != 1 or hand < 0:
        return False
    height = state[bunch_at(hand) + HEIGHT]
    settled = height >= game.players[giver].commit_at and state[at + AIM] == lowest_rank(state[bunch_at(hand) + BEST])
    mends = height == rules.bunch_size - 1 and 2 * (height - 1) >= rules.bunch_size
    going = state[CENTRE_MASK] | held_ranks(game.counts[hand])
    return settled and mends and going & wanted == 0


@kernel()
def _same_cards_go_round(game, habits):
    """Whether for ever the same cards go round, and they help nobody; in a lock with no swap under way.

    So it is when each unfinished bunch of those who give way has one card only that its player ever lays, and when no
    rank that goes round is a best rank of anybody's bunch, or one that such a bunch keeps: what he takes for the loose
    card is then a loose card again. A bunch keeps what it has most of; of its cards of lowest count, those that other
    bunches of its player want, if he never forgets these; and, where one player alone gives way, those that he holds
    back because the others, who never swap again, were seen to take their rank. Bunches to which nobody comes, as
    players stay with what they hold, do not matter.
    """
    rules = game.rules
    state = game.state
    if habits and rules.team_size > 1:
        return False  # partners may keep different cards
    givers = ZERO
    for player in range(rules.n_players):
        at = player_at(player)
        if state[at + OUT] == 1:
            continue
        if (state[at + LEFT] > 0 and state[at + UNFINISHED] == 0) or state[at + GIVES_WAY] == 2:
            return False
        if state[at + GIVES_WAY] == 1:
            givers |= ONE << player
    going = state[CENTRE_MASK]
    kept = ZERO
    for bunch in range(rules.n_bunches):
        player = np.int64(bunch // rules.bunches_each)
        best = state[bunch_at(bunch) + BEST]
        if best == 0 or state[player_at(player) + OUT] == 1 or (state[STAYING] != 0 and not goes_round(game, bunch)):
            continue
        kept |= best
        if (givers >> player) & 1 == 1:
            counts = game.counts[bunch]
            held = held_ranks(counts)
            loose = lowest_ranks(counts, held)
            if habits:
                loose &= ~_spared(game, player, bunch, loose)
                if givers & (givers - 1) == 0 and game.players[player].hold_back == 1:
                    loose &= ~seen_taken(game, player)
                    kept |= seen_taken(game, player)
            if loose == 0 or loose & (loose - 1) != 0 or held_of(game, bunch, lowest_rank(loose)) != 1:
                return False
            going |= loose
            kept |= held & ~loose
    return going & kept == 0


@kernel()
def _spared(game, player, bunch, ranks):
    """Those of some ranks of a bunch that a player for ever keeps for others of his; not all of the ranks."""
    state = game.state
    at = player_at(player)
    own = game.players[player]
    if own.keep_for_others == 0 or own.own_memory != OwnMemory.PERFECT or state[at + CLOSED] & ~state[at + SEEN] != 0:
        return ZERO
    wanted = ZERO
    first = first_bunch(game, player)
    for other in range(first, first + game.rules.bunches_each):
        if other != bunch:
            wanted |= state[bunch_at(other) + BEST]
    return ranks & wanted if ranks & ~wanted != 0 else ZERO


@kernel()
def judge_lead(game):
    """Note who has strictly the fewest bunches left, and how far behind each player is."""
    state = game.state
    n_players = game.rules.n_sides
    if state[FIRST_DONE] >= 0:
        return  # the deal is won
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
