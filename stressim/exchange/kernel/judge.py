"""Under the clock the deal is judged after every event of the log: stalls and locks begin and end."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import unseen
from stressim.compiled.jit import kernel
from stressim.exchange.choices import DeadlockRule, FalseCallPenalty
from stressim.exchange.habits import AtDeadline
from stressim.exchange.kernel.acts import FALSE_CALLING, RESTING, act
from stressim.exchange.kernel.bars import can_end_higher, open_ranks
from stressim.exchange.kernel.counting import begin_lock, begin_stall, end_stall
from stressim.exchange.kernel.layout import (
    ACT,
    ALWAYS_MOVES,
    BARRED,
    BEST,
    CENTRE_MASK,
    FAR,
    HAND,
    HAND_BEST,
    HEIGHT,
    IDLE,
    LOCKED_NOW,
    N_UNDER_WAY,
    N_UNFINISHED,
    OUT,
    STALL_SINCE,
    STAYING,
    TABLE_BEST,
    UNDER_WAY,
    UNFINISHED,
)
from stressim.exchange.kernel.places import ONE, ZERO, bunch_at, everybody, first_bunch, first_of, player_at
from stressim.exchange.kernel.staying import hands_are_locked, sets_off
from stressim.exchange.kernel.teams import can_come_to, holder_of


@kernel()
def judge(game):
    """Begin and end stalls and locks."""
    judge_swap(game)


@kernel(inline=True)
def judge_swap(game):
    """Begin and end stalls and locks, where it matters how long that takes.

    ``HAND_BEST`` has the best ranks of the bunch in hand while no swap is under way; in a plain swap it has those with
    which the bunch would end higher than it was. So in plain games one "and" tells whether somebody can improve.
    """
    if game.rules.plain_swaps == 1:
        judge_plain(game, ONE)
    elif not _improves_by_card(game):
        _judge_table(game)
    elif game.state[STALL_SINCE] >= 0:
        end_stall(game)


@kernel(inline=True)
def judge_plain(game, concerns):
    """Judge where swaps are plain; nothing is done unless ``concerns`` is 1.

    Whether a bunch in hand can be improved is a matter of chance; that a stall or a lock begins or ends is rare. So one
    branch asks for the latter, and all else is computed.
    """
    state = game.state
    wanted = ZERO
    on_table = ZERO
    open_to_all = ZERO
    rest = everybody(game)
    while rest != 0:
        at = player_at(first_of(rest))
        rest &= rest - 1
        wanted |= state[at + HAND_BEST]
        on_table |= state[at + TABLE_BEST]
        open_to_all |= state[at + TABLE_BEST] & ~state[at + BARRED]
    centre = state[CENTRE_MASK]
    able = np.int64(wanted & centre != 0)
    stalled = np.int64(state[STALL_SINCE] >= 0)
    locked = state[LOCKED_NOW]
    helps_on_table = np.int64(on_table & centre != 0)
    no_lock = np.int64(open_to_all & centre != 0)
    goes_on = (no_lock & ~locked) | (locked & ~helps_on_table)  # the stall, and the lock if it is one
    if unseen(concerns) & ((able & stalled) | ~(able | (stalled & goes_on))) & 1 != 0:
        _judge_anew(game, able)


@kernel()
def _judge_anew(game, able):
    if able == 1:
        end_stall(game)
    else:
        _judge_table(game)


@kernel()
def _improves_by_card(game):
    """Whether anybody can improve the bunch in his hand, where swaps are not plain."""
    state = game.state
    able = False
    for player in range(game.rules.n_players):
        at = player_at(player)
        if state[at + UNDER_WAY] > 0:
            able = able or can_end_higher(game, player, state[at + HAND])
        elif state[at + HAND_BEST] & state[CENTRE_MASK] != 0:
            able = able or state[at + HAND_BEST] & open_ranks(game, player) != 0
    return able


@kernel(inline=True)
def _improves_on_table(game):
    """Whether anybody can improve one of his bunches on the table."""
    state = game.state
    n_players = game.rules.n_players
    best = ZERO
    for player in range(n_players):
        best |= state[player_at(player) + TABLE_BEST]
    if best & state[CENTRE_MASK] == 0:
        return False
    if game.rules.plain_swaps == 1 and state[N_UNDER_WAY] == 0:
        return True
    able = False
    for player in range(n_players):
        able = able or state[player_at(player) + TABLE_BEST] & open_ranks(game, player) != 0
    return able


@kernel()
def _judge_table(game):
    """No bunch in hand can be improved."""
    state = game.state
    if state[N_UNFINISHED] == 0:
        state[LOCKED_NOW] = 0
    elif not _improves_on_table(game):
        if state[LOCKED_NOW] == 0:
            begin_lock(game)
    else:
        state[LOCKED_NOW] = 0
        if state[STALL_SINCE] < 0 and _all_hold_one(game):
            begin_stall(game)


@kernel()
def _all_hold_one(game):
    """Whether every player with unfinished bunches holds one, and nobody a complete one."""
    state = game.state
    for player in range(game.rules.n_players):
        at = player_at(player)
        hand = state[at + HAND]
        if state[at + OUT] == 1:
            continue
        if hand < 0:
            if state[at + UNFINISHED] > 0 and state[at + IDLE] == 0:
                return False
        elif state[bunch_at(hand) + BEST] == 0 and state[at + UNDER_WAY] == 0:
            return False
    return True


@kernel(inline=True)
def is_deadlocked(game):
    """Whether nobody will ever swap a card again, by rules and habits."""
    return (
        game.state[ALWAYS_MOVES] == 0
        and game.state[LOCKED_NOW] | game.state[STAYING] != 0
        and game.state[N_UNDER_WAY] == 0
        and _nobody_moves(game)
    )


@kernel()
def note_who_always_moves(game):
    """Note whether, in every lock, somebody swaps again by habit or a rule helps, whatever lies where."""
    rules = game.rules
    state = game.state
    rule = rules.deadlock_rule
    always = rule == DeadlockRule.REDEAL or rule == DeadlockRule.MOST_COMPLETE_WINS
    for player in range(rules.n_players):
        own = game.players[player]
        if state[player_at(player) + OUT] == 0 and state[player_at(player) + IDLE] == 0:
            deadlines = rule == DeadlockRule.SWAP_DEADLINE and own.at_deadline == AtDeadline.CHURN
            always = always or own.churn_weight_x65536 > 0 or deadlines
    state[ALWAYS_MOVES] = np.int64(always)


@kernel()
def look_on(game, player):
    """Let a player rest for whom his partners leave no bunch; none will come back to him."""
    game.state[player_at(player) + IDLE] = 1
    act(game, player, RESTING, FAR)
    note_who_always_moves(game)
    judge(game)  # nobody waits for his hand any more


@kernel()
def _nobody_moves(game):
    """Whether no player will swap a card again, where nobody swaps cards that he does not need."""
    state = game.state
    if state[LOCKED_NOW] == 0 and not hands_are_locked(game):
        return False
    for player in range(game.rules.n_players):
        at = player_at(player)
        if state[at + OUT] == 1:
            continue
        what = state[at + ACT]
        if (
            state[at + UNFINISHED] == 0  # he has only to lay his bunches open
            or (what == FALSE_CALLING and game.rules.false_call_penalty == FalseCallPenalty.FORFEIT)
            or sets_off(game, player)
            or _will_yield(game, player)
        ):
            return False
    return True


@kernel()
def _will_yield(game, player):
    """Whether a player who cannot improve a bunch will give up a card that he hoped for, sooner or later."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player]
    if own.yield_weight_x65536 == 0:
        return False
    deadlines = rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE
    # A card can be yielded from a bunch with one best rank of which it has two or more.
    first = first_bunch(game, player)
    for bunch in range(first, first + rules.bunches_each):
        here = bunch_at(bunch)
        best = state[here + BEST]
        reachable = bunch == state[at + HAND] or state[at + HAND] < 0 or own.switch_weight_x65536 > 0 or deadlines
        if rules.team_size > 1:
            holder = holder_of(game, player, bunch)
            lets_go = holder == player or game.players[holder].switch_weight_x65536 > 0 or deadlines
            reachable = reachable and lets_go and can_come_to(game, player, bunch)
        if reachable and state[here + HEIGHT] > 1 and best != 0 and best & (best - 1) == 0:
            return True
    return False
