"""Which cards of the centre a player may take, and whether a swap under way can still improve a bunch."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.exchange.choices import SwapOrder, TakeBackOwn
from stressim.exchange.kernel.bunches import held_ranks, in_centre
from stressim.exchange.kernel.layout import (
    BEST,
    CENTRE,
    CENTRE_COUNT,
    CENTRE_MASK,
    GRAB_RANK,
    HEIGHT,
    LAID,
    LAID_WORDS,
    MISSED,
    N_CENTRE,
    N_HELD,
    N_LAID,
    START_HEIGHT,
    TO_LAY,
    TO_TAKE,
)
from stressim.exchange.kernel.places import UONE, ZERO, bit_of, bunch_at, held_of, lowest_rank, player_at

_CARD_BITS = np.int64(63)
BAR_WORDS = np.int64(63)


@kernel(inline=True)
def laid_before(game, player, card):
    """Whether a player has laid a card in the centre since the cards were dealt; noted under ``forbidden`` only."""
    word = game.laid[(player * LAID_WORDS + (card >> 6)) & BAR_WORDS]
    return (word >> np.uint64(card & _CARD_BITS)) & UONE == UONE


@kernel(inline=True)
def note_laid(game, player, card):
    """Note that a player has laid a card in the centre."""
    if game.rules.take_back_own == TakeBackOwn.FORBIDDEN:
        game.laid[(player * LAID_WORDS + (card >> 6)) & BAR_WORDS] |= UONE << np.uint64(card & _CARD_BITS)


@kernel()
def laid_now(game, player, card):
    """Whether a player has laid a card in the swap that is under way."""
    state = game.state
    at = player_at(player)
    found = False
    for i in range(state[at + N_LAID]):
        found = found or state[at + LAID + (i & 3)] == card
    return found


@kernel()
def all_laid_before(game, player):
    """Whether a player has laid every card of the centre himself, which lifts the bar (``forbidden``)."""
    lifted = True
    for i in range(game.state[N_CENTRE]):
        lifted = lifted and laid_before(game, player, np.int64(game.cards[CENTRE + i]))
    return lifted


@kernel()
def is_barred(game, player, card, lifted):
    """Whether a player may not take a card (A14, A-U3); ``lifted`` comes from :func:`all_laid_before`."""
    rule = game.rules.take_back_own
    if rule == TakeBackOwn.ALLOWED:
        return False
    if laid_now(game, player, card):
        return True
    return rule == TakeBackOwn.FORBIDDEN and not lifted and laid_before(game, player, card)


@kernel(inline=True)
def bars_cards(game, player):
    """Whether some card of the centre may be barred for a player."""
    rule = game.rules.take_back_own
    return rule == TakeBackOwn.FORBIDDEN or (
        rule == TakeBackOwn.ALLOWED_LATER and game.state[player_at(player) + N_LAID] > 0
    )


@kernel()
def unbarred_ranks(game, player):
    """Mask of the ranks in the centre that a player may take, card by card."""
    lifted = all_laid_before(game, player)
    mask = ZERO
    for i in range(game.state[N_CENTRE]):
        card = np.int64(game.cards[CENTRE + i])
        if not is_barred(game, player, card, lifted):
            mask |= bit_of(card & 15)
    return mask


@kernel(inline=True)
def open_ranks(game, player):
    """Mask of the ranks in the centre that a player may take."""
    state = game.state
    if not bars_cards(game, player):
        return state[CENTRE_MASK]
    at = player_at(player)
    if game.rules.take_back_own == TakeBackOwn.ALLOWED_LATER and state[at + N_LAID] == 1:
        # Nearly always so: one card is barred, which counts only where it is the last of its rank.
        card = state[at + LAID]
        if state[CENTRE_COUNT + (card & 15)] == 1 and in_centre(game, card) >= 0:
            return state[CENTRE_MASK] & ~bit_of(card & 15)
        return state[CENTRE_MASK]
    return unbarred_ranks(game, player)


@kernel()
def open_cards(game, player, rank):
    """How many cards of a rank in the centre a player may take."""
    if not bars_cards(game, player):
        return game.state[CENTRE_COUNT + rank]
    lifted = all_laid_before(game, player)
    n = ZERO
    for i in range(game.state[N_CENTRE]):
        card = np.int64(game.cards[CENTRE + i])
        if card & 15 == rank and not is_barred(game, player, card, lifted):
            n += 1
    return n


@kernel()
def can_end_higher(game, player, bunch):
    """Whether a swap under way can still leave the bunch higher than it was before."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    to_take = state[at + TO_TAKE]
    if to_take == 1 and state[at + TO_LAY] == 0 and rules.grab_equal_only == 0:
        # Nearly always so: one card is still to be taken, and it must be of a rank held as often as before the swap.
        height = state[bunch_at(bunch) + HEIGHT]
        if height != state[at + START_HEIGHT]:
            return height > state[at + START_HEIGHT]
        needed = state[bunch_at(bunch) + BEST] & state[CENTRE_MASK]
        return needed != 0 and needed & open_ranks(game, player) != 0
    n_kept = state[bunch_at(bunch) + N_HELD] - state[at + TO_LAY]
    if rules.swap_order == SwapOrder.TAKE_FIRST:
        n_kept = rules.bunch_size
    ranks = open_ranks(game, player) | held_ranks(game.counts[bunch])
    one_rank = rules.grab_equal_only == 1 and state[at + MISSED] == 0
    while ranks != 0:
        rank = lowest_rank(ranks)
        ranks &= ranks - 1
        n_open = open_cards(game, player, rank)
        if one_rank and (n_open < to_take or (state[at + GRAB_RANK] >= 0 and state[at + GRAB_RANK] != rank)):
            n_open = ZERO
        own = held_of(game, bunch, rank)
        if rules.swap_order == SwapOrder.TAKE_FIRST:
            height = min(n_kept, own + min(to_take, n_open))
        else:
            height = min(n_kept, own) + min(to_take, n_open)
        if height > state[at + START_HEIGHT]:
            return True
    return False
