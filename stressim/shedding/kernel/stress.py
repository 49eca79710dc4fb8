"""Stress under the clock: whose hand is first, what it costs; and slaps that do not count."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import next_32, sample
from stressim.shedding.choices import (
    CardInAir,
    FalseCallPenalty,
    PickupPlacement,
    StressTie,
    WinCall,
)
from stressim.shedding.events import Kind, Reason
from stressim.shedding.kernel.ends import end_if_out
from stressim.shedding.kernel.hands import PLAYING, WAITING, motor, start_look
from stressim.shedding.kernel.layout import (
    ACT,
    FALSE_CALLS,
    FAR,
    FREE,
    LOG_TIME,
    LOGGING,
    NOTICE,
    NOW,
    OUTCOME,
    PICKED_UP,
    PLACES,
    REASON,
    SLAP,
    SLAP_WINNER,
    STALL_SINCE,
    STALLED_US,
    STRESS_FROM_FLIP,
    STRESS_MISSED,
    STRESS_TIES,
    STRESSES,
    TABLE_ACT,
    TABLE_TIME,
    WINDOW,
    WINDOW_FROM_FLIP,
)
from stressim.shedding.kernel.many_pickups import one_of_many, take_all
from stressim.shedding.kernel.many_stress import settle_of_many
from stressim.shedding.kernel.out import check_out, end_if_out_after_slap
from stressim.shedding.kernel.pickups import (
    each_takes_right,
    one_of_the_piles,
    penalty_card,
    shuffle_stock,
    stress_penalty,
    take_both,
    take_pile,
)
from stressim.shedding.kernel.places import NOBODY, UNUSED, ZERO, is_pair, log_event, n_players, player_at
from stressim.shedding.kernel.rows import can_refill
from stressim.shedding.kernel.seats import piles_with_cards
from stressim.shedding.kernel.settling import go_on, land_in_air, slap_counts, slapped_pile, tie_window
from stressim.shedding.kernel.table import CLOSED, FLIP, flip_delay, pickup_time, stop_all


@kernel()
def on_slap(game, player):
    """A hand comes down: settle the stress, or it was a false call."""
    counts = slap_counts(game)
    pile = slapped_pile(game, player)
    log_event(game, Kind.SLAP, player, pile, UNUSED, UNUSED, UNUSED)
    if counts and not is_pair(game):
        settle_of_many(game, player, pile)
    elif counts:
        _settle(game, player, pile)
    else:
        _false_call(game, player)


@kernel()
def _settle(game, first, pile):
    """Name the loser of a stress and let him take what the rules say."""
    rules = game.rules
    players = game.players
    state = game.state
    streams = game.streams
    row = game.row
    now = state[NOW]
    second = 1 - first
    at = player_at(second)
    end = now
    tie = False
    if state[at + SLAP] < FAR and state[at + NOTICE] <= now:
        second_pile = slapped_pile(game, second)
        end = state[at + SLAP]
        tie = end - now < tie_window(game, pile, second_pile)
        if state[LOGGING] == 1:
            state[LOG_TIME] = end
            log_event(game, Kind.SLAP, second, second_pile, UNUSED, UNUSED, UNUSED)
    row[STRESSES] += 1
    row[STRESS_FROM_FLIP] += state[WINDOW_FROM_FLIP]
    state[WINDOW] = CLOSED
    if rules.card_in_air_at_slap == CardInAir.LANDS:
        land_in_air(game)
        if rules.win_check_before_stress == 1 and rules.win_call != WinCall.REQUIRED:
            state[NOW] = end
            end_if_out(game)
            if state[OUTCOME] >= 0:
                return
    state[NOW] = end
    state[SLAP_WINNER] = NOBODY
    loser = second
    pickup = ZERO
    if tie:
        row[STRESS_TIES] += 1
        if rules.stress_tie == StressTie.RANDOM:
            loser = next_32(streams, ZERO) & 1
        elif rules.stress_tie == StressTie.NO_PENALTY:
            state[NOW] = now  # the window closed with the first hand: a stall begins there
            go_on(game, end)
            return
        else:
            loser = NOBODY
            if rules.stress_tie == StressTie.EACH_TAKES_RIGHT:
                row[PICKED_UP] += each_takes_right(game, False)
                for player in range(n_players(game)):
                    pickup = max(pickup, pickup_time(game, np.int64(player), False))
    if loser >= 0:
        row[PICKED_UP] += stress_penalty(game, loser, players[loser & PLACES].pile_choice)
        pickup = pickup_time(game, loser, False)
        state[SLAP_WINNER] = 1 - loser
    stop_all(game)
    end_if_out_after_slap(game)
    state[TABLE_ACT] = FLIP
    state[REASON] = np.int64(Reason.STRESS)
    state[TABLE_TIME] = end + pickup + flip_delay(game, np.int64(Reason.STRESS))


@kernel()
def _false_call(game, player):
    """A slap that does not count (B42, U27, U28)."""
    rules = game.rules
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    row = game.row
    at = player_at(player)
    now = state[NOW]
    row[FALSE_CALLS] += 1
    state[at + NOTICE] = FAR
    state[at + SLAP] = FAR
    if rules.false_call_penalty == FalseCallPenalty.ONE_CARD and penalty_card(game, player):
        if state[STALL_SINCE] >= 0 and can_refill(game, player):
            row[STALLED_US] += now - state[STALL_SINCE]
            state[STALL_SINCE] = -1
        check_out(game)
        if state[OUTCOME] >= 0:
            return
    if rules.false_call_penalty == FalseCallPenalty.NONE or rules.false_call_penalty == FalseCallPenalty.ONE_CARD:
        recovery = sample(tables, player, players[player & PLACES].false_call_recovery, next_32(streams, 1 + player))
        state[at + FREE] = now + motor(game, player, recovery)
        if state[at + ACT] == WAITING or state[at + ACT] == PLAYING:
            start_look(game, player, state[at + FREE])
        return
    if state[WINDOW] != CLOSED:
        state[WINDOW] = CLOSED
        row[STRESS_MISSED] += 1
    if not is_pair(game):
        if rules.false_call_penalty == FalseCallPenalty.TAKE_BOTH:
            take_all(game, player)
        else:
            choice = players[player & PLACES].pile_choice
            take_pile(game, player, one_of_many(game, player, choice, piles_with_cards(game)))
    elif rules.false_call_penalty == FalseCallPenalty.TAKE_BOTH:
        take_both(game, player)
    else:
        pile = one_of_the_piles(game, player, players[player & PLACES].pile_choice)
        take_pile(game, player, pile)
    if rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
        shuffle_stock(game, player)
    stop_all(game)
    end_if_out_after_slap(game)
    state[TABLE_ACT] = FLIP
    state[REASON] = np.int64(Reason.FALSE_CALL)
    pickup = pickup_time(game, player, False)
    state[TABLE_TIME] = now + pickup + flip_delay(game, np.int64(Reason.FALSE_CALL))
