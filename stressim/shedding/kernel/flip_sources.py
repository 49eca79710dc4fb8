"""New cards for the centre, from where they lie: a stock, a row or a side pile."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import RestartSource
from stressim.shedding.events import Kind, Reason
from stressim.shedding.kernel.lanes import clear_lane, slots_used
from stressim.shedding.kernel.layout import (
    LAST_EQUAL,
    PILE_FLIPPER,
    PILE_SIDE,
    PILES,
    ROW_CARDS,
    SEAT_BLOCK,
    SLOT_SIZE,
    STOCK_SIZE,
)
from stressim.shedding.kernel.piles import put_on_pile
from stressim.shedding.kernel.places import ONE, UNUSED, ZERO, log_event, n_players, pile_at, player_at, slot_cards
from stressim.shedding.kernel.rows import pop_stock
from stressim.shedding.kernel.side_piles import flip_sides

JUST_FLIPPED = np.int64(2)  # marks a player whose card has just come, until both tops are known


@kernel(inline=True)
def is_of_stock(game, reason):
    """Whether the cards of a flip come from the stocks."""
    source = game.rules.restart_source
    locked = reason == Reason.LOCKED or reason == Reason.DECLINED
    return source == RestartSource.STOCK or (source == RestartSource.OWN_ROW and not locked)


@kernel(inline=True)
def can_flip(game):
    """Whether there is a card for a restart."""
    state = game.state
    if game.rules.restart_source == RestartSource.OWN_ROW:
        return True  # a player without cards has won
    if game.rules.restart_source == RestartSource.SIDE_PILES:
        return state[PILES + PILE_SIDE] + state[PILES + SEAT_BLOCK + PILE_SIDE] > 0
    return state[player_at(ZERO) + STOCK_SIZE] + state[player_at(ONE) + STOCK_SIZE] > 0


@kernel()
def flip_one(game, player, pile):
    """Lay the top card of a stock on a pile."""
    card = pop_stock(game, player)
    put_on_pile(game, pile, card)
    game.state[pile_at(pile) + PILE_FLIPPER] = player
    game.state[player_at(player) + LAST_EQUAL] = JUST_FLIPPED
    log_event(game, Kind.FLIP, player, pile, UNUSED, card, UNUSED)


@kernel()
def flip_from_row(game, player, pile):
    """Lay a card of the row, any slot alike, instead of a stock card (U3)."""
    rules = game.rules
    state = game.state
    cards = game.cards
    streams = game.streams
    at = player_at(player)
    n_used = slots_used(game, player)
    if n_used == 0:
        return
    nth = below(streams, ZERO, n_used)
    for slot in range(rules.row_slots):
        if state[at + SLOT_SIZE + slot] > 0:
            if nth == 0:
                size = state[at + SLOT_SIZE + slot] - 1
                card = np.int64(cards[slot_cards(player, np.int64(slot)) + size])
                state[at + SLOT_SIZE + slot] = size
                state[at + ROW_CARDS] -= 1
                put_on_pile(game, pile, card)
                state[pile_at(pile) + PILE_FLIPPER] = player
                state[at + LAST_EQUAL] = JUST_FLIPPED
                if size == 0:
                    clear_lane(game, player, np.int64(slot))
                log_event(game, Kind.FLIP_FROM_ROW, player, pile, np.int64(slot), card, UNUSED)
                return
            nth -= 1


@kernel(inline=True)
def both_can_flip(game):
    """Whether both players have a card to cover the first one with."""
    state = game.state
    if game.rules.restart_source == RestartSource.SIDE_PILES:
        return state[PILES + PILE_SIDE] > 0 and state[PILES + SEAT_BLOCK + PILE_SIDE] > 0
    return state[player_at(ZERO) + STOCK_SIZE] > 0 and state[player_at(ONE) + STOCK_SIZE] > 0


@kernel()
def flip_elsewhere(game, crossed):
    """Each player lays a card that is not of his stock: of a side pile or of his row."""
    state = game.state
    if game.rules.restart_source == RestartSource.SIDE_PILES:
        flip_sides(game, crossed)
        return
    for player in range(n_players(game)):
        if state[player_at(player) + ROW_CARDS] > 0:
            flip_from_row(game, np.int64(player), np.int64(player) ^ crossed)
        elif state[player_at(player) + STOCK_SIZE] > 0:
            flip_one(game, np.int64(player), np.int64(player) ^ crossed)
