"""The exchange game under the clock: hands, eyes, patience and calls, event by event.

A player has one thing under way, and the table at most the end of an agreed wait. The earliest of these comes next,
ties by chance. Looks are no events: they are part of the plans that :mod:`hands` makes.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.clock import draw_person
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, high_32, low_32, next_32, next_word, sample
from stressim.exchange.events import Kind, Outcome, Reason
from stressim.exchange.habits import AtDeadline
from stressim.exchange.kernel.acts import (
    CALLING,
    FALSE_CALLING,
    GIVING,
    HOLDING,
    OPENING,
    PICKING_UP,
    PUTTING_DOWN,
    REACHING,
    RESTING,
    SETTLING,
    TOUCHING,
    act,
    cognitive,
    motor_time,
)
from stressim.exchange.kernel.contest import on_arrival, on_touch, settle
from stressim.exchange.kernel.ends import deal_again, end_deal, most_complete_wins, start_deal
from stressim.exchange.kernel.hands import choose_bunch, leave_bunch, look, look_again, pick_up, take_another
from stressim.exchange.kernel.judge import is_deadlocked, judge, note_who_always_moves
from stressim.exchange.kernel.layout import (
    ACT,
    AIM,
    BACK_ON_TABLE,
    BEST,
    CENTRE_MASK,
    COGNITIVE,
    COMPLETED_AT,
    DEADLINE,
    DEADLINES_RUN_OUT,
    EVENTS,
    EVERYBODY,
    FALSE_CALLS,
    FAR,
    FREE,
    GIVES_WAY,
    GOES_ROUND,
    GROUP,
    HAND,
    HAND_BEST,
    KNOWN_UNTIL,
    LAST_BIT,
    LEFT,
    LOOKING,
    MOTOR,
    N_GIVE,
    N_IN,
    N_TARGETS,
    N_UNDER_WAY,
    N_UNFINISHED,
    NEXT,
    NEXT_BACK,
    NOW,
    OUT,
    OUTCOME,
    PATIENCE,
    PLACES,
    REMEMBERED,
    SEEN,
    SETTLING_UNTIL,
    STALL_SINCE,
    SWITCHES,
    TABLE_BEST,
    TABLE_REST,
    TABLE_TIME,
    TIME,
    UNDER_WAY,
    UNFINISHED,
)
from stressim.exchange.kernel.places import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    bunch_at,
    bunch_bit,
    first_of,
    log_event,
    player_at,
)
from stressim.exchange.kernel.reaching import on_given, on_put_down, restart_clocks
from stressim.exchange.kernel.seeing import settle_aim
from stressim.exchange.kernel.swaps import lay_open
from stressim.exchange.rules import DeadlineReset, DeadlockRule, FalseCallPenalty, WinTie

MOST_EVENTS = 20_000

_DEADLINE = np.int64(16)  # added to a player's number where it is his deadline that comes next


@kernel()
def play_human(game, seed, deal):
    """Play one deal; ``row`` must hold zeros."""
    state = game.state
    start_deal(game, seed, deal)
    for player in range(game.rules.n_players):
        at = player_at(player)
        draw_person(game, np.int64(player), at + COGNITIVE, at + MOTOR)
        state[at + GIVES_WAY] = _gives_way(game, player)
    note_who_always_moves(game)
    _begin(game)
    while state[OUTCOME] < 0:
        _next_event(game)


@kernel()
def _gives_way(game, player):
    """Whether a player ever swaps a card that he does not need (1), or even one that he hopes for (2)."""
    own = game.players[player & PLACES]
    deadlines = game.rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE
    if own.yield_weight_x65536 > 0:
        return np.int64(2)
    gives = own.churn_weight_x65536 > 0 or (deadlines and own.at_deadline == AtDeadline.CHURN)
    return ONE if gives else ZERO


@kernel()
def _begin(game):
    """The cards are dealt: everybody goes for a bunch."""
    rules = game.rules
    state = game.state
    state[TABLE_TIME] = FAR
    state[SETTLING_UNTIL] = 0
    state[GOES_ROUND] = 0
    state[LOOKING] = 0
    state[NEXT_BACK] = FAR
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
        end_deal(game, Outcome.DEADLOCKED, NOBODY)


@kernel(inline=True)
def _next_event(game):
    """Find what comes next, ties by chance, and let it happen."""
    rules = game.rules
    state = game.state
    soonest = state[TABLE_TIME]
    who = NOBODY
    n_tied = ONE
    rest = state[EVERYBODY]
    while rest != 0:
        player = first_of(rest)
        rest &= rest - 1
        time = state[player_at(player) + TIME]
        if time <= soonest:
            if time < soonest:
                soonest, who, n_tied = time, player, ONE
            elif time < FAR:
                n_tied += 1
                if below(game.streams, ZERO, n_tied) == 0:
                    who = player
    if rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE:
        who = _or_deadline(game, soonest, who, n_tied)
        if who >= _DEADLINE:
            soonest = state[player_at(who - _DEADLINE) + DEADLINE]
    while state[NEXT_BACK] <= soonest:
        _put_back_next(game)
    state[EVENTS] += 1
    if state[EVENTS] > MOST_EVENTS or soonest >= FAR:
        end_deal(game, Outcome.UNFINISHED, NOBODY)
        return
    state[NOW] = soonest
    if who < 0:
        _on_table(game)
    elif who >= _DEADLINE:
        _on_deadline(game, who - _DEADLINE)
    else:
        what = state[player_at(who) + ACT]
        if what == PUTTING_DOWN:
            on_put_down(game, who)
        elif what == REACHING:
            on_arrival(game, who)
        elif what == PICKING_UP:
            _on_picked_up(game, who)
        else:
            _on_rare(game, who, what)
    while state[LOOKING] != 0:
        player = first_of(state[LOOKING])
        state[LOOKING] &= state[LOOKING] - 1
        look(game, player)
    if state[OUTCOME] < 0:
        if is_deadlocked(game):
            end_deal(game, Outcome.DEADLOCKED, NOBODY)
        elif state[GOES_ROUND] == 1:
            end_deal(game, Outcome.LIVELOCKED, NOBODY)


@kernel()
def _or_deadline(game, soonest, who, n_tied):
    """Whose deadline comes before all else, as the player's number and ``_DEADLINE``; ``who`` if none does."""
    state = game.state
    for player in range(game.rules.n_players):
        time = state[player_at(player) + DEADLINE]
        if time < soonest:
            soonest, who, n_tied = time, np.int64(player) + _DEADLINE, ONE
        elif time == soonest and time < FAR:
            n_tied += 1
            if below(game.streams, ZERO, n_tied) == 0:
                who = np.int64(player) + _DEADLINE
    return who


