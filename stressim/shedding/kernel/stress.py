"""Stress under the clock: who notices, whose hand is first, what it costs; and slaps that do not count."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word, sample
from stressim.shedding.choices import (
    CardInAir,
    FalseCallPenalty,
    PickupPlacement,
    PlayOnEqualTops,
    SignalDecides,
    SlapTarget,
    StressSignal,
    StressTie,
    WinCall,
)
from stressim.shedding.events import Kind, Reason
from stressim.shedding.kernel.ends import end_if_out, judge_lead, players_out
from stressim.shedding.kernel.hands import CALLING, PLAYING, WAITING, cognitive, lay_planned, motor, start_look
from stressim.shedding.kernel.layout import (
    ACT,
    ACT_TIME,
    CARRY,
    FALSE_CALLS,
    FALSE_LEFT,
    FAR,
    FREE,
    GRACE_UNTIL,
    LAST_EQUAL,
    LOG_TIME,
    LOGGING,
    MOVES,
    NOTICE,
    NOW,
    OUTCOME,
    PICKED_UP,
    PILE,
    PILE_FITS,
    PLACES,
    RANK,
    REASON,
    SEARCH_END,
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
from stressim.shedding.kernel.out import check_out, end_if_out_after_slap
from stressim.shedding.kernel.pickups import (
    chosen_pile,
    each_takes_right,
    one_of_the_piles,
    penalty_card,
    right_pile,
    shuffle_stock,
    stress_penalty,
    take_both,
    take_pile,
)
from stressim.shedding.kernel.piles import tops_adjacent, tops_equal
from stressim.shedding.kernel.places import NOBODY, UNUSED, ZERO, log_event, n_players, pile_at, player_at
from stressim.shedding.kernel.rows import can_refill
from stressim.shedding.kernel.table import CLOSED, ENDED, FLIP, OPEN, flip_delay, pickup_time, stop_all


@kernel(inline=True)
def by_shout(game):
    """Whether the voice settles who was first (U19)."""
    rules = game.rules
    return rules.stress_signal == StressSignal.SHOUT or (
        rules.stress_signal == StressSignal.SHOUT_AND_SLAP and rules.signal_decides == SignalDecides.SHOUT
    )


@kernel()
def _signal_time(game, player):
    """Draw the time from noticing to the slap's landing or the shout."""
    players = game.players
    tables = game.tables
    streams = game.streams
    own = players[player & PLACES]
    bits = next_32(streams, 1 + player)
    if by_shout(game):
        return motor(game, player, sample(tables, player, own.call, bits))
    move = sample(tables, player, own.slap_move, bits)
    if game.rules.slap_target == SlapTarget.BOTH_HANDS:
        move = max(move, sample(tables, player, own.slap_move, next_32(streams, 1 + player)))
    return motor(game, player, move) + own.seat_us


@kernel()
def open_window(game, lander):
    """The tops have become equal: draw who notices, and when his hand will land; ``lander`` is -1 after a flip.

    Must run before the landing wakes anybody: a player is busy with what he was doing when the card landed.
    """
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    row = game.row
    if state[WINDOW] == ENDED:
        row[STRESS_MISSED] += 1
    state[WINDOW] = OPEN
    state[WINDOW_FROM_FLIP] = 1 if lander < 0 else 0
    now = state[NOW]
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + SLAP] < FAR and state[at + NOTICE] <= now:
            continue  # his hand is coming down already
        own = players[player & PLACES]
        word = next_word(streams, 1 + player)
        state[at + NOTICE] = FAR
        state[at + SLAP] = FAR
        if low_32(word) < own.p_miss_stress:
            continue
        notice = sample(tables, player, own.stress_notice, high_32(word))
        if player == lander:
            if own.foresee_stress > 0 and next_32(streams, 1 + player) < own.foresee_stress:
                notice -= own.anticipation_gain_us
        elif state[at + ACT] != WAITING or now < state[at + SEARCH_END] or now < state[at + FREE]:
            notice += own.busy_penalty_us
        state[at + NOTICE] = now + cognitive(game, player, max(notice, ZERO))
        state[at + SLAP] = state[at + NOTICE] + _signal_time(game, np.int64(player))


@kernel()
def close_window(game):
    """A card has covered the equal tops (U16): hands not on their way stay down, the others come too late or not."""
    rules = game.rules
    state = game.state
    row = game.row
    n_counting = ZERO
    now = state[NOW]
    state[GRACE_UNTIL] = now + rules.slap_grace_us
    if rules.play_on_equal_tops == PlayOnEqualTops.SLAP_IN_MOTION_COUNTS:
        state[GRACE_UNTIL] = FAR
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + SLAP] == FAR:
            continue
        if state[at + NOTICE] > now:
            state[at + NOTICE] = FAR
            state[at + SLAP] = FAR
        elif state[at + SLAP] <= state[GRACE_UNTIL]:
            n_counting += 1
    if n_counting > 0:
        state[WINDOW] = ENDED
    else:
        state[WINDOW] = CLOSED
        row[STRESS_MISSED] += 1


