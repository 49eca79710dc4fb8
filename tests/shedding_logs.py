"""Write shedding logs by hand: name ranks, and :class:`Log` finds the cards and keeps the table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import pytest

from stressim.shedding.choices import RestartSource, RowPiles
from stressim.shedding.events import JOKER_RANK, Kind, Outcome, Reason
from stressim.shedding.referee import Foul, Verdict, judge
from stressim.shedding.referee.table import Event, Table, full_deck, rank_of
from stressim.shedding.rules import SheddingRules

SECOND = 1_000_000


def stocks(rules: SheddingRules, texts: Iterable[str]) -> list[list[int]]:
    """Deal cards: each text names the ranks of a stock from its top, and after ``|`` those of the side pile.

    What is not named follows in rising order.
    """
    free = sorted(full_deck(rules))
    dealt: list[list[int]] = []
    sides: list[list[int]] = []
    share = rules.n_copies_total // rules.n_players
    for player, text in enumerate(texts):
        own = [card for card in free if not rules.own_decks or card // 16 // share == player]
        stock: list[int] = []
        side: list[int] = []
        named = text.partition("|")[0].split()
        for place, name in enumerate(text.replace("|", " ").split()):
            rank = JOKER_RANK if name == "joker" else rules.ranks.index(name)
            card = next(card for card in (own if rank != JOKER_RANK else free) if rank_of(card) == rank)
            (stock if place < len(named) else side).append(card)
            free.remove(card)
            if card in own:
                own.remove(card)
        dealt.append(stock)
        sides.append(side)
    for player, stock in enumerate(dealt):
        for cards, size in ((stock, rules.cards_each), (sides[player], rules.cards_dealt - rules.cards_each)):
            while len(cards) < size:
                cards.append(next(card for card in free if not rules.own_decks or card // 16 // share == player))
                free.remove(cards[-1])
    return [stock + side for stock, side in zip(dealt, sides, strict=True)]


class Log:
    """A log in the making. Every method adds events and carries them out on the table.

    Parameters
    ----------
    rules
        Rules, or options for them.
    texts
        Ranks of the players' stocks, top card first; see :func:`stocks`.
    """

    def __init__(self, rules: SheddingRules | dict[str, Any], *texts: str) -> None:
        self.rules = rules if isinstance(rules, SheddingRules) else SheddingRules(**rules)
        self.cards = stocks(self.rules, [*texts, *[""] * (self.rules.n_players - len(texts))])
        self.table = Table.dealt(self.rules, self.cards)
        self.events: list[list[int]] = []
        self.time = 0

    def add(
        self, kind: Kind, player: int = -1, pile: int = -1, slot: int = -1, card: int = -1, number: int = -1
    ) -> Self:
        """Add an event as it is given."""
        self.events.append([self.time, kind, player, pile, slot, card, number])
        self.table.apply(Event(len(self.events), self.time, kind, player, pile, slot, card, number))
        return self

    def wait(self, seconds: float) -> Self:
        self.time += round(seconds * SECOND)
        return self

    def slot_of(self, player: int, rank: str) -> int:
        wanted = JOKER_RANK if rank == "joker" else self.rules.ranks.index(rank)
        row = self.table.rows[player]
        return next(index for index, slot in enumerate(row) if slot and rank_of(slot[-1]) == wanted)

    def draw(self, *players: int) -> Self:
        """Each player named fills his first empty slot."""
        for player in players:
            slot = self.table.rows[player].index([])
            self.add(Kind.DRAW, player, slot=slot, card=self.table.stocks[player][0])
        return self

    def merge(self, player: int, source: int, target: int) -> Self:
        return self.add(Kind.MERGE, player, slot=source, number=target)

    def flip(self, player: int, pile: int | None = None) -> Self:
        if self.rules.restart_source == RestartSource.SIDE_PILES:
            card = self.table.sides[player][0]
            return self.add(Kind.FLIP_SIDE, player, player if pile is None else pile, card=card)
        return self.add(Kind.FLIP, player, player if pile is None else pile, card=self.table.stocks[player][0])

    def flip_from_row(self, player: int, rank: str) -> Self:
        slot = self.slot_of(player, rank)
        return self.add(Kind.FLIP_FROM_ROW, player, player, slot, self.table.rows[player][slot][-1])

    def give(self, player: int, depth: int = 0, to: int = -1) -> Self:
        return self.add(Kind.GIVE, player, to, card=self.table.stocks[player][depth], number=depth)

    def restart(self, reason: Reason, *flips: int) -> Self:
        """Restart for this reason; the players named flip on their own piles."""
        self.add(Kind.RESTART, number=reason)
        for player in flips:
            self.flip(player)
        return self

    def start(self) -> Self:
        """Lay out all rows and flip the first cards, each on his own pile."""
        for player in self.table.players:
            if self.rules.row_piles == RowPiles.GROWING:
                self.lay_out(player)
            else:
                self.draw(*[player] * self.rules.row_slots)
        return self.restart(Reason.START, *self.table.players)

    def _laid(self, kind: Kind, player: int, rank: str, pile: int, number: int = -1) -> Self:
        slot = self.slot_of(player, rank)
        return self.add(kind, player, pile, slot, self.table.rows[player][slot][-1], number)

    def play(self, player: int, rank: str, pile: int, number: int = 1) -> Self:
        return self._laid(Kind.PLAY, player, rank, pile, number)

    def play_also(self, player: int, rank: str, pile: int, number: int = 1) -> Self:
        return self._laid(Kind.PLAY_ALSO, player, rank, pile, number)

    def late(self, player: int, rank: str, pile: int) -> Self:
        return self._laid(Kind.LATE, player, rank, pile)

    def illegal(self, player: int, rank: str, pile: int) -> Self:
        return self._laid(Kind.ILLEGAL, player, rank, pile)

    def name(self, player: int, rank: str, pile: int) -> Self:
        return self.add(Kind.NAME, player, pile, number=self.rules.ranks.index(rank))

    def penalty(self, player: int, giver: int = -1) -> Self:
        return self.add(Kind.PENALTY, player, giver, card=self.table.stocks[giver if giver >= 0 else 1 - player][0])

    def decline(self, player: int) -> Self:
        return self.add(Kind.DECLINE, player)

    def slap(self, player: int, pile: int | None = None) -> Self:
        return self.add(Kind.SLAP, player, player if pile is None else pile)

    def announce(self, player: int, rank: str, pile: int) -> Self:
        slot = self.slot_of(1 - player, rank)
        return self.add(Kind.ANNOUNCE, player, pile, slot, self.table.rows[1 - player][slot][-1])

    def take(self, player: int, *piles: int) -> Self:
        """The player takes these piles, one after the other."""
        for pile in piles:
            self.add(Kind.TAKE, player, pile, number=len(self.table.piles[pile]))
        return self

    def shuffled(self, player: int, order: Iterable[int] | None = None) -> Self:
        """List the player's stock in a new order (turned round unless given)."""
        stock = list(self.table.stocks[player])
        for depth, place in enumerate(order if order is not None else reversed(range(len(stock)))):
            self.add(Kind.STOCK, player, card=stock[place], number=depth)
        return self

    def lay_out(self, player: int) -> Self:
        """Lay out a row of piles in layers and turn the tops up."""
        n_slots = self.rules.row_slots
        for slot in [slot for layer in range(n_slots) for slot in range(layer, n_slots)]:
            if self.table.stocks[player]:
                self.add(Kind.DRAW, player, slot=slot, card=self.table.stocks[player][0])
        for slot in range(n_slots):
            if self.table.rows[player][slot]:
                self.turn(player, slot)
        return self

    def turn(self, player: int, slot: int) -> Self:
        return self.add(Kind.TURN, player, slot=slot, card=self.table.rows[player][slot][-1])

    def move(self, player: int, slot: int, place: int) -> Self:
        return self.add(Kind.MOVE, player, slot=slot, card=self.table.rows[player][slot][-1], number=place)

    def gather(self, player: int) -> Self:
        return self.add(Kind.GATHER, player, number=sum(map(len, self.table.rows[player])))

    def renew(self, pile: int, order: Iterable[int] | None = None) -> Self:
        """The pile becomes the side pile next to it, and is listed in a new order if one is given."""
        self.add(Kind.RENEW, pile=pile, number=len(self.table.piles[pile]))
        side = list(self.table.sides[pile])
        for depth, place in enumerate(order or ()):
            self.add(Kind.SIDE, pile=pile, card=side[place], number=depth)
        return self

    def set_aside(self, pile: int) -> Self:
        return self.add(Kind.SET_ASIDE, pile=pile)

    def view(self, player: int) -> Self:
        return self.add(Kind.VIEW, player)

    def call(self, player: int) -> Self:
        return self.add(Kind.CALL, player)

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
