"""A row as bits, so that questions about all its slots are single operations."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import count_ones, lowest_one
from stressim.compiled.jit import kernel
from stressim.shedding.kernel.layout import LANES
from stressim.shedding.kernel.places import EACH_SLOT, ONE_SLOT, UONE, ZERO

SLOTS_A_WORD = 4
EACH_TOP = np.uint64(0x8000_8000_8000_8000)
NO_SLOTS = np.uint64(0)

# A row as bits: the rank of a slot's cards is one bit among sixteen, four slots a word. What fits is then an "and" for
# all slots at once, and the numbers of a row are counts of ones.


@kernel(inline=True)
def spread(mask):
    """Repeat a mask of ranks for each of four slots."""
    return np.uint64(mask) * EACH_SLOT


@kernel(inline=True)
def set_lane(game, player, slot, rank):
    """Note the rank that a slot now has."""
    game.lanes[player * LANES + (slot >> 2)] |= UONE << np.uint64(((slot & 3) << 4) + rank)


@kernel(inline=True)
def clear_lane(game, player, slot):
    """Note that a slot is empty."""
    game.lanes[player * LANES + (slot >> 2)] &= ~(ONE_SLOT << np.uint64((slot & 3) << 4))


@kernel(inline=True)
def low_lanes(game, player):
    """The first four slots of a row."""
    return game.lanes[player * LANES]


@kernel(inline=True)
def high_lanes(game, player):
    """The other slots of a row."""
    if game.rules.row_slots <= SLOTS_A_WORD:
        return NO_SLOTS
    return game.lanes[player * LANES + 1]


@kernel(inline=True)
def slot_ranks(game, player, slot):
    """The rank of a slot as a mask; 0 if it is empty."""
    lanes = game.lanes[player * LANES + (slot >> 2)]
    return np.int64((lanes >> np.uint64((slot & 3) << 4)) & ONE_SLOT)


@kernel(inline=True)
def row_mask(game, player):
    """Mask of the ranks in a player's row."""
    lanes = low_lanes(game, player) | high_lanes(game, player)
    lanes |= lanes >> np.uint64(32)
    return np.int64((lanes | (lanes >> np.uint64(16))) & ONE_SLOT)


@kernel(inline=True)
def slots_used(game, player):
    """Number of a player's slots that hold cards."""
    return count_ones(low_lanes(game, player)) + count_ones(high_lanes(game, player))


@kernel(inline=True)
def first_empty_slot(game, player):
    """The lowest empty slot of a row that has one."""
    lanes = low_lanes(game, player)
    base = ZERO
    if game.rules.row_slots > SLOTS_A_WORD and count_ones(lanes) == SLOTS_A_WORD:
        lanes = high_lanes(game, player)
        base = np.int64(4)
    # Taking one from each slot borrows from the next in empty ones alone: the lowest whose top bit turns is empty.
    return base + (lowest_one((lanes - EACH_SLOT) & ~lanes & EACH_TOP) >> 4)
