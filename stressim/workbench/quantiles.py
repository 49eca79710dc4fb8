"""Differences of quantiles between variants: the median deal, the long ones."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from stressim.intervals import six_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stressim.estimates import Estimate, Quantile
    from stressim.metrics import Metric
    from stressim.workbench.compare import Comparison


@dataclass(frozen=True, kw_only=True)
class QuantileDifference:
    """One quantile of a variant beside the reference's, in the metric's unit.

    Parameters
    ----------
    metric
        Of which number.
    share
        Of deals at or below it.
    reference, value
        The reference's quantile and the variant's.
    difference, low, high
        The variant's minus the reference's, and its interval; all None where one of the two is only known to be more
        than a number, the limits where one of the two has none, or where the number of deals depends on what was seen.
    relative
        The difference as a part of the reference's quantile; None where that is 0 or the difference is None.
    """

    metric: Metric
    share: float
    reference: Quantile
    value: Quantile
    difference: float | None
    low: float | None
    high: float | None
    relative: float | None


def quantile_differences(comparison: Comparison) -> tuple[tuple[QuantileDifference, ...], ...]:
    """Return the differences of all quantiles, for each variant but the reference.

    The interval puts those of the two quantiles together (Zou and Donner 2008, "Construction of confidence intervals
    about effect measures", Statistics in Medicine 27: the limits of each give its spread to that side). It takes them
    as independent. The two play the same deals, so it is wide rather than narrow.
    """
    first, *others = comparison.results
    names = [metric.name for metric in comparison.metrics]
    return tuple(
        tuple(
            one
            for name in names
            if name in first.estimates and name in other.estimates  # some are known of some rules only
            for one in _of(first.estimates[name], other.estimates[name], any_time=comparison.look.any_time)
        )
        for other in others
    )


def _of(reference: Estimate, variant: Estimate, *, any_time: bool) -> Iterator[QuantileDifference]:
    for share, old in reference.quantiles.items():
        new = variant.quantiles[share]
        gap = None if old.estimate is None or new.estimate is None else new.estimate - old.estimate
        limits = None if any_time else limits_of(old, new)
        yield QuantileDifference(
            metric=reference.metric,
            share=share,
            reference=old,
            value=new,
            difference=None if gap is None else six_digits(gap),
            low=None if limits is None else limits[0],
            high=None if limits is None else limits[1],
            relative=six_digits(gap / old.estimate) if gap is not None and old.estimate else None,
        )


def limits_of(old: Quantile, new: Quantile) -> tuple[float, float] | None:
    """Return the interval of the difference of two quantiles; None where one of them is not known as well."""
    if old.low is None or old.high is None or new.low is None or new.high is None:
        return None
    if old.estimate is None or new.estimate is None:
        return None
    gap = new.estimate - old.estimate
    low = gap - hypot(new.estimate - new.low, old.high - old.estimate)
    high = gap + hypot(new.high - new.estimate, old.estimate - old.low)
    return six_digits(low), six_digits(high)
