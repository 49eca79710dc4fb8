"""New cards for the centre: who flips what where, when one has no card, and how a deal begins."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, next_32, rekeyed
from stressim.shedding.events import Kind, Reason
from stressim.shedding.kernel.lanes import clear_lane, slots_used
from stressim.shedding.kernel.layout import (
    FLIPS,
    LAST_EQUAL,
    N_PILES,
    N_PLAYERS,
    ONE_STOCK_EMPTY,
    PILE_BLOCK,
    PILE_FLIPPER,
    PILE_SIZE,
    PILES,
    PLAYS,
    ROW_CARDS,
    SLAP_WINNER,
    SLAP_WINNER_WITHOUT_STOCK,
    SLOT_SIZE,
    STOCK_SIZE,
    STRESS_AT_FIRST_FLIP,
)
from stressim.shedding.kernel.pickups import give_card
from stressim.shedding.kernel.piles import put_on_pile, settle_joker, tops_equal
from stressim.shedding.kernel.places import NOBODY, ONE, UNUSED, ZERO, log_event, pile_at, player_at, slot_cards
from stressim.shedding.kernel.rows import pop_stock
from stressim.shedding.rules import EmptyStock, GiverWithOneCard, PostStressEmptyStock, RestartTarget, StartFlipEqual

JUST_FLIPPED = np.int64(2)  # marks a player whose card has just come, until both tops are known


@kernel(inline=True)
def short_rule(game, reason):
    """What the rules say when one player has no card to flip, as a :class:`PostStressEmptyStock` (B30, B40, U2)."""
    rules = game.rules
    rule = np.int64(PostStressEmptyStock.FLIP_ALONE)
    if reason == Reason.STRESS and rules.post_stress_empty_stock != PostStressEmptyStock.AS_RESTART:
        rule = rules.post_stress_empty_stock
    elif rules.restart_empty_stock == EmptyStock.OPPONENT_GIVES:
        rule = np.int64(PostStressEmptyStock.OPPONENT_GIVES)
    elif rules.restart_empty_stock == EmptyStock.TAKE_FROM_OPPONENT:
        rule = np.int64(PostStressEmptyStock.TAKE_FROM_OPPONENT)
    return rule


@kernel(inline=True)
def hands_over(game, reason):
    """Whether a player without a stock card gets one from the other."""
    rule = short_rule(game, reason)
    return rule == PostStressEmptyStock.OPPONENT_GIVES or rule == PostStressEmptyStock.TAKE_FROM_OPPONENT


@kernel()
def _flip_one(game, player, pile):
    card = pop_stock(game, player)
    put_on_pile(game, pile, card)
    game.state[pile_at(pile) + PILE_FLIPPER] = player
    game.state[player_at(player) + LAST_EQUAL] = JUST_FLIPPED
    log_event(game, Kind.FLIP, player, pile, UNUSED, card, UNUSED)


@kernel()
def _flip_from_row(game, player, pile):
    """Lay a card of the row, any slot alike, instead of a stock card (U3)."""
    rules = game.rules
    state = game.state
    cards = game.cards
    streams = game.streams
    at = player_at(player)
    n_used = slots_used(game, player)
    if n_used == 0:
        return
    nth = below(streams, ZERO, n_used)
    for slot in range(rules.row_slots):
        if state[at + SLOT_SIZE + slot] > 0:
            if nth == 0:
                size = state[at + SLOT_SIZE + slot] - 1
                card = np.int64(cards[slot_cards(player, np.int64(slot)) + size])
                state[at + SLOT_SIZE + slot] = size
                state[at + ROW_CARDS] -= 1
                put_on_pile(game, pile, card)
                state[pile_at(pile) + PILE_FLIPPER] = player
                state[at + LAST_EQUAL] = JUST_FLIPPED
                if size == 0:
                    clear_lane(game, player, np.int64(slot))
                log_event(game, Kind.FLIP_FROM_ROW, player, pile, np.int64(slot), card, UNUSED)
                return
            nth -= 1


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
    if not fill or not other_empty:
        if rules.restart_target == RestartTarget.ANY_PILE and not other_empty and state[pile_at(own) + PILE_SIZE] > 0:
            own = next_32(streams, ZERO) & 1
        _flip_one(game, player, own)
        return
    # Empty places come first: his own, then the other; then he covers his own pile if he has not opened it just now.
    own_empty = state[pile_at(own) + PILE_SIZE] == 0
    if own_empty:
        _flip_one(game, player, own)
    if state[at + STOCK_SIZE] > 0:
        _flip_one(game, player, other)
    if not own_empty and state[at + STOCK_SIZE] > 0:
        _flip_one(game, player, own)


@kernel()
def flip(game, reason):
    """Bring new cards to the centre (B27, B28, B30, B39, B40, U2, U3) and key the streams anew.

    ``reason`` is a :class:`Reason`. The lead is judged afterwards, by the caller's clock.
    """
    rules = game.rules
    state = game.state
    streams = game.streams
    row = game.row
    log_event(game, Kind.RESTART, NOBODY, UNUSED, UNUSED, UNUSED, np.int64(reason))
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
                _flip_one(game, receiver, receiver)
                _flip_from_row(game, giver, giver)
            else:
                _flip_alone(game, receiver, True)
    if both:
        crossed = ZERO
        if (
            rules.restart_target == RestartTarget.ANY_PILE
            and reason != Reason.REFLIP
            and state[PILES + PILE_SIZE] > 0
            and state[PILES + PILE_BLOCK + PILE_SIZE] > 0
        ):
            crossed = next_32(streams, ZERO) & 1
        for player in range(N_PLAYERS):
            _flip_one(game, np.int64(player), np.int64(player) ^ crossed)
    _settle_flipped_jokers(game)
    equal = 1 if tops_equal(game) else 0
    for player in range(N_PLAYERS):
        if state[player_at(player) + LAST_EQUAL] == JUST_FLIPPED:
            state[player_at(player) + LAST_EQUAL] = equal
    state[FLIPS] += 1
    key_streams(game)


@kernel()
def flip_to_begin(game):
    """Bring the first cards to the centre; equal ones are covered where the rules say so (U21)."""
    state = game.state
    flip(game, np.int64(Reason.START))
    if tops_equal(game):
        game.row[STRESS_AT_FIRST_FLIP] = 1
    while (
        game.rules.start_flip_equal == StartFlipEqual.REFLIP
        and tops_equal(game)
        and state[player_at(ZERO) + STOCK_SIZE] > 0
        and state[player_at(ONE) + STOCK_SIZE] > 0
    ):
        flip(game, np.int64(Reason.REFLIP))


@kernel()
def _settle_flipped_jokers(game):
    if game.rules.n_jokers > 0:
        for pile in range(N_PILES):
            settle_joker(game, game.state[pile_at(pile) + PILE_FLIPPER], np.int64(pile), ZERO)


@kernel(inline=True)
def key_streams(game):
    """Start all streams anew for the present flip number."""
    state = game.state
    streams = game.streams
    n = N_PLAYERS + 1
    for who in range(n):
        streams[who] = rekeyed(streams[n + who], state[FLIPS], ZERO)
    for player in range(N_PLAYERS):
        state[player_at(player) + PLAYS] = 0


@kernel(inline=True)
def key_player(game, player):
    """Start a player's stream anew after a play of his."""
    state = game.state
    streams = game.streams
    at = player_at(player)
    state[at + PLAYS] += 1
    streams[1 + player] = rekeyed(streams[N_PLAYERS + 2 + player], state[FLIPS], state[at + PLAYS])
