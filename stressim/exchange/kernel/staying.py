"""Players who never lay an unfinished bunch back: what they hold is all of theirs that ever changes (A10, A20).

So a table may be stuck although the centre would help bunches that lie on it, and cards may be lacking for ever although
they lie there. All other players are taken to come to each of their bunches.
"""

from __future__ import annotations

from stressim.compiled.jit import kernel
from stressim.exchange.kernel.bars import open_ranks
from stressim.exchange.kernel.layout import (
    BEST,
    CENTRE_COUNT,
    GIVES_WAY,
    HAND,
    HAND_BEST,
    IDLE,
    OUT,
    STAYING,
    TABLE_BEST,
    UNFINISHED,
)
from stressim.exchange.kernel.places import ONE, ZERO, bunch_at, held_of, player_at
from stressim.exchange.rules import DeadlockRule


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
def _is_held(game, bunch):
    """Whether a bunch is in a hand."""
    rules = game.rules
    held = False
    for player in range(bunch // rules.bunches_each, rules.n_players, rules.n_sides):
        held = held or game.state[player_at(player) + HAND] == bunch
    return held


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
    leaves his bunch has completed it. Cards that are more than half of a bunch are never laid by who does not yield; all
    others are loose. Whatever a bunch takes is loose no more for any other, and no card becomes loose again. So a bunch
    that needs more of a rank than is loose will need more of it for ever, and one that has not more than half of any
    rank will never be complete where no rank has as many loose cards as a bunch.
    """
    rules = game.rules
    state = game.state
    if not _all_stay_with_a_bunch(game):
        return False
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
            if _is_held(game, bunch) and _can_be_completed(game, bunch):
                return False
    return True


@kernel()
def _is_kept(game, bunch, held):
    """Whether as many cards of one rank are never laid from a bunch."""
    rules = game.rules
    return 2 * held > rules.bunch_size and game.state[player_at(bunch // rules.bunches_each) + GIVES_WAY] < 2


@kernel()
def _count_loose(game, rank):
    """How many cards of a rank go round, or may do so."""
    rules = game.rules
    state = game.state
    loose = state[CENTRE_COUNT + rank]
    for bunch in range(rules.n_bunches):
        side = bunch // rules.bunches_each
        held = held_of(game, bunch, rank)
        if held == 0 or state[bunch_at(bunch) + BEST] == 0 or state[player_at(side) + OUT] == 1:
            continue
        if not _is_kept(game, bunch, held) and (not _stays(game, side) or _is_held(game, bunch)):
            loose += held
    return loose


@kernel()
def _can_be_completed(game, bunch):
    """Whether there may be cards enough for an unfinished bunch in hand."""
    size = game.rules.bunch_size
    for rank in range(16):
        held = held_of(game, bunch, rank)
        if _is_kept(game, bunch, held):
            return _count_loose(game, rank) >= size - held
    for rank in range(16):
        if _count_loose(game, rank) >= size:
            return True
    return False


@kernel()
def _all_can_be_completed(game, side):
    """Whether there may be cards enough for all bunches of a side that comes to each of them."""
    rules = game.rules
    state = game.state
    unsettled = state[player_at(side) + UNFINISHED]
    possible = ZERO
    first = side * rules.bunches_each
    for rank in range(16):
        loose = _count_loose(game, rank)
        for bunch in range(first, first + rules.bunches_each):
            held = held_of(game, bunch, rank)
            if state[bunch_at(bunch) + BEST] != 0 and _is_kept(game, bunch, held):
                unsettled -= 1
                loose -= rules.bunch_size - held
        if loose < 0:
            return False
        possible += loose // rules.bunch_size
    return unsettled <= possible
