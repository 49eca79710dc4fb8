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
from stressim.shedding.events import JOKER_RANK, Kind, Outcome, Reason
from stressim.shedding.habits import MergedPlay
from stressim.shedding.kernel.hands import (
    CALLING,
    PLAYING,
    REFILLING,
    WAITING,
    fill_row_by_habit,
    motor_time,
    prepare_player,
    start_look,
)
from stressim.shedding.kernel.layout import (
    ABORTED_CARDS,
    ACT,
    ACT_TIME,
    AHEAD,
    BOTH_STOCKS_EMPTY,
    CHOICES,
    COMMIT,
    DECLINED,
    EVENTS,
    FAR,
    FIRST_STALL_US,
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
    REASON,
    RESTARTS,
    SEARCH_END,
    SHORT_PLAYS,
    SLAP,
    SLOT,
    SLOT_RANK,
    SLOT_SIZE,
    STALL_SINCE,
    STALLED,
    STALLED_AT_START,
    STALLED_US,
    STALLS,
    STOCK_SIZE,
    STRESS_AT_FIRST_FLIP,
    STRESS_MISSED,
    STUCK,
    TABLE_ACT,
    TABLE_TIME,
    VERSION,
    WINDOW,
)
from stressim.shedding.kernel.moves import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    append_stock,
    can_refill,
    comes_back_for_ever,
    deal_cards,
    draw_card,
    each_takes_right,
    end_deal,
    end_if_out,
    equal_slots,
    fewest_cards,
    fitting,
    flip,
    judge_lead,
    key_player,
    lay,
    log_event,
    log_view,
    merge_slots,
    pile_at,
    player_at,
    players_out,
    pop_stock,
    remaining,
    row_mask,
    slot_cards,
    tops_equal,
)
from stressim.shedding.kernel.stress import (
    CLOSED,
    OPEN,
    close_window,
    expose_to_false_slaps,
    on_slap,
    open_window,
)
from stressim.shedding.kernel.table import FLIP, IDLE, RECOGNISE_EMPTY, flip_delay, pickup_time, stop_all, table_off
from stressim.shedding.rules import (
    BothEmpty,
    IllegalCard,
    LateCard,
    MergeEqualRanks,
    MultiCardPlay,
    PilePlay,
    PlayOnEqualTops,
    RefillPolicy,
    RestartConsent,
    StackTarget,
    StartFlipEqual,
    StressOn,
    WinCall,
)

MOST_EVENTS = 20_000


@kernel()
def play_human(game, seed, deal):  # type: ignore[no-untyped-def]
    """Play one deal; ``row`` must hold zeros."""
    rules = game.rules
    state = game.state
    row = game.row
    deal_cards(game, seed, deal)
    state[STALL_SINCE] = -1
    table_off(game)
    log_view(game)
    for player in range(N_PLAYERS):
        prepare_player(game, np.int64(player))
        merging = rules.merge_equal_ranks != MergeEqualRanks.OFF
        fill_row_by_habit(game, np.int64(player), merging)
    flip(game, Reason.START)
    if tops_equal(game):
        row[STRESS_AT_FIRST_FLIP] = 1
        if rules.start_flip_equal == StartFlipEqual.REFLIP:
            while (
                tops_equal(game) and state[player_at(ZERO) + STOCK_SIZE] > 0 and state[player_at(ONE) + STOCK_SIZE] > 0
            ):
                flip(game, Reason.REFLIP)
    _after_flip(game)
    if state[STALL_SINCE] == 0 and not tops_equal(game):
        row[STALLED_AT_START] = 1
    while state[OUTCOME] < 0:
        _next_event(game)
    if state[STALL_SINCE] >= 0:
        row[STALLED_US] += state[NOW] - state[STALL_SINCE]


