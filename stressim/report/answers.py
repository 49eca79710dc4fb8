"""From a question to its answer: the run, a table, a figure, and the numbers that texts may use.

What an answer's template may call, by kind of question (labels are those of the variants):

=========  ========================================================================================================
rules      ``number(label, metric)``, ``lowest(metric)``, ``highest(metric)``
compare    ``number(label, metric)``, ``change(label, metric)``, ``verdict(label, metric)``, ``flips(label)``,
           ``chance_flips()``, ``robust(label, metric)``
sweep      ``number(value, …, metric)``, ``lowest(metric)``, ``highest(metric)``, ``crossing(metric, level)``
effects    ``fewest()``, ``most()``, ``change(text)``, ``count()``
luck       ``same(label)``, ``pure()``
=========  ========================================================================================================

Numbers come with their interval: ``4.77 (4.76 to 4.78)``.
"""

from __future__ import annotations

import hashlib
import itertools
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError
from stressim.intervals import six_digits, wilson, z_value
from stressim.output.phrases import fixed, is_share, number_and_interval
from stressim.report.forest import Bar, comparison_figure, forest_figure
from stressim.report.grid import sweep_figure
from stressim.report.tornado import tornado_figure
from stressim.simulate import Result, behaviour_of, simulate
from stressim.workbench import effects_telling, sweep_telling, tables
from stressim.workbench.compare import compare_variants
from stressim.workbench.effects import Effects, find_effects
from stressim.workbench.limits import read_limit
from stressim.workbench.phrases import change_and_interval, number_text, relative_text
from stressim.workbench.robust import Conclusion, conclusion_text, repeat, repeat_effects
from stressim.workbench.sweep import Sweep, default_metric, read_axis, run_sweep
from stressim.workbench.together import check_run, count_deals, play_rows
from stressim.workbench.variants import Given, Variant, make_variant, read_variants

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from stressim.estimates import Estimate
    from stressim.report.study import Question

CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table for a page: a caption, column heads, and rows of text whose first cell names the row."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came of a question.

    Parameters
    ----------
    question
        The question.
    records
        Its numbers, for a CSV.
    table
        Its table on pages.
    draw
        Draws its figure; None without one.
    commands
        Command lines that show the same.
    facts
        How it was played.
    calls
        What its texts may call, by name.
    remarks
        Sentences that follow from the run and not from the study's texts: robust or not.
    """

    question: Question
    records: list[dict[str, Any]]
    table: Table
    draw: Callable[[], Figure] | None
    commands: tuple[str, ...]
    facts: str
    calls: Mapping[str, Callable[..., str]] = field(repr=False)
    remarks: tuple[str, ...] = ()


def variants_of(question: Question) -> tuple[Variant, ...]:
    """Return what a question plays; for a sweep the points, for effects the base.

    Raises
    ------
    InputError
        If something in it cannot be used.
    """
    if question.kind in ("compare", "luck"):
        return read_variants(
            question.texts("variants"), sets=question.sets, players=question.players, timing=question.timing
        )
    if question.kind == "rules":
        # Of any family: they are not compared deal by deal.
        return tuple(
            read_variants([text], sets=question.sets, players=question.players, timing=question.timing)[0]
            for text in question.texts("variants")
        )
    return (make_variant(_given(question)),)


def key_of(question: Question, seed: int) -> str:
    """Return sixteen digits that stand for all that decides a question's numbers, without playing."""
    parts: list[bytes] = []
    for variant in variants_of(question):
        lowered = variant.lowered
        parts += [lowered.rules.tobytes(), lowered.players.tobytes(), lowered.tables.tobytes()]
        parts.append(f"{variant.family.name} {variant.timing.word} {behaviour_of(variant.family)}".encode())
    own = sorted((key, str(value)) for key, value in question.given.items())
    parts.append(f"{question.kind} {question.deals} {seed} {own} {question.sets} {question.players}".encode())
    return hashlib.sha256(b"|".join(parts)).hexdigest()[:16]


def answer(question: Question, *, seed: int, jobs: int | None = None, robust: bool = False) -> Answer:
    """Run what a question needs.

    Parameters
    ----------
    question
        The question.
    seed
        Of the study.
    jobs
        Threads. They never change the answer.
    robust
        Whether conclusions are repeated under other assumptions although the question does not ask for it.

    Raises
    ------
    InputError
        If something in it cannot be used.
    """
    wanted = robust or bool(question.given.get("robust"))
    if question.kind == "rules":
        return _answer_rules(question, seed, jobs)
    if question.kind == "compare":
        return _answer_compare(question, seed, jobs, robust=wanted)
    if question.kind == "sweep":
        return _answer_sweep(question, seed, jobs)
    if question.kind == "effects":
        return _answer_effects(question, seed, jobs, robust=wanted)
    return _answer_luck(question, seed, jobs)


