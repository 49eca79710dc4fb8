"""What one player does under the clock: look, choose, reach, refill, merge, or find himself stuck."""

from __future__ import annotations

from math import comb

import numpy as np

from stressim.compiled.jit import count_ones, kernel, lowest_one
from stressim.compiled.rng import high_32, low_32, next_32, next_word, sample
from stressim.shedding.events import JOKER_RANK
from stressim.shedding.habits import CardChoice, When
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
    FITS,
    HAS_CHOICE,
    ILLEGAL_LEFT,
    IS_ILLEGAL,
    MOTOR,
    N_PILES,
    NOTICE,
    NOW,
    PILE,
    PILE_BLOCK,
    PILE_FITS,
    PILE_RANK,
    PILE_VERSION,
    PILES,
    PLACES,
    RANK,
    SEARCH_END,
    SHORT_PLAYS,
    SLAP,
    SLOT,
    SLOT_RANK,
    SLOT_SIZE,
    STOCK_SIZE,
    STUCK,
    VERSION,
)
from stressim.shedding.kernel.moves import (
    NOBODY,
    ONE,
    UONE,
    ZERO,
    can_refill,
    equal_slots,
    fill_row,
    high_lanes,
    low_lanes,
    pile_at,
    player_at,
    remaining,
    row_mask,
    slots_used,
    spread,
)
from stressim.shedding.rules import MergeEqualRanks, RefillPolicy, RestartTrigger, StockLocation

# What a player has under way
WAITING = np.int64(0)
PLAYING = np.int64(1)
REFILLING = np.int64(2)
MERGING = np.int64(3)
CALLING = np.int64(4)

UNIT = np.int64(65536)  # one, in 16-bit fixed point

# log2(n) in 16-bit fixed point for the cost of choosing among n plays
_BITS_OF_CHOICE = tuple(int(round(float(np.log2(max(n, 1))) * 65536)) for n in range(33))


@kernel(inline=True)
def cognitive(game, player, time):  # type: ignore[no-untyped-def]
    """Scale a time of eyes and mind by the player's person factor."""
    state = game.state
    return (time * state[player_at(player) + COGNITIVE]) >> 16


@kernel(inline=True)
def motor(game, player, time):  # type: ignore[no-untyped-def]
    """Scale a time of the hand by the player's person factor."""
    state = game.state
    return (time * state[player_at(player) + MOTOR]) >> 16


@kernel(inline=True)
def motor_time(game, player, which):  # type: ignore[no-untyped-def]
    """Draw the time of a movement; ``which`` is the row of the player's tables."""
    tables = game.tables
    streams = game.streams
    return motor(game, player, sample(tables, player, which, next_32(streams, 1 + player)))


@kernel()
def prepare_player(game, player):  # type: ignore[no-untyped-def]
    """Draw what a player brings to the deal: how fast he is, and how far off his next errors are."""
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    at = player_at(player)
    own = players[player & PLACES]
    state[at + COGNITIVE] = UNIT
    state[at + MOTOR] = UNIT
    if own.persons_differ == 1:
        # One shared draw makes quick minds and quick hands go together.
        common = next_32(streams, 1 + player)
        word = next_word(streams, 1 + player)
        state[at + COGNITIVE] = (
            sample(tables, player, own.person_common_cognitive, common)
            * sample(tables, player, own.person_own_cognitive, high_32(word))
        ) >> 16
        state[at + MOTOR] = (
            sample(tables, player, own.person_common_motor, common)
            * sample(tables, player, own.person_own_motor, low_32(word))
        ) >> 16
    word = next_word(streams, 1 + player)
    state[at + FALSE_LEFT] = sample(tables, player, own.hazard, high_32(word))
    state[at + ILLEGAL_LEFT] = sample(tables, player, own.hazard, low_32(word))
    state[at + ACT] = WAITING
    state[at + ACT_TIME] = FAR
    state[at + STUCK] = FAR
    state[at + NOTICE] = FAR
    state[at + SLAP] = FAR


@kernel()
def fill_row_by_habit(game, player, merging_allowed):  # type: ignore[no-untyped-def]
    """Fill a row while the table waits, merging if rules and habit do."""
    rules = game.rules
    players = game.players
    merging = merging_allowed and (rules.merge_mandatory == 1 or players[player & PLACES].merge == When.AT_ONCE)
    fill_row(game, player, merging)


