"""``stressim metrics``: the numbers that a run reports."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import click

from stressim.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from stressim.family import Family
    from stressim.metrics import Metric

WIDTH = 78
_NAME = 27


@click.group("metrics")
def command() -> None:
    """List and explain the numbers that a run reports."""


@command.command("list")
def list_metrics() -> None:
    """List the numbers of each family, with their units."""
    from stressim.family import FAMILIES, family_named

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
    found: dict[tuple[str, str], tuple[Family, Metric]] = {}
    for name in names:
        wanted = name.strip().lower().replace("-", "_")
        named = {
            (one.name, wanted): (one, metric) for one in families for metric in one.metrics if metric.name == wanted
        }
        if not named:
            known = [metric.name for family in families for metric in family.metrics]
            raise InputError(f"{name!r} is no metric{did_you_mean(name, known) or '; see stressim metrics list'}")
        found |= named
    for place, (family, metric) in enumerate(found.values()):
        if place:
            click.echo()
        for label, text in _facts(family, metric):
            click.echo(_hanging(f"{label:12}", text))


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

    said = {column.name: column.meaning for column in (*family.columns, *COLUMNS)}
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
        return (
            f"Sum over all deals of: {said[metric.of]}; over the sum of: {said[metric.per]}{_divided(metric.divisor)}.",
            "Normal, of a ratio of sums (delta method).",
        )
    if isinstance(metric, Mean):
        interval = "Normal, of a mean; exact sums."
        if metric.quantiles:
            listed = ", ".join(map(str, QUANTILES))
            interval += (
                f" Quantiles {listed} have intervals between order statistics; one that lies among deals that were "
                "stopped is only known to be more than a number."
            )
        return f"Mean over all {what} of: {said[metric.of]}{_divided(metric.divisor)}.", interval
    raise TypeError(f"{type(metric).__name__} is no kind of metric")


def _divided(divisor: int) -> str:
    return f"; divided by {divisor:,}" if divisor != 1 else ""


def _hanging(start: str, text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False)
