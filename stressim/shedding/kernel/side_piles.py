"""Side piles (Speed): restart cards that belong to nobody, and the centre piles that become side piles again."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, next_word
from stressim.shedding.choices import SidePileReuse
from stressim.shedding.events import Kind
from stressim.shedding.kernel.layout import (
    LOGGING,
    PILE_FITS,
    PILE_FLIPPER,
    PILE_RANK,
    PILE_SIDE,
    PILE_SIZE,
    PILE_VERSION,
    SIDE_PILES_RENEWED,
)
from stressim.shedding.kernel.piles import put_on_pile
from stressim.shedding.kernel.places import (
    NOBODY,
    UNUSED,
    ZERO,
    log_event,
    n_piles,
    n_players,
    pile_at,
    pile_cards,
    side_cards,
)


@kernel()
def deal_side_pile(game, player, first):
    """Lay the side pile on a player's right: what follows his own cards among those shuffled, top card first."""
    rules = game.rules
    cards = game.cards
    size = rules.cards_dealt - rules.cards_each
    game.state[pile_at(player) + PILE_SIDE] = size
    for i in range(size):
        cards[side_cards(player) + size - 1 - i] = cards[first + rules.cards_each + i]


@kernel()
def flip_sides(game, crossed):
    """Each player turns the top card of the side pile on his right, where there is one."""
    state = game.state
    for player in range(n_players(game)):
        size = state[pile_at(player) + PILE_SIDE]
        if size > 0:
            pile = np.int64(player) ^ crossed
            card = np.int64(game.cards[side_cards(player) + size - 1])
            state[pile_at(player) + PILE_SIDE] = size - 1
            put_on_pile(game, pile, card)
            state[pile_at(pile) + PILE_FLIPPER] = player
            log_event(game, Kind.FLIP_SIDE, np.int64(player), pile, UNUSED, card, UNUSED)


@kernel()
def renew_side_piles(game):
    """Turn each centre pile over, shuffle it if the rules say so, and make it the side pile next to it."""
    state = game.state
    cards = game.cards
    streams = game.streams
    game.row[SIDE_PILES_RENEWED] += 1
    for pile in range(n_piles(game)):
        at = pile_at(pile)
        size = state[at + PILE_SIZE]
        first = side_cards(pile)
        for i in range(size):
            cards[first + i] = cards[pile_cards(pile) + size - 1 - i]
        state[at + PILE_SIDE] = size
        state[at + PILE_SIZE] = 0
        state[at + PILE_RANK] = -1
        state[at + PILE_FITS] = 0
        state[at + PILE_VERSION] += 1
        log_event(game, Kind.RENEW, NOBODY, np.int64(pile), UNUSED, UNUSED, size)
        if game.rules.side_pile_reuse == SidePileReuse.SHUFFLED:
            for i in range(size - 1, 0, -1):
                j = (high_32(next_word(streams, ZERO)) * (i + 1)) >> 32
                card = cards[first + i]
                cards[first + i] = cards[first + j]
                cards[first + j] = card
            if state[LOGGING] == 1:
                for depth in range(size):
                    card = np.int64(cards[first + size - 1 - depth])
                    log_event(game, Kind.SIDE, NOBODY, np.int64(pile), UNUSED, card, np.int64(depth))