@kernel(inline=True)
def _next_event(game):  # type: ignore[no-untyped-def]
    """Find what comes next, ties by chance, and let it happen."""
    rules = game.rules
    state = game.state
    streams = game.streams
    soonest = state[TABLE_TIME]
    who = NOBODY
    slaps = False
    n_tied = ONE
    for player in range(N_PLAYERS):
        at = player_at(player)
        time = state[at + ACT_TIME]
        if time < soonest:
            soonest, who, slaps, n_tied = time, np.int64(player), False, ONE
        elif time == soonest and time < FAR:
            n_tied += 1
            if below(streams, ZERO, n_tied) == 0:
                who, slaps = np.int64(player), False
        time = state[at + SLAP]
        if time < soonest:
            soonest, who, slaps, n_tied = time, np.int64(player), True, ONE
        elif time == soonest and time < FAR:
            n_tied += 1
            if below(streams, ZERO, n_tied) == 0:
                who, slaps = np.int64(player), True
    state[EVENTS] += 1
    if state[EVENTS] > MOST_EVENTS or soonest >= FAR:
        end_deal(game, Outcome.UNFINISHED, NOBODY)
        return
    state[NOW] = soonest
    if who < 0:
        _on_table(game)
    elif slaps:
        table_off(game)
        on_slap(game, who)
        if state[OUTCOME] < 0 and state[TABLE_ACT] == IDLE:
            _judge_stall(game)
    elif state[player_at(who) + ACT] == PLAYING:
        _on_arrival(game, who)
    elif state[player_at(who) + ACT] == CALLING:
        log_event(game, Kind.CALL, who, UNUSED, UNUSED, UNUSED, UNUSED)
        end_deal(game, Outcome.WON, who)
    else:
        _on_own_row(game, who)
    if state[OUTCOME] < 0:
        _plan_restart(game)


# --- a player's own row ---------------------------------------------------------------------------------------------


@kernel(inline=True)
def _on_own_row(game, player):  # type: ignore[no-untyped-def]
    """A refill or a merge is done."""
    state = game.state
    at = player_at(player)
    if state[at + ACT] == REFILLING:
        draw_card(game, player)
    else:
        merge_slots(game, player, state[at + SLOT])
    if not can_refill(game, player):
        state[at + SHORT_PLAYS] = 0
    _judge_stall(game)
    start_look(game, player, max(state[NOW], state[at + FREE]))


# --- a card reaches a pile ------------------------------------------------------------------------------------------


@kernel(inline=True)
def _on_arrival(game, player):  # type: ignore[no-untyped-def]
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
    if rules.play_on_equal_tops == PlayOnEqualTops.FROZEN and state[WINDOW] == OPEN and _slap_pending(game):
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
    if penalty and state[player_at(1 - player) + STOCK_SIZE] > 0:
        card = pop_stock(game, 1 - player)
        append_stock(game, player, card)
        log_event(game, Kind.PENALTY, player, UNUSED, UNUSED, card, UNUSED)
        state[at + SHORT_PLAYS] = 0
        _check_out(game)
        if state[OUTCOME] >= 0:
            return
    start_look(game, player, state[at + FREE])


