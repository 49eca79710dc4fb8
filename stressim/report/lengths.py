"""How long deals are: 20 dots for people, and the share of deals still going on for designers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stressim.output.phrases import bounded_mark, clock_mark, fixed, unit_word
from stressim.output.sparkline import length_metric
from stressim.pictures import BLUE, GREY, VERMILLION
from stressim.report.forest import tick_step

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stressim.simulate import Result


def draw_lengths(axes: Axes, result: Result) -> None:
    """Draw the share of deals that still go on after a time (or after so many moves, without a clock)."""
    metric = length_metric(result)
    column = next(column for column in result.family.columns if column.name == metric.of)
    counts = result.tally.counts_of(metric.of)
    width = column.bin_width if column.wide else 1
    edges = np.arange(len(counts) + 1) * width / metric.divisor
    going_on = 100 * (1 - np.concatenate([[0], np.cumsum(counts)]) / result.deals)
    quantiles = result.estimates[metric.name].quantiles
    last = quantiles[0.99].at_least
    shown = edges <= last
    # Some 200 points are all that is seen of 20,000 bins.
    every = max(1, int(shown.sum()) // 200)
    axes.plot(edges[shown][::every], going_on[shown][::every], color=BLUE, linewidth=1.6)
    median = quantiles[0.5].at_least
    axes.plot([median, median], [0, 50], color=VERMILLION, linewidth=1)
    mark = clock_mark if result.has_clock else (lambda value: fixed(value, 0))
    axes.annotate(
        f"median {bounded_mark(quantiles[0.5], mark)}",
        (median, 50),
        xytext=(5, 2),
        textcoords="offset points",
        va="baseline",
        color=VERMILLION,
    )
    step = (
        tick_step(last) if not result.has_clock else next(s for s in (15, 30, 60, 120, 300, 600, 3600) if last / s <= 8)
    )
    ticks = [step * k for k in range(int(last // step) + 1)]
    axes.set_xticks(ticks, [mark(tick) for tick in ticks])
    axes.set_yticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100 %"])
    axes.set(xlim=(0, last), ylim=(0, 100))
    axes.set_xlabel("minutes" if result.has_clock else unit_word(metric))
    axes.set_ylabel("deals still going on", color=GREY)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
