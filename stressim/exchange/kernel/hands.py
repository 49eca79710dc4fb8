"""What one player does under the clock with a bunch in hand: look, wait, give way, take another card, put it back.

A plan is made from what lies in the centre when it is made; until its ``COMMIT`` the player still sees what changes
and plans anew. A look that finds nothing is no event of its own: the player is known to give way at a certain moment,
unless a card that lands before it helps him.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word
from stressim.exchange.choices import AfterSnatch
from stressim.exchange.habits import AtDeadline, WhenSnatched
from stressim.exchange.kernel.acts import (
    CHURN,
    HOLDING,
    NEVER,
    NOTHING,
    PUTTING_BACK,
    SWITCH,
    WAITING,
    YIELD,
    act,
    cognitive,
    look_time,
    motor_time_at,
    patience_at,
)
from stressim.exchange.kernel.bunches import held_ranks
from stressim.exchange.kernel.layout import (
    BACK_ON_TABLE,
    BEST,
    COMMIT,
    DEADLINE,
    FAR,
    HAND,
    HEIGHT,
    LEFT,
    LOOK_FROM,
    LOOKING,
    MISSED,
    N_GIVE,
    N_TARGETS,
    NEEDS_ANY,
    NEXT_BACK,
    NOW,
    PATIENCE,
    PLAN,
    SETTLING_UNTIL,
    START_HEIGHT,
    TABLE_BEST,
    TARGET,
    TIME,
    TO_TAKE,
    WISH,
)
from stressim.exchange.kernel.places import (
    NOBODY,
    ONE,
    ZERO,
    bit_of,
    bits_of,
    bunch_at,
    held_of,
    lowest_rank,
    player_at,
    random_rank,
)
from stressim.exchange.kernel.plans import plan_swap, reach
from stressim.exchange.kernel.seeing import accepted, free_cards, free_ranks, known_best, want_card
from stressim.exchange.kernel.teams import has_another

_MOST_WAITS = 64  # times that a player decides to wait on before it becomes an event of its own


@kernel(inline=True)
def look_again(game, player, begin):
    """Let a player with an unfinished bunch look anew after the event, eyes and hands free from ``begin``."""
    game.state[LOOKING] |= ONE << player
    game.state[player_at(player) + LOOK_FROM] = begin


@kernel(inline=True)
def _choose_wish(game, player, end):
    """Decide until when a player waits and what he does then, by the weights of what is possible."""
    state = game.state
    at = player_at(player)
    own = game.players[player]
    here = bunch_at(state[at + HAND])
    best = state[here + BEST]
    switching = own.switch_weight_x65536 if state[at + LEFT] > 1 else ZERO
    if game.rules.team_size > 1 and not has_another(game, player):
        switching = ZERO
    yielding = ZERO
    if own.yield_weight_x65536 > 0 and best & (best - 1) == 0 and state[here + HEIGHT] > 1:
        yielding = own.yield_weight_x65536
    waiting = own.wait_weight_x65536
    total = switching + own.churn_weight_x65536 + yielding + waiting
    word = next_word(game.streams, 1 + player)
    until = end + patience_at(game, player, high_32(word))
    state[at + WISH] = NOTHING
    if total == waiting:
        state[at + WISH] = NEVER
        state[at + PATIENCE] = until
        return
    for _ in range(_MOST_WAITS):
        drawn = (low_32(word) * total) >> 32
        if drawn >= waiting:
            drawn -= waiting
            state[at + WISH] = SWITCH if drawn < switching else (YIELD if drawn < switching + yielding else CHURN)
            break
        word = next_word(game.streams, 1 + player)
        until += patience_at(game, player, high_32(word))
    state[at + PATIENCE] = until


@kernel(inline=True)
def look(game, player):
    """Let a player decide what he does next.

    He takes a card that improves the bunch in hand. Where there is none, he goes for a bunch that he knows to be
    helped, or waits, and then gives way; cards for which the bunch is not settled will do then.
    """
    state = game.state
    at = player_at(player)
    own = game.players[player]
    act(game, player, WAITING, FAR)
    state[player_at(player) + BACK_ON_TABLE] = FAR
    state[at + COMMIT] = FAR
    state[at + PLAN] = NOTHING
    state[at + NEEDS_ANY] = 0
    state[at + N_TARGETS] = 0
    state[at + N_GIVE] = 0
    free = free_ranks(game, player)
    if free == 0:
        state[at + NEEDS_ANY] = 1
        if state[SETTLING_UNTIL] > state[NOW]:
            state[player_at(player) + TIME] = state[SETTLING_UNTIL]
        return
    word = next_word(game.streams, 1 + player)
    end = state[at + LOOK_FROM] + look_time(game, player, high_32(word))
    best = state[bunch_at(state[at + HAND]) + BEST]
    wanted = best & free
    if wanted != 0:
        wanted = accepted(game, player, best) & free
    wish = NEVER
    if wanted == 0:
        end += cognitive(game, player, own.decide_no_use_us)
        wanted = best & free
        helped = state[at + TABLE_BEST] & free
        leaves = np.int64(helped != 0) & np.int64(low_32(word) >= own.stay_with_bunch)
        if leaves == 1 and known_best(game, player) & helped != 0:
            wish = SWITCH
            wanted = ZERO
        else:
            if state[at + PATIENCE] == 0:
                _choose_wish(game, player, end)
            wish = state[at + WISH]
            commit = max(end, state[at + PATIENCE])
            deadline = state[player_at(player) + DEADLINE]
            if deadline < FAR and own.at_deadline == AtDeadline.CHURN:
                last = max(end, deadline - own.deadline_margin_us)
                if last < commit:
                    commit = last
                    wish = CHURN
            end = commit
    if wanted == 0 and wish == SWITCH:
        _put_back(game, player, end)
    elif wanted != 0 or wish == CHURN or wish == YIELD:
        plan_swap(game, player, wanted, wanted == 0 and wish == YIELD, end)
    elif wish == NOTHING:
        state[player_at(player) + TIME] = end


@kernel(inline=True)
def _put_back(game, player, commit):
    """Plan to put the bunch in hand back and to pick up another.

    To lay it back is no event of the player's own: nobody else acts on it. The table sees to it in time.
    """
    own = game.players[player]
    word = next_word(game.streams, 1 + player)
    back = commit + motor_time_at(game, player, own.put_back_bunch, high_32(word))
    game.state[player_at(player) + COMMIT] = commit
    game.state[player_at(player) + BACK_ON_TABLE] = back
    game.state[NEXT_BACK] = min(game.state[NEXT_BACK], back)
    act(game, player, PUTTING_BACK, back + motor_time_at(game, player, own.pickup_bunch, low_32(word)))


@kernel()
def take_another(game, player, may_wait):
    """Choose what to take instead of cards that have gone, with own cards laid already (A-U2)."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player]
    here = bunch_at(state[at + HAND])
    state[at + NEEDS_ANY] = 0
    state[at + COMMIT] = state[NOW]
    end = state[NOW] + look_time(game, player, next_32(game.streams, 1 + player))
    n_free = bits_of(free_ranks(game, player))
    better = ZERO
    if n_free > 0:
        better = better_ranks(game, player)
    if (
        better == 0
        and may_wait == 1
        and state[at + N_TARGETS] == 0
        and rules.after_snatch == AfterSnatch.MAY_WAIT
        and own.when_snatched == WhenSnatched.WAIT
    ):
        act(game, player, HOLDING, end + patience_at(game, player, next_32(game.streams, 1 + player)))
        return
    if rules.grab_equal_only == 1 and state[at + MISSED] == 0:
        better = _only_equal(game, player, better)
    while state[at + N_TARGETS] < state[at + TO_TAKE] and better >= 0:
        free = free_ranks(game, player)
        if free == 0:
            break
        ranks = better & free
        if ranks == 0:
            ranks = state[here + BEST] & free
        if ranks == 0:
            ranks = held_ranks(game.counts[state[at + HAND]]) & free
        if ranks == 0:
            ranks = known_best(game, player) & free
        if ranks == 0:
            ranks = free
        better = bit_of(want_card(game, player, ranks))
    if state[at + N_TARGETS] < state[at + TO_TAKE]:
        state[at + N_TARGETS] = 0
        state[at + NEEDS_ANY] = 1
        act(game, player, HOLDING, state[SETTLING_UNTIL] if state[SETTLING_UNTIL] > state[NOW] else FAR)
        return
    reach(game, player, end)


