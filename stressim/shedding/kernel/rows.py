"""Stock and row of a player: draw, merge, lay."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import BLOCK, copy_block
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import JokerMode, PilePlay, RowPiles
from stressim.shedding.events import JOKER_RANK, Kind
from stressim.shedding.kernel.lanes import clear_lane, first_empty_slot, set_lane, slots_used
from stressim.shedding.kernel.layout import (
    FACE_DOWN,
    FILLED,
    PILE_FITS,
    ROW_CARDS,
    SHOWN_UNDER,
    SLOT_RANK,
    SLOT_SIZE,
    STACK,
    STOCK_HEAD,
    STOCK_SIZE,
)
from stressim.shedding.kernel.piles import put_on_pile, settle_joker
from stressim.shedding.kernel.places import (
    JOKER_BIT,
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    log_event,
    n_piles,
    pile_at,
    player_at,
    slot_cards,
    stock_cards,
)


@kernel(inline=True)
def pop_stock(game, player):
    """Take the top card of a player's stock, which must have one."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    head = state[at + STOCK_HEAD]
    state[at + STOCK_HEAD] = (head + 1) & (STACK - 1)
    state[at + STOCK_SIZE] -= 1
    return np.int64(cards[stock_cards(player) + head])


@kernel(inline=True)
def push_stock(game, player, card):
    """Put a card on top of a player's stock."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    head = (state[at + STOCK_HEAD] - 1) & (STACK - 1)
    state[at + STOCK_HEAD] = head
    state[at + STOCK_SIZE] += 1
    cards[stock_cards(player) + head] = card


@kernel(inline=True)
def append_stock(game, player, card):
    """Put a card under a player's stock."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    place = (state[at + STOCK_HEAD] + state[at + STOCK_SIZE]) & (STACK - 1)
    state[at + STOCK_SIZE] += 1
    cards[stock_cards(player) + place] = card


@kernel()
def append_cards(game, player, origin, n):
    """Put ``n`` cards, which lie in a row from ``origin`` on, under a player's stock: the first will be drawn first."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    place = (state[at + STOCK_HEAD] + state[at + STOCK_SIZE]) & (STACK - 1)
    # Whole blocks, where what they write behind the last card lies neither beyond the ring nor on its first card.
    if place + n + BLOCK <= STACK and state[at + STOCK_SIZE] + n + BLOCK <= STACK:
        for i in range(0, n, BLOCK):
            copy_block(cards, stock_cards(player) + place + i, origin + i)
        state[at + STOCK_SIZE] += n
    else:
        for i in range(n):
            append_stock(game, player, cards[origin + i])


@kernel(inline=True)
def can_refill(game, player):
    """Whether a player has an empty slot and a card for it, and the rules let him."""
    state = game.state
    # One branch for both, or none: each of them by itself is a matter of chance.
    return (state[player_at(player) + STOCK_SIZE] > 0) & (slots_used(game, player) < state[FILLED])


@kernel(inline=True)
def draw_card(game, player):
    """Lay the top card of the stock into the first empty slot; there must be both."""
    draw_to(game, player, first_empty_slot(game, player))


@kernel(inline=True)
def draw_to(game, player, slot):
    """Lay the top card of the stock into an empty slot; there must be both."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    card = pop_stock(game, player)
    cards[slot_cards(player, slot)] = card
    state[at + SLOT_SIZE + slot] = 1
    state[at + SLOT_RANK + slot] = card & 15
    state[at + ROW_CARDS] += 1
    set_lane(game, player, slot, card & 15)
    log_event(game, Kind.DRAW, player, UNUSED, slot, card, UNUSED)


