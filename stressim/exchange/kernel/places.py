"""Places in a deal's record, and the log. Nothing here knows a rule."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import count_ones, lowest_one, nth_one
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below_if_several
from stressim.exchange.kernel.layout import (
    BUNCH_BLOCK,
    BUNCH_CARDS,
    BUNCH_DEPTH,
    BUNCHES,
    FIRST,
    LEFT,
    LOGGING,
    MATES,
    N_LOGGED,
    NOW,
    PLAYER_BLOCK,
    PLAYERS,
)

NOBODY = np.int64(-1)
UNUSED = np.int64(-1)
ZERO = np.int64(0)
ONE = np.int64(1)
UONE = np.uint64(1)

NIBBLE = np.uint64(15)


@kernel(inline=True)
def first_of(players):
    """The first of some players, which are bits of a mask that has one."""
    return lowest_one(np.uint64(players))


@kernel(inline=True)
def everybody(game):
    """All players, as bits."""
    return (ONE << game.rules.n_players) - 1


@kernel(inline=True)
def others(game, player):
    """All players but one, as bits. Loops over bits are short, where loops over numbers are made for many rounds."""
    return everybody(game) & ~(ONE << player)


@kernel(inline=True)
def rivals(game, player):
    """All players but one and his partners, as bits."""
    if game.rules.team_size == 1:
        return others(game, player)
    return everybody(game) & ~game.state[player_at(player) + MATES]


@kernel(inline=True)
def player_at(player):
    """First place of a player's block in ``state``."""
    return PLAYERS + player * PLAYER_BLOCK


@kernel(inline=True)
def bunch_at(bunch):
    """First place of a bunch's block in ``state``."""
    return BUNCHES + bunch * BUNCH_BLOCK


@kernel(inline=True)
def bunch_cards(bunch):
    """Place of a bunch's first card in ``cards``."""
    return BUNCH_CARDS + bunch * BUNCH_DEPTH


@kernel(inline=True)
def first_bunch(game, player):
    """The first of a player's bunches; partners share theirs."""
    if game.rules.team_size == 1:
        return player * game.rules.bunches_each
    return game.state[player_at(player) + FIRST]


@kernel(inline=True)
def bunch_bit(game, player, bunch):
    """A bunch as a bit of its player's bunches."""
    return ONE << (bunch - first_bunch(game, player))


@kernel(inline=True)
def held_of(game, bunch, rank):
    """How many cards of a bunch have a rank."""
    return np.int64((game.counts[bunch] >> np.uint64(rank << 2)) & NIBBLE)


@kernel(inline=True)
def bit_of(rank):
    """Mask of one rank."""
    return ONE << (rank << 2)


@kernel(inline=True)
def has_rank(mask, rank):
    """Whether a mask has a rank."""
    return (mask >> (rank << 2)) & 1 == 1


@kernel(inline=True)
def bits_of(mask):
    """Number of ones of a mask."""
    return count_ones(np.uint64(mask))


@kernel(inline=True)
def lowest_rank(mask):
    """The first rank of a mask that has one."""
    return lowest_one(np.uint64(mask)) >> 2


@kernel(inline=True)
def random_rank(game, who, mask):
    """A rank of a mask that has some, each as likely; the stream is used only where there is a choice."""
    return nth_one(np.uint64(mask), below_if_several(game.streams, who, bits_of(mask))) >> 2


@kernel(inline=True)
def remaining(game, player):
    """Bunches that a player has not laid open."""
    return game.state[player_at(player) + LEFT]


@kernel(inline=True)
def log_event(game, kind, player, bunch, card, number):
    """Append an event if a log is kept."""
    if game.state[LOGGING] > 0:
        _write_event(game, np.int64(kind), np.int64(player), np.int64(bunch), np.int64(card), np.int64(number))


@kernel()
def _write_event(game, kind, player, bunch, card, number):
    state = game.state
    log = game.log
    at = state[N_LOGGED]
    row = at - (state[LOGGING] - 1)
    if 0 <= row < log.shape[0]:
        log[row, 0] = state[NOW]
        log[row, 1] = kind
        log[row, 2] = player
        log[row, 3] = bunch if bunch < 0 else bunch - first_bunch(game, player)
        log[row, 4] = card
        log[row, 5] = number
    state[N_LOGGED] = at + 1