@kernel(inline=True)
def _top_of(game, player, slot):  # type: ignore[no-untyped-def]
    """The top card of a slot."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    return np.int64(cards[slot_cards(player, slot) + state[at + SLOT_SIZE + slot] - 1])


@kernel(inline=True)
def _slap_pending(game):  # type: ignore[no-untyped-def]
    """Whether a hand is going to come down."""
    rules = game.rules
    state = game.state
    for player in range(N_PLAYERS):
        if state[player_at(player) + SLAP] < FAR:
            return True
    return False


@kernel(inline=True)
def _land(game, player):  # type: ignore[no-untyped-def]
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
    both = _lay_equals(game, player)
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
    if remaining(game, ZERO) == 0 or remaining(game, ONE) == 0:
        _check_out(game)
        if state[OUTCOME] >= 0:
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
    _judge_stall(game)


@kernel()
def _stress_stop(game, player):  # type: ignore[no-untyped-def]
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
def _lay_equals(game, player):  # type: ignore[no-untyped-def]
    """Lay the planned card, and those that go with it by rules and habit; returns whether both piles got cards."""
    rules = game.rules
    players = game.players
    state = game.state
    streams = game.streams
    at = player_at(player)
    own = players[player & PLACES]
    slot = state[at + SLOT] & 7
    pile = state[at + PILE]
    rank = state[at + RANK]
    size = state[at + SLOT_SIZE + slot]
    both_fit = (state[pile_at(1 - pile) + PILE_FITS] >> rank) & 1 == 1
    n = ONE
    if size > 1 and (
        rules.pile_play == PilePlay.WHOLE
        or (
            rules.pile_play == PilePlay.EITHER
            and (
                own.merged_play == MergedPlay.WHOLE
                or (own.merged_play == MergedPlay.RANDOM and next_32(streams, 1 + player) & 1 == 1)
            )
        )
    ):
        n = size
    lay(game, player, slot, pile, n, ZERO, 1 + player)
    target = pile
    if (
        rules.multi_card_play == MultiCardPlay.SAME_RANK
        and own.equal_together == 1
        and rank != JOKER_RANK
        and n == size
    ):
        if both_fit and rules.stack_target == StackTarget.EITHER and own.equal_spread == 1:
            target = 1 - pile
        spread = False
        for other in range(rules.row_slots):
            if other != slot and state[at + SLOT_SIZE + other] > 0 and state[at + SLOT_RANK + other] == rank:
                n = state[at + SLOT_SIZE + other]
                lay(game, player, np.int64(other), target, n, ONE, 1 + player)
                spread = target != pile
        return spread
    return False


@kernel(inline=True)
def _wake(game, player, pile):  # type: ignore[no-untyped-def]
    """A player sees that a pile has changed: he looks anew, keeps his plan, or takes his card back."""
    rules = game.rules
    players = game.players
    state = game.state
    row = game.row
    at = player_at(player)
    now = state[NOW]
    if state[at + NOTICE] <= now:
        return
    if state[at + ACT] == WAITING:
        start_look(game, player, max(now, state[at + FREE]))
    elif state[at + ACT] == PLAYING and state[at + PILE] == pile and state[at + IS_ILLEGAL] == 0:
        slot = state[at + SLOT] & 7
        fits = (state[pile_at(pile) + PILE_FITS] >> state[at + RANK]) & 1 == 1
        if now < state[at + COMMIT]:
            if fits:
                state[at + VERSION] = state[pile_at(pile) + PILE_VERSION]
            else:
                start_look(game, player, max(now, state[at + FREE]))
        elif not (fits and rules.late_card == LateCard.STAYS_IF_LEGAL) and (
            now < state[at + ACT_TIME] - players[player & PLACES].abort_window_us
        ):
            row[ABORTED_CARDS] += 1
            log_event(game, Kind.ABORT, player, pile, slot, _top_of(game, player, slot), UNUSED)
            state[at + FREE] = now + motor_time(game, player, players[player & PLACES].abort_return)
            start_look(game, player, state[at + FREE])


# --- the table ------------------------------------------------------------------------------------------------------


@kernel()
def _on_table(game):  # type: ignore[no-untyped-def]
    """The table acts: cards are flipped, or it is recognised that nobody has any left to flip."""
    rules = game.rules
    state = game.state
    row = game.row
    reason = state[REASON]
    if state[TABLE_ACT] == RECOGNISE_EMPTY:
        _both_empty(game)
        return
    table_off(game)
    if reason == Reason.DECLINED:
        row[RESTARTS] += 1
        for player in range(N_PLAYERS):
            if state[player_at(player) + DECLINED] == 1:
                log_event(game, Kind.DECLINE, np.int64(player), UNUSED, UNUSED, UNUSED, UNUSED)
    if state[WINDOW] == OPEN:
        state[WINDOW] = CLOSED
        row[STRESS_MISSED] += 1
    if rules.flip_before_refill == 0 and reason != Reason.LOCKED and reason != Reason.DECLINED:
        for player in range(N_PLAYERS):
            if rules.refill_policy != RefillPolicy.NONE:
                merging = rules.merge_equal_ranks == MergeEqualRanks.ALWAYS
                fill_row_by_habit(game, np.int64(player), merging)
    flip(game, reason)
    if state[STALL_SINCE] >= 0:
        row[STALLED_US] += state[NOW] - state[STALL_SINCE]
        state[STALL_SINCE] = -1
    _after_flip(game)


@kernel()
def _after_flip(game):  # type: ignore[no-untyped-def]
    """New cards lie in the centre: everybody looks at them."""
    rules = game.rules
    state = game.state
    judge_lead(game)
    if rules.stress_on != StressOn.NONE:
        if tops_equal(game):
            open_window(game, NOBODY)
        else:
            expose_to_false_slaps(game)
    _check_out(game)
    if state[OUTCOME] >= 0:
        return
    for player in range(N_PLAYERS):
        at = player_at(player)
        if state[at + ACT] == WAITING:
            start_look(game, np.int64(player), max(state[NOW], state[at + FREE]))
        elif state[at + ACT] == PLAYING and state[at + IS_ILLEGAL] == 0:
            _wake_after_flip(game, np.int64(player))
    _judge_stall(game)
    _plan_restart(game)


@kernel()
def _wake_after_flip(game, player):  # type: ignore[no-untyped-def]
    """A flip that the other player wanted comes while this one's card is under way."""
    state = game.state
    at = player_at(player)
    pile = pile_at(state[at + PILE])
    fits = (state[pile + PILE_FITS] >> state[at + RANK]) & 1 == 1
    if state[NOW] < state[at + COMMIT] and fits:
        state[at + VERSION] = state[pile + PILE_VERSION]
    elif state[NOW] < state[at + COMMIT]:
        start_look(game, player, max(state[NOW], state[at + FREE]))


