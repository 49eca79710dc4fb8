"""Rows of piles (Spit): laid out, turned up, put on equal tops, moved, taken up at the end of a round."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.shedding.choices import MergeEqualRanks
from stressim.shedding.events import JOKER_RANK, Kind
from stressim.shedding.kernel.lanes import clear_lane, set_lane
from stressim.shedding.kernel.layout import (
    FACE_DOWN,
    PILE_SIZE,
    PILES,
    ROUNDS,
    ROW_CARDS,
    SEAT_BLOCK,
    SHOWN_UNDER,
    SLOT_RANK,
    SLOT_SIZE,
    STOCK_SIZE,
)
from stressim.shedding.kernel.pickups import shuffle_stock, take_pile
from stressim.shedding.kernel.places import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    log_event,
    n_players,
    pile_at,
    player_at,
    slot_cards,
)
from stressim.shedding.kernel.rows import append_stock, pop_stock, shown_under


@kernel()
def lay_out_piles(game, player):
    """Lay out a row from the stock as far as it goes, a layer at a time, and turn the tops up."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    for layer in range(rules.row_slots):
        for slot in range(layer, rules.row_slots):
            if state[at + STOCK_SIZE] > 0:
                card = pop_stock(game, player)
                game.cards[slot_cards(player, np.int64(slot)) + state[at + SLOT_SIZE + slot]] = card
                state[at + SLOT_SIZE + slot] += 1
                state[at + SLOT_RANK + slot] = FACE_DOWN
                state[at + ROW_CARDS] += 1
                log_event(game, Kind.DRAW, player, UNUSED, np.int64(slot), card, UNUSED)
    turn_all_up(game, player)


@kernel()
def turn_all_up(game, player):
    """Turn up every top that lies face down."""
    slot = face_down_slot(game, player)
    while slot >= 0:
        turn_up(game, player, slot)
        slot = face_down_slot(game, player)


@kernel()
def face_down_slot(game, player):
    """The first slot whose top lies face down, or -1."""
    state = game.state
    at = player_at(player)
    for slot in range(game.rules.row_slots):
        if state[at + SLOT_SIZE + slot] > 0 and state[at + SLOT_RANK + slot] == FACE_DOWN:
            return np.int64(slot)
    return NOBODY


@kernel()
def turn_up(game, player, slot):
    """Turn up the top card of a slot."""
    at = player_at(player)
    card = np.int64(game.cards[slot_cards(player, slot) + game.state[at + SLOT_SIZE + slot] - 1])
    game.state[at + SLOT_RANK + slot] = card & 15
    set_lane(game, player, slot, card & 15)
    log_event(game, Kind.TURN, player, UNUSED, slot, card, UNUSED)


@kernel()
def move_to_make(game, player, who):
    """Choose a card to move to an empty place: ``16 * slot + place``, any slot alike by stream ``who``; -1 for none."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    place = NOBODY
    chosen = NOBODY
    n_found = ZERO
    if rules.move_to_empty == 0:
        return NOBODY
    for slot in range(rules.row_slots):
        if state[at + SLOT_SIZE + slot] == 0:
            place = np.int64(slot)
    if place < 0:
        return NOBODY
    together = state[at + SHOWN_UNDER] != 0
    for slot in range(rules.row_slots):
        if state[at + SLOT_SIZE + slot] > 1 and state[at + SLOT_RANK + slot] != FACE_DOWN:
            if together and state[at + SLOT_SIZE + slot] == 1 + shown_under(game, player, slot):
                continue
            n_found += 1
            if n_found == 1 or (who >= 0 and below(game.streams, who, n_found) == 0):
                chosen = np.int64(slot)
    return NOBODY if chosen < 0 else 16 * chosen + place


@kernel(inline=True)
def tops_to_merge(game, player, who):
    """Choose a slot to put on an equal top: ``16 * slot + target``, any such pair alike by stream ``who``; -1 for none.

    Which of two goes onto the other matters, for what has lain under it comes up. Jokers are never put together.
    """
    return _equal_tops(game, player, who) if game.rules.merge_equal_ranks == MergeEqualRanks.ALWAYS else NOBODY


@kernel()
def _equal_tops(game, player, who):
    rules = game.rules
    state = game.state
    at = player_at(player)
    chosen = NOBODY
    n_found = ZERO
    for slot in range(rules.row_slots):
        rank = state[at + SLOT_RANK + slot]
        if state[at + SLOT_SIZE + slot] > 0 and rank != FACE_DOWN and rank != JOKER_RANK:
            for target in range(rules.row_slots):
                if target != slot and state[at + SLOT_SIZE + target] > 0 and state[at + SLOT_RANK + target] == rank:
                    n_found += 1
                    if n_found == 1 or (who >= 0 and below(game.streams, who, n_found) == 0):
                        chosen = np.int64(16 * slot + target)
    return chosen


@kernel()
def row_can_change(game, player):
    """Whether a player has a card to turn up, to put on an equal one or to move."""
    if face_down_slot(game, player) >= 0 or move_to_make(game, player, NOBODY) >= 0:
        return True
    return tops_to_merge(game, player, NOBODY) >= 0


@kernel()
def move_top(game, player, move):
    """Move a card, and equal ones put together with it, to an empty place; ``move`` is of :func:`move_to_make`."""
    state = game.state
    at = player_at(player)
    slot = move >> 4
    place = move & 15
    card = np.int64(game.cards[slot_cards(player, slot) + state[at + SLOT_SIZE + slot] - 1])
    n = _put_shown(game, player, slot, place)
    state[at + SHOWN_UNDER] += (n - 1) << (4 * place)
    state[at + SLOT_RANK + place] = card & 15
    set_lane(game, player, place, card & 15)
    log_event(game, Kind.MOVE, player, UNUSED, slot, card, place)


@kernel()
def merge_tops(game, player, pair):
    """Put the face-up cards of one slot on an equal top; ``pair`` comes from :func:`tops_to_merge`."""
    slot = pair >> 4
    target = pair & 15
    n = _put_shown(game, player, slot, target)
    game.state[player_at(player) + SHOWN_UNDER] += n << (4 * target)
    log_event(game, Kind.MERGE, player, UNUSED, slot, UNUSED, target)


@kernel()
def _put_shown(game, player, slot, target):
    """Take the face-up cards of a slot to another one; returns how many they are."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    n = ONE
    if state[at + SHOWN_UNDER] != 0:
        n += shown_under(game, player, slot)
        state[at + SHOWN_UNDER] -= (n - 1) << (4 * slot)
    size = state[at + SLOT_SIZE + slot] - n
    onto = state[at + SLOT_SIZE + target]
    for i in range(n):
        cards[slot_cards(player, target) + onto + i] = cards[slot_cards(player, slot) + size + i]
    state[at + SLOT_SIZE + target] = onto + n
    state[at + SLOT_SIZE + slot] = size
    state[at + SLOT_RANK + slot] = FACE_DOWN
    clear_lane(game, player, slot)
    return n


