"""One check: an estimate beside what it must be, and how surprising their distance is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

LEVEL = 0.01
"""Chance that anything fails although all is right, for all checks together."""

MOST_Z = 99.0
"""Distances beyond this are shown as this: nothing depends on how impossible something is."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One check.

    Parameters
    ----------
    group
        What kind of check, as named on the command line.
    subject
        Rules, player or stream that is checked.
    name
        What is compared.
    value
        What it must be.
    estimate
        What it is.
    n
        Deals, draws or games that the estimate rests on.
    z
        Their distance in standard errors: a standard normal if all is right. None where no chance is involved.
    right
        Where no chance is involved, whether the estimate is as near as it must be.
    allowed
        How near that is, in words.
    """

    group: str
    subject: str
    name: str
    value: float
    estimate: float
    n: int
    z: float | None = None
    right: bool = True
    allowed: str = ""

    @property
    def p(self) -> float:
        """Chance of a distance so large, to either side; 1 or 0 where no chance is involved."""
        if self.z is None:
            return float(self.right)
        return float(2.0 * stats.norm.sf(abs(self.z)))


@dataclass(frozen=True)
class About:
    """What a check is about; makes checks of each kind.

    Parameters
    ----------
    group, subject
        As of :class:`Check`.
    """

    group: str
    subject: str

    def share(self, name: str, expected: float, hits: int, n: int) -> Check:
        """Compare a share with its exact probability, by the binomial law itself."""
        if expected in (0.0, 1.0):
            return self.exactly(name, expected, hits / n, n)
        z = binomial_z(hits, n, expected)
        return self._make(name, expected, hits / n, n, z)

    def mean(self, name: str, expected: float, total: float, squares: float, n: int) -> Check:
        """Compare a mean over deals with its exact value; the error is the sample's."""
        mean = total / n
        spread = max(0.0, squares / n - mean * mean)
        if spread < 1e-12 * (1.0 + mean * mean):
            return self.near(name, expected, mean, 1e-9 * (1.0 + abs(expected)), n)
        z = (mean - expected) / math.sqrt(spread / max(1, n - 1))
        return self._make(name, expected, mean, n, z)

    def chi_square(self, name: str, counts: Sequence[int], expected: Sequence[float], *, lost: int = 1) -> Check:
        """Compare counts with what is expected; ``lost`` is what the counts have fewer degrees of freedom by."""
        found, wanted = np.asarray(counts, np.float64), np.asarray(expected, np.float64)
        return self.statistic(
            name, float((((found - wanted) ** 2) / wanted).sum()), len(found) - lost, int(found.sum())
        )

    def statistic(self, name: str, value: float, freedom: int, n: int) -> Check:
        """Compare a chi-square statistic with its degrees of freedom."""
        upper, lower = stats.chi2.sf(value, freedom), stats.chi2.cdf(value, freedom)
        z = stats.norm.isf(upper) if upper < 0.5 else stats.norm.ppf(lower)
        return self._make(name, float(freedom), value, n, float(z))

    def uniform(self, name: str, counts: Sequence[int]) -> Check:
        """Compare counts of things that are equally likely."""
        return self.chi_square(name, counts, [sum(counts) / len(counts)] * len(counts))

    def kolmogorov(self, name: str, levels: np.ndarray) -> Check:
        """Compare the law of levels, each drawn's place in its own law, with the uniform one."""
        ordered, n = np.sort(levels), len(levels)
        steps = np.arange(n + 1) / n
        distance = float(max((steps[1:] - ordered).max(), (ordered - steps[:-1]).max()))
        z = stats.norm.isf(stats.kstwobign.sf(distance * (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n))))
        return self._make(name, 0.0, distance, n, float(z))

    def normal(self, name: str, value: float, estimate: float, n: int, z: float) -> Check:
        """Make a check whose distance in standard errors is known."""
        return self._make(name, value, estimate, n, z)

    def correlation(self, name: str, first: np.ndarray, second: np.ndarray) -> Check:
        """Compare the correlation of two independent samples with none."""
        # What never varies hangs together as closely as can be.
        r = float(np.corrcoef(first, second)[0, 1]) if np.ptp(first) and np.ptp(second) else 1.0
        return self._make(name, 0.0, r, len(first), r * math.sqrt(len(first)))

    def martingale(self, name: str, expected: float, hits: int, n: int) -> Check:
        """Compare a share of events whose number is itself chance; each has this probability whatever came before."""
        if not n:
            return self.exactly(name, expected, math.nan, 0)
        return self._make(name, expected, hits / n, n, (hits - n * expected) / math.sqrt(n * expected * (1 - expected)))

    def near(self, name: str, value: float, estimate: float, tolerance: float, n: int = 1, allowed: str = "") -> Check:
        """Ask for a number no further off than a tolerance; there is no chance in it."""
        right = abs(estimate - value) <= tolerance
        said = allowed or f"within {tolerance:.2g}"
        return Check(
            group=self.group, subject=self.subject, name=name, value=value, estimate=estimate, n=n, right=right,
            allowed=said,
        )  # fmt: skip

    def exactly(self, name: str, value: float, estimate: float, n: int) -> Check:
        """Ask for the very number."""
        return self.near(name, value, estimate, 0.0, n, "exactly")

    def _make(self, name: str, value: float, estimate: float, n: int, z: float) -> Check:
        bounded = float(np.clip(np.nan_to_num(z, nan=MOST_Z), -MOST_Z, MOST_Z))
        return Check(group=self.group, subject=self.subject, name=name, value=value, estimate=estimate, n=n, z=bounded)


def binomial_z(hits: int, n: int, p: float) -> float:
    """Distance of a count from its mean as the normal that is as unlikely; half of the count's own chance counts.

    Examples
    --------
    >>> round(binomial_z(55, 100, 0.5), 3), round(binomial_z(0, 1000, 0.001), 3)
    (0.995, -0.901)
    """
    own = stats.binom.pmf(hits, n, p) / 2.0
    below, above = stats.binom.cdf(hits, n, p) - own, stats.binom.sf(hits, n, p) + own
    tail = min(below, above)
    if tail < 1e-300:
        return float((hits - n * p) / math.sqrt(n * p * (1.0 - p)))
    return float(stats.norm.ppf(below) if below <= above else stats.norm.isf(above))


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A check and what became of it among the others.

    Parameters
    ----------
    check
        The check.
    adjusted_p
        Its chance, corrected for the number of checks (Holm 1979).
    passed
        Whether it holds.
    """

    check: Check
    adjusted_p: float
    passed: bool


def judge(checks: Sequence[Check], level: float = LEVEL) -> list[Verdict]:
    """Judge checks together: the chance that any of them fails although all is right is at most ``level``.

    Parameters
    ----------
    checks
        In any order; verdicts come in the same.
    level
        The chance.

    Examples
    --------
    >>> about = About("example", "coin")
    >>> verdicts = judge([about.share("heads", 0.5, 70, 100), about.share("heads", 0.5, 52, 100)])
    >>> [verdict.passed for verdict in verdicts]
    [False, True]
    """
    random = sorted((place for place, check in enumerate(checks) if check.z is not None), key=lambda i: checks[i].p)
    adjusted = {place: check.p for place, check in enumerate(checks) if check.z is None}
    highest = 0.0
    for rank, place in enumerate(random):
        highest = max(highest, min(1.0, checks[place].p * (len(random) - rank)))
        adjusted[place] = highest
    return [
        Verdict(
            check=check,
            adjusted_p=adjusted[place],
            passed=adjusted[place] >= level if check.z is not None else check.right,
        )
        for place, check in enumerate(checks)
    ]
