"""Which card a player sees, likes or mistakes for one that fits."""

from __future__ import annotations

from math import comb

import numpy as np

from stressim.compiled.instructions import count_ones, nth_one
from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word, sample
from stressim.shedding.choices import RowVisibility
from stressim.shedding.events import JOKER_RANK
from stressim.shedding.habits import CardChoice
from stressim.shedding.kernel.lanes import SLOTS_A_WORD, high_lanes, low_lanes, row_mask, slots_used, spread
from stressim.shedding.kernel.layout import (
    FACE_DOWN,
    FITS,
    ILLEGAL_LEFT,
    IS_ILLEGAL,
    PAIR,
    PILE,
    PILE_FITS,
    PILE_RANK,
    PILES,
    PLACES,
    RANK,
    SEAT_BLOCK,
    SLOT,
    SLOT_RANK,
    SLOT_SIZE,
)
from stressim.shedding.kernel.piles import fitting, piles_for, would_be_equal
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    ZERO,
    count_bits,
    is_pair,
    n_piles,
    n_players,
    pile_at,
    player_at,
)

# What share of the orders of n cards, m of them playable, shows the first playable one at place k + 1 or later, as
# thresholds on 32 bits: C(n - k, m) / C(n, m); n and m up to 8, with room up to 15 so that places are found by shifts.
_LATER = np.array(
    [
        [[round(2**32 * comb(n - k, m) / comb(n, m)) if 0 < m <= n - k else 0 for k in range(1, 9)] for m in range(16)]
        for n in range(16)
    ],
    dtype=np.int64,
)


@kernel(inline=True)
def see_first(game, player, word):
    """Scan the row in random order up to the first card that fits; returns the number of cards seen.

    Each playable card is as likely as any other to be the first; how many cards come before it is drawn from the
    exact law. ``word`` gives 32 bits for that and 32 for the card and the pile.
    """
    state = game.state
    at = player_at(player)
    fits = spread(fitting(game))
    low = low_lanes(game, player)
    high = high_lanes(game, player)
    n_used = count_ones(low) + count_ones(high)
    low &= fits
    high &= fits
    n_low = count_ones(low)
    n_playable = n_low + count_ones(high)
    bits = high_32(word)
    n_seen = ONE
    for k in range(3):
        n_seen += 1 if bits < _LATER[n_used & 15, n_playable & 15, k] else 0
    if game.rules.row_slots > SLOTS_A_WORD and bits < _LATER[n_used & 15, n_playable & 15, 3]:
        n_seen += 1
        for k in range(4, 7):
            n_seen += 1 if bits < _LATER[n_used & 15, n_playable & 15, k] else 0
    bits = low_32(word) * n_playable
    nth = bits >> 32
    base = ZERO
    if game.rules.row_slots > SLOTS_A_WORD and nth >= n_low:
        nth -= n_low
        low = high
        base = np.int64(4)
    place = nth_one(low, nth)
    rank = place & 15
    state[at + SLOT] = base + (place >> 4)
    state[at + RANK] = rank
    # The fraction left of the bits decides where several piles would do.
    if is_pair(game):
        on_0 = (state[PILES + PILE_FITS] >> rank) & 1
        on_1 = (state[PILES + SEAT_BLOCK + PILE_FITS] >> rank) & 1
        state[at + PILE] = on_1 & ((1 - on_0) | ((bits >> 31) & 1))
    else:
        state[at + PILE] = _nth_fitting(game, rank, bits & 0xFFFFFFFF)
    return n_seen


@kernel(beyond=PAIR, otherwise=ZERO)
def _nth_fitting(game, rank, fraction):
    """Any of the piles on which a rank fits, by a fraction of 32 bits."""
    piles = piles_for(game, rank)
    if piles == 0:
        return NOBODY
    return nth_one(np.uint64(piles), (fraction * count_bits(piles)) >> 32)


@kernel()
def choose_card(game, player, choice):
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
        for pile in range(n_piles(game)):
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
def _score(game, player, slot, pile, choice):
    """How much a habit likes a play; only the order of the scores counts."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    rank = state[at + SLOT_RANK + slot]
    if is_pair(game):
        makes_equal = rank == state[pile_at(1 - pile) + PILE_RANK] or rank == JOKER_RANK
    else:
        makes_equal = would_be_equal(game, np.int64(pile), rank) or rank == JOKER_RANK
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
    if choice == CardChoice.BLOCK_OPPONENT and rules.row_visibility == RowVisibility.OPEN:
        theirs = ZERO
        for other in range(n_players(game)):
            if other != player:
                theirs |= row_mask(game, np.int64(other))
        score = ZERO
        if theirs & state[pile_at(pile) + PILE_FITS] != 0:
            score += 1
        if theirs & state[FITS + rank] != 0:
            score -= 1
        return score
    return ZERO


@kernel()
def take_wrong_card(game, player):
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
        rank = state[at + SLOT_RANK + slot]
        if state[at + SLOT_SIZE + slot] > 0 and rank != FACE_DOWN and (fits >> rank) & 1 == 0:
            n_wrong += 1
            bits = (bits & 0xFFFFFFFF) * n_wrong
            if bits >> 32 == 0:
                state[at + SLOT] = slot
                state[at + RANK] = state[at + SLOT_RANK + slot]
                state[at + IS_ILLEGAL] = 1
