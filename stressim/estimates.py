"""From a tally to the numbers that a run reports: the metrics that a family declares, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import singledispatch
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from stressim import intervals
from stressim.intervals import NO_INTERVAL, Interval, six_digits
from stressim.matchrules import COLUMNS
from stressim.metrics import Column, Mean, Metric, Rate, Ratio, Skew
from stressim.tally import MAX_VALUES

if TYPE_CHECKING:
    from stressim.family import Family
    from stressim.tally import Tally

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The quantiles that are reported of lengths."""

STOPPED = "unfinished"
"""The column that flags deals stopped at the limit of moves or events: they would have been longer."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Quantile:
    """A quantile over deals and its interval.

    A deal that was stopped would have been longer, and of the very longest lengths it is only counted how many there
    are: a quantile among such deals is more than a number, and nobody knows how much more.

    Parameters
    ----------
    estimate
        The quantile; None where it is only known to be more than ``more_than``.
    low, high
        Its interval. Both are None when there are too few deals, ``high`` alone where there is no upper limit.
    more_than
        What the quantile is more than, where no more is known.
    """

    estimate: float | None
    low: float | None
    high: float | None
    more_than: float | None = None

    @property
    def at_least(self) -> float:
        """The quantile, or what it is more than."""
        known = self.more_than if self.estimate is None else self.estimate
        assert known is not None
        return known

    def __repr__(self) -> str:
        """Say the number with its interval."""
        return f"<{_with_limits(self)}>"


@dataclass(frozen=True, kw_only=True, repr=False)
class Estimate:
    """One metric estimated from a tally. Numbers are rounded to six significant digits.

    Parameters
    ----------
    metric
        What is estimated.
    estimate, low, high
        The number and its interval; the limits are None when there are too few deals.
    n
        How many deals it rests on: those among which a rate is taken, otherwise all.
    sd
        Standard deviation over deals, for metrics with quantiles.
    quantiles
        For metrics with quantiles, by the share of deals at or below them.
    """

    metric: Metric
    estimate: float
    low: float | None
    high: float | None
    n: int
    sd: float | None = None
    quantiles: Mapping[float, Quantile] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Say the number with its interval and unit."""
        return f"<{self.metric.name}: {_with_limits(self)} {self.metric.unit}>"


def _with_limits(one: Estimate | Quantile) -> str:
    limits = "no interval, too few deals"
    if one.low is not None:
        limits = f"{one.low:g} to {one.high:g}" if one.high is not None else f"{one.low:g} or more"
    if isinstance(one, Quantile) and one.estimate is None:
        return f"more than {one.at_least:g} ({limits})"
    return f"{one.estimate:g} ({limits})"


def estimate_all(
    family: Family,
    tally: Tally,
    *,
    clock: bool,
    n_players: int = 2,
    confidence: float = 0.95,
    matches: Tally | None = None,
) -> dict[str, Estimate]:
    """Estimate every metric of a family that the deals allow.

    Parameters
    ----------
    family
        Declares columns and metrics.
    tally
        The deals.
    clock
        False under uniform timing: metrics that need a clock are absent.
    n_players
        Metrics that need more players are absent.
    confidence
        Of the intervals.
    matches
        The matches made of the deals; without them their metrics are absent.

    Returns
    -------
    dict
        Estimates by the metric's name, in the family's order. Metrics without a single deal to rest on are absent.
    """
    z = intervals.z_value(confidence)
    columns = {column.name: column for column in (*family.columns, *COLUMNS)}
    found = {}
    for metric in family.metrics:
        counted = matches if metric.of_match and matches is not None else tally
        if is_known(metric, clock=clock, n_players=n_players, matches=matches is not None):
            if isinstance(metric, Skew):
                metric = replace(metric, others=metric.others[: n_players - 1])
            estimate = _estimate(metric, counted, columns, z)
            if estimate is not None:
                found[metric.name] = estimate
    return found


def is_known(metric: Metric, *, clock: bool, n_players: int, matches: bool = False) -> bool:
    """Whether a run can report a metric at all."""
    return (clock or not metric.clock) and metric.needs_players <= n_players and (matches or not metric.of_match)


@singledispatch
def _estimate(metric: Metric, tally: Tally, columns: Mapping[str, Column], z: float) -> Estimate | None:
    raise TypeError(f"{type(metric).__name__} is no kind of metric")


