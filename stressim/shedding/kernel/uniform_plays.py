"""The shedding game without a clock: one of all legal plays is drawn and played.

Plays are drawn from the bits of both rows where these fit into a word, else by counting; where the rules are those of
most texts, :mod:`stressim.shedding.kernel.uniform_singles` plays on without coming back here.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import count_ones, nth_one
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, next_32
from stressim.shedding.choices import MergeEqualRanks, MultiCardPlay, PilePlay, RefillPolicy, RowPiles, StackTarget
from stressim.shedding.events import JOKER_RANK
from stressim.shedding.kernel.ends import judge_lead
from stressim.shedding.kernel.lanes import SLOTS_A_WORD, high_lanes, low_lanes, row_mask, slot_ranks, spread
from stressim.shedding.kernel.layout import (
    CHOICES,
    COMES_BACK,
    LAST_EQUAL,
    LOOKS,
    MOVES,
    N_SLOTS,
    NOW,
    PILE_FITS,
    PILES,
    SEAT_BLOCK,
    SLOT_RANK,
    SLOT_SIZE,
    STOCK_SIZE,
)
from stressim.shedding.kernel.piles import count_choices, other_fitting, tops_equal
from stressim.shedding.kernel.places import NOBODY, ONE, UONE, ZERO, is_pair, n_piles, n_players, pile_at, player_at
from stressim.shedding.kernel.row_piles import settle_row, settle_row_and_merge
from stressim.shedding.kernel.rows import draw_to, fill_row, lay, lay_run
from stressim.shedding.kernel.uniform_singles import are_singles, play_singles, plays_as_bits


@kernel(inline=True)
def _count_plays_of(game, player):
    """Number of legal (slot, pile) pairs of a player."""
    state = game.state
    low = low_lanes(game, player)
    high = high_lanes(game, player)
    n = ZERO
    for pile in range(n_piles(game)):
        fits = spread(state[pile_at(pile) + PILE_FITS])
        n += count_ones(low & fits) + count_ones(high & fits)
    return n


@kernel()
def count_plays(game):
    """Number of legal (player, slot, pile) triples."""
    n = ZERO
    for player in range(n_players(game)):
        n += _count_plays_of(game, np.int64(player))
    return n


@kernel(inline=True)
def play_one(game, most):
    """Play one of all legal triples, each as likely as any other, or several; returns whether there was one.

    Where several are played, at most ``most`` in the deal, it returns whether there may be one more, unless something
    else comes first.
    """
    if are_singles(game):
        return play_singles(game, most)
    return _play_by_bits(game) if _bits_show_plays(game) else _play_by_counting(game)


@kernel(inline=True)
def _bits_show_plays(game):
    """Whether the plays of a row, a bit each, fit into one word: two piles, four slots, and no joker's bit."""
    rules = game.rules
    return is_pair(game) and rules.n_jokers == 0 and rules.row_slots <= SLOTS_A_WORD


@kernel(inline=True)
def _play_by_bits(game):
    """Play one of all legal triples, each as likely as any other; returns whether there was one."""
    fits_0 = spread(game.state[PILES + PILE_FITS])
    fits_1 = spread(game.state[PILES + SEAT_BLOCK + PILE_FITS])
    plays_0 = plays_as_bits(low_lanes(game, ZERO), fits_0, fits_1)
    plays_1 = plays_as_bits(low_lanes(game, ONE), fits_0, fits_1)
    n_before = count_ones(plays_0)
    n_plays = n_before + count_ones(plays_1)
    if n_plays == 0:
        return False
    nth = below(game.streams, ZERO, n_plays)
    player = np.int64(nth >= n_before)
    place = nth_one(plays_1 if player == 1 else plays_0, nth - (n_before & -player))
    pile = 1 - np.int64((low_lanes(game, player) >> np.uint64(place)) & UONE)
    _play_from(game, player, place >> 4, pile)
    return True


