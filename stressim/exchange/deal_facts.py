"""What the deal alone decides in the exchange game, counted in rational arithmetic: bunches and the centre as dealt.

Ranks of equally many cards are alike, so a bunch is described by how many of its ranks, in each class of alike ones,
it holds once, twice and so on; there are few such descriptions for any deck.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, factorial

from stressim.exact.quantities import Collector, Quantity, Work
from stressim.exchange.referee.table import Table, counted_ranks, given_bunches, height
from stressim.exchange.rules import ExchangeRules

ZERO = Fraction(0)

_MOST_CHOICES = 200_000  # light ones: whole numbers only


@functools.lru_cache(maxsize=64)
def quantities(rules: ExchangeRules) -> tuple[Quantity, ...]:
    """Return what is known of the bunches and the centre as they are dealt.

    Examples
    --------
    >>> found = {quantity.name: quantity for quantity in quantities(ExchangeRules())}
    >>> found["bunch_4"].fraction, found["bunch_paired"].fraction, found["centre_helps_1"].fraction
    ('1/20825', '1349/4165', '59028974/112559125')
    """
    deal = Deal(rules)
    found = Collector("one bunch")
    if deal.hangs_on_given:
        meaning, reason = "What bunches and the centre are dealt.", "it hangs on the ranks that the handicap names"
        return (Quantity(name="dealt", group="one bunch", meaning=meaning, unit="", value=None, reason=reason),)
    _one_bunch(found, deal)
    with found.under("all bunches"):
        _all_bunches(found, deal)
    with found.under("the centre"):
        _centre(found, deal)
    with found.under("structure"):
        _structure(found, deal)
    return tuple(found.found)


def pattern_name(pattern: tuple[int, ...]) -> str:
    """Name of the pattern of a bunch.

    >>> pattern_name((2, 1, 1))
    '2_1_1'
    """
    return "_".join(map(str, pattern))


def _one_bunch(found: Collector, deal: Deal) -> None:
    size = deal.rules.bunch_size
    for pattern, chance in sorted(deal.patterns.items(), reverse=True):
        said = " + ".join(map(str, pattern))
        found.add(f"bunch_{pattern_name(pattern)}", f"A bunch is dealt {said} of a rank.", "of bunches", chance)
    found.add("bunch_paired", "A bunch is dealt two or more cards of a rank.", "of bunches", deal.at_least(2))
    if size > 3:
        found.add("bunch_three", "A bunch is dealt three or more cards of a rank.", "of bunches", deal.at_least(3))
    found.add("bunch_work", "Cards that a bunch lacks of complete when dealt.", "cards", deal.work_of_bunch)


def _all_bunches(found: Collector, deal: Deal) -> None:
    rules = deal.rules
    each, every = deal.dealt_to_first, rules.n_bunches - rules.handicap_bunches
    found.add(
        "paired_bunches",
        "Bunches of all players dealt two or more cards of a rank.",
        "bunches",
        every * deal.at_least(2),
        column="paired_bunches",
    )
    found.add(
        "pairless_1",
        "No bunch of a player is dealt two cards of a rank.",
        "of deals",
        lambda: deal.pairless(each),
        column="pairless_1",
    )
    if rules.n_sides > 1:
        found.add("pairless", "No bunch of anybody is.", "of deals", lambda: deal.pairless(every))
        found.add(
            "dealt_complete_1",
            "A player is dealt a complete bunch.",
            "of deals",
            lambda: deal.some_complete(each),
        )
    found.add(
        "dealt_complete",
        "Somebody is dealt a complete bunch.",
        "of deals",
        lambda: deal.some_complete(every),
        column="dealt_complete",
    )
    if rules.centre_cards == rules.bunch_size:
        found.add(
            "dealt_complete_or_centre",
            "Somebody is dealt a complete bunch, or the centre has one rank.",
            "of deals",
            lambda: deal.some_complete(every + 1),
        )
    found.add(
        "player_work",
        "Least number of cards that a player must fetch to complete his bunches.",
        "cards",
        each * deal.work_of_bunch,
    )


def _centre(found: Collector, deal: Deal) -> None:
    found.add(
        "centre_helps_1",
        "The centre is dealt a card of a best rank of a given bunch (one that it has most often).",
        "of deals",
        deal.help_of(lambda held: held.best),
        column="centre_helps_1",
    )
    found.add(
        "centre_shares_1",
        "The centre is dealt a card of a rank of a given bunch.",
        "of deals",
        deal.help_of(lambda held: held.any_rank),
        column="centre_shares_1",
    )
    for pattern, chance in sorted(deal.patterns.items(), reverse=True):
        said = " + ".join(map(str, pattern))
        found.add(
            f"centre_helps_{pattern_name(pattern)}",
            f"The centre is dealt a card of a best rank of a bunch dealt {said}.",
            "of such bunches",
            deal.help_of(lambda held: held.best, pattern) / chance,
        )


def _structure(found: Collector, deal: Deal) -> None:
    rules = deal.rules
    copies = Counter(card % 16 for card in rules.cards)
    if set(copies.values()) == {rules.bunch_size}:
        found.add(
            "winner_rank_sets",
            "Sets of ranks that a winner may have completed, each as likely: every rank makes just one bunch.",
            "sets",
            comb(len(copies), rules.bunches_each),
        )


@dataclass(frozen=True)
class Held:
    """One description of a dealt bunch.

    Parameters
    ----------
    pattern
        How often its ranks are held, most often first.
    ways
        Number of such bunches.
    best, any_rank
        Cards outside it of its best ranks, and of any of its ranks.
    """

    pattern: tuple[int, ...]
    ways: int
    best: int
    any_rank: int


class Deal:
    """The cards as they are dealt; bunches that are given as a handicap are no part of it, whoever has them.

    Parameters
    ----------
    rules
        The rules of the game.
    """

    def __init__(self, rules: ExchangeRules) -> None:
        self.rules = rules
        self.copies = list(Counter(card % 16 for card in rules.cards).values())
        given, size = rules.handicap_bunches, rules.bunch_size
        enough = [copies for copies in self.copies if copies >= size]
        # Which ranks are given makes no difference where all are alike and none can be named twice.
        self.hangs_on_given = given > 0 and (len(set(enough)) > 1 or (given > 1 and enough[0] >= 2 * size))
        for _ in range(given):
            place = next(place for place, copies in enumerate(self.copies) if copies == enough[0])
            self.copies[place] -= size
        self.copies = [copies for copies in self.copies if copies]
        self.n_cards = sum(self.copies)

    @property
    def dealt_to_first(self) -> int:
        """Bunches that the first player, or his team, is dealt."""
        rules = self.rules
        given = rules.handicap_bunches if rules.side_of(rules.handicap_player - 1) == 0 else 0
        return rules.bunches_each - given

    @cached_property
    def bunches(self) -> tuple[Held, ...]:
        """All descriptions of a dealt bunch."""
        classes = sorted(Counter(self.copies).items())
        return tuple(_bunches(classes, self.rules.bunch_size))

    @cached_property
    def patterns(self) -> dict[tuple[int, ...], Fraction]:
        """Chance of each pattern of a bunch."""
        all_ways = comb(self.n_cards, self.rules.bunch_size)
        found: dict[tuple[int, ...], Fraction] = {}
        for held in self.bunches:
            found[held.pattern] = found.get(held.pattern, ZERO) + Fraction(held.ways, all_ways)
        return found

    def at_least(self, height: int) -> Fraction:
        """Chance that a bunch has at least so many cards of a rank."""
        return sum((chance for pattern, chance in self.patterns.items() if pattern[0] >= height), ZERO)

    @property
    def work_of_bunch(self) -> Fraction:
        """Expected number of cards that a bunch lacks of complete."""
        size = self.rules.bunch_size
        return sum(((size - pattern[0]) * chance for pattern, chance in self.patterns.items()), ZERO)

    def help_of(self, cards: Callable[[Held], int], pattern: tuple[int, ...] | None = None) -> Fraction:
        """Chance that the centre has one of some cards that hang on the bunch; with ``pattern``: and it is so dealt."""
        size, centre = self.rules.bunch_size, self.rules.centre_cards
        left = self.n_cards - size
        total = ZERO
        for held in self.bunches:
            if pattern is None or held.pattern == pattern:
                none = Fraction(comb(left - cards(held), centre), comb(left, centre))
                total += Fraction(held.ways, comb(self.n_cards, size)) * (1 - none)
        return total

    def pairless(self, n_bunches: int) -> Fraction:
        """Chance that this many given bunches have no two cards of a rank each.

        Bunch by bunch, as many cards are chosen as it has, of different ranks. How many cards are left of the ranks
        is all that matters, not of which.

        Raises
        ------
        TooCostlyError
            If there are too many states.
        """
        size, work = self.rules.bunch_size, Work(most=_MOST_CHOICES)
        # left[k]: ranks of which k cards are left
        ways: Counter[tuple[int, ...]] = Counter({tuple(map(self.copies.count, range(max(self.copies) + 1))): 1})
        for _ in range(n_bunches):
            following: Counter[tuple[int, ...]] = Counter()
            for left, before in ways.items():
                for chosen in _choices(left[1:], size):
                    factor = before
                    after = list(left)
                    for copies, ranks in enumerate(chosen, 1):
                        factor *= comb(left[copies], ranks) * copies**ranks
                        after[copies] -= ranks
                        after[copies - 1] += ranks
                    following[tuple(after)] += factor
                    work.step()
            ways = following
        return Fraction(sum(ways.values()), self._ways_to_deal(n_bunches))

    def some_complete(self, n_bunches: int) -> Fraction:
        """Chance that at least one of this many given bunches is dealt complete, by inclusion and exclusion."""
        size = self.rules.bunch_size
        # ways[j]: to deal j given bunches complete
        ways = [1] + [0] * n_bunches
        for number in self.copies:
            ways = [
                sum(
                    ways[j - mine] * comb(j, mine) * factorial(number) // (factorial(size) ** mine * factorial(rest))
                    for mine in range(min(j, number // size) + 1)
                    if (rest := number - size * mine) >= 0
                )
                for j in range(n_bunches + 1)
            ]
        return sum(
            (
                (-1) ** (j + 1) * comb(n_bunches, j) * Fraction(ways[j], self._ways_to_deal(j))
                for j in range(1, n_bunches + 1)
                if ways[j]
            ),
            ZERO,
        )

    def _ways_to_deal(self, n_bunches: int) -> int:
        """Ways to deal this many given bunches, a bunch being a set of cards."""
        size = self.rules.bunch_size
        undealt = self.n_cards - size * n_bunches
        ways: int = factorial(self.n_cards) // (factorial(size) ** n_bunches * factorial(undealt))
        return ways


def _choices(ranks: tuple[int, ...], wanted: int) -> Iterator[tuple[int, ...]]:
    """How many ranks are chosen of each kind so that it is as many as wanted."""
    if len(ranks) == 1:
        if wanted <= ranks[0]:
            yield (wanted,)
        return
    for count in range(max(0, wanted - sum(ranks[1:])), min(ranks[0], wanted) + 1):
        for rest in _choices(ranks[1:], wanted - count):
            yield (count, *rest)


def _bunches(classes: list[tuple[int, int]], size: int) -> Iterator[Held]:
    """All descriptions of a bunch; ``classes`` are pairs of cards of a rank and number of such ranks."""

    def choose(place: int, left: int) -> Iterator[list[tuple[int, int, int]]]:
        """Choose for each class how many ranks are held how often: triples of class, times held, ranks."""
        if place == len(classes):
            if left == 0:
                yield []
            return
        copies, ranks = classes[place]
        for held in _numbers(min(copies, left), ranks, left):
            mine = [(place, times, count) for times, count in held.items()]
            for rest in choose(place + 1, left - sum(times * count for _, times, count in mine)):
                yield mine + rest

    for chosen in choose(0, size):
        ways = 1
        free = [ranks for _, ranks in classes]
        for place, times, count in chosen:
            ways *= comb(free[place], count) * comb(classes[place][0], times) ** count
            free[place] -= count
        pattern = tuple(sorted((times for _, times, count in chosen for _ in range(count)), reverse=True))
        outside = [(times, count * (classes[place][0] - times)) for place, times, count in chosen]
        yield Held(
            pattern=pattern,
            ways=ways,
            best=sum(cards for times, cards in outside if times == pattern[0]),
            any_rank=sum(cards for _, cards in outside),
        )


def _numbers(times: int, ranks: int, left: int) -> Iterator[dict[int, int]]:
    """How many of ``ranks`` ranks are held ``times`` times, once less, … once, with at most ``left`` cards."""
    if times == 0:
        yield {}
        return
    for count in range(min(ranks, left // times) + 1):
        for rest in _numbers(times - 1, ranks - count, left - count * times):
            yield ({times: count} if count else {}) | rest


def observed(rules: ExchangeRules, cards: Sequence[int], events: Sequence[Sequence[int]]) -> dict[str, int]:
    """Return what :func:`quantities` speaks of, as it is in one deal.

    Parameters
    ----------
    rules
        The rules of the game.
    cards, events
        The deal and its log, as the events module has them; the cards alone decide.

    Returns
    -------
    dict
        Values by the quantity's name. Those of one bunch are those of the first player's first.
    """
    table = Table.dealt(rules, cards)
    given = given_bunches(rules)
    sides = enumerate(table.bunches_of_sides)
    bunches = [bunch for side, own in sides for number, bunch in enumerate(own) if (side, number) not in given]
    heights = [height(bunch) for bunch in bunches]
    size, each = rules.bunch_size, Deal(rules).dealt_to_first
    first = tuple(sorted(counted_ranks(bunches[0]).values(), reverse=True))
    facts = {f"bunch_{pattern_name(pattern)}": int(pattern == first) for pattern in _patterns(size, size)}
    return facts | {
        "bunch_paired": int(heights[0] > 1),
        "bunch_three": int(heights[0] > 2),
        "bunch_work": size - heights[0],
        "pairless": int(max(heights) == 1),
        "dealt_complete_1": int(max(heights[:each]) == size),
        "dealt_complete_or_centre": int(max(*heights, height(table.centre)) == size),
        "player_work": sum(size - height for height in heights[:each]),
    }


@functools.cache
def _patterns(cards: int, most: int) -> tuple[tuple[int, ...], ...]:
    """All ways to split so many cards among ranks, at most ``most`` to one, larger parts first."""
    if cards == 0:
        return ((),)
    return tuple((part, *rest) for part in range(min(cards, most), 0, -1) for rest in _patterns(cards - part, part))