@_estimate.register(Rate)
def _(metric: Rate, tally: Tally, columns: Mapping[str, Column], z: float) -> Estimate | None:
    if metric.among:
        successes, n = tally.product_of(metric.of, metric.among), tally.sum_of(metric.among)
    else:
        successes, n = tally.sum_of(metric.of), tally.n_deals
    return _rounded(metric, successes / n, intervals.wilson(successes, n, z), n) if n else None


@_estimate.register(Skew)
def _(metric: Skew, tally: Tally, columns: Mapping[str, Column], z: float) -> Estimate | None:
    n = tally.sum_of(metric.among)
    if not n:
        return None
    successes = tally.product_of(metric.of, metric.among)
    others = sum(tally.product_of(other, metric.among) for other in metric.others)
    difference = (successes * len(metric.others) - others) / (n * len(metric.others))
    winners = max(1, round((successes + others) / n))  # of a deal: partners win together
    return _rounded(metric, difference, intervals.skew(successes, n, len(metric.others), z, winners=winners), n)


@_estimate.register(Ratio)
def _(metric: Ratio, tally: Tally, columns: Mapping[str, Column], z: float) -> Estimate | None:
    x, y = metric.of, metric.per
    sums = tally.sum_of(x), tally.sum_of(y)
    if not sums[1]:
        return None
    limits = intervals.ratio(sums, (tally.squares_of(x), tally.squares_of(y)), tally.product_of(x, y), tally.n_deals, z)
    # The square of a sum is that of its only term where there is but one: one deal says nothing of the spread.
    if columns[y].unit in ("flag", "players") and sums[1] ** 2 <= tally.squares_of(y):
        limits = NO_INTERVAL
    return _rounded(metric, sums[0] / sums[1], limits, tally.n_deals, divisor=metric.divisor)


@_estimate.register(Mean)
def _(metric: Mean, tally: Tally, columns: Mapping[str, Column], z: float) -> Estimate | None:
    n, total, squares = tally.n_deals, tally.sum_of(metric.of), tally.squares_of(metric.of)
    if not n:
        return None
    limits = intervals.mean(total, squares, n, z)
    if not metric.quantiles:
        return _rounded(metric, total / n, limits, n, divisor=metric.divisor)
    variance = intervals.variance(total, squares, n)
    return _rounded(
        metric,
        total / n,
        limits,
        n,
        divisor=metric.divisor,
        sd=None if variance is None else six_digits(sqrt(variance) / metric.divisor),
        quantiles=_quantiles(metric, tally, columns[metric.of], z),
    )


def _quantiles(metric: Mean, tally: Tally, column: Column, z: float) -> dict[float, Quantile]:
    running = np.cumsum(tally.counts_of(column.name))
    width = column.bin_width if column.wide else 0
    # Stopped deals would have gone on: taken as the longest of all, they leave the quantiles below them as they are.
    n_known = tally.n_deals - (tally.sum_of(STOPPED) if STOPPED in tally.counts else 0)

    def value(rank: int, part: int) -> float:
        # The middle of a bin stands for it; limits are its edges, so that they never promise too much.
        index = int(np.searchsorted(running, rank))
        return six_digits((2 * index * max(width, 1) + part * width) / (2 * metric.divisor))

    def is_known(rank: int) -> bool:
        return rank <= n_known and not (column.wide and int(np.searchsorted(running, rank)) >= MAX_VALUES - 1)

    found = {}
    for q in QUANTILES:
        share = Fraction(str(q))
        rank, ranks = intervals.quantile_rank(tally.n_deals, share), intervals.quantile_ranks(tally.n_deals, share, z)
        found[q] = Quantile(
            estimate=value(rank, 1) if is_known(rank) else None,
            low=None if ranks is None else value(ranks[0], 0),
            high=None if ranks is None or not is_known(ranks[1]) else value(ranks[1], 2),
            more_than=None if is_known(rank) else value(rank, 0),
        )
    return found


def _rounded(
    metric: Metric,
    estimate: float,
    limits: Interval,
    n: int,
    *,
    divisor: int = 1,
    sd: float | None = None,
    quantiles: Mapping[float, Quantile] | None = None,
) -> Estimate:
    low, high = (None if limit is None else six_digits(limit / divisor) for limit in limits)
    return Estimate(
        metric=metric,
        estimate=six_digits(estimate / divisor),
        low=low,
        high=high,
        n=n,
        sd=sd,
        quantiles=quantiles or {},
    )
