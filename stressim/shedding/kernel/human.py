"""The shedding game under the clock: hands, eyes, slaps and restarts, event by event.

A player has at most one thing under way (a look that ends in a card's landing, a refill, a merge, the winner's call)
and beside it at most one slap in the air; the table has at most one thing to do (flip, or recognise that both stocks
are empty). The earliest of these comes next. A look that finds nothing is no event of its own: the player is stuck
from a known moment on, unless a landing wakes him before. Plans are made from what lies on the table when they are
made, and judged again at every landing.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, next_32
from stressim.shedding.choices import IllegalCard, LateCard, MergeEqualRanks, PlayOnEqualTops, RoundEnd, StressOn
from stressim.shedding.events import JOKER_RANK, Kind, Outcome
from stressim.shedding.kernel.ends import deal_cards, end_deal, hand_over_handicap, judge_lead, log_view, players_out
from stressim.shedding.kernel.flips import flip_to_begin, key_player
from stressim.shedding.kernel.hands import (
    CALLING,
    MERGING,
    PLAYING,
    REFILLING,
    TURNING,
    WAITING,
    fill_row_by_habit,
    lay_planned,
    motor_time,
    prepare_player,
    start_look,
)
from stressim.shedding.kernel.layout import (
    ABORTED_CARDS,
    ACT,
    ACT_TIME,
    AHEAD,
    CHOICES,
    COMMIT,
    EVENTS,
    FAR,
    FREE,
    HAS_CHOICE,
    ILLEGAL_CARDS,
    IS_ILLEGAL,
    LAST_EQUAL,
    LATE_CARDS,
    LOOKS,
    MOVES,
    N_PLAYERS,
    NOTICE,
    NOW,
    OUTCOME,
    PILE,
    PILE_FITS,
    PILE_RANK,
    PILE_VERSION,
    PLACES,
    RANK,
    ROW_CARDS,
    SEARCH_END,
    SHORT_PLAYS,
    SLAP,
    SLOT,
    SLOT_SIZE,
    STALL_SINCE,
    STALLED_AT_START,
    STALLED_US,
    STOCK_SIZE,
    STUCK,
    TABLE_ACT,
    TABLE_TIME,
    VERSION,
    WINDOW,
)
from stressim.shedding.kernel.out import check_out
from stressim.shedding.kernel.pickups import penalty_card
from stressim.shedding.kernel.piles import tops_equal
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    log_event,
    pile_at,
    player_at,
    slot_cards,
)
from stressim.shedding.kernel.restart import after_flip, judge_stall, on_table, plan_restart
from stressim.shedding.kernel.rounds import end_round
from stressim.shedding.kernel.row_piles import move_top, turn_up
from stressim.shedding.kernel.rows import can_refill, draw_card, merge_slots
from stressim.shedding.kernel.stress import close_window, expose_to_false_slaps, on_slap, open_window
from stressim.shedding.kernel.table import IDLE, OPEN, slap_pending, table_off

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
    for player in range(N_PLAYERS):
        prepare_player(game, np.int64(player))
        merging = rules.merge_equal_ranks != MergeEqualRanks.OFF
        fill_row_by_habit(game, np.int64(player), merging)
    flip_to_begin(game)
    after_flip(game)
    if state[STALL_SINCE] == 0 and not tops_equal(game):
        row[STALLED_AT_START] = 1
    while state[OUTCOME] < 0:
        _next_event(game)
    if state[STALL_SINCE] >= 0:
        row[STALLED_US] += state[NOW] - state[STALL_SINCE]


@kernel(inline=True)
def _next_event(game):
    """Find what comes next and let it happen."""
    state = game.state
    time_0 = state[player_at(ZERO) + ACT_TIME]
    time_1 = state[player_at(ONE) + ACT_TIME]
    acts = min(time_0, time_1)
    others = min(state[TABLE_TIME], min(state[player_at(ZERO) + SLAP], state[player_at(ONE) + SLAP]))
    soonest = min(acts, others)
    state[EVENTS] += 1
    if state[EVENTS] > MOST_EVENTS or soonest >= FAR:
        end_deal(game, Outcome.UNFINISHED, NOBODY)
        return
    state[NOW] = soonest
    who = np.int64(time_1 < time_0)
    if others <= acts or time_0 == time_1:
        who = _one_of_all(game, soonest)
    # With each player's number constant all that he does is shorter.
    if who == 0:
        _act(game, ZERO)
    elif who == 1:
        _act(game, ONE)
    if state[OUTCOME] < 0:
        plan_restart(game)


@kernel(inline=True)
def _act(game, player):
    """What a player has under way is done."""
    state = game.state
    act = state[player_at(player) + ACT]
    if act == PLAYING:
        _on_arrival(game, player)
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
    elif n_slap >= N_PLAYERS:
        table_off(game)
        on_slap(game, n_slap - N_PLAYERS)
        if state[OUTCOME] < 0 and state[TABLE_ACT] == IDLE:
            judge_stall(game)
    else:
        return n_slap
    return NOBODY


@kernel()
def _first_of_all(game, soonest):
    """Who is first where not just one player is: -1 the table, else a player, plus ``N_PLAYERS`` if he slaps.

    Among several at one moment chance decides.
    """
    state = game.state
    streams = game.streams
    first = NOBODY
    n_tied = ONE if state[TABLE_TIME] == soonest else ZERO
    if soonest == FAR:
        return first
    for player in range(N_PLAYERS):
        at = player_at(player)
        for slaps in range(2):
            if state[at + (SLAP if slaps == 1 else ACT_TIME)] == soonest:
                n_tied += 1
                if n_tied == 1 or below(streams, ZERO, n_tied) == 0:
                    first = np.int64(player + N_PLAYERS * slaps)
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
    elif state[at + ACT] == MERGING:
        merge_slots(game, player, state[at + SLOT])
    elif state[at + ACT] == TURNING:
        turn_up(game, player, state[at + SLOT])
    else:
        move_top(game, player, state[at + SLOT])
    if not can_refill(game, player):
        state[at + SHORT_PLAYS] = 0
    judge_stall(game)
    start_look(game, player, max(state[NOW], state[at + FREE]))


# --- a card reaches a pile ------------------------------------------------------------------------------------------


@kernel(inline=True)
def _on_arrival(game, player):
    """A card reaches its pile: it is laid, refused, or kept back by a player who has seen stress."""
    rules = game.rules
    players = game.players
    state = game.state
    row = game.row
    at = player_at(player)
    now = state[NOW]
    pile = state[at + PILE]
    slot = state[at + SLOT] & 7
    if state[at + NOTICE] <= now:
        state[at + ACT] = WAITING
        state[at + ACT_TIME] = FAR
        state[at + STUCK] = FAR
        return
    if rules.play_on_equal_tops == PlayOnEqualTops.FROZEN and state[WINDOW] == OPEN and slap_pending(game):
        row[ABORTED_CARDS] += 1
        log_event(game, Kind.ABORT, player, pile, slot, _top_of(game, player, slot), UNUSED)
        state[at + FREE] = now + motor_time(game, player, players[player & PLACES].abort_return)
        start_look(game, player, state[at + FREE])
        return
    fits = (state[pile_at(pile) + PILE_FITS] >> state[at + RANK]) & 1 == 1
    changed = state[at + VERSION] != state[pile_at(pile) + PILE_VERSION]
    if fits and not (changed and rules.late_card != LateCard.STAYS_IF_LEGAL):
        _land(game, player)
        return
    card = _top_of(game, player, slot)
    if state[at + IS_ILLEGAL] == 1 and not changed:
        row[ILLEGAL_CARDS] += 1
        log_event(game, Kind.ILLEGAL, player, pile, slot, card, UNUSED)
        state[at + FREE] = now + motor_time(game, player, players[player & PLACES].illegal_card_return)
        penalty = rules.illegal_card == IllegalCard.PENALTY
    else:
        row[LATE_CARDS] += 1
        log_event(game, Kind.LATE, player, pile, slot, card, UNUSED)
        state[at + FREE] = now + motor_time(game, player, players[player & PLACES].late_card_return)
        penalty = rules.late_card == LateCard.PENALTY
    if penalty and penalty_card(game, player):
        check_out(game)
        if state[OUTCOME] >= 0:
            return
    start_look(game, player, state[at + FREE])


@kernel(inline=True)
def _top_of(game, player, slot):
    """The top card of a slot."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    return np.int64(cards[slot_cards(player, slot) + state[at + SLOT_SIZE + slot] - 1])


