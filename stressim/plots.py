"""One picture of a result: how long deals are, how often they stall, how they end."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stressim import pictures
from stressim.intervals import quantile_rank
from stressim.metrics import Mean, Rate
from stressim.output.phrases import bounded_mark, clock_mark, confidence_text, fixed, number_and_interval, unit_word
from stressim.output.sentences import against
from stressim.output.sparkline import length_metric
from stressim.pictures import BLUE, GREY, PALE, VERMILLION, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from stressim.simulate import Result

WIDTH, HEIGHT = 7.6, 6.05  # inches: 730 pixels of an SVG, a printed page's text width
DOTS = 20
_TITLE = 58  # characters of a title's line
_FACTS = 100  # characters of a line of facts
MOST_STALLS = 0.99  # stalls above this quantile share the last bar
_STACK = 0.36  # inches within which dots are stacked
_STEPS = {
    True: (5, 10, 15, 20, 30, 60, 120, 180, 300, 600, 900, 1200, 1800, 3600),
    False: (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000),
}  # between ticks: of a clock in seconds, of plain numbers


def save(result: Result, path: Path) -> None:
    """Draw a result into a file ending in ``.svg``, ``.png`` or ``.pdf``; it is there whole or not at all.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    pictures.save(lambda: figure(result), path, title=result.rules.heading)


def render(result: Result, kind: str) -> bytes:
    """Draw a result and return the file's content; ``kind`` is ``svg``, ``png`` or ``pdf``."""
    return pictures.render(lambda: figure(result), kind, title=result.rules.heading)


def figure(result: Result) -> Figure:
    """Draw a result: three panels under a title."""
    drawn = new_figure(WIDTH, HEIGHT)
    facts = f"{result.deals:,} deals · {against(result.players)}, {result.timing.word} timing · seed {result.seed}"
    title = textwrap.wrap(result.rules.heading, _TITLE)
    if len(title) > 2:
        title = [title[0], textwrap.shorten(" ".join(title[1:]), _TITLE, placeholder=" …")]
    for place, text in enumerate(title):
        _write(drawn, text, 0.3, HEIGHT - 0.38 - 0.22 * place, size=13, weight="bold")
    # Below a title of one line is room for two of facts.
    said = textwrap.wrap(facts, _FACTS)
    if len(said) > 3 - len(title):
        said = [*said[: 2 - len(title)], textwrap.shorten(" ".join(said[2 - len(title) :]), _FACTS, placeholder=" …")]
    for place, text in enumerate(said):
        _write(drawn, text, 0.3, HEIGHT - 0.62 - 0.22 * (len(title) - 1) - 0.17 * place, size=9)
    _draw_lengths(_panel(drawn, 0.3, 3.35, WIDTH - 0.6, 1.55), result)
    _draw_stalls(_panel(drawn, 0.62, 0.85, 3.1, 1.75), result)
    _draw_endings(_panel(drawn, 4.15, 0.62, WIDTH - 4.45, 1.98), result)
    note = f"{confidence_text(result.confidence)}s."
    if result.has_clock:
        note += " Rests on guessed reaction times; --timing uniform does without."
    _write(drawn, note, 0.3, 0.16, size=8, color=GREY)
    return drawn


