"""The shedding game under the clock: hands, eyes, slaps and restarts, event by event.

A player has at most one thing under way (a look that ends in a card's landing, a refill, a merge, the winner's call)
and beside it at most one slap in the air; the table has at most one thing to do (flip, or recognise that both stocks
are empty). The earliest of these comes next. A look that finds nothing is no event of its own: the player is stuck
from a known moment on, unless a landing wakes him before. Plans are made from what lies on the table when they are
made, and judged again at every landing.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import lowest_one
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import MergeEqualRanks, MultiCardPlay, RowPiles
from stressim.shedding.events import Kind, Outcome
from stressim.shedding.kernel.ends import deal_cards, end_deal, hand_over_handicap, log_view
from stressim.shedding.kernel.flips import flip_to_begin
from stressim.shedding.kernel.hands import (
    CALLING,
    MERGING,
    PLAYING,
    REFILLING,
    TURNING,
    fill_row_by_habit,
    prepare_player,
    start_look,
    take_looks,
)
from stressim.shedding.kernel.landing import on_arrival, see_second_piles
from stressim.shedding.kernel.layout import (
    ACT,
    ACT_TIME,
    EVENTS,
    FAR,
    FREE,
    NOW,
    OUTCOME,
    PAIR,
    SHORT_PLAYS,
    SLAP,
    SLOT,
    STALL_SINCE,
    STALLED_AT_START,
    STALLED_US,
    STOCK_SIZE,
    STRESS_MISSED,
    TABLE_ACT,
    TABLE_TIME,
    WINDOW,
)
from stressim.shedding.kernel.piles import tops_equal
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    is_pair,
    log_event,
    n_players,
    player_at,
)
from stressim.shedding.kernel.restart import after_flip, judge_stall, on_table, plan_restart
from stressim.shedding.kernel.row_piles import merge_tops, move_top, turn_up
from stressim.shedding.kernel.rows import can_refill, draw_card, merge_slots
from stressim.shedding.kernel.stress import on_slap
from stressim.shedding.kernel.table import ENDED, IDLE, table_off

MOST_EVENTS = 20_000


@kernel()
def play_human(game, seed, deal):
    """Play one deal; ``row`` must hold zeros."""
    rules = game.rules
    state = game.state
    row = game.row
    deal_cards(game, seed, deal)
    state[STALL_SINCE] = -1
    table_off(game)
    log_view(game)
    if rules.handicap_cards != 0:
        hand_over_handicap(game)
    for player in range(n_players(game)):
        prepare_player(game, np.int64(player))
        merging = rules.merge_equal_ranks != MergeEqualRanks.OFF
        fill_row_by_habit(game, np.int64(player), merging)
    flip_to_begin(game)
    after_flip(game)
    if state[STALL_SINCE] == 0 and not tops_equal(game):
        row[STALLED_AT_START] = 1
    while state[OUTCOME] < 0:
        take_looks(game)
        if rules.multi_card_play != MultiCardPlay.OFF and see_second_piles(game):
            continue
        plan_restart(game)
        _next_event(game)
    if state[STALL_SINCE] >= 0:
        row[STALLED_US] += state[NOW] - state[STALL_SINCE]
    if state[WINDOW] == ENDED:
        row[STRESS_MISSED] += 1  # the deal was over before the hand came down that would still have counted


@kernel(inline=True)
def _next_event(game):
    """Find what comes next and let it happen."""
    state = game.state
    if is_pair(game):
        time_0 = state[player_at(ZERO) + ACT_TIME]
        time_1 = state[player_at(ONE) + ACT_TIME]
        acts = min(time_0, time_1)
        others = min(state[TABLE_TIME], min(state[player_at(ZERO) + SLAP], state[player_at(ONE) + SLAP]))
        soonest = min(acts, others)
        one_acts = others > acts and time_0 != time_1
        who = np.int64(time_1 < time_0)
    else:
        soonest = _soonest_of_many(game)
        one_acts = False
        who = NOBODY
    state[EVENTS] += 1
    if state[EVENTS] > MOST_EVENTS or (not one_acts and soonest >= FAR):
        end_deal(game, Outcome.UNFINISHED, NOBODY)
        return
    state[NOW] = soonest
    if not one_acts:
        who = _one_of_all(game, soonest)
    # With each of two players' number constant all that he does is shorter.
    if who == 0:
        _act(game, ZERO)
    elif who > 0:
        _act(game, ONE if is_pair(game) else who)


@kernel(beyond=PAIR, otherwise=ZERO)
def _soonest_of_many(game):
    """When the next thing happens where more than two play."""
    state = game.state
    soonest = state[TABLE_TIME]
    for player in range(n_players(game)):
        at = player_at(player)
        soonest = min(soonest, min(state[at + ACT_TIME], state[at + SLAP]))
    return soonest


@kernel(inline=True)
def _act(game, player):
    """What a player has under way is done."""
    state = game.state
    act = state[player_at(player) + ACT]
    if act == PLAYING:
        on_arrival(game, player)
    elif act == CALLING:
        log_event(game, Kind.CALL, player, UNUSED, UNUSED, UNUSED, UNUSED)
        end_deal(game, Outcome.WON, player)
    else:
        _on_own_row(game, player)


@kernel()
def _one_of_all(game, soonest):
    """Let the table act or a hand come down; returns whose act is done if it is neither."""
    state = game.state
    n_slap = _first_of_all(game, soonest)
    if n_slap < 0:
        on_table(game)
    elif n_slap >= n_players(game):
        table_off(game)
        on_slap(game, n_slap - n_players(game))
        if state[OUTCOME] < 0 and state[TABLE_ACT] == IDLE:
            judge_stall(game)
    else:
        return n_slap
    return NOBODY


@kernel()
def _first_of_all(game, soonest):
    """Who is first where not just one player is: -1 the table, else a player, plus their number if he slaps.

    Among several at one moment chance decides.
    """
    state = game.state
    streams = game.streams
    first = NOBODY
    n_tied = ONE if state[TABLE_TIME] == soonest else ZERO
    if soonest == FAR:
        return first
    who = ZERO
    for player in range(n_players(game)):
        at = player_at(player)
        acts = np.int64(state[at + ACT_TIME] == soonest) | (np.int64(state[at + SLAP] == soonest) << 1)
        who |= acts << (2 * player)
    while who != 0:
        place = lowest_one(np.uint64(who))
        who &= who - 1
        n_tied += 1
        if n_tied == 1 or below(streams, ZERO, n_tied) == 0:
            first = (place >> 1) + n_players(game) * (place & 1)
    return first


# --- a player's own row ---------------------------------------------------------------------------------------------


@kernel(inline=True)
def _on_own_row(game, player):
    """A refill or a merge is done, or a card of a pile is turned up or moved."""
    state = game.state
    at = player_at(player)
    if state[at + ACT] == REFILLING and state[at + STOCK_SIZE] == 0:
        pass  # a penalty or a flip has taken the card he was reaching for
    elif state[at + ACT] == REFILLING:
        draw_card(game, player)
    elif state[at + ACT] == MERGING and game.rules.row_piles == RowPiles.GROWING:
        merge_tops(game, player, state[at + SLOT])
    elif state[at + ACT] == MERGING:
        merge_slots(game, player, state[at + SLOT])
    elif state[at + ACT] == TURNING:
        turn_up(game, player, state[at + SLOT])
    else:
        move_top(game, player, state[at + SLOT])
    state[at + SHORT_PLAYS] &= -np.int64(can_refill(game, player))
    judge_stall(game)
    start_look(game, player, max(state[NOW], state[at + FREE]))