@kernel(inline=True)
def _land(game, player):
    """A card is laid; everything that follows from it at once."""
    rules = game.rules
    players = game.players
    state = game.state
    row = game.row
    at = player_at(player)
    pile = state[at + PILE]
    row[LOOKS] += 1
    row[CHOICES] += state[at + HAS_CHOICE]
    row[MOVES] += 1
    barred = rules.stress_stop == 1 and _stress_stop(game, player)
    if can_refill(game, player):
        state[at + SHORT_PLAYS] += 1
    both = lay_planned(game, player)
    equal = rules.stress_on != StressOn.NONE and tops_equal(game)
    state[at + LAST_EQUAL] = 1 if tops_equal(game) else 0
    state[at + ACT] = WAITING
    state[at + ACT_TIME] = FAR
    state[at + SEARCH_END] = 0
    table_off(game)
    key_player(game, player)
    judge_lead(game)
    if state[WINDOW] == OPEN:
        close_window(game)
    if equal and not barred:
        open_window(game, player)
    elif rules.stress_on != StressOn.NONE and not equal:
        expose_to_false_slaps(game)
    if state[player_at(ZERO) + ROW_CARDS] == 0 or state[player_at(ONE) + ROW_CARDS] == 0:
        if _with_empty_row(game, player):
            return
    for other in range(N_PLAYERS):
        if other != player:
            _wake(game, np.int64(other), pile)
            if both:
                _wake(game, np.int64(other), 1 - pile)
    if state[at + ACT] != CALLING:
        if rules.one_card_at_a_time == 0 and players[player & PLACES].grasp_ahead == 1:
            state[at + AHEAD] = 1
        start_look(game, player, state[NOW])
    judge_stall(game)


