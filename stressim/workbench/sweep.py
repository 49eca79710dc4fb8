"""A grid over options and players: every combination played from the same cards, one tidy table."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError
from stressim.optiontext import clean
from stressim.output.phrases import confidence_text
from stressim.simulate import Result, behaviour_of
from stressim.tally import Tally
from stressim.workbench.compare import known_metrics
from stressim.workbench.sweep_files import read_table, write_table
from stressim.workbench.together import check_run, count_deals, play_rows
from stressim.workbench.variants import Given, Variant, make_variant

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from stressim.metrics import Metric

MOST_POINTS = 10_000
"""Combinations in a grid."""

Record = dict[str, Any]

_RANGE = re.compile(r"([+-]?[\d.]+):([+-]?[\d.]+):([\d.]+)")
_COMMA = re.compile(r",(?![^(]*\))")  # not one between the brackets of a distribution


@dataclass(frozen=True, kw_only=True)
class Axis:
    """What is varied, and the values that it takes, as they are written."""

    name: str
    values: tuple[str, ...]

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """The values as numbers; None if one of them is a word."""
        try:
            return tuple(float(value) for value in self.values)
        except ValueError:
            return None


@dataclass(frozen=True, kw_only=True)
class Point:
    """One combination.

    Parameters
    ----------
    values
        Of each axis, as they are written.
    variant
        What is played.
    key
        Stands for all that decides the numbers: rules, players, timing, deals, seed, behaviour, confidence.
    """

    values: tuple[str, ...]
    variant: Variant = field(repr=False)
    key: str


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """A grid and what came of it.

    Parameters
    ----------
    base
        What is varied.
    axes
        What varies.
    points
        The combinations, the last axis changing fastest.
    records
        For each point its table: one record for each metric and quantile.
    metrics
        Those in the table.
    on
        Names of metrics that were asked for; empty for all.
    deals, seed, confidence
        Of each point.
    n_resumed
        Points taken from a table that was there.
    stopped
        Whether Ctrl-C ended it: later points are missing.
    """

    base: Variant
    axes: tuple[Axis, ...]
    points: tuple[Point, ...]
    records: tuple[tuple[Record, ...], ...] = field(repr=False)
    metrics: tuple[Metric, ...]
    on: tuple[str, ...] = ()
    deals: int
    seed: int
    confidence: float = 0.95
    n_resumed: int = 0
    stopped: bool = False

    def __repr__(self) -> str:
        """Say what was varied: all that was counted would fill pages of a notebook."""
        axes = ", ".join(axis.name for axis in self.axes)
        return (
            f"<{self.base.rules.heading} by {axes}: {len(self.points)} points, {self.deals:,} deals each, "
            f"seed {self.seed}>"
        )

    @cached_property
    def table(self) -> list[Record]:
        """The whole table: one record for each point, metric and quantile."""
        return [record for records in self.records for record in records]

    @property
    def frame(self) -> pd.DataFrame:
        """The table for pandas; numbers of the axes are numbers."""
        import pandas as pd

        frame = pd.DataFrame.from_records(self.table)
        for axis in self.axes:
            if axis.numbers is not None:
                frame[axis.name] = frame[axis.name].astype(float)
        return frame

    def estimate(self, point: int, metric: str) -> Record | None:
        """Return the record of a metric at a point; None if it has none there."""
        for record in self.records[point]:
            if record["metric"] == metric and record["quantile"] == "":
                return record
        return None

    def plot(self, ax: Axes | None = None, *, metric: str = "") -> Axes:
        """Draw a metric over the grid, on axes of yours or on new ones; the first one if none is named."""
        from stressim.report.forest import on_axes
        from stressim.report.grid import draw_sweep

        name = metric or default_metric(self)
        return on_axes(lambda axes: draw_sweep(axes, self, name), ax)


def default_metric(sweep: Sweep) -> str:
    """Name the metric that is drawn if none is asked for: the first, or ``stalls`` among all."""
    names = [metric.name for metric in sweep.metrics]
    return names[0] if sweep.on or "stalls" not in names else "stalls"


def read_axis(text: str) -> Axis:
    """Read what is varied: ``ace=wrap,low`` or ``1.speed=0.8:1.2:0.05`` (from, to, step; both ends belong to it).

    Raises
    ------
    InputError
        If it cannot be read.

    Examples
    --------
    >>> read_axis("ace=wrap,low").values, read_axis("1.speed=0.9:1.1:0.1").values
    (('wrap', 'low'), ('0.9', '1.0', '1.1'))
    >>> read_axis("1.countdown=fixed(900),normal(350,60)").values
    ('fixed(900)', 'normal(350,60)')
    """
    name, equals, given = text.partition("=")
    name = name.strip()
    if not equals or not name or not given.strip():
        raise InputError(
            f"--vary {clean(text)!r} cannot be read: write NAME=VALUE,VALUE or NAME=FROM:TO:STEP, for example "
            "ace=wrap,low"
        )
    values: list[str] = []
    for part in (part.strip() for part in _COMMA.split(given)):
        span = _RANGE.fullmatch(part)
        if span is None and (ends := re.fullmatch(r"(-?\d*\.?\d+):(-?\d*\.?\d+)", part)):
            step = max(abs(float(ends[2]) - float(ends[1])) / 4, 1 if "." not in part else 0) or 1
            raise InputError(f"--vary {clean(text)!r}: a range has a step, too, as in {part}:{step:g}")
        values += _steps(text, *span.groups()) if span else [part]
    if "" in values:
        raise InputError(f"--vary {clean(text)!r}: a value is empty")
    if len(set(values)) < len(values):
        raise InputError(f"--vary {clean(text)!r}: a value is given twice")
    return Axis(name=name, values=tuple(values))


def _steps(text: str, first: str, last: str, step: str) -> list[str]:
    try:
        low, high, each = Decimal(first), Decimal(last), Decimal(step)
    except InvalidOperation:
        raise InputError(f"--vary {clean(text)!r}: {first}:{last}:{step} is no range of numbers") from None
    if each <= 0 or high < low or (high - low) / each > MOST_POINTS:
        raise InputError(
            f"--vary {clean(text)!r}: from {first} to {last} by {step} are no numbers, or more than {MOST_POINTS:,}"
        )
    # In decimals, as it is written: 0.1 three times is not 0.3 in binary.
    values = [low + each * k for k in range(int((high - low) / each) + 1)]
    finest = min(values, key=lambda value: value.as_tuple().exponent)
    return [str(value.quantize(finest)) for value in values]


def run_sweep(
    given: Given,
    axes: Sequence[Axis],
    *,
    deals: int = 20_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
    on: Sequence[str] = (),
    out: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Sweep:
    """Play every combination.

    Parameters
    ----------
    given
        What is varied.
    axes
        What varies.
    deals, seed, jobs, confidence
        Of each point, as for ``simulate``; all points play the same cards.
    on
        Names of the metrics in the table; all if empty.
    out
        A file for the table, ``.csv`` or ``.parquet``, written after each point. Points that it holds already are
        not played again.
    progress
        Called with the number of points done.

    Raises
    ------
    InputError
        If a combination cannot be played, or the file cannot be read or written.
    """
    jobs = check_run(deals, seed, jobs)
    if not axes:
        raise InputError("nothing varies: give --vary, for example --vary ace=wrap,low")
    names = [axis.name for axis in axes]
    if len(set(names)) < len(names):
        raise InputError(f"--vary: {clean(next(name for name in names if names.count(name) > 1))!r} is given twice")
    size = 1
    for axis in axes:
        size *= len(axis.values)
    if size > MOST_POINTS:
        raise InputError(f"--vary: {size:,} combinations are too many, at most {MOST_POINTS:,} are possible")
    base = make_variant(given)
    points = tuple(
        _point(given, axes, values, (deals, seed, confidence))
        for values in itertools.product(*(axis.values for axis in axes))
    )
    metrics = known_metrics([point.variant for point in points], on)
    header = list(_record_keys(names, confidence))
    there = {} if out is None else _by_key(read_table(out, header), metrics)
    found: list[tuple[Record, ...]] = []
    n_resumed = 0
    stopped = False
    for done, point in enumerate(points, start=1):
        if point.key in there:
            found.append(there[point.key])
            n_resumed += 1
        else:
            result, stopped = _play(point, deals, seed, jobs, confidence)
            if stopped:
                break
            found.append(tuple(_records(names, point, result, metrics)))
            if out is not None:
                write_table(out, header, [record for records in found for record in records])
        if progress is not None:
            progress(done)
    return Sweep(
        base=base,
        axes=tuple(axes),
        points=points[: len(found)],
        records=tuple(found),
        metrics=metrics,
        on=tuple(on),
        deals=deals,
        seed=seed,
        confidence=confidence,
        n_resumed=n_resumed,
        stopped=stopped,
    )


def _point(given: Given, axes: Sequence[Axis], values: tuple[str, ...], run: tuple[int, int, float]) -> Point:
    changes = [f"{axis.name}={value}" for axis, value in zip(axes, values, strict=True)]
    try:
        variant = make_variant(given.changed(changes))
    except InputError as error:
        # The sentence may begin with the option of a single run, which nobody gave here.
        said = re.sub(r"^--(?:set|player) \S+: ", "", str(error))
        spans = (re.fullmatch(r"(-?\d*\.?\d+)\s*(?:-|\.\.+)\s*(\d*\.?\d+)", value) for value in values)
        if span := next(filter(None, spans), None):
            step = 0.1 if "." in span[0].replace("..", "") else 1
            said += f"; a range is written with its step, {span[1]}:{span[2]}:{step}"
        raise InputError(f"--vary {', '.join(changes)}: {said}") from None
    lowered = variant.lowered
    parts = [lowered.rules.tobytes(), lowered.players.tobytes(), lowered.tables.tobytes()]
    about = f"{variant.timing.word} {run} {variant.family.name} {behaviour_of(variant.family)}"
    key = hashlib.sha256(b"".join([*parts, about.encode()])).hexdigest()[:16]
    return Point(values=values, variant=variant, key=key)


def _play(point: Point, deals: int, seed: int, jobs: int, confidence: float) -> tuple[Result, bool]:
    family, lowered = point.variant.family, point.variant.lowered

    def count(first: int, last: int) -> Tally:
        return Tally.of_rows(family, play_rows(family, lowered, seed, first, last))

    tally, stopped = count_deals(count, deals, jobs)
    result = Result(
        rules=point.variant.rules,
        players=point.variant.players,
        timing=point.variant.timing,
        seed=seed,
        tally=tally,
        confidence=confidence,
    )
    return result, stopped


def _record_keys(names: Iterable[str], confidence: float) -> tuple[str, ...]:
    interval = confidence_text(confidence)
    return (
        *names,
        "metric",
        "quantile",
        "estimate [unit]",
        f"low [unit, {interval}]",
        f"high [unit, {interval}]",
        "sd [unit]",
        "unit",
        "n [deals]",
        "seed",
        "key",
    )


def _records(names: Sequence[str], point: Point, result: Result, metrics: Sequence[Metric]) -> Iterable[Record]:
    keys = _record_keys(names, result.confidence)
    for metric in metrics:
        estimate = result.estimates.get(metric.name)
        if estimate is None:
            continue
        rows: list[tuple[str, float | None, float | None, float | None, float | None]]
        rows = [("", estimate.estimate, estimate.low, estimate.high, estimate.sd)]
        rows += [(str(q), part.estimate, part.low, part.high, None) for q, part in estimate.quantiles.items()]
        for quantile, number, low, high, sd in rows:
            values = (metric.name, quantile, number, low, high, sd, metric.unit, estimate.n, result.seed, point.key)
            yield dict(zip(keys, (*point.values, *values), strict=True))


def _by_key(records: Iterable[Record], metrics: Sequence[Metric]) -> Mapping[str, tuple[Record, ...]]:
    """Return what a table holds, by point, in the wanted metrics.

    A point is taken if it has as many metrics as were known when it was played, which its last record tells only
    together with all others: a table made for fewer metrics has another set at every point, and is not taken.
    """
    wanted = {metric.name for metric in metrics}
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record["key"], []).append(record)
    held = {record["metric"] for rows in found.values() for record in rows}
    if not wanted <= held:
        return {}
    return {key: tuple(record for record in rows if record["metric"] in wanted) for key, rows in found.items()}