@kernel()
def _both_empty(game):  # type: ignore[no-untyped-def]
    """Nobody can play and nobody has a card to flip (B31, U1, U4)."""
    rules = game.rules
    state = game.state
    row = game.row
    row[BOTH_STOCKS_EMPTY] = 1
    if rules.restart_both_empty == BothEmpty.UNDEFINED:
        end_deal(game, Outcome.DEADLOCKED, NOBODY)
    elif rules.restart_both_empty == BothEmpty.FEWEST_CARDS_WINS:
        fewest_cards(game)
    elif rules.restart_both_empty == BothEmpty.DRAW or comes_back_for_ever(game):
        end_deal(game, Outcome.DRAWN, NOBODY)
    else:
        if state[WINDOW] == OPEN:
            state[WINDOW] = CLOSED
            row[STRESS_MISSED] += 1
        each_takes_right(game, True)
        stop_all(game)
        pickup = ZERO
        for player in range(N_PLAYERS):
            pickup = max(pickup, pickup_time(game, np.int64(player), True))
        state[TABLE_ACT] = FLIP
        state[REASON] = np.int64(Reason.BOTH_EMPTY)
        delay = flip_delay(game, Reason.BOTH_EMPTY)
        state[TABLE_TIME] = state[NOW] + pickup + delay


@kernel()
def _check_out(game):  # type: ignore[no-untyped-def]
    """Has somebody got rid of all cards? He has won, must call, or must see a stress through (B45, B46, U23, U38)."""
    rules = game.rules
    players = game.players
    state = game.state
    if players_out(game) < 0:
        return
    if rules.win_call == WinCall.REQUIRED:
        for player in range(N_PLAYERS):
            at = player_at(player)
            if remaining(game, np.int64(player)) == 0 and state[at + ACT] != CALLING:
                state[at + ACT] = CALLING
                state[at + ACT_TIME] = state[NOW] + motor_time(game, np.int64(player), players[player & PLACES].call)
    elif rules.win_check_before_stress == 1 or state[WINDOW] == CLOSED or not _slap_pending(game):
        end_if_out(game)


@kernel(inline=True)
def _judge_stall(game):  # type: ignore[no-untyped-def]
    """Note the begin of a stall: nobody has a play, refill or merge to make, and no stress will be slapped."""
    rules = game.rules
    state = game.state
    row = game.row
    if state[STALL_SINCE] >= 0:
        return
    fits = fitting(game)
    for player in range(N_PLAYERS):
        if (
            row_mask(game, player) & fits != 0
            or remaining(game, np.int64(player)) == 0
            or can_refill(game, np.int64(player))
        ):
            return
    if rules.merge_equal_ranks == MergeEqualRanks.ALWAYS:
        for player in range(N_PLAYERS):
            if equal_slots(game, np.int64(player)) >= 0:
                return
    if state[WINDOW] == OPEN and _slap_pending(game):
        return
    if row[STALLS] == 0:
        row[FIRST_STALL_US] = state[NOW]
    row[STALLS] += 1
    row[STALLED] = 1
    state[STALL_SINCE] = state[NOW]


@kernel()
def _plan_restart(game):  # type: ignore[no-untyped-def]
    """Let the table count down once the players agree that it must (B27, B29, U29); not with a hand in the air."""
    # Nearly always somebody has something to do.
    if game.rules.restart_consent != RestartConsent.UNILATERAL:
        for player in range(N_PLAYERS):
            if game.state[player_at(player) + STUCK] >= FAR:
                return
    rules = game.rules
    state = game.state
    if state[TABLE_ACT] != IDLE:
        return
    if _slap_pending(game):
        return
    agreed = state[NOW]
    asked = FAR
    n_ready = ZERO
    for player in range(N_PLAYERS):
        at = player_at(player)
        if state[at + ACT] == WAITING and state[at + STUCK] < FAR:
            n_ready += 1
            agreed = max(agreed, state[at + STUCK])
            if state[at + DECLINED] == 1:
                asked = min(asked, state[at + STUCK])
    if n_ready < N_PLAYERS:
        if asked == FAR or rules.restart_consent != RestartConsent.UNILATERAL:
            return
        agreed = max(state[NOW], asked)
    reason = np.int64(Reason.LOCKED) if asked == FAR else np.int64(Reason.DECLINED)
    if state[player_at(ZERO) + STOCK_SIZE] + state[player_at(ONE) + STOCK_SIZE] == 0:
        state[TABLE_ACT] = RECOGNISE_EMPTY
        state[TABLE_TIME] = agreed
        return
    state[TABLE_ACT] = FLIP
    state[REASON] = reason
    state[TABLE_TIME] = agreed + flip_delay(game, reason)
