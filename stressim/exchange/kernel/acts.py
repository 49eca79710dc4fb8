"""What a player can have under way, and how long it takes him."""

from __future__ import annotations

import numpy as np

from stressim.compiled.clock import scaled
from stressim.compiled.jit import kernel
from stressim.compiled.rng import next_32, sample
from stressim.exchange.kernel.layout import ACT, COGNITIVE, MOTOR, N_CENTRE, TIME
from stressim.exchange.kernel.places import player_at

# What a player has under way
RESTING = np.int64(0)  # nothing, for ever
PICKING_UP = np.int64(1)
PUTTING_BACK = np.int64(2)
WAITING = np.int64(3)
PUTTING_DOWN = np.int64(4)
REACHING = np.int64(5)
TOUCHING = np.int64(6)  # reaching, and will see at the touch that a card has gone
SETTLING = np.int64(7)  # several hands lie on a card
HOLDING = np.int64(8)  # waits for a card to end the swap with
GIVING = np.int64(9)  # has taken first, and lays
OPENING = np.int64(10)
CALLING = np.int64(11)
FALSE_CALLING = np.int64(12)

# Why a player swaps
NOTHING = np.int64(0)
IMPROVING = np.int64(1)
GIVING_WAY = np.int64(2)

# What a player will do when his patience is at an end
SWITCH = np.int64(1)
CHURN = np.int64(2)
YIELD = np.int64(3)
NEVER = np.int64(4)  # waits on, for he has no other way

ALL_TARGETS = np.int64(15)  # all the cards wanted, as bits


@kernel(inline=True)
def cognitive(game, player, time):
    """Scale a time of eyes and mind by the player's person factor."""
    return scaled(time, game.state[player_at(player) + COGNITIVE])


@kernel(inline=True)
def motor(game, player, time):
    """Scale a time of the hand by the player's person factor."""
    return scaled(time, game.state[player_at(player) + MOTOR])


@kernel(inline=True)
def motor_time_at(game, player, which, bits):
    """Time of a movement at 32 random bits; ``which`` is the row of the player's tables."""
    return motor(game, player, sample(game.tables, player, which, bits))


@kernel(inline=True)
def motor_time(game, player, which):
    """Draw the time of a movement."""
    return motor_time_at(game, player, which, next_32(game.streams, 1 + player))


@kernel(inline=True)
def look_time(game, player, bits):
    """Time to look at all the cards in the centre."""
    own = game.players[player]
    notice = sample(game.tables, player, own.notice_base, bits)
    return cognitive(game, player, notice + game.state[N_CENTRE] * own.scan_per_card_us)


@kernel(inline=True)
def patience_at(game, player, bits):
    """How long a player waits before he gives way, at 32 random bits."""
    own = game.players[player]
    time = sample(game.tables, player, own.patience, bits)
    return (time * own.patience_factor_x65536) >> 16


@kernel(inline=True)
def act(game, player, what, when):
    """Set what a player has under way and when that is done."""
    game.state[player_at(player) + ACT] = what
    game.state[player_at(player) + TIME] = when
