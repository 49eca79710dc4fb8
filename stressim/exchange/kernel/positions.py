"""Positions that come back: what lies where by rank, as hashes."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import mix
from stressim.exchange.choices import TakeBackOwn
from stressim.exchange.kernel.bars import BAR_WORDS
from stressim.exchange.kernel.layout import (
    CENTRE_COUNT,
    LAID_WORDS,
    N_POSITIONS,
    POSITIONS,
    POSITIONS_LIMIT,
    SEEN_POSITION,
    STAYING,
)
from stressim.exchange.kernel.places import UONE


@kernel()
def position_came_back(game):
    """Whether the present position is the one that was kept; after more and more positions another is kept (Brent).

    Where somebody stays with his bunch, several go on swapping by chance, and one position hardly ever comes back. So
    all are kept there, as far as there is room.
    """
    rules = game.rules
    state = game.state
    word = np.uint64(0)
    for rank in range(16):
        word = mix(word + np.uint64(state[CENTRE_COUNT + rank]))
    for bunch in range(rules.n_bunches):
        word = mix(word ^ game.counts[bunch])
    if rules.take_back_own == TakeBackOwn.FORBIDDEN:
        for i in range(rules.n_players * LAID_WORDS):
            word = mix(word ^ game.laid[i & BAR_WORDS])
    if state[STAYING] != 0:
        return _has_been_there(game, word)
    position = np.int64(word >> UONE)
    if state[POSITIONS_LIMIT] > 0 and position == state[SEEN_POSITION]:
        return True
    if state[POSITIONS] == state[POSITIONS_LIMIT]:
        state[SEEN_POSITION] = position
        state[POSITIONS] = 0
        state[POSITIONS_LIMIT] = 2 * state[POSITIONS_LIMIT] + 1
    state[POSITIONS] += 1
    return False


@kernel()
def _has_been_there(game, position):
    """Whether a position, as a hash, is among those kept of this deal, and keep it."""
    state = game.state
    if state[POSITIONS] == 0:
        for i in range(N_POSITIONS):
            game.positions[i] = np.uint64(0)
    state[POSITIONS] += 1
    place = np.int64(position & np.uint64(N_POSITIONS - 1))
    found = game.positions[place] == position
    game.positions[place] = position
    return found
