"""Cards in bunches and in the centre.

What counts about a bunch (its height, its best ranks …) comes from ``counts``, all ranks at once: four bits a rank are
compared by shifts and "and", and most questions about a bunch and the centre are an "and" of masks.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import lowest_one
from stressim.compiled.jit import kernel
from stressim.exchange.kernel.layout import (
    BEST,
    CENTRE,
    CENTRE_COUNT,
    CENTRE_MASK,
    HEIGHT,
    IN_BUNCH,
    LIES_AT,
    N_CENTRE,
    N_HELD,
)
from stressim.exchange.kernel.places import NIBBLE, NOBODY, UONE, ZERO, bit_of, bunch_at, bunch_cards

_EVERY_RANK = np.uint64(0x1111111111111111)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_LAST_RANK = np.uint64(1 << 60)


@kernel(inline=True)
def _more(counts, bit, ranks):
    """Those of some ranks whose count has a bit (uint64), or all of them if none has."""
    some = ranks & (counts >> bit)
    return some if some != 0 else ranks


@kernel(inline=True)
def _fewer(counts, bit, ranks):
    """Those of some ranks whose count lacks a bit (uint64), or all of them if all have it."""
    some = ranks & ~(counts >> bit)
    return some if some != 0 else ranks


@kernel(inline=True)
def weigh_bunch(game, bunch):
    """Write what a bunch is after its cards have changed."""
    state = game.state
    at = bunch_at(bunch)
    counts = game.counts[bunch]
    best = _EVERY_RANK
    if game.rules.bunch_size + game.rules.swap_max_cards > 7:
        best = _more(counts, _THREE, best)
    best = _more(counts, np.uint64(0), _more(counts, UONE, _more(counts, _TWO, best)))
    height = np.int64((counts >> np.uint64(lowest_one(best | _LAST_RANK))) & NIBBLE)
    state[at + HEIGHT] = height
    state[at + BEST] = np.int64(best) if 0 < height < game.rules.bunch_size else ZERO


@kernel(inline=True)
def held_ranks(counts):
    """Mask of the ranks that a bunch has; ``counts`` has four bits a rank."""
    return np.int64((counts | (counts >> UONE) | (counts >> _TWO) | (counts >> _THREE)) & _EVERY_RANK)


@kernel(inline=True)
def lowest_ranks(counts, ranks):
    """Mask of those of some ranks, all of them held, that are held least often; ``counts`` has four bits a rank."""
    low = np.uint64(ranks) & (counts | (counts >> UONE) | (counts >> _TWO) | (counts >> _THREE))
    low = _fewer(counts, UONE, _fewer(counts, _TWO, _fewer(counts, _THREE, low)))
    return np.int64(_fewer(counts, np.uint64(0), low))


@kernel(inline=True)
def add_to_centre(game, card):
    """Lay a card in the centre."""
    state = game.state
    rank = card & 15
    n = state[N_CENTRE]
    game.cards[CENTRE + n] = card
    game.cards[LIES_AT + card] = n
    state[N_CENTRE] = n + 1
    state[CENTRE_COUNT + rank] += 1
    state[CENTRE_MASK] |= bit_of(rank)


@kernel(inline=True)
def in_centre(game, card):
    """The place of a card in the centre, -1 if it does not lie there."""
    place = np.int64(game.cards[LIES_AT + card])
    return place if place < IN_BUNCH else NOBODY


@kernel(inline=True)
def remove_from_centre(game, card):
    """Take a card that lies there out of the centre."""
    state = game.state
    cards = game.cards
    rank = card & 15
    place = in_centre(game, card)
    n = state[N_CENTRE] - 1
    last = np.int64(cards[CENTRE + n])
    cards[CENTRE + place] = last
    cards[LIES_AT + last] = place
    state[N_CENTRE] = n
    left = state[CENTRE_COUNT + rank] - 1
    state[CENTRE_COUNT + rank] = left
    state[CENTRE_MASK] &= ~(np.int64(left == 0) << (rank << 2))


@kernel(inline=True)
def add_to_bunch(game, bunch, card):
    """Put a card into a bunch; it is weighed by the caller."""
    at = bunch_at(bunch)
    n = game.state[at + N_HELD]
    game.cards[bunch_cards(bunch) + n] = card
    game.cards[LIES_AT + card] = IN_BUNCH + n
    game.state[at + N_HELD] = n + 1
    game.counts[bunch] += UONE << np.uint64((card & 15) << 2)


@kernel(inline=True)
def remove_from_bunch(game, bunch, card):
    """Take a card out of a bunch that has it; it is weighed by the caller."""
    cards = game.cards
    at = bunch_at(bunch)
    first = bunch_cards(bunch)
    n = game.state[at + N_HELD] - 1
    place = np.int64(cards[LIES_AT + card])
    last = cards[first + n]
    cards[first + (place & 15)] = last
    cards[LIES_AT + np.int64(last)] = place
    game.state[at + N_HELD] = n
    game.counts[bunch] -= UONE << np.uint64((card & 15) << 2)
