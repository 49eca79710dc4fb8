"""A result as text for people: sentences first, then the table."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from stressim.optiontext import word
from stressim.output.phrases import (
    confidence_text,
    decimals_of,
    fixed,
    grouped,
    joined,
    number_and_interval,
    quantile_and_interval,
    unit_text,
    unit_word,
)
from stressim.output.sentences import against, matches
from stressim.output.sparkline import sparkline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stressim.estimates import Estimate
    from stressim.output.invocation import Invocation
    from stressim.simulate import Result

WIDTH = 78

SHOWN_QUANTILES = {0.05: "0.05", 0.5: "median", 0.95: "0.95"}
"""Quantiles in the table and their names; the others are in JSON and CSV."""

_LABEL = 11  # width of the column of labels
_LONGER = 6  # a wait after which hardly anybody who gives way at all has not done so
_NARROW_ENOUGH = 0.02  # stalls known to two per cent need no more deals


class Line(NamedTuple):
    """A line of text and what it is: ``headline``, ``sentence``, ``heading``, ``row``, ``command`` or ``plain``."""

    text: str
    kind: str = "plain"


def render(
    result: Result, invocation: Invocation, *, elapsed: float | None = None, helps: Sequence[Line] = ()
) -> list[Line]:
    """Say a result in lines of at most 78 columns (a command alone on its line may be longer).

    Parameters
    ----------
    result
        What to say.
    invocation
        How it was asked for, so that the commands that are named give the same.
    elapsed
        Seconds that it took, for the headline.
    helps
        What one change of the rules would mend; without it, how to find out is said.
    """
    lines = [*_headline(result, elapsed), Line("")]
    for label, text in result.family.words.sentences(result):
        lines += _sentence(label, text)
    if match_text := matches(result):
        lines += _sentence("Matches", match_text)
    lines += [Line(""), *_table(result), Line("")]
    lines += [Line(f"  {text}") for text in sparkline(result)]
    return [*lines, Line(""), *_advice(result, invocation, helps)]


def _headline(result: Result, elapsed: float | None) -> Iterator[Line]:
    facts = [
        result.rules.heading,
        f"{against(result.players)}, {result.timing.word} timing",
        f"{result.deals:,} deal{'s' if result.deals != 1 else ''}",
        f"seed {result.seed}",
    ]
    if elapsed is not None:
        facts.append(f"{elapsed:.1f} s")
    # A short fact is not broken, nor is the point after a fact put at the start of a line.
    facts[2:] = [fact.replace(" ", "\xa0") for fact in facts[2:]]
    for text in textwrap.wrap("\xa0· ".join(facts), WIDTH, break_long_words=False):
        yield Line(text.replace("\xa0", " "), "headline")


def _sentence(label: str, text: str) -> Iterator[Line]:
    start = f"  {label:{_LABEL}}"
    for part in textwrap.wrap(text, WIDTH - len(start), break_long_words=False, break_on_hyphens=False):
        yield Line(start + part, "sentence")
        start = " " * len(start)


def _row(name: str, number: str, interval: str, unit: str) -> str:
    row = f"  {name:27}{number:>9}  {interval:19} {unit}".rstrip()
    # What is very rare has many digits; they take the room behind its name.
    spare = min(max(0, len(row) - WIDTH), max(0, 27 - len(name) - 1))
    return row[: 2 + len(name)] + row[2 + len(name) + spare :]


def _table(result: Result) -> Iterator[Line]:
    yield Line(_row("number", "estimate", confidence_text(result.confidence), "unit"), "heading")
    shown = [estimate for estimate in result.estimates.values() if not _never(estimate)]
    for group, members in groupby(sorted(shown, key=_group_order(shown)), key=lambda one: one.metric.group):
        yield Line(f"  {group}", "heading")
        for estimate in members:
            yield from _rows(estimate)
    never = [estimate.metric.name for estimate in result.estimates.values() if _never(estimate)]
    if never:
        yield Line("")
        text = f"Not once in {grouped(result.deals)} deals: {joined(never)}."
        for part in textwrap.wrap(text, WIDTH - 2, break_on_hyphens=False):
            yield Line(f"  {part}")


def _never(estimate: Estimate) -> bool:
    """Whether this never happened, so that a row would say nothing; a skew of nought is news."""
    return estimate.estimate == 0 and estimate.low == 0


def _group_order(estimates: Sequence[Estimate]) -> Callable[[Estimate], int]:
    # Groups stay together in the order of their first metric; a family may declare a late metric of an early group.
    order = {group: place for place, group in reversed([*enumerate(one.metric.group for one in estimates)])}
    return lambda estimate: order[estimate.metric.group]


def _rows(estimate: Estimate) -> Iterator[Line]:
    metric = estimate.metric
    number, interval = number_and_interval(metric, estimate.estimate, estimate.low, estimate.high)
    name = f"{metric.name}  mean" if estimate.quantiles else metric.name
    yield Line(_row(f"  {name}", number, interval, unit_text(estimate)), "row")
    indent = " " * (len(metric.name) + 4)
    if estimate.sd is not None:
        text = fixed(estimate.sd, decimals_of(estimate.low, estimate.high, estimate.sd))
        yield Line(_row(f"{indent}sd", text, "", unit_word(metric)), "row")
    for q, called in SHOWN_QUANTILES.items():
        if q in estimate.quantiles:
            number, interval = quantile_and_interval(metric, estimate.quantiles[q])
            yield Line(_row(f"{indent}{called}", number, interval, unit_word(metric)), "row")


def _advice(result: Result, invocation: Invocation, helps: Sequence[Line]) -> Iterator[Line]:
    stalls = result.estimates.get("stalls")
    if stalls is not None and stalls.estimate and stalls.low is not None and stalls.high is not None:
        half = (stalls.high - stalls.low) / 2 / stalls.estimate
        if half > _NARROW_ENOUGH:
            needed = result.deals * (half / _NARROW_ENOUGH) ** 2
            yield Line(f"  Few deals: about {grouped(float(f'{needed:.1g}'))} tell stalls to within 2 %.")
    yield from helps
    if not helps and stalls is not None and stalls.estimate:
        yield from command_lines("Which one change of rules helps most:", invocation.line("effects", counts=False))
    if result.has_clock:
        without = invocation.line("simulate", timing="uniform", counts=False)
        yield from command_lines("Rests on guessed reaction times; without any:", without)
        yield from _other_wait(result, invocation)
    yield from command_lines("Again:", invocation.line("simulate"))


def _other_wait(result: Result, invocation: Invocation) -> Iterator[Line]:
    """Name the command with a longer wait, where a rule in force waits for a guessed time."""
    rules = result.rules.options
    if name := result.family.words.guessed_wait(rules):
        wait = getattr(rules, name)
        longer = replace(invocation, sets=(*invocation.sets, f"{name}={word(_LONGER * wait)}"))
        text = f"Rests on a guessed wait of {word(wait)} s; with a longer one:"
        yield from command_lines(text, longer.line("simulate", counts=False))


def command_lines(label: str, command: str) -> Iterator[Line]:
    """Put a command behind its label, or below it where the line would be too long."""
    if len(label) + len(command) + 4 <= WIDTH:
        yield Line(f"  {label}  {command}", "command")
    else:
        yield Line(f"  {label}")
        yield Line(f"    {command}", "command")
