"""Cards in bunches and in the centre.

What counts about a bunch (its height, its best ranks …) is kept as masks of ranks, so that most questions are an "and".
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.exchange.kernel.layout import (
    BEST,
    CENTRE,
    CENTRE_COUNT,
    CENTRE_MASK,
    HEIGHT,
    HELD,
    LOWEST,
    N_CENTRE,
    N_HELD,
)
from stressim.exchange.kernel.places import NIBBLE, NOBODY, ONE, SMALL, UONE, ZERO, bunch_at, bunch_cards, lowest_rank


@kernel()
def weigh_bunch(game, bunch):
    """Write what a bunch is after its cards have changed."""
    state = game.state
    at = bunch_at(bunch)
    first = bunch_cards(bunch)
    counts = game.counts[bunch & 127]
    height = ZERO
    low = np.int64(16)
    best = ZERO
    lowest = ZERO
    held = ZERO
    for i in range(state[at + N_HELD]):
        rank = np.int64(game.cards[first + i]) & 15
        bit = ONE << rank
        count = np.int64((counts >> np.uint64(rank << 2)) & NIBBLE)
        held |= bit
        best = bit if count > height else (best | bit if count == height else best)
        lowest = bit if count < low else (lowest | bit if count == low else lowest)
        height = max(height, count)
        low = min(low, count)
    state[at + HEIGHT] = height
    state[at + BEST] = best if height < game.rules.bunch_size else ZERO
    state[at + LOWEST] = lowest
    state[at + HELD] = held


@kernel()
def lowest_ranks(counts, ranks):
    """Mask of those of some ranks that are held, and held least often; ``counts`` has four bits a rank."""
    lowest = ZERO
    low = np.int64(16)
    while ranks != 0:
        rank = lowest_rank(ranks)
        ranks &= ranks - 1
        count = np.int64((counts >> np.uint64(rank << 2)) & NIBBLE)
        if count > 0 and count < low:
            low = count
            lowest = ZERO
        if count == low:
            lowest |= ONE << rank
    return lowest


@kernel(inline=True)
def add_to_centre(game, card):
    """Lay a card in the centre."""
    state = game.state
    rank = card & 15
    n = state[N_CENTRE]
    game.cards[(CENTRE + n) & SMALL] = card
    state[N_CENTRE] = n + 1
    state[CENTRE_COUNT + rank] += 1
    state[CENTRE_MASK] |= ONE << rank


@kernel()
def in_centre(game, card):
    """The place of a card in the centre, -1 if it does not lie there."""
    for i in range(game.state[N_CENTRE]):
        if np.int64(game.cards[(CENTRE + i) & SMALL]) == card:
            return np.int64(i)
    return NOBODY


@kernel(inline=True)
def remove_from_centre(game, card):
    """Take a card that lies there out of the centre."""
    state = game.state
    rank = card & 15
    place = in_centre(game, card)
    n = state[N_CENTRE] - 1
    game.cards[(CENTRE + place) & SMALL] = game.cards[(CENTRE + n) & SMALL]
    state[N_CENTRE] = n
    left = state[CENTRE_COUNT + rank] - 1
    state[CENTRE_COUNT + rank] = left
    if left == 0:
        state[CENTRE_MASK] &= ~(ONE << rank)


@kernel(inline=True)
def add_to_bunch(game, bunch, card):
    """Put a card into a bunch; it is weighed by the caller."""
    at = bunch_at(bunch)
    n = game.state[at + N_HELD]
    game.cards[bunch_cards(bunch) + (n & 15)] = card
    game.state[at + N_HELD] = n + 1
    game.counts[bunch & 127] += UONE << np.uint64((card & 15) << 2)


@kernel(inline=True)
def remove_from_bunch(game, bunch, card):
    """Take a card out of a bunch that has it; it is weighed by the caller."""
    cards = game.cards
    at = bunch_at(bunch)
    first = bunch_cards(bunch)
    n = game.state[at + N_HELD] - 1
    for i in range(n):
        if np.int64(cards[first + i]) == card:
            cards[first + i] = cards[first + (n & 15)]
            break
    game.state[at + N_HELD] = n
    game.counts[bunch & 127] -= UONE << np.uint64((card & 15) << 2)
