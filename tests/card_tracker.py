"""Follow every card of a log from place to place; knows no rules, only where cards lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np

from stressim.shedding.choices import RowPiles
from stressim.shedding.events import Kind
from stressim.shedding.play import DealLog
from stressim.shedding.rules import SheddingRules


@dataclass
class Tracker:
    """Where the cards lie. A stock's top is first, a slot's and a pile's last."""

    stocks: list[list[int]]
    rows: list[dict[int, list[int]]] = field(default_factory=lambda: [{}, {}])
    piles: list[list[int]] = field(default_factory=lambda: [[], []])
    sides: list[list[int]] = field(default_factory=lambda: [[], []])
    aside: list[int] = field(default_factory=list)
    grows: bool = False  # whether a place of a row may hold several cards from the start
    turned: set[int] = field(default_factory=set)  # cards of such places that have been turned up
    reshuffled: dict[int, list[int]] = field(default_factory=dict)

    def lifted(self, player: int, slot: int) -> list[int]:
        """Take all face-up cards off a slot."""
        cards = self.rows[player][slot]
        n = len(list(takewhile(self.turned.__contains__, reversed(cards))))
        assert n > 0
        lifted = cards[-n:]
        del cards[-n:]
        return lifted

    def everything(self) -> list[int]:
        """Every card on the table."""
        in_rows = [card for row in self.rows for cards in row.values() for card in cards]
        in_piles = [card for pile in (*self.stocks, *self.piles, *self.sides) for card in pile]
        return [*in_rows, *in_piles, *self.aside]

    def owned(self, player: int) -> int:
        """Cards in a player's stock and row."""
        return len(self.stocks[player]) + sum(map(len, self.rows[player].values()))

    def tops(self) -> tuple[int, int] | None:
        """Ranks of the two tops, if both are there."""
        if self.piles[0] and self.piles[1]:
            return self.piles[0][-1] % 16, self.piles[1][-1] % 16
        return None

    def apply(self, kind: int, player: int, pile: int, slot: int, card: int, number: int) -> None:
        """Move the cards of one event; anything that is not where it should be is an assertion error."""
        if kind == Kind.STOCK:
            self.reshuffled.setdefault(player, []).append(card)
            assert len(self.reshuffled[player]) == number + 1
            if len(self.reshuffled[player]) == len(self.stocks[player]):
                order = self.reshuffled.pop(player)
                assert sorted(order) == sorted(self.stocks[player])
                self.stocks[player] = order
            return
        if kind == Kind.SIDE:
            self.reshuffled.setdefault(2 + pile, []).append(card)
            assert len(self.reshuffled[2 + pile]) == number + 1
            if len(self.reshuffled[2 + pile]) == len(self.sides[pile]):
                order = self.reshuffled.pop(2 + pile)
                assert sorted(order) == sorted(self.sides[pile])
                self.sides[pile] = order
            return
        assert not self.reshuffled, "a shuffled stock is listed whole"
        if kind == Kind.DRAW:
            assert self.grows or not self.rows[player].get(slot)
            assert self.stocks[player].pop(0) == card
            self.rows[player].setdefault(slot, []).append(card)
        elif kind == Kind.TURN:
            assert self.rows[player][slot][-1] == card
            self.turned.add(card)
        elif kind == Kind.MOVE:
            assert not self.rows[player].get(number)
            assert self.rows[player][slot][-1] == card
            self.rows[player][number] = self.lifted(player, slot)
            assert self.rows[player][slot]
        elif kind == Kind.GATHER:
            gathered = [card for cards in self.rows[player].values() for card in cards]
            assert len(gathered) == number
            self.stocks[player] += gathered
            self.rows[player] = {}
            self.turned -= set(gathered)
        elif kind == Kind.MERGE:
            target = self.rows[player][number]
            moved = self.lifted(player, slot) if self.grows else self.rows[player].pop(slot)
            assert {each % 16 for each in moved + target[-1 if self.grows else 0 :]} == {target[-1] % 16}
            target += moved
        elif kind == Kind.FLIP:
            assert self.stocks[player].pop(0) == card
            self.piles[pile].append(card)
        elif kind == Kind.FLIP_SIDE:
            assert self.sides[player].pop(0) == card
            self.piles[pile].append(card)
        elif kind == Kind.RENEW:
            assert not self.sides[pile]
            assert len(self.piles[pile]) == number
            self.sides[pile], self.piles[pile] = self.piles[pile], []
        elif kind in (Kind.FLIP_FROM_ROW, Kind.PLAY, Kind.PLAY_ALSO):
            for _ in range(1 if kind == Kind.FLIP_FROM_ROW else number):
                self.piles[pile].append(self.rows[player][slot].pop())
            assert self.piles[pile][-1] == card
            self.turned.discard(card)
            if not self.rows[player][slot]:
                del self.rows[player][slot]
        elif kind == Kind.GIVE:
            assert self.stocks[player].pop(number) == card
            self.stocks[1 - player].insert(0, card)
        elif kind in (Kind.PENALTY, Kind.HANDICAP):
            assert self.stocks[1 - player].pop(0) == card
            self.stocks[player].append(card)
        elif kind == Kind.TAKE:
            assert len(self.piles[pile]) == number
            # Turned over and put under the stock: the pile's lowest card is drawn first.
            self.stocks[player] += self.piles[pile]
            self.piles[pile] = []
        elif kind == Kind.SET_ASIDE:
            self.aside += self.piles[pile]
            self.piles[pile] = []
        elif kind in (Kind.LATE, Kind.ILLEGAL, Kind.ABORT):
            assert self.rows[player][slot][-1] == card


def replayed(log: DealLog, rules: SheddingRules | None = None) -> Iterator[tuple[list[int], Tracker]]:
    """Yield each event of a log as plain numbers, and the table after it; rules where there are piles beside stocks."""
    shares = [list(map(int, share)) for share in log.cards]
    each = rules.cards_each if rules else None
    grows = rules is not None and rules.row_piles == RowPiles.GROWING
    table = Tracker([share[:each] for share in shares], sides=[share[each:] if each else [] for share in shares])
    table.grows = grows
    for event in np.asarray(log.events).tolist():
        table.apply(*event[1:])
        yield event, table
