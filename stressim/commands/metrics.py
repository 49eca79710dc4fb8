"""``stressim metrics``: the numbers that a run reports."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

import click

from stressim.errors import InputError, did_you_mean
from stressim.optiontext import clean

if TYPE_CHECKING:
    from stressim.family import Family
    from stressim.metrics import Mean, Metric, Ratio

WIDTH = 78
_NAME = 27


@click.group("metrics")
def command() -> None:
    """List and explain the numbers that a run reports."""


@command.command("list")
@click.argument("names", metavar="", nargs=-1)
def list_metrics(names: tuple[str, ...]) -> None:
    """List the numbers of each family, with their units."""
    from stressim.family import FAMILIES, family_named

    if names:
        said = " ".join(map(clean, names))
        raise InputError(f"metrics list takes no names: stressim metrics show {said} explains {said}")
    for place, name in enumerate(FAMILIES):
        if place:
            click.echo()
        family = family_named(name)
        click.echo(f"{family.name}: {family.title}")
        groups = list(dict.fromkeys(metric.group for metric in family.metrics))
        ordered = sorted(family.metrics, key=lambda metric: groups.index(metric.group))
        for group, metrics in groupby(ordered, key=lambda metric: metric.group):
            click.echo(f"\n  {group}")
            for metric in metrics:
                click.echo(_hanging(f"    {metric.name:{_NAME}}", f"{metric.meaning} [{metric.unit}]"))
    click.echo("\nMore about some of them: stressim metrics show NAME...")


@command.command("show")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
def show(names: tuple[str, ...]) -> None:
    """Say what each NAME means, how it is computed and which interval it has."""
    from stressim.family import FAMILIES, family_named

    families = [family_named(family) for family in FAMILIES]
    found: dict[tuple[str, str], list[tuple[Family, Metric]]] = {}
    for name in names:
        wanted = name.strip().lower().replace("-", "_")
        named = [(one, metric) for one in families for metric in one.metrics if metric.name == wanted]
        if not named:
            known = [metric.name for family in families for metric in family.metrics]
            raise InputError(f"{name!r} is no metric{did_you_mean(name, known) or '; see stressim metrics list'}")
        # What is counted in another unit is another number.
        for unit in dict.fromkeys(metric.unit for _, metric in named):
            found[wanted, unit] = [one for one in named if one[1].unit == unit]
    for place, named in enumerate(found.values()):
        if place:
            click.echo()
        for label, text in _together(named):
            click.echo(_hanging(f"{label:12}", text))


def _together(named: list[tuple[Family, Metric]]) -> Iterator[tuple[str, str]]:
    """What is to be said of a number, once where families say the same."""
    said = [dict(_facts(family, metric)) for family, metric in named]
    for label in dict.fromkeys(label for facts in said for label in facts):
        texts = dict.fromkeys(facts[label] for facts in said if label in facts)
        if label == "family":
            yield label, " and ".join(texts)
        elif len(texts) == 1:
            yield label, next(iter(texts))
        else:
            for place, ((family, _), facts) in enumerate(zip(named, said, strict=True)):
                yield "" if place else label, f"{family.name}: {facts.get(label, 'as in all deals')}"


def _facts(family: Family, metric: Metric) -> Iterator[tuple[str, str]]:
    computed, interval = _method(family, metric)
    yield "metric", metric.name
    yield "family", family.name
    yield "meaning", metric.meaning
    yield "unit", metric.unit + (" (a number from 0 to 1 in JSON and CSV)" if metric.unit.startswith("of ") else "")
    yield "computed", computed
    yield "interval", interval
    if metric.clock:
        yield "timing", "Needs a clock: absent under --timing uniform."
    if metric.of_match:
        yield "matches", "Absent where each deal is for itself (match_format=single)."
    if metric.needs_players:
        yield "players", f"Absent with fewer than {metric.needs_players}."


def _method(family: Family, metric: Metric) -> tuple[str, str]:
    from stressim.estimates import QUANTILES
    from stressim.matchrules import COLUMNS
    from stressim.metrics import Mean, Rate, Ratio, Skew

    columns = (*family.columns, *COLUMNS)
    said = {column.name: column.meaning for column in columns}
    units = {column.name: column.unit for column in columns}
    what = "matches" if metric.of_match else "deals"
    if isinstance(metric, Rate):
        among = f"deals with: {said[metric.among]}" if metric.among else f"all {what}"
        return f"{what.capitalize()} with: {said[metric.of]}; over {among}.", "Wilson's, of a rate."
    if isinstance(metric, Skew):
        others = said[metric.others[0]] if len(metric.others) == 1 else "the like of each other player"
        shares = f"Share of deals with: {said[metric.of]}; minus the mean share with: {others}"
        interval = "Wilson's of the first share, stretched: the shares sum to 1."
        return f"{shares}; among deals with: {said[metric.among]}.", interval
    if isinstance(metric, Ratio):
        if units[metric.per] == "flag":
            # In the other deals the column is 0, which need not be said: they do not count.
            of = re.sub(r"; 0 (?:if|unless|without) .*", "", said[metric.of])
            computed = f"Mean of: {of}{_unit(units, metric)}; over the deals with: {said[metric.per]}."
        else:
            computed = f"All deals taken together: {said[metric.of]}; divided by: {said[metric.per]}."
        return computed, "Normal, of a ratio of sums (delta method)."
    if isinstance(metric, Mean):
        interval = "Normal, of a mean; exact sums."
        if metric.quantiles:
            listed = ", ".join(map(str, QUANTILES))
            interval += (
                f" Quantiles {listed} have intervals between order statistics; one that lies among deals that were "
                "stopped is only known to be more than a number."
            )
        return f"Mean over all {what} of: {said[metric.of]}{_unit(units, metric)}.", interval
    raise TypeError(f"{type(metric).__name__} is no kind of metric")


def _unit(units: Mapping[str, str], metric: Mean | Ratio) -> str:
    """The unit in which a time that is kept in microseconds is told; parts of a million are told as parts of one."""
    return ", in seconds" if units[metric.of] == "us" else ""


def _hanging(start: str, text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False)
