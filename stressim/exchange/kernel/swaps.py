"""The moves of a swap, and laying a complete bunch open. Who acts when is said elsewhere."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import rekeyed
from stressim.exchange.choices import DeadlockRule, FalseCallPenalty
from stressim.exchange.events import Kind
from stressim.exchange.kernel.bars import note_laid
from stressim.exchange.kernel.bunches import (
    add_to_bunch,
    add_to_centre,
    remove_from_bunch,
    remove_from_centre,
    weigh_bunch,
)
from stressim.exchange.kernel.counting import judge_lead, watch_lock
from stressim.exchange.kernel.layout import (
    ATTEMPT,
    BARRED,
    BEST,
    CHURNS,
    CLOSED,
    COMPLETED_AT,
    DEADLINE,
    GOES_ROUND,
    GRAB_RANK,
    HAND,
    HAND_BEST,
    HEIGHT,
    LAID,
    LAST_TAKEN,
    LEFT,
    MISSED,
    MOVES,
    N_LAID,
    N_UNDER_WAY,
    N_UNFINISHED,
    NOW,
    OPEN,
    OPENED,
    START_HEIGHT,
    SWAPPED,
    SWAPS,
    SWAPS_DONE,
    TABLE_TIME,
    TAKEN,
    TAKES,
    TO_LAY,
    TO_TAKE,
    UNDER_WAY,
    UNFINISHED,
    WATCHED,
    YIELDS,
)
from stressim.exchange.kernel.places import UNUSED, ZERO, bit_of, bunch_at, bunch_bit, log_event, player_at
from stressim.exchange.kernel.teams import tell_mates


@kernel(inline=True)
def begin_swap(game, player, bunch, n, to_take, to_lay):
    """Note that a player begins to swap ``n`` cards of a bunch."""
    state = game.state
    at = player_at(player)
    state[at + UNDER_WAY] = n
    state[at + TO_TAKE] = to_take
    state[at + TO_LAY] = to_lay
    state[at + START_HEIGHT] = state[bunch_at(bunch) + HEIGHT]
    state[at + MISSED] = 0
    state[at + GRAB_RANK] = -1
    state[at + N_LAID] = 0
    state[at + HAND_BEST] = 0
    state[N_UNDER_WAY] += 1
    state[SWAPPED] = 1


@kernel(inline=True)
def lay_in_centre(game, player, bunch, card, number):
    """Lay a card of a bunch in the centre, as a part of the swap under way."""
    state = game.state
    at = player_at(player)
    remove_from_bunch(game, bunch, card)
    weigh_bunch(game, bunch)
    add_to_centre(game, card)
    state[at + TO_LAY] -= 1
    state[at + LAID + (state[at + N_LAID] & 3)] = card
    state[at + N_LAID] += 1
    state[at + TAKEN] &= ~bit_of(card & 15)
    if game.rules.plain_swaps == 1:
        # The card to be taken must be of a rank held as often as before the swap; the card just laid is of another.
        here = bunch_at(bunch)
        state[at + HAND_BEST] = state[here + BEST] if state[here + HEIGHT] == state[at + START_HEIGHT] else ZERO
        state[at + BARRED] = bit_of(card & 15)
    note_laid(game, player, card)
    log_event(game, Kind.PUT_DOWN, player, bunch, card, number)


@kernel(inline=True)
def take_from_centre(game, player, bunch, card, number):
    """Put a card of the centre into a bunch, as a part of the swap under way."""
    state = game.state
    at = player_at(player)
    remove_from_centre(game, card)
    add_to_bunch(game, bunch, card)
    weigh_bunch(game, bunch)
    bit = bit_of(card & 15)
    state[at + TO_TAKE] -= 1
    state[at + TAKES] += 1
    state[at + LAST_TAKEN] = bit
    state[at + TAKEN] |= bit
    if state[at + GRAB_RANK] < 0:
        state[at + GRAB_RANK] = card & 15
    log_event(game, Kind.TAKE, player, bunch, card, number)


@kernel(inline=True)
def end_swap(game, player, bunch):
    """Count the swap that is done by what it has done to the bunch, and key the player's stream anew."""
    rules = game.rules
    state = game.state
    row = game.row
    at = player_at(player)
    height = state[bunch_at(bunch) + HEIGHT]
    state[at + UNDER_WAY] = 0
    state[at + N_LAID] = 0
    state[at + BARRED] = 0
    state[at + HAND_BEST] = state[bunch_at(bunch) + BEST]
    state[N_UNDER_WAY] -= 1
    row[MOVES] += 1
    before = state[at + START_HEIGHT]
    row[SWAPS] += np.int64(height > before)
    row[CHURNS] += np.int64(height == before)
    row[YIELDS] += np.int64(height < before)
    if height == rules.bunch_size and height > before:
        state[at + UNFINISHED] -= 1
        state[N_UNFINISHED] -= 1
        if rules.team_size > 1:
            tell_mates(game, player)
    state[at + SWAPS_DONE] += 1
    key_player(game, player)


@kernel()
def lay_open(game, player, bunch):
    """Lay a complete bunch open."""
    state = game.state
    at = player_at(player)
    state[bunch_at(bunch) + OPEN] = 1
    state[at + CLOSED] &= ~bunch_bit(game, player, bunch)
    state[at + LEFT] -= 1
    state[at + OPENED] += 1
    state[at + COMPLETED_AT] = state[NOW]
    if game.rules.team_size > 1:
        tell_mates(game, player)
    log_event(game, Kind.COMPLETE, player, bunch, UNUSED, UNUSED)
    judge_lead(game)


@kernel(inline=True)
def key_player(game, player):
    """Start a player's stream anew after a swap of his."""
    n_players = game.rules.n_players
    swaps = game.state[player_at(player) + SWAPS_DONE]
    key = game.streams[(n_players + 2 + player) & 31]
    game.streams[(1 + player) & 31] = rekeyed(key, game.state[ATTEMPT], swaps)


@kernel(inline=True)
def finish_swap(game, player):
    """A swap is done: it is counted, and clocks that run from the last swap begin anew."""
    state = game.state
    end_swap(game, player, state[player_at(player) + HAND])
    restart_clocks(game, player)
    if state[WATCHED] != 0 and _no_way_out(game) and watch_lock(game, True):
        state[GOES_ROUND] = 1


@kernel(inline=True)
def _no_way_out(game):
    """Whether the rules have nothing that ends a lock for which no player does anything."""
    rules = game.rules
    rule = rules.deadlock_rule
    helps = rule == DeadlockRule.REDEAL or rule == DeadlockRule.MOST_COMPLETE_WINS
    return not helps and rules.false_call_penalty != FalseCallPenalty.FORFEIT


@kernel(inline=True)
def restart_clocks(game, player):
    """After a swap or a complete bunch the player's deadline and the table's wait begin anew."""
    rules = game.rules
    state = game.state
    if rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE:
        state[player_at(player) + DEADLINE] = state[NOW] + rules.swap_deadline_us
    elif rules.deadlock_rule != DeadlockRule.NONE:
        state[TABLE_TIME] = state[NOW] + rules.deadlock_wait_us
