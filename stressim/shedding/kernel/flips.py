"""New cards for the centre: who flips what where, when one has no card, and how a deal begins."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import next_32, rekeyed
from stressim.shedding.choices import (
    GiverWithOneCard,
    PostStressEmptyStock,
    RestartTarget,
    RoundEnd,
    StartFlipEqual,
)
from stressim.shedding.events import Kind, Reason
from stressim.shedding.kernel.flip_sources import (
    JUST_FLIPPED,
    all_can_flip,
    flip_elsewhere,
    flip_from_row,
    flip_one,
    hands_over,
    is_of_stock,
)
from stressim.shedding.kernel.layout import (
    CLOCK,
    FLIPS,
    LAST_EQUAL,
    ONE_STOCK_EMPTY,
    PILE_FLIPPER,
    PILE_SIZE,
    PILES,
    PLAYS,
    SEAT_BLOCK,
    SLAP_WINNER,
    SLAP_WINNER_WITHOUT_STOCK,
    STOCK_SIZE,
    STRESS_AT_FIRST_FLIP,
)
from stressim.shedding.kernel.many_flips import flip_stocks_of_many
from stressim.shedding.kernel.pickups import give_card
from stressim.shedding.kernel.piles import settle_joker, tops_equal
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    is_pair,
    log_event,
    n_piles,
    n_players,
    pile_at,
    player_at,
)


@kernel()
def _flip_alone(game, player, fill):
    """One player flips; no centre place stays empty while he has cards for it, unless ``fill`` is false (U2)."""
    rules = game.rules
    state = game.state
    streams = game.streams
    at = player_at(player)
    own = player
    other = 1 - player
    other_empty = state[pile_at(other) + PILE_SIZE] == 0
    if not fill or not other_empty or rules.round_end != RoundEnd.NONE:
        if rules.restart_target == RestartTarget.ANY_PILE and not other_empty and state[pile_at(own) + PILE_SIZE] > 0:
            own = next_32(streams, ZERO) & 1
        flip_one(game, player, own)
        return
    # Empty places come first: his own, then the other; then he covers his own pile if he has not opened it just now.
    own_empty = state[pile_at(own) + PILE_SIZE] == 0
    if own_empty:
        flip_one(game, player, own)
    if state[at + STOCK_SIZE] > 0:
        flip_one(game, player, other)
    if not own_empty and state[at + STOCK_SIZE] > 0:
        flip_one(game, player, own)


@kernel(inline=True)
def _crossed(game, reason):
    """1 if each player's card goes on the other one's pile, otherwise 0 (B28)."""
    state = game.state
    if (
        game.rules.restart_target == RestartTarget.ANY_PILE
        and reason != Reason.REFLIP
        and state[PILES + PILE_SIZE] > 0
        and state[PILES + SEAT_BLOCK + PILE_SIZE] > 0
    ):
        return next_32(game.streams, ZERO) & 1
    return ZERO


@kernel(inline=True)
def _flip_stocks(game, reason):
    """Flip cards of the stocks, one each if there is one for each."""
    rules = game.rules
    state = game.state
    row = game.row
    has_0 = state[player_at(ZERO) + STOCK_SIZE] > 0
    has_1 = state[player_at(ONE) + STOCK_SIZE] > 0
    both = has_0 and has_1
    if has_0 != has_1:
        giver = ZERO if has_0 else ONE
        receiver = 1 - giver
        if reason == Reason.LOCKED or reason == Reason.STRESS:
            row[ONE_STOCK_EMPTY] = 1
        if reason == Reason.STRESS and state[SLAP_WINNER] == receiver:
            row[SLAP_WINNER_WITHOUT_STOCK] += 1
        if not hands_over(game, reason):
            fill = not (reason == Reason.STRESS and rules.post_stress_empty_stock == PostStressEmptyStock.ONE_PILE_ONLY)
            _flip_alone(game, giver, fill)
        elif state[player_at(giver) + STOCK_SIZE] >= 2:
            give_card(game, giver, receiver)
            both = True
        elif rules.giver_with_one_card == GiverWithOneCard.FLIP_ALONE:
            _flip_alone(game, giver, True)
        else:
            give_card(game, giver, receiver)
            if rules.giver_with_one_card == GiverWithOneCard.FROM_ROW:
                flip_one(game, receiver, receiver)
                flip_from_row(game, giver, giver)
            else:
                _flip_alone(game, receiver, True)
    if both:
        crossed = _crossed(game, reason)
        for player in range(n_players(game)):
            flip_one(game, np.int64(player), np.int64(player) ^ crossed)


@kernel()
def flip(game, reason):
    """Bring new cards to the centre (B27, B28, B30, B39, B40, U2, U3) and key the streams anew.

    ``reason`` is a :class:`Reason`. The lead is judged afterwards, by the caller's clock.
    """
    state = game.state
    log_event(game, Kind.RESTART, NOBODY, UNUSED, UNUSED, UNUSED, np.int64(reason))
    if not is_pair(game) and is_of_stock(game, reason):
        flip_stocks_of_many(game, reason)
    elif is_of_stock(game, reason):
        _flip_stocks(game, reason)
    else:
        flip_elsewhere(game, _crossed(game, reason))
    _settle_flipped_jokers(game)
    equal = 1 if tops_equal(game) else 0
    for player in range(n_players(game)):
        if state[player_at(player) + LAST_EQUAL] == JUST_FLIPPED:
            state[player_at(player) + LAST_EQUAL] = equal
    state[FLIPS] += 1
    key_streams(game)


@kernel()
def flip_to_begin(game):
    """Bring the first cards to the centre; equal ones are covered where the rules say so (U21)."""
    flip(game, np.int64(Reason.START))
    if tops_equal(game):
        game.row[STRESS_AT_FIRST_FLIP] = 1
    while game.rules.start_flip_equal == StartFlipEqual.REFLIP and tops_equal(game) and all_can_flip(game):
        flip(game, np.int64(Reason.REFLIP))


@kernel()
def _settle_flipped_jokers(game):
    if game.rules.n_jokers > 0:
        for pile in range(n_piles(game)):
            settle_joker(game, game.state[pile_at(pile) + PILE_FLIPPER], np.int64(pile), ZERO)


@kernel(inline=True)
def key_streams(game):
    """Start all streams that are drawn from anew for the present flip number."""
    state = game.state
    streams = game.streams
    n = n_players(game) + 1
    streams[0] = rekeyed(streams[n], state[FLIPS], ZERO)
    if state[CLOCK] == 1:
        for player in range(n_players(game)):
            streams[1 + player] = rekeyed(streams[n + 1 + player], state[FLIPS], ZERO)
            state[player_at(player) + PLAYS] = 0


@kernel(inline=True)
def key_player(game, player):
    """Start a player's stream anew after a play of his."""
    state = game.state
    streams = game.streams
    at = player_at(player)
    state[at + PLAYS] += 1
    streams[1 + player] = rekeyed(streams[n_players(game) + 2 + player], state[FLIPS], state[at + PLAYS])
