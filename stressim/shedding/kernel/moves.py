"""Moves of cards that both timing modes share. Nothing here knows a clock.

Arguments come in one order everywhere: ``rules, state, cards, streams, row, log`` and then what the move is about.
Piles and players are never told apart by their numbers: pile ``i`` is player ``i``'s own.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import count_ones, kernel, lowest_one
from stressim.compiled.rng import below, high_32, low_32, next_32, next_word, rekeyed, stream_key
from stressim.shedding.events import JOKER_RANK, Kind, Outcome, Reason
from stressim.shedding.habits import PileChoice
from stressim.shedding.kernel.layout import (
    CLEARED_FROM,
    COMEBACK,
    DEAD_PPM,
    FITS,
    FLIPS,
    LANES,
    LAST_CARD_EQUAL,
    LAST_EQUAL,
    LEAD_CHANGES,
    LEAD_SINCE,
    LEADER,
    LENGTH_US,
    LOG_TIME,
    LOGGING,
    LOSER_CARDS,
    MOST_BEHIND,
    MOVES,
    N_LOGGED,
    N_MASKS,
    N_PILES,
    N_PLAYERS,
    NOW,
    ONE_STOCK_EMPTY,
    OUTCOME,
    PILE_BLOCK,
    PILE_FITS,
    PILE_RANK,
    PILE_SIZE,
    PILE_VERSION,
    PILES,
    PLAYER_BLOCK,
    PLAYER_CARDS,
    PLAYERS,
    PLAYS,
    ROW_CARDS,
    SHORT_PLAYS,
    SLOT_DEPTH,
    SLOT_RANK,
    SLOT_SIZE,
    STACK,
    STOCK_HEAD,
    STOCK_SIZE,
    VIEWER,
    WIN_1,
    WINNER,
    WON,
)
from stressim.shedding.rules import (
    Ace,
    DealMode,
    EmptyStock,
    GiverWithOneCard,
    JokerMode,
    MergeEqualRanks,
    OnePile,
    OtherPile,
    PickupPlacement,
    PileView,
    PostStressEmptyStock,
    RefillPolicy,
    RestartTarget,
    StressPickup,
    TakenCard,
    UnderOrder,
)

NOBODY = np.int64(-1)
UNUSED = np.int64(-1)
JOKER_BIT = np.int64(1 << JOKER_RANK)
ALL_RANKS = np.int64((1 << 16) - 1)
ZERO = np.int64(0)
ONE = np.int64(1)

# Masks that change no place but tell the compiler that it is not negative; otherwise every access of an array begins
# with a test for an index from the end.
EACH_SLOT = np.uint64(0x0001_0001_0001_0001)
ONE_SLOT = np.uint64(0xFFFF)
UONE = np.uint64(1)
SMALL = np.int64(1023)
LARGE = np.int64(4095)


# --- places ---------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def player_at(player):  # type: ignore[no-untyped-def]
    """First place of a player's block in ``state``."""
    return (PLAYERS + player * PLAYER_BLOCK) & SMALL


@kernel(inline=True)
def pile_at(pile):  # type: ignore[no-untyped-def]
    """First place of a pile's block in ``state``."""
    return (PILES + pile * PILE_BLOCK) & SMALL


@kernel(inline=True)
def pile_cards(pile):  # type: ignore[no-untyped-def]
    """Place of a pile's lowest card in ``cards``."""
    return (STACK + pile * STACK) & LARGE


@kernel(inline=True)
def stock_cards(player):  # type: ignore[no-untyped-def]
    """Place of a player's stock in ``cards``; a ring that begins at ``STOCK_HEAD``."""
    return ((1 + N_PILES) * STACK + player * PLAYER_CARDS) & LARGE


@kernel(inline=True)
def slot_cards(player, slot):  # type: ignore[no-untyped-def]
    """Place of a slot's lowest card in ``cards``."""
    return ((1 + N_PILES) * STACK + player * PLAYER_CARDS + STACK + slot * SLOT_DEPTH) & LARGE


@kernel(inline=True)
def remaining(game, player):  # type: ignore[no-untyped-def]
    """Cards a player still has: stock and row."""
    state = game.state
    at = player_at(player)
    return state[at + STOCK_SIZE] + state[at + ROW_CARDS]


