"""Stress without a clock: a fair coin names the loser, among many the lot the order of the hands."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import next_32
from stressim.shedding.choices import (
    JokerMode,
    OnePile,
    StressPickup,
    StressShare,
)
from stressim.shedding.events import Outcome, Reason
from stressim.shedding.habits import PileChoice
from stressim.shedding.kernel.ends import (
    end_deal,
    end_if_out,
)
from stressim.shedding.kernel.flip_sources import stocks_left
from stressim.shedding.kernel.layout import (
    COMES_BACK,
    OUTCOME,
    PAIR,
    PICKED_UP,
    PILE_SIDE,
    PILE_SIZE,
    PILES,
    PLACES,
    ROW_CARDS,
    SEAT_BLOCK,
    SLAP_WINNER,
    SLAPPED,
    STOCK_SIZE,
    STRESS_PILES,
    STRESSES,
)
from stressim.shedding.kernel.many_pickups import draw_order, nth_slapper, penalty_of_many
from stressim.shedding.kernel.pickups import stress_penalty
from stressim.shedding.kernel.piles import equal_piles, tops_equal
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    ZERO,
    is_pair,
    n_piles,
    n_players,
    pile_at,
    player_at,
)
from stressim.shedding.kernel.uniform_flips import flip_and_refill, refill_all


@kernel()
def settle_stress(game):
    """Settle a stress by a fair coin and flip."""
    rules = game.rules
    players = game.players
    state = game.state
    streams = game.streams
    row = game.row
    row[STRESSES] += 1
    if not is_pair(game):
        _stress_of_many(game)
        return
    before = _sizes(game)
    loser = next_32(streams, ZERO) & 1
    n_taken = stress_penalty(game, loser, players[loser & PLACES].pile_choice)
    row[PICKED_UP] += n_taken
    state[SLAP_WINNER] = 1 - loser
    end_if_out(game)
    if state[OUTCOME] >= 0:
        return
    if rules.flip_before_refill == 0:
        refill_all(game)
    flip_and_refill(game, np.int64(Reason.STRESS))
    if n_taken <= 2 and before >= 0 and _sizes(game) == before and tops_equal(game):
        _stress_comes_back(game, loser, n_taken)
    else:
        state[COMES_BACK] = 0


@kernel(beyond=PAIR)
def _stress_of_many(game):
    """Settle a stress among many: any order of the hands is as likely as any other."""
    state = game.state
    state[STRESS_PILES] = equal_piles(game)
    without_stock = stocks_left(game) == 0
    for pile in range(n_piles(game)):
        state[pile_at(pile) + PILE_SIDE] = state[pile_at(pile) + PILE_SIZE]  # no side piles here: a place to note it
    for player in range(n_players(game)):
        state[player_at(player) + SLAPPED] = state[player_at(player) + ROW_CARDS]
    draw_order(game)
    loser = nth_slapper(game, n_players(game) - 1)
    n_taken = penalty_of_many(game)
    game.row[PICKED_UP] += n_taken
    state[SLAP_WINNER] = nth_slapper(game, ZERO)
    end_if_out(game)
    if state[OUTCOME] >= 0:
        return
    if game.rules.flip_before_refill == 0:
        refill_all(game)
    flip_and_refill(game, np.int64(Reason.STRESS))
    if without_stock and n_taken <= 2 and state[OUTCOME] < 0 and _all_lies_as_noted(game):
        _stress_of_many_comes_back(game, loser)
    else:
        state[COMES_BACK] = 0


@kernel()
def _all_lies_as_noted(game):
    """Whether there is a stress and no stock again, and piles and rows are as large as before the stress."""
    state = game.state
    same = stocks_left(game) == 0 and tops_equal(game)
    for pile in range(n_piles(game)):
        same &= state[pile_at(pile) + PILE_SIDE] == state[pile_at(pile) + PILE_SIZE]
    for player in range(n_players(game)):
        same &= state[player_at(player) + SLAPPED] == state[player_at(player) + ROW_CARDS]
    return same


@kernel()
def _stress_of_many_comes_back(game, loser):
    """:func:`_stress_comes_back` among many: it is shown where one loser takes one card, or two equal ones."""
    rules = game.rules
    state = game.state
    chance = rules.n_jokers > 0 or rules.stress_share != StressShare.SLOWEST
    if rules.stress_pickup == StressPickup.ONE and rules.one_pile == OnePile.OWN_CHOICE:
        for player in range(n_players(game)):
            chance |= game.players[player & PLACES].pile_choice == PileChoice.RANDOM
    if chance:
        state[COMES_BACK] = 0
        return
    state[COMES_BACK] |= ONE << loser
    if state[COMES_BACK] == (1 << n_players(game)) - 1:
        end_deal(game, Outcome.LIVELOCKED, NOBODY)


@kernel()
def _sizes(game):
    """The sizes of piles and rows in one number; -1 if there is a stock card."""
    state = game.state
    if state[player_at(ZERO) + STOCK_SIZE] + state[player_at(ONE) + STOCK_SIZE] > 0:
        return NOBODY
    n = (state[PILES + PILE_SIZE] << 8) | state[PILES + SEAT_BLOCK + PILE_SIZE]
    return (((n << 8) | state[player_at(ZERO) + ROW_CARDS]) << 8) | state[player_at(ONE) + ROW_CARDS]


@kernel()
def _stress_comes_back(game, loser, n_taken):
    """After a stress all lies as before it; livelocked if that is shown for either loser, with no other chance.

    One card taken up has come back to its place; or both piles are one card each, and these two cards are equal
    whichever lies where.
    """
    rules = game.rules
    players = game.players
    state = game.state
    chance = rules.joker_mode == JokerMode.NAMED and rules.n_jokers > 0
    if rules.stress_pickup == StressPickup.ONE and rules.one_pile == OnePile.OWN_CHOICE:
        for player in range(n_players(game)):
            chance |= players[player & PLACES].pile_choice == PileChoice.RANDOM
    if chance or (n_taken == 2 and state[PILES + PILE_SIZE] != 1):
        state[COMES_BACK] = 0
        return
    state[COMES_BACK] |= ONE << loser
    if state[COMES_BACK] == (1 << n_players(game)) - 1:
        end_deal(game, Outcome.LIVELOCKED, NOBODY)
