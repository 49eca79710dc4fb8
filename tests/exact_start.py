"""Exact probabilities of the first position, by counting every case: any deck, with merging or without.

Which card comes up in the middle does not depend on how many were dealt before it, so the two flipped cards may be put
aside first. Then a row shows no playable rank (1) without merging, when its cards are all among the others, and (2)
with merging, when the cards dealt until the row is full are. That a stock runs out before its row is full is left out
of account; only tiny decks with merging know it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from stressim.shedding.choices import Ace, DealMode, MergeEqualRanks
from stressim.shedding.rules import SheddingRules

JOKER = -1
Counts = tuple[int, ...]


@dataclass(frozen=True)
class Start:
    """Probabilities of the first position.

    Parameters
    ----------
    equal
        The first flip makes the tops equal.
    stuck
        Nobody can play on it.
    stalled
        Nobody can play and the tops differ.
    adjacent
        One of the tops fits on the other.
    one_stuck
        One player, named beforehand, cannot play.
    playable
        Expected number of cards, or merged slots, of both rows that can be played.
    """

    equal: Fraction
    stuck: Fraction
    stalled: Fraction
    adjacent: Fraction
    one_stuck: Fraction
    playable: Fraction


def fitting(rules: SheddingRules, rank: int) -> set[int]:
    """Ranks that may be laid on a rank; jokers apart."""
    n = rules.n_ranks
    order = list(range(n))
    if rules.ace == Ace.HIGH and rules.ranks[0] == "A":
        order = [*order[1:], 0]
    place = order.index(rank)
    found = {order[other] for other in (place - 1, place + 1) if 0 <= other < n}
    if rules.ace == Ace.WRAP:
        found |= {order[(place - 1) % n], order[(place + 1) % n]}
    found -= {rank}
    return found | {rank} if rules.equal_rank_playable else found


def _deck(rules: SheddingRules) -> dict[int, int]:
    """Cards of each rank that are shuffled together, jokers under their own number."""
    shares = rules.n_players if rules.deal_mode == DealMode.OWN_DECK_EACH else 1
    deck = dict.fromkeys(range(rules.n_ranks), rules.n_copies_total // shares)
    return deck | ({JOKER: rules.n_jokers // shares} if rules.n_jokers else {})


def _flips(rules: SheddingRules) -> Iterator[tuple[int, int, Fraction]]:
    """Both first cards, and how likely they are."""
    deck = _deck(rules)
    n = sum(deck.values())
    own = rules.deal_mode == DealMode.OWN_DECK_EACH
    for a, in_a in deck.items():
        for b, in_b in deck.items():
            second = Fraction(in_b, n) if own else Fraction(in_b - (a == b), n - 1)
            if second:
                yield a, b, Fraction(in_a, n) * second


def exact_start(rules: SheddingRules) -> Start:
    """Count all cases of the first position.

    Jokers lie on top of the first flip as equal to every other card and anybody could lay anything on them.
    """
    zero = Fraction(0)
    equal = stuck = stalled = adjacent = one_stuck = playable = zero
    own = rules.deal_mode == DealMode.OWN_DECK_EACH
    merging = rules.merge_equal_ranks != MergeEqualRanks.OFF
    k = rules.row_slots
    for a, b, chance in _flips(rules):
        same = a == b or JOKER in (a, b)
        equal += chance * same
        if JOKER in (a, b):
            playable += chance * 2 * k
            continue
        good = fitting(rules, a) | fitting(rules, b)
        adjacent += chance * (b in fitting(rules, a))
        decks = [_deck(rules), _deck(rules)] if own else [_deck(rules)]
        decks[0][a] -= 1
        decks[-1][b] -= 1
        for_one = _no_good(rules, decks[0], good, 1, merging=merging)
        if own:
            for_both = for_one * _no_good(rules, decks[1], good, 1, merging=merging)
        else:
            for_both = _no_good(rules, decks[0], good, 2, merging=merging)
        stuck += chance * for_both
        stalled += chance * for_both * (not same)
        one_stuck += chance * for_one
        if not merging:
            for deck in (decks[0], decks[-1]):
                many = sum(number for rank, number in deck.items() if rank in good or rank == JOKER)
                playable += chance * k * Fraction(many, sum(deck.values()))
    return Start(equal, stuck, stalled, adjacent, one_stuck, playable)


def _no_good(rules: SheddingRules, deck: dict[int, int], good: set[int], rows: int, *, merging: bool) -> Fraction:
    """Chance that this many rows, dealt from what is left of a deck, hold no card that fits and no joker."""
    n = sum(deck.values())
    bad = tuple(sorted(number for rank, number in deck.items() if rank not in good and rank != JOKER and number))
    if not merging:
        return Fraction(comb(sum(bad), rows * rules.row_slots), comb(n, rows * rules.row_slots))
    return _deal_row(bad, (), rules.row_slots, rows, n)


@cache
def _deal_row(others: Counts, row: Counts, wanted: int, rows: int, n: int) -> Fraction:
    """Chance that all cards dealt until the rows are full come from ranks that do not fit.

    Parameters
    ----------
    others
        Cards left of each such rank that is not in the present row.
    row
        Cards left of each rank in the row.
    wanted
        How many ranks a row must have; equal ones are put together and do not count.
    rows
        Rows to be dealt, the present one among them.
    n
        All cards left.
    """
    if len(row) == wanted:
        if rows == 1:
            return Fraction(1)
        return _deal_row(tuple(sorted(others + row)), (), wanted, rows - 1, n)
    chance = Fraction(0)
    for index, left in enumerate(others):
        if left:
            rest = others[:index] + others[index + 1 :]
            chance += Fraction(left, n) * _deal_row(rest, tuple(sorted((*row, left - 1))), wanted, rows, n - 1)
    for index, left in enumerate(row):
        if left:
            fuller = tuple(sorted((*row[:index], left - 1, *row[index + 1 :])))
            chance += Fraction(left, n) * _deal_row(others, fuller, wanted, rows, n - 1)
    return chance


@dataclass(frozen=True)
class DealtRow:
    """How one row of different ranks is laid out.

    Parameters
    ----------
    all_different
        Chance that the first cards all differ.
    cards
        Expected number of cards used.
    """

    all_different: Fraction
    cards: Fraction


def exact_row(n_ranks: int, copies: int, wanted: int) -> DealtRow:
    """Lay out one row from a whole deck, equal ranks put together."""
    different = Fraction(1)
    for index in range(wanted):
        different *= Fraction(copies * (n_ranks - index), copies * n_ranks - index)

    @cache
    def expected(ranks: int, used: int) -> Fraction:
        # Of `used` cards there are `ranks` different ones: the next one is new or not.
        if ranks == wanted:
            return Fraction(used)
        new = Fraction(copies * (n_ranks - ranks), copies * n_ranks - used)
        chance = new * expected(ranks + 1, used + 1)
        return chance + ((1 - new) * expected(ranks, used + 1) if new < 1 else 0)

    return DealtRow(different, expected(0, 0))
