"""Under the clock the deal is judged after every event of the log: stalls and locks begin and end."""

from __future__ import annotations

from stressim.compiled.jit import kernel
from stressim.exchange.habits import AtDeadline
from stressim.exchange.kernel.acts import FALSE_CALLING, PUTTING_DOWN, REACHING, SETTLING, TOUCHING
from stressim.exchange.kernel.bars import can_end_higher, open_ranks
from stressim.exchange.kernel.counting import begin_lock, begin_stall, end_stall
from stressim.exchange.kernel.layout import (
    ACT,
    BEST,
    COMMIT,
    HAND,
    HEIGHT,
    LOCKED_NOW,
    N_UNDER_WAY,
    N_UNFINISHED,
    NOW,
    OUT,
    PLACES,
    STALL_SINCE,
    TABLE_BEST,
    UNDER_WAY,
    UNFINISHED,
)
from stressim.exchange.kernel.places import bunch_at, first_bunch, player_at
from stressim.exchange.rules import DeadlockRule, FalseCallPenalty


@kernel(inline=True)
def _improves_in_hand(game, player):
    """Whether a player can improve the bunch in his hand; a swap under way is left out."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    if hand < 0 or state[at + OUT] == 1 or state[at + UNDER_WAY] > 0:
        return False
    return state[bunch_at(hand) + BEST] & open_ranks(game, player) != 0


@kernel()
def judge(game):
    """Begin and end stalls and locks."""
    able = False
    for player in range(game.rules.n_players):
        able = able or _improves_in_hand(game, player)
    if able:
        if game.state[STALL_SINCE] >= 0:
            end_stall(game)
    else:
        _judge_closely(game)


@kernel()
def _judge_closely(game):
    """No bunch in hand can be improved, unless by a swap under way."""
    state = game.state
    n_players = game.rules.n_players
    if state[N_UNDER_WAY] > 0:
        for player in range(n_players):
            at = player_at(player)
            if state[at + UNDER_WAY] > 0 and can_end_higher(game, player, state[at + HAND]):
                end_stall(game)
                return
    on_table = False
    for player in range(n_players):
        at = player_at(player)
        if state[at + OUT] == 0 and state[at + TABLE_BEST] & open_ranks(game, player) != 0:
            on_table = True
    if state[N_UNFINISHED] > 0 and not on_table:
        begin_lock(game)
        return
    state[LOCKED_NOW] = 0
    if state[STALL_SINCE] < 0 and state[N_UNFINISHED] > 0:
        for player in range(n_players):
            at = player_at(player)
            hand = state[at + HAND]
            if state[at + OUT] == 1:
                continue
            if hand < 0:
                if state[at + UNFINISHED] > 0:
                    return
            elif state[bunch_at(hand) + BEST] == 0 and state[at + UNDER_WAY] == 0:
                return
        begin_stall(game)


@kernel(inline=True)
def is_deadlocked(game):
    """Whether nobody will ever swap a card again, by rules and habits."""
    return game.state[LOCKED_NOW] == 1 and game.state[N_UNDER_WAY] == 0 and _nobody_moves(game)


@kernel()
def _nobody_moves(game):
    rules = game.rules
    state = game.state
    if rules.deadlock_rule == DeadlockRule.REDEAL or rules.deadlock_rule == DeadlockRule.MOST_COMPLETE_WINS:
        return False
    for player in range(rules.n_players):
        at = player_at(player)
        if state[at + OUT] == 1:
            continue
        what = state[at + ACT]
        if (
            state[at + UNFINISHED] == 0  # he has only to lay his bunches open
            or (what == FALSE_CALLING and rules.false_call_penalty == FalseCallPenalty.FORFEIT)
            or (what in (PUTTING_DOWN, REACHING, TOUCHING, SETTLING) and state[at + COMMIT] <= state[NOW])
            or _will_give_way(game, player)
        ):
            return False
    return True


@kernel()
def _will_give_way(game, player):
    """Whether a player who cannot improve a bunch will swap a card all the same, sooner or later."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    deadlines = rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE
    if own.churn_weight_x65536 > 0 or (deadlines and own.at_deadline == AtDeadline.CHURN):
        return True
    if own.yield_weight_x65536 == 0:
        return False
    # A card can be yielded from a bunch with one best rank of which it has two or more.
    first = first_bunch(game, player)
    for bunch in range(first, first + rules.bunches_each):
        here = bunch_at(bunch)
        best = state[here + BEST]
        reachable = bunch == state[at + HAND] or state[at + HAND] < 0 or own.switch_weight_x65536 > 0 or deadlines
        if reachable and state[here + HEIGHT] > 1 and best != 0 and best & (best - 1) == 0:
            return True
    return False
