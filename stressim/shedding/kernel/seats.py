"""Who sits where when more than two play or more than two piles lie in the centre (B51).

Players sit in a ring, each with the next one on his left; the piles lie in a ring in the same order. What a player sees
is counted from his right pile on, from right to left.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import PileView
from stressim.shedding.habits import PileChoice
from stressim.shedding.kernel.layout import N_OWN, PAIR, PILE_SIZE, RIGHT, STOCK_SIZE, VIEWER
from stressim.shedding.kernel.places import NOBODY, ONE, ZERO, n_piles, n_players, pile_at, player_at


@kernel(beyond=PAIR)
def seat_players(game):
    """Give each player the pile on his right and those that are his own; by chance where they do not come out even."""
    state = game.state
    players = n_players(game)
    piles = n_piles(game)
    turned = ZERO
    if piles % players > 0:
        turned = below(game.streams, ZERO, players * piles)
    for player in range(players):
        at = player_at(player)
        right = (player * piles + turned) // players
        state[at + RIGHT] = right % piles
        state[at + N_OWN] = max(ONE, ((player + 1) * piles + turned) // players - right)


@kernel(inline=True)
def own_pile(game, player, nth):
    """The ``nth`` of a player's own piles, from the one on his right on."""
    pile = game.state[player_at(player) + RIGHT] + nth
    return pile - n_piles(game) if pile >= n_piles(game) else pile


@kernel(inline=True)
def seen_pile(game, player, nth):
    """The ``nth`` pile from right to left as a player sees them, or as the one sees them whose view counts (U6)."""
    viewer = player
    if game.rules.pile_view == PileView.ABSOLUTE:
        viewer = game.state[VIEWER]
    pile = game.state[player_at(viewer) + RIGHT] - nth
    return pile + n_piles(game) if pile < 0 else pile


@kernel(inline=True)
def piles_with_cards(game):
    """The piles that are not empty, as bits; all if all are."""
    mask = ZERO
    for pile in range(n_piles(game)):
        if game.state[pile_at(pile) + PILE_SIZE] > 0:
            mask |= ONE << pile
    return mask if mask > 0 else (ONE << n_piles(game)) - 1


@kernel()
def rightmost(game, player, mask):
    """Of the piles in ``mask`` the one that a player sees furthest to his right."""
    for nth in range(n_piles(game)):
        pile = seen_pile(game, player, nth)
        if (mask >> pile) & 1 == 1:
            return pile
    return NOBODY


@kernel()
def leftmost(game, player, mask):
    """Of the piles in ``mask`` the one that a player sees furthest to his left."""
    found = NOBODY
    for nth in range(n_piles(game)):
        pile = seen_pile(game, player, nth)
        if (mask >> pile) & 1 == 1:
            found = pile
    return found


@kernel()
def smallest(game, player, mask):
    """Of the piles in ``mask`` the one with fewest cards; of equal ones the furthest to the player's right."""
    state = game.state
    found = NOBODY
    for nth in range(n_piles(game)):
        pile = seen_pile(game, player, nth)
        if (mask >> pile) & 1 == 1:
            if found < 0 or state[pile_at(pile) + PILE_SIZE] < state[pile_at(found) + PILE_SIZE]:
                found = pile
    return found


@kernel()
def any_of(game, mask):
    """One of the piles in ``mask`` by the table's chance."""
    found = NOBODY
    n_found = ZERO
    for pile in range(n_piles(game)):
        if (mask >> pile) & 1 == 1:
            n_found += 1
            if n_found == 1 or below(game.streams, ZERO, n_found) == 0:
                found = np.int64(pile)
    return found


@kernel()
def chosen_of(game, player, choice, mask):
    """Of the piles in ``mask`` the one that a player chooses by his habit (a :class:`PileChoice`)."""
    if choice == PileChoice.SMALLER:
        return smallest(game, player, mask)
    if choice == PileChoice.LEFT:
        return leftmost(game, player, mask)
    if choice == PileChoice.RANDOM:
        return any_of(game, mask)
    return rightmost(game, player, mask)


@kernel(beyond=PAIR, otherwise=ZERO)
def next_with_stock(game, player, least):
    """The nearest player on a player's left who has at least ``least`` stock cards, or -1."""
    players = n_players(game)
    for step in range(1, players):
        other = (player + step) % players
        if game.state[player_at(other) + STOCK_SIZE] >= least:
            return np.int64(other)
    return NOBODY


@kernel(inline=True)
def first_in_turn(game):
    """Who begins where several players act on one pile in turn: the lot says who, unless it cannot matter."""
    if n_piles(game) % n_players(game) == 0:
        return ZERO
    return below(game.streams, ZERO, n_players(game))
