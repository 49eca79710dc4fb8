"""The centre piles: what lies on top and what fits."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import count_ones, lowest_one
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import Ace, JokerMode, RefillPolicy, StressPairs
from stressim.shedding.events import JOKER_RANK, Kind
from stressim.shedding.kernel.layout import (
    FILLED,
    FITS,
    N_MASKS,
    PAIR,
    PILE_FITS,
    PILE_RANK,
    PILE_SIZE,
    PILE_VERSION,
    PILES,
    SEAT_BLOCK,
    SPREAD,
)
from stressim.shedding.kernel.places import (
    ALL_RANKS,
    JOKER_BIT,
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    is_pair,
    log_event,
    n_piles,
    pile_at,
    pile_cards,
)


@kernel()
def prepare_masks(game):
    """Write, for every rank, the mask of the ranks that fit on it, and what else is so all the time; once per shard."""
    rules = game.rules
    state = game.state
    n = rules.n_ranks
    shift = ZERO
    if rules.ace == Ace.HIGH and rules.has_ace == 1:
        shift = n - 1  # the ace, rank number 0, comes after the king
    for rank in range(n):
        place = (rank + shift) % n
        mask = JOKER_BIT
        for other in range(n):
            distance = abs((other + shift) % n - place)
            if distance == 1 or (rules.ace == Ace.WRAP and distance == n - 1 and n > 1):
                mask |= ONE << other
            if distance == 0 and rules.equal_rank_playable == 1:
                mask |= ONE << other
        state[FITS + rank] = mask
    for rank in range(n, N_MASKS):
        state[FITS + rank] = 0
    state[FITS + JOKER_RANK] = ALL_RANKS
    state[FILLED] = rules.row_slots if rules.refill_policy != RefillPolicy.NONE else 0
    for rank in range(N_MASKS):
        mask = state[FITS + rank]
        state[SPREAD + rank] = mask | (mask << 16) | (mask << 32) | (mask << 48)


@kernel(inline=True)
def ranks_equal(rank, other):
    """Whether two tops have the same rank; -1 stands for no top, and a joker that counts as anything equals all."""
    return rank >= 0 and other >= 0 and (rank == other or rank == JOKER_RANK or other == JOKER_RANK)


@kernel(inline=True)
def pairs_with(game, pile):
    """The piles, as bits, that are stress, or part of one, if their tops equal that of one of many piles (B51)."""
    piles = n_piles(game)
    own = ONE << pile
    every = (ONE << piles) - 1
    if game.rules.stress_pairs == StressPairs.NEIGHBOURS:
        every &= (own << 1) | (own >> 1) | (own << (piles - 1)) | (own >> (piles - 1))
    return every & ~own


@kernel(inline=True)
def tops_like(game, rank):
    """The piles, as bits, whose tops have a rank; none for -1, which stands for no top."""
    # Which tops are equal is chance: no branch asks for it.
    mask = ZERO
    for pile in range(n_piles(game)):
        mask |= np.int64(game.state[pile_at(pile) + PILE_RANK] == rank) << pile
    if game.rules.n_jokers > 0:
        for pile in range(n_piles(game)):
            mask |= np.int64(ranks_equal(rank, game.state[pile_at(pile) + PILE_RANK])) << pile
    return mask & ~(rank >> 63)


@kernel(beyond=PAIR, otherwise=ZERO)
def equals_of(game, pile, rank):
    """With a card of this rank on one of any number of piles: those that are stress with it, it too, as bits; or 0."""
    mask = tops_like(game, rank) & pairs_with(game, pile)
    if game.rules.stress_pairs == StressPairs.ALL and (
        mask != pairs_with(game, pile) or not _all_equal_but(game, pile)
    ):
        return ZERO
    return mask | (ONE << pile) if mask != 0 else ZERO


@kernel(beyond=PAIR, otherwise=False)
def _all_equal_but(game, pile):
    """Whether all tops but one equal each other and the one on that pile."""
    every = (ONE << n_piles(game)) - 1
    equal = True
    for other in range(n_piles(game)):
        if other != pile:
            like = tops_like(game, game.state[pile_at(other) + PILE_RANK])
            equal = equal and (like | (ONE << pile)) == every
    return equal


@kernel(inline=True)
def _some_alike(game):
    """Whether two tops have one rank, wherever they lie, or one is a joker."""
    seen = ONE << JOKER_RANK
    twice = ZERO
    for pile in range(n_piles(game)):
        rank = game.state[pile_at(pile) + PILE_RANK]
        bit = (ONE << (rank & 15)) & ~(rank >> 63)
        twice |= seen & bit
        seen |= bit
    return twice != 0


@kernel(beyond=PAIR, otherwise=ZERO)
def equal_piles(game):
    """The piles that are stress, as bits; for any number of piles."""
    if not _some_alike(game):
        return ZERO
    mask = ZERO
    for pile in range(n_piles(game)):
        mask |= equals_of(game, np.int64(pile), game.state[pile_at(pile) + PILE_RANK])
    return mask


@kernel(inline=True)
def tops_equal(game):
    """Whether the tops of the two piles have the same rank, of more piles those that count."""
    if not is_pair(game):
        return equal_piles(game) != 0
    state = game.state
    a = state[PILES + PILE_RANK]
    b = state[PILES + SEAT_BLOCK + PILE_RANK]
    if game.rules.n_jokers == 0:
        return (a == b) & (a >= 0)
    return ranks_equal(a, b)


@kernel(inline=True)
def would_be_equal(game, pile, rank):
    """Whether a card of this rank on a pile would make stress."""
    if not is_pair(game):
        return equals_of(game, pile, rank) != 0
    return ranks_equal(rank, game.state[pile_at(1 - pile) + PILE_RANK])


@kernel(inline=True)
def tops_adjacent(game):
    """Whether the top of one pile would fit on the other, where both could be stress."""
    if not is_pair(game):
        return _some_adjacent(game)
    state = game.state
    a = state[PILES + PILE_RANK]
    return a >= 0 and (state[PILES + SEAT_BLOCK + PILE_FITS] >> a) & 1 == 1


@kernel(inline=True)
def fitting(game):
    """Mask of the ranks that fit on one of the piles."""
    if not is_pair(game):
        return _fitting_of_many(game)
    state = game.state
    return state[PILES + PILE_FITS] | state[PILES + SEAT_BLOCK + PILE_FITS]


@kernel(inline=True)
def count_choices(game, mask):
    """Number of pairs of a rank in ``mask`` and a pile on which it fits."""
    if not is_pair(game):
        return _choices_of_many(game, mask)
    state = game.state
    fits_0 = state[PILES + PILE_FITS]
    fits_1 = state[PILES + SEAT_BLOCK + PILE_FITS]
    return count_ones(np.uint64(((mask & fits_0) << 16) | (mask & fits_1)))


@kernel(inline=True)
def other_fitting(game, pile, rank):
    """Another pile on which the rank fits, the next one in the ring; -1 if there is none."""
    if not is_pair(game):
        return _next_fitting(game, pile, rank)
    state = game.state
    return 1 - pile if (state[pile_at(1 - pile) + PILE_FITS] >> rank) & 1 == 1 else NOBODY


@kernel(inline=True)
def put_on_pile(game, pile, card):
    """Lay one card on a pile; the pile's rank is set for all but jokers."""
    state = game.state
    cards = game.cards
    at = pile_at(pile)
    size = state[at + PILE_SIZE]
    cards[pile_cards(pile) + size] = card
    rank = np.int64(card) & 15
    state[at + PILE_SIZE] = size + 1
    state[at + PILE_RANK] = rank
    state[at + PILE_FITS] = state[FITS + rank]
    state[at + PILE_VERSION] += 1


