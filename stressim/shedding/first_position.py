"""The first position of a shedding deal, counted in rational arithmetic: both rows and the first flip.

Which cards come up in the middle does not depend on how many were dealt before them (the cards of a shuffled deck are
exchangeable, and a row is full at a moment that does not look ahead), so the two flipped cards may be put aside first.
Then a row shows no playable rank, without merging, when its cards are all among the others, and with merging, when all
cards dealt until the row is full are. Which rank fits on which is asked of the referee's table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb

from stressim.exact.quantities import Work
from stressim.shedding.choices import MergeEqualRanks, RowPiles
from stressim.shedding.events import JOKER_RANK
from stressim.shedding.referee.table import adjacent
from stressim.shedding.rules import SheddingRules

Counts = tuple[int, ...]
"""Cards left of each of some ranks, in rising order: which ranks they are does not matter."""

ZERO, ONE = Fraction(0), Fraction(1)

SHORT_STOCK = "a player may have too few different ranks to fill his row and flip a card: rows and flips then depend"


@dataclass(frozen=True)
class Flips:
    """The ranks of the two first cards.

    Parameters
    ----------
    ranks
        Both ranks, ``JOKER_RANK`` for a joker.
    chance
        How likely they are.
    equal
        Whether they are stress.
    adjacent
        Whether one fits on the other.
    """

    ranks: tuple[int, int]
    chance: Fraction
    equal: bool
    adjacent: bool


class FirstPosition:
    """Both rows and the first flip.

    Parameters
    ----------
    rules
        The rules of the game.
    """

    def __init__(self, rules: SheddingRules) -> None:
        self.rules = rules
        self.own_decks = rules.own_decks
        # Tops of piles are put together after the first flip.
        self.merging = rules.merge_equal_ranks != MergeEqualRanks.OFF and rules.row_piles == RowPiles.SINGLE
        shares = rules.n_players if self.own_decks else 1
        self.deck = dict.fromkeys(range(rules.n_ranks), rules.n_copies_total // shares)
        if rules.n_jokers:
            self.deck[JOKER_RANK] = rules.n_jokers // shares
        self.work = Work()
        self._one_row: dict[tuple[Counts, Counts, Counts, int], tuple[Fraction, ...]] = {}
        self._rows: dict[tuple[Counts, Counts, int, int], Fraction] = {}

    @property
    def tops_merged(self) -> bool:
        """Whether the tops of piles are put together after the first flip, before anybody plays."""
        return self.rules.merge_equal_ranks != MergeEqualRanks.OFF and not self.merging

    @property
    def n_deck(self) -> int:
        """Cards that are shuffled together."""
        return sum(self.deck.values())

    def _lasts(self, cards: int) -> bool:
        """Whether this many cards of a player always have enough ranks to fill a row."""
        ranked = max((number for rank, number in self.deck.items() if rank != JOKER_RANK), default=0)
        return cards > (self.rules.row_slots - 1) * ranked

    @cached_property
    def row_may_stay_short(self) -> bool:
        """Whether merging can use up a player's cards before his row is full."""
        return self.merging and not self._lasts(self.rules.cards_each)

    @cached_property
    def short(self) -> str:
        """Why rows and flips depend on each other; empty if they do not."""
        # One card must be left to be flipped when the row is full.
        return SHORT_STOCK if self.merging and not self._lasts(self.rules.cards_each - 1) else ""

    # the flips

    @cached_property
    def flips(self) -> tuple[Flips, ...]:
        """All pairs of first cards."""
        return tuple(self._flips())

    def _flips(self) -> Iterator[Flips]:
        n = self.n_deck
        for a, in_a in self.deck.items():
            for b, in_b in self.deck.items():
                second = Fraction(in_b, n) if self.own_decks else Fraction(in_b - (a == b), n - 1)
                if second:
                    jokers = JOKER_RANK in (a, b)
                    fits = jokers or adjacent(self.rules, a, b) or (self.rules.equal_rank_playable and a == b)
                    yield Flips((a, b), Fraction(in_a, n) * second, jokers or a == b, fits)

    def sum_over_flips(self, share: Callable[[Flips], Fraction]) -> Fraction:
        """Sum a chance that depends on the flipped cards over all of them."""
        return sum((flips.chance * share(flips) for flips in self.flips), ZERO)

    def playable(self, flips: Flips) -> set[int]:
        """Ranks that fit on one of the flipped cards; all where one is a joker."""
        if JOKER_RANK in flips.ranks:
            return set(self.deck)
        found = {rank for rank in range(self.rules.n_ranks) for top in flips.ranks if adjacent(self.rules, rank, top)}
        if self.rules.equal_rank_playable:
            found |= set(flips.ranks)
        return found | {JOKER_RANK}

    def _left(self, flips: Flips) -> list[dict[int, int]]:
        """What is left of the deck, or of each player's, when the flipped cards are put aside."""
        decks = [dict(self.deck), dict(self.deck)] if self.own_decks else [dict(self.deck)]
        decks[0][flips.ranks[0]] -= 1
        decks[-1][flips.ranks[1]] -= 1
        return decks

    # the rows

    def nobody(self, flips: Flips) -> Fraction:
        """Chance that neither row has a card that fits."""
        return self._without(flips, self.playable(flips))

    def one_play_away(self, flips: Flips) -> Fraction:
        """Chance that the tops are different neighbours and a row shows a card that makes them equal."""
        if flips.equal or not flips.adjacent or not adjacent(self.rules, *flips.ranks):
            return ZERO
        # A joker takes the other pile's rank, or any: it makes the tops equal as well.
        return 1 - self._without(flips, {*flips.ranks, JOKER_RANK})

    def _without(self, flips: Flips, ranks: set[int]) -> Fraction:
        """Chance that neither row shows one of these ranks."""
        decks = self._left(flips)
        if not self.own_decks:
            return self._rows_without(decks[0], ranks, 2)
        return self._rows_without(decks[0], ranks, 1) * self._rows_without(decks[1], ranks, 1)

    def _rows_without(self, deck: dict[int, int], ranks: set[int], rows: int) -> Fraction:
        n = sum(deck.values())
        others = {rank: number for rank, number in deck.items() if rank not in ranks and number}
        if not self.merging:
            dealt = rows * self.rules.row_slots
            return Fraction(comb(sum(others.values()), dealt), comb(n, dealt))
        # Jokers are never put together, so each is a rank of its own.
        jokers = others.pop(JOKER_RANK, 0)
        return self._deal_without(tuple(sorted([*others.values(), *[1] * jokers])), (), rows, n)

    def _deal_without(self, others: Counts, row: Counts, rows: int, n: int) -> Fraction:
        """Chance that all cards dealt until the rows are full come from these ranks.

        Parameters
        ----------
        others
            Cards left of each such rank that is not in the present row.
        row
            Cards left of each rank in the row; equal ranks are put together.
        rows
            Rows to be dealt, the present one among them.
        n
            All cards left.
        """
        if len(row) == self.rules.row_slots:
            if rows == 1:
                return ONE
            return self._deal_without(tuple(sorted(others + row)), (), rows - 1, n)
        key = (others, row, rows, n)
        known = self._rows.get(key)
        if known is not None:
            return known
        self.work.step()
        chance = ZERO
        for left in sorted(set(others)):
            if left:
                rest = _without_one(others, left)
                share = Fraction(left * others.count(left), n)
                chance += share * self._deal_without(rest, tuple(sorted((*row, left - 1))), rows, n - 1)
        for left in sorted(set(row)):
            if left:
                fuller = tuple(sorted((*_without_one(row, left), left - 1)))
                chance += Fraction(left * row.count(left), n) * self._deal_without(others, fuller, rows, n - 1)
        self._rows[key] = chance
        return chance

    def row(self, flips: Flips) -> tuple[Fraction, ...]:
        """Law of the number of slots of one row whose top fits, from 0 to all.

        The row is the first player's. With own decks the other one's has the same law over all flips, because the flips
        are as likely the other way round.
        """
        deck = self._left(flips)[0]
        fitting = self.playable(flips)
        slots, n = self.rules.row_slots, sum(deck.values())
        if not self.merging:
            good = sum(number for rank, number in deck.items() if rank in fitting)
            ways = comb(n, slots)
            return tuple(Fraction(comb(good, k) * comb(n - good, slots - k), ways) for k in range(slots + 1))
        singles = [1] * deck.pop(JOKER_RANK, 0)
        good_ranks = [number for rank, number in deck.items() if rank in fitting] + (
            singles if JOKER_RANK in fitting else []
        )
        others = [number for rank, number in deck.items() if rank not in fitting]
        return self._deal_row(tuple(sorted(others)), tuple(sorted(good_ranks)), (), n)

    def _deal_row(self, others: Counts, good: Counts, row: Counts, n: int) -> tuple[Fraction, ...]:
        """Law of the number of further good ranks that come into the row; arguments as of :meth:`_deal_without`."""
        slots = self.rules.row_slots
        if len(row) == slots:
            return (ONE,) + (ZERO,) * slots
        key = (others, good, row, n)
        known = self._one_row.get(key)
        if known is not None:
            return known
        self.work.step()
        law = [ZERO] * (slots + 1)
        for ranks, gain in ((others, 0), (good, 1)):
            for left in sorted(set(ranks)):
                if left:
                    rest = _without_one(ranks, left)
                    fuller = tuple(sorted((*row, left - 1)))
                    after = self._deal_row(*((others, rest) if gain else (rest, good)), fuller, n - 1)
                    share = Fraction(left * ranks.count(left), n)
                    for number in range(slots + 1 - gain):
                        law[number + gain] += share * after[number]
        for left in sorted(set(row)):
            if left:
                fuller = tuple(sorted((*_without_one(row, left), left - 1)))
                share = Fraction(left * row.count(left), n)
                for number, chance in enumerate(self._deal_row(others, good, fuller, n - 1)):
                    law[number] += share * chance
        self._one_row[key] = tuple(law)
        return self._one_row[key]

    # one row from a whole deck

    def all_different(self) -> Fraction:
        """Chance that a player's first cards, as many as there are slots, all have different ranks.

        Jokers have no rank, so they differ from everything.
        """
        slots = self.rules.row_slots
        ways = [1] + [0] * slots  # to choose this many cards without two of a rank
        for rank, number in self.deck.items():
            factors = [comb(number, k) for k in range(slots + 1)] if rank == JOKER_RANK else [1, number]
            ways = [
                sum(ways[total - k] * factors[k] for k in range(min(total, len(factors) - 1) + 1))
                for total in range(slots + 1)
            ]
        return Fraction(ways[slots], comb(self.n_deck, slots))

    def cards_used(self) -> Fraction:
        """Expected number of cards that a player lays out until his row is full."""
        known: dict[tuple[Counts, Counts], Fraction] = {}
        jokers = self.deck.get(JOKER_RANK, 0)
        ranked = [number for rank, number in self.deck.items() if rank != JOKER_RANK]

        def expected(others: Counts, row: Counts, n: int) -> Fraction:
            if len(row) == self.rules.row_slots:
                return ZERO
            key = (others, row)
            if key not in known:
                self.work.step()
                total = ONE
                for left in sorted(set(others)):
                    if left:
                        after = expected(_without_one(others, left), tuple(sorted((*row, left - 1))), n - 1)
                        total += Fraction(left * others.count(left), n) * after
                for left in sorted(set(row)):
                    if left:
                        fuller = tuple(sorted((*_without_one(row, left), left - 1)))
                        total += Fraction(left * row.count(left), n) * expected(others, fuller, n - 1)
                known[key] = total
            return known[key]

        return expected(tuple(sorted([*ranked, *[1] * jokers])), (), self.n_deck)


def _without_one(counts: Counts, value: int) -> Counts:
    """Return the counts without one of those that have this value."""
    place = counts.index(value)
    return counts[:place] + counts[place + 1 :]
