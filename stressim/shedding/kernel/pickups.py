"""Cards that a player takes up: which pile, in which order, where they go; and cards that change hands."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, high_32, low_32, next_32, next_word
from stressim.shedding.choices import OnePile, OtherPile, PickupPlacement, PileView, StressPickup, TakenCard, UnderOrder
from stressim.shedding.events import Kind
from stressim.shedding.habits import PileChoice
from stressim.shedding.kernel.layout import (
    LAST_EQUAL,
    LOGGING,
    N_OWN,
    PAIR,
    PILE_FITS,
    PILE_RANK,
    PILE_SIZE,
    PILE_VERSION,
    SHORT_PLAYS,
    STACK,
    STOCK_HEAD,
    STOCK_SIZE,
    VIEWER,
)
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    is_pair,
    log_event,
    n_players,
    pile_at,
    pile_cards,
    player_at,
    stock_cards,
)
from stressim.shedding.kernel.rows import append_cards, append_stock, pop_stock, push_stock
from stressim.shedding.kernel.seats import first_in_turn, next_with_stock, own_pile


@kernel()
def shuffle_stock(game, player):
    """Shuffle a player's stock with the table's stream."""
    state = game.state
    cards = game.cards
    streams = game.streams
    at = player_at(player)
    head = state[at + STOCK_HEAD]
    size = state[at + STOCK_SIZE]
    first = stock_cards(player)
    i = size - 1
    while i > 0:
        word = next_word(streams, ZERO)
        bits = high_32(word)
        for _ in range(2):
            if i > 0:
                j = (bits * (i + 1)) >> 32
                a = first + ((head + i) & (STACK - 1))
                b = first + ((head + j) & (STACK - 1))
                card = cards[a]
                cards[a] = cards[b]
                cards[b] = card
                i -= 1
                bits = low_32(word)
    if state[LOGGING] == 1:
        for depth in range(size):
            log_event(game, Kind.STOCK, player, UNUSED, UNUSED,
                np.int64(cards[first + ((head + depth) & (STACK - 1))]), np.int64(depth),
            )  # fmt: skip


@kernel()
def take_pile(game, player, pile):
    """Turn a pile over and put it under a player's stock: its first card will be drawn first."""
    state = game.state
    at = pile_at(pile)
    size = state[at + PILE_SIZE]
    append_cards(game, player, pile_cards(pile), size)
    state[at + PILE_SIZE] = 0
    state[at + PILE_RANK] = -1
    state[at + PILE_FITS] = 0
    state[at + PILE_VERSION] += 1
    state[player_at(player) + SHORT_PLAYS] = 0
    state[player_at(player) + LAST_EQUAL] = 0
    log_event(game, Kind.TAKE, player, pile, UNUSED, UNUSED, size)
    return size


@kernel()
def give_card(game, giver, receiver):
    """Hand over one card of a stock (U30): it becomes the top of the other one."""
    rules = game.rules
    state = game.state
    cards = game.cards
    streams = game.streams
    at = player_at(giver)
    depth = ZERO
    if rules.taken_card == TakenCard.RANDOM:
        depth = below(streams, ZERO, state[at + STOCK_SIZE])
    first = stock_cards(giver)
    head = state[at + STOCK_HEAD]
    card = cards[first + ((head + depth) & (STACK - 1))]
    for i in range(depth, 0, -1):
        cards[first + ((head + i) & (STACK - 1))] = cards[first + ((head + i - 1) & (STACK - 1))]
    pop_stock(game, giver)
    push_stock(game, receiver, card)
    log_event(game, Kind.GIVE, giver, UNUSED if is_pair(game) else receiver, UNUSED, np.int64(card), depth)


@kernel()
def penalty_card(game, player):
    """Give a player the top card of the other stock under his own; returns whether there was one.

    Of more than two it is the stock of the nearest on his left who has one.
    """
    state = game.state
    giver = 1 - player
    if not is_pair(game):
        giver = next_with_stock(game, player, ONE)
        if giver < 0:
            return False
    if state[player_at(giver) + STOCK_SIZE] == 0:
        return False
    if state[player_at(player) + STOCK_SIZE] == 0:
        state[player_at(player) + SHORT_PLAYS] = 0  # until now there was nothing to fill his row up with
    card = pop_stock(game, giver)
    append_stock(game, player, card)
    log_event(game, Kind.PENALTY, player, UNUSED if is_pair(game) else giver, UNUSED, card, UNUSED)
    return True


