"""Which cards a player takes and gives, and how his hand sets off for them."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word, sample
from stressim.exchange.choices import ContestedCard, SwapOrder
from stressim.exchange.habits import ChurnTake
from stressim.exchange.kernel.acts import GIVING_WAY, IMPROVING, PUTTING_DOWN, REACHING, act, motor
from stressim.exchange.kernel.bunches import held_ranks, lowest_ranks
from stressim.exchange.kernel.layout import (
    ARRIVE,
    BACK,
    BEST,
    COMMIT,
    GIVE,
    GROUP,
    HAND,
    HAS_CHOICE,
    HEIGHT,
    N_GIVE,
    N_HELD,
    N_TARGETS,
    PLAN,
    TABLE_BEST,
    TOUCH,
)
from stressim.exchange.kernel.places import (
    UONE,
    ZERO,
    bit_of,
    bits_of,
    bunch_at,
    bunch_cards,
    lowest_rank,
    player_at,
    random_rank,
)
from stressim.exchange.kernel.seeing import free_cards, free_ranks, known_best, seen_taken, want_card


@kernel(inline=True)
def _preferred(game, player, ranks):
    """One of some ranks to give a card of: by habit one that own bunches do not want, nor others; then by chance."""
    own = game.players[player]
    if ranks & (ranks - 1) == 0:
        return lowest_rank(ranks)
    if own.keep_for_others == 1 and game.state[player_at(player) + TABLE_BEST] & ranks != 0:
        rest = ranks & ~known_best(game, player)
        ranks = rest if rest != 0 else ranks
    if own.hold_back == 1 and ranks & (ranks - 1) != 0:
        rest = ranks & ~seen_taken(game, player)
        ranks = rest if rest != 0 else ranks
    return random_rank(game, 1 + player, ranks)


@kernel(inline=True)
def _give_card(game, player, rank):
    """Add a card of a rank in hand to those that a player will lay; there must be one."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    first = bunch_cards(hand)
    n_give = state[at + N_GIVE]
    found = ZERO
    if game.rules.plain_swaps == 1:
        for i in range(game.rules.bunch_size):
            card = np.int64(game.cards[first + i])
            found = card if card & 15 == rank else found
        state[at + GIVE] = found
        state[at + N_GIVE] = 1
        return
    for i in range(state[bunch_at(hand) + N_HELD]):
        card = np.int64(game.cards[first + i])
        fits = card & 15 == rank and (n_give == 0 or not _is_given(game, player, card))
        found = card if fits else found
    state[at + GIVE + (n_give & 3)] = found
    state[at + N_GIVE] = n_give + 1


@kernel()
def _is_given(game, player, card):
    """Whether a card is one of those that a player will lay."""
    state = game.state
    at = player_at(player)
    given = False
    for i in range(state[at + N_GIVE]):
        given = given or state[at + GIVE + i] == card
    return given


@kernel()
def _give_another(game, player, kept):
    """Add a card of lowest count, of ranks outside the mask ``kept``, to those that he will lay, if there is one."""
    state = game.state
    at = player_at(player)
    counts = game.counts[state[at + HAND]]
    for i in range(state[at + N_GIVE]):
        counts -= UONE << np.uint64((state[at + GIVE + i] & 15) << 2)
    lowest = lowest_ranks(counts, held_ranks(counts) & ~kept)
    if lowest != 0:
        _give_card(game, player, _preferred(game, player, lowest))


@kernel()
def reach(game, player, begin):
    """Send a hand to the cards wanted."""
    reach_out(game, player, begin)


@kernel(inline=True)
def reach_out(game, player, begin):
    """Send a hand to the cards wanted, where it matters how long that takes to compute."""
    state = game.state
    rules = game.rules
    at = player_at(player)
    own = game.players[player]
    word = next_word(game.streams, 1 + player)
    further = (state[at + N_TARGETS] - 1) * own.further_card_us
    touch = sample(game.tables, player, own.take_card_touch, high_32(word))
    if rules.swap_order == SwapOrder.SIMULTANEOUS:
        laid = sample(game.tables, player, own.put_down_card, next_32(game.streams, 1 + player))
        touch = max(touch, laid)
    state[at + TOUCH] = begin + motor(game, player, touch + further + own.seat_us)
    state[at + BACK] = motor(game, player, sample(game.tables, player, own.take_card_return, low_32(word)))
    state[at + ARRIVE] = state[at + TOUCH]
    if rules.contested_card != ContestedCard.FIRST_TOUCH:
        state[at + ARRIVE] += state[at + BACK]
    state[at + GROUP] = 0
    act(game, player, REACHING, state[at + ARRIVE])


