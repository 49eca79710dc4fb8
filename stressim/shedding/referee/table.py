"""The cards on the table as the referee and the replay see them: where each card lies and what fits where.

Plain lists of card numbers, moved one event at a time. Which events are allowed is the referee's business; here an
event is only carried out. Stocks are listed from the top, slots and centre piles from the bottom, as they grew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple, Self

from stressim.cardnames import card_name
from stressim.shedding.choices import (
    Ace,
    JokerMode,
    MergeEqualRanks,
    RefillPolicy,
    RestartSource,
    RoundEnd,
    RowPiles,
    StressPairs,
)
from stressim.shedding.events import JOKER_RANK, Kind
from stressim.shedding.rules import SheddingRules

Position = tuple[tuple[int, ...], ...]
"""The ranks on a table, place by place."""


class Event(NamedTuple):
    """One row of a log with its place in it."""

    row: int
    time: int
    kind: Kind
    player: int
    pile: int
    slot: int
    card: int
    number: int


def rank_of(card: int) -> int:
    """Rank of a card, counted in the order of ``SheddingRules.ranks``; a joker's is ``JOKER_RANK``."""
    return card % 16


def is_joker(card: int) -> bool:
    """Whether the card is a joker."""
    return rank_of(card) == JOKER_RANK


def full_deck(rules: SheddingRules) -> set[int]:
    """Return all cards of the game."""
    cards = {rank + 16 * copy for rank in range(rules.n_ranks) for copy in range(rules.n_copies_total)}
    return cards | {JOKER_RANK + 16 * copy for copy in range(rules.n_jokers)}


def adjacent(rules: SheddingRules, rank: int, other: int) -> bool:
    """Whether two ranks are one step apart (B18) where the ace stands as the rules say (B21).

    Examples
    --------
    >>> adjacent(SheddingRules(ace="wrap"), 0, 12), adjacent(SheddingRules(ace="low"), 0, 12)
    (True, False)
    >>> adjacent(SheddingRules(ace="high"), 0, 12), adjacent(SheddingRules(ace="high"), 0, 1)
    (True, False)
    """
    n = rules.n_ranks
    if rules.ace == Ace.WRAP:
        return (rank - other) % n in (1, n - 1)
    if rules.ace == Ace.HIGH and rules.ranks[0] == "A":
        rank, other = rank or n, other or n
    return abs(rank - other) == 1


