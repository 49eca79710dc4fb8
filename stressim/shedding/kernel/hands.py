"""What one player does under the clock: look, choose, reach, refill, merge, or find himself stuck."""

from __future__ import annotations

import numpy as np

from stressim.compiled.clock import draw_person, scaled
from stressim.compiled.instructions import unseen
from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word, sample
from stressim.shedding.choices import (
    MultiCardPlay,
    PilePlay,
    RefillPolicy,
    RestartTrigger,
    RowPiles,
    StackTarget,
    StockLocation,
)
from stressim.shedding.events import JOKER_RANK
from stressim.shedding.habits import CardChoice, MergedPlay, When
from stressim.shedding.kernel.choosing import choose_card, see_first, take_wrong_card
from stressim.shedding.kernel.flip_sources import can_flip
from stressim.shedding.kernel.lanes import NO_SLOTS, high_lanes, low_lanes, row_mask, slots_used, spread
from stressim.shedding.kernel.layout import (
    ACT,
    ACT_TIME,
    AHEAD,
    CARRY,
    COGNITIVE,
    COMMIT,
    CREDIT,
    DECLINED,
    FALSE_LEFT,
    FAR,
    HAS_CHOICE,
    ILLEGAL_LEFT,
    IS_ILLEGAL,
    LOOK,
    MOTOR,
    NOTICE,
    NOW,
    PILE,
    PILE_VERSION,
    PLACES,
    RANK,
    SEARCH_END,
    SHORT_PLAYS,
    SLAP,
    SLOT,
    SLOT_RANK,
    SLOT_SIZE,
    STUCK,
    VERSION,
)
from stressim.shedding.kernel.piles import count_choices, fitting, other_fitting
from stressim.shedding.kernel.places import NOBODY, ONE, ZERO, is_pair, n_players, pile_at, player_at, remaining
from stressim.shedding.kernel.row_piles import face_down_slot, lay_out_piles, move_to_make, tops_to_merge
from stressim.shedding.kernel.rows import can_refill, equal_slots, fill_row, lay, lay_run
from stressim.shedding.limits import MAX_PILES

# What a player has under way
WAITING = np.int64(0)
PLAYING = np.int64(1)
REFILLING = np.int64(2)
MERGING = np.int64(3)
CALLING = np.int64(4)
TURNING = np.int64(5)
MOVING = np.int64(6)

# log2(n) in 16-bit fixed point for the cost of choosing among n plays
_BITS_OF_CHOICE = tuple(int(round(float(np.log2(max(n, 1))) * 65536)) for n in range(16 * MAX_PILES + 1))


@kernel(inline=True)
def cognitive(game, player, time):
    """Scale a time of eyes and mind by the player's person factor."""
    return scaled(time, game.state[player_at(player) + COGNITIVE])


@kernel(inline=True)
def motor(game, player, time):
    """Scale a time of the hand by the player's person factor."""
    return scaled(time, game.state[player_at(player) + MOTOR])


@kernel(inline=True)
def motor_time(game, player, which):
    """Draw the time of a movement; ``which`` is the row of the player's tables."""
    tables = game.tables
    streams = game.streams
    return motor(game, player, sample(tables, player, which, next_32(streams, 1 + player)))


@kernel()
def prepare_player(game, player):
    """Draw what a player brings to the deal: how fast he is, and how far off his next errors are."""
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    at = player_at(player)
    own = players[player & PLACES]
    draw_person(game, player, at + COGNITIVE, at + MOTOR)
    word = next_word(streams, 1 + player)
    state[at + FALSE_LEFT] = sample(tables, player, own.hazard, high_32(word))
    state[at + ILLEGAL_LEFT] = sample(tables, player, own.hazard, low_32(word))
    state[at + ACT] = WAITING
    state[at + ACT_TIME] = FAR
    state[at + STUCK] = FAR
    state[at + NOTICE] = FAR
    state[at + SLAP] = FAR


@kernel()
def fill_row_by_habit(game, player, merging_allowed):
    """Fill a row while the table waits, merging if rules and habit do."""
    rules = game.rules
    players = game.players
    if rules.row_piles == RowPiles.GROWING:
        lay_out_piles(game, player)
        return
    merging = merging_allowed and (rules.merge_mandatory == 1 or players[player & PLACES].merge == When.AT_ONCE)
    fill_row(game, player, merging)