@kernel(inline=True)
def count_bits(mask):  # type: ignore[no-untyped-def]
    """Number of ones among 16 bits."""
    mask = mask - ((mask >> 1) & 0x5555)
    mask = (mask & 0x3333) + ((mask >> 2) & 0x3333)
    mask = (mask + (mask >> 4)) & 0x0F0F
    return (mask + (mask >> 8)) & 0x1F


@kernel(inline=True)
def log_event(game, kind, player, pile, slot, card, number):  # type: ignore[no-untyped-def]
    """Append an event if a log is kept. Times in a log never fall."""
    if game.state[LOGGING] == 1:
        _write_event(game, np.int64(kind), player, pile, slot, card, number)


@kernel()
def _write_event(game, kind, player, pile, slot, card, number):  # type: ignore[no-untyped-def]
    state = game.state
    log = game.log
    at = state[N_LOGGED]
    if at < log.shape[0]:
        state[LOG_TIME] = max(state[LOG_TIME], state[NOW])
        log[at, 0] = state[LOG_TIME]
        log[at, 1] = kind
        log[at, 2] = player
        log[at, 3] = pile
        log[at, 4] = slot
        log[at, 5] = card
        log[at, 6] = number
    state[N_LOGGED] = at + 1


# --- tops -----------------------------------------------------------------------------------------------------------


@kernel()
def prepare_masks(game):  # type: ignore[no-untyped-def]
    """Write, for every rank, the mask of the ranks that fit on it; once per shard."""
    rules = game.rules
    state = game.state
    n = rules.n_ranks
    shift = ZERO
    if rules.ace == Ace.HIGH and rules.has_ace == 1:
        shift = n - 1  # the ace, rank number 0, comes after the king
    for rank in range(n):
        place = (rank + shift) % n
        mask = JOKER_BIT
        for other in range(n):
            distance = abs((other + shift) % n - place)
            if distance == 1 or (rules.ace == Ace.WRAP and distance == n - 1 and n > 1):
                mask |= ONE << other
            if distance == 0 and rules.equal_rank_playable == 1:
                mask |= ONE << other
        state[FITS + rank] = mask
    for rank in range(n, N_MASKS):
        state[FITS + rank] = 0
    state[FITS + JOKER_RANK] = ALL_RANKS


@kernel(inline=True)
def tops_equal(game):  # type: ignore[no-untyped-def]
    """Whether the tops of the two piles have the same rank; a joker that counts as anything equals all."""
    state = game.state
    a = state[PILES + PILE_RANK]
    b = state[PILES + PILE_BLOCK + PILE_RANK]
    return a >= 0 and b >= 0 and (a == b or a == JOKER_RANK or b == JOKER_RANK)


@kernel(inline=True)
def tops_adjacent(game):  # type: ignore[no-untyped-def]
    """Whether the top of one pile would fit on the other."""
    state = game.state
    a = state[PILES + PILE_RANK]
    return a >= 0 and (state[PILES + PILE_BLOCK + PILE_FITS] >> a) & 1 == 1


@kernel(inline=True)
def fitting(game):  # type: ignore[no-untyped-def]
    """Mask of the ranks that fit on one of the piles."""
    state = game.state
    return state[PILES + PILE_FITS] | state[PILES + PILE_BLOCK + PILE_FITS]


@kernel(inline=True)
def put_on_pile(game, pile, card):  # type: ignore[no-untyped-def]
    """Lay one card on a pile; the pile's rank is set for all but jokers."""
    state = game.state
    cards = game.cards
    at = pile_at(pile)
    size = state[at + PILE_SIZE]
    cards[pile_cards(pile) + size] = card
    rank = np.int64(card) & 15
    state[at + PILE_SIZE] = size + 1
    state[at + PILE_RANK] = rank
    state[at + PILE_FITS] = state[FITS + rank]
    state[at + PILE_VERSION] += 1


