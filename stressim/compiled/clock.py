"""Times under the clock that both games share: people differ, and a person's times are scaled by two factors."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word, sample

UNIT = np.int64(65536)  # one, in 16-bit fixed point


@kernel(inline=True)
def scaled(time, factor):
    """Multiply a time by a factor in 16-bit fixed point."""
    return (time * factor) >> 16


@kernel()
def draw_person(game, player, cognitive_at, motor_at):
    """Write a player's factors for times of the mind and of the hand to two places of ``state``."""
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    own = players[player & 15]
    state[cognitive_at] = UNIT
    state[motor_at] = UNIT
    if own.persons_differ == 1:
        # One shared draw makes quick minds and quick hands go together.
        common = next_32(streams, 1 + player)
        word = next_word(streams, 1 + player)
        state[cognitive_at] = (
            sample(tables, player, own.person_common_cognitive, common)
            * sample(tables, player, own.person_own_cognitive, high_32(word))
        ) >> 16
        state[motor_at] = (
            sample(tables, player, own.person_common_motor, common)
            * sample(tables, player, own.person_own_motor, low_32(word))
        ) >> 16