@kernel()
def settle_joker(game, player, pile, who):
    """Give a joker on top of a pile its rank (U32); stream ``who`` names it where the player must."""
    rules = game.rules
    state = game.state
    streams = game.streams
    at = pile_at(pile)
    if state[at + PILE_RANK] != JOKER_RANK:
        return
    if rules.joker_mode == JokerMode.WILD and not is_pair(game):
        state[at + PILE_RANK] = _next_rank(game, pile)
    elif rules.joker_mode == JokerMode.WILD:
        for other in range(n_piles(game)):
            if other != pile and state[pile_at(other) + PILE_RANK] >= 0:
                state[at + PILE_RANK] = state[pile_at(other) + PILE_RANK]
    elif rules.joker_mode == JokerMode.NAMED:
        rank = below(streams, who, rules.n_ranks)
        state[at + PILE_RANK] = rank
        state[at + PILE_FITS] = state[FITS + rank]
        log_event(game, Kind.NAME, player, pile, UNUSED, UNUSED, rank)


# --- among many piles -----------------------------------------------------------------------------------------------


@kernel(beyond=PAIR, otherwise=False)
def _some_adjacent(game):
    """Whether a top would fit on another one with which it could be stress."""
    state = game.state
    some = ZERO
    for pile in range(n_piles(game)):
        rank = state[pile_at(pile) + PILE_RANK]
        some |= piles_for(game, rank & 15) & pairs_with(game, np.int64(pile)) & ~(rank >> 63)
    return some != 0


@kernel(inline=True)
def piles_for(game, rank):
    """The piles, as bits, on which a rank fits."""
    mask = ZERO
    for pile in range(n_piles(game)):
        mask |= ((game.state[pile_at(pile) + PILE_FITS] >> rank) & 1) << pile
    return mask


@kernel(beyond=PAIR, otherwise=ZERO)
def _fitting_of_many(game):
    """:func:`fitting` for any number of piles."""
    mask = ZERO
    for pile in range(n_piles(game)):
        mask |= game.state[pile_at(pile) + PILE_FITS]
    return mask


@kernel(beyond=PAIR, otherwise=ZERO)
def _choices_of_many(game, mask):
    """:func:`count_choices` for any number of piles."""
    n = ZERO
    for pile in range(n_piles(game)):
        n += count_ones(np.uint64(mask & game.state[pile_at(pile) + PILE_FITS]))
    return n


@kernel(beyond=PAIR, otherwise=ZERO)
def _next_fitting(game, pile, rank):
    """:func:`other_fitting` for any number of piles."""
    piles = n_piles(game)
    fits = piles_for(game, rank) & ~(ONE << pile)
    turned = ((fits << piles) | fits) >> (pile + 1)  # two rounds of the ring, from the next pile on
    other = pile + 1 + lowest_one(np.uint64(turned))
    if fits == 0:
        return NOBODY
    return other - piles if other >= piles else other


@kernel(beyond=PAIR, otherwise=ZERO)
def _next_rank(game, pile):
    """The rank of the next pile in the ring that shows one, for a joker on the pile; a joker's own if none does."""
    piles = n_piles(game)
    for step in range(1, piles):
        rank = game.state[pile_at((pile + step) % piles) + PILE_RANK]
        if rank >= 0 and rank != JOKER_RANK:
            return rank
    return np.int64(JOKER_RANK)
