"""A card reaches a pile under the clock: it is laid, refused or kept back, and everybody sees it."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import unseen
from stressim.compiled.jit import kernel
from stressim.compiled.rng import next_32
from stressim.shedding.choices import IllegalCard, LateCard, PlayOnEqualTops, RoundEnd, StressOn
from stressim.shedding.events import Kind
from stressim.shedding.kernel.ends import judge_lead, players_out
from stressim.shedding.kernel.flips import key_player
from stressim.shedding.kernel.hands import (
    CALLING,
    PLAYING,
    WAITING,
    lay_planned,
    motor_time,
    start_look,
)
from stressim.shedding.kernel.layout import (
    ABORTED_CARDS,
    ACT,
    ACT_TIME,
    AHEAD,
    CHOICES,
    COMMIT,
    FAR,
    FREE,
    HAS_CHOICE,
    ILLEGAL_CARDS,
    IS_ILLEGAL,
    LAST_EQUAL,
    LATE_CARDS,
    LOOK,
    LOOKS,
    MOVES,
    NOTICE,
    NOW,
    OUTCOME,
    PILE,
    PILE_FITS,
    PILE_VERSION,
    PLACES,
    RANK,
    ROW_CARDS,
    SEARCH_END,
    SECOND,
    SHORT_PLAYS,
    SLOT,
    SLOT_SIZE,
    STUCK,
    VERSION,
    WINDOW,
)
from stressim.shedding.kernel.out import check_out
from stressim.shedding.kernel.pickups import penalty_card
from stressim.shedding.kernel.piles import tops_equal, would_be_equal
from stressim.shedding.kernel.places import (
    UNUSED,
    is_pair,
    log_event,
    n_players,
    pile_at,
    player_at,
    slot_cards,
)
from stressim.shedding.kernel.restart import judge_stall
from stressim.shedding.kernel.rounds import end_round
from stressim.shedding.kernel.rows import can_refill
from stressim.shedding.kernel.table import OPEN, slap_pending, table_off
from stressim.shedding.kernel.windows import close_window, expose_to_false_slaps, open_window, window_of_many


@kernel(inline=True)
def on_arrival(game, player):
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
    state[at + SHORT_PLAYS] += np.int64(can_refill(game, player))
    second = lay_planned(game, player)
    equal = rules.stress_on != StressOn.NONE and tops_equal(game)
    state[at + LAST_EQUAL] = 1 if tops_equal(game) else 0
    state[at + ACT] = WAITING
    state[at + ACT_TIME] = FAR
    state[at + SEARCH_END] = 0
    table_off(game)
    key_player(game, player)
    judge_lead(game)
    if is_pair(game):
        if state[WINDOW] == OPEN:
            close_window(game)
        if equal and not barred:
            open_window(game, player)
    elif rules.stress_on != StressOn.NONE:
        window_of_many(game, player, pile, second, barred)
    if rules.stress_on != StressOn.NONE and not equal:
        expose_to_false_slaps(game)
    if _some_row_is_empty(game):
        if _with_empty_row(game, player):
            return
    for other in range(n_players(game)):
        if other != player:
            _wake(game, np.int64(other), pile)
            state[player_at(other) + SECOND] = second + 1
    if state[at + ACT] != CALLING:
        if rules.one_card_at_a_time == 0 and players[player & PLACES].grasp_ahead == 1:
            state[at + AHEAD] = 1
        start_look(game, player, state[NOW])
    judge_stall(game)


@kernel(inline=True)
def _some_row_is_empty(game):
    """Whether a player has no card in his row."""
    for player in range(n_players(game)):
        if game.state[player_at(player) + ROW_CARDS] == 0:
            return True
    return False


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
    if rules.stress_on == StressOn.NONE or not would_be_equal(game, state[at + PILE], rank):
        return False
    barred = False
    for other in range(n_players(game)):
        if other != player and next_32(streams, 1 + other) < players[other & PLACES].announce_stop:
            barred = True
            card = _top_of(game, player, state[at + SLOT])
            log_event(game, Kind.ANNOUNCE, np.int64(other), UNUSED, UNUSED, card, UNUSED)
    return barred


@kernel()
def see_second_piles(game):
    """Let all who have seen one of two piles change see the other; returns whether there were two."""
    state = game.state
    seen = False
    for player in range(n_players(game)):
        pile = state[player_at(player) + SECOND] - 1
        if pile >= 0:
            state[player_at(player) + SECOND] = 0
            _wake(game, np.int64(player), pile)
            seen = True
    return seen


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
    looks = (act == WAITING) | (concerned & thinks & (not fits))
    state[at + LOOK] = (1 + max(now, state[at + FREE])) & unseen(-np.int64(looks))
    if concerned & (not looks):
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
