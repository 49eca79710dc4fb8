"""A stress among more than two under the clock: all hands come down, and the slowest has lost it (B35, B41, U42)."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, next_32, sample
from stressim.shedding.choices import (
    CardInAir,
    StressShare,
    StressTie,
    WinCall,
)
from stressim.shedding.events import Kind, Reason
from stressim.shedding.kernel.ends import end_if_out
from stressim.shedding.kernel.hands import cognitive
from stressim.shedding.kernel.layout import (
    FAR,
    LOG_TIME,
    LOGGING,
    NOTICE,
    NOW,
    NTH,
    OUTCOME,
    PAIR,
    PICKED_UP,
    PLACES,
    REASON,
    SLAP,
    SLAP_WINNER,
    SLAPPED,
    STRESS_FROM_FLIP,
    STRESS_TIES,
    STRESSES,
    TABLE_ACT,
    TABLE_TIME,
    WINDOW,
    WINDOW_FROM_FLIP,
)
from stressim.shedding.kernel.many_pickups import n_losers, nth_slapper, penalty_of_many
from stressim.shedding.kernel.out import end_if_out_after_slap
from stressim.shedding.kernel.pickups import (
    each_takes_own,
)
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    count_bits,
    log_event,
    n_players,
    player_at,
)
from stressim.shedding.kernel.settling import go_on, land_in_air, slapped_pile, tie_window
from stressim.shedding.kernel.table import CLOSED, FLIP, flip_delay, pickup_time, stop_all
from stressim.shedding.kernel.windows import signal_time


@kernel(beyond=PAIR)
def settle_of_many(game, first, pile):
    """Let all hands come down, name the losers of the stress and let them take what the rules say."""
    rules = game.rules
    state = game.state
    row = game.row
    now = state[NOW]
    state[player_at(first) + SLAPPED] = pile
    _all_slap(game, first)
    slowest = n_players(game) - 1
    end = state[player_at(nth_slapper(game, slowest)) + SLAP]
    undecided = _undecided(game)
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
    pickup = ZERO
    if count_bits(undecided) > 1:
        row[STRESS_TIES] += 1
    if count_bits(undecided) > 1 and rules.stress_tie == StressTie.NO_PENALTY:
        state[NOW] = now  # the window closed with the first hand: a stall begins there
        go_on(game, end)
        return
    if count_bits(undecided) > 1 and rules.stress_tie != StressTie.RANDOM:
        if rules.stress_tie == StressTie.EACH_TAKES_RIGHT:
            row[PICKED_UP] += each_takes_own(game, undecided, False)
            pickup = _longest_pickup(game, undecided)
    else:
        if count_bits(undecided) > 1:
            _draw_who_decides(game, undecided)
        row[PICKED_UP] += penalty_of_many(game)
        losers = ZERO
        for nth in range(n_losers(game)):
            losers |= ONE << nth_slapper(game, slowest - np.int64(nth))
        pickup = _longest_pickup(game, losers)
        state[SLAP_WINNER] = nth_slapper(game, ZERO)
    stop_all(game)
    end_if_out_after_slap(game)
    state[TABLE_ACT] = FLIP
    state[REASON] = np.int64(Reason.STRESS)
    state[TABLE_TIME] = end + pickup + flip_delay(game, np.int64(Reason.STRESS))


@kernel()
def _all_slap(game, first):
    """Draw and note all slaps after the first hand; who has missed the stress sees that hand and follows it."""
    state = game.state
    streams = game.streams
    now = state[NOW]
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + SLAP] == FAR:
            notice = sample(
                game.tables, player, game.players[player & PLACES].stress_notice, next_32(streams, 1 + player)
            )
            state[at + NOTICE] = now + cognitive(game, np.int64(player), notice)
            state[at + SLAP] = state[at + NOTICE] + signal_time(game, np.int64(player))
    state[player_at(ZERO) + NTH] = first
    done = ONE << first
    for nth in range(1, n_players(game)):
        soonest = FAR
        found = NOBODY
        n_found = ZERO
        for player in range(n_players(game)):
            time = state[player_at(player) + SLAP]
            if (done >> player) & 1 == 0 and time <= soonest:
                n_found = n_found + 1 if time == soonest else ONE
                if n_found == 1 or below(streams, ZERO, n_found) == 0:
                    found = np.int64(player)
                soonest = time
        done |= ONE << found
        state[player_at(nth) + NTH] = found
        state[player_at(found) + SLAPPED] = slapped_pile(game, found)
        if state[LOGGING] == 1:
            state[LOG_TIME] = soonest
            log_event(game, Kind.SLAP, found, state[player_at(found) + SLAPPED], UNUSED, UNUSED, UNUSED)


@kernel()
def _undecided(game):
    """The players, as bits, whose slaps cannot be told from the one that decides.

    That is the last, or the first where all others lose.
    """
    state = game.state
    slowest = n_players(game) - 1
    decides = nth_slapper(game, slowest if game.rules.stress_share == StressShare.SLOWEST else ZERO)
    at = player_at(decides)
    mask = ONE << decides
    for player in range(n_players(game)):
        other = player_at(player)
        window = tie_window(game, state[at + SLAPPED], state[other + SLAPPED])
        if abs(state[other + SLAP] - state[at + SLAP]) < window:
            mask |= ONE << player
    return mask


@kernel()
def _draw_who_decides(game, undecided):
    """Let a coin name one of the undecided players as the last, or as the first where all others lose."""
    state = game.state
    named = ZERO
    n_found = ZERO
    for player in range(n_players(game)):
        if (undecided >> player) & 1 == 1:
            n_found += 1
            if below(game.streams, ZERO, n_found) == 0:
                named = np.int64(player)
    place = n_players(game) - 1 if game.rules.stress_share == StressShare.SLOWEST else ZERO
    for nth in range(n_players(game)):
        if state[player_at(nth) + NTH] == named:
            state[player_at(nth) + NTH] = state[player_at(place) + NTH]
    state[player_at(place) + NTH] = named


@kernel()
def _longest_pickup(game, who):
    """Draw the times of all players in ``who``, as bits, to take up their piles; returns the longest."""
    pickup = ZERO
    for player in range(n_players(game)):
        if (who >> player) & 1 == 1:
            pickup = max(pickup, pickup_time(game, np.int64(player), False))
    return pickup
