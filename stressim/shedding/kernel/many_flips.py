"""New cards for the centre where more than two play or more than two piles lie there (B27, B30, B40, U2).

Each player covers every pile that is his own. No place stays empty while somebody has a card for it: empty places come
first, the owner's card before a neighbour's.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import PostStressEmptyStock
from stressim.shedding.events import Reason
from stressim.shedding.kernel.flip_sources import flip_one, hands_over, stocks_left
from stressim.shedding.kernel.layout import (
    N_OWN,
    ONE_STOCK_EMPTY,
    PAIR,
    PILE_SIZE,
    SLAP_WINNER,
    SLAP_WINNER_WITHOUT_STOCK,
    STOCK_SIZE,
)
from stressim.shedding.kernel.pickups import give_card
from stressim.shedding.kernel.places import ONE, TWO, ZERO, n_piles, n_players, pile_at, player_at
from stressim.shedding.kernel.seats import first_in_turn, next_with_stock, own_pile


@kernel(beyond=PAIR)
def flip_stocks_of_many(game, reason):
    """Flip cards of the stocks, one on each pile if there are enough."""
    rules = game.rules
    state = game.state
    row = game.row
    n_with = stocks_left(game)
    if 0 < n_with < n_players(game):
        if reason == Reason.LOCKED or reason == Reason.STRESS:
            row[ONE_STOCK_EMPTY] = 1
        if reason == Reason.STRESS and state[SLAP_WINNER] >= 0:
            row[SLAP_WINNER_WITHOUT_STOCK] += 1
        if hands_over(game, reason):
            _hand_cards_over(game)
    empty = ZERO
    for pile in range(n_piles(game)):
        if state[pile_at(pile) + PILE_SIZE] == 0:
            empty |= ONE << pile
    begins = first_in_turn(game)
    _cover_own(game, begins, empty)
    if not (reason == Reason.STRESS and rules.post_stress_empty_stock == PostStressEmptyStock.ONE_PILE_ONLY):
        _fill_empty_places(game)
    _cover_own(game, begins, ~empty)


@kernel()
def _cover_own(game, begins, mask):
    """Let each player in turn lay a card on each of his own piles that is in ``mask``, as far as his stock goes."""
    state = game.state
    players = n_players(game)
    for turn in range(players):
        player = (begins + turn) % players
        at = player_at(player)
        for nth in range(state[at + N_OWN]):
            pile = own_pile(game, player, np.int64(nth))
            if (mask >> pile) & 1 == 1 and state[at + STOCK_SIZE] > 0:
                flip_one(game, player, pile)


@kernel(inline=True)
def _some_pile_is_empty(game):
    empty = False
    for pile in range(n_piles(game)):
        empty = empty or game.state[pile_at(pile) + PILE_SIZE] == 0
    return empty


@kernel()
def _fill_empty_places(game):
    """Let the nearest player with a stock card on the left of an empty place's owner, who has none, lay one (U2).

    Nearer ones come first, so that it matters to nobody which place is looked at first.
    """
    if not _some_pile_is_empty(game):
        return
    state = game.state
    players = n_players(game)
    for step in range(1, players):
        for owner in range(players):
            if own_pile(game, owner, ZERO) == own_pile(game, (owner + 1) % players, ZERO):
                continue  # of several owners the last one
            neighbour = (owner + step) % players
            for nth in range(state[player_at(owner) + N_OWN]):
                pile = own_pile(game, owner, np.int64(nth))
                if state[pile_at(pile) + PILE_SIZE] == 0 and state[player_at(neighbour) + STOCK_SIZE] > 0:
                    flip_one(game, neighbour, pile)


@kernel()
def _hand_cards_over(game):
    """Let each player without a stock card get one from the nearest on his left who has two or more (B30, B40, U3)."""
    players = n_players(game)
    begins = ZERO
    if stocks_left(game) + 1 < players:
        begins = below(game.streams, ZERO, players)
    for turn in range(players):
        player = (begins + turn) % players
        if game.state[player_at(player) + STOCK_SIZE] == 0:
            giver = next_with_stock(game, player, TWO)
            if giver >= 0:
                give_card(game, giver, player)