@kernel()
def settle_row(game, player, who):
    """Turn up and move whatever can be, at once; chance comes from stream ``who``."""
    turn_all_up(game, player)
    move = move_to_make(game, player, who)
    while move >= 0:
        move_top(game, player, move)
        turn_all_up(game, player)
        move = move_to_make(game, player, who)


@kernel()
def settle_row_and_merge(game, player, who):
    """:func:`settle_row` where equal tops are put together; apart from it, for most games know no such thing."""
    turn_all_up(game, player)
    while True:
        pair = tops_to_merge(game, player, who)
        if pair >= 0:
            merge_tops(game, player, pair)
        else:
            move = move_to_make(game, player, who)
            if move < 0:
                return
            move_top(game, player, move)
        turn_all_up(game, player)


@kernel(inline=True)
def one_pile_only(game):
    """Whether one of the centre places is empty."""
    state = game.state
    return state[PILES + PILE_SIZE] == 0 or state[PILES + SEAT_BLOCK + PILE_SIZE] == 0


@kernel()
def smaller_of_both(game, player):
    """The pile with fewer cards, an empty place being the smallest; of equal ones the player's own."""
    state = game.state
    if state[pile_at(1 - player) + PILE_SIZE] < state[pile_at(player) + PILE_SIZE]:
        return 1 - player
    return player


@kernel()
def new_round(game, faster):
    """The faster player takes the smaller pile; each shuffles what he holds and lays out a new row."""
    state = game.state
    smaller = smaller_of_both(game, faster)
    take_pile(game, faster, smaller)
    take_pile(game, 1 - faster, 1 - smaller)
    for player in range(n_players(game)):
        at = player_at(player)
        log_event(game, Kind.GATHER, np.int64(player), UNUSED, UNUSED, UNUSED, state[at + ROW_CARDS])
        for slot in range(game.rules.row_slots):
            for i in range(state[at + SLOT_SIZE + slot]):
                append_stock(game, np.int64(player), game.cards[slot_cards(player, np.int64(slot)) + i])
            state[at + SLOT_SIZE + slot] = 0
            clear_lane(game, np.int64(player), np.int64(slot))
        state[at + ROW_CARDS] = 0
        state[at + SHOWN_UNDER] = 0
        shuffle_stock(game, np.int64(player))
        lay_out_piles(game, np.int64(player))
    game.row[ROUNDS] += 1


@kernel()
def emptied_row(game):
    """The player whose row is empty while he still has a stock, or -1."""
    state = game.state
    for player in range(n_players(game)):
        if state[player_at(player) + ROW_CARDS] == 0 and state[player_at(player) + STOCK_SIZE] > 0:
            return np.int64(player)
    return NOBODY