def _given(question: Question) -> Given:
    return Given(rules=question.given["rules"], sets=question.sets, players=question.players, timing=question.timing)


def _facts(question: Question, seed: int) -> str:
    return f"{question.timing} timing, {question.deals:,} deals each of the same cards, seed {seed}"


# ---- rules


def _answer_rules(question: Question, seed: int, jobs: int | None) -> Answer:
    variants = variants_of(question)
    results = [_simulated(variant, question.deals, seed, jobs) for variant in variants]
    shown = question.texts("show") or ("stalls", "won")
    for name in shown:
        if not any(name in result.estimates for result in results):
            raise InputError(f"question {question.name}: show: {name!r} is no number of these rules")
    named = {variant.label: result for variant, result in zip(variants, results, strict=True)}
    records = [
        {
            "variant": label,
            "metric": name,
            "estimate [unit]": estimate.estimate,
            "low [unit, 95 % interval]": estimate.low,
            "high [unit, 95 % interval]": estimate.high,
            "unit": estimate.metric.unit,
            "n [deals]": estimate.n,
        }
        for label, result in named.items()
        for name, estimate in result.estimates.items()
        if name in shown
    ]
    rows = tuple((label, *(_said(result.estimates.get(name)) for name in shown)) for label, result in named.items())
    units = {estimate.metric.name: estimate.metric.unit for one in results for estimate in one.estimates.values()}
    drawn = question.figure or shown[0]

    def number(label: str, metric: str) -> str:
        return _said(_of(named, label, question).estimates.get(metric))

    def end(metric: str, sign: int) -> str:
        known = [
            (sign * result.estimates[metric].estimate, label)
            for label, result in named.items()
            if metric in result.estimates
        ]
        return min(known)[1]

    return Answer(
        question=question,
        records=records,
        table=Table(
            caption=f"{question.ask} Numbers with 95 % intervals.",
            heads=("rules", *(f"{name}, {_percent_or(units[name])}" for name in shown)),
            rows=rows,
        ),
        draw=None if question.figure == "none" else lambda: _dots(question, named, drawn, seed),
        commands=tuple(_simulate_command(variant, question, seed) for variant in variants[:1]),
        facts=_facts(question, seed),
        calls={
            "number": number,
            "lowest": lambda metric: end(metric, 1),
            "highest": lambda metric: end(metric, -1),
        },
    )


def _simulated(variant: Variant, deals: int, seed: int, jobs: int | None) -> Result:
    return simulate(
        variant.rules, variant.players, variant.timing, deals=deals, seed=seed, jobs=jobs, confidence=CONFIDENCE
    )


def _simulate_command(variant: Variant, question: Question, seed: int) -> str:
    return variant.given.invocation(question.deals, seed).line("simulate")


def _percent_or(unit: str) -> str:
    return f"% {unit}" if unit.startswith("of ") else unit


