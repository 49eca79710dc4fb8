"""Forest plots: a dot and its interval for each difference, a line where there is none, labels beside them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from stressim.output.phrases import confidence_text
from stressim.pictures import BLUE, GREY, INK, PALE, VERMILLION, fixed_style, new_figure
from stressim.workbench.phrases import change_and_interval, from_to_text, number_text, percent_change
from stressim.workbench.variants import common_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from stressim.workbench.compare import Comparison
    from stressim.workbench.differences import Difference

WIDTH = 7.6  # inches: 730 pixels of an SVG, a printed page's text width
ROW = 0.27
GAP = "\xa0\xa0"  # between two numbers; ordinary spaces are put together in an SVG
TITLE = 64  # characters of a title's line
_LETTER = 0.077  # inches, on an average
MOST_ROWS = 40
# Written out: products of tenths are not the same as these.
_STEPS = [0.001, 0.002, 0.0025, 0.005, 0.01, 0.02, 0.025, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 25, 50, 100]
_STEPS += [200, 250, 500, 1000, 2000, 5000, 10_000]


class Bar(NamedTuple):
    """A row: what it is, where its dot and interval lie, and the numbers said beside it; a heading has no value."""

    label: str
    value: float
    low: float
    high: float
    said: str
    is_clear: bool


def on_axes(draw: Callable[[Axes], None], ax: Axes | None) -> Axes:
    """Draw on the axes given, or on those of a new figure."""
    if ax is not None:
        draw(ax)
        return ax
    with fixed_style("stressim"):
        axes = new_figure(WIDTH, 5).add_axes((0.35, 0.12, 0.4, 0.78))
        draw(axes)
    return axes


def forest_figure(
    title: str,
    facts: str,
    axis: str,
    bars: Sequence[Bar],
    note: str,
    *,
    signs: bool = True,
) -> Figure:
    """Draw bars under a title.

    Parameters
    ----------
    title, facts
        What is shown, and what it rests on.
    axis
        What the horizontal axis means.
    bars
        From top to bottom.
    note
        A last line: how it was computed.
    signs
        Whether values are changes, with a sign; otherwise numbers of one kind, in one colour.
    """
    titles = textwrap.wrap(title, TITLE)[:3]
    notes = textwrap.wrap(note, 112)
    labels = min(4.2, max(1.1, 0.35 + _LETTER * max((len(bar.label) for bar in bars), default=0)))
    numbers = min(2.6, max(0.6, 0.3 + _LETTER * max((len(bar.said) for bar in bars), default=0)))
    # From the bottom up: notes, axis, rows, facts, titles.
    foot = 0.16 + 0.16 * len(notes) + 0.55
    body = ROW * max(1, len(bars)) + 0.1
    head = 0.24 * len(titles) + 0.62
    height = foot + body + head
    drawn = new_figure(WIDTH, height)
    for row, text in enumerate(titles):
        drawn.text(0.3 / WIDTH, 1 - (0.36 + 0.24 * row) / height, text, size=13, weight="bold", va="baseline")
    facts = textwrap.shorten(facts, 100, placeholder=" …")
    drawn.text(0.3 / WIDTH, 1 - (0.36 + 0.24 * len(titles)) / height, facts, size=9, color=GREY, va="baseline")
    axes = drawn.add_axes((labels / WIDTH, foot / height, (WIDTH - labels - numbers) / WIDTH, body / height))
    draw_bars(axes, bars, axis, signs=signs)
    for row, text in enumerate(notes):
        y = (0.16 + 0.16 * (len(notes) - 1 - row)) / height
        drawn.text(0.3 / WIDTH, y, text, size=8, color=GREY, va="baseline")
    return drawn


def draw_bars(axes: Axes, bars: Sequence[Bar], axis: str, *, signs: bool = True) -> None:
    """Draw bars on axes: labels at the left, numbers at the right, the zero line."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=3)
    axes.axvline(0, color=GREY, linewidth=1, zorder=1)
    for row, bar in enumerate(bars):
        if math.isnan(bar.value):
            axes.annotate(
                bar.label,
                (0, -row),
                xycoords=("axes fraction", "data"),
                xytext=(-8, -3),
                textcoords="offset points",
                ha="right",
                va="baseline",
                size=8.5,
                weight="bold",
            )
            continue
        colour = (VERMILLION if signs and bar.value > 0 else BLUE) if bar.is_clear else GREY
        if row % 2:
            axes.axhspan(-row - 0.5, -row + 0.5, color=PALE, alpha=0.45, linewidth=0, zorder=0)
        axes.plot([bar.low, bar.high], [-row, -row], color=colour, linewidth=1.6, solid_capstyle="butt", zorder=2)
        axes.plot(
            [bar.value],
            [-row],
            linestyle="none",
            marker="o" if bar.is_clear else "D",
            markersize=5.5 if bar.is_clear else 4.5,
            color=colour,
            markerfacecolor=colour if bar.is_clear else "none",
            zorder=3,
        )
        for text, place, where, shift in ((bar.label, 0, "right", -8), (bar.said, 1, "left", 8)):
            axes.annotate(
                text,
                (place, -row),
                xycoords=("axes fraction", "data"),
                xytext=(shift, -3),
                textcoords="offset points",
                ha=where,
                va="baseline",
                size=8.5,
                color=INK if bar.is_clear else GREY,
            )
    known = [bar for bar in bars if not math.isnan(bar.value)]
    low = min([0.0, *(bar.low for bar in known)])
    high = max([0.0, *(bar.high for bar in known)])
    room = 0.04 * (high - low or 1)
    axes.set(xlim=(low - room, high + room), ylim=(-len(bars) + 0.5, 0.6), yticks=[])
    step = tick_step(high - low)
    first, last = int(-(-low // step)) if low >= 0 else -int(-low // step), int(high // step)
    ticks = [step * k for k in range(first, last + 1)]
    decimals = len(f"{step:g}".partition(".")[2])
    axes.set_xticks(ticks, [f"{tick:{'+' if signs else ''}.{decimals}f}" if tick else "0" for tick in ticks])
    axes.set_xlabel(axis)


def tick_step(spread: float) -> float:
    """Return a round distance between some six ticks.

    Examples
    --------
    >>> tick_step(1.3), tick_step(70), tick_step(0)
    (0.25, 20, 1)
    """
    return next((step for step in _STEPS if step >= spread / 6), _STEPS[-1]) if spread else 1


def heading_bar(label: str) -> Bar:
    """Return a row that only names those below it."""
    return Bar(label, math.nan, math.nan, math.nan, "", True)


def comparison_figure(comparison: Comparison, title: str = "") -> Figure:
    """Draw a comparison: every metric of one variant in per cent, or one metric of several in its unit.

    Parameters
    ----------
    comparison
        What to draw.
    title
        A title; if empty, the variants' names.
    """
    bars, axis = comparison_bars(comparison)
    names = [variant.label for variant in comparison.variants]
    if not title:
        title = f"{names[1] if len(names) == 2 else f'{len(names) - 1} variants'} beside {names[0]}"
        if len(names) > 2 and len(comparison.metrics) == 1:
            title = f"{comparison.metrics[0].name}: {title}"
        title = ", ".join(filter(None, (title, common_text(comparison.variants))))
    facts = (
        f"{comparison.deals:,} deals each of the same cards · {comparison.reference.timing.word} timing · "
        f"seed {comparison.seed}"
    )
    note = (
        f"Dots are changes, lines their {confidence_text(comparison.confidence)}s. Filled: a difference that chance "
        f"does not explain, corrected for {comparison.n_tests} comparisons (Holm); open: no difference found."
    )
    return forest_figure(title, facts, axis, bars, note)


def draw_comparison(axes: Axes, comparison: Comparison) -> None:
    """Draw a comparison on axes, without title."""
    bars, axis = comparison_bars(comparison)
    draw_bars(axes, bars, axis)


def comparison_bars(comparison: Comparison) -> tuple[list[Bar], str]:
    """Return the bars of a comparison and what their axis means."""
    if len(comparison.variants) > 2 and len(comparison.metrics) == 1:
        metric = comparison.metrics[0]
        share = 100 if metric.unit.startswith("of ") else 1
        unit = "percentage points" if share == 100 else metric.unit
        found = [
            _bar(variant.label, one, share)
            for variant, found in zip(comparison.variants[1:], comparison.differences, strict=True)
            for one in found
            if one.low is not None
        ]
        return sorted(found, key=lambda bar: -bar.value), f"change of {metric.name}, {unit}"
    several = len(comparison.variants) > 2
    bars = []
    for variant, all_of in zip(comparison.variants[1:], comparison.differences, strict=True):
        shown = [one for one in all_of if one.relative_low is not None and not one.same_in_all]
        shown.sort(key=lambda one: -(one.relative or 0))
        if several and shown:
            bars.append(heading_bar(variant.label))
        for one in shown:
            assert one.relative is not None
            assert one.relative_low is not None
            assert one.relative_high is not None
            is_clear = one.verdict in ("more", "fewer")
            said = f"{from_to_text(one)}{GAP}{percent_change(one.relative)}"
            bars.append(
                Bar(
                    one.metric.name, 100 * one.relative, 100 * one.relative_low, 100 * one.relative_high, said, is_clear
                )
            )
    return bars[:MOST_ROWS], f"change in per cent of {comparison.reference.label}"


def _bar(label: str, one: Difference, share: int) -> Bar:
    assert one.low is not None
    assert one.high is not None
    change, _ = change_and_interval(one)
    said = f"{number_text(one, one.value)}{GAP}({change})"
    return Bar(label, share * one.difference, share * one.low, share * one.high, said, one.verdict in ("more", "fewer"))
