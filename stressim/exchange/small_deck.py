"""Small exchange games without a clock, as a chain of positions whose every swap the referee's table carries out.

The referee says which bunches are complete, which ranks are a bunch's best, who can improve what and which cards are
barred for whom. What is added is what the model of uniform timing adds to the rules: a player is drawn among those who
can improve a bunch, then one of his pairs of a bunch and a card of the centre, then the card to give, of lowest count
among ranks other than the one taken; when nobody can improve, one of those who give way swaps a card of lowest count
of any unfinished bunch against any card of the centre.

Partners have their bunches together and swap each for himself. A player who was done has his place and does nothing
more. Positions that differ by the names of ranks, by the order of a side's bunches or by the seats of players who are
alike are one position.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb, prod
from typing import NamedTuple

from stressim.exact.chains import Chance, Step
from stressim.exchange.choices import DeadlockRule, Ranking, SwapOrder, TakeBackOwn, WinTie
from stressim.exchange.events import Kind, Outcome
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.improving import can_improve
from stressim.exchange.referee.places import all_are_ranked, place_the_last
from stressim.exchange.referee.table import Event, best_ranks, counted_ranks, rank_of
from stressim.exchange.rules import ExchangeRules
from stressim.players.player import Player

Token = tuple[int, int]
"""A card: its rank, and the players for whom it is barred, as bits."""
Bunch = tuple[Token, ...]


class Dealing(NamedTuple):
    """The cards are being dealt.

    Parameters
    ----------
    bunches
        Those dealt so far, side by side.
    given
        Ranks of the bunches that are given complete, as many as have been drawn.
    counts
        Whether a complete bunch would be the first of the first deal.
    """

    bunches: tuple[Bunch, ...]
    given: tuple[int, ...]
    counts: bool


class Position(NamedTuple):
    """All that matters for how a deal goes on.

    Parameters
    ----------
    sides
        The bunches of each player, or each team, in any order.
    centre
        The open cards.
    placed
        Sides that were done, in the order of their places.
    in_lock
        Whether nobody could improve before the last swap.
    """

    sides: tuple[tuple[Bunch, ...], ...]
    centre: Bunch
    placed: tuple[int, ...]
    in_lock: bool


Next = Step[Dealing | Position]


class SmallDeck:
    """An exchange game as :func:`stressim.exact.chains.solve` takes it.

    Parameters
    ----------
    rules
        The rules of the game.
    players
        The players; uniform timing knows of their habits only whether they give way, and a team does if one of it does.
    """

    def __init__(self, rules: ExchangeRules, players: Sequence[Player]) -> None:
        self.rules = rules
        giving = {rules.side_of(seat) for seat, player in enumerate(players) if player.habits.gives_way}  # type: ignore[attr-defined]
        self.gives_way = tuple(rules.side_of(seat) in giving for seat in range(rules.n_players))
        self.copies = Counter(rank_of(card) for card in rules.cards)
        self.rank_maps = list(_rank_maps(self.copies))
        self.seatings = [seats for seats in itertools.permutations(range(rules.n_players)) if self._are_alike(seats)]
        self._known: dict[Position, Position] = {}
        self._dealt: dict[Dealing, Dealing] = {}

    def _are_alike(self, seats: Sequence[int]) -> bool:
        """Whether nothing changes when the players ``seats[i]`` take seats ``i``: partners stay together."""
        side_of, n_sides = self.rules.side_of, self.rules.n_sides
        given_to = side_of(self.rules.handicap_player - 1) if self.rules.handicap_bunches else -1
        return all(
            side_of(old) == side_of(seats[new % n_sides])
            and self.gives_way[new] == self.gives_way[old]
            and (side_of(new) == given_to) == (side_of(old) == given_to)
            for new, old in enumerate(seats)
        )

    def begin(self, chance: Chance) -> Next:
        """Return the position in which cards are about to be dealt."""
        return Step(state=Dealing((), (), True))

    def play_on(self, state: Dealing | Position, chance: Chance) -> Next:
        """Deal, give places, make the next swap, or end."""
        if isinstance(state, Dealing):
            return self._deal_a_bunch(state, chance)
        deal = self._set_up(state)
        table = deal.table
        counts: Counter[str] = Counter()
        flags: set[str] = set()
        done = [side for side in table.sides if not table.unfinished(side)]
        if len(done) == 1:
            return self._is_done(deal, done[0], in_lock=state.in_lock)
        if done:
            if self.rules.win_tie == WinTie.REDEAL:
                return Step(state=Dealing((), (), False), counts={"redeals": 1})
            return self._end(deal, Outcome.DRAWN, -1, counts, flags)
        able = [player for player in table.players if any(self._improvable(deal, player))]
        if able:
            player = able[chance.pick([1] * len(able))]
            pairs = list(self._improvable(deal, player))
            bunch, card = pairs[chance.pick([1] * len(pairs))]
            self._swap(deal, player, bunch, self._given(deal, player, bunch, rank_of(card), chance), card, counts)
            return Step(state=self._state_of(deal, in_lock=False), counts=counts)
        if not state.in_lock:
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

    # ends

    def _is_done(self, deal: Deal, side: int, *, in_lock: bool) -> Next:
        """A player or team has laid open everything: that is a win, or a place if play goes on."""
        if self.rules.ranking == Ranking.NONE:
            return self._end(deal, Outcome.WON, side, Counter(), set())
        counts: Counter[str] = Counter()
        if not deal.table.placed:
            counts["loser_bunches"] = self._bunches_of_others(deal, side)
        deal.table.placed.append(side)
        if all_are_ranked(deal):
            return self._end(deal, Outcome.WON, side, counts, set())
        return Step(state=self._state_of(deal, in_lock=in_lock), counts=counts)

    def _deadlock(self, deal: Deal, counts: Counter[str], flags: set[str]) -> Next:
        rule, placed = self.rules.deadlock_rule, deal.table.placed
        if rule == DeadlockRule.REDEAL and not placed:
            counts["redeals"] += 1
            return Step(state=Dealing((), (), False), counts=counts, flags=frozenset(flags))
        if rule != DeadlockRule.MOST_COMPLETE_WINS or placed:
            return self._end(deal, Outcome.DEADLOCKED, -1, counts, flags)
        complete = {side: self._n_complete(deal, side) for side in deal.table.sides}
        best = [side for side, number in complete.items() if number == max(complete.values())]
        if len(best) > 1:
            return self._end(deal, Outcome.DRAWN, -1, counts, flags)
        return self._end(deal, Outcome.WON, best[0], counts, flags)

    def _n_complete(self, deal: Deal, side: int) -> int:
        bunches = range(self.rules.bunches_each)
        return sum(deal.table.is_complete(side, bunch) for bunch in bunches)

    def _bunches_of_others(self, deal: Deal, winner: int) -> int:
        return sum(self._n_complete(deal, side) for side in range(self.rules.n_sides) if side != winner)

    def _end(self, deal: Deal, outcome: Outcome, winner: int, counts: Counter[str], flags: set[str]) -> Next:
        """End the deal; whoever was done first has won it, whatever becomes of the others."""
        rules, placed = self.rules, deal.table.placed
        if placed:
            outcome, winner = Outcome.WON, placed[0]
        expected: dict[str, float] = dict(counts)
        if outcome == Outcome.WON:
            if not placed:
                expected["loser_bunches"] = self._bunches_of_others(deal, winner)
            self._expect(expected, "win", {winner: 1})
            if rules.ranking != Ranking.NONE:
                flags.add("ranking")
                place_the_last(deal)
            if rules.ranking != Ranking.NONE and len(placed) == rules.n_sides:
                flags.add("ranked")
                self._expect(expected, "place", {side: place for place, side in enumerate(placed, 1)})
                self._expect(expected, "last", {placed[-1]: 1})
        return Step(state=None, outcome=outcome.word, counts=expected, flags=frozenset(flags))

    def _expect(self, expected: dict[str, float], name: str, numbers: dict[int, int]) -> None:
        """Note what is expected of each player, of whom positions do not tell from which of those alike he is."""
        for player in range(self.rules.n_players):
            alike = [seats[player] for seats in self.seatings]
            mean = sum(numbers.get(self.rules.side_of(seat), 0) for seat in alike) / len(alike)
            if mean:
                expected[f"{name}_{player + 1}"] = mean

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

    def _deal_a_bunch(self, state: Dealing, chance: Chance) -> Next:
        """Draw what is given, then deal the next bunch; what is left after the last one is the centre."""
        rules, size = self.rules, self.rules.bunch_size
        bunches = list(state.bunches)
        left = self.copies - Counter(rank for bunch in bunches for rank, _ in bunch)
        left -= Counter({rank: size * number for rank, number in Counter(state.given).items()})
        if len(state.given) < rules.handicap_bunches:
            enough = [rank for rank, number in sorted(left.items()) if number >= size]
            given = (*state.given, enough[chance.pick([1] * len(enough))])
            return Step(state=self._alike_dealt(bunches, given, counts=state.counts))
        hands = list(_hands(left, size))
        hand = hands[chance.pick([prod(comb(left[rank], n) for rank, n in hand.items()) for hand in hands])]
        bunches.append(tuple((rank, 0) for rank in sorted(hand.elements())))
        complete = len(hand) == 1 and state.counts
        flags = frozenset({"dealt_complete"} if complete else ())
        if len(bunches) < rules.n_bunches - rules.handicap_bunches:
            after = self._alike_dealt(bunches, state.given, counts=state.counts and not complete)
            return Step(state=after, flags=flags)
        given_to = rules.side_of(rules.handicap_player - 1)
        sides = []
        for side in range(rules.n_sides):
            given_bunches = [((rank, 0),) * size for rank in (state.given if side == given_to else ())]
            n_dealt = rules.bunches_each - len(given_bunches)
            sides.append(bunches[:n_dealt] + given_bunches)
            del bunches[:n_dealt]
        left -= hand
        centre = [(rank, 0) for rank in left.elements()]
        return Step(state=self._alike(Position(tuple(map(tuple, sides)), tuple(centre), (), False)), flags=flags)

    def _alike_dealt(self, bunches: Sequence[Bunch], given: Sequence[int], *, counts: bool) -> Dealing:
        raw = Dealing(tuple(bunches), tuple(given), counts)
        if raw not in self._dealt:
            self._dealt[raw] = min(
                Dealing(
                    tuple(_renamed(bunch, ranks) for bunch in bunches),
                    tuple(sorted(ranks[rank] for rank in given)),
                    counts,
                )
                for ranks in self.rank_maps
            )
        return self._dealt[raw]

    def _set_up(self, state: Position) -> Deal:
        """Lay a position out on the referee's table."""
        next_copy: Counter[int] = Counter()
        barred: dict[int, int] = {}

        def card(token: Token) -> int:
            rank, bars = token
            number = rank + 16 * next_copy[rank]
            next_copy[rank] += 1
            barred[number] = bars
            return number

        bunches = [[[card(token) for token in bunch] for bunch in side] for side in state.sides]
        middle = [card(token) for token in state.centre]
        order = [number for side in bunches for bunch in side for number in bunch] + middle
        deal = Deal(self.rules, order, (), uniform=True)
        deal.table.placed = list(state.placed)
        for player in range(self.rules.n_players):
            deal.put_down[player] = {number for number, bars in barred.items() if bars >> player & 1}
        return deal

    def _state_of(self, deal: Deal, *, in_lock: bool) -> Position:
        """Return the position, the same for all that are alike."""

        def token(card: int) -> Token:
            if self.rules.take_back_own != TakeBackOwn.FORBIDDEN:
                return rank_of(card), 0
            return rank_of(card), sum(1 << player for player, own in enumerate(deal.put_down) if card in own)

        sides = tuple(tuple(tuple(map(token, bunch)) for bunch in side) for side in deal.table.bunches_of_sides)
        centre = tuple(map(token, deal.table.centre))
        return self._alike(Position(sides, centre, tuple(deal.table.placed), in_lock))

    def _alike(self, position: Position) -> Position:
        raw = position._replace(
            sides=tuple(tuple(sorted(tuple(sorted(bunch)) for bunch in side)) for side in position.sides),
            centre=tuple(sorted(position.centre)),
        )
        if raw not in self._known:
            self._known[raw] = min(self._images(raw))
        return self._known[raw]

    def _images(self, position: Position) -> Iterator[Position]:
        side_of, n_sides = self.rules.side_of, self.rules.n_sides
        for ranks, seats in itertools.product(self.rank_maps, self.seatings):
            old_sides = [side_of(seat) for seat in seats[:n_sides]]
            yield Position(
                tuple(
                    tuple(sorted(_renamed(bunch, ranks, seats) for bunch in position.sides[side])) for side in old_sides
                ),
                _renamed(position.centre, ranks, seats),
                tuple(old_sides.index(side) for side in position.placed),
                position.in_lock,
            )


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