def _said(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    number, interval = number_and_interval(estimate.metric, estimate.estimate, estimate.low, estimate.high)
    return f"{number} ({interval.removesuffix(' %')})"


def _of(named: Mapping[str, Any], label: str, question: Question) -> Any:
    if label not in named:
        raise InputError(f"question {question.name}: its text names {label!r}, which is none of {', '.join(named)}")
    return named[label]


def _dots(question: Question, named: Mapping[str, Result], name: str, seed: int) -> Figure:
    bars = []
    metric = next(result.estimates[name].metric for result in named.values() if name in result.estimates)
    scale = 100 if is_share(metric) else 1
    for label, result in named.items():
        estimate = result.estimates.get(name)
        if estimate is None:
            continue
        low = estimate.estimate if estimate.low is None else estimate.low
        high = estimate.estimate if estimate.high is None else estimate.high
        number = number_and_interval(metric, estimate.estimate, estimate.low, estimate.high)[0]
        bars.append(Bar(label, scale * estimate.estimate, scale * low, scale * high, number, True))
    bars.sort(key=lambda bar: -bar.value)
    axis = f"{name}, {'per cent ' if scale == 100 else ''}{metric.unit}"
    note = "Dots are estimates, lines their 95 % intervals, often hidden by the dot."
    return forest_figure(question.ask, _facts(question, seed), axis, bars, note, signs=False)


# ---- compare


def _answer_compare(question: Question, seed: int, jobs: int | None, *, robust: bool) -> Answer:
    variants = variants_of(question)
    found = compare_variants(
        variants, deals=question.deals, seed=seed, jobs=jobs, confidence=CONFIDENCE, on=question.texts("on")
    )
    conclusions = repeat(found, jobs=jobs) if robust else ()
    results = {variant.label: result for variant, result in zip(variants, found.results, strict=True)}
    by_label = {
        variant.label: {one.metric.name: one for one in of}
        for variant, of in zip(variants[1:], found.differences, strict=True)
    }
    flips = dict(zip(by_label, found.flips, strict=True))

    def difference(label: str, metric: str) -> Any:
        return _of(_of(by_label, label, question), metric, question)

    def change(label: str, metric: str) -> str:
        one = difference(label, metric)
        text, interval = change_and_interval(one)
        relative = f", {relative_text(one)}" if one.relative is not None and not one.same_in_all else ""
        return f"{text} ({interval}){relative}"

    rows = []
    for label, of in by_label.items():
        for name, one in of.items():
            text, interval = change_and_interval(one)
            cells = (number_text(one, one.reference), number_text(one, one.value), text, interval, relative_text(one))
            rows.append((f"{label}: {name}" if len(by_label) > 1 else name, *cells, one.verdict))
    return Answer(
        question=question,
        records=tables.records(found),
        table=Table(
            caption=f"{question.ask} Beside {found.reference.label}; pp: percentage points.",
            heads=("number", found.reference.label, "variant", "change", "95 % interval", "in %", "verdict"),
            rows=tuple(rows),
        ),
        draw=_drawn(question, lambda: comparison_figure(found)),
        commands=(_compare_command(question, seed),),
        facts=f"{_facts(question, seed)}; verdicts corrected for {found.n_tests} comparisons (Holm)",
        calls={
            "number": lambda label, metric: _said(_of(results, label, question).estimates.get(metric)),
            "change": change,
            "verdict": lambda label, metric: str(difference(label, metric).verdict),
            "flips": lambda label: _share(_of(flips, label, question).share),
            "chance_flips": lambda: _share(found.baseline.share),
            "robust": lambda label, metric: _mark(conclusions, label, metric),
        },
        remarks=tuple(f"{one.variant}, {conclusion_text(one)}" for one in conclusions),
    )


def _drawn(question: Question, draw: Callable[[], Figure]) -> Callable[[], Figure] | None:
    return None if question.figure == "none" else draw


def _share(share: float) -> str:
    return f"{fixed(100 * share, 0)} of 100"


def _mark(conclusions: Sequence[Conclusion], label: str, metric: str) -> str:
    return next((one.mark for one in conclusions if (one.variant, one.metric.name) == (label, metric)), "not repeated")


def _compare_command(question: Question, seed: int) -> str:
    words = ["stressim", "compare", *question.texts("variants")]
    return _with_run(words, question, seed, [("--on", name) for name in question.texts("on")])


def _with_run(words: list[str], question: Question, seed: int, options: Sequence[tuple[str, str]]) -> str:
    pairs = [("--set", change) for change in question.sets] + [("--player", change) for change in question.players]
    if question.timing != "human":
        pairs.append(("--timing", question.timing))
    for name, value in (*pairs, *options):
        words += [name, value]
    return shlex.join([*words, "--deals", str(question.deals), "--seed", str(seed)])


# ---- sweep


def _answer_sweep(question: Question, seed: int, jobs: int | None) -> Answer:
    axes = [read_axis(text) for text in question.texts("vary")]
    found = run_sweep(
        _given(question),
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
        raise InputError(f"question {question.name}: its text names {values}, which is no point of the sweep")

    def end(metric: str, sign: int) -> str:
        known = [
            (sign * record["estimate [unit]"], place)
            for place in range(len(found.points))
            if (record := found.estimate(place, metric)) is not None
        ]
        point = found.points[min(known)[1]]
        return " ".join(f"{axis.name}={value}" for axis, value in zip(found.axes, point.values, strict=True))

    heads = (", ".join(axis.name for axis in axes), *(f"{metric.name}, {_percent_or(metric.unit)}" for metric in shown))
    return Answer(
        question=question,
        records=found.table,
        table=Table(caption=f"{question.ask} Numbers with 95 % intervals.", heads=heads, rows=tuple(rows)),
        draw=_drawn(question, lambda: sweep_figure(found, name)),
        commands=(sweep_telling.sweep_command(found) + f" --deals {question.deals} --seed {seed}",),
        facts=_facts(question, seed),
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


# ---- effects


def _answer_effects(question: Question, seed: int, jobs: int | None, *, robust: bool) -> Answer:
    base = make_variant(_given(question))
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
        raise InputError(f"question {question.name}: its text names {text!r}, which was not tried")

    return Answer(
        question=question,
        records=effects_telling.records(found),
        table=Table(
            caption=f"{question.ask} Single changes of {base.label} that make a difference.",
            heads=("change", on[0], "difference", "95 % interval", "in %"),
            rows=tuple(rows),
        ),
        draw=_drawn(question, lambda: tornado_figure(found)),
        commands=(effects_telling.effects_command(found) + f" --deals {question.deals} --seed {seed}",),
        facts=f"{_facts(question, seed)}; corrected for {len(found.all)} changes (Holm)",
        calls={
            "fewest": lambda: _effect_text(found, found.ranked[0].change) if found.ranked else "none",
            "most": lambda: _effect_text(found, found.ranked[-1].change) if found.ranked else "none",
            "change": change,
            "count": lambda: str(len(found.all)),
        },
        remarks=tuple(f"{one.variant}, {conclusion_text(one)}" for one in conclusions),
    )


def _effect_text(found: Effects, change: str) -> str:
    one = next(effect for effect in found.all if effect.change == change).differences[found.on.name]
    text, interval = change_and_interval(one)
    return f"{change} ({number_text(one, one.value)} against {number_text(one, one.reference)}, {text}, {interval})"


# ---- luck


@dataclass(frozen=True)
class _Again:
    """How often the same cards, played again with other reflexes, have the same winner."""

    n_deals: int
    both_won: int
    same: int

    def __add__(self, other: _Again) -> _Again:
        return _Again(self.n_deals + other.n_deals, self.both_won + other.both_won, self.same + other.same)


def _answer_luck(question: Question, seed: int, jobs: int | None) -> Answer:
    variants = variants_of(question)
    found = {variant.label: _played_again(variant, question.deals, seed, jobs) for variant in variants}
    records, rows = [], []
    for label, again in found.items():
        low, high = wilson(again.same, again.both_won, z_value(CONFIDENCE))
        share = again.same / again.both_won if again.both_won else 0.0
        records.append(
            {
                "variant": label,
                "same winner [of deals won twice]": six_digits(share),
                "low [95 % interval]": None if low is None else six_digits(low),
                "high [95 % interval]": None if high is None else six_digits(high),
                "won twice [deals]": again.both_won,
                "n [deals]": again.n_deals,
            }
        )
        rows.append((label, _again_text(again), f"{again.both_won:,}"))
    return Answer(
        question=question,
        records=records,
        table=Table(
            caption=f"{question.ask} The same cards are played twice, the second time with other reflexes.",
            heads=("players", "same winner, % of deals won twice", "deals won twice"),
            rows=tuple(rows),
        ),
        draw=_drawn(question, lambda: _luck_figure(question, found, seed)),
        commands=(_compare_command(question, seed),)
        if len(variants) > 1
        else (_simulate_command(variants[0], question, seed),),
        facts=_facts(question, seed),
        calls={"same": lambda label: _again_text(_of(found, label, question))},
    )


def _played_again(variant: Variant, deals: int, seed: int, jobs: int | None) -> _Again:
    family, seats = variant.family, len(variant.players)
    names = [column.name for column in family.columns]
    wins = [names.index(f"win_{seat}") for seat in range(1, seats + 1)]
    lowered = variant.lowered, variant.with_other_reflexes

    def count(first: int, last: int) -> _Again:
        one, two = (play_rows(family, how, seed, first, last)[:, wins] for how in lowered)
        both = (one.any(axis=1)) & (two.any(axis=1))
        same = both & (one == two).all(axis=1)
        return _Again(last - first, int(both.sum()), int(same.sum()))

    return count_deals(count, deals, check_run(deals, seed, jobs))[0]


def _again_text(again: _Again) -> str:
    low, high = wilson(again.same, again.both_won, z_value(CONFIDENCE))
    if low is None or high is None:
        return "–"
    return f"{100 * again.same / again.both_won:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _luck_figure(question: Question, found: Mapping[str, _Again], seed: int) -> Figure:
    bars = []
    for label, again in found.items():
        low, high = wilson(again.same, again.both_won, z_value(CONFIDENCE))
        if low is not None and high is not None:
            value = 100 * again.same / again.both_won - 50
            bars.append(Bar(label, value, 100 * low - 50, 100 * high - 50, f"{value + 50:.1f} %", True))
    note = "Nought is what chance alone gives two equal players. Dots are estimates, lines their 95 % intervals."
    axis = "same winner again, percentage points above one half"
    return forest_figure(question.ask, _facts(question, seed), axis, bars, note)
