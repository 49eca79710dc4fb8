"""Answers from sweeps and from effects of single changes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError
from stressim.intervals import six_digits
from stressim.output.phrases import number_and_interval
from stressim.report.grid import sweep_figure
from stressim.report.tornado import tornado_figure
from stressim.workbench import effects_telling, sweep_telling
from stressim.workbench.effects import Effects, find_effects
from stressim.workbench.limits import read_limit
from stressim.workbench.phrases import change_and_interval, number_text, relative_text
from stressim.workbench.robust import repeat_effects
from stressim.workbench.sweep import Sweep, default_metric, read_axis, run_sweep
from stressim.workbench.variants import make_variant

if TYPE_CHECKING:
    from stressim.report.study import Question

from stressim.report.answer import CONFIDENCE, Answer, Table, facts_of, figure_of, given_of, remarks_of, unit_of


def answer_sweep(question: Question, seed: int, jobs: int | None) -> Answer:
    """Vary options and players over a grid."""
    axes = [read_axis(text) for text in question.texts("vary")]
    found = run_sweep(
        given_of(question),
        axes,
        deals=question.deals,
        seed=seed,
        jobs=jobs,
        confidence=CONFIDENCE,
        on=question.texts("on"),
    )
    shown = sweep_telling.shown_metrics(found) if not question.texts("on") else list(found.metrics)
    rows = []
    for place, point in enumerate(found.points):
        cells = [_record_text(found, place, metric.name) for metric in shown]
        rows.append((", ".join(point.values), *cells))
    name = question.figure or default_metric(found)

    def number(*given: str) -> str:
        *values, metric = given
        for place, point in enumerate(found.points):
            if point.values == tuple(values):
                return _record_text(found, place, metric)
        raise InputError(f"its text names {values}, which is no point of the sweep")

    def end(metric: str, sign: int) -> str:
        known = [
            (sign * record["estimate [unit]"], place)
            for place in range(len(found.points))
            if (record := found.estimate(place, metric)) is not None
        ]
        point = found.points[min(known)[1]]
        return " ".join(f"{axis.name}={value}" for axis, value in zip(found.axes, point.values, strict=True))

    heads = (", ".join(axis.name for axis in axes), *(f"{metric.name}, {unit_of(metric.unit)}" for metric in shown))
    return Answer(
        question=question,
        records=found.table,
        table=Table(caption=f"{question.ask} Numbers with 95 % intervals.", heads=heads, rows=tuple(rows)),
        draw=figure_of(question, lambda: sweep_figure(found, name, question.ask)),
        commands=(sweep_telling.sweep_command(found) + f" --deals {question.deals} --seed {seed}",),
        facts=facts_of(question, seed),
        calls={
            "number": number,
            "lowest": lambda metric: end(metric, 1),
            "highest": lambda metric: end(metric, -1),
            "crossing": lambda metric, level, *fixed_values: _crossing(found, metric, float(level), fixed_values),
        },
    )


def _record_text(found: Sweep, place: int, metric: str) -> str:
    record = found.estimate(place, metric)
    if record is None:
        return "–"
    kind = next(one for one in found.metrics if one.name == metric)
    low, high = record["low [unit, 95 % interval]"], record["high [unit, 95 % interval]"]
    number, interval = number_and_interval(kind, record["estimate [unit]"], low, high)
    return f"{number} ({interval.removesuffix(' %')})"


def _crossing(found: Sweep, metric: str, level: float, fixed_values: Sequence[str]) -> str:
    """Say where along the first axis a metric crosses a level, between which values its interval holds it."""
    axis = found.axes[0]
    if axis.numbers is None:
        raise InputError(f"a crossing needs numbers along {axis.name}")
    line = []
    for place, point in enumerate(found.points):
        record = found.estimate(place, metric)
        if record is not None and point.values[1:] == tuple(fixed_values):
            line.append((float(point.values[0]), record))
    found_at = [
        _zero(line, key, level)
        for key in ("estimate [unit]", "low [unit, 95 % interval]", "high [unit, 95 % interval]")
    ]
    at, *limits = found_at
    if at is None:
        return "nowhere in this range"
    known = sorted(limit for limit in limits if limit is not None)
    if len(known) < 2:
        return f"{at:.3g}"
    return f"{at:.3g} ({known[0]:.3g} to {known[1]:.3g})"


def _zero(line: Sequence[tuple[float, Mapping[str, Any]]], key: str, level: float) -> float | None:
    for (x, one), (next_x, other) in itertools.pairwise(line):
        first, second = one[key] - level, other[key] - level
        if first == 0:
            return x
        if (first < 0) != (second < 0):
            return six_digits(x + (next_x - x) * first / (first - second))
    return None


def answer_effects(question: Question, seed: int, jobs: int | None, *, robust: bool) -> Answer:
    """Change every option once."""
    base = make_variant(given_of(question))
    on = question.texts("on") or ("stalls",)
    found = find_effects(
        base,
        on=on[0],
        keep=[read_limit(text, base, "keep") for text in question.texts("keep")],
        deals=question.deals,
        seed=seed,
        jobs=jobs,
        confidence=CONFIDENCE,
    )
    conclusions = repeat_effects(found, jobs=jobs) if robust else ()
    rows = []
    for effect in found.ranked:
        one = effect.differences[on[0]]
        text, interval = change_and_interval(one)
        rows.append((effect.change, number_text(one, one.value), text, interval, relative_text(one)))

    def change(text: str) -> str:
        for effect in found.all:
            if effect.change == text:
                return _effect_text(found, effect.change)
        raise InputError(f"its text names {text!r}, which was not tried")

    return Answer(
        question=question,
        records=effects_telling.records(found),
        table=Table(
            caption=f"{question.ask} Single changes of {base.label} that make a difference.",
            heads=("change", on[0], "difference", "95 % interval", "in %"),
            rows=tuple(rows),
        ),
        draw=figure_of(question, lambda: tornado_figure(found, question.ask)),
        commands=(effects_telling.effects_command(found) + f" --deals {question.deals} --seed {seed}",),
        facts=f"{facts_of(question, seed)}; corrected for {len(found.all)} changes (Holm)",
        calls={
            "fewest": lambda: _effect_text(found, found.ranked[0].change) if found.ranked else "none",
            "most": lambda: _effect_text(found, found.ranked[-1].change) if found.ranked else "none",
            "change": change,
            "count": lambda: str(len(found.all)),
        },
        remarks=remarks_of(conclusions),
    )


def _effect_text(found: Effects, change: str) -> str:
    one = next(effect for effect in found.all if effect.change == change).differences[found.on.name]
    text, interval = change_and_interval(one)
    return f"{change} ({number_text(one, one.value)} against {number_text(one, one.reference)}, {text}, {interval})"