@kernel(inline=True)
def _start_swap(game, player, commit):
    """Set the hand off at ``commit`` for the cards that are wanted and given."""
    state = game.state
    at = player_at(player)
    own = game.players[player]
    state[at + COMMIT] = commit
    if game.rules.swap_order == SwapOrder.PUT_DOWN_FIRST:
        laid = sample(game.tables, player, own.put_down_card, next_32(game.streams, 1 + player))
        further = (state[at + N_GIVE] - 1) * own.further_card_us
        act(game, player, PUTTING_DOWN, commit + motor(game, player, laid + further + own.seat_us))
    else:
        reach(game, player, commit)


@kernel()
def _plan_grab(game, player, wanted):
    """Want several cards at once where that helps more (A12), and plan what to lay for them."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    here = bunch_at(hand)
    most = ZERO
    ranks = ZERO
    rest = wanted
    while rest != 0:
        rank = lowest_rank(rest)
        rest &= rest - 1
        n = min(rules.swap_max_cards, rules.bunch_size - state[here + HEIGHT], free_cards(game, player, bit_of(rank)))
        if n > most:
            most = n
            ranks = ZERO
        if n == most:
            ranks |= bit_of(rank)
    kept = bit_of(want_card(game, player, ranks))
    for _ in range(most - 1):
        want_card(game, player, kept)
    for _ in range(most):
        _give_another(game, player, kept)
    # With hands to spare, a card of a second rank makes a second pair, if cards are left to give for it.
    if rules.grab_equal_only == 0:
        while state[at + N_TARGETS] < rules.swap_max_cards:
            given = ZERO
            for i in range(state[at + N_GIVE]):
                given |= bit_of(state[at + GIVE + i] & 15)
            others = held_ranks(game.counts[hand]) & ~kept & ~given & free_ranks(game, player)
            if others == 0 or bits_of(held_ranks(game.counts[hand]) & ~kept & ~given) < 2:
                return
            kept |= bit_of(want_card(game, player, others))
            _give_another(game, player, kept | given)


@kernel(inline=True)
def plan_swap(game, player, wanted, yields, commit):
    """Plan a swap for a card of one of the ranks ``wanted``, which lie in the centre and improve the bunch in hand.

    Where no rank is wanted he gives way: he swaps a card that he does not need, or one that he hopes for (``yields``),
    against any card.
    """
    state = game.state
    at = player_at(player)
    own = game.players[player]
    hand = state[at + HAND]
    state[at + PLAN] = IMPROVING if wanted != 0 else GIVING_WAY
    state[at + HAS_CHOICE] = 1 if wanted & (wanted - 1) != 0 else 0
    if wanted != 0 and game.rules.swap_max_cards > 1 and own.grab_several == 1:
        _plan_grab(game, player, wanted)
    else:
        ranks = wanted
        if ranks & (ranks - 1) != 0:
            ranks = bit_of(want_card(game, player, wanted))
        rank = lowest_rank(state[bunch_at(hand) + BEST])
        if not yields:
            counts = game.counts[hand]
            rank = _preferred(game, player, lowest_ranks(counts, held_ranks(counts) & ~ranks))
        _give_card(game, player, rank)
        if wanted == 0:
            free = free_ranks(game, player)
            ranks = free & ~bit_of(rank)
            ranks = ranks if ranks != 0 else free
            state[at + HAS_CHOICE] = 1 if ranks & (ranks - 1) != 0 else 0
            if own.churn_take == ChurnTake.OWN_BUNCHES and state[at + TABLE_BEST] & ranks != 0:
                rest = ranks & known_best(game, player)
                ranks = rest if rest != 0 else ranks
        if state[at + N_TARGETS] == 0:
            want_card(game, player, ranks)
    _start_swap(game, player, commit)
