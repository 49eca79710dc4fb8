"""From a question to its answer: the run, a table, a figure, and the numbers that texts may use.

What an answer's template may call, by kind of question (labels are those of the variants):

=========  ========================================================================================================
rules      ``number(label, metric)``, ``lowest(metric)``, ``highest(metric)``
compare    ``number(label, metric)``, ``change(label, metric)``, ``verdict(label, metric)``, ``flips(label)``,
           ``chance_flips()``, ``robust(label, metric)``
sweep      ``number(value, …, metric)``, ``lowest(metric)``, ``highest(metric)``, ``crossing(metric, level)``
effects    ``fewest()``, ``most()``, ``change(text)``, ``count()``
luck       ``same(label)``
=========  ========================================================================================================

Numbers come with their interval: ``4.77 (4.76 to 4.78)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError
from stressim.output.phrases import is_share, number_and_interval, of_100
from stressim.report.forest import Bar, comparison_figure, forest_figure
from stressim.simulate import Result, simulate
from stressim.workbench import tables
from stressim.workbench.compare import compare_variants
from stressim.workbench.phrases import change_and_interval, number_text, relative_text
from stressim.workbench.robust import Conclusion, repeat
from stressim.workbench.variants import Variant

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from stressim.report.study import Question

from stressim.report.answer import (
    CONFIDENCE,
    Answer,
    Table,
    compare_command,
    estimate_text,
    facts_of,
    figure_of,
    named_one,
    remarks_of,
    simulate_command,
    unit_of,
    variants_of,
)
from stressim.report.grid_answers import answer_effects, answer_sweep
from stressim.report.luck import answer_luck


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
        return answer_rules(question, seed, jobs)
    if question.kind == "compare":
        return answer_compare(question, seed, jobs, robust=wanted)
    if question.kind == "sweep":
        return answer_sweep(question, seed, jobs)
    if question.kind == "effects":
        return answer_effects(question, seed, jobs, robust=wanted)
    return answer_luck(question, seed, jobs)


def answer_rules(question: Question, seed: int, jobs: int | None) -> Answer:
    """Simulate each variant alone; they may be of different families."""
    variants = variants_of(question)
    results = [_simulated(variant, question.deals, seed, jobs) for variant in variants]
    shown = question.texts("show") or ("stalls", "won")
    for name in shown:
        if not any(name in result.estimates for result in results):
            raise InputError(f"show: {name!r} is no number of these rules")
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
    rows = tuple(
        (label, *(estimate_text(result.estimates.get(name)) for name in shown)) for label, result in named.items()
    )
    units = {estimate.metric.name: estimate.metric.unit for one in results for estimate in one.estimates.values()}
    drawn = question.figure or shown[0]

    def number(label: str, metric: str) -> str:
        return estimate_text(named_one(named, label, question).estimates.get(metric))

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
            heads=("rules", *(f"{name}, {unit_of(units[name])}" for name in shown)),
            rows=rows,
        ),
        draw=None if question.figure == "none" else lambda: _dots(question, named, drawn, seed),
        commands=tuple(simulate_command(variant, question, seed) for variant in variants[:1]),
        facts=facts_of(question, seed),
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
    return forest_figure(question.ask, facts_of(question, seed), axis, bars, note, signs=False)


def answer_compare(question: Question, seed: int, jobs: int | None, *, robust: bool) -> Answer:
    """Set variants against the first one."""
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
        return named_one(named_one(by_label, label, question), metric, question)

    def change(label: str, metric: str, unit: str = "") -> str:
        one = difference(label, metric)
        text, interval = change_and_interval(one)
        relative = f"; {relative_text(one)}" if one.relative is not None and not one.same_in_all else ""
        return f"{text}{' ' + unit if unit else ''} ({interval}{relative})"

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
        draw=figure_of(question, lambda: comparison_figure(found, question.ask)),
        commands=(compare_command(question, seed),),
        facts=f"{facts_of(question, seed)}; verdicts corrected for {found.n_tests} comparisons (Holm)",
        calls={
            "number": lambda label, metric: estimate_text(named_one(results, label, question).estimates.get(metric)),
            "change": change,
            "verdict": lambda label, metric: str(difference(label, metric).verdict),
            "flips": lambda label: _share(named_one(flips, label, question).share),
            "chance_flips": lambda: _share(found.baseline.share),
            "robust": lambda label, metric: _mark(conclusions, label, metric),
        },
        remarks=remarks_of(conclusions),
    )


def _share(share: float) -> str:
    return of_100(share)


def _mark(conclusions: Sequence[Conclusion], label: str, metric: str) -> str:
    return next((one.mark for one in conclusions if (one.variant, one.metric.name) == (label, metric)), "not repeated")