def _panel(drawn: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    axes = drawn.add_axes((left / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=3)
    return axes


def _write(drawn: Figure, text: str, left: float, bottom: float, **style: Any) -> None:
    drawn.text(left / WIDTH, bottom / HEIGHT, text, va="baseline", **style)


def _head(axes: Axes, text: str) -> None:
    axes.annotate(
        text,
        (0, 1),
        xytext=(0, 8),
        xycoords="axes fraction",
        textcoords="offset points",
        va="baseline",
        weight="bold",
        size=10,
    )


def _draw_lengths(axes: Axes, result: Result) -> None:
    metric = length_metric(result)
    quantiles = result.estimates[metric.name].quantiles
    values = dot_values(result, metric)
    mark: Callable[[float], str] = clock_mark if result.has_clock else (lambda value: fixed(value, 0))
    step = _tick_step(values[-1] - values[0], result.has_clock)
    width, height = axes.get_position().width * WIDTH, axes.get_position().height * HEIGHT
    low, high = step * np.floor(values[0] / step), step * np.ceil((values[-1] + step / 4) / step)
    stacks, diameter = _stacked(values, _STACK * (high - low) / width, height - 0.25)
    for place, n_dots in stacks:
        axes.plot(
            [place] * n_dots,
            [(row + 0.5) * diameter for row in range(n_dots)],
            linestyle="none",
            marker="o",
            markersize=72 * diameter * 0.92,
            color=BLUE,
            markeredgewidth=0,
            clip_on=False,
            zorder=3,
        )
    axes.set(xlim=(low, high), ylim=(0, height), yticks=[])
    ticks = np.arange(low, high + step / 2, step)
    axes.set_xticks(ticks, [mark(tick) for tick in ticks])
    median, most = quantiles[0.5], quantiles[0.95]
    axes.axvline(median.at_least, color=VERMILLION, linewidth=1.5)
    axes.annotate(
        f"median {bounded_mark(median, mark)}",
        (median.at_least, height),
        xytext=(5, -8),
        textcoords="offset points",
        va="baseline",
        color=VERMILLION,
    )
    what = "Length in minutes" if result.has_clock else f"Length in {unit_word(metric)}"
    over = "19 of 20 are over by" if most.estimate is not None else "until 19 of 20 are over,"
    _head(axes, f"{what}: each dot is 1 of {DOTS} deals; {over} {bounded_mark(most, mark)}")


def dot_values(result: Result, metric: Mean) -> list[float]:
    """Return the middle values of 20 equal parts of the deals, in order, in the metric's unit."""
    column = next(column for column in result.family.columns if column.name == metric.of)
    running = np.cumsum(result.tally.counts_of(metric.of))
    width, middle = (column.bin_width, 0.5) if column.wide else (1, 0.0)
    ranks = [quantile_rank(result.deals, Fraction(2 * dot + 1, 2 * DOTS)) for dot in range(DOTS)]
    return [(int(np.searchsorted(running, rank)) + middle) * width / metric.divisor for rank in ranks]


def _stacked(values: list[float], reach: float, height: float) -> tuple[list[tuple[float, int]], float]:
    """Stack neighbours: places with numbers of dots, and the dots' diameter in inches."""
    stacks: list[list[float]] = []
    for value in values:
        if stacks and value - stacks[-1][0] < reach:
            stacks[-1].append(value)
        else:
            stacks.append([value])
    diameter = min(0.24, height / max(map(len, stacks)))
    return [((stack[0] + stack[-1]) / 2, len(stack)) for stack in stacks], diameter


def _tick_step(spread: float, clock: bool) -> int:
    return next((step for step in _STEPS[clock] if spread / step <= 8), _STEPS[clock][-1])


def _draw_stalls(axes: Axes, result: Result) -> None:
    counts = result.tally.counts_of("stalls")
    n = result.deals
    running = np.cumsum(counts)
    last = max(1, int(np.searchsorted(running, quantile_rank(n, Fraction(str(MOST_STALLS))))))
    shown = np.zeros(last + 1)
    shown[: min(last, len(counts))] = counts[:last]
    shown[last] = n - shown[:last].sum()
    axes.bar(np.arange(last + 1), 100 * shown / n, width=0.85, color=BLUE)
    step = _tick_step(last, False)
    ticks = [tick for tick in range(0, last, step) if last - tick >= 0.7 * step] + [last]
    more = "+" if len(counts) > last + 1 else ""
    axes.set_xticks(ticks, [*map(str, ticks[:-1]), f"{last}{more}"])
    highest = 100 * float(shown.max()) / n
    step = next(step for step in (1, 2, 5, 10, 20, 25, 50) if highest / step <= 5)
    heights = np.arange(0, highest + step, step)
    axes.set_yticks(heights, [f"{tick:.0f} %" for tick in heights])
    axes.set(xlim=(-0.6, last + 0.6), ylim=(0, max(highest * 1.05, step)))
    axes.set_xlabel("stalls in a deal, share of deals")
    stalls = result.estimates["stalls"]
    number, interval = number_and_interval(stalls.metric, stalls.estimate, stalls.low, stalls.high)
    _head(axes, f"Stalls: mean {number} ({interval})")


def _draw_endings(axes: Axes, result: Result) -> None:
    endings = [
        estimate
        for estimate in result.estimates.values()
        if isinstance(estimate.metric, Rate) and estimate.metric.group == "outcomes" and estimate.estimate > 0
    ]
    endings.sort(key=lambda estimate: -estimate.estimate)
    for row, estimate in enumerate(endings):
        number, interval = number_and_interval(estimate.metric, estimate.estimate, estimate.low, estimate.high)
        axes.barh(-row - 0.25, 100, height=0.3, color=PALE)
        axes.barh(-row - 0.25, 100 * estimate.estimate, height=0.3, color=BLUE)
        axes.annotate(f"{estimate.metric.name}  {number}  ({interval})", (0, -row), va="baseline")
    axes.set(xlim=(0, 100), ylim=(-5 + 0.5, 0.4), yticks=[], xticks=[])
    axes.spines["bottom"].set_visible(False)
    _head(axes, "How deals end, of 100 %")
