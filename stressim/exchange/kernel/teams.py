"""Partners, who own their bunches together (``team_size``): what one does with them, the others know.

The fields of a player's block that tell of his bunches are the same for all of a team; who changes one tells the
others. So a game of single players, where nobody is told, plays as if there were no teams.
"""

from __future__ import annotations

from stressim.compiled.jit import kernel
from stressim.exchange.kernel.acts import PICKING_UP, RESTING
from stressim.exchange.kernel.layout import (
    ACT,
    BEST,
    CLOSED,
    FIRST,
    GIVES_WAY,
    HAND,
    IDLE,
    KNOWN_UNTIL,
    LAST_BIT,
    LEFT,
    MATES,
    NEXT,
    OPENED,
    SEEN,
    TABLE_BEST,
    UNFINISHED,
)
from stressim.exchange.kernel.places import ONE, ZERO, bunch_at, bunch_bit, first_bunch, first_of, player_at


@kernel()
def seat_players(game):
    """Say whose the bunches are: one player of each side sits after the other, and a side's bunches lie together."""
    rules = game.rules
    state = game.state
    for player in range(rules.n_players):
        side = player % rules.n_sides
        at = player_at(player)
        state[at + FIRST] = side * rules.bunches_each
        state[at + MATES] = 0
        for mate in range(side, rules.n_players, rules.n_sides):
            state[at + MATES] |= ONE << mate


@kernel()
def share_ways(game):
    """Note of each team whether one of it gives way; the cards of all its bunches may go round then."""
    state = game.state
    n_sides = game.rules.n_sides
    for player in range(n_sides, game.rules.n_players):
        at = player_at(player % n_sides)
        state[at + GIVES_WAY] = max(state[at + GIVES_WAY], state[player_at(player) + GIVES_WAY])
    for player in range(n_sides, game.rules.n_players):
        state[player_at(player) + GIVES_WAY] = state[player_at(player % n_sides) + GIVES_WAY]


@kernel()
def empty_hands(game):
    """The cards have been dealt: nobody holds a bunch or reaches for one."""
    for player in range(game.rules.n_players):
        at = player_at(player)
        game.state[at + ACT] = RESTING
        game.state[at + HAND] = -1
        game.state[at + IDLE] = 0


@kernel()
def _in_hand(game, player):
    """Bunches that a player's team holds, as bits."""
    state = game.state
    held = ZERO
    rest = state[player_at(player) + MATES]
    while rest != 0:
        hand = state[player_at(first_of(rest)) + HAND]
        rest &= rest - 1
        if hand >= 0:
            held |= bunch_bit(game, player, hand)
    return held


@kernel()
def tell_mates(game, player):
    """Tell a player's partners what has become of their bunches."""
    state = game.state
    at = player_at(player)
    first = first_bunch(game, player)
    held = _in_hand(game, player)
    best = ZERO
    for i in range(game.rules.bunches_each):
        best |= ZERO if (held >> i) & 1 == 1 else state[bunch_at(first + i) + BEST]
    state[at + TABLE_BEST] = best
    rest = state[at + MATES] & ~(ONE << player)
    while rest != 0:
        mate = player_at(first_of(rest))
        rest &= rest - 1
        state[mate + TABLE_BEST] = best
        state[mate + LEFT] = state[at + LEFT]
        state[mate + UNFINISHED] = state[at + UNFINISHED]
        state[mate + CLOSED] = state[at + CLOSED]
        state[mate + OPENED] = state[at + OPENED]
        state[mate + SEEN] = state[at + SEEN]
        state[mate + KNOWN_UNTIL] = 0


@kernel()
def _left_for(game, player):
    """Bunches that no partner of a player holds or reaches for, as bits; the one in his own hand is among them."""
    state = game.state
    at = player_at(player)
    left = state[at + CLOSED]
    rest = state[at + MATES] & ~(ONE << player)
    while rest != 0:
        mate = player_at(first_of(rest))
        rest &= rest - 1
        bunch = state[mate + NEXT] if state[mate + ACT] == PICKING_UP else state[mate + HAND]
        if bunch >= 0:
            left &= ~bunch_bit(game, player, bunch)
    return left


@kernel()
def has_another(game, player):
    """Whether there is a bunch for a player beside the one that he holds, if he holds one."""
    hand = game.state[player_at(player) + HAND]
    own = bunch_bit(game, player, hand) if hand >= 0 else ZERO
    return _left_for(game, player) & ~own != 0


@kernel()
def bunches_for(game, player):
    """Bunches among which a player chooses, as bits: not his last one if there is another."""
    left = _left_for(game, player)
    rest = left & ~game.state[player_at(player) + LAST_BIT]
    return rest if rest != 0 else left


@kernel()
def can_come_to(game, player, bunch):
    """Whether a bunch may come into a player's hand, in a lock, where he and one more player change bunches at will."""
    state = game.state
    at = player_at(player)
    if state[at + HAND] == bunch:
        return True
    on_table = state[at + CLOSED] & ~_in_hand(game, player)
    return state[at + IDLE] == 0 and on_table != 0


@kernel()
def holder_of(game, player, bunch):
    """The partner of a player who holds a bunch; he himself where none does."""
    state = game.state
    rest = state[player_at(player) + MATES] & ~(ONE << player)
    while rest != 0:
        mate = first_of(rest)
        rest &= rest - 1
        if state[player_at(mate) + HAND] == bunch:
            return mate
    return player
