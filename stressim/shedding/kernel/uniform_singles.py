"""The shedding game without a clock where rows are of single cards and full: play after play without a look elsewhere.

What :mod:`stressim.shedding.kernel.uniform` does for all rules, for those of most texts: two players with two piles,
four slots of one card each, which are refilled as long as there is a stock. A play waits for the one before it, so the
rows and what fits on the piles stay in the processor; nothing here branches on what chance decides, but for the end.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import count_ones, nth_one, unseen
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import (
    MergeEqualRanks,
    MultiCardPlay,
    RefillPolicy,
    RoundEnd,
    RowPiles,
    StressOn,
)
from stressim.shedding.events import Kind
from stressim.shedding.kernel.lanes import SLOTS_A_WORD, low_lanes, spread
from stressim.shedding.kernel.layout import (
    CARDS_AHEAD,
    CHOICES,
    COMES_BACK,
    FITS,
    LANES,
    LAST_EQUAL,
    LAST_LEAD,
    LEAD,
    LEAD_CHANGES,
    LEAD_FROM,
    LOGGING,
    LOOKS,
    MOST_BEHIND,
    MOVES,
    NOW,
    PILE_FITS,
    PILE_RANK,
    PILE_SIZE,
    PILES,
    ROW_CARDS,
    SEAT_BLOCK,
    SLOT_RANK,
    SLOT_SIZE,
    SPREAD,
    STACK,
    STOCK_HEAD,
    STOCK_SIZE,
)
from stressim.shedding.kernel.places import (
    ONE,
    ONE_SLOT,
    UNUSED,
    UONE,
    ZERO,
    is_pair,
    log_event,
    pile_at,
    pile_cards,
    player_at,
    remaining,
    slot_cards,
    stock_cards,
)


@kernel(inline=True)
def are_singles(game):
    """Whether all rows are as :func:`play_singles` wants them, whatever happens."""
    rules = game.rules
    return (
        is_pair(game)
        and rules.n_jokers == 0
        and rules.row_slots <= SLOTS_A_WORD
        and rules.row_piles != RowPiles.GROWING
        and rules.merge_equal_ranks == MergeEqualRanks.OFF
        and rules.multi_card_play == MultiCardPlay.OFF
        and rules.refill_policy != RefillPolicy.NONE
        and rules.round_end == RoundEnd.NONE
    )


@kernel(inline=True)
def plays_as_bits(lanes, fits_0, fits_1):
    """The plays of a row as bits: the place of a slot's rank stands for one on pile 0, the next place for pile 1.

    So they come in the order of slots and piles, and never at the same place, since a slot has one rank.
    """
    return (lanes & fits_0) | ((lanes & fits_1) << UONE)


@kernel()
def play_singles(game, most_plays):
    """Play until nobody can, the tops are equal, a player is out or there were ``most_plays`` plays.

    Returns
    -------
    bool
        Whether something else than a lack of plays was the end.
    """
    state = game.state
    row = game.row
    lanes_0 = low_lanes(game, ZERO)
    lanes_1 = low_lanes(game, ONE)
    fits_0 = spread(state[PILES + PILE_FITS])
    fits_1 = spread(state[PILES + SEAT_BLOCK + PILE_FITS])
    state[CARDS_AHEAD] = remaining(game, ONE) - remaining(game, ZERO)
    before = row[MOVES]
    goes_on = False
    while True:
        plays_0 = plays_as_bits(lanes_0, fits_0, fits_1)
        plays_1 = plays_as_bits(lanes_1, fits_0, fits_1)
        n_before = count_ones(plays_0)
        n_plays = n_before + count_ones(plays_1)
        if n_plays == 0:
            break
        nth = below(game.streams, ZERO, n_plays)
        player = np.int64(nth >= n_before)
        lanes = lanes_1 if player == 1 else lanes_0
        place = nth_one(plays_1 if player == 1 else plays_0, nth - (n_before & -player))
        pile = 1 - np.int64((lanes >> np.uint64(place)) & UONE)
        row[CHOICES] += _has_choice(lanes, fits_0, fits_1)
        moves = row[MOVES] + 1
        row[MOVES] = moves
        state[NOW] = moves
        rank = (place & 15) - pile
        fits = np.uint64(state[SPREAD + rank])
        lanes = _play_single(game, player, place >> 4, pile, rank, lanes)
        lanes_0 = lanes_0 if player == 1 else lanes
        lanes_1 = lanes if player == 1 else lanes_1
        fits_0 = fits_0 if pile == 1 else fits
        fits_1 = fits if pile == 1 else fits_1
        equal = np.int64(state[PILES + PILE_RANK] == state[PILES + SEAT_BLOCK + PILE_RANK])
        state[player_at(player) + LAST_EQUAL] = equal
        _note_lead(game, player, moves)
        goes_on = (
            state[player_at(player) + ROW_CARDS] == 0
            or moves >= most_plays
            or (equal == 1 and game.rules.stress_on != StressOn.NONE)
        )
        if goes_on:
            break
    if row[MOVES] > before:
        state[LEAD] = np.int64(state[CARDS_AHEAD] > 0) | (state[CARDS_AHEAD] >> 63)
        state[COMES_BACK] = 0
        row[LOOKS] += row[MOVES] - before
        game.lanes[0] = lanes_0
        game.lanes[LANES] = lanes_1
    return goes_on


@kernel(inline=True)
def _note_lead(game, player, moves):
    """What ``judge_lead`` notes: each play changes the lead by one card, so that it begins and ends at 0 alone."""
    state = game.state
    lead = state[CARDS_AHEAD]
    begins = unseen(-np.int64(lead == 0))
    lead += 1 - 2 * player
    state[CARDS_AHEAD] = lead
    last = state[LAST_LEAD]
    game.row[LEAD_CHANGES] -= begins & -np.int64(lead + last == 0)
    state[LAST_LEAD] = last ^ ((last ^ lead) & begins)
    state[LEAD_FROM] ^= (state[LEAD_FROM] ^ moves) & begins
    state[player_at(ZERO) + MOST_BEHIND] = max(state[player_at(ZERO) + MOST_BEHIND], -lead)
    state[player_at(ONE) + MOST_BEHIND] = max(state[player_at(ONE) + MOST_BEHIND], lead)


@kernel(inline=True)
def _has_choice(lanes, fits_0, fits_1):
    """Whether a player has several plays, two cards of a rank being one."""
    lanes |= lanes >> np.uint64(32)
    ranks = (lanes | (lanes >> np.uint64(16))) & ONE_SLOT
    plays = (ranks & fits_0) | ((ranks & fits_1) << np.uint64(16))
    return np.int64(plays & (plays - UONE) != 0)


@kernel(inline=True)
def _play_single(game, player, slot, pile, rank, lanes):
    """Lay a slot's card on a pile and draw the next one, if there is one; returns the row as bits."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    in_row = slot_cards(player, slot)
    card = cards[in_row]
    on = pile_at(pile)
    size = state[on + PILE_SIZE]
    cards[pile_cards(pile) + size] = card
    state[on + PILE_SIZE] = size + 1
    state[on + PILE_RANK] = rank
    state[on + PILE_FITS] = state[FITS + rank]
    # Without a stock the slot takes what lies there, and is empty all the same.
    left = state[at + STOCK_SIZE]
    draws = np.int64(left > 0)
    head = state[at + STOCK_HEAD]
    drawn = cards[stock_cards(player) + head]
    state[at + STOCK_HEAD] = (head + draws) & (STACK - 1)
    state[at + STOCK_SIZE] = left - draws
    state[at + ROW_CARDS] += draws - 1
    cards[in_row] = drawn
    state[at + SLOT_SIZE + slot] = draws
    state[at + SLOT_RANK + slot] = np.int64(drawn) & 15
    if state[LOGGING] == 1:
        _log_single(game, player, slot, pile, np.int64(card), np.int64(drawn), draws)
    first = np.uint64(slot << 4)
    return (lanes & ~(ONE_SLOT << first)) | (np.uint64(draws) << (first + np.uint64(drawn & 15)))


@kernel()
def _log_single(game, player, slot, pile, card, drawn, draws):
    log_event(game, Kind.PLAY, player, pile, slot, card, ONE)
    if draws == 1:
        log_event(game, Kind.DRAW, player, UNUSED, slot, drawn, UNUSED)
