"""How a deal under the clock begins, is dealt again, and is called to an end, rightly or too early."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import next_32, sample
from stressim.exchange.choices import DeadlockRule, FalseCallPenalty, Ranking, WinTie
from stressim.exchange.events import Kind, Outcome, Reason
from stressim.exchange.kernel.acts import CALLING, RESTING, act
from stressim.exchange.kernel.ends import deal_again, end_deal, end_in_deadlock, most_complete_wins
from stressim.exchange.kernel.finish import all_are_ranked, take_place
from stressim.exchange.kernel.hands import look_again
from stressim.exchange.kernel.judge import is_deadlocked, judge, note_who_always_moves
from stressim.exchange.kernel.layout import (
    ACT,
    AIM,
    COMPLETED_AT,
    DEADLINE,
    FALSE_CALLS,
    FAR,
    FIRST_DONE,
    FREE,
    GOES_ROUND,
    GROUP,
    HAND,
    HAND_BEST,
    KNOWN_UNTIL,
    LOOKING,
    N_GIVE,
    N_IN,
    N_TARGETS,
    N_UNDER_WAY,
    N_UNFINISHED,
    NEXT_BACK,
    NOW,
    OUT,
    SETTLING_UNTIL,
    TABLE_BEST,
    TABLE_TIME,
    TIME,
    UNFINISHED,
)
from stressim.exchange.kernel.picking_up import pick_up
from stressim.exchange.kernel.places import NOBODY, UNUSED, ZERO, log_event, player_at
from stressim.exchange.kernel.teams import empty_hands


@kernel()
def on_call(game, player):
    """A player calls: play stops, and only those who are about to call too are still heard (A22, A23, A-U8)."""
    rules = game.rules
    state = game.state
    if rules.ranking != Ranking.NONE:
        _call_for_place(game, player)
        return
    last = state[NOW] + rules.call_tie_window_us
    n_calls = ZERO
    best = player
    caller = player
    tied = False
    while caller >= 0:
        at = player_at(caller)
        n_calls += 1
        log_event(game, Kind.CALL, caller, UNUSED, UNUSED, UNUSED)
        act(game, caller, RESTING, FAR)
        if caller != player:
            earliest = state[player_at(best) + COMPLETED_AT]
            if state[at + COMPLETED_AT] < earliest:
                best = caller
                tied = False
            elif state[at + COMPLETED_AT] == earliest:
                tied = True
        caller = NOBODY
        soonest = last
        for other in range(rules.n_players):
            time = state[player_at(other) + TIME]
            if state[player_at(other) + ACT] == CALLING and time < soonest:
                caller = np.int64(other)
                soonest = time
        if caller >= 0:
            state[NOW] = soonest
    if n_calls == 1:
        end_deal(game, Outcome.WON, player)
    elif rules.win_tie == WinTie.REDEAL:
        _redeal(game, Reason.WIN_TIE)
    elif rules.win_tie == WinTie.SHARED or tied:
        end_deal(game, Outcome.DRAWN, NOBODY)
    else:
        end_deal(game, Outcome.WON, best)


@kernel()
def _call_for_place(game, player):
    """A player calls and has the next place, while the others play on (A24)."""
    log_event(game, Kind.CALL, player, UNUSED, UNUSED, UNUSED)
    act(game, player, RESTING, FAR)
    game.state[player_at(player) + DEADLINE] = FAR
    take_place(game, player)
    note_who_always_moves(game)
    if all_are_ranked(game):
        end_deal(game, Outcome.WON, player)


@kernel()
def on_false_call(game, player):
    """A player calls although his last bunch lacks a card (A26, A-U9)."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player]
    game.row[FALSE_CALLS] += 1
    log_event(game, Kind.FALSE_CALL, player, UNUSED, UNUSED, UNUSED)
    if rules.false_call_penalty == FalseCallPenalty.FORFEIT:
        _forfeit(game, player)
        return
    state[at + FREE] = state[NOW]
    if rules.false_call_penalty == FalseCallPenalty.TIME_LOSS:
        loss = sample(game.tables, player, own.false_call_loss, next_32(game.streams, 1 + player))
        state[at + FREE] += loss
    look_again(game, player, state[at + FREE])


@kernel()
def _forfeit(game, player):
    """A player is out; the last one left has won."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    state[at + OUT] = 1
    state[at + HAND_BEST] = 0
    state[at + TABLE_BEST] = 0
    state[N_IN] -= 1
    state[N_UNFINISHED] -= state[at + UNFINISHED]
    note_who_always_moves(game)
    act(game, player, RESTING, FAR)
    state[player_at(player) + DEADLINE] = FAR
    judge(game)
    if state[N_IN] > 1:
        return
    for other in range(rules.n_players):
        if state[player_at(other) + OUT] == 0:
            end_deal(game, Outcome.WON, np.int64(other))
            return
    end_deal(game, Outcome.DRAWN, NOBODY)


@kernel()
def on_table(game):
    """The agreed wait without a swap is over (A20)."""
    state = game.state
    state[TABLE_TIME] = FAR
    if state[N_UNDER_WAY] > 0:
        return  # the swap goes through, and the wait begins anew
    if game.rules.deadlock_rule == DeadlockRule.REDEAL and state[FIRST_DONE] < 0:
        _redeal(game, Reason.DEADLOCK)
    else:
        most_complete_wins(game)


@kernel()
def _redeal(game, reason):
    """Deal the cards again."""
    deal_again(game, np.int64(reason))
    begin(game)


@kernel()
def begin(game):
    """The cards are dealt: everybody goes for a bunch."""
    rules = game.rules
    state = game.state
    state[TABLE_TIME] = FAR
    state[SETTLING_UNTIL] = 0
    state[GOES_ROUND] = 0
    state[LOOKING] = 0
    state[NEXT_BACK] = FAR
    if rules.team_size > 1:
        empty_hands(game)
        note_who_always_moves(game)
    if rules.deadlock_rule == DeadlockRule.REDEAL or rules.deadlock_rule == DeadlockRule.MOST_COMPLETE_WINS:
        state[TABLE_TIME] = state[NOW] + rules.deadlock_wait_us
    for player in range(rules.n_players):
        at = player_at(player)
        state[at + HAND] = -1
        state[at + AIM] = -1
        state[at + FREE] = state[NOW]
        state[at + N_TARGETS] = 0
        state[at + N_GIVE] = 0
        state[at + GROUP] = 0
        state[at + KNOWN_UNTIL] = 0
        state[player_at(player) + DEADLINE] = FAR
        pick_up(game, np.int64(player), state[NOW])
    judge(game)
    if is_deadlocked(game):
        end_in_deadlock(game)
