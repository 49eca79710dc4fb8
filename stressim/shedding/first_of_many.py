"""The first position where not two play with two piles, counted in rational arithmetic: first flip and rows.

As in :mod:`stressim.shedding.first_position` the flipped cards are put aside first. Of cards that others of the same
flip have covered nothing is known, so only the tops are: cards of different decks where everybody has his own, except
that a player with several piles lays several of his.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb, prod

from stressim.shedding.choices import MergeEqualRanks, StartFlipEqual, StressPairs
from stressim.shedding.referee.table import adjacent
from stressim.shedding.rules import SheddingRules

MOST_TOPS = 60_000
"""Arrangements of tops that are looked at."""

Tops = tuple[int, ...]
"""The rank on top of each pile."""


class FirstOfMany:
    """Tops and rows of the first position.

    Parameters
    ----------
    rules
        The rules of the game.
    """

    def __init__(self, rules: SheddingRules) -> None:
        self.rules = rules
        self.copies = rules.n_copies if rules.own_decks else rules.n_copies_total
        self.n_deck = self.copies * rules.n_ranks
        # How many tops are known to come from each player's deck; with one deck for all, or more piles than players
        # that do not come out even, it does not matter who has which.
        each, odd = divmod(rules.n_piles, rules.n_players)
        self.tops_of = [each + (player < odd) for player in range(rules.n_players)]

    @property
    def left_out(self) -> str:
        """Why nothing of the flip is counted; empty if it is."""
        if self.rules.n_jokers:
            return "with jokers the first flip of more than two piles is not counted"
        if self.rules.n_ranks**self.rules.n_piles > MOST_TOPS:
            return f"{self.rules.n_piles} piles of {self.rules.n_ranks} ranks have too many arrangements"
        return ""

    @property
    def rows_left_out(self) -> str:
        """Why nothing of the rows on the first flip is counted; empty if it is."""
        if self.rules.merge_equal_ranks != MergeEqualRanks.OFF:
            return "rows that are merged are counted for two players with two piles only"
        if self.rules.start_flip_equal == StartFlipEqual.REFLIP:
            return "what covers equal first cards is not counted"
        return self.left_out

    @cached_property
    def arrangements(self) -> tuple[tuple[Tops, Fraction], ...]:
        """All ranks that the tops may have, with their chances."""
        return tuple(self._arrangements())

    def _arrangements(self) -> Iterator[tuple[Tops, Fraction]]:
        for tops in product(range(self.rules.n_ranks), repeat=self.rules.n_piles):
            shares = self._shares(tops) if self.rules.own_decks else [tops]
            chance = prod((self._chance(share) for share in shares), start=Fraction(1))
            if chance:
                yield tops, chance

    def _shares(self, tops: Tops) -> list[Tops]:
        """Share the tops out to the decks that they come from."""
        places = iter(tops)
        return [tuple(next(places) for _ in range(n)) for n in self.tops_of]

    def _chance(self, ranks: Tops) -> Fraction:
        """Chance that these ranks come up one after the other from one deck."""
        chance = Fraction(1)
        for place, rank in enumerate(ranks):
            chance *= Fraction(max(0, self.copies - ranks[:place].count(rank)), self.n_deck - place)
        return chance

    def sum_over(self, share: Callable[[Tops], Fraction]) -> Fraction:
        """Sum a chance that depends on the tops over all of them."""
        return sum((chance * share(tops) for tops, chance in self.arrangements), Fraction(0))

    def equal(self, tops: Tops) -> bool:
        """Whether the tops are stress (B51)."""
        pairs = list(combinations(range(len(tops)), 2))
        if self.rules.stress_pairs == StressPairs.NEIGHBOURS:
            pairs = [(one, other) for one, other in pairs if other - one in (1, len(tops) - 1)]
        alike = [tops[one] == tops[other] for one, other in pairs]
        return all(alike) if self.rules.stress_pairs == StressPairs.ALL else any(alike)

    def nobody(self, tops: Tops) -> Fraction:
        """Chance that no row has a card that fits."""
        fitting = {
            rank
            for rank in range(self.rules.n_ranks)
            for top in tops
            if adjacent(self.rules, rank, top) or (self.rules.equal_rank_playable and rank == top)
        }
        rows = [(share, 1) for share in self._shares(tops)] if self.rules.own_decks else [(tops, self.rules.n_players)]
        return prod((self._without(known, fitting, n) for known, n in rows), start=Fraction(1))

    def _without(self, known: Tops, ranks: set[int], n_rows: int) -> Fraction:
        """Chance that rows from a deck, of which some cards are known to lie elsewhere, have none of these ranks."""
        n = self.n_deck - len(known)
        fitting = len(ranks) * self.copies - sum(rank in ranks for rank in known)
        dealt = n_rows * self.rules.row_slots
        return Fraction(comb(n - fitting, dealt), comb(n, dealt))
