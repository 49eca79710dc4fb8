"""Places in a deal's record, and the log. Nothing here knows a rule."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import count_ones
from stressim.compiled.jit import kernel
from stressim.shedding.events import JOKER_RANK
from stressim.shedding.kernel.layout import (
    LOG_TIME,
    LOGGING,
    N_LOGGED,
    NOW,
    PAIR,
    PILES,
    PLAYER_CARDS,
    PLAYERS,
    ROW_CARDS,
    SEAT_BLOCK,
    SEAT_CARDS,
    SLOT_DEPTH,
    STACK,
    STOCK_SIZE,
)

NOBODY = np.int64(-1)
UNUSED = np.int64(-1)
JOKER_BIT = np.int64(1 << JOKER_RANK)
ALL_RANKS = np.int64((1 << 16) - 1)
ZERO = np.int64(0)
ONE = np.int64(1)
TWO = np.int64(PAIR)

EACH_SLOT = np.uint64(0x0001_0001_0001_0001)
ONE_SLOT = np.uint64(0xFFFF)
UONE = np.uint64(1)


@kernel(inline=True)
def is_pair(game):
    """Whether two players play with two piles; the record's size tells, so that the compiler knows."""
    return game.players.shape[0] == PAIR


@kernel(inline=True)
def n_players(game):
    """Number of players."""
    return TWO if game.players.shape[0] == PAIR else game.rules.n_players


@kernel(inline=True)
def n_piles(game):
    """Number of centre piles."""
    return TWO if game.players.shape[0] == PAIR else game.rules.n_piles


@kernel(inline=True)
def player_at(player):
    """First place of a player's block in ``state``."""
    return PLAYERS + player * SEAT_BLOCK


@kernel(inline=True)
def pile_at(pile):
    """First place of a pile's block in ``state``."""
    return PILES + pile * SEAT_BLOCK


@kernel(inline=True)
def pile_cards(pile):
    """Place of a pile's lowest card in ``cards``."""
    return STACK + pile * SEAT_CARDS


@kernel(inline=True)
def stock_cards(player):
    """Place of a player's stock in ``cards``; a ring that begins at ``STOCK_HEAD``."""
    return 2 * STACK + player * SEAT_CARDS


@kernel(inline=True)
def slot_cards(player, slot):
    """Place of a slot's lowest card in ``cards``."""
    return 3 * STACK + player * SEAT_CARDS + slot * SLOT_DEPTH


@kernel(inline=True)
def side_cards(pile):
    """Place of the lowest card of the side pile next to a pile in ``cards``."""
    return 2 * STACK + PLAYER_CARDS + pile * SEAT_CARDS


@kernel(inline=True)
def remaining(game, player):
    """Cards a player still has: stock and row."""
    state = game.state
    at = player_at(player)
    return state[at + STOCK_SIZE] + state[at + ROW_CARDS]


@kernel(inline=True)
def count_bits(mask):
    """Number of ones of a mask."""
    return count_ones(np.uint64(mask))


@kernel(inline=True)
def log_event(game, kind, player, pile, slot, card, number):
    """Append an event if a log is kept. Times in a log never fall."""
    if game.state[LOGGING] == 1:
        _write_event(game, np.int64(kind), player, pile, slot, card, number)


@kernel()
def _write_event(game, kind, player, pile, slot, card, number):
    state = game.state
    log = game.log
    at = state[N_LOGGED]
    if at < log.shape[0]:
        state[LOG_TIME] = max(state[LOG_TIME], state[NOW])
        log[at, 0] = state[LOG_TIME]
        log[at, 1] = kind
        log[at, 2] = player
        log[at, 3] = pile
        log[at, 4] = slot
        log[at, 5] = card
        log[at, 6] = number
    state[N_LOGGED] = at + 1