@kernel(inline=True)
def right_pile(game, player):
    """The pile on a player's right (U6): his own, or the viewer's."""
    rules = game.rules
    state = game.state
    if rules.pile_view == PileView.ABSOLUTE:
        return state[VIEWER]
    return player


@kernel()
def smaller_pile(game, player):
    """The pile with fewer cards; of equal ones the player's right one."""
    state = game.state
    right = right_pile(game, player)
    if state[pile_at(1 - right) + PILE_SIZE] < state[pile_at(right) + PILE_SIZE]:
        return 1 - right
    return right


@kernel()
def chosen_pile(game, player, choice):
    """The pile a player chooses by his habit (a :class:`PileChoice`); chance comes from the table's stream."""
    streams = game.streams
    if choice == PileChoice.SMALLER:
        return smaller_pile(game, player)
    right = right_pile(game, player)
    if choice == PileChoice.LEFT or (choice == PileChoice.RANDOM and next_32(streams, ZERO) & 1 == 1):
        return 1 - right
    return right


@kernel()
def one_of_the_piles(game, player, choice):
    """Which pile it is when one is to be taken (U45)."""
    rules = game.rules
    if rules.one_pile == OnePile.RIGHT:
        return right_pile(game, player)
    if rules.one_pile == OnePile.SMALLER:
        return smaller_pile(game, player)
    return chosen_pile(game, player, choice)


@kernel()
def take_both(game, player):
    """Take both piles, in the order that the rules give when they go under the stock (U44)."""
    rules = game.rules
    streams = game.streams
    first = player
    if rules.under_order == UnderOrder.OTHER_FIRST:
        first = 1 - player
    elif rules.under_order == UnderOrder.RANDOM:
        first = next_32(streams, ZERO) & 1
    n = take_pile(game, player, first)
    return n + take_pile(game, player, 1 - first)


@kernel()
def stress_penalty(game, loser, choice):
    """Let the loser of a stress take what the rules say (B36, B37, U8). Returns the number of cards."""
    rules = game.rules
    if rules.stress_pickup == StressPickup.BOTH or rules.stress_pickup == StressPickup.ALL:
        n = take_both(game, loser)
    else:
        pile = right_pile(game, loser)
        if rules.stress_pickup == StressPickup.LEFT:
            pile = 1 - pile
        elif rules.stress_pickup == StressPickup.ONE:
            pile = one_of_the_piles(game, loser, choice)
        n = take_pile(game, loser, pile)
        if rules.other_pile_after_stress == OtherPile.SET_ASIDE:
            set_aside(game, 1 - pile)
    if rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
        shuffle_stock(game, loser)
    return n


@kernel()
def set_aside(game, pile):
    """Take a pile out of the game."""
    state = game.state
    at = pile_at(pile)
    state[at + PILE_SIZE] = 0
    state[at + PILE_RANK] = -1
    state[at + PILE_FITS] = 0
    state[at + PILE_VERSION] += 1
    log_event(game, Kind.SET_ASIDE, NOBODY, pile, UNUSED, UNUSED, UNUSED)


@kernel()
def each_takes_right(game, always_shuffle):
    """Let each player take his own pile, which lies on his right. Returns the number of cards."""
    rules = game.rules
    n = ZERO
    if not is_pair(game):
        return each_takes_own(game, (ONE << n_players(game)) - 1, always_shuffle)
    for player in range(n_players(game)):
        n += take_pile(game, np.int64(player), np.int64(player))
        if always_shuffle or rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
            shuffle_stock(game, np.int64(player))
    return n


@kernel(beyond=PAIR, otherwise=ZERO)
def each_takes_own(game, who, always_shuffle):
    """Let each of more than two players in ``who``, as bits, take all piles that are his own.

    Returns the number of cards.
    """
    rules = game.rules
    players = n_players(game)
    begins = first_in_turn(game)
    n = ZERO
    for turn in range(players):
        player = (begins + turn) % players
        if (who >> player) & 1 == 0:
            continue
        taken = ZERO
        for nth in range(game.state[player_at(player) + N_OWN]):
            pile = own_pile(game, player, np.int64(nth))
            if game.state[pile_at(pile) + PILE_SIZE] > 0:
                taken += take_pile(game, player, pile)
        n += taken
        if taken == 0:
            continue
        if always_shuffle or rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
            shuffle_stock(game, player)
    return n
