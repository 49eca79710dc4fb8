"""How narrow an interval shall be before a run ends: ``--until stalls=±0.5%``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stressim.errors import InputError
from stressim.estimates import Estimate
from stressim.family import Family
from stressim.metrics import Metric, Rate
from stressim.naming import metric_named, part_named, part_of
from stressim.tally import Tally

FEWEST_DEALS = 1_000
FEWEST_EVENTS = 20
"""Below these an interval's width is itself a matter of chance: a run that stopped at it would promise too much."""

_FORM = re.compile(r"\s*([\w-]+)\s*(?:\.\s*([\w.]+?))?\s*=\s*(?:±|\+/-|\+-)?\s*([^\s%±]+)\s*(%?)\s*")
_GROWTH = 1.2  # a run is longer than it must be by a tenth on average, and looks at itself some dozens of times


@dataclass(frozen=True, kw_only=True)
class Target:
    """The half-width that the interval of one number shall reach.

    Parameters
    ----------
    text
        As it was given.
    metric
        The number.
    part
        ``estimate``, or a quantile as a number.
    width
        Largest distance from the estimate to a limit: in the metric's unit (shares from 0 to 1), or as a share of the
        estimate if ``relative``.
    relative
        Whether it was given in per cent.
    """

    text: str
    metric: Metric
    part: str | float
    width: float
    relative: bool

    def half_width(self, estimates: Mapping[str, Estimate]) -> float | None:
        """Distance from the estimate to the farther limit, in the unit of ``width``; None if there is no interval."""
        estimate = estimates.get(self.metric.name)
        if estimate is None:
            return None
        found = part_of(estimate, self.part)
        if found.estimate is None or found.low is None or found.high is None:
            return None
        distance = max(found.estimate - found.low, found.high - found.estimate)
        if not self.relative:
            return distance
        return distance / abs(found.estimate) if found.estimate else None

    def is_reached(self, tally: Tally, estimates: Mapping[str, Estimate]) -> bool:
        """Whether the interval is narrow enough and rests on enough deals and events."""
        if tally.n_deals < FEWEST_DEALS or self._events(tally) < FEWEST_EVENTS:
            return False
        half_width = self.half_width(estimates)
        return half_width is not None and half_width <= self.width

    def _events(self, tally: Tally) -> int:
        # Of a rate both outcomes count, as a rate near 1 is as hard to know as one near 0. Of other numbers: deals.
        if not isinstance(self.metric, Rate):
            return tally.n_deals
        if self.metric.among:
            successes, n = tally.product_of(self.metric.of, self.metric.among), tally.sum_of(self.metric.among)
        else:
            successes, n = tally.sum_of(self.metric.of), tally.n_deals
        return min(successes, n - successes)


def parse(text: str, family: Family, *, clock: bool, n_players: int = 2, matches: bool = False) -> Target:
    """Read a target.

    Parameters
    ----------
    text
        ``METRIC=±WIDTH`` in the metric's unit (shares from 0 to 1), or ``METRIC=±WIDTH%`` of the estimate. The metric
        may be followed by a quantile: ``length_s.median=±0.5``. The sign may be left out.
    family, clock, n_players, matches
        What is played, as in :func:`stressim.asserts.parse`.

    Raises
    ------
    InputError
        If it cannot be read or names no metric.

    Examples
    --------
    >>> from stressim.family import family_named
    >>> target = parse("stalls=±0.5%", family_named("shedding"), clock=True)
    >>> target.metric.name, target.width, target.relative
    ('stalls', 0.005, True)
    """
    given = f"--until {text!r}"
    match = _FORM.fullmatch(text)
    if match is None:
        raise InputError(f"{given} cannot be read: write a metric and how near it shall be known, as in stalls=±0.5%")
    name, part, number, per_cent = match.groups()
    metric = metric_named(given, name, family, clock=clock, n_players=n_players, matches=matches)
    try:
        width = float(number)
    except ValueError:
        width = math.nan
    if not (math.isfinite(width) and width > 0):
        raise InputError(f"{given}: {number!r} is no number above 0")
    return Target(
        text=text.strip(),
        metric=metric,
        part=part_named(given, metric, part, ("estimate", "median")),
        width=width / 100 if per_cent else width,
        relative=bool(per_cent),
    )


def looks(most: int) -> Iterator[int]:
    """Yield the numbers of deals after which a run looks at itself; the last one is ``most``.

    They are the same for every run, so that one that was interrupted stops where an uninterrupted one stops.

    Examples
    --------
    >>> list(looks(3000))
    [1000, 2000, 3000]
    >>> list(looks(10**6))[-3:]
    [770000, 924000, 1000000]
    """
    deals = FEWEST_DEALS
    while deals < most:
        yield deals
        deals = max(deals + 1_000, round(deals * _GROWTH / 1_000) * 1_000)
    yield most