@kernel()
def settle_joker(game, player, pile, who):  # type: ignore[no-untyped-def]
    """Give a joker on top of a pile its rank (U32); stream ``who`` names it where the player must."""
    rules = game.rules
    state = game.state
    streams = game.streams
    at = pile_at(pile)
    if state[at + PILE_RANK] != JOKER_RANK:
        return
    if rules.joker_mode == JokerMode.WILD:
        for other in range(N_PILES):
            if other != pile and state[pile_at(other) + PILE_RANK] >= 0:
                state[at + PILE_RANK] = state[pile_at(other) + PILE_RANK]
    elif rules.joker_mode == JokerMode.NAMED:
        rank = below(streams, who, rules.n_ranks)
        state[at + PILE_RANK] = rank
        state[at + PILE_FITS] = state[FITS + rank]
        log_event(game, Kind.NAME, player, pile, UNUSED, UNUSED, rank)


# --- stock and row --------------------------------------------------------------------------------------------------


@kernel(inline=True)
def pop_stock(game, player):  # type: ignore[no-untyped-def]
    """Take the top card of a player's stock, which must have one."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    head = state[at + STOCK_HEAD]
    state[at + STOCK_HEAD] = (head + 1) & (STACK - 1)
    state[at + STOCK_SIZE] -= 1
    return np.int64(cards[stock_cards(player) + head])


@kernel(inline=True)
def push_stock(game, player, card):  # type: ignore[no-untyped-def]
    """Put a card on top of a player's stock."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    head = (state[at + STOCK_HEAD] - 1) & (STACK - 1)
    state[at + STOCK_HEAD] = head
    state[at + STOCK_SIZE] += 1
    cards[stock_cards(player) + head] = card


@kernel(inline=True)
def append_stock(game, player, card):  # type: ignore[no-untyped-def]
    """Put a card under a player's stock."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    place = (state[at + STOCK_HEAD] + state[at + STOCK_SIZE]) & (STACK - 1)
    state[at + STOCK_SIZE] += 1
    cards[stock_cards(player) + place] = card


# A row as bits: the rank of a slot's cards is one bit among sixteen, four slots a word. What fits is then an "and" for
# all slots at once, and the numbers of a row are counts of ones.


@kernel(inline=True)
def spread(mask):  # type: ignore[no-untyped-def]
    """Repeat a mask of ranks for each of four slots."""
    return np.uint64(mask) * EACH_SLOT


@kernel(inline=True)
def set_lane(game, player, slot, rank):  # type: ignore[no-untyped-def]
    """Note the rank that a slot now has."""
    game.lanes[(player * LANES + (slot >> 2)) & 15] |= UONE << np.uint64(((slot & 3) << 4) + rank)


@kernel(inline=True)
def clear_lane(game, player, slot):  # type: ignore[no-untyped-def]
    """Note that a slot is empty."""
    game.lanes[(player * LANES + (slot >> 2)) & 15] &= ~(ONE_SLOT << np.uint64((slot & 3) << 4))


@kernel(inline=True)
def low_lanes(game, player):  # type: ignore[no-untyped-def]
    """The first four slots of a row."""
    return game.lanes[(player * LANES) & 15]


@kernel(inline=True)
def high_lanes(game, player):  # type: ignore[no-untyped-def]
    """The other slots of a row."""
    return game.lanes[(player * LANES + 1) & 15]


@kernel(inline=True)
def row_mask(game, player):  # type: ignore[no-untyped-def]
    """Mask of the ranks in a player's row."""
    lanes = low_lanes(game, player) | high_lanes(game, player)
    lanes |= lanes >> np.uint64(32)
    return np.int64((lanes | (lanes >> np.uint64(16))) & ONE_SLOT)


@kernel(inline=True)
def slots_used(game, player):  # type: ignore[no-untyped-def]
    """Number of a player's slots that hold cards."""
    return count_ones(low_lanes(game, player)) + count_ones(high_lanes(game, player))


@kernel(inline=True)
def first_empty_slot(game, player):  # type: ignore[no-untyped-def]
    """The lowest empty slot of a row that has one."""
    lanes = low_lanes(game, player)
    base = ZERO
    if count_ones(lanes) == 4:
        lanes = high_lanes(game, player)
        base = np.int64(4)
    lanes |= lanes >> np.uint64(8)
    lanes |= lanes >> np.uint64(4)
    lanes |= lanes >> np.uint64(2)
    lanes |= lanes >> np.uint64(1)
    return base + (lowest_one(~lanes & EACH_SLOT) >> 4)


