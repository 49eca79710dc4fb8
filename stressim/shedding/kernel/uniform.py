"""The shedding game without a clock: at every step one of all legal plays, each as likely as any other.

In a loop: a player without cards has won; equal tops cost one of the two players, by a fair coin, what a lost stress
costs; otherwise one legal (player, slot, pile) is played and the row filled and merged at once; when there is none,
the table restarts. Where the rules leave open how many cards of the slot go, or on which piles, each way is as likely
as the others. Chance comes from the table's stream alone. Time is the number of plays.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import next_32
from stressim.shedding.choices import BothEmpty, RestartSource, RoundEnd, RowPiles, SidePileReuse, StressOn
from stressim.shedding.events import Outcome, Reason
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
from stressim.shedding.kernel.layout import (
    BOTH_STOCKS_EMPTY,
    FLIPS,
    LENGTH_US,
    MOVES,
    OUTCOME,
    STALLED,
    STALLED_AT_START,
    STALLS,
    STRESS_FROM_FLIP,
)
from stressim.shedding.kernel.pickups import each_takes_right
from stressim.shedding.kernel.piles import tops_equal
from stressim.shedding.kernel.places import NOBODY, ZERO, n_players
from stressim.shedding.kernel.row_piles import emptied_row, lay_out_piles, new_round, one_pile_only, row_can_change
from stressim.shedding.kernel.rows import fill_row
from stressim.shedding.kernel.side_piles import renew_side_piles
from stressim.shedding.kernel.uniform_flips import end_if_won, flip_and_refill, refill_all
from stressim.shedding.kernel.uniform_plays import count_plays, play_one
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
    if not tops_equal(game) and count_plays(game) == 0 and not something_to_do:
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
            played = play_one(game, MOST_PLAYS)
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
