"""The cards on the table as the referee and the replay see them: where each card lies and who holds which bunch.

Plain lists of card numbers, moved one event at a time. Which events are allowed is the referee's business; here an
event is only carried out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from stressim.cardnames import card_name
from stressim.exchange.choices import FalseCallPenalty, Ranking
from stressim.exchange.events import Field, Kind
from stressim.exchange.rules import ExchangeRules
from stressim.refereeing import LogForm


class Event(NamedTuple):
    """One row of a log with its place in it."""

    row: int
    time: int
    kind: Kind
    player: int
    bunch: int
    card: int
    number: int


LOG_FORM = LogForm(
    event=Event,
    fields=Field,
    kinds=Kind,
    needed={
        Kind.PICK_UP: "player bunch",
        Kind.PUT_BACK: "player bunch",
        Kind.PUT_DOWN: "player bunch card number",
        Kind.TAKE: "player bunch card number",
        Kind.MISS: "player card",
        Kind.COMPLETE: "player bunch",
        Kind.DEADLINE: "player bunch",
        Kind.CALL: "player",
        Kind.FALSE_CALL: "player",
        Kind.REDEAL: "number",
        Kind.DEAL: "card",
        Kind.END: "number",
    },
    optional={
        Kind.MISS: "bunch",
        Kind.FALSE_CALL: "bunch",
        Kind.DEAL: "player bunch",
        Kind.END: "player",
    },
)


def rank_of(card: int) -> int:
    """Rank of a card, counted in the order of ``ExchangeRules.ranks``; a joker's is ``JOKER_RANK``."""
    return card % 16


def counted_ranks(cards: Iterable[int]) -> Counter[int]:
    """How many of these cards have each rank."""
    return Counter(rank_of(card) for card in cards)


def height(cards: Iterable[int]) -> int:
    """Highest number of these cards that have one rank.

    Examples
    --------
    >>> height([0, 16, 1, 2]), height([0, 1, 2, 3]), height([])
    (2, 1, 0)
    """
    ranks = [rank_of(card) for card in cards]
    return max(map(ranks.count, set(ranks)), default=0)


def best_ranks(cards: Sequence[int]) -> set[int]:
    """Ranks that these cards have most often.

    Examples
    --------
    >>> best_ranks([0, 16, 1, 2]), best_ranks([0, 16, 1, 17])
    ({0}, {0, 1})
    """
    ranks, most = [rank_of(card) for card in cards], height(cards)
    return {rank for rank in ranks if ranks.count(rank) == most}