@kernel(inline=True)
def _play_by_counting(game):
    """:func:`_play_by_bits` for any number of players, piles and slots; without branches on what chance decides."""
    n_plays = count_plays(game)
    if n_plays == 0:
        return False
    nth = below(game.streams, ZERO, n_plays)
    player = ZERO
    for other in range(n_players(game) - 1):
        n_before = _count_plays_of(game, np.int64(other))
        passed = np.int64((player == other) & (nth >= n_before))
        player += passed
        nth -= passed * n_before
    slot = ZERO
    n_before = ZERO
    n = ZERO
    for other in range(game.rules.row_slots):
        n += _count_piles_for(game, slot_ranks(game, player, other))
        passed = np.int64(n <= nth)
        slot += passed
        n_before = n if passed == 1 else n_before
    slot = slot & (N_SLOTS - 1)
    pile = _nth_pile_for(game, game.state[player_at(player) + SLOT_RANK + slot], nth - n_before)
    _play_from(game, player, slot, pile)
    return True


@kernel()
def _play_from(game, player, slot, pile):
    """Play a slot on a pile, and fill up the row."""
    rules = game.rules
    state = game.state
    row = game.row
    at = player_at(player)
    row[LOOKS] += 1
    row[CHOICES] += np.int64(count_choices(game, row_mask(game, player)) >= 2)
    row[MOVES] += 1
    state[NOW] = row[MOVES]
    state[COMES_BACK] = 0
    _lay_equals(game, player, slot, pile)
    state[at + LAST_EQUAL] = 1 if tops_equal(game) else 0
    judge_lead(game)
    if rules.row_piles == RowPiles.GROWING and rules.merge_equal_ranks == MergeEqualRanks.ALWAYS:
        settle_row_and_merge(game, player, ZERO)
    elif rules.row_piles == RowPiles.GROWING:
        settle_row(game, player, ZERO)
    elif rules.refill_policy != RefillPolicy.NONE:
        if rules.merge_equal_ranks == MergeEqualRanks.OFF and rules.multi_card_play == MultiCardPlay.OFF:
            # There is a stock only where the row was full.
            if state[at + STOCK_SIZE] > 0:
                draw_to(game, player, slot)
        else:
            fill_row(game, player, rules.merge_equal_ranks == MergeEqualRanks.ALWAYS)


@kernel(inline=True)
def _count_piles_for(game, mask):
    """Number of piles on which the one rank in ``mask`` fits; none if it is 0."""
    n = ZERO
    for pile in range(n_piles(game)):
        n += np.int64(mask & game.state[pile_at(pile) + PILE_FITS] != 0)
    return n


@kernel(inline=True)
def _nth_pile_for(game, rank, nth):
    """The ``nth`` of the piles on which a rank fits."""
    pile = ZERO
    n = ZERO
    for other in range(n_piles(game) - 1):
        n += (game.state[pile_at(other) + PILE_FITS] >> rank) & 1
        pile += np.int64(n <= nth)
    return pile


@kernel()
def _lay_equals(game, player, slot, pile):
    """Lay a slot's cards, and the equal ones of other slots where they go in one move."""
    rules = game.rules
    state = game.state
    streams = game.streams
    at = player_at(player)
    rank = state[at + SLOT_RANK + slot]
    size = state[at + SLOT_SIZE + slot]
    other_pile = other_fitting(game, pile, rank)
    n = ONE
    if size > 1 and (
        rules.pile_play == PilePlay.WHOLE or (rules.pile_play == PilePlay.EITHER and next_32(streams, ZERO) & 1 == 1)
    ):
        n = size
    lay(game, player, slot, pile, n, ZERO, ZERO)
    if rules.multi_card_play == MultiCardPlay.RUN and rank != JOKER_RANK:
        lay_run(game, player, pile, slot, ZERO)
    if rules.multi_card_play == MultiCardPlay.SAME_RANK and rank != JOKER_RANK and n == size:
        target = NOBODY
        for other in range(rules.row_slots):
            if other != slot and state[at + SLOT_SIZE + other] > 0 and state[at + SLOT_RANK + other] == rank:
                if target < 0:
                    target = pile
                    if other_pile >= 0 and rules.stack_target == StackTarget.EITHER and next_32(streams, ZERO) & 1 == 1:
                        target = other_pile
                n = state[at + SLOT_SIZE + other]
                lay(game, player, np.int64(other), target, n, ONE, ZERO)
