"""New cards for the centre, from where they lie: a stock, a row or a side pile."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import nth_one
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import EmptyStock, PostStressEmptyStock, RestartSource
from stressim.shedding.events import Kind, Reason
from stressim.shedding.kernel.lanes import clear_lane, slots_used
from stressim.shedding.kernel.layout import (
    LAST_EQUAL,
    N_OWN,
    PAIR,
    PILE_FLIPPER,
    PILE_SIDE,
    PILES,
    ROW_CARDS,
    SEAT_BLOCK,
    SLOT_SIZE,
    STOCK_SIZE,
)
from stressim.shedding.kernel.piles import put_on_pile
from stressim.shedding.kernel.places import UNUSED, ZERO, is_pair, log_event, n_players, pile_at, player_at, slot_cards
from stressim.shedding.kernel.rows import pop_stock
from stressim.shedding.kernel.seats import first_in_turn, own_pile
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
    return stocks_left(game) > 0


@kernel(inline=True)
def stocks_left(game):
    """Number of players who have a stock card."""
    n = ZERO
    for player in range(n_players(game)):
        n += game.state[player_at(player) + STOCK_SIZE] > 0
    return n


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
    used = ZERO
    for place in range(rules.row_slots):
        used |= np.int64(state[at + SLOT_SIZE + place] > 0) << place
    slot = nth_one(np.uint64(used), below(streams, ZERO, n_used))
    size = state[at + SLOT_SIZE + slot] - 1
    card = np.int64(cards[slot_cards(player, slot) + size])
    state[at + SLOT_SIZE + slot] = size
    state[at + ROW_CARDS] -= 1
    put_on_pile(game, pile, card)
    state[pile_at(pile) + PILE_FLIPPER] = player
    state[at + LAST_EQUAL] = JUST_FLIPPED
    if size == 0:
        clear_lane(game, player, slot)
    log_event(game, Kind.FLIP_FROM_ROW, player, pile, slot, card, UNUSED)


@kernel(inline=True)
def all_can_flip(game):
    """Whether all players have a card to cover the first one with."""
    state = game.state
    if game.rules.restart_source == RestartSource.SIDE_PILES:
        return state[PILES + PILE_SIDE] > 0 and state[PILES + SEAT_BLOCK + PILE_SIDE] > 0
    return stocks_left(game) == n_players(game)


@kernel()
def flip_elsewhere(game, crossed):
    """Each player lays a card that is not of his stock: of a side pile or of his row."""
    state = game.state
    if game.rules.restart_source == RestartSource.SIDE_PILES:
        flip_sides(game, crossed)
        return
    if not is_pair(game):
        _flip_rows_of_many(game)
        return
    for player in range(n_players(game)):
        if state[player_at(player) + ROW_CARDS] > 0:
            flip_from_row(game, np.int64(player), np.int64(player) ^ crossed)
        elif state[player_at(player) + STOCK_SIZE] > 0:
            flip_one(game, np.int64(player), np.int64(player) ^ crossed)


@kernel(beyond=PAIR)
def _flip_rows_of_many(game):
    """Each player lays a card of his row, or of his stock where he has no row, on each pile that is his own."""
    state = game.state
    players = n_players(game)
    begins = first_in_turn(game)
    for turn in range(players):
        player = (begins + turn) % players
        at = player_at(player)
        for nth in range(state[at + N_OWN]):
            if state[at + ROW_CARDS] > 0:
                flip_from_row(game, player, own_pile(game, player, np.int64(nth)))
            elif state[at + STOCK_SIZE] > 0:
                flip_one(game, player, own_pile(game, player, np.int64(nth)))


@kernel(inline=True)
def short_rule(game, reason):
    """What the rules say when one player has no card to flip, as a :class:`PostStressEmptyStock` (B30, B40, U2)."""
    rules = game.rules
    rule = np.int64(PostStressEmptyStock.FLIP_ALONE)
    if not is_of_stock(game, reason) or reason == Reason.ROUND:
        return rule
    if reason == Reason.STRESS and rules.post_stress_empty_stock != PostStressEmptyStock.AS_RESTART:
        rule = rules.post_stress_empty_stock
    elif rules.restart_empty_stock == EmptyStock.OPPONENT_GIVES:
        rule = np.int64(PostStressEmptyStock.OPPONENT_GIVES)
    elif rules.restart_empty_stock == EmptyStock.TAKE_FROM_OPPONENT:
        rule = np.int64(PostStressEmptyStock.TAKE_FROM_OPPONENT)
    return rule


@kernel(inline=True)
def hands_over(game, reason):
    """Whether a player without a stock card gets one from the other."""
    rule = short_rule(game, reason)
    return rule == PostStressEmptyStock.OPPONENT_GIVES or rule == PostStressEmptyStock.TAKE_FROM_OPPONENT
