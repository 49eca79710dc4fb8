"""The shedding game without a clock: at every step one of all legal plays, each as likely as any other.

In a loop: a player without cards has won; equal tops cost one of the two players, by a fair coin, what a lost stress
costs; otherwise one legal (player, slot, pile) is played and the row filled and merged at once; when there is none,
the table restarts. Where the rules leave open how many cards of the slot go, or on which piles, each way is as likely
as the others. Chance comes from the table's stream alone. Time is the number of plays.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import count_ones, nth_one
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, next_32
from stressim.shedding.choices import (
    BothEmpty,
    MergeEqualRanks,
    MultiCardPlay,
    PilePlay,
    RefillPolicy,
    RestartSource,
    RoundEnd,
    RowPiles,
    SidePileReuse,
    StackTarget,
    StressOn,
)
from stressim.shedding.events import JOKER_RANK, Outcome, Reason
from stressim.shedding.kernel.ends import (
    comes_back_for_ever,
    deal_cards,
    end_deal,
    fewest_cards,
    hand_over_handicap,
    judge_lead,
    log_view,
    merges_at_deal,
    nothing_ever_fits,
)
from stressim.shedding.kernel.flip_sources import can_flip
from stressim.shedding.kernel.flips import flip_to_begin
from stressim.shedding.kernel.lanes import SLOTS_A_WORD, high_lanes, low_lanes, row_mask, slot_ranks, spread
from stressim.shedding.kernel.layout import (
    BOTH_STOCKS_EMPTY,
    CHOICES,
    COMES_BACK,
    FLIPS,
    LAST_EQUAL,
    LENGTH_US,
    LOOKS,
    MOVES,
    N_SLOTS,
    NOW,
    OUTCOME,
    PILE_FITS,
    PILES,
    SEAT_BLOCK,
    SLOT_RANK,
    SLOT_SIZE,
    STALLED,
    STALLED_AT_START,
    STALLS,
    STOCK_SIZE,
    STRESS_FROM_FLIP,
)
from stressim.shedding.kernel.pickups import each_takes_right
from stressim.shedding.kernel.piles import count_choices, other_fitting, tops_equal
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    UONE,
    ZERO,
    is_pair,
    n_piles,
    n_players,
    pile_at,
    player_at,
)
from stressim.shedding.kernel.row_piles import (
    emptied_row,
    lay_out_piles,
    new_round,
    one_pile_only,
    row_can_change,
    settle_row,
    settle_row_and_merge,
)
from stressim.shedding.kernel.rows import draw_to, fill_row, lay, lay_run
from stressim.shedding.kernel.side_piles import renew_side_piles
from stressim.shedding.kernel.uniform_flips import end_if_won, flip_and_refill, refill_all
from stressim.shedding.kernel.uniform_singles import are_singles, play_singles, plays_as_bits
from stressim.shedding.kernel.uniform_stress import settle_stress

MOST_PLAYS = 20_000


@kernel()
def play_uniform(game, seed, deal):
    """Play one deal; ``row`` must hold zeros."""
    rules = game.rules
    state = game.state
    row = game.row
    deal_cards(game, seed, deal)
    log_view(game)
    if rules.handicap_cards != 0:
        hand_over_handicap(game)
    for player in range(n_players(game)):
        if rules.row_piles == RowPiles.GROWING:
            lay_out_piles(game, np.int64(player))
        else:
            fill_row(game, np.int64(player), merges_at_deal(game))
    flip_to_begin(game)
    judge_lead(game)
    something_to_do = _some_row_can_change(game)
    refill_all(game)
    if not tops_equal(game) and _count_plays(game) == 0 and not something_to_do:
        row[STALLED_AT_START] = 1
    from_flip = True
    while True:
        end_if_won(game)
        if state[OUTCOME] >= 0:
            break
        if row[MOVES] >= MOST_PLAYS or state[FLIPS] >= MOST_PLAYS:
            end_deal(game, Outcome.UNFINISHED, NOBODY)
            break
        emptied = emptied_row(game) if rules.round_end != RoundEnd.NONE else NOBODY
        if emptied >= 0:
            _end_round(game, emptied)
            from_flip = True
        elif rules.stress_on != StressOn.NONE and tops_equal(game):
            if from_flip:
                row[STRESS_FROM_FLIP] += 1
            settle_stress(game)
            from_flip = True
        else:
            played = _play(game)
            if not played:
                _lock(game)
            from_flip = not played
        if state[OUTCOME] >= 0:
            break
    row[LENGTH_US] = 0


@kernel(inline=True)
def _some_row_can_change(game):
    """Whether somebody has something to do with his row of piles, so that there is no stall."""
    if game.rules.row_piles == RowPiles.GROWING:
        for player in range(n_players(game)):
            if row_can_change(game, np.int64(player)):
                return True
    return False


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
def _count_plays(game):
    """Number of legal (player, slot, pile) triples."""
    n = ZERO
    for player in range(n_players(game)):
        n += _count_plays_of(game, np.int64(player))
    return n


@kernel(inline=True)
def _play(game):
    """Play one of all legal triples, each as likely as any other, or several; returns whether there was one.

    Where several are played, it returns whether there may be one more, unless something else comes first.
    """
    if are_singles(game):
        return play_singles(game, MOST_PLAYS)
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
    n_plays = _count_plays(game)
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


@kernel()
def _end_round(game, emptied):
    """A round is over: a fair coin says who takes the smaller pile, unless there is but one (Spit)."""
    faster = emptied
    if emptied < 0 or not one_pile_only(game):
        faster = next_32(game.streams, ZERO) & 1
    new_round(game, faster)
    flip_and_refill(game, np.int64(Reason.ROUND))


@kernel()
def _lock(game):
    """Nobody can play: restart, or end as the rules say when both stocks are empty."""
    rules = game.rules
    row = game.row
    row[STALLS] += 1
    row[STALLED] = 1
    if can_flip(game):
        flip_and_refill(game, np.int64(Reason.LOCKED))
        return
    if rules.restart_source == RestartSource.SIDE_PILES and rules.side_pile_reuse != SidePileReuse.NEVER:
        if nothing_ever_fits(game):
            end_deal(game, Outcome.DRAWN, NOBODY)
        else:
            renew_side_piles(game)
            flip_and_refill(game, np.int64(Reason.RENEWED))
        return
    row[BOTH_STOCKS_EMPTY] = 1
    if rules.round_end != RoundEnd.NONE:
        _end_round(game, NOBODY)
        return
    if rules.restart_both_empty == BothEmpty.UNDEFINED:
        end_deal(game, Outcome.DEADLOCKED, NOBODY)
    elif rules.restart_both_empty == BothEmpty.FEWEST_CARDS_WINS:
        fewest_cards(game)
    elif rules.restart_both_empty == BothEmpty.DRAW or comes_back_for_ever(game):
        end_deal(game, Outcome.DRAWN, NOBODY)
    else:
        each_takes_right(game, True)
        if rules.flip_before_refill == 0:
            refill_all(game)
        flip_and_refill(game, np.int64(Reason.BOTH_EMPTY))