@kernel()
def _on_rare(game, player, what):
    """What comes once in a while."""
    state = game.state
    at = player_at(player)
    if what == OPENING:
        _on_opened(game, player)
    elif what == CALLING:
        _on_call(game, player)
    elif what == FALSE_CALLING:
        _on_false_call(game, player)
    elif what == GIVING:
        on_given(game, player)
    elif what == HOLDING:
        take_another(game, player, ZERO)
    elif what == TOUCHING:
        on_touch(game, player)
    elif what == SETTLING:
        settle(game, state[at + GROUP])
    else:
        state[at + PATIENCE] = 0
        look_again(game, player, state[NOW])


# --- bunches ----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def _on_picked_up(game, player):
    """A player has a bunch in his hand, reads it, and looks at the centre."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    now = state[NOW]
    hand = state[at + NEXT]
    here = bunch_at(hand)
    state[at + HAND] = hand
    state[at + HAND_BEST] = state[here + BEST]
    state[at + SEEN] |= bunch_bit(game, player, hand)
    state[here + REMEMBERED] = 0
    state[at + PATIENCE] = 0
    state[at + KNOWN_UNTIL] = 0
    state[at + TABLE_BEST] = state[at + TABLE_REST]
    if rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE:
        clock = at + DEADLINE
        if state[clock] >= FAR or rules.deadline_reset == DeadlineReset.SWAP_OR_SWITCH:
            state[clock] = now + rules.swap_deadline_us
    log_event(game, Kind.PICK_UP, player, hand, UNUSED, UNUSED)
    if state[STALL_SINCE] < 0 or state[here + BEST] & state[CENTRE_MASK] != 0:
        judge(game)  # otherwise a stall and perhaps a lock go on: the same bunches are there
    state[at + FREE] = now + cognitive(game, player, own.encode_card_us * rules.bunch_size)
    if state[here + BEST] == 0:
        act(game, player, OPENING, state[at + FREE] + motor_time(game, player, own.lay_complete_bunch))
        return
    settle_aim(game, player, ONE)
    look_again(game, player, state[at + FREE])


@kernel()
def _put_back_next(game):
    """Let those who are the next to lay their bunches back do so and choose others."""
    state = game.state
    when = state[NEXT_BACK]
    following = FAR
    rest = state[EVERYBODY]
    while rest != 0:
        player = first_of(rest)
        rest &= rest - 1
        at = player_at(player)
        time = state[at + BACK_ON_TABLE]
        if time == when:
            state[NOW] = when
            game.row[SWITCHES] += 1
            log_event(game, Kind.PUT_BACK, player, state[at + HAND], UNUSED, UNUSED)
            word = next_word(game.streams, 1 + player)
            leave_bunch(game, player, high_32(word))
            choose_bunch(game, player, low_32(word))
            state[at + ACT] = PICKING_UP
            state[at + BACK_ON_TABLE] = FAR
        else:
            following = min(following, time)
    state[NEXT_BACK] = following


@kernel()
def _on_deadline(game, player):
    """A player's time for a swap has run out (A21, A-U6)."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    state[player_at(player) + DEADLINE] = FAR
    if hand < 0 or state[at + UNDER_WAY] > 0 or state[bunch_at(hand) + BEST] == 0:
        return
    game.row[DEADLINES_RUN_OUT] += 1
    log_event(game, Kind.DEADLINE, player, hand, UNUSED, UNUSED)
    leave_bunch(game, player, next_32(game.streams, 1 + player))
    pick_up(game, player, max(state[NOW], state[at + FREE]))


