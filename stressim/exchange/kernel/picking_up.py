"""Which bunch a player picks up next, and what he keeps in mind of the one that he lays down."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import nth_one, unseen
from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_word, sample
from stressim.exchange.habits import NextBunch, OwnMemory
from stressim.exchange.kernel.acts import PICKING_UP, act, motor_time_at
from stressim.exchange.kernel.judge import look_on
from stressim.exchange.kernel.layout import (
    BACK_ON_TABLE,
    BEST,
    CENTRE_MASK,
    CLOSED,
    FAR,
    HAND,
    HAND_BEST,
    HEIGHT,
    KNOWN_UNTIL,
    LAST_BIT,
    LEFT,
    N_GIVE,
    N_TARGETS,
    NEXT,
    NOW,
    REMEMBERED,
    SEEN,
    TABLE_BEST,
    TABLE_REST,
)
from stressim.exchange.kernel.places import ONE, ZERO, bits_of, bunch_at, bunch_bit, first_bunch, player_at
from stressim.exchange.kernel.teams import bunches_for, has_another, tell_mates


@kernel()
def pick_up(game, player, begin):
    """Go for a bunch with an empty hand."""
    if game.rules.team_size > 1 and not has_another(game, player):
        look_on(game, player)
        return
    own = game.players[player]
    word = next_word(game.streams, 1 + player)
    choose_bunch(game, player, low_32(word))
    game.state[player_at(player) + BACK_ON_TABLE] = FAR
    act(game, player, PICKING_UP, begin + motor_time_at(game, player, own.pickup_bunch, high_32(word)))


@kernel(inline=True)
def choose_bunch(game, player, bits):
    """Choose by habit which bunch to pick up next, ties by 32 random bits; not the last one if there is another."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player]
    first = first_bunch(game, player)
    rest = state[at + CLOSED]
    if rules.team_size > 1:
        rest = bunches_for(game, player)
    elif state[at + LEFT] > 1:
        rest &= ~state[at + LAST_BIT]
    if own.next_bunch == NextBunch.HELPED:
        if (_best_of_all(game, player) & state[CENTRE_MASK]) | (rest & ~state[at + SEEN]) != 0:
            rest = _by_help(game, player, rest)
    elif own.next_bunch != NextBunch.RANDOM:
        rest = _by_order(game, player, rest)
    chosen = nth_one(np.uint64(rest), (bits * bits_of(rest)) >> 32)
    state[at + NEXT] = first + chosen
    others_best = ZERO
    for i in range(rules.bunches_each):
        others_best |= state[bunch_at(first + i) + BEST] & ~unseen((np.int64(i ^ chosen) - 1) >> 63)
    state[at + TABLE_REST] = others_best


@kernel(inline=True)
def _best_of_all(game, player):
    """Best ranks of all bunches of a player who has none in hand."""
    state = game.state
    if game.rules.team_size == 1:
        return state[player_at(player) + TABLE_BEST]
    best = ZERO
    first = first_bunch(game, player)
    for bunch in range(first, first + game.rules.bunches_each):
        best |= state[bunch_at(bunch) + BEST]
    return best


@kernel(inline=True)
def _by_help(game, player, rest):
    """Those of some bunches, as bits, that the centre helps, as a player remembers; else those never held; else all."""
    state = game.state
    at = player_at(player)
    now = state[NOW]
    centre = state[CENTRE_MASK]
    first = first_bunch(game, player)
    known = ZERO
    helped = ZERO
    for i in range(game.rules.bunches_each):
        here = bunch_at(first + i)
        known |= np.int64(state[here + REMEMBERED] > now) << i
        helped |= np.int64(state[here + BEST] & centre != 0) << i
    best = rest & known & helped
    if best == 0 and game.players[player].own_memory != OwnMemory.NONE:
        best = rest & ~known & ~state[at + SEEN]
    return best if best != 0 else rest


@kernel()
def _by_order(game, player, rest):
    """Those of some bunches, as bits, that a player goes for who knows them by their height or by their place."""
    state = game.state
    at = player_at(player)
    if game.players[player].next_bunch == NextBunch.IN_ORDER:
        later = rest & ~((state[at + LAST_BIT] << 1) - 1) if state[at + LAST_BIT] > 0 else rest
        rest = later if later != 0 else rest
        return rest & -rest
    first = first_bunch(game, player)
    highest = ZERO
    most = ZERO
    for i in range(game.rules.bunches_each):
        here = bunch_at(first + i)
        height = state[here + HEIGHT] if state[here + REMEMBERED] > state[NOW] else ZERO
        if (rest >> i) & 1 == 1 and height >= most:
            highest = highest | (ONE << i) if height == most else ONE << i
            most = height
    return highest


@kernel(inline=True)
def leave_bunch(game, player, bits):
    """Lay the bunch in hand, which is not complete, face down on the table, and keep it in mind by habit."""
    state = game.state
    at = player_at(player)
    own = game.players[player]
    here = bunch_at(state[at + HAND])
    state[at + TABLE_BEST] |= state[here + BEST]
    if own.own_memory == OwnMemory.PERFECT:
        state[here + REMEMBERED] = FAR
    elif own.own_memory == OwnMemory.FADING:
        fades = (sample(game.tables, player, own.hazard, bits) * own.memory_fade_us) >> 24
        state[here + REMEMBERED] = state[NOW] + fades
    state[at + LAST_BIT] = bunch_bit(game, player, state[at + HAND])
    state[at + HAND] = -1
    state[at + HAND_BEST] = 0
    state[at + KNOWN_UNTIL] = 0
    state[at + N_TARGETS] = 0
    state[at + N_GIVE] = 0
    if game.rules.team_size > 1:
        tell_mates(game, player)