@kernel()
def _with_empty_row(game, player):
    """A row is empty after a player's play: that may end the deal or the round; whether it does."""
    state = game.state
    if players_out(game) >= 0:
        check_out(game)
    elif state[player_at(player) + ROW_CARDS] == 0 and game.rules.round_end != RoundEnd.NONE:
        end_round(game, player)
        return True
    return state[OUTCOME] >= 0


@kernel()
def _stress_stop(game, player):
    """Whether somebody has pointed at the card about to land because it makes stress (B43, U31)."""
    rules = game.rules
    players = game.players
    state = game.state
    streams = game.streams
    at = player_at(player)
    rank = state[at + RANK]
    top = state[pile_at(1 - state[at + PILE]) + PILE_RANK]
    if rules.stress_on == StressOn.NONE or top < 0 or not (rank == top or rank == JOKER_RANK or top == JOKER_RANK):
        return False
    barred = False
    for other in range(N_PLAYERS):
        if other != player and next_32(streams, 1 + other) < players[other & PLACES].announce_stop:
            barred = True
            card = _top_of(game, player, state[at + SLOT])
            log_event(game, Kind.ANNOUNCE, np.int64(other), UNUSED, UNUSED, card, UNUSED)
    return barred


@kernel(inline=True)
def _wake(game, player, pile):
    """A player sees that a pile has changed: he looks anew, keeps his plan, or takes his card back."""
    rules = game.rules
    players = game.players
    state = game.state
    row = game.row
    at = player_at(player)
    now = state[NOW]
    if state[at + NOTICE] <= now:
        return
    act = state[at + ACT]
    concerned = (act == PLAYING) & (state[at + PILE] == pile) & (state[at + IS_ILLEGAL] == 0)
    fits = (state[pile_at(pile) + PILE_FITS] >> state[at + RANK]) & 1 == 1
    thinks = now < state[at + COMMIT]
    if (act == WAITING) | (concerned & thinks & (not fits)):
        start_look(game, player, max(now, state[at + FREE]))
    elif concerned:
        slot = state[at + SLOT] & 7
        if thinks:
            state[at + VERSION] = state[pile_at(pile) + PILE_VERSION]
        elif not (fits and rules.late_card == LateCard.STAYS_IF_LEGAL) and (
            now < state[at + ACT_TIME] - players[player & PLACES].abort_window_us
        ):
            row[ABORTED_CARDS] += 1
            log_event(game, Kind.ABORT, player, pile, slot, _top_of(game, player, slot), UNUSED)
            state[at + FREE] = now + motor_time(game, player, players[player & PLACES].abort_return)
            start_look(game, player, state[at + FREE])
