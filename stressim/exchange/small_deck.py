"""Small exchange games without a clock, as a chain of positions whose every swap the referee's table carries out.

The referee says which bunches are complete, which ranks are a bunch's best, who can improve what and which cards are
barred for whom. What is added is what the model of uniform timing adds to the rules: a player is drawn among those who
can improve a bunch, then one of his pairs of a bunch and a card of the centre, then the card to give, of lowest count
among ranks other than the one taken; when nobody can improve, one of those who give way swaps a card of lowest count
of any unfinished bunch against any card of the centre.

Positions that differ by the names of ranks, by the order of a player's bunches or by the seats of players who are
alike are one position.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb, prod
from typing import NamedTuple

from stressim.exact.chains import Chance, Step
from stressim.exact.quantities import TooCostlyError
from stressim.exchange.events import Kind, Outcome
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.improving import can_improve
from stressim.exchange.referee.table import Event, best_ranks, counted_ranks, rank_of
from stressim.exchange.rules import DeadlockRule, ExchangeRules, Ranking, SwapOrder, TakeBackOwn, WinTie
from stressim.players.player import Player

Token = tuple[int, int]
"""A card: its rank, and the players for whom it is barred, as bits."""
Bunch = tuple[Token, ...]


class Dealing(NamedTuple):
    """The cards are being dealt.

    Parameters
    ----------
    bunches
        Those dealt so far, player by player.
    counts
        Whether a complete bunch would be the first of the first deal.
    """

    bunches: tuple[Bunch, ...]
    counts: bool


class Position(NamedTuple):
    """All that matters for how a deal goes on.

    Parameters
    ----------
    players
        Each player's bunches, in any order.
    centre
        The open cards.
    in_lock
        Whether nobody could improve before the last swap.
    """

    players: tuple[tuple[Bunch, ...], ...]
    centre: Bunch
    in_lock: bool


class SmallDeck:
    """An exchange game as :func:`stressim.exact.chains.solve` takes it.

    Parameters
    ----------
    rules
        The rules of the game.
    players
        The players; uniform timing knows of their habits only whether they give way.

    Raises
    ------
    TooCostlyError
        If the rules have teams, places or a handicap.
    """

    def __init__(self, rules: ExchangeRules, players: Sequence[Player]) -> None:
        if rules.team_size > 1 or rules.ranking != Ranking.NONE or rules.handicap_bunches > 0:
            raise TooCostlyError("only games without team_size, ranking and handicap_bunches are solved whole")
        self.rules = rules
        self.gives_way = tuple(bool(player.habits.gives_way) for player in players)  # type: ignore[attr-defined]
        self.copies = Counter(rank_of(card) for card in rules.cards)
        self.rank_maps = list(_rank_maps(self.copies))
        self.seatings = [
            seats
            for seats in itertools.permutations(range(rules.n_players))
            if all(self.gives_way[seat] == self.gives_way[other] for seat, other in enumerate(seats))
        ]
        self._known: dict[Position, Position] = {}
        self._dealt: dict[Dealing, Dealing] = {}

    def begin(self, chance: Chance) -> Step[Dealing | Position]:
        """Return the position in which cards are about to be dealt."""
        return Step(state=Dealing((), True))

    def play_on(self, state: Dealing | Position, chance: Chance) -> Step[Dealing | Position]:
        """Deal, make the next swap, or end."""
        if isinstance(state, Dealing):
            return self._deal_a_bunch(state, chance)
        deal, in_lock = self._set_up(state)
        table = deal.table
        counts: Counter[str] = Counter()
        flags: set[str] = set()
        done = [player for player in table.players if not table.unfinished(player)]
        if len(done) == 1:
            return self._end(deal, Outcome.WON, done[0], counts, flags)
        if done:
            if self.rules.win_tie == WinTie.REDEAL:
                return Step(state=Dealing((), False), counts={"redeals": 1})
            return self._end(deal, Outcome.DRAWN, -1, counts, flags)
        able = [player for player in table.players if any(self._improvable(deal, player))]
        if able:
            player = able[chance.pick([1] * len(able))]
            pairs = list(self._improvable(deal, player))
            bunch, card = pairs[chance.pick([1] * len(pairs))]
            self._swap(deal, player, bunch, self._given(deal, player, bunch, rank_of(card), chance), card, counts)
            return Step(state=self._state_of(deal, in_lock=False), counts=counts)
        if not in_lock:
            counts["stalls"] = counts["locks"] = 1
            flags |= {"stalled", "locked"}
        giving_way = [player for player in table.players if self.gives_way[player]]
        if giving_way:
            player = giving_way[chance.pick([1] * len(giving_way))]
            unfinished = table.unfinished(player)
            bunch = unfinished[chance.pick([1] * len(unfinished))]
            given = self._given(deal, player, bunch, None, chance)
            takeable = deal.takeable(player, None)
            card = takeable[chance.pick([1] * len(takeable))]
            self._swap(deal, player, bunch, given, card, counts)
            return Step(state=self._state_of(deal, in_lock=True), counts=counts, flags=frozenset(flags))
        return self._deadlock(deal, counts, flags)

    def _deadlock(self, deal: Deal, counts: Counter[str], flags: set[str]) -> Step[Dealing | Position]:
        rule = self.rules.deadlock_rule
        if rule == DeadlockRule.REDEAL:
            counts["redeals"] += 1
            return Step(state=Dealing((), False), counts=counts, flags=frozenset(flags))
        if rule != DeadlockRule.MOST_COMPLETE_WINS:
            return self._end(deal, Outcome.DEADLOCKED, -1, counts, flags)
        complete = [self._n_complete(deal, player) for player in deal.table.players]
        if complete.count(max(complete)) > 1:
            return self._end(deal, Outcome.DRAWN, -1, counts, flags)
        return self._end(deal, Outcome.WON, complete.index(max(complete)), counts, flags)

    def _n_complete(self, deal: Deal, player: int) -> int:
        return self.rules.bunches_each - len(deal.table.unfinished(player))

    def _end(
        self, deal: Deal, outcome: Outcome, winner: int, counts: Counter[str], flags: set[str]
    ) -> Step[Dealing | Position]:
        if outcome == Outcome.WON:
            counts["loser_bunches"] = sum(
                self._n_complete(deal, player) for player in deal.table.players if player != winner
            )
        return Step(state=None, outcome=outcome.word, counts=counts, flags=frozenset(flags))

    # swaps

    def _improvable(self, deal: Deal, player: int) -> Iterator[tuple[int, int]]:
        """All pairs of an unfinished bunch and a card of the centre that improves it."""
        for bunch in deal.table.unfinished(player):
            if can_improve(deal, player, bunch):
                best = best_ranks(deal.table.bunches[player][bunch])
                yield from ((bunch, card) for card in deal.takeable(player, None) if rank_of(card) in best)

    def _given(self, deal: Deal, player: int, bunch: int, taken: int | None, chance: Chance) -> int:
        """Draw the card to give, among those of lowest count of ranks other than the one taken."""
        cards = deal.table.bunches[player][bunch]
        counts = counted_ranks(card for card in cards if rank_of(card) != taken)
        lowest = [card for card in cards if counts[rank_of(card)] == min(counts.values())]
        return lowest[chance.pick([1] * len(lowest))]

    def _swap(self, deal: Deal, player: int, bunch: int, given: int, taken: int, counts: Counter[str]) -> None:
        cards = deal.table.bunches[player][bunch]
        before = max(counted_ranks(cards).values())
        kinds = [(Kind.PUT_DOWN, given), (Kind.TAKE, taken)]
        if self.rules.swap_order == SwapOrder.TAKE_FIRST:
            kinds.reverse()
        for kind, card in kinds:
            deal.table.apply(Event(0, 0, kind, player, bunch, card, 0))
        deal.put_down[player].add(given)
        after = max(counted_ranks(cards).values())
        counts["moves"] += 1
        counts["swaps" if after > before else "churns" if after == before else "yields"] += 1

    # positions

    def _deal_a_bunch(self, state: Dealing, chance: Chance) -> Step[Dealing | Position]:
        """Deal the next bunch; what is left after the last one is the centre."""
        bunches = list(state.bunches)
        left = self.copies - Counter(rank for bunch in bunches for rank, _ in bunch)
        hands = list(_hands(left, self.rules.bunch_size))
        hand = hands[chance.pick([prod(comb(left[rank], n) for rank, n in hand.items()) for hand in hands])]
        bunches.append(tuple((rank, 0) for rank in sorted(hand.elements())))
        complete = len(hand) == 1 and state.counts
        flags = frozenset({"dealt_complete"} if complete else ())
        if len(bunches) < self.rules.n_bunches:
            return Step(state=self._alike_dealt(bunches, counts=state.counts and not complete), flags=flags)
        each = self.rules.bunches_each
        players = [bunches[first : first + each] for first in range(0, len(bunches), each)]
        left -= hand
        return Step(state=self._alike(players, [(rank, 0) for rank in left.elements()], in_lock=False), flags=flags)

    def _alike_dealt(self, bunches: Sequence[Bunch], *, counts: bool) -> Dealing:
        raw = Dealing(tuple(bunches), counts)
        if raw not in self._dealt:
            images = (tuple(_renamed(bunch, ranks) for bunch in bunches) for ranks in self.rank_maps)
            self._dealt[raw] = Dealing(min(images), counts)
        return self._dealt[raw]

    def _set_up(self, state: Position) -> tuple[Deal, bool]:
        """Lay a position out on the referee's table."""
        next_copy: Counter[int] = Counter()
        barred: dict[int, int] = {}

        def card(token: Token) -> int:
            rank, bars = token
            number = rank + 16 * next_copy[rank]
            next_copy[rank] += 1
            barred[number] = bars
            return number

        bunches = [[[card(token) for token in bunch] for bunch in player] for player in state.players]
        middle = [card(token) for token in state.centre]
        order = [number for player in bunches for bunch in player for number in bunch] + middle
        deal = Deal(self.rules, order, (), uniform=True)
        for player in range(self.rules.n_players):
            deal.put_down[player] = {number for number, bars in barred.items() if bars >> player & 1}
        return deal, state.in_lock

    def _state_of(self, deal: Deal, *, in_lock: bool) -> Position:
        """Return the position, the same for all that are alike."""

        def token(card: int) -> Token:
            if self.rules.take_back_own != TakeBackOwn.FORBIDDEN:
                return rank_of(card), 0
            return rank_of(card), sum(1 << player for player, own in enumerate(deal.put_down) if card in own)

        players = [[tuple(map(token, bunch)) for bunch in player] for player in deal.table.bunches]
        return self._alike(players, [token(card) for card in deal.table.centre], in_lock=in_lock)

    def _alike(self, players: Sequence[Sequence[Bunch]], centre: Sequence[Token], *, in_lock: bool) -> Position:
        raw = Position(
            tuple(tuple(sorted(tuple(sorted(bunch)) for bunch in player)) for player in players),
            tuple(sorted(centre)),
            in_lock,
        )
        if raw not in self._known:
            self._known[raw] = min(self._images(raw))
        return self._known[raw]

    def _images(self, position: Position) -> Iterator[Position]:
        for ranks, seats in itertools.product(self.rank_maps, self.seatings):
            players = tuple(
                tuple(sorted(_renamed(bunch, ranks, seats) for bunch in position.players[seat])) for seat in seats
            )
            yield Position(players, _renamed(position.centre, ranks, seats), position.in_lock)