@kernel(inline=True)
def refill_time(game, player):
    """Draw the time to fill one slot, from wherever the stock is."""
    rules = game.rules
    players = game.players
    which = players[player & PLACES].refill_from_table
    if rules.stock_location == StockLocation.HAND:
        which = players[player & PLACES].refill_from_hand
    return motor_time(game, player, which)


@kernel(inline=True)
def start_look(game, player, begin):
    """Let a player decide what he does next, with eyes and hands free from ``begin`` on, when the event is over."""
    game.state[player_at(player) + LOOK] = begin + 1


@kernel(inline=True)
def take_looks(game):
    """Let all look who have begun to; no look changes what another player sees."""
    # With each of two players' number constant the look is shorter.
    if is_pair(game):
        _look_if_begun(game, ZERO)
        _look_if_begun(game, ONE)
    else:
        for player in range(n_players(game)):
            _look_if_begun(game, np.int64(player))


@kernel(inline=True)
def _look_if_begun(game, player):
    state = game.state
    at = player_at(player)
    begin = state[at + LOOK] - 1
    if begin >= 0:
        state[at + LOOK] = 0
        _look(game, player, begin)


@kernel(inline=True)
def _look(game, player, begin):
    rules = game.rules
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    at = player_at(player)
    own = players[player & PLACES]
    state[at + ACT] = WAITING
    state[at + ACT_TIME] = FAR
    state[at + STUCK] = FAR
    state[at + SEARCH_END] = 0
    state[at + DECLINED] = 0
    ahead = state[at + AHEAD]
    state[at + AHEAD] = 0
    if state[at + NOTICE] <= state[NOW] or remaining(game, player) == 0:
        return
    lanes = low_lanes(game, player) | high_lanes(game, player)
    stuck = lanes & spread(fitting(game)) == NO_SLOTS

    # Merge and refill where rules, habit or need say so.
    if rules.row_work == 1 and _work_on_row(game, player, begin, stuck):
        return
    could = unseen(np.int64(can_refill(game, player)))
    if could == 1 and (
        own.refill == When.AT_ONCE
        or rules.refill_policy == RefillPolicy.AFTER_EACH_PLAY
        or (rules.refill_policy == RefillPolicy.IMMEDIATE and state[at + SHORT_PLAYS] > 0)
        or stuck
    ):
        duration = refill_time(game, player)
        state[at + ACT] = REFILLING
        state[at + ACT_TIME] = begin + duration
        if rules.one_hand_only == 0 and own.second_hand == 1:
            state[at + CREDIT] = duration
        return

    word = next_word(streams, 1 + player)
    look = cognitive(game, player, sample(tables, player, own.notice_base, high_32(word)))
    look = max(ZERO, look - state[at + CREDIT])
    state[at + CREDIT] = 0
    if stuck:
        scan = (slots_used(game, player) * own.scan_per_card_us * own.scan_absent_factor_x65536) >> 16
        state[at + SEARCH_END] = begin + look + cognitive(game, player, scan)
        agreement = cognitive(game, player, sample(tables, player, own.stuck_agreement, low_32(word)))
        state[at + STUCK] = state[at + SEARCH_END] + agreement
        return
    n_choices = count_choices(game, row_mask(game, player))
    state[at + HAS_CHOICE] = 1 if n_choices > 1 else 0
    if own.card_choice == CardChoice.FIRST_SEEN:
        n_seen = see_first(game, player, next_word(streams, 1 + player))
    else:
        n_seen = choose_card(game, player, own.card_choice)
    look += cognitive(game, player, n_seen * own.scan_per_card_us)
    look += cognitive(game, player, (own.choice_cost_us * _BITS_OF_CHOICE[n_choices]) >> 16)
    if (
        rules.restart_trigger == RestartTrigger.LOCKED_OR_DECLINED
        and own.decline > 0
        and _declines(game, own.decline, player)
    ):
        state[at + DECLINED] = 1
        state[at + SEARCH_END] = begin + look
        agreement = cognitive(game, player, sample(tables, player, own.stuck_agreement, next_32(streams, 1 + player)))
        state[at + STUCK] = state[at + SEARCH_END] + agreement
        return
    word = next_word(streams, 1 + player)
    reach = motor(game, player, sample(tables, player, own.reach_grasp, high_32(word)))
    if ahead == 1:
        reach = ZERO
    state[at + ACT] = PLAYING
    state[at + COMMIT] = begin + look
    state[at + CARRY] = begin + look + reach
    state[at + ACT_TIME] = (
        begin + look + reach + motor(game, player, sample(tables, player, own.carry_to_land, low_32(word)))
    )
    state[at + VERSION] = state[pile_at(state[at + PILE]) + PILE_VERSION]
    state[at + IS_ILLEGAL] = 0
    state[at + ILLEGAL_LEFT] -= own.illegal_play_hazard
    if state[at + ILLEGAL_LEFT] < 0:
        take_wrong_card(game, player)


