"""A handicap: bunches that one player, or team, is given complete and open at the deal."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import nth_one
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.exchange.kernel.layout import CENTRE_COUNT, CLOSED, LEFT, LIES_AT, OPEN, OPENED
from stressim.exchange.kernel.places import ONE, ZERO, bits_of, bunch_at, first_bunch, player_at

_DECK = np.int64(255)


@kernel(inline=True)
def _given_from(game):
    """The first of the bunches that are given; they are the last ones of whom they belong to."""
    rules = game.rules
    return first_bunch(game, rules.handicap_player - 1) + rules.bunches_each - rules.handicap_bunches


@kernel()
def give_complete(game, n_cards):
    """Sort complete bunches out of the shuffled deck to where they are dealt; all other cards keep their order.

    For each a rank is drawn, each as likely, of those that have cards enough left. Its cards are chosen by number, not
    by where they lie, so that the others stay as well shuffled as they were. Where cards lie is not known yet, so there
    is room beside the deck.
    """
    rules = game.rules
    cards = game.cards
    size = rules.bunch_size
    n_given = ZERO
    left = n_cards
    for _ in range(rules.handicap_bunches):
        rank = _draw_rank(game, left)
        lowest = _DECK
        for i in range(left):
            if np.int64(cards[i & _DECK]) & 15 == rank:
                lowest = min(lowest, np.int64(cards[i & _DECK]))
        taken = ZERO
        kept = ZERO
        for i in range(left):
            card = np.int64(cards[i & _DECK])
            if card & 15 == rank and card < lowest + 16 * size:
                cards[LIES_AT + ((n_given + taken) & _DECK)] = card
                taken += 1
            else:
                cards[kept & _DECK] = card
                kept += 1
        n_given += size
        left = kept
    first = _given_from(game) * size
    for i in range(left - first):
        cards[(n_cards - 1 - i) & _DECK] = cards[(left - 1 - i) & _DECK]
    for i in range(n_given):
        cards[(first + i) & _DECK] = cards[LIES_AT + (i & _DECK)]


@kernel()
def _draw_rank(game, n_cards):
    """A rank of which the first ``n_cards`` of the deck have enough for a bunch, each as likely."""
    counts = game.state[CENTRE_COUNT : CENTRE_COUNT + 16]  # counted anew once the centre is laid out
    counts[:] = 0
    for i in range(n_cards):
        counts[np.int64(game.cards[i & _DECK]) & 15] += 1
    enough = ZERO
    for rank in range(16):
        enough |= np.int64(counts[rank] >= game.rules.bunch_size) << rank
    return nth_one(np.uint64(enough), below(game.streams, ZERO, bits_of(enough)))


@kernel()
def open_given(game):
    """The bunches that are given lie open from the start."""
    rules = game.rules
    state = game.state
    first = _given_from(game)
    for bunch in range(first, first + rules.handicap_bunches):
        state[bunch_at(bunch) + OPEN] = 1
    side = (rules.handicap_player - 1) % rules.n_sides
    for player in range(side, rules.n_players, rules.n_sides):
        at = player_at(player)
        state[at + LEFT] -= rules.handicap_bunches
        state[at + OPENED] += rules.handicap_bunches
        state[at + CLOSED] = (ONE << state[at + LEFT]) - 1