@kernel(inline=True)
def can_refill(game, player):  # type: ignore[no-untyped-def]
    """Whether a player has an empty slot and a card for it, and the rules let him."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    return (
        state[at + STOCK_SIZE] > 0
        and slots_used(game, player) < rules.row_slots
        and rules.refill_policy != RefillPolicy.NONE
    )


@kernel(inline=True)
def draw_card(game, player):  # type: ignore[no-untyped-def]
    """Lay the top card of the stock into the first empty slot; there must be both. Returns the slot."""
    state = game.state
    cards = game.cards
    at = player_at(player)
    slot = first_empty_slot(game, player)
    card = pop_stock(game, player)
    cards[slot_cards(player, slot)] = card
    state[at + SLOT_SIZE + slot] = 1
    state[at + SLOT_RANK + slot] = card & 15
    state[at + ROW_CARDS] += 1
    set_lane(game, player, slot, card & 15)
    log_event(game, Kind.DRAW, player, UNUSED, slot, card, UNUSED)
    return slot


@kernel()
def equal_slots(game, player):  # type: ignore[no-untyped-def]
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
def merge_slots(game, player, pair):  # type: ignore[no-untyped-def]
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
def fill_row(game, player, merging):  # type: ignore[no-untyped-def]
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
        if slots_used(game, player) >= rules.row_slots or state[at + STOCK_SIZE] == 0:
            return
        draw_card(game, player)


@kernel(inline=True)
def lay(game, player, slot, pile, n, also, who):  # type: ignore[no-untyped-def]
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
    if also == 1:
        log_event(game, Kind.PLAY_ALSO, player, pile, slot, card, n)
    else:
        log_event(game, Kind.PLAY, player, pile, slot, card, n)
    if card & 15 == JOKER_RANK:
        settle_joker(game, player, pile, who)


@kernel()
def shuffle_stock(game, player):  # type: ignore[no-untyped-def]
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
def take_pile(game, player, pile):  # type: ignore[no-untyped-def]
    """Turn a pile over and put it under a player's stock: its first card will be drawn first."""
    state = game.state
    cards = game.cards
    at = pile_at(pile)
    size = state[at + PILE_SIZE]
    first = pile_cards(pile)
    for i in range(size):
        append_stock(game, player, cards[first + i])
    state[at + PILE_SIZE] = 0
    state[at + PILE_RANK] = -1
    state[at + PILE_FITS] = 0
    state[at + PILE_VERSION] += 1
    state[player_at(player) + SHORT_PLAYS] = 0
    state[player_at(player) + LAST_EQUAL] = 0
    log_event(game, Kind.TAKE, player, pile, UNUSED, UNUSED, size)
    return size


@kernel()
def give_card(game, giver, receiver):  # type: ignore[no-untyped-def]
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
    log_event(game, Kind.GIVE, giver, UNUSED, UNUSED, np.int64(card), depth)


# --- the piles as a player sees them --------------------------------------------------------------------------------


@kernel(inline=True)
def right_pile(game, player):  # type: ignore[no-untyped-def]
    """The pile on a player's right (U6): his own, or the viewer's."""
    rules = game.rules
    state = game.state
    if rules.pile_view == PileView.ABSOLUTE:
        return state[VIEWER]
    return player


@kernel()
def smaller_pile(game, player):  # type: ignore[no-untyped-def]
    """The pile with fewer cards; of equal ones the player's right one."""
    state = game.state
    right = right_pile(game, player)
    if state[pile_at(1 - right) + PILE_SIZE] < state[pile_at(right) + PILE_SIZE]:
        return 1 - right
    return right


@kernel()
def chosen_pile(game, player, choice):  # type: ignore[no-untyped-def]
    """The pile a player chooses by his habit (a :class:`PileChoice`); chance comes from the table's stream."""
    streams = game.streams
    if choice == PileChoice.SMALLER:
        return smaller_pile(game, player)
    right = right_pile(game, player)
    if choice == PileChoice.LEFT or (choice == PileChoice.RANDOM and next_32(streams, ZERO) & 1 == 1):
        return 1 - right
    return right


