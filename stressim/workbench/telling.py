"""A comparison as text for people: what is more, what is fewer, and what nobody can tell yet."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from stressim.metrics import Mean
from stressim.output.machine import USUAL_CONFIDENCE
from stressim.output.phrases import confidence_text, decimals_of, fixed, grouped, joined, of_100
from stressim.output.text import SHOWN_QUANTILES, WIDTH, Line, command_lines
from stressim.workbench.differences import FEWER, MORE, NO_DIFFERENCE, VERDICTS
from stressim.workbench.phrases import (
    change_and_interval,
    change_text,
    difference_text,
    number_text,
    percent_change,
    relative_text,
    shared_decimals,
)
from stressim.workbench.quantiles import quantile_differences
from stressim.workbench.remarks import LENGTHS, early_ends_text, no_difference_text, wait_texts
from stressim.workbench.variants import common_text, own_label

if TYPE_CHECKING:
    from stressim.estimates import Quantile
    from stressim.workbench.compare import Comparison, Flips
    from stressim.workbench.differences import Difference
    from stressim.workbench.variants import Variant

SAID = ("stalls", "length_s", "moves", "won", "win_skew")
"""Metrics of the sentences at the top, of those that were compared; ``moves`` where there is no clock."""

_LABEL = 11
_FEW = 3  # differences that are all said first
_NAME = 26
_FEW_DEALS = 1000


def render(
    comparison: Comparison, *, elapsed: float | None = None, robust: Sequence[tuple[str, str]] = ()
) -> list[Line]:
    """Say a comparison in lines of at most 78 columns (a command alone on its line may be longer).

    Parameters
    ----------
    comparison
        What to say.
    elapsed
        Seconds that it took, for the headline.
    robust
        What is said of conclusions under other assumptions, each with its variant's label.
    """
    lines = [*wrapped_facts(_facts(comparison, elapsed)), Line("")]
    decimals = shared_decimals(one for found in comparison.differences for one in found)
    for place, variant in enumerate(comparison.variants[1:]):
        found = comparison.differences[place]
        if len(comparison.variants) > 2:
            lines += [Line(f"  {variant.label}, beside {comparison.reference.label}", "heading"), Line("")]
        if text := _nothing_text(comparison, place):
            lines += [*paragraph(text), Line("")]
            continue
        for one in leading(found):
            lines += sentence(one.metric.name, difference_text(one, decimals[one.metric.name]))
            if one.metric.name in LENGTHS and (ends := _early_ends(comparison, place)):
                lines += sentence("", ends)
        lines += sentence("outcome", flips_text(comparison.flips[place], comparison.baseline))
        if pairing := pairing_text(leading(found)):
            lines += sentence("pairing", pairing)
        for label, text in robust:
            if label == variant.label:
                lines += sentence("robust?", text)
        lines += [Line(""), *_table(comparison, variant, found, decimals), Line("")]
    return [*lines, *_advice(comparison, asked_robust=bool(robust))]


def _nothing_text(comparison: Comparison, place: int) -> str:
    """Say of a variant with which no deal is another one why, or that it is so; empty where some are."""
    variant = comparison.variants[place + 1]
    if text := no_difference_text(variant, comparison.reference):
        return text
    if comparison.flips[place].flips or not all(one.same_in_all for one in comparison.differences[place]):
        return ""
    compared = joined(list(comparison.on)) if comparison.on else "anything that is counted"
    return (
        f"{variant.label} changes nothing here: not one of {comparison.deals:,} deals ends otherwise than with "
        f"{comparison.reference.label}, or differs in {compared}."
    )


def wrapped_facts(facts: Sequence[str]) -> Iterator[Line]:
    """Write the headline; a short fact is not broken, nor is the point after a fact put at the start of a line."""
    kept = [fact if len(fact) > 40 else fact.replace(" ", "\xa0") for fact in facts]
    for text in textwrap.wrap("\xa0· ".join(kept), WIDTH, break_long_words=False):
        yield Line(text.replace("\xa0", " "), "headline")


def sentence(label: str, text: str) -> Iterator[Line]:
    """Write a sentence under a label."""
    start = f"  {label:{_LABEL - 1}} "
    for part in textwrap.wrap(text, WIDTH - len(start), break_long_words=False, break_on_hyphens=False):
        yield Line(start + part.replace("\xa0", " "), "sentence")
        start = " " * len(start)


def _facts(comparison: Comparison, elapsed: float | None) -> list[str]:
    variants = comparison.variants
    names = [own_label(variant, variants) for variant in variants]
    common = common_text(variants)
    facts = [
        " against ".join([joined(names[1:]), names[0]]),
        *([common] if common else []),
        f"{comparison.reference.timing.word} timing",
        f"{comparison.deals:,} deals each of the same cards",
        f"seed {comparison.seed}",
    ]
    return facts if elapsed is None else [*facts, f"{elapsed:.1f} s"]


def leading(found: Sequence[Difference]) -> list[Difference]:
    """Return the differences that matter most to a variant."""
    named = {one.metric.name: one for one in found}
    if len(named) <= _FEW:
        return list(named.values())
    said = [name for name in SAID if name in named and (name != "moves" or "length_s" not in named)]
    return [named[name] for name in said or list(named)[:_FEW]]


def pairing_text(found: Sequence[Difference]) -> str:
    """Say how far numbers of the same deal go together, which is what pairing gains."""
    known = [f"{one.metric.name} {one.correlation:.2f}" for one in found if one.correlation is not None]
    return f"correlation over the same deals: {', '.join(known)}." if known else ""


def flips_text(flips: Flips, baseline: Flips) -> str:
    """Say in how many deals the outcome flips, beside how many flip by other reflexes alone."""
    by_chance = f"with the same rules and other reflexes {of_100(baseline.share)} do"
    if not flips.flips:
        return f"No deal ends otherwise; {by_chance}."
    return f"{_first_upper(of_100(flips.share))} deals end otherwise; {by_chance}."


def _first_upper(text: str) -> str:
    return text[0].upper() + text[1:]


def _row(name: str, cells: Sequence[str]) -> str:
    reference, value, change, interval, last = cells
    return f"  {name:{_NAME}}{reference:>8} {value:>8} {change:>8} {interval:16} {last:>6}".rstrip()


def _table(
    comparison: Comparison, variant: Variant, found: Sequence[Difference], decimals: Mapping[str, int]
) -> Iterator[Line]:
    interval = confidence_text(comparison.confidence)
    names = [_short(comparison.reference.label), _short(variant.label)]
    if "variant" in names:
        names = ["first", "variant"]
    yield Line(_row("number", [*names, "change", interval, "in %"]), "heading")
    shown = [one for one in found if one.reference or one.value]
    for verdict in VERDICTS:
        rows = [one for one in shown if one.verdict == verdict]
        if not rows:
            continue
        is_open = verdict == NO_DIFFERENCE
        heading = f"  {verdict}"
        yield Line(f"{heading:{WIDTH - 20}}deals needed to tell" if is_open else heading, "heading")
        if verdict in (MORE, FEWER):
            rows.sort(key=lambda one: -abs(one.relative or 0))
        for one in rows:
            change, limits = change_and_interval(one)
            last = _needed(one) if is_open else relative_text(one)
            numbers = [number_text(one, number, decimals[one.metric.name]) for number in (one.reference, one.value)]
            cells = [*numbers, change, limits, last]
            yield Line(_row(f" {one.metric.name}", cells), "row")
    yield from _quantile_rows(comparison, comparison.variants.index(variant) - 1)
    never = [one.metric.name for one in found if not one.reference and not one.value]
    if never:
        yield Line("")
        for part in textwrap.wrap(f"Not once in either: {joined(never)}.", WIDTH - 2, break_on_hyphens=False):
            yield Line(f"  {part}")


def _quantile_rows(comparison: Comparison, place: int) -> Iterator[Line]:
    """Set shown quantiles against each other; they have no test, and an interval that does not know of the pairing."""
    all_of = [[one for one in of if one.share in SHOWN_QUANTILES] for of in quantile_differences(comparison)]
    decimals: dict[tuple[str, float], int] = {}
    for one in (one for of in all_of for one in of):
        key, deserved = (one.metric.name, one.share), decimals_of(one.low, one.high, one.reference.at_least)
        whole = isinstance(one.metric, Mean) and one.metric.divisor == 1
        decimals[key] = 0 if whole else max(decimals.get(key, 0), deserved)
    if all_of[place]:
        yield Line("  quantiles", "heading")
    for one in all_of[place]:
        digits = decimals[one.metric.name, one.share]
        numbers = [_quantile_text(quantile, digits) for quantile in (one.reference, one.value)]
        change, limits = "", ""
        if one.difference is not None:
            change, limits = change_text(one.metric, one.difference, one.low, one.high)
        if one.low is None:
            enough = one.reference.low is not None and one.value.low is not None
            limits = "" if comparison.look.any_time else "not known" if enough else "too few deals"
        last = "" if one.relative is None else percent_change(one.relative)
        yield Line(_row(f" {one.metric.name}, {SHOWN_QUANTILES[one.share]}", [*numbers, change, limits, last]), "row")


def _quantile_text(quantile: Quantile, decimals: int) -> str:
    return ("" if quantile.estimate is not None else ">") + fixed(quantile.at_least, decimals)


def _early_ends(comparison: Comparison, place: int) -> str:
    labelled = [
        (variant.label, result) for variant, result in zip(comparison.variants, comparison.results, strict=True)
    ]
    return early_ends_text(labelled[0], labelled[place + 1])


def _needed(one: Difference) -> str:
    if one.deals_to_tell is None:
        return ""
    return short_count(one.deals_to_tell)


def short_count(number: float) -> str:
    """Write a number of deals in a few characters.

    Examples
    --------
    >>> short_count(980), short_count(62_000), short_count(980_000), short_count(3_400_000), short_count(2e9)
    ('980', '62 k', '980 k', '3.4 M', '>100 M')
    """
    if number < 1000:
        return f"{number:.0f}"
    if number < 999_500:
        return f"{number / 1000:.2g} k" if number < 99_500 else f"{number / 1000:.0f} k"
    return f"{number / 1e6:.2g} M" if number < 1e8 else ">100 M"


def _short(label: str) -> str:
    return label if len(label) <= 8 else "variant"


def _advice(comparison: Comparison, *, asked_robust: bool) -> Iterator[Line]:
    if not all(no_difference_text(variant, comparison.reference) for variant in comparison.variants[1:]):
        if not all(_nothing_text(comparison, place) for place in range(len(comparison.differences))):
            yield from _how_to_read(comparison)
        for text in wait_texts(comparison.variants):
            yield from paragraph(text)
        if comparison.reference.timing.word != "uniform" and not asked_robust:
            yield from command_lines(
                "Rests on guessed reaction times; whether it hangs on them:", f"{_call(comparison)} --robust"
            )
    deals = comparison.deals if comparison.stopped else comparison.asked
    robust = " --robust" if asked_robust else ""
    yield from command_lines("Again:", f"{_call(comparison)}{robust} --deals {deals} --seed {comparison.seed}")


def _how_to_read(comparison: Comparison) -> Iterator[Line]:
    tests = comparison.n_tests
    text = (
        f"Differences are paired, deal by deal; verdicts are corrected for {tests} comparisons (Holm)."
        if tests > 1
        else "Differences are paired, deal by deal."
    )
    if comparison.look.any_time:
        text += " They and the intervals hold although the run stopped when it was decided."
    shown = [one for of in quantile_differences(comparison) for one in of if one.share in SHOWN_QUANTILES]
    if shown:
        text += " Intervals of quantiles do not know of the pairing and are wider for it."
    if any(one.difference is None for one in shown):
        text += (
            " After > stands what a quantile is more than: it lies among deals that were stopped, or very long ones."
        )
    text += " pp: percentage points."
    yield from paragraph(text)
    if comparison.deals < _FEW_DEALS:
        yield from paragraph(f"Few deals: with less than {grouped(_FEW_DEALS)} intervals are rough.")


def paragraph(text: str) -> Iterator[Line]:
    """Write a paragraph."""
    for part in textwrap.wrap(text, WIDTH - 2, break_on_hyphens=False):
        yield Line(f"  {part}")


def _call(comparison: Comparison) -> str:
    """Return the command that gives the comparison, without deals and seed."""
    given = comparison.reference.given
    words = ["stressim", "compare"]
    words += [
        " ".join([variant.given.rules, *variant.given.sets, *variant.given.players]) for variant in comparison.variants
    ]
    if given.n_players is not None:
        words += ["--players", str(given.n_players)]
    if given.timing != "human":
        words += ["--timing", given.timing]
    for name in comparison.on:
        words += ["--on", name]
    for size in comparison.matter.values():
        words += ["--matter", f"{size.metric.name}={size.number:g}{size.unit}"]
    if comparison.look.any_time:
        words += ["--until", "decided"]
    if comparison.confidence != USUAL_CONFIDENCE:
        words += ["--confidence", f"{comparison.confidence:g}"]
    return shlex.join(words)
