"""What a stress or a false call costs where more than two play or more than two piles lie in the centre (B36, U42)."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import OnePile, OtherPile, PickupPlacement, StressPickup, StressShare, UnderOrder
from stressim.shedding.kernel.layout import NTH, PAIR, PILE_SIZE, PLACES, RIGHT, STRESS_PILES
from stressim.shedding.kernel.pickups import set_aside, shuffle_stock, take_pile
from stressim.shedding.kernel.places import NOBODY, ONE, ZERO, count_bits, n_piles, n_players, pile_at, player_at
from stressim.shedding.kernel.seats import (
    any_of,
    chosen_of,
    leftmost,
    piles_with_cards,
    rightmost,
    smallest,
)


@kernel(beyond=PAIR, otherwise=ZERO)
def one_of_many(game, player, choice, mask):
    """Which pile of those in ``mask`` it is when one is to be taken (U45)."""
    if game.rules.one_pile == OnePile.RIGHT:
        return rightmost(game, player, mask)
    if game.rules.one_pile == OnePile.SMALLER:
        return smallest(game, player, mask)
    return chosen_of(game, player, choice, mask)


@kernel()
def _next_to_take(game, player, mask):
    """The pile of those in ``mask`` that is taken next, in the order that the rules give a player (U44)."""
    order = game.rules.under_order
    if order == UnderOrder.RANDOM:
        return any_of(game, mask)
    piles = n_piles(game)
    for nth in range(piles):
        pile = _own_first(game, player, np.int64(nth if order == UnderOrder.OWN_FIRST else piles - 1 - nth))
        if (mask >> pile) & 1 == 1:
            return pile
    return NOBODY


@kernel(inline=True)
def _own_first(game, player, nth):
    """The ``nth`` pile from a player's own right hand on, from right to left."""
    piles = n_piles(game)
    return (game.state[player_at(player) + RIGHT] + piles - nth) % piles


@kernel(beyond=PAIR, otherwise=ZERO)
def take_all(game, player):
    """Take all piles, for a false call. Returns the number of cards."""
    mask = piles_with_cards(game)
    n = ZERO
    while mask > 0:
        pile = _next_to_take(game, player, mask)
        mask &= ~(ONE << pile)
        n += take_pile(game, player, pile)
    return n


@kernel(inline=True)
def nth_slapper(game, nth):
    """Who slapped as the ``nth``, the first being 0."""
    return game.state[player_at(nth) + NTH]


@kernel(inline=True)
def n_losers(game):
    """How many share what a stress costs: the slowest ones (U42)."""
    return ONE if game.rules.stress_share == StressShare.SLOWEST else n_players(game) - 1


@kernel()
def penalty_of_many(game):
    """Let the losers of a stress take what the rules say (B36, B37, U8, U42). Returns the number of cards."""
    rules = game.rules
    state = game.state
    slowest = n_players(game) - 1
    loser = nth_slapper(game, slowest)
    equal = state[STRESS_PILES]
    mask = equal
    if rules.stress_pickup == StressPickup.ALL:
        mask = piles_with_cards(game)
    elif rules.stress_pickup == StressPickup.LEFT:
        mask = ONE << leftmost(game, loser, equal)
    elif rules.stress_pickup == StressPickup.RIGHT:
        mask = ONE << rightmost(game, loser, equal)
    elif rules.stress_pickup == StressPickup.ONE:
        mask = ONE << one_of_many(game, loser, game.players[loser & PLACES].pile_choice, equal)
    left = equal & ~mask
    n = ZERO
    n_taking = min(count_bits(mask), n_losers(game))
    turn = ZERO
    while mask > 0:
        pile = _next_to_take(game, loser, mask)
        mask &= ~(ONE << pile)
        n += take_pile(game, nth_slapper(game, slowest - turn), pile)
        turn = (turn + 1) % n_taking
    if rules.other_pile_after_stress == OtherPile.SET_ASIDE:
        for pile in range(n_piles(game)):
            if (left >> pile) & 1 == 1 and state[pile_at(pile) + PILE_SIZE] > 0:
                set_aside(game, np.int64(pile))
    if rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
        for nth in range(n_taking):
            shuffle_stock(game, nth_slapper(game, slowest - nth))
    return n


@kernel()
def draw_order(game):
    """Draw who slaps as the first, second and so on, for a table without a clock."""
    state = game.state
    for n in range(n_players(game)):
        place = below(game.streams, ZERO, np.int64(n + 1))
        state[player_at(n) + NTH] = state[player_at(place) + NTH]
        state[player_at(place) + NTH] = n