@kernel()
def one_of_the_piles(game, player, choice):  # type: ignore[no-untyped-def]
    """Which pile it is when one is to be taken (U45)."""
    rules = game.rules
    if rules.one_pile == OnePile.RIGHT:
        return right_pile(game, player)
    if rules.one_pile == OnePile.SMALLER:
        return smaller_pile(game, player)
    return chosen_pile(game, player, choice)


@kernel()
def take_both(game, player):  # type: ignore[no-untyped-def]
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
def stress_penalty(game, loser, choice):  # type: ignore[no-untyped-def]
    """Let the loser of a stress take what the rules say (B36, B37, U8). Returns the number of cards."""
    rules = game.rules
    if rules.stress_pickup == StressPickup.BOTH:
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
def set_aside(game, pile):  # type: ignore[no-untyped-def]
    """Take a pile out of the game."""
    state = game.state
    at = pile_at(pile)
    state[at + PILE_SIZE] = 0
    state[at + PILE_RANK] = -1
    state[at + PILE_FITS] = 0
    state[at + PILE_VERSION] += 1
    log_event(game, Kind.SET_ASIDE, NOBODY, pile, UNUSED, UNUSED, UNUSED)


@kernel()
def each_takes_right(game, always_shuffle):  # type: ignore[no-untyped-def]
    """Let each player take his own pile, which lies on his right. Returns the number of cards."""
    rules = game.rules
    n = ZERO
    for player in range(N_PLAYERS):
        n += take_pile(game, np.int64(player), np.int64(player))
        if always_shuffle or rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
            shuffle_stock(game, np.int64(player))
    return n


# --- flips ----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def short_rule(game, reason):  # type: ignore[no-untyped-def]
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
def hands_over(game, reason):  # type: ignore[no-untyped-def]
    """Whether a player without a stock card gets one from the other."""
    rule = short_rule(game, reason)
    return rule == PostStressEmptyStock.OPPONENT_GIVES or rule == PostStressEmptyStock.TAKE_FROM_OPPONENT


@kernel()
def _flip_one(game, player, pile):  # type: ignore[no-untyped-def]
    card = pop_stock(game, player)
    put_on_pile(game, pile, card)
    log_event(game, Kind.FLIP, player, pile, UNUSED, card, UNUSED)


@kernel()
def _flip_from_row(game, player, pile):  # type: ignore[no-untyped-def]
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
                if size == 0:
                    clear_lane(game, player, np.int64(slot))
                log_event(game, Kind.FLIP_FROM_ROW, player, pile, np.int64(slot), card, UNUSED)
                return
            nth -= 1


@kernel()
def _flip_alone(game, player, fill):  # type: ignore[no-untyped-def]
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
    if state[pile_at(own) + PILE_SIZE] == 0 or state[at + STOCK_SIZE] > 1:
        _flip_one(game, player, own)
    if state[at + STOCK_SIZE] > 0:
        _flip_one(game, player, other)


@kernel()
def flip(game, reason):  # type: ignore[no-untyped-def]
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
        if reason != Reason.START and reason != Reason.REFLIP:
            row[ONE_STOCK_EMPTY] = 1
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
            and state[PILES + PILE_SIZE] > 0
            and state[PILES + PILE_BLOCK + PILE_SIZE] > 0
        ):
            crossed = next_32(streams, ZERO) & 1
        for player in range(N_PLAYERS):
            _flip_one(game, np.int64(player), np.int64(player) ^ crossed)
    _settle_flipped_jokers(game)
    state[FLIPS] += 1
    key_streams(game)


@kernel()
def _settle_flipped_jokers(game):  # type: ignore[no-untyped-def]
    rules = game.rules
    if rules.n_jokers > 0:
        for pile in range(N_PILES):
            settle_joker(game, np.int64(pile), np.int64(pile), ZERO)


@kernel(inline=True)
def key_streams(game):  # type: ignore[no-untyped-def]
    """Start all streams anew for the present flip number."""
    rules = game.rules
    state = game.state
    streams = game.streams
    n = N_PLAYERS + 1
    for who in range(n):
        streams[who] = rekeyed(streams[n + who], state[FLIPS], ZERO)
    for player in range(N_PLAYERS):
        state[player_at(player) + PLAYS] = 0