@kernel(inline=True)
def expose_to_false_slaps(game):
    """Every landed card may draw a hand although the tops differ; the closer the tops, the sooner."""
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    adjacent = tops_adjacent(game)
    for player in range(n_players(game)):
        at = player_at(player)
        own = players[player & PLACES]
        state[at + FALSE_LEFT] -= own.false_slap_hazard_adjacent if adjacent else own.false_slap_hazard
        if state[at + FALSE_LEFT] < 0:
            word = next_word(streams, 1 + player)
            state[at + FALSE_LEFT] = sample(tables, player, own.hazard, high_32(word))
            if state[at + SLAP] == FAR and state[at + ACT] != CALLING:
                notice = cognitive(game, player, sample(tables, player, own.stress_notice, low_32(word)))
                state[at + NOTICE] = state[NOW] + notice
                state[at + SLAP] = state[at + NOTICE] + _signal_time(game, np.int64(player))


@kernel()
def _slapped_pile(game, player):
    """Where the hand comes down (B34, U45); -1 over both or for a shout."""
    rules = game.rules
    players = game.players
    if by_shout(game):
        return UNUSED
    if rules.slap_target == SlapTarget.RIGHT_PILE:
        return right_pile(game, player)
    if rules.slap_target == SlapTarget.ANY_PILE:
        return chosen_pile(game, player, players[player & PLACES].slap_pile)
    return UNUSED


@kernel(inline=True)
def _tie_window(game, pile, other_pile):
    """How close two slaps must be to be undecided (U20, U50)."""
    rules = game.rules
    if by_shout(game):
        return rules.tie_window_us
    if rules.slap_target == SlapTarget.BOTH_PILES:
        return ZERO
    if pile == other_pile:
        return rules.tie_window_same_pile_us
    return rules.tie_window_us


@kernel()
def on_slap(game, player):
    """A hand comes down: settle the stress, or it was a false call."""
    state = game.state
    counts = state[WINDOW] == OPEN or (state[WINDOW] == ENDED and state[NOW] <= state[GRACE_UNTIL])
    pile = _slapped_pile(game, player)
    log_event(game, Kind.SLAP, player, pile, UNUSED, UNUSED, UNUSED)
    if counts:
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
        second_pile = _slapped_pile(game, second)
        end = state[at + SLAP]
        tie = end - now < _tie_window(game, pile, second_pile)
        if state[LOGGING] == 1:
            state[LOG_TIME] = end
            log_event(game, Kind.SLAP, second, second_pile, UNUSED, UNUSED, UNUSED)
    row[STRESSES] += 1
    row[STRESS_FROM_FLIP] += state[WINDOW_FROM_FLIP]
    state[WINDOW] = CLOSED
    if rules.card_in_air_at_slap == CardInAir.LANDS:
        _land_in_air(game)
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
            _go_on(game, end)
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
def _go_on(game, begin):
    """An undecided slap without consequence: everybody looks at the table anew."""
    rules = game.rules
    state = game.state
    stop_all(game)
    if rules.win_call != WinCall.REQUIRED and players_out(game) >= 0:
        state[NOW] = begin
        end_if_out(game)
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + ACT] != CALLING:
            state[at + FREE] = begin
            start_look(game, np.int64(player), begin)


@kernel()
def _land_in_air(game):
    """Cards on their way when the hand came down are laid if they fit, the nearest first (U24)."""
    state = game.state
    streams = game.streams
    row = game.row
    now = state[NOW]
    for _ in range(n_players(game)):
        next_player = NOBODY
        soonest = FAR
        for player in range(n_players(game)):
            at = player_at(player)
            if (
                state[at + ACT] == PLAYING
                and state[at + CARRY] <= now
                and state[at + NOTICE] > now
                and (
                    state[at + ACT_TIME] < soonest
                    or (state[at + ACT_TIME] == soonest and soonest < FAR and next_32(streams, ZERO) & 1 == 1)
                )
            ):
                next_player = np.int64(player)
                soonest = state[at + ACT_TIME]
        if next_player < 0:
            return
        at = player_at(next_player)
        pile = state[at + PILE]
        state[at + ACT] = WAITING
        if (state[pile_at(pile) + PILE_FITS] >> state[at + RANK]) & 1 == 1:
            row[MOVES] += 1
            lay_planned(game, next_player)
            state[at + LAST_EQUAL] = 1 if tops_equal(game) else 0
            judge_lead(game)


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
    if rules.false_call_penalty == FalseCallPenalty.TAKE_BOTH:
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
