"""Bunches are picked up, put back, and laid open under the clock."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word
from stressim.exchange.choices import DeadlineReset, DeadlockRule
from stressim.exchange.events import Kind
from stressim.exchange.kernel.acts import CALLING, OPENING, PICKING_UP, act, cognitive, motor_time
from stressim.exchange.kernel.hands import look_again
from stressim.exchange.kernel.judge import judge, judge_plain
from stressim.exchange.kernel.layout import (
    ACT,
    BACK_ON_TABLE,
    BEST,
    CENTRE_MASK,
    DEADLINE,
    DEADLINES_RUN_OUT,
    FAR,
    FREE,
    HAND,
    HAND_BEST,
    KNOWN_UNTIL,
    LAST_BIT,
    LEFT,
    NEXT,
    NEXT_BACK,
    NOW,
    PATIENCE,
    REMEMBERED,
    SEEN,
    STALL_SINCE,
    SWITCHES,
    TABLE_BEST,
    TABLE_REST,
    UNDER_WAY,
)
from stressim.exchange.kernel.picking_up import choose_bunch, leave_bunch, pick_up
from stressim.exchange.kernel.places import ONE, UNUSED, bunch_at, bunch_bit, everybody, first_of, log_event, player_at
from stressim.exchange.kernel.seeing import settle_aim
from stressim.exchange.kernel.swaps import lay_open, restart_clocks
from stressim.exchange.kernel.teams import tell_mates


@kernel(inline=True)
def on_picked_up(game, player):
    """A player has a bunch in his hand, reads it, and looks at the centre."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player]
    now = state[NOW]
    hand = state[at + NEXT]
    here = bunch_at(hand)
    state[at + HAND] = hand
    state[at + HAND_BEST] = state[here + BEST]
    state[at + SEEN] |= bunch_bit(game, player, hand)
    state[here + REMEMBERED] = 0
    state[at + PATIENCE] = 0
    state[at + KNOWN_UNTIL] = 0
    state[at + TABLE_BEST] = state[at + TABLE_REST]
    if rules.team_size > 1:
        tell_mates(game, player)
    if rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE:
        clock = at + DEADLINE
        if state[clock] >= FAR or rules.deadline_reset == DeadlineReset.SWAP_OR_SWITCH:
            state[clock] = now + rules.swap_deadline_us
    log_event(game, Kind.PICK_UP, player, hand, UNUSED, UNUSED)
    # Otherwise a stall and perhaps a lock go on: the same bunches are there.
    concerns = np.int64(state[STALL_SINCE] < 0) | np.int64(state[here + BEST] & state[CENTRE_MASK] != 0)
    if rules.plain_swaps == 1:
        judge_plain(game, concerns)
    elif concerns == 1:
        judge(game)
    state[at + FREE] = now + cognitive(game, player, own.encode_card_us * rules.bunch_size)
    if state[here + BEST] == 0:
        act(game, player, OPENING, state[at + FREE] + motor_time(game, player, own.lay_complete_bunch))
        return
    settle_aim(game, player, ONE)
    look_again(game, player, state[at + FREE])


@kernel(inline=True)
def lay_back(game, player, when):
    """Let a player lay his bunch back and choose another."""
    state = game.state
    at = player_at(player)
    state[NOW] = when
    game.row[SWITCHES] += 1
    log_event(game, Kind.PUT_BACK, player, state[at + HAND], UNUSED, UNUSED)
    word = next_word(game.streams, 1 + player)
    leave_bunch(game, player, high_32(word))
    choose_bunch(game, player, low_32(word))
    state[at + ACT] = PICKING_UP
    state[at + BACK_ON_TABLE] = FAR
    if game.rules.team_size > 1:
        judge(game)  # a partner may take what he laid himself


@kernel()
def put_back_next(game):
    """Let those who are the next to lay their bunches back do so and choose others."""
    state = game.state
    when = state[NEXT_BACK]
    following = FAR
    rest = everybody(game)
    while rest != 0:
        player = first_of(rest)
        rest &= rest - 1
        at = player_at(player)
        time = state[at + BACK_ON_TABLE]
        if time == when:
            lay_back(game, player, when)
        else:
            following = min(following, time)
    state[NEXT_BACK] = following


@kernel()
def on_deadline(game, player):
    """A player's time for a swap has run out (A21, A-U6)."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    state[player_at(player) + DEADLINE] = FAR
    if hand < 0 or state[at + UNDER_WAY] > 0 or state[bunch_at(hand) + BEST] == 0:
        return
    game.row[DEADLINES_RUN_OUT] += 1
    log_event(game, Kind.DEADLINE, player, hand, UNUSED, UNUSED)
    leave_bunch(game, player, next_32(game.streams, 1 + player))
    pick_up(game, player, max(state[NOW], state[at + FREE]))
    if game.rules.team_size > 1:
        judge(game)  # a partner may take what he laid himself


@kernel()
def on_opened(game, player):
    """A player lays a complete bunch open, and goes for the next one or calls."""
    state = game.state
    at = player_at(player)
    own = game.players[player]
    hand = state[at + HAND]
    state[at + HAND] = -1
    state[at + LAST_BIT] = bunch_bit(game, player, hand)
    lay_open(game, player, hand)
    state[at + KNOWN_UNTIL] = 0
    restart_clocks(game, player)
    judge(game)
    if state[at + LEFT] == 0:
        act(game, player, CALLING, state[NOW] + motor_time(game, player, own.call))
    else:
        pick_up(game, player, state[NOW])
