"""When a difference between pairs is more than chance: McNemar, Holm, and tests that may be looked at any time.

All of it stands on whole numbers and the standard library. Probabilities are rounded to three significant digits,
because the logarithms and the error function behind them may differ in the last bit between machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, sqrt

EXACT_PAIRS = 1000
"""Up to this many discordant pairs McNemar's test is exact; beyond it the normal limit is as good."""

_TUNED_FOR = 10_000
"""Deals at which the interval that holds at any time is narrowest, compared with the usual one."""


def normal_p(z: float) -> float:
    """Return the probability that a standard normal number lies as far from 0 as ``z``.

    Examples
    --------
    >>> normal_p(1.959964), normal_p(0.0)
    (0.05, 1.0)
    """
    return three_digits(erfc(abs(z) / sqrt(2)))


def mcnemar_p(more: int, fewer: int) -> float | None:
    """Return McNemar's two-sided probability; None without a discordant pair, where nothing can be told.

    Parameters
    ----------
    more, fewer
        Pairs of deals in which only the variant, or only the reference, has the event.

    Notes
    -----
    Exact up to :data:`EXACT_PAIRS` pairs (McNemar 1947, Psychometrika 12).

    Examples
    --------
    >>> mcnemar_p(8, 1), mcnemar_p(0, 0), mcnemar_p(3000, 3000)
    (0.0391, None, 1.0)
    """
    pairs = more + fewer
    if not pairs:
        return None
    if pairs > EXACT_PAIRS:
        # One less for the step between whole numbers, as the exact test has it.
        return normal_p(max(0, abs(more - fewer) - 1) / sqrt(pairs))
    tail = term = 1
    for k in range(min(more, fewer)):
        term = term * (pairs - k) // (k + 1)
        tail += term
    return three_digits(min(1.0, 2 * tail / 2**pairs))


def holm(probabilities: Sequence[float | None]) -> list[float | None]:
    """Correct probabilities for being many (Holm 1979, Scand. J. Statist. 6); None stays None and is not counted.

    Examples
    --------
    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    known = sorted((p, place) for place, p in enumerate(probabilities) if p is not None)
    corrected: list[float | None] = [None] * len(probabilities)
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, three_digits(min(1.0, p * (len(known) - rank))))
        corrected[place] = largest
    return corrected


def any_time_p_of_pairs(more: int, fewer: int) -> float:
    """Return a probability for discordant pairs that holds however often one looks.

    It is one over the likelihood of the pairs when the variant's share of them is mixed over all values alike, in
    units of their likelihood when that share is a half (Robbins 1970, Ann. Math. Statist. 41).

    Examples
    --------
    >>> any_time_p_of_pairs(30, 5), any_time_p_of_pairs(10, 10)
    (0.00034, 1.0)
    """
    pairs = more + fewer
    evidence = pairs * log(2) + lgamma(more + 1) + lgamma(fewer + 1) - lgamma(pairs + 2)
    return three_digits(min(1.0, exp(-evidence))) if evidence > 0 else 1.0


def any_time_p(z: float, n: int) -> float:
    """Return a probability for a mean of ``n`` differences, ``z`` standard errors from 0, however often one looks.

    The means of many differences go as sums of normal numbers do, and for those the mixture of Robbins (1970) holds at
    any time; with too few for that, look later (Waudby-Smith et al. 2024, Ann. Statist. 52).

    Examples
    --------
    >>> any_time_p(1.96, 10_000), any_time_p(5.0, 10_000)
    (0.541, 0.00273)
    """
    ratio = n / _TUNED_FOR
    evidence = z * z / 2 * ratio / (1 + ratio) - log(1 + ratio) / 2
    return three_digits(min(1.0, exp(-evidence))) if evidence > 0 else 1.0


def any_time_z(confidence: float, n: int) -> float:
    """Return how many standard errors an interval needs on each side to hold however often one looks.

    Examples
    --------
    >>> round(any_time_z(0.95, 10_000), 2), round(any_time_z(0.95, 1_000_000), 2)
    (3.66, 3.27)
    """
    ratio = n / _TUNED_FOR
    return sqrt(2 * (1 + ratio) / ratio * (log(1 / (1 - confidence)) + log(1 + ratio) / 2))


def three_digits(p: float) -> float:
    """Round a probability to three significant digits."""
    return float(f"{p:.3g}")