def _renamed(cards: Bunch, ranks: dict[int, int], seats: Sequence[int] = ()) -> Bunch:
    """Cards with other names of ranks and other seats of players."""
    return tuple(sorted((ranks[rank], _seated(bars, seats)) for rank, bars in cards))


def _seated(bars: int, seats: Sequence[int]) -> int:
    """Bits of players when the player ``seats[i]`` takes seat ``i``."""
    return sum(1 << new for new, old in enumerate(seats) if bars >> old & 1) if bars else 0


def _rank_maps(copies: Counter[int]) -> Iterator[dict[int, int]]:
    """All ways to name ranks of equally many cards anew."""
    classes: dict[int, list[int]] = {}
    for rank, number in copies.items():
        classes.setdefault(number, []).append(rank)
    for images in itertools.product(*(itertools.permutations(ranks) for ranks in classes.values())):
        yield {
            rank: new
            for ranks, image in zip(classes.values(), images, strict=True)
            for rank, new in zip(ranks, image, strict=True)
        }


def _hands(left: Counter[int], size: int) -> Iterator[Counter[int]]:
    """All bunches of this size by rank that can be dealt from what is left."""

    def choose(ranks: list[int], wanted: int) -> Iterator[Counter[int]]:
        if not wanted:
            yield Counter()
        elif ranks:
            for number in range(min(wanted, left[ranks[0]]) + 1):
                for rest in choose(ranks[1:], wanted - number):
                    yield Counter({ranks[0]: number} if number else {}) + rest

    return choose(sorted(left), size)
