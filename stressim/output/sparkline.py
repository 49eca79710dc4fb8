"""A distribution in one line of characters."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from stressim.estimates import STOPPED
from stressim.intervals import quantile_rank
from stressim.metrics import Mean
from stressim.output.phrases import bounded_mark, clock_mark, fixed, of_100, unit_word
from stressim.tally import MAX_VALUES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stressim.simulate import Result

BLOCKS = " ▁▂▃▄▅▆▇█"
WIDTH = 40
_ROOM = 76  # columns for the line below


@dataclass(frozen=True, kw_only=True)
class Histogram:
    """How many deals lie in each of equal steps; deals outside are left out.

    Parameters
    ----------
    edges
        Edges of the steps in the metric's unit, one more than steps.
    counts
        Deals in each.
    open_from
        From where on deals are only known to be as long or longer: stopped ones, or lengths that are not told apart.
        None if there are no such deals among those in the last step.
    """

    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    open_from: float | None


def length_metric(result: Result) -> Mean:
    """Return the metric that tells how long deals are: in seconds, or in moves when there is no clock."""
    metric = result.estimates["length_s" if result.has_clock else "moves"].metric
    assert isinstance(metric, Mean)
    return metric


def histogram(result: Result, metric: Mean, *, steps: int, low: float = 0.01, high: float = 0.99) -> Histogram:
    """Put the deals of a metric with quantiles into at most ``steps`` equal steps between two of its quantiles."""
    column = next(column for column in result.family.columns if column.name == metric.of)
    counts = result.tally.counts_of(metric.of)
    width = column.bin_width if column.wide else 1
    running = np.cumsum(counts)
    # Not from the estimates: they are rounded, and very long deals all lie in the last bin.
    ranks = [quantile_rank(result.tally.n_deals, Fraction(str(q))) for q in (low, high)]
    first, last = (int(np.searchsorted(running, rank)) for rank in ranks)
    each = -(-(last - first + 1) // steps)
    n_steps = -(-(last - first + 1) // each)
    part = np.zeros(n_steps * each, np.int64)
    inside = counts[first : first + len(part)]
    part[: len(inside)] = inside
    edges = np.array([(first + each * step) * width / metric.divisor for step in range(n_steps + 1)])
    stopped = result.tally.sum_of(STOPPED)
    holds_longest = first + len(part) >= len(counts)
    not_told_apart = column.wide and len(counts) == MAX_VALUES
    is_open = ranks[1] > result.tally.n_deals - stopped or (holds_longest and (stopped > 0 or not_told_apart))
    end = len(counts) - 1 if holds_longest else first + len(part)
    return Histogram(
        edges=edges,
        counts=part.reshape(n_steps, each).sum(axis=1),
        open_from=end * width / metric.divisor if is_open else None,
    )


def sparkline(result: Result) -> list[str]:
    """Draw how long deals are, and mark the median below."""
    metric = length_metric(result)
    drawn = histogram(result, metric, steps=WIDTH)
    median = result.estimates[metric.name].quantiles[0.5]
    highest = int(drawn.counts.max())
    bars = "".join(BLOCKS[-(-int(count) * (len(BLOCKS) - 1) // highest)] for count in drawn.counts)
    name, mark = ("length", clock_mark) if result.has_clock else (unit_word(metric), lambda value: fixed(value, 0))
    start = f"{name}  {mark(drawn.edges[0])} "
    place = min(int(np.searchsorted(drawn.edges, median.at_least, side="right")) - 1, len(bars) - 1)
    shown = of_100(int(drawn.counts.sum()) / result.deals)
    said = f"median {bounded_mark(median, mark)}"
    below = f"{' ' * (len(start) + place)}^ {said}; {shown} deals are shown"
    if len(below) > _ROOM:
        below = f"{shown} deals are shown; {said} ^".rjust(len(start) + place + 1)
    # All longer deals would look like a peak of their own.
    end = mark(drawn.edges[-1]) if drawn.open_from is None else f"{mark(drawn.open_from)} and longer"
    return [f"{start}{bars} {end}", below]
