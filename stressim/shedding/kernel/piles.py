"""The two centre piles: what lies on top and what fits."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import Ace, JokerMode
from stressim.shedding.events import JOKER_RANK, Kind
from stressim.shedding.kernel.layout import (
    FITS,
    N_MASKS,
    N_PILES,
    PILE_BLOCK,
    PILE_FITS,
    PILE_RANK,
    PILE_SIZE,
    PILE_VERSION,
    PILES,
)
from stressim.shedding.kernel.places import ALL_RANKS, JOKER_BIT, ONE, UNUSED, ZERO, log_event, pile_at, pile_cards


@kernel()
def prepare_masks(game):
    """Write, for every rank, the mask of the ranks that fit on it; once per shard."""
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


@kernel(inline=True)
def tops_equal(game):
    """Whether the tops of the two piles have the same rank; a joker that counts as anything equals all."""
    state = game.state
    a = state[PILES + PILE_RANK]
    b = state[PILES + PILE_BLOCK + PILE_RANK]
    if game.rules.n_jokers == 0:
        return (a == b) & (a >= 0)
    return a >= 0 and b >= 0 and (a == b or a == JOKER_RANK or b == JOKER_RANK)


@kernel(inline=True)
def tops_adjacent(game):
    """Whether the top of one pile would fit on the other."""
    state = game.state
    a = state[PILES + PILE_RANK]
    return a >= 0 and (state[PILES + PILE_BLOCK + PILE_FITS] >> a) & 1 == 1


@kernel(inline=True)
def fitting(game):
    """Mask of the ranks that fit on one of the piles."""
    state = game.state
    return state[PILES + PILE_FITS] | state[PILES + PILE_BLOCK + PILE_FITS]


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
    if rules.joker_mode == JokerMode.WILD:
        for other in range(N_PILES):
            if other != pile and state[pile_at(other) + PILE_RANK] >= 0:
                state[at + PILE_RANK] = state[pile_at(other) + PILE_RANK]
    elif rules.joker_mode == JokerMode.NAMED:
        rank = below(streams, who, rules.n_ranks)
        state[at + PILE_RANK] = rank
        state[at + PILE_FITS] = state[FITS + rank]
        log_event(game, Kind.NAME, player, pile, UNUSED, UNUSED, rank)
