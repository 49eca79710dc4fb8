"""The end of a round under the clock (Spit): both slap, the faster takes the smaller pile, new rows are laid out."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word, sample
from stressim.shedding.events import Kind, Reason
from stressim.shedding.kernel.hands import cognitive, motor, motor_time
from stressim.shedding.kernel.layout import (
    NOW,
    PLACES,
    REASON,
    ROW_CARDS,
    TABLE_ACT,
    TABLE_TIME,
)
from stressim.shedding.kernel.places import ONE, UNUSED, ZERO, log_event, n_players, player_at
from stressim.shedding.kernel.row_piles import new_round, one_pile_only, smaller_of_both
from stressim.shedding.kernel.table import FLIP, flip_delay, stop_all


@kernel()
def _hand_lands(game, player, emptied):
    """Draw when a player's hand comes down on a pile; who has emptied his row may have seen it coming."""
    tables = game.tables
    streams = game.streams
    own = game.players[player & PLACES]
    word = next_word(streams, 1 + player)
    notice = sample(tables, player, own.stress_notice, high_32(word))
    if player == emptied and own.foresee_stress > 0 and next_32(streams, 1 + player) < own.foresee_stress:
        notice = max(ZERO, notice - own.anticipation_gain_us)
    move = motor(game, player, sample(tables, player, own.slap_move, low_32(word))) + own.seat_us
    return game.state[NOW] + cognitive(game, player, notice) + move


@kernel()
def _faster_hand(game, emptied):
    """Let both slap, and note both slaps; returns who was faster, by a coin where nobody can tell."""
    state = game.state
    time_0 = _hand_lands(game, ZERO, emptied)
    time_1 = _hand_lands(game, ONE, emptied)
    faster = np.int64(time_1 < time_0)
    state[NOW] = min(time_0, time_1)
    log_event(game, Kind.SLAP, faster, smaller_of_both(game, faster), UNUSED, UNUSED, UNUSED)
    state[NOW] = max(time_0, time_1)
    log_event(game, Kind.SLAP, 1 - faster, smaller_of_both(game, 1 - faster), UNUSED, UNUSED, UNUSED)
    if time_0 == time_1 or abs(time_0 - time_1) < game.rules.tie_window_same_pile_us:
        faster = next_32(game.streams, ZERO) & 1
    return faster


@kernel()
def end_round(game, emptied):
    """A round is over because a player (-1: nobody) has emptied his row: piles are taken and new rows laid out.

    With one pile only who has emptied his row takes nothing, and nobody slaps.
    """
    state = game.state
    stop_all(game)
    faster = emptied
    if emptied < 0 or not one_pile_only(game):
        faster = _faster_hand(game, emptied)
    new_round(game, faster)
    laid_out = ZERO
    for player in range(n_players(game)):
        own = game.players[player & PLACES]
        duration = motor_time(game, np.int64(player), own.pickup_shuffled)
        for _ in range(state[player_at(player) + ROW_CARDS]):
            duration += motor_time(game, np.int64(player), own.refill_from_hand)
        laid_out = max(laid_out, duration)
    state[TABLE_ACT] = FLIP
    state[REASON] = np.int64(Reason.ROUND)
    state[TABLE_TIME] = state[NOW] + laid_out + flip_delay(game, np.int64(Reason.ROUND))
