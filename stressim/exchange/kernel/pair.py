"""Two players under the clock and the usual rules: whose event is next is one comparison.

Chance decides who that is, so it is computed and no branch asks for it. For the same reason a player picks up a bunch
as soon as he has laid one back, and takes a card as soon as he has laid one, where nothing happens in between. The
events and their order are those of :mod:`human`.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.exchange.events import Outcome
from stressim.exchange.kernel.acts import ALL_TARGETS, PICKING_UP, PUTTING_BACK, PUTTING_DOWN, REACHING
from stressim.exchange.kernel.bunches import in_centre
from stressim.exchange.kernel.changing import lay_back, on_picked_up
from stressim.exchange.kernel.contest import gather_hands, has_rival
from stressim.exchange.kernel.ends import end_deal
from stressim.exchange.kernel.hands import take_another
from stressim.exchange.kernel.human import MOST_EVENTS, look_and_end, on_rare
from stressim.exchange.kernel.judge import judge_swap
from stressim.exchange.kernel.layout import (
    ACT,
    BACK,
    BACK_ON_TABLE,
    EVENTS,
    FAR,
    FREE,
    GIVE,
    HAND,
    LOOKING,
    N_TARGETS,
    NOW,
    TARGET,
    TIME,
    TOUCH,
    WON_TARGETS,
)
from stressim.exchange.kernel.places import NOBODY, ONE, ZERO, player_at
from stressim.exchange.kernel.plans import reach_out
from stressim.exchange.kernel.reaching import after_swap, count_look, go_on, miss_rest, notice_gone, wake_player
from stressim.exchange.kernel.swaps import begin_swap, finish_swap, lay_in_centre, take_from_centre


@kernel(inline=True)
def next_event(game):
    """Find what comes next and let it happen."""
    state = game.state
    time_0 = state[player_at(ZERO) + TIME]
    time_1 = state[player_at(ONE) + TIME]
    time = min(time_0, time_1)
    player = np.int64(time_1 < time_0)
    if time_0 == time_1:
        player = _one_of_both(game, time)
        if player < 0:
            return
    other = ONE - player
    at = player_at(player)
    if state[player_at(other) + BACK_ON_TABLE] <= time:
        _lay_back_other(game, player, other)
    what = state[at + ACT]
    state[EVENTS] += 1
    if state[EVENTS] > MOST_EVENTS:
        if what == PUTTING_BACK:
            _lay_back_first(game, player, state[at + BACK_ON_TABLE])
        end_deal(game, Outcome.UNFINISHED, NOBODY)
        return
    if what == PICKING_UP or what == PUTTING_BACK:
        if what == PUTTING_BACK:
            lay_back(game, player, state[at + BACK_ON_TABLE])
        state[NOW] = time
        on_picked_up(game, player)
    else:
        state[NOW] = time
        if what == PUTTING_DOWN:
            _on_put_down(game, player, other)
            time = state[at + TIME]
            if _goes_on(game, player, other, time):
                state[EVENTS] += 1
                state[NOW] = time
                what = REACHING
        elif what != REACHING:
            on_rare(game, player, what)
        if what == REACHING:
            _on_arrival(game, player, other)
    look_and_end(game)


@kernel(inline=True)
def _goes_on(game, player, other, time):
    """Whether nothing else happens until a player's hand comes to the card it goes for, at a certain time."""
    state = game.state
    there = player_at(other)
    reaches = (state[player_at(player) + ACT] == REACHING) & (state[LOOKING] == 0) & (state[EVENTS] < MOST_EVENTS)
    return reaches & (time < state[there + TIME]) & (time < state[there + BACK_ON_TABLE])


@kernel()
def _one_of_both(game, time):
    """Whose event comes first where both have one at the same time, by chance; the deal ends where neither has."""
    if time >= FAR:
        end_deal(game, Outcome.UNFINISHED, NOBODY)
        return NOBODY
    return below(game.streams, ZERO, np.int64(2)) ^ 1


@kernel()
def _lay_back_other(game, player, other):
    """Let the other player's bunch be laid back before a player's event, in order with his own."""
    own = game.state[player_at(player) + BACK_ON_TABLE]
    time = game.state[player_at(other) + BACK_ON_TABLE]
    if own < time or (own == time and player < other):
        _lay_back_first(game, player, own)
    _lay_back_first(game, other, time)


@kernel()
def _lay_back_first(game, player, when):
    """Let a player lay his bunch back before something else happens, which is rare."""
    lay_back(game, player, when)


@kernel(inline=True)
def _on_put_down(game, player, other):
    """A player's card lands in the centre, free for all; his hand goes on to the card he wants."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    card = state[at + GIVE]
    begin_swap(game, player, hand, ONE, ONE, ONE)
    count_look(game, player)
    lay_in_centre(game, player, hand, card, ZERO)
    judge_swap(game)
    wake_player(game, other, card & 15)
    state[at + WON_TARGETS] = ALL_TARGETS
    if in_centre(game, state[at + TARGET]) < 0:
        state[at + N_TARGETS] = 0
        take_another(game, player, ONE)
    else:
        reach_out(game, player, state[NOW])


@kernel(inline=True)
def _on_arrival(game, player, other):
    """A hand comes to the card it wants: it is the player's, gone, or contested."""
    state = game.state
    at = player_at(player)
    card = state[at + TARGET]
    state[at + WON_TARGETS] = ALL_TARGETS
    if state[player_at(other) + TARGET] == card and has_rival(game, player):
        gather_hands(game, player)
        return
    if in_centre(game, card) < 0:
        _come_too_late(game, player)
        return
    state[at + WON_TARGETS] = 1
    take_from_centre(game, player, state[at + HAND], card, ZERO)
    finish_swap(game, player)
    judge_swap(game)
    state[at + FREE] = max(state[NOW], state[at + TOUCH] + state[at + BACK])
    state[at + N_TARGETS] = 0
    notice_gone(game, other)
    after_swap(game, player)


@kernel()
def _come_too_late(game, player):
    """The card that a player's hand has come for is gone."""
    game.state[player_at(player) + WON_TARGETS] = 0
    miss_rest(game, player, ZERO)
    go_on(game, player)