@kernel(inline=True)
def key_player(game, player):  # type: ignore[no-untyped-def]
    """Start a player's stream anew after a play of his."""
    rules = game.rules
    state = game.state
    streams = game.streams
    at = player_at(player)
    state[at + PLAYS] += 1
    streams[1 + player] = rekeyed(streams[N_PLAYERS + 2 + player], state[FLIPS], state[at + PLAYS])


# --- begin and end --------------------------------------------------------------------------------------------------


@kernel()
def deal_cards(game, seed, deal):  # type: ignore[no-untyped-def]
    """Key the streams, shuffle and share out the cards (B1, B2, B3); rows are laid out by :func:`fill_row`."""
    rules = game.rules
    state = game.state
    cards = game.cards
    streams = game.streams
    for i in range(CLEARED_FROM, state.shape[0]):
        state[i] = 0
    for i in range(N_PLAYERS * LANES):
        game.lanes[i] = 0
    state[LEADER] = -1
    state[OUTCOME] = -1
    state[WINNER] = -1
    n_players = N_PLAYERS
    for who in range(n_players + 1):
        streams[n_players + 1 + who] = stream_key(seed, np.uint64(deal), np.uint64(0), np.uint64(who))
    key_streams(game)
    for pile in range(N_PILES):
        state[pile_at(pile) + PILE_RANK] = -1
    n_shares = ONE
    if rules.deal_mode == DealMode.OWN_DECK_EACH:
        n_shares = n_players
    copies = rules.n_copies_total // n_shares
    jokers = rules.n_jokers // n_shares
    for share in range(n_shares):
        n = ZERO
        for copy in range(share * copies, (share + 1) * copies):
            for rank in range(rules.n_ranks):
                cards[n] = rank + 16 * copy
                n += 1
        for joker in range(share * jokers, (share + 1) * jokers):
            cards[n] = JOKER_RANK + 16 * joker
            n += 1
        _shuffle_deck(game, n)
        if n_shares == 1:
            for player in range(n_players):
                for i in range(rules.cards_each):
                    append_stock(game, np.int64(player), cards[player * rules.cards_each + i])
        else:
            for i in range(rules.cards_each):
                append_stock(game, np.int64(share), cards[i])
    state[VIEWER] = -1
    if rules.pile_view == PileView.ABSOLUTE:
        state[VIEWER] = below(streams, ZERO, n_players)


@kernel()
def _shuffle_deck(game, n):  # type: ignore[no-untyped-def]
    """Fisher and Yates, two swaps for each drawn word; all of it, so that equal deals stay equal under other rules."""
    cards = game.cards
    streams = game.streams
    i = n - 1
    while i > 0:
        word = next_word(streams, ZERO)
        j = (high_32(word) * (i + 1)) >> 32
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
        i -= 1
        if i > 0:
            j = (low_32(word) * (i + 1)) >> 32
            card = cards[i]
            cards[i] = cards[j]
            cards[j] = card
            i -= 1


@kernel(inline=True)
def merges_at_deal(game):  # type: ignore[no-untyped-def]
    """Whether equal ranks may be put together while rows are laid out."""
    rules = game.rules
    return rules.merge_equal_ranks != MergeEqualRanks.OFF


@kernel()
def log_view(game):  # type: ignore[no-untyped-def]
    """Note whose right and left count, where one player's do."""
    state = game.state
    if state[VIEWER] >= 0:
        log_event(game, Kind.VIEW, state[VIEWER], UNUSED, UNUSED, UNUSED, UNUSED)