@kernel()
def _only_equal(game, player, better):
    """One rank for a whole grab, by preference of the mask ``better``; -1 if no rank has cards enough."""
    state = game.state
    at = player_at(player)
    state[at + N_TARGETS] = 0
    enough = ZERO
    rest = free_ranks(game, player)
    while rest != 0:
        rank = lowest_rank(rest)
        rest &= rest - 1
        if free_cards(game, player, bit_of(rank)) >= state[at + TO_TAKE]:
            enough |= bit_of(rank)
    if enough == 0:
        return NOBODY
    if better & enough != 0:
        enough &= better
    return bit_of(random_rank(game, 1 + player, enough))


@kernel()
def better_ranks(game, player):
    """Mask of the free ranks with which a swap under way would leave the bunch higher than it was."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    n_open = state[at + TO_TAKE] - state[at + N_TARGETS]
    better = ZERO
    rest = free_ranks(game, player)
    while rest != 0:
        rank = lowest_rank(rest)
        rest &= rest - 1
        height = held_of(game, hand, rank)
        for i in range(state[at + N_TARGETS]):
            height += 1 if state[at + TARGET + i] & 15 == rank else 0
        if height + min(n_open, free_cards(game, player, bit_of(rank))) > state[at + START_HEIGHT]:
            better |= bit_of(rank)
    return better