@kernel()
def _work_on_row(game, player, begin, needed):
    """Let a player put equal ranks together, or work on his piles; whether he does."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    if rules.row_piles == RowPiles.GROWING:
        return _work_on_piles(game, player, begin, needed)
    if needed or rules.merge_mandatory == 1 or own.merge == When.AT_ONCE:
        pair = equal_slots(game, player)
        if pair >= 0:
            state[at + ACT] = MERGING
            state[at + SLOT] = pair
            state[at + ACT_TIME] = begin + motor_time(game, player, own.merge_own_cards)
            return True
    return False


@kernel()
def _work_on_piles(game, player, begin, needed):
    """Let a player turn up a card of his piles, put equal tops together, or move one if ``needed``; whether he does."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    if needed or own.refill == When.AT_ONCE:
        slot = face_down_slot(game, player)
        if slot >= 0:
            state[at + ACT] = TURNING
            state[at + SLOT] = slot
            state[at + ACT_TIME] = begin + motor_time(game, player, own.flip)
            return True
    if needed or rules.merge_mandatory == 1 or own.merge == When.AT_ONCE:
        pair = tops_to_merge(game, player, 1 + player)
        if pair >= 0:
            state[at + ACT] = MERGING
            state[at + SLOT] = pair
            state[at + ACT_TIME] = begin + motor_time(game, player, own.merge_own_cards)
            return True
    if needed:
        move = move_to_make(game, player, 1 + player)
        if move >= 0:
            state[at + ACT] = MOVING
            state[at + SLOT] = move
            state[at + ACT_TIME] = begin + motor_time(game, player, own.merge_own_cards)
            return True
    return False


@kernel()
def _declines(game, chance, player):
    """Whether a player would rather see new cards; pointless when nobody has any to flip."""
    streams = game.streams
    if not can_flip(game):
        return False
    return next_32(streams, 1 + player) < chance


@kernel(inline=True)
def lay_planned(game, player):
    """Lay the planned card, and those that go with it by rules and habit; returns a second pile they went on, or -1."""
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
    other = other_fitting(game, pile, rank)
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
    if rules.multi_card_play == MultiCardPlay.OFF or own.equal_together == 0 or rank == JOKER_RANK:
        return NOBODY
    return _lay_more(game, player, n == size, other)


@kernel()
def _lay_more(game, player, whole, other_pile):
    """Lay the cards that go in one move with the planned one; returns a second pile they went on, or -1."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    slot = state[at + SLOT] & 7
    pile = state[at + PILE]
    if rules.multi_card_play == MultiCardPlay.RUN:
        lay_run(game, player, pile, slot, 1 + player)
        return NOBODY
    if not whole:
        return NOBODY
    target = pile
    if other_pile >= 0 and rules.stack_target == StackTarget.EITHER and game.players[player & PLACES].equal_spread == 1:
        target = other_pile
    second = NOBODY
    for other in range(rules.row_slots):
        if other != slot and state[at + SLOT_SIZE + other] > 0 and state[at + SLOT_RANK + other] == state[at + RANK]:
            lay(game, player, np.int64(other), target, state[at + SLOT_SIZE + other], ONE, 1 + player)
            if target != pile:
                second = target
    return second
