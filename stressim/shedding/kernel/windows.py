"""The time in which a stress can be slapped: who notices, when his hand will land; and hands that come for nothing."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word, sample
from stressim.shedding.choices import (
    PlayOnEqualTops,
    SignalDecides,
    SlapTarget,
    StressSignal,
)
from stressim.shedding.kernel.hands import CALLING, WAITING, cognitive, motor
from stressim.shedding.kernel.layout import (
    ACT,
    FALSE_LEFT,
    FAR,
    FREE,
    GRACE_UNTIL,
    NOTICE,
    NOW,
    PAIR,
    PILE_RANK,
    PLACES,
    SEARCH_END,
    SLAP,
    STRESS_MISSED,
    STRESS_PILES,
    WINDOW,
    WINDOW_FROM_FLIP,
)
from stressim.shedding.kernel.piles import equals_of, tops_adjacent
from stressim.shedding.kernel.places import ONE, ZERO, n_players, pile_at, player_at
from stressim.shedding.kernel.table import CLOSED, ENDED, OPEN


@kernel(inline=True)
def by_shout(game):
    """Whether the voice settles who was first (U19)."""
    rules = game.rules
    return rules.stress_signal == StressSignal.SHOUT or (
        rules.stress_signal == StressSignal.SHOUT_AND_SLAP and rules.signal_decides == SignalDecides.SHOUT
    )


@kernel()
def signal_time(game, player):
    """Draw the time from noticing to the slap's landing or the shout."""
    players = game.players
    tables = game.tables
    streams = game.streams
    own = players[player & PLACES]
    bits = next_32(streams, 1 + player)
    if by_shout(game):
        return motor(game, player, sample(tables, player, own.call, bits))
    move = sample(tables, player, own.slap_move, bits)
    if game.rules.slap_target == SlapTarget.BOTH_HANDS:
        move = max(move, sample(tables, player, own.slap_move, next_32(streams, 1 + player)))
    return motor(game, player, move) + own.seat_us


@kernel(inline=True)
def _notice(game, player, lander):
    """Draw whether and when a player notices equal tops, and when his hand will land."""
    tables = game.tables
    state = game.state
    streams = game.streams
    at = player_at(player)
    now = state[NOW]
    own = game.players[player & PLACES]
    word = next_word(streams, 1 + player)
    state[at + NOTICE] = FAR
    state[at + SLAP] = FAR
    if low_32(word) < own.p_miss_stress:
        return
    notice = sample(tables, player, own.stress_notice, high_32(word))
    if player == lander:
        if own.foresee_stress > 0 and next_32(streams, 1 + player) < own.foresee_stress:
            notice -= own.anticipation_gain_us
    elif state[at + ACT] != WAITING or now < state[at + SEARCH_END] or now < state[at + FREE]:
        notice += own.busy_penalty_us
    state[at + NOTICE] = now + cognitive(game, player, max(notice, ZERO))
    state[at + SLAP] = state[at + NOTICE] + signal_time(game, player)


@kernel()
def open_window(game, lander):
    """The tops have become equal: draw who notices, and when his hand will land; ``lander`` is -1 after a flip.

    Must run before the landing wakes anybody: a player is busy with what he was doing when the card landed.
    """
    state = game.state
    row = game.row
    if state[WINDOW] == ENDED:
        row[STRESS_MISSED] += 1
    state[WINDOW] = OPEN
    state[WINDOW_FROM_FLIP] = 1 if lander < 0 else 0
    now = state[NOW]
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + SLAP] < FAR and state[at + NOTICE] <= now:
            continue  # his hand is coming down already
        _notice(game, np.int64(player), lander)


@kernel()
def close_window(game):
    """A card has covered the equal tops (U16): hands not on their way stay down, the others come too late or not."""
    rules = game.rules
    state = game.state
    row = game.row
    n_counting = ZERO
    now = state[NOW]
    state[GRACE_UNTIL] = now + rules.slap_grace_us
    if rules.play_on_equal_tops == PlayOnEqualTops.SLAP_IN_MOTION_COUNTS:
        state[GRACE_UNTIL] = FAR
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + SLAP] == FAR:
            continue
        if state[at + NOTICE] > now:
            state[at + NOTICE] = FAR
            state[at + SLAP] = FAR
        elif state[at + SLAP] <= state[GRACE_UNTIL]:
            n_counting += 1
    if n_counting > 0:
        state[WINDOW] = ENDED
    else:
        state[WINDOW] = CLOSED
        row[STRESS_MISSED] += 1


@kernel(inline=True)
def expose_to_false_slaps(game):
    """Every landed card may draw a hand although the tops differ; the closer the tops, the sooner."""
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    adjacent = tops_adjacent(game)
    for player in range(n_players(game)):
        at = player_at(player)
        own = players[player & PLACES]
        state[at + FALSE_LEFT] -= own.false_slap_hazard_adjacent if adjacent else own.false_slap_hazard
        if state[at + FALSE_LEFT] < 0:
            word = next_word(streams, 1 + player)
            state[at + FALSE_LEFT] = sample(tables, player, own.hazard, high_32(word))
            if state[at + SLAP] == FAR and state[at + ACT] != CALLING:
                notice = cognitive(game, player, sample(tables, player, own.stress_notice, low_32(word)))
                state[at + NOTICE] = state[NOW] + notice
                state[at + SLAP] = state[at + NOTICE] + signal_time(game, np.int64(player))


@kernel(beyond=PAIR)
def window_of_many(game, player, pile, second, barred):
    """After a landing among many piles: the stress that it has covered is over, the one that it makes begins.

    A stress between other piles goes on, and hands on their way to it still count; what the card adds to it counts with
    it, and who has missed it may notice now.
    """
    state = game.state
    landed = ONE << pile
    made = equals_of(game, pile, state[pile_at(pile) + PILE_RANK])
    if second >= 0:
        landed |= ONE << second
        made |= equals_of(game, second, state[pile_at(second) + PILE_RANK])
    if state[WINDOW] == OPEN and landed & state[STRESS_PILES] != 0:
        close_window(game)
    if made == 0 or barred:
        return
    if state[WINDOW] != OPEN:
        state[STRESS_PILES] = made
        open_window(game, player)
        return
    state[STRESS_PILES] |= made
    for other in range(n_players(game)):
        if state[player_at(other) + SLAP] == FAR:
            _notice(game, np.int64(other), player)
