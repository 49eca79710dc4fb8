"""Intervals for rates, means, ratios and quantiles, from whole numbers and the standard library.

Everything printed is built from exact integers by ``+ - * / sqrt``, which give the same bits on every machine, and is
rounded to six significant digits at the end.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from stressim.errors import InputError


class Interval(NamedTuple):
    """Limits of an interval; None where there are too few deals for one."""

    low: float | None
    high: float | None


NO_INTERVAL = Interval(None, None)


def z_value(confidence: float) -> float:
    """Return the number of standard errors on each side of a two-sided normal interval.

    Raises
    ------
    InputError
        If the confidence does not lie between 0 and 1.

    Examples
    --------
    >>> z_value(0.95)
    1.95996398454
    """
    if not 0 < confidence < 1:
        raise InputError(f"confidence = {confidence:g} is not possible: it must lie between 0 and 1, for example 0.95")
    # The logarithm behind it may differ in the last bit between machines; twelve digits do not.
    return round(NormalDist().inv_cdf((1 + confidence) / 2), 12)


def wilson(successes: int, n: int, z: float) -> Interval:
    """Return Wilson's interval of a rate.

    Examples
    --------
    >>> low, high = wilson(0, 10, 1.959964)
    >>> low, round(high, 4)
    (0.0, 0.2775)
    """
    if n == 0:
        return NO_INTERVAL
    centre = (successes + z * z / 2) / (n + z * z)
    half = z * sqrt(successes * (n - successes) / n + z * z / 4) / (n + z * z)
    return Interval(0.0 if successes == 0 else centre - half, 1.0 if successes == n else centre + half)


def variance(total: int, squares: int, n: int) -> float | None:
    """Return the variance of n whole numbers from their sum and the sum of their squares; None for fewer than two."""
    return (n * squares - total * total) / (n * (n - 1)) if n > 1 else None


def mean(total: int, squares: int, n: int, z: float) -> Interval:
    """Return the normal interval of the mean of whole numbers that are not negative."""
    spread = variance(total, squares, n)
    if spread is None:
        return NO_INTERVAL
    half = z * sqrt(spread / n)
    return Interval(max(0.0, total / n - half), total / n + half)


def ratio(sums: tuple[int, int], squares: tuple[int, int], product: int, n: int, z: float) -> Interval:
    """Return the delta-method interval of Σx / Σy over n deals, neither ever negative.

    Parameters
    ----------
    sums, squares
        Σx and Σy, Σx² and Σy².
    product
        Σxy.
    n
        How many deals.
    z
        Standard errors on each side.
    """
    sum_x, sum_y = sums
    if n < 2 or sum_y == 0:
        return NO_INTERVAL
    # Σ(x - R y)² times Σy², as a whole number.
    residual = squares[0] * sum_y * sum_y - 2 * sum_x * sum_y * product + sum_x * sum_x * squares[1]
    half = z * sqrt(n * residual / ((n - 1) * sum_y**4))
    return Interval(max(0.0, sum_x / sum_y - half), sum_x / sum_y + half)


def skew(successes: int, n: int, n_others: int, z: float, *, winners: int = 1) -> Interval:
    """Return the interval of one player's share of n won deals minus the mean share of the others.

    The others share what is left, so the difference is a straight line in the player's own share and takes Wilson's
    interval along. Where partners win together a deal has several ``winners``.

    Examples
    --------
    >>> low, high = skew(50, 100, 1, 1.959964)
    >>> round(low, 4), round(high, 4)
    (-0.1923, 0.1923)
    """
    low, high = wilson(successes, n, z)
    if low is None or high is None:
        return NO_INTERVAL
    return Interval(low - (winners - low) / n_others, high - (winners - high) / n_others)


def quantile_rank(n: int, q: Fraction) -> int:
    """Return the rank, from 1, of the value that is the q-quantile of n: the first with a share q at or below it.

    Examples
    --------
    >>> quantile_rank(10, Fraction("0.5")), quantile_rank(11, Fraction("0.5"))
    (5, 6)
    """
    return max(1, -(-q.numerator * n // q.denominator))


def quantile_ranks(n: int, q: Fraction, z: float) -> tuple[int, int] | None:
    """Return the ranks between which the q-quantile lies, or None when fewer than five deals lie on a side.

    Examples
    --------
    >>> quantile_ranks(100, Fraction("0.5"), 1.959964)
    (40, 61)
    >>> quantile_ranks(100, Fraction("0.01"), 1.959964) is None
    True
    """
    if n * min(q, 1 - q) < 5:
        return None
    spread = z * sqrt(n * q * (1 - q))
    return max(1, int(n * q - spread)), min(n, int(n * q + spread) + 2)


def six_digits(value: float) -> float:
    """Round to six significant digits, the precision that is printed and stored.

    Examples
    --------
    >>> six_digits(131.00549999), six_digits(0.0), six_digits(-0.0)
    (131.005, 0.0, 0.0)
    """
    return float(f"{value:.6g}") + 0.0