@dataclass
class Table:
    """Where every card lies.

    Parameters
    ----------
    rules
        The rules of the game.
    bunches
        Each player's bunches, the one in hand among them; partners have one list together.
    centre
        The open cards in the middle.
    in_hand
        For each player the bunch that he holds, None if his hand is free.
    laid_open
        For each player whether each of his bunches is laid open; partners have one list together.
    out
        Players who have lost the deal by a false call.
    placed
        Players who were done, in the order of their places, where play goes on after that (``ranking``). Of partners
        the one who has said it.
    """

    rules: ExchangeRules
    bunches: list[list[list[int]]]
    centre: list[int] = field(default_factory=list)
    in_hand: list[int | None] = field(default_factory=list)
    laid_open: list[list[bool]] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    placed: list[int] = field(default_factory=list)

    @classmethod
    def empty(cls, rules: ExchangeRules) -> Self:
        """Lay out a table without cards."""
        each = range(rules.bunches_each)
        players = range(rules.n_players)
        bunches: list[list[list[int]]] = [[[] for _ in each] for _ in range(rules.n_sides)]
        laid_open = [[(side, bunch) in given_bunches(rules) for bunch in each] for side in range(rules.n_sides)]
        return cls(
            rules=rules,
            bunches=[bunches[rules.side_of(player)] for player in players],
            in_hand=[None for _ in players],
            laid_open=[laid_open[rules.side_of(player)] for player in players],
        )

    @classmethod
    def dealt(cls, rules: ExchangeRules, cards: Sequence[int]) -> Self:
        """Lay out a deal: the bunches, player by player, then the centre."""
        table = cls.empty(rules)
        for card, (player, bunch) in zip(cards, dealing_order(rules), strict=True):
            (table.centre if player < 0 else table.bunches[player][bunch]).append(int(card))
        return table

    @property
    def players(self) -> list[int]:
        """The players who are neither done nor have lost the deal."""
        return [player for player in range(self.rules.n_players) if player not in self.out | self.done]

    @property
    def sides(self) -> list[int]:
        """The first player of each side that is neither done nor has lost the deal."""
        return [player for player in self.players if player < self.rules.n_sides]

    @property
    def done(self) -> set[int]:
        """The players who have a place, all partners of those who were done among them."""
        sides = set(map(self.rules.side_of, self.placed))
        return {player for player in range(self.rules.n_players) if self.rules.side_of(player) in sides}

    @property
    def bunches_of_sides(self) -> list[list[list[int]]]:
        """The bunches of each player, or of each team, once."""
        return self.bunches[: self.rules.n_sides]

    def held_by_partner(self, player: int) -> set[int]:
        """Bunches that partners of the player have in their hands."""
        side = self.rules.side_of(player)
        partners = set(range(side, self.rules.n_players, self.rules.n_sides)) - {player}
        return {bunch for partner in partners if (bunch := self.in_hand[partner]) is not None}

    def name(self, card: int) -> str:
        """Name of a card."""
        return card_name(self.rules.ranks, card)

    def all_cards(self) -> list[int]:
        """Every card on the table, in rising order."""
        return sorted([card for side in self.bunches_of_sides for bunch in side for card in bunch] + self.centre)

    def is_complete(self, player: int, bunch: int) -> bool:
        """Whether the bunch has all its cards and all of one rank (A17)."""
        cards = self.bunches[player][bunch]
        return len(cards) == self.rules.bunch_size and len({rank_of(card) for card in cards}) == 1

    def unfinished(self, player: int) -> list[int]:
        """Bunches of the player that are not complete; none if he is out or done."""
        if player not in self.players:
            return []
        return [bunch for bunch in range(self.rules.bunches_each) if not self.is_complete(player, bunch)]

    def to_lay_open(self) -> list[tuple[int, int]]:
        """Player and number of each bunch that is complete but not laid open."""
        return [
            (player, bunch)
            for player in self.sides
            for bunch, is_open in enumerate(self.laid_open[player])
            if not is_open and self.is_complete(player, bunch)
        ]

    def remaining(self, player: int) -> int:
        """Number of the player's bunches that are not laid open."""
        return self.laid_open[player].count(False)

    def n_laid_open(self, player: int) -> int:
        """Number of the player's bunches that are laid open."""
        return self.laid_open[player].count(True)

    def ranks_lying(self) -> tuple[tuple[int, ...], ...]:
        """What lies where by rank, as something that can be compared."""
        places = [bunch for side in self.bunches_of_sides for bunch in side] + [self.centre]
        return tuple(tuple(sorted(map(rank_of, cards))) for cards in places)

    def apply(self, event: Event) -> None:
        """Carry out an event; the referee has seen that it can be."""
        _, _, kind, player, bunch, card, _ = event
        if kind == Kind.PICK_UP:
            self.in_hand[player] = bunch
        elif kind in (Kind.PUT_BACK, Kind.DEADLINE):
            self.in_hand[player] = None
        elif kind == Kind.PUT_DOWN:
            self.bunches[player][bunch].remove(card)
            self.centre.append(card)
        elif kind == Kind.TAKE:
            self.centre.remove(card)
            self.bunches[player][bunch].append(card)
        elif kind == Kind.COMPLETE:
            self.laid_open[player][bunch] = True
            self.in_hand[player] = None
        elif kind == Kind.CALL:
            if self.rules.ranking != Ranking.NONE:
                self.placed.append(player)
        elif kind == Kind.FALSE_CALL:
            if self.rules.false_call_penalty == FalseCallPenalty.FORFEIT:
                self.out.add(player)
        elif kind == Kind.REDEAL:
            fresh = Table.empty(self.rules)
            self.bunches, self.centre, self.out = fresh.bunches, fresh.centre, fresh.out
            self.in_hand, self.laid_open = fresh.in_hand, fresh.laid_open
        elif kind == Kind.DEAL:
            (self.centre if player < 0 else self.bunches[player][bunch]).append(card)


def dealing_order(rules: ExchangeRules) -> list[tuple[int, int]]:
    """Player and bunch that each card is dealt to, in turn; (-1, -1) is the centre. Of partners the first is named."""
    bunches = [(player, bunch) for player in range(rules.n_sides) for bunch in range(rules.bunches_each)]
    return [place for place in bunches for _ in range(rules.bunch_size)] + [(-1, -1)] * rules.centre_cards


def given_bunches(rules: ExchangeRules) -> list[tuple[int, int]]:
    """First player of the side, and number, of each bunch that is given complete and open: its last ones."""
    side = rules.side_of(rules.handicap_player - 1)
    first = rules.bunches_each - rules.handicap_bunches
    return [(side, bunch) for bunch in range(first, rules.bunches_each)]