@dataclass
class Table:
    """Where every card lies.

    Parameters
    ----------
    rules
        The rules of the game.
    stocks
        Each player's face-down cards, top first.
    rows
        Each player's slots, each from its lowest card to its top.
    piles
        The centre piles, each from its lowest card to its top.
    hidden
        Pairs of player and slot: slots whose top lies face down.
    shown_under
        For such pairs the number of face-up cards under the top, equal ones put together in rows of piles.
    sides
        The side piles, each next to the centre pile of its number, from the top.
    aside
        Cards that have left the game.
    joker_rank
        For each centre pile the rank that a joker on its top counts as; None for no rank.
    right
        For each player the pile on his right; empty while that is not known.
    """

    rules: SheddingRules
    stocks: list[list[int]]
    rows: list[list[list[int]]]
    piles: list[list[int]] = field(default_factory=list)
    hidden: set[tuple[int, int]] = field(default_factory=set)
    shown_under: Counter[tuple[int, int]] = field(default_factory=Counter)
    sides: list[list[int]] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)
    joker_rank: list[int | None] = field(default_factory=list)
    right: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Fill in an empty centre, and the seats where piles and players come out even."""
        self.players = range(len(self.stocks))
        self.centre = range(self.rules.n_piles)
        self.piles = self.piles or [[] for _ in self.centre]
        self.sides = self.sides or [[] for _ in self.centre]
        self.joker_rank = self.joker_rank or [None for _ in self.centre]
        each, odd = divmod(len(self.centre), len(self.players))
        if not self.right and not odd:
            self.right = [each * player for player in self.players]

    @classmethod
    def dealt(cls, rules: SheddingRules, cards: Sequence[Sequence[int]]) -> Self:
        """Lay the dealt stocks and side piles on an otherwise empty table."""
        stocks = [[int(card) for card in share[: rules.cards_each]] for share in cards]
        sides = [[int(card) for card in share[rules.cards_each :]] for share in cards]
        return cls(rules=rules, stocks=stocks, rows=[[[] for _ in range(rules.row_slots)] for _ in stocks], sides=sides)

    def name(self, card: int) -> str:
        """Name of a card."""
        return card_name(self.rules.ranks, card)

    def remaining(self, player: int) -> int:
        """Cards that the player still has: stock and row."""
        return len(self.stocks[player]) + sum(map(len, self.rows[player]))

    def all_cards(self) -> list[int]:
        """Every card on the table, in rising order."""
        lying = [card for stock in self.stocks for card in stock] + [card for pile in self.piles for card in pile]
        lying += [card for row in self.rows for slot in row for card in slot]
        lying += [card for side in self.sides for card in side]
        return sorted(lying + self.aside)

    def position(self) -> Position:
        """Return the ranks on the table as something that can be compared; suits play no part, nor do places of piles.

        Two piles of one card each may change places: what lies on top of them is what counts.
        """
        slots = [slot for row in self.rows for slot in row]
        piles = sorted(self.piles) if max(map(len, self.piles)) == 1 else self.piles
        return tuple(tuple(map(rank_of, cards)) for cards in [*self.stocks, *slots, *piles, *self.sides, self.aside])

    # who sits where

    @property
    def is_pair(self) -> bool:
        """Whether two play with two piles."""
        return len(self.players) == len(self.centre) == 2

    def _seats(self) -> list[int]:
        return self.right or [-1] * len(self.players)

    def own_piles(self, player: int) -> list[int]:
        """Piles that are the player's own, from his right on: all up to the next player's, and at least one (B51)."""
        first, after = self.right[player], self.right[(player + 1) % len(self.players)]
        return [(first + step) % len(self.centre) for step in range(max(1, (after - first) % len(self.centre)))]

    def seen_by(self, player: int) -> list[int]:
        """All piles from right to left as the player sees them: his left neighbour's begins on his left."""
        return [(self.right[player] - step) % len(self.centre) for step in self.centre]

    def nearest_with_stock(self, player: int, least: int) -> int | None:
        """The nearest player on this one's left who has so many stock cards."""
        round_the_table = [*self.players[player + 1 :], *self.players[:player]]
        return next((other for other in round_the_table if len(self.stocks[other]) >= least), None)

    def other(self, event: Event) -> int:
        """The other player of an event between two: of more than two his number stands as the pile."""
        return 1 - event.player if self.is_pair else event.pile

    # what lies on top

    def counts_as(self, pile: int) -> int | None:
        """Rank that the top of a pile counts as: a joker's is what it stands for, None if it stands for nothing."""
        top = self.piles[pile][-1]
        return self.joker_rank[pile] if is_joker(top) else rank_of(top)

    def tops_equal(self) -> bool:
        """Whether both piles show the same rank, or of more piles those that count (B32, B4, B51)."""
        return bool(self.equal_piles())

    def equal_piles(self, pile: int | None = None) -> frozenset[int]:
        """Piles that are a stress because their tops are equal, or of those the ones that are so with one pile."""
        pairs = list(combinations(self.centre, 2))
        equal = [pair for pair in pairs if self._are_equal(*pair)]
        if self.rules.stress_pairs == StressPairs.ALL and len(equal) < len(pairs):
            return frozenset()
        if self.rules.stress_pairs == StressPairs.NEIGHBOURS:
            equal = [(one, other) for one, other in equal if other - one in (1, len(self.centre) - 1)]
        return frozenset(place for pair in equal if pile is None or pile in pair for place in pair)

    def _are_equal(self, one: int, other: int) -> bool:
        """Whether two piles show the same rank."""
        if not (self.piles[one] and self.piles[other]):
            return False
        jokers = any(is_joker(self.piles[pile][-1]) for pile in (one, other))
        if self.rules.joker_mode == JokerMode.ANYTHING and jokers:
            return True
        return self.counts_as(one) == self.counts_as(other)

    def jokers_take_ranks(self, landed: Sequence[int]) -> None:
        """Let jokers take the rank of the other pile, of more the next one, after cards have landed (joker_mode=wild).

        A joker keeps the rank that it has taken. Where the other pile is empty, or shows a joker without a rank, there
        is nothing to take yet; two jokers without a rank are equal.
        """
        if self.rules.joker_mode != JokerMode.WILD:
            return
        for pile in landed:
            self.joker_rank[pile] = None
        ranks = [self.counts_as(pile) if self.piles[pile] else None for pile in self.centre]
        for pile in self.centre:
            if self.piles[pile] and is_joker(self.piles[pile][-1]):
                round_from_here = [*ranks[pile:], *ranks[:pile]]
                self.joker_rank[pile] = next((rank for rank in round_from_here if rank is not None), None)

    def fits(self, card: int, pile: int) -> bool:
        """Whether a card may lie on the top of a pile (B18, B19, B21, B4)."""
        if not self.piles[pile]:
            return False
        if is_joker(card):
            return True
        if is_joker(self.piles[pile][-1]) and self.rules.joker_mode != JokerMode.NAMED:
            return True
        rank = self.counts_as(pile)
        if rank is None:
            return False
        return adjacent(self.rules, rank_of(card), rank) or (self.rules.equal_rank_playable and rank == rank_of(card))

    # what a player can do

    def can_play(self, player: int) -> bool:
        """Whether the top of one of the player's slots fits on a pile."""
        return any(self.fits(card, pile) for card in self.shown(player) for pile in self.centre)

    def shown(self, player: int) -> list[int]:
        """Face-up tops of the player's slots."""
        return [slot[-1] for place, slot in enumerate(self.rows[player]) if slot and (player, place) not in self.hidden]

    def emptied_row(self) -> int | None:
        """The player whose row is empty while he has a stock, where that ends a round."""
        if self.rules.round_end == RoundEnd.NONE:
            return None
        return next((player for player in self.players if self.stocks[player] and not any(self.rows[player])), None)

    def can_move(self, player: int) -> bool:
        """Whether the player may move a card to an empty place of his row."""
        return self.rules.move_to_empty and self.empty_slots(player) > 0 and bool(self.movable(player))

    def movable(self, player: int) -> list[int]:
        """The player's slots with face-up cards that cover others."""
        return [place for place, slot in enumerate(self.rows[player]) if 0 < self.face_up(player, place) < len(slot)]

    def face_up(self, player: int, place: int) -> int:
        """Number of cards that lie face up in a slot of a row of piles, from its top on."""
        if not self.rows[player][place] or (player, place) in self.hidden:
            return 0
        return 1 + self.shown_under[player, place]

    def can_turn(self, player: int) -> bool:
        """Whether a top of the player's row lies face down."""
        return any(owner == player for owner, _ in self.hidden)

    def can_flip(self) -> bool:
        """Whether there is a card for a restart (B27, B31)."""
        if self.rules.restart_source == RestartSource.OWN_ROW:
            return any(map(self.remaining, self.players))
        return any(self.sides if self.rules.restart_source == RestartSource.SIDE_PILES else self.stocks)

    def both_can_flip(self) -> bool:
        """Whether both players have a card to cover the first one with (U21)."""
        return all(self.sides if self.rules.restart_source == RestartSource.SIDE_PILES else self.stocks)

    def empty_slots(self, player: int) -> int:
        """Number of the player's empty slots."""
        return sum(not slot for slot in self.rows[player])

    def can_refill(self, player: int) -> bool:
        """Whether the player has an empty slot, a card for it and the right to lay it there (B12)."""
        may = self.rules.refill_policy != RefillPolicy.NONE
        return may and bool(self.stocks[player]) and self.empty_slots(player) > 0

    def piles_change_nothing(self) -> bool:
        """Whether the piles, taken up while nobody can move and flipped anew, can change nothing, ever (U4).

        That is so when none of their cards lets a card of a row be played and none ever gets into a row: because the
        rows are full, or because each pile is the one card that comes back at once.
        """
        if not self.nothing_ever_fits():
            return False
        loose = [card for pile in self.piles for card in pile]
        may_refill = self.rules.refill_policy != RefillPolicy.NONE and any(map(self.empty_slots, self.players))
        one_each = max(map(len, self.piles)) <= 1
        return not loose or not may_refill or (one_each and self.rules.flip_before_refill)

    def nothing_ever_fits(self) -> bool:
        """Whether no card of the centre piles, whichever comes up, takes the top of a slot."""
        tops = [slot[-1] for row in self.rows for slot in row if slot]
        loose = [card for pile in self.piles for card in pile]
        if any(is_joker(card) for card in tops + loose) and tops and loose:
            return False
        for card in loose:
            for top in tops:
                equal = self.rules.equal_rank_playable and rank_of(card) == rank_of(top)
                if equal or adjacent(self.rules, rank_of(card), rank_of(top)):
                    return False
        return True

    def has_equal_slots(self, player: int) -> bool:
        """Whether two of the player's slots show the same rank; a joker has none of its own."""
        ranks = [rank_of(card) for card in self.shown(player) if not is_joker(card)]
        return len(set(ranks)) < len(ranks)

    def can_merge(self, player: int) -> bool:
        """Whether the player may put equal ranks together during play (B8)."""
        return self.rules.merge_equal_ranks == MergeEqualRanks.ALWAYS and self.has_equal_slots(player)

    # what happens

    def _cover(self, player: int, slot: int) -> None:
        """The card that a top has lain on lies face down (row_piles=growing), unless the two were put together."""
        if self.shown_under[player, slot]:
            self.shown_under[player, slot] -= 1
        elif self.rules.row_piles == RowPiles.GROWING and self.rows[player][slot]:
            self.hidden.add((player, slot))

    def _put_face_up(self, player: int, slot: int, target: int) -> None:
        """Take all face-up cards of a slot to another one: to an empty place, or onto an equal top."""
        source, n = self.rows[player][slot], self.face_up(player, slot)
        onto = self.face_up(player, target)
        self.rows[player][target] += source[-n:]
        del source[-n:]
        self.shown_under[player, target] = onto + n - 1
        self.shown_under[player, slot] = 0
        self._cover(player, slot)

    def apply(self, event: Event) -> None:
        """Carry out an event; the referee has seen that it can be."""
        _, _, kind, player, pile, slot, card, number = event
        if kind == Kind.DRAW:
            self.rows[player][slot].append(self.stocks[player].pop(0))
            if self.rules.row_piles == RowPiles.GROWING:
                self.hidden.add((player, slot))
        elif kind == Kind.TURN:
            self.hidden.discard((player, slot))
        elif kind == Kind.MOVE:
            self._put_face_up(player, slot, number)
        elif kind == Kind.GATHER:
            self.stocks[player] += [card for cards in self.rows[player] for card in cards]
            self.rows[player] = [[] for _ in self.rows[player]]
            self.hidden = {(owner, place) for owner, place in self.hidden if owner != player}
            self.shown_under = Counter({at: n for at, n in self.shown_under.items() if at[0] != player})
        elif kind == Kind.MERGE and self.rules.row_piles == RowPiles.GROWING:
            self._put_face_up(player, slot, number)
        elif kind == Kind.MERGE:
            self.rows[player][number] += self.rows[player][slot]
            self.rows[player][slot] = []
        elif kind == Kind.FLIP:
            self.piles[pile].append(self.stocks[player].pop(0))
        elif kind == Kind.FLIP_FROM_ROW:
            self.piles[pile].append(self.rows[player][slot].pop())
        elif kind == Kind.GIVE:
            self.stocks[self.other(event)].insert(0, self.stocks[player].pop(number))
        elif kind in (Kind.PLAY, Kind.PLAY_ALSO):
            laid = self.rows[player][slot][-number:]
            # A merged pile is laid as it is, or card by card: the row says which card is on top then.
            self.piles[pile] += laid if laid[-1] == card else laid[::-1]
            del self.rows[player][slot][-number:]
            self._cover(player, slot)
        elif kind == Kind.NAME:
            self.joker_rank[pile] = number
        elif kind in (Kind.PENALTY, Kind.HANDICAP):
            self.stocks[player].append(self.stocks[self.other(event)].pop(0))
        elif kind == Kind.TAKE:
            # Turned over: the card that was laid first is drawn first.
            self.stocks[player] += self.piles[pile]
            self.piles[pile] = []
        elif kind == Kind.STOCK:
            self.stocks[player][number] = card
        elif kind == Kind.FLIP_SIDE:
            self.piles[pile].append(self.sides[player].pop(0))
        elif kind == Kind.RENEW:
            # Turned over: the card that was laid first comes up first.
            self.sides[pile], self.piles[pile] = self.piles[pile], []
        elif kind == Kind.SIDE:
            self.sides[pile][number] = card
        elif kind == Kind.SET_ASIDE:
            self.aside += self.piles[pile]
            self.piles[pile] = []
        elif kind == Kind.SEAT:
            self.right = [pile if owner == player else place for owner, place in enumerate(self._seats())]
