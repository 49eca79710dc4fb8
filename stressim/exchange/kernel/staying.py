"""Players who never lay an unfinished bunch back: what they hold is all of theirs that ever changes (A10, A20).

So a table may be stuck although the centre would help bunches that lie on it, and cards may be lacking for ever
although they lie there. All other players are taken to come to each of their bunches.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.exchange.choices import DeadlockRule
from stressim.exchange.kernel.acts import PUTTING_DOWN, REACHING, SETTLING, TOUCHING
from stressim.exchange.kernel.bars import open_ranks
from stressim.exchange.kernel.layout import (
    ACT,
    BEST,
    CENTRE_COUNT,
    COMMIT,
    GIVES_WAY,
    HAND,
    HAND_BEST,
    HEIGHT,
    IDLE,
    KEEPS,
    NOW,
    OUT,
    STAYING,
    TABLE_BEST,
    UNDER_WAY,
    UNFINISHED,
)
from stressim.exchange.kernel.places import NOBODY, ONE, ZERO, bunch_at, has_rank, held_of, player_at

_ALL_RANKS = np.int64(0x1111_1111_1111_1111)


@kernel()
def note_who_stays(game):
    """Note who never lays an unfinished bunch back: neither he nor a partner ever switches, and no deadline makes him.

    That he remembers another bunch that the centre helps moves him no more: he has never held one that lies there.
    """
    rules = game.rules
    state = game.state
    state[STAYING] = 0
    if rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE:
        return
    for player in range(rules.n_players):
        stays = True
        for mate in range(player % rules.n_sides, rules.n_players, rules.n_sides):
            stays = stays and game.players[mate].switch_weight_x65536 == 0
        if stays:
            state[STAYING] |= ONE << player


@kernel(inline=True)
def _stays(game, player):
    return (game.state[STAYING] >> player) & 1 == 1


@kernel()
def _holder(game, bunch):
    """The player who has a bunch in his hand, -1 if nobody has."""
    rules = game.rules
    holder = NOBODY
    for player in range(bunch // rules.bunches_each, rules.n_players, rules.n_sides):
        if game.state[player_at(player) + HAND] == bunch:
            holder = np.int64(player)
    return holder


@kernel()
def _all_stay_with_a_bunch(game):
    """Whether each player who never leaves his bunch holds one that is not complete; else he comes to another one."""
    state = game.state
    for player in range(game.rules.n_players):
        at = player_at(player)
        if state[at + OUT] == 0 and state[at + IDLE] == 0 and _stays(game, player):
            if state[at + HAND] < 0 or state[bunch_at(state[at + HAND]) + BEST] == 0:
                return False
    return True


@kernel()
def hands_are_locked(game):
    """Whether nobody can improve a bunch that he holds or ever comes to, with no swap under way."""
    state = game.state
    if not _all_stay_with_a_bunch(game):
        return False
    for player in range(game.rules.n_players):
        at = player_at(player)
        if state[at + OUT] == 1 or state[at + IDLE] == 1:
            continue
        best = state[at + HAND_BEST]
        if not _stays(game, player):
            best |= state[at + TABLE_BEST]
        if best & open_ranks(game, player) != 0:
            return False
    return True


@kernel()
def nobody_can_win(game):
    """Whether no player who never leaves his bunch can complete it, and no other one all of his.

    Cards go round through the centre and the bunches that players come to; others lie still until somebody who never
    leaves his bunch has completed it. Of what goes round, some is kept for good (:func:`_note_what_is_kept`), all else
    is loose. What a bunch that keeps a rank takes of it is loose no more, and no card ever becomes loose again. So a
    bunch that needs more of the rank that it keeps than is loose will need more of it for ever, and one that keeps none
    will never be complete where no rank has as many loose cards as a bunch.
    """
    rules = game.rules
    state = game.state
    if not _all_stay_with_a_bunch(game):
        return False
    _note_what_is_kept(game)
    for side in range(rules.n_sides):
        at = player_at(side)
        if state[at + OUT] == 1:
            continue
        if state[at + UNFINISHED] == 0:
            return False  # he has only to lay his bunches open, or to call
        if not _stays(game, side):
            if _all_can_be_completed(game, side):
                return False
            continue
        first = side * rules.bunches_each
        for bunch in range(first, first + rules.bunches_each):
            if _holder(game, bunch) >= 0 and _can_be_completed(game, bunch):
                return False
    return True


@kernel(inline=True)
def _keeps(game, bunch, rank):
    return has_rank(game.state[bunch_at(bunch) + KEEPS], rank)


@kernel()
def goes_round(game, bunch):
    """Whether a bunch is unfinished and may come to a hand before somebody has completed the bunch he stays with."""
    side = bunch // game.rules.bunches_each
    if game.state[bunch_at(bunch) + BEST] == 0 or game.state[player_at(side) + OUT] == 1:
        return False
    return not _stays(game, side) or _holder(game, bunch) >= 0


@kernel()
def _way(game, bunch):
    """Whether a player who may hold a bunch that goes round ever gives way (1), or yields (2)."""
    side = bunch // game.rules.bunches_each
    holder = _holder(game, bunch)
    if holder < 0 or not _stays(game, side):
        return game.state[player_at(side) + GIVES_WAY]
    own = game.players[holder]
    if own.yield_weight_x65536 > 0:
        return np.int64(2)
    return ONE if own.churn_weight_x65536 > 0 else ZERO


@kernel()
def sets_off(game, player):
    """Whether a player's hand is on its way to lay or to take a card, and nothing stops it."""
    at = player_at(player)
    what = game.state[at + ACT]
    hand = what == PUTTING_DOWN or what == REACHING or what == TOUCHING or what == SETTLING
    return hand and game.state[at + COMMIT] <= game.state[NOW]


