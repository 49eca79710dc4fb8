"""What can still happen at a table where some players never leave their bunch: every way is tried, by the rules alone.

Swaps are of one card, laid first. A player lays a card of a rank that he holds least, or if he yields one of the rank
that he holds most; who does not give way lays one only after he has seen a card of a rank that he holds most. What is
taken then may be any card, in any order with what the others do: that is more than players ever do, so what is not
found here never happens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from stressim.compiled.deals import DealLog
from stressim.exchange.events import Field, Kind
from stressim.exchange.habits import ExchangeHabits
from stressim.exchange.referee.table import Event, Table, rank_of
from stressim.exchange.rules import ExchangeRules

Cards = tuple[int, ...]  # ranks, rising


class TooMany(Exception):
    """There are more positions than asked for."""


class Position(NamedTuple):
    """The ranks of the centre, of the bunches to which each player comes, and what each has under way.

    That is the bunch, and the rank that he is about to lay, or -1 when he has laid and is to take; None if nothing is.
    """

    centre: Cards
    bunches: tuple[tuple[Cards, ...], ...]
    under_way: tuple[tuple[int, int] | None, ...]


class Ahead:
    """What lies ahead of the last position of a logged deal.

    Parameters
    ----------
    rules
        The rules: swaps of one card, laid first, no teams.
    habits
        Those of each player.
    log
        The deal.
    """

    def __init__(self, rules: ExchangeRules, habits: Sequence[ExchangeHabits], log: DealLog) -> None:
        self.rules = rules
        self.habits = habits
        self.table = _last_table(rules, log)
        bunches, under_way = [], []
        for player in range(rules.n_players):
            own = [
                bunch
                for bunch in range(rules.bunches_each)
                if not self.table.laid_open[player][bunch] and self.comes_to(player, bunch)
            ]
            cards = [_ranks(self.table.bunches[player][bunch]) for bunch in own]
            short = [place for place, bunch in enumerate(cards) if len(bunch) < rules.bunch_size]
            bunches.append(tuple(cards))
            under_way.append((short[0], -1) if short else None)
        self.start = Position(_ranks(self.table.centre), tuple(bunches), tuple(under_way))

    def stays(self, player: int) -> bool:
        """Whether the player never lays an unfinished bunch back."""
        return self.habits[player].switch_weight == 0

    def comes_to(self, player: int, bunch: int) -> bool:
        """Whether a bunch is in the player's hand or may be before he has completed one."""
        return not self.stays(player) or self.table.in_hand[player] == bunch

    def moves(self, position: Position) -> Iterator[Position]:
        """Every position that may come next."""
        for player, doing in enumerate(position.under_way):
            if doing is None:
                for place, cards in enumerate(position.bunches[player]):
                    for rank in self._given(player, cards, position.centre):
                        yield _doing(position, player, (place, rank))
            elif doing[1] >= 0:
                place, rank = doing
                rest = _without(position.bunches[player][place], rank)
                laid = position._replace(centre=tuple(sorted((*position.centre, rank))))
                yield _doing(_holding(laid, player, place, rest), player, (place, -1))
            else:
                place = doing[0]
                for rank in set(position.centre):
                    more = tuple(sorted((*position.bunches[player][place], rank)))
                    taken = position._replace(centre=_without(position.centre, rank))
                    yield _doing(_holding(taken, player, place, more), player, None)

    def _given(self, player: int, cards: Cards, centre: Cards) -> set[int]:
        """Ranks of which the player may lay a card."""
        counts = Counter(cards)
        most = max(counts.values())
        if most == self.rules.bunch_size:
            return set()
        own = self.habits[player]
        best = {rank for rank, count in counts.items() if count == most}
        given = set()
        if own.yield_weight > 0 and len(best) == 1 and most > 1:
            given |= best
        if own.churn_weight > 0:
            given |= {rank for rank, count in counts.items() if count == min(counts.values())}
        for taken in best & set(centre):
            rest = {rank: count for rank, count in counts.items() if rank != taken}
            given |= {rank for rank, count in rest.items() if count == min(rest.values())}
        return given

    def is_won(self, position: Position) -> bool:
        """Whether a player has completed all of his bunches, or one that he never leaves."""
        return any(
            all(len(set(cards)) == 1 and len(cards) == self.rules.bunch_size for cards in bunches)
            for bunches in position.bunches
            if bunches  # in a lock, one who stays may still be on his way to his bunch
        )

    def can_be_won(self, most: int) -> bool:
        """Whether anybody can win, or complete a bunch that he never leaves; ``TooMany`` positions are not tried."""
        seen, rest = {self.start}, [self.start]
        while rest:
            position = rest.pop()
            if self.is_won(position):
                return True
            for following in self.moves(position):
                if following not in seen:
                    seen.add(following)
                    rest.append(following)
            if len(seen) > most:
                raise TooMany
        return False


def _last_table(rules: ExchangeRules, log: DealLog) -> Table:
    table = Table.dealt(rules, [int(card) for card in log.cards])
    for row, event in enumerate(log.events.tolist()):
        if event[Field.KIND] not in (Kind.END, Kind.CALL, Kind.MISS):
            table.apply(Event(row, event[Field.TIME], Kind(event[Field.KIND]), *event[Field.PLAYER :]))
    return table


def _ranks(cards: Sequence[int]) -> Cards:
    return tuple(sorted(rank_of(card) for card in cards))


def _without(cards: Cards, rank: int) -> Cards:
    place = cards.index(rank)
    return cards[:place] + cards[place + 1 :]


def _holding(position: Position, player: int, place: int, cards: Cards) -> Position:
    own = position.bunches[player]
    own = (*own[:place], cards, *own[place + 1 :])
    return position._replace(bunches=(*position.bunches[:player], own, *position.bunches[player + 1 :]))


def _doing(position: Position, player: int, what: tuple[int, int] | None) -> Position:
    before, after = position.under_way[:player], position.under_way[player + 1 :]
    return position._replace(under_way=(*before, what, *after))
