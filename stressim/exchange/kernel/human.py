"""The exchange game under the clock: hands, eyes, patience and calls, event by event.

A player has one thing under way, and the table at most the end of an agreed wait. The earliest of these comes next,
ties by chance. Looks are no events: they are part of the plans that :mod:`hands` makes.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.clock import draw_person
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.exchange.choices import DeadlockRule
from stressim.exchange.events import Outcome
from stressim.exchange.habits import AtDeadline
from stressim.exchange.kernel.acts import (
    CALLING,
    FALSE_CALLING,
    GIVING,
    HOLDING,
    OPENING,
    RESTING,
    SETTLING,
    TOUCHING,
)
from stressim.exchange.kernel.calls import begin, on_call, on_false_call, on_table
from stressim.exchange.kernel.changing import on_deadline, on_opened, put_back_next
from stressim.exchange.kernel.contest import on_touch, settle
from stressim.exchange.kernel.counting import note_what_is_watched
from stressim.exchange.kernel.ends import end_deal, end_in_deadlock, start_deal
from stressim.exchange.kernel.hands import look, look_again, take_another
from stressim.exchange.kernel.judge import is_deadlocked, note_who_always_moves
from stressim.exchange.kernel.layout import (
    ACT,
    COGNITIVE,
    DEADLINE,
    EVENTS,
    FAR,
    GIVES_WAY,
    GOES_ROUND,
    GROUP,
    LOOKING,
    MOTOR,
    NEXT_BACK,
    NOW,
    OUTCOME,
    PATIENCE,
    PLACES,
    TABLE_TIME,
    TIME,
)
from stressim.exchange.kernel.places import (
    NOBODY,
    ONE,
    ZERO,
    everybody,
    first_of,
    player_at,
)
from stressim.exchange.kernel.reaching import on_given
from stressim.exchange.kernel.staying import note_who_stays
from stressim.exchange.kernel.teams import share_ways

MOST_EVENTS = 20_000

_TABLE = np.int64(-1)
_NOTHING = np.int64(-2)
_DEADLINE = np.int64(16)  # added to a player's number where it is his deadline that comes next


@kernel()
def begin_human(game, seed, deal):
    """Begin a deal; ``row`` must hold zeros."""
    state = game.state
    start_deal(game, seed, deal)
    for player in range(game.rules.n_players):
        at = player_at(player)
        draw_person(game, np.int64(player), at + COGNITIVE, at + MOTOR)
        state[at + GIVES_WAY] = _gives_way(game, player)
    note_who_always_moves(game)
    note_who_stays(game)
    note_what_is_watched(game)
    if game.rules.team_size > 1:
        share_ways(game)
    begin(game)


@kernel()
def _gives_way(game, player):
    """Whether a player ever swaps a card that he does not need (1), or even one that he hopes for (2)."""
    own = game.players[player]
    deadlines = game.rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE
    if own.yield_weight_x65536 > 0:
        return np.int64(2)
    gives = own.churn_weight_x65536 > 0 or (deadlines and own.at_deadline == AtDeadline.CHURN)
    return ONE if gives else ZERO


@kernel(inline=True)
def next_clock(game):
    """Go to what comes next, ties by chance, and return whose it is.

    That is a player's number, with ``_DEADLINE`` where it is his deadline, or else what is below all players' numbers:
    ``_TABLE`` for the table's wait, ``_NOTHING`` where nothing comes any more or the limit of events is reached.
    """
    rules = game.rules
    state = game.state
    soonest = state[TABLE_TIME]
    who = _TABLE
    n_tied = ONE
    rest = everybody(game)
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
    while state[NEXT_BACK] <= soonest and state[NEXT_BACK] < FAR:
        put_back_next(game)
    state[EVENTS] += 1
    if state[EVENTS] > MOST_EVENTS or soonest >= FAR:
        return _NOTHING
    state[NOW] = soonest
    return who


@kernel(inline=True)
def act_of(game, who):
    """What comes to its end by :func:`next_clock`; ``RESTING`` where it is none of what a player does."""
    return game.state[player_at(who) + ACT] if 0 <= who < _DEADLINE else RESTING


@kernel(inline=True)
def look_and_end(game):
    """After an event, let those look whom it concerns, and end a deal that goes on no more."""
    state = game.state
    while state[LOOKING] != 0:
        player = first_of(state[LOOKING])
        state[LOOKING] &= state[LOOKING] - 1
        look(game, player)
    end_if_over(game)


@kernel(inline=True)
def end_if_over(game):
    """End a deal that goes on no more."""
    if game.state[OUTCOME] < 0:
        if is_deadlocked(game):
            end_in_deadlock(game)
        elif game.state[GOES_ROUND] == 1:
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
def on_rare(game, player, what):
    """What comes once in a while."""
    state = game.state
    at = player_at(player & PLACES)
    if player == _NOTHING:
        end_deal(game, Outcome.UNFINISHED, NOBODY)
    elif player == _TABLE:
        on_table(game)
    elif player >= _DEADLINE:
        on_deadline(game, player - _DEADLINE)
    elif what == OPENING:
        on_opened(game, player)
    elif what == CALLING:
        on_call(game, player)
    elif what == FALSE_CALLING:
        on_false_call(game, player)
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