@kernel()
def somebody_sets_off(game):
    """Whether a hand is on its way of somebody who does not give way: it lays a card though what he wants has gone."""
    for player in range(game.rules.n_players):
        if game.state[player_at(player) + GIVES_WAY] == 0 and sets_off(game, player):
            return True
    return False


@kernel()
def _lays_no_more(game, bunch):
    """Whether no card is being laid of an unfinished bunch, and nobody gives way with it."""
    state = game.state
    if _way(game, bunch) > 0:
        return False
    holder = _holder(game, bunch)
    if holder < 0:
        return True
    return state[player_at(holder) + UNDER_WAY] == 0 and not sets_off(game, holder)


@kernel()
def _best_kept(game, bunch):
    """The best rank of a bunch as a mask, if it has only one and its player does not yield."""
    best = game.state[bunch_at(bunch) + BEST]
    return ZERO if _way(game, bunch) == 2 or best & (best - 1) != 0 else best


@kernel()
def _note_what_is_kept(game):
    """Note of each bunch that goes round the ranks of which its player will never lay a card.

    Who does not give way swaps only for a best rank: he keeps all of a bunch where no card of such a rank is loose. All
    others lay a card of a rank that is held least. So unless one yields, he keeps the rank of which he holds most, if
    he can never have as many of any other: for lack of loose cards, or of room in the bunch. What is loose hangs on
    what the other bunches keep, so all are taken to keep what they can until that is found to be too much.
    """
    rules = game.rules
    state = game.state
    for bunch in range(rules.n_bunches):
        at = bunch_at(bunch)
        state[at + KEEPS] = ZERO
        if goes_round(game, bunch):
            state[at + KEEPS] = _ALL_RANKS if _lays_no_more(game, bunch) else _best_kept(game, bunch)
    changed = True
    while changed:
        changed = False
        for rank in range(16):
            loose = _count_loose(game, rank)
            for bunch in range(rules.n_bunches):
                at = bunch_at(bunch)
                height = state[at + HEIGHT]
                if state[at + KEEPS] == _ALL_RANKS:
                    if loose > 0 and has_rank(state[at + BEST], rank):
                        state[at + KEEPS] = _best_kept(game, bunch)
                        changed = True
                elif state[at + KEEPS] != 0 and not _keeps(game, bunch, rank):
                    if min(loose, rules.bunch_size - height) >= height:
                        state[at + KEEPS] = 0
                        changed = True


@kernel()
def _count_loose(game, rank):
    """How many cards of a rank go round, or may do so, and are kept in no bunch."""
    loose = game.state[CENTRE_COUNT + rank]
    for bunch in range(game.rules.n_bunches):
        held = held_of(game, bunch, rank)
        if held > 0 and not _keeps(game, bunch, rank) and goes_round(game, bunch):
            loose += held
    return loose


@kernel()
def _can_be_completed(game, bunch):
    """Whether there may be loose cards enough for an unfinished bunch in hand."""
    size = game.rules.bunch_size
    kept = game.state[bunch_at(bunch) + KEEPS]
    if kept == _ALL_RANKS:
        return False
    for rank in range(16):
        if kept == 0:
            if _count_loose(game, rank) >= size:
                return True
        elif has_rank(kept, rank) and _count_loose(game, rank) >= size - held_of(game, bunch, rank):
            return True
    return False


@kernel()
def _all_can_be_completed(game, side):
    """Whether there may be loose cards enough for all bunches of a side that comes to each of them."""
    rules = game.rules
    state = game.state
    unsettled = state[player_at(side) + UNFINISHED]
    possible = ZERO
    first = side * rules.bunches_each
    for bunch in range(first, first + rules.bunches_each):
        if state[bunch_at(bunch) + KEEPS] == _ALL_RANKS:
            return False
    for rank in range(16):
        loose = _count_loose(game, rank)
        for bunch in range(first, first + rules.bunches_each):
            if _keeps(game, bunch, rank):
                unsettled -= 1
                loose -= rules.bunch_size - held_of(game, bunch, rank)
        if loose < 0:
            return False
        possible += loose // rules.bunch_size
    return unsettled <= possible