@kernel()
def _on_opened(game, player):
    """A player lays a complete bunch open, and goes for the next one or calls."""
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    hand = state[at + HAND]
    state[at + HAND] = -1
    state[at + LAST_BIT] = bunch_bit(game, player, hand)
    lay_open(game, player, hand)
    state[at + KNOWN_UNTIL] = 0
    restart_clocks(game, player)
    judge(game)
    if state[at + LEFT] == 0:
        act(game, player, CALLING, state[NOW] + motor_time(game, player, own.call))
    else:
        pick_up(game, player, state[NOW])


# --- calls ------------------------------------------------------------------------------------------------------------


@kernel()
def _on_call(game, player):
    """A player calls: play stops, and only those who are about to call too are still heard (A22, A23, A-U8)."""
    rules = game.rules
    state = game.state
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
def _on_false_call(game, player):
    """A player calls although his last bunch lacks a card (A26, A-U9)."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
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


# --- the table --------------------------------------------------------------------------------------------------------


@kernel()
def _on_table(game):
    """The agreed wait without a swap is over (A20)."""
    state = game.state
    state[TABLE_TIME] = FAR
    if state[N_UNDER_WAY] > 0:
        return  # the swap goes through, and the wait begins anew
    if game.rules.deadlock_rule == DeadlockRule.REDEAL:
        _redeal(game, Reason.DEADLOCK)
    else:
        most_complete_wins(game)


@kernel()
def _redeal(game, reason):
    """Deal the cards again."""
    deal_again(game, np.int64(reason))
    _begin(game)