@kernel()
def equal_slots(game, player):
    """Find two slots of one rank: ``16 * later + earlier``, or -1. Jokers are never put together."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    for slot in range(1, rules.row_slots):
        if state[at + SLOT_SIZE + slot] > 0 and state[at + SLOT_RANK + slot] != JOKER_RANK:
            for target in range(slot):
                if (
                    state[at + SLOT_SIZE + target] > 0
                    and state[at + SLOT_RANK + target] == state[at + SLOT_RANK + slot]
                ):
                    return 16 * slot + target
    return NOBODY


@kernel()
def merge_slots(game, player, pair):
    """Put the cards of one slot on those of another; ``pair`` comes from :func:`equal_slots`."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    slot = pair >> 4
    target = pair & 15
    size = state[at + SLOT_SIZE + target]
    for i in range(state[at + SLOT_SIZE + slot]):
        cards[slot_cards(player, target) + size + i] = cards[slot_cards(player, slot) + i]
    state[at + SLOT_SIZE + target] = size + state[at + SLOT_SIZE + slot]
    state[at + SLOT_SIZE + slot] = 0
    clear_lane(game, player, slot)
    log_event(game, Kind.MERGE, player, UNUSED, slot, UNUSED, target)


@kernel()
def fill_row(game, player, merging):
    """Fill a player's row at once, putting equal ranks together if ``merging``."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    while True:
        if merging:
            pair = equal_slots(game, player)
            if pair >= 0:
                merge_slots(game, player, pair)
                continue
        # One branch for both: it is foreseen that a row needs nothing, but not for which of the two reasons.
        if (slots_used(game, player) >= rules.row_slots) | (state[at + STOCK_SIZE] == 0):
            return
        draw_card(game, player)


@kernel(inline=True)
def shown_under(game, player, slot):
    """Number of face-up cards under the top of a slot of a pile."""
    return (game.state[player_at(player) + SHOWN_UNDER] >> (4 * slot)) & 15


@kernel(inline=True)
def lay(game, player, slot, pile, n, also, who):
    """Lay the top ``n`` cards of a slot on a pile; ``also``: in the same move as the cards before."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    size = state[at + SLOT_SIZE + slot]
    first = slot_cards(player, slot)
    card = np.int64(cards[first + size - n])
    for i in range(n):
        card = np.int64(cards[first + size - 1 - i])
        put_on_pile(game, pile, card)
    state[at + SLOT_SIZE + slot] = size - n
    state[at + ROW_CARDS] -= n
    if size == n:
        clear_lane(game, player, slot)
    elif game.rules.row_piles == RowPiles.GROWING:
        if state[at + SHOWN_UNDER] != 0 and shown_under(game, player, slot) > 0:
            state[at + SHOWN_UNDER] -= 1 << (4 * slot)
        else:
            clear_lane(game, player, slot)
            state[at + SLOT_RANK + slot] = FACE_DOWN
    if also == 1:
        log_event(game, Kind.PLAY_ALSO, player, pile, slot, card, n)
    else:
        log_event(game, Kind.PLAY, player, pile, slot, card, n)
    if game.rules.n_jokers > 0:
        settle_joker(game, player, pile, who)
        if game.rules.joker_mode == JokerMode.WILD:
            # A joker that has faced jokers so far takes the first rank that shows beside it.
            for other in range(n_piles(game)):
                if other != pile:
                    settle_joker(game, player, np.int64(other), who)


@kernel()
def lay_run(game, player, pile, slot, who):
    """Lay further cards in the same move, of which each fits on the one before; any of several, by stream ``who``."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    laid = 1 << slot
    while True:
        fits = state[pile_at(pile) + PILE_FITS] & ~JOKER_BIT
        found = NOBODY
        n_found = ZERO
        for other in range(rules.row_slots):
            if (laid >> other) & 1 == 0 and state[at + SLOT_SIZE + other] > 0:
                if (fits >> state[at + SLOT_RANK + other]) & 1 == 1:
                    n_found += 1
                    if n_found == 1 or below(game.streams, who, n_found) == 0:
                        found = np.int64(other)
        if found < 0:
            return
        n = state[at + SLOT_SIZE + found] if rules.pile_play == PilePlay.WHOLE else ONE
        lay(game, player, found, pile, n, ONE, who)
        laid |= 1 << found
