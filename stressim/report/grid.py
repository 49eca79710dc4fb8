"""Pictures of a sweep: lines with bands, dots with intervals, or a heat map."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stressim.output.phrases import confidence_text, is_share, number_and_interval
from stressim.pictures import BLUE, GREY, INK, MARKERS, SERIES, new_figure
from stressim.report.forest import TITLE, WIDTH, tick_step

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from stressim.metrics import Metric
    from stressim.workbench.sweep import Axis, Sweep

HEIGHT = 4.2
MOST_LINES = len(SERIES)
"""Values of the second axis that get a line each; more make a heat map."""

_MOST_TICKS = 12  # values that are all written along the axis
_CELL = 0.42  # inches
_WIDE = 20  # values so many times as large as others squeeze these on an even scale


def sweep_figure(sweep: Sweep, name: str, title: str = "") -> Figure:
    """Draw a metric over a grid under a title; if it is empty, under the names of the axes."""
    _, along = axes_of(sweep)
    is_map = along is not None and len(along.values) > MOST_LINES
    height = HEIGHT if not is_map or along is None else max(HEIGHT, _CELL * len(along.values) + 1.9)
    over = " and ".join(axis.name for axis in sweep.axes)
    facts = (
        f"{sweep.base.label} · {sweep.deals:,} deals each of the same cards · {sweep.base.timing.word} timing · "
        f"seed {sweep.seed}"
    )
    titles, facts_lines = textwrap.wrap(title or f"{name} over {over}", TITLE)[:2], textwrap.wrap(facts, 100)[:3]
    head = 0.24 * len(titles) + 0.17 * len(facts_lines)
    height += head - 0.41
    drawn = new_figure(WIDTH, height)
    for row, text in enumerate(titles):
        drawn.text(0.3 / WIDTH, 1 - (0.36 + 0.24 * row) / height, text, size=13, weight="bold", va="baseline")
    for row, text in enumerate(facts_lines):
        y = 1 - (0.36 + 0.24 * len(titles) + 0.17 * row) / height
        drawn.text(0.3 / WIDTH, y, text, size=9, color=GREY, va="baseline")
    longest = 0 if along is None else max(map(len, [*along.values, along.name]))
    left, right = (1.0, 0.5) if is_map else (0.8, 0.4 + 0.085 * longest)
    if is_map and along is not None:
        left = 0.6 + 0.085 * max(map(len, along.values))
    box = (left / WIDTH, 0.85 / height, (WIDTH - left - right) / WIDTH, (height - 1.49 - head) / height)
    axes = drawn.add_axes(box)
    draw_sweep(axes, sweep, name)
    note = (
        "Each cell is one run."
        if is_map
        else f"Dots are runs, bands or bars their {confidence_text(sweep.confidence)}s."
    )
    drawn.text(0.3 / WIDTH, 0.16 / height, note, size=8, color=GREY, va="baseline")
    return drawn


def axes_of(sweep: Sweep) -> tuple[Axis, Axis | None]:
    """Return what goes along the horizontal axis, and what makes lines or rows: the longer one of numbers comes first.

    Further axes are put together with the second.
    """
    order = sorted(sweep.axes, key=lambda axis: (axis.numbers is None, -len(axis.values)))
    if len(order) == 1:
        return order[0], None
    return order[0], order[1]


def draw_sweep(axes: Axes, sweep: Sweep, name: str) -> None:
    """Draw a metric over a grid on axes."""
    metric = next(metric for metric in sweep.metrics if metric.name == name)
    across, along = axes_of(sweep)
    if along is not None and len(along.values) > MOST_LINES:
        _draw_map(axes, sweep, metric, across, along)
        return
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    numbers = across.numbers
    places = numbers if numbers is not None else tuple(float(k) for k in range(len(across.values)))
    rows: Sequence[str | None] = (None,) if along is None else along.values
    ends: list[tuple[float, float, str, str]] = []
    lows: list[float] = []
    highs: list[float] = []
    for series, row in enumerate(rows):
        colour, marker = SERIES[series % len(SERIES)], MARKERS[series % len(MARKERS)]
        found = [values_at(sweep, metric, across, value, along, row) for value in across.values]
        known = [(place, *three) for place, three in zip(places, found, strict=True) if three is not None]
        if not known:
            continue
        lows += [one[2] for one in known]
        highs += [one[3] for one in known]
        xs, ys = [one[0] for one in known], [one[1] for one in known]
        if numbers is not None:
            axes.fill_between(xs, [one[2] for one in known], [one[3] for one in known], color=colour, alpha=0.25, lw=0)
            axes.plot(xs, ys, color=colour, linewidth=1.4)
        else:
            for place, _, low, high in known:
                axes.plot([place, place], [low, high], color=colour, linewidth=1.6)
        axes.plot(xs, ys, linestyle="none", marker=marker, markersize=4.5, color=colour, clip_on=False)
        if along is not None and row is not None:
            ends.append((xs[-1], ys[-1], row, colour))
    is_wide = not is_share(metric) and min(lows, default=0) > 0 and max(highs) > _WIDE * min(lows)
    if is_wide:
        axes.set_yscale("log")
    _label_ends(axes, ends, "" if along is None else along.name)
    if numbers is None:
        axes.set_xticks(places, across.values)
        axes.set_xlim(-0.5, len(places) - 0.5)
    elif len(places) <= _MOST_TICKS:
        axes.set_xticks(places, across.values)
    else:
        step = tick_step(max(places) - min(places))
        first = round(min(places) / step)
        ticks = [step * k for k in range(first - 1, round(max(places) / step) + 2)]
        ticks = [tick for tick in ticks if min(places) - step / 100 <= tick <= max(places) + step / 100]
        axes.set_xticks(ticks, [f"{tick:.6g}" for tick in ticks])
    axes.set_xlabel(across.name)
    scale = ", logarithmic" if is_wide else ""
    axes.set_ylabel(f"{metric.name}, {'per cent' if is_share(metric) else metric.unit}{scale}")
    if is_wide:
        _draw_log_ticks(axes)
    else:
        _draw_even_ticks(axes)


def _draw_even_ticks(axes: Axes) -> None:
    low, high = axes.get_ylim()
    if low < 0 < high:
        axes.axhline(0, color=GREY, linewidth=0.8, zorder=0)
    step = tick_step(high - low)
    ticks = [step * k for k in range(int(low // step) + 1, int(high // step) + 1)]
    axes.set_yticks(ticks, [f"{tick:.6g}" for tick in ticks])
    axes.set_ylim(low, high)


def _draw_log_ticks(axes: Axes) -> None:
    low, high = axes.get_ylim()
    ticks = [digit * 10**power for power in range(-6, 10) for digit in (1, 2, 5) if low <= digit * 10**power <= high]
    axes.set_yticks(ticks, [f"{tick:.6g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_ylim(low, high)


def _label_ends(axes: Axes, ends: Sequence[tuple[float, float, str, str]], name: str) -> None:
    """Name each line at its end, the names kept apart, and above them what they are values of."""
    to_line, to_axis = (math.log10, lambda y: 10.0**y) if axes.get_yscale() == "log" else (float, float)
    low, high = map(to_line, axes.get_ylim())
    apart = 0.06 * (high - low)
    last = -float("inf")
    for x, y, text, colour in sorted(ends, key=lambda end: end[1]):
        last = max(to_line(y), last + apart)
        axes.annotate(
            text,
            (x, to_axis(last)),
            xytext=(8, -3),
            textcoords="offset points",
            va="baseline",
            color=colour,
            size=8.5,
            annotation_clip=False,
        )
    if ends:
        axes.annotate(
            name,
            (max(end[0] for end in ends), to_axis(last + apart)),
            xytext=(8, 0),
            textcoords="offset points",
            va="baseline",
            color=GREY,
            size=8.5,
            annotation_clip=False,
        )


def values_at(
    sweep: Sweep, metric: Metric, across: Axis, value: str, along: Axis | None, row: str | None
) -> tuple[float, float, float] | None:
    """Return estimate and limits at a place of the grid, shares in per cent; of further axes the first value."""
    interval = confidence_text(sweep.confidence)
    scale = 100 if is_share(metric) else 1
    for place, point in enumerate(sweep.points):
        at = dict(zip((axis.name for axis in sweep.axes), point.values, strict=True))
        others = [axis for axis in sweep.axes if axis not in (across, along)]
        if at[across.name] != value or (along is not None and at[along.name] != row):
            continue
        if any(at[axis.name] != axis.values[0] for axis in others):
            continue
        record = sweep.estimate(place, metric.name)
        if record is None:
            return None
        number = record["estimate [unit]"]
        low, high = record[f"low [unit, {interval}]"], record[f"high [unit, {interval}]"]
        return scale * number, scale * (number if low is None else low), scale * (number if high is None else high)
    return None


def _draw_map(axes: Axes, sweep: Sweep, metric: Metric, across: Axis, along: Axis) -> None:
    from matplotlib.patches import Rectangle

    cells = {
        (i, j): three[0]
        for i, value in enumerate(across.values)
        for j, row in enumerate(along.values)
        if (three := values_at(sweep, metric, across, value, along, row)) is not None
    }
    low, high = min(cells.values()), max(cells.values())
    scale = 100 if is_share(metric) else 1
    room = len(across.values) <= 12
    for (i, j), number in cells.items():
        depth = (number - low) / (high - low) if high > low else 0.0
        # One colour that grows denser reads in both themes; the number stands on it where there is room.
        axes.add_patch(Rectangle((i, j), 1, 1, facecolor=BLUE, alpha=0.06 + 0.64 * depth, linewidth=0))
        if room:
            text = number_and_interval(metric, number / scale, None, None)[0].removesuffix(" %")
            axes.annotate(text, (i + 0.5, j + 0.5), xytext=(0, -3), textcoords="offset points", ha="center", size=8)
    axes.set(xlim=(0, len(across.values)), ylim=(0, len(along.values)))
    every = max(1, len(across.values) // 12)
    axes.set_xticks([i + 0.5 for i in range(0, len(across.values), every)], across.values[::every])
    axes.set_yticks([j + 0.5 for j in range(len(along.values))], along.values)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xlabel(f"{across.name}      ({metric.name}, {'per cent' if scale == 100 else metric.unit})", color=INK)
    axes.set_ylabel(along.name)