@kernel(inline=True)
def refill_time(game, player):  # type: ignore[no-untyped-def]
    """Draw the time to fill one slot, from wherever the stock is."""
    rules = game.rules
    players = game.players
    which = players[player & PLACES].refill_from_table
    if rules.stock_location == StockLocation.HAND:
        which = players[player & PLACES].refill_from_hand
    return motor_time(game, player, which)


@kernel()
def start_look(game, player, begin):  # type: ignore[no-untyped-def]
    """Let a player decide what he does next, with eyes and hands free from ``begin`` on."""
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
    mask = row_mask(game, player)
    fits_0 = state[PILES + PILE_FITS]
    fits_1 = state[PILES + PILE_BLOCK + PILE_FITS]
    playable = mask & (fits_0 | fits_1)

    # Merge and refill where rules, habit or need say so.
    if rules.merge_equal_ranks == MergeEqualRanks.ALWAYS and (
        playable == 0 or rules.merge_mandatory == 1 or own.merge == When.AT_ONCE
    ):
        pair = equal_slots(game, player)
        if pair >= 0:
            state[at + ACT] = MERGING
            state[at + SLOT] = pair
            state[at + ACT_TIME] = begin + motor_time(game, player, own.merge_own_cards)
            return
    if can_refill(game, player) and (
        playable == 0
        or own.refill == When.AT_ONCE
        or rules.refill_policy == RefillPolicy.AFTER_EACH_PLAY
        or (rules.refill_policy == RefillPolicy.IMMEDIATE and state[at + SHORT_PLAYS] > 0)
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
    if playable == 0:
        scan = (slots_used(game, player) * own.scan_per_card_us * own.scan_absent_factor_x65536) >> 16
        state[at + SEARCH_END] = begin + look + cognitive(game, player, scan)
        agreement = cognitive(game, player, sample(tables, player, own.stuck_agreement, low_32(word)))
        state[at + STUCK] = state[at + SEARCH_END] + agreement
        return
    n_choices = count_ones(np.uint64(((mask & fits_0) << 16) | (mask & fits_1)))
    state[at + HAS_CHOICE] = 1 if n_choices > 1 else 0
    if own.card_choice == CardChoice.FIRST_SEEN:
        n_seen = _see_first(game, player, next_word(streams, 1 + player))
    else:
        n_seen = _choose(game, player, own.card_choice)
    look += cognitive(game, player, n_seen * own.scan_per_card_us)
    if n_choices > 1:
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
        _take_wrong_card(game, player)


@kernel()
def _declines(game, chance, player):  # type: ignore[no-untyped-def]
    """Whether a player would rather see new cards; pointless when nobody has any to flip."""
    state = game.state
    streams = game.streams
    if state[player_at(ZERO) + STOCK_SIZE] + state[player_at(ONE) + STOCK_SIZE] == 0:
        return False
    return next_32(streams, 1 + player) < chance


# What share of the orders of n cards, m of them playable, shows the first playable one at place k + 1 or later, as
# thresholds on 32 bits: C(n - k, m) / C(n, m).
_LATER = np.array(
    [
        [[round(2**32 * comb(n - k, m) / comb(n, m)) if 0 < m <= n - k else 0 for k in range(1, 8)] for m in range(9)]
        for n in range(9)
    ],
    dtype=np.int64,
)


@kernel(inline=True)
def _see_first(game, player, word):  # type: ignore[no-untyped-def]
    """Scan the row in random order up to the first card that fits; returns the number of cards seen.

    Each playable card is as likely as any other to be the first; how many cards come before it is drawn from the
    exact law. ``word`` gives 32 bits for that and 32 for the card and the pile.
    """
    state = game.state
    at = player_at(player)
    fits_0 = state[PILES + PILE_FITS]
    fits_1 = state[PILES + PILE_BLOCK + PILE_FITS]
    fits = spread(fits_0 | fits_1)
    low = low_lanes(game, player)
    high = high_lanes(game, player)
    n_used = count_ones(low) + count_ones(high)
    low &= fits
    high &= fits
    n_low = count_ones(low)
    n_playable = n_low + count_ones(high)
    bits = high_32(word)
    n_seen = ONE
    for k in range(7):
        n_seen += 1 if bits < _LATER[n_used & 15, n_playable & 15, k] else 0
    bits = low_32(word) * n_playable
    nth = bits >> 32
    base = ZERO
    if nth >= n_low:
        nth -= n_low
        low = high
        base = np.int64(4)
    for _ in range(3):
        rest = low & (low - UONE)
        low = rest if nth > 0 else low
        nth -= 1
    place = lowest_one(low)
    rank = place & 15
    on_0 = (fits_0 >> rank) & 1
    on_1 = (fits_1 >> rank) & 1
    state[at + SLOT] = base + (place >> 4)
    state[at + RANK] = rank
    # The fraction left of the bits decides where both piles would do.
    state[at + PILE] = on_1 & ((1 - on_0) | ((bits >> 31) & 1))
    return n_seen


@kernel()
def _choose(game, player, choice):  # type: ignore[no-untyped-def]
    """Look at the whole row and take the best play by a habit, ties by chance; returns the number of cards seen."""
    rules = game.rules
    state = game.state
    streams = game.streams
    at = player_at(player)
    best = np.int64(-1000)
    n_best = ZERO
    bits = next_32(streams, 1 + player)
    for slot in range(rules.row_slots):
        if state[at + SLOT_SIZE + slot] == 0:
            continue
        for pile in range(N_PILES):
            if (state[pile_at(pile) + PILE_FITS] >> state[at + SLOT_RANK + slot]) & 1 == 0:
                continue
            score = _score(game, player, slot, pile, choice)
            if score > best:
                best = score
                n_best = ZERO
            if score == best:
                n_best += 1
                bits = (bits & 0xFFFFFFFF) * n_best
                if bits >> 32 == 0:
                    state[at + SLOT] = slot
                    state[at + PILE] = pile
                    state[at + RANK] = state[at + SLOT_RANK + slot]
    return slots_used(game, player)


@kernel()
def _score(game, player, slot, pile, choice):  # type: ignore[no-untyped-def]
    """How much a habit likes a play; only the order of the scores counts."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    rank = state[at + SLOT_RANK + slot]
    makes_equal = rank == state[pile_at(1 - pile) + PILE_RANK] or rank == JOKER_RANK
    if choice == CardChoice.HUNT_STRESS:
        return ONE if makes_equal else ZERO
    if choice == CardChoice.SHUN_STRESS:
        return NOBODY if makes_equal else ZERO
    if choice == CardChoice.KEEP_FOLLOW_UP:
        for other in range(rules.row_slots):
            if other != slot and state[at + SLOT_SIZE + other] > 0:
                if (state[FITS + rank] >> state[at + SLOT_RANK + other]) & 1 == 1:
                    return ONE
        return ZERO
    if choice == CardChoice.BLOCK_OPPONENT:
        theirs = row_mask(game, 1 - player)
        score = ZERO
        if theirs & state[pile_at(pile) + PILE_FITS] != 0:
            score += 1
        if theirs & state[FITS + rank] != 0:
            score -= 1
        return score
    return ZERO


@kernel()
def _take_wrong_card(game, player):  # type: ignore[no-untyped-def]
    """Replace the planned card by one that does not fit on the planned pile, if the row has one."""
    rules = game.rules
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    at = player_at(player)
    word = next_word(streams, 1 + player)
    state[at + ILLEGAL_LEFT] = sample(tables, player, players[player & PLACES].hazard, high_32(word))
    fits = state[pile_at(state[at + PILE]) + PILE_FITS]
    bits = low_32(word)
    n_wrong = ZERO
    for slot in range(rules.row_slots):
        if state[at + SLOT_SIZE + slot] > 0 and (fits >> state[at + SLOT_RANK + slot]) & 1 == 0:
            n_wrong += 1
            bits = (bits & 0xFFFFFFFF) * n_wrong
            if bits >> 32 == 0:
                state[at + SLOT] = slot
                state[at + RANK] = state[at + SLOT_RANK + slot]
                state[at + IS_ILLEGAL] = 1
