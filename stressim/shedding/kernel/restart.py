"""The table under the clock: agree that nobody can go on, flip, and see who is out."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.shedding.choices import (
    BothEmpty,
    GiverWithOneCard,
    MergeEqualRanks,
    RefillPolicy,
    RestartConsent,
    RestartSource,
    RoundEnd,
    RowPiles,
    SidePileReuse,
    StressOn,
)
from stressim.shedding.events import Kind, Outcome, Reason
from stressim.shedding.kernel.ends import (
    comes_back_for_ever,
    end_deal,
    fewest_cards,
    judge_lead,
    nothing_ever_fits,
)
from stressim.shedding.kernel.flip_sources import can_flip
from stressim.shedding.kernel.flips import flip
from stressim.shedding.kernel.hands import MERGING, PLAYING, WAITING, fill_row_by_habit, motor_time, start_look
from stressim.shedding.kernel.lanes import high_lanes, low_lanes, spread
from stressim.shedding.kernel.layout import (
    ACT,
    ACT_TIME,
    BOTH_STOCKS_EMPTY,
    COMMIT,
    DECLINED,
    FAR,
    FIRST_STALL_US,
    FREE,
    IS_ILLEGAL,
    NOW,
    OUTCOME,
    PILE,
    PILE_FITS,
    PILE_VERSION,
    PLACES,
    RANK,
    REASON,
    RESTARTS,
    SLOT,
    SLOT_RANK,
    SLOT_SIZE,
    STALL_SINCE,
    STALLED,
    STALLED_US,
    STALLS,
    STRESS_MISSED,
    STRESS_PILES,
    STUCK,
    TABLE_ACT,
    TABLE_TIME,
    VERSION,
    WINDOW,
)
from stressim.shedding.kernel.out import check_out
from stressim.shedding.kernel.pickups import each_takes_right
from stressim.shedding.kernel.piles import equal_piles, fitting, tops_equal
from stressim.shedding.kernel.places import (
    NOBODY,
    UNUSED,
    ZERO,
    is_pair,
    log_event,
    n_players,
    pile_at,
    player_at,
    remaining,
)
from stressim.shedding.kernel.rounds import end_round
from stressim.shedding.kernel.row_piles import row_can_change
from stressim.shedding.kernel.rows import can_refill, equal_slots
from stressim.shedding.kernel.side_piles import renew_side_piles
from stressim.shedding.kernel.table import (
    CLOSED,
    FLIP,
    IDLE,
    OPEN,
    RECOGNISE_EMPTY,
    flip_delay,
    pickup_time,
    slap_pending,
    stop_all,
    table_off,
)
from stressim.shedding.kernel.windows import expose_to_false_slaps, open_window

ZERO_CARDS = np.uint64(0)


@kernel()
def on_table(game):
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
        for player in range(n_players(game)):
            if state[player_at(player) + DECLINED] == 1:
                log_event(game, Kind.DECLINE, np.int64(player), UNUSED, UNUSED, UNUSED, UNUSED)
    if state[WINDOW] == OPEN:
        state[WINDOW] = CLOSED
        row[STRESS_MISSED] += 1
    if rules.flip_before_refill == 0 and reason != Reason.LOCKED and reason != Reason.DECLINED:
        for player in range(n_players(game)):
            if rules.refill_policy != RefillPolicy.NONE:
                merging = rules.merge_equal_ranks == MergeEqualRanks.ALWAYS
                fill_row_by_habit(game, np.int64(player), merging)
    flip(game, reason)
    if state[STALL_SINCE] >= 0:
        row[STALLED_US] += state[NOW] - state[STALL_SINCE]
        state[STALL_SINCE] = -1
    after_flip(game)


@kernel()
def after_flip(game):
    """New cards lie in the centre: everybody looks at them."""
    rules = game.rules
    state = game.state
    judge_lead(game)
    if rules.stress_on != StressOn.NONE:
        if tops_equal(game):
            if not is_pair(game):
                state[STRESS_PILES] = equal_piles(game)
            open_window(game, NOBODY)
        else:
            expose_to_false_slaps(game)
    check_out(game)
    if state[OUTCOME] >= 0:
        return
    if rules.restart_source == RestartSource.OWN_ROW or rules.giver_with_one_card == GiverWithOneCard.FROM_ROW:
        _notice_missing_cards(game)
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + ACT] == WAITING:
            start_look(game, np.int64(player), max(state[NOW], state[at + FREE]))
        elif state[at + ACT] == PLAYING and state[at + IS_ILLEGAL] == 0:
            _wake_after_flip(game, np.int64(player))
    judge_stall(game)


@kernel()
def _notice_missing_cards(game):
    """A card that a player was about to lay or to put on another has been flipped instead: he must think anew."""
    state = game.state
    for player in range(n_players(game)):
        at = player_at(player)
        slot = state[at + SLOT]
        gone = False
        if state[at + ACT] == PLAYING:
            gone = state[at + SLOT_SIZE + slot] == 0 or state[at + SLOT_RANK + slot] != state[at + RANK]
        elif state[at + ACT] == MERGING:
            gone = state[at + SLOT_SIZE + (slot >> 4)] == 0 or state[at + SLOT_SIZE + (slot & 15)] == 0
        if gone:
            state[at + ACT] = WAITING
            state[at + ACT_TIME] = FAR


@kernel()
def _wake_after_flip(game, player):
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
def _both_empty(game):
    """Nobody can play and nobody has a card to flip (B31, U1, U4)."""
    rules = game.rules
    state = game.state
    row = game.row
    if rules.restart_source == RestartSource.SIDE_PILES and rules.side_pile_reuse != SidePileReuse.NEVER:
        _renew_side_piles(game)
        return
    row[BOTH_STOCKS_EMPTY] = 1
    if rules.round_end != RoundEnd.NONE:
        end_round(game, NOBODY)
        return
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
        for player in range(n_players(game)):
            pickup = max(pickup, pickup_time(game, np.int64(player), True))
        state[TABLE_ACT] = FLIP
        state[REASON] = np.int64(Reason.BOTH_EMPTY)
        delay = flip_delay(game, np.int64(Reason.BOTH_EMPTY))
        state[TABLE_TIME] = state[NOW] + pickup + delay


@kernel()
def _renew_side_piles(game):
    """The centre piles become the side piles, unless no card of them will ever fit (U4)."""
    state = game.state
    if nothing_ever_fits(game):
        end_deal(game, Outcome.DRAWN, NOBODY)
        return
    renew_side_piles(game)
    stop_all(game)
    pickup = ZERO
    for player in range(n_players(game)):
        which = game.players[player & PLACES].pickup_under
        if game.rules.side_pile_reuse == SidePileReuse.SHUFFLED:
            which = game.players[player & PLACES].pickup_shuffled
        pickup = max(pickup, motor_time(game, np.int64(player), which))
    state[TABLE_ACT] = FLIP
    state[REASON] = np.int64(Reason.RENEWED)
    state[TABLE_TIME] = state[NOW] + pickup + flip_delay(game, np.int64(Reason.RENEWED))


@kernel(inline=True)
def judge_stall(game):
    """Note the begin of a stall: nobody has a play, refill or merge to make, and no stress will be slapped."""
    rules = game.rules
    state = game.state
    row = game.row
    if state[STALL_SINCE] >= 0:
        return
    cards = ZERO_CARDS
    for player in range(n_players(game)):
        cards |= low_lanes(game, player) | high_lanes(game, player)
    if cards & spread(fitting(game)) != 0:
        return
    for player in range(n_players(game)):
        if (remaining(game, np.int64(player)) == 0) | can_refill(game, np.int64(player)):
            return
    if rules.row_piles == RowPiles.GROWING:
        for player in range(n_players(game)):
            if row_can_change(game, np.int64(player)):
                return
    elif rules.merge_equal_ranks == MergeEqualRanks.ALWAYS:
        for player in range(n_players(game)):
            if equal_slots(game, np.int64(player)) >= 0:
                return
    if state[WINDOW] == OPEN and slap_pending(game):
        return
    if row[STALLS] == 0:
        row[FIRST_STALL_US] = state[NOW]
    row[STALLS] += 1
    row[STALLED] = 1
    state[STALL_SINCE] = state[NOW]


@kernel(inline=True)
def plan_restart(game):
    """Let the table count down once the players agree that it must (B27, B29, U29); not with a hand in the air."""
    state = game.state
    latest = state[player_at(ZERO) + STUCK]
    for player in range(1, n_players(game)):
        latest = max(latest, state[player_at(player) + STUCK])
    # Nearly always somebody has something to do.
    if latest < FAR or game.rules.restart_consent == RestartConsent.UNILATERAL:
        _agree(game)


@kernel()
def _agree(game):
    rules = game.rules
    state = game.state
    if state[TABLE_ACT] != IDLE:
        return
    if slap_pending(game):
        return
    agreed = state[NOW]
    asked = FAR
    n_ready = ZERO
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + ACT] == WAITING and state[at + STUCK] < FAR:
            n_ready += 1
            agreed = max(agreed, state[at + STUCK])
            if state[at + DECLINED] == 1:
                asked = min(asked, state[at + STUCK])
    if n_ready < n_players(game):
        if asked == FAR or rules.restart_consent != RestartConsent.UNILATERAL:
            return
        agreed = max(state[NOW], asked)
    reason = np.int64(Reason.LOCKED) if asked == FAR else np.int64(Reason.DECLINED)
    if not can_flip(game):
        state[TABLE_ACT] = RECOGNISE_EMPTY
        state[TABLE_TIME] = agreed
        return
    state[TABLE_ACT] = FLIP
    state[REASON] = reason
    state[TABLE_TIME] = agreed + flip_delay(game, reason)
