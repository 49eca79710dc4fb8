"""Write exchange logs by hand: name ranks, the helper finds the cards and keeps the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import pytest

from stressim.cardnames import SUITS
from stressim.decks import JOKER_RANK, card_number
from stressim.exchange.choices import SwapOrder
from stressim.exchange.events import Kind, Outcome, Reason
from stressim.exchange.referee import Foul, Verdict, judge
from stressim.exchange.referee.table import Event, Table, dealing_order, given_bunches, rank_of
from stressim.exchange.rules import ExchangeRules

SECOND = 1_000_000


def find_card(rules: ExchangeRules, name: str, cards: Iterable[int]) -> int:
    """Return the first of these cards with this name: a rank, or a rank and a suit."""
    rank, suit = (name[:-1], SUITS.index(name[-1])) if name[-1] in SUITS else (name, -1)
    number = JOKER_RANK if rank == "joker" else rules.ranks.index(rank)
    wanted = (card for card in cards if rank_of(card) == number and (suit < 0 or card == card_number(number, suit)))
    return next(wanted)


def deal(rules: ExchangeRules, hands: Sequence[str], centre: str = "") -> list[int]:
    """Deal cards: each text names a player's bunches, set apart by ``/``; what is not named follows in rising order.

    In rising order come all first copies of the ranks, then all second ones and so on, so bunches that are not named
    have no pairs where ranks are enough.
    """
    free = sorted(rules.cards)
    places: dict[tuple[int, int], list[int]] = {place: [] for place in dealing_order(rules)}
    named = {(player, bunch): text for player, hand in enumerate(hands) for bunch, text in enumerate(hand.split("/"))}
    named[-1, -1] = centre
    for place, text in named.items():
        for name in text.split():
            places[place].append(find_card(rules, name, free))
            free.remove(places[place][-1])
    for place, cards in places.items():
        while len(cards) < dealing_order(rules).count(place):
            cards.append(free.pop(0))
    return [card for cards in places.values() for card in cards]


def with_given_bunches(rules: ExchangeRules, cards: Sequence[int]) -> list[int]:
    """Return shuffled cards dealt so that the bunches of a handicap are complete, of the ranks that come up first."""
    given, left = [], list(cards)
    for _ in range(rules.handicap_bunches):
        ranks = [rank_of(card) for card in left]
        rank = next(rank for rank in ranks if ranks.count(rank) >= rules.bunch_size)
        bunch = [card for card in left if rank_of(card) == rank][: rules.bunch_size]
        given += bunch
        left = [card for card in left if card not in bunch]
    places = given_bunches(rules)
    return [given.pop(0) if place in places else left.pop(0) for place in dealing_order(rules)]


class Log:
    """A log in the making. Every method adds events and carries them out on the table.

    Parameters
    ----------
    rules
        Options of the rules.
    hands
        Ranks of each player's bunches; see :func:`deal`.
    centre
        Ranks of the centre.
    """

    def __init__(self, rules: dict[str, Any], *hands: str, centre: str = "") -> None:
        self.rules = ExchangeRules(**rules)
        self.cards = deal(self.rules, hands, centre)
        self.table = Table.dealt(self.rules, self.cards)
        self.events: list[list[int]] = []
        self.time = 0

    def add(self, kind: Kind, player: int = -1, bunch: int = -1, card: int = -1, number: int = -1) -> Self:
        """Add an event as it is given."""
        self.events.append([self.time, kind, player, bunch, card, number])
        self.table.apply(Event(len(self.events), self.time, kind, player, bunch, card, number))
        return self

    def wait(self, seconds: float) -> Self:
        self.time += round(seconds * SECOND)
        return self

    def held(self, player: int, bunch: int | None) -> int:
        """Return the bunch that is named, or else the one in hand."""
        found = self.table.in_hand[player] if bunch is None else bunch
        return 0 if found is None else found

    def pick_up(self, player: int, bunch: int = 0) -> Self:
        return self.add(Kind.PICK_UP, player, bunch)

    def put_back(self, player: int, bunch: int | None = None) -> Self:
        return self.add(Kind.PUT_BACK, player, self.held(player, bunch))

    def deadline(self, player: int) -> Self:
        return self.add(Kind.DEADLINE, player, self.held(player, None))

    def complete(self, player: int, bunch: int | None = None) -> Self:
        return self.add(Kind.COMPLETE, player, self.held(player, bunch))

    def put_down(self, player: int, *names: str, bunch: int | None = None, more: int = 0) -> Self:
        """Lay cards in the centre, ``more`` are to be laid after them."""
        own = self.held(player, bunch)
        for index, name in enumerate(names):
            card = find_card(self.rules, name, self.table.bunches[player][own])
            self.add(Kind.PUT_DOWN, player, own, card, len(names) - 1 - index + more)
        return self

    def take(self, player: int, *names: str, bunch: int | None = None, more: int = 0) -> Self:
        """Take cards from the centre, ``more`` are to be taken or laid after them."""
        own = self.held(player, bunch)
        for index, name in enumerate(names):
            card = find_card(self.rules, name, self.table.centre)
            self.add(Kind.TAKE, player, own, card, len(names) - 1 - index + more)
        return self

    def swap(self, player: int, given: str, taken: str, *, bunch: int | None = None, seconds: float = 0.5) -> Self:
        """Swap one card or several, in the order of the rules."""
        puts, takes = given.split(), taken.split()
        if self.rules.swap_order == SwapOrder.TAKE_FIRST:
            self.take(player, *takes, bunch=bunch, more=len(puts)).wait(seconds)
            return self.put_down(player, *puts, bunch=bunch)
        self.put_down(player, *puts, bunch=bunch)
        if self.rules.swap_order == SwapOrder.PUT_DOWN_FIRST:
            self.wait(seconds)
        return self.take(player, *takes, bunch=bunch)

    def miss(self, player: int, name: str) -> Self:
        """Come for a card that another player has, or that lies in the centre if none has it."""
        others = [bunch for other, hand in enumerate(self.table.bunches) if other != player for bunch in hand]
        last_taken = [event[4] for event in reversed(self.events) if event[1] == Kind.TAKE]
        theirs = [card for card in last_taken if any(card in bunch for bunch in others)]
        return self.add(Kind.MISS, player, card=find_card(self.rules, name, [*theirs, *self.table.centre]))

    def call(self, player: int) -> Self:
        return self.add(Kind.CALL, player)

    def false_call(self, player: int) -> Self:
        return self.add(Kind.FALSE_CALL, player)

    def redeal(self, reason: Reason, *hands: str, centre: str = "") -> Self:
        self.add(Kind.REDEAL, number=reason)
        cards = deal(self.rules, hands, centre)
        for (player, bunch), card in zip(dealing_order(self.rules), cards, strict=True):
            self.add(Kind.DEAL, player, bunch, card)
        return self

    def end(self, outcome: Outcome = Outcome.UNFINISHED, winner: int = -1) -> Self:
        return self.add(Kind.END, winner, number=outcome)

    def won(self, winner: int) -> Self:
        return self.end(Outcome.WON, winner)

    def judge(self, *, uniform: bool = False) -> Verdict:
        return judge(self.rules, self.cards, self.events, uniform=uniform)


def accepted(log: Log, *, uniform: bool = False) -> Verdict:
    """Judge a log that stops here, unless it has an end."""
    if not log.events or log.events[-1][1] != Kind.END:
        log.end()
    return log.judge(uniform=uniform)


def refused(log: Log, rule: str, *, uniform: bool = False, event: int | None = None) -> Foul:
    """Judge a log that this rule must refuse, at its last event (before an end that is added) or the one named."""
    added = log.events[-1][1] != Kind.END
    if added:
        log.end()
    with pytest.raises(Foul) as caught:
        log.judge(uniform=uniform)
    assert caught.value.rule == rule
    last = len(log.events) - 1 - added
    assert caught.value.index == (last if event is None else event)
    return caught.value