@kernel(inline=True)
def judge_lead(game):  # type: ignore[no-untyped-def]
    """Note after a landing who has strictly the fewest cards, and how far behind each player is."""
    state = game.state
    row = game.row
    a = remaining(game, ZERO)
    b = remaining(game, ONE)
    at_0 = player_at(ZERO)
    at_1 = player_at(ONE)
    state[at_0 + MOST_BEHIND] = max(state[at_0 + MOST_BEHIND], a - b)
    state[at_1 + MOST_BEHIND] = max(state[at_1 + MOST_BEHIND], b - a)
    if a < b:
        state[at_1 + LEAD_SINCE] = -1
        if state[at_0 + LEAD_SINCE] < 0 or state[LEADER] != 0:
            state[at_0 + LEAD_SINCE] = state[NOW]
        if state[LEADER] == 1:
            row[LEAD_CHANGES] += 1
        state[LEADER] = 0
    elif b < a:
        state[at_0 + LEAD_SINCE] = -1
        if state[at_1 + LEAD_SINCE] < 0 or state[LEADER] != 1:
            state[at_1 + LEAD_SINCE] = state[NOW]
        if state[LEADER] == 0:
            row[LEAD_CHANGES] += 1
        state[LEADER] = 1
    else:
        state[at_0 + LEAD_SINCE] = -1
        state[at_1 + LEAD_SINCE] = -1


@kernel()
def end_deal(game, outcome, winner):  # type: ignore[no-untyped-def]
    """Write how the deal ended; lengths in the clock's unit, microseconds or plays."""
    rules = game.rules
    state = game.state
    row = game.row
    state[OUTCOME] = np.int64(outcome)
    state[WINNER] = winner
    row[WON + np.int64(outcome)] = 1
    row[LENGTH_US] = state[NOW]
    if outcome == Outcome.WON:
        at = player_at(winner)
        row[WIN_1 + winner] = 1
        row[LOSER_CARDS] = remaining(game, 1 - winner)
        if 2 * state[at + MOST_BEHIND] >= rules.cards_each:
            row[COMEBACK] = 1
        if state[at + LAST_EQUAL] == 1:
            row[LAST_CARD_EQUAL] = 1
        if state[NOW] > 0 and state[at + LEAD_SINCE] >= 0:
            row[DEAD_PPM] = 1_000_000 - (1_000_000 * state[at + LEAD_SINCE]) // state[NOW]
    log_event(game, Kind.END, winner, UNUSED, UNUSED, UNUSED, np.int64(outcome))


@kernel()
def players_out(game):  # type: ignore[no-untyped-def]
    """Who has no card left: a player, ``n_players`` for several at once, or -1."""
    rules = game.rules
    found = NOBODY
    for player in range(N_PLAYERS):
        if remaining(game, np.int64(player)) == 0:
            if found >= 0:
                return N_PLAYERS
            found = np.int64(player)
    return found


@kernel()
def end_if_out(game):  # type: ignore[no-untyped-def]
    """End the deal if somebody has no card left; several at once, which only a flip can do, are a draw."""
    rules = game.rules
    winner = players_out(game)
    if winner == N_PLAYERS:
        end_deal(game, Outcome.DRAWN, NOBODY)
    elif winner >= 0:
        end_deal(game, Outcome.WON, winner)


@kernel()
def fewest_cards(game):  # type: ignore[no-untyped-def]
    """End a lock by counting cards: fewer win, equal numbers are a draw."""
    a = remaining(game, ZERO)
    b = remaining(game, ONE)
    if a == b:
        end_deal(game, Outcome.DRAWN, NOBODY)
    else:
        end_deal(game, Outcome.WON, ZERO if a < b else ONE)


@kernel()
def comes_back_for_ever(game):  # type: ignore[no-untyped-def]
    """Whether taking the piles when both stocks are empty can change nothing, ever (U4).

    That is so when no card of the piles, whichever comes up, takes a card of a row, and no row can be filled up.
    """
    rules = game.rules
    state = game.state
    cards = game.cards
    wanted = row_mask(game, ZERO) | row_mask(game, ONE)
    for pile in range(N_PILES):
        size = state[pile_at(pile) + PILE_SIZE]
        at = player_at(pile)
        if size > 1 and slots_used(game, np.int64(pile)) < rules.row_slots and rules.refill_policy != RefillPolicy.NONE:
            return False
        for i in range(size):
            rank = np.int64(cards[pile_cards(pile) + i]) & 15
            if state[FITS + rank] & wanted != 0:
                return False
    return True


@kernel()
def add_moves(game):  # type: ignore[no-untyped-def]
    """Count a play."""
    row = game.row
    row[MOVES] += 1
