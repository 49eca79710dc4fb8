"""``stressim find``: the most extreme deals of a run."""

from __future__ import annotations

import textwrap
import time
from typing import TYPE_CHECKING

import click

from stressim.commands.inputs import FORMATS, STOPPED, WholeNumber
from stressim.commands.shared import announce_compilation, check_form, variant_options
from stressim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stressim.output.text import Line
    from stressim.workbench.find import Found


@click.command("find")
@click.argument("rules", metavar="RULES")
@click.option("--most", metavar="METRIC", help="Find the deals with the largest values of this number.")
@click.option("--least", metavar="METRIC", help="Find those with the smallest.")
@click.option("--top", type=WholeNumber(), default=5, show_default=True, help="How many deals.")
@variant_options
@click.option("--deals", type=WholeNumber(), default=100_000, show_default=True, help="Among how many deals.")
@click.option("--seed", type=WholeNumber(), default=1, show_default=True, help="Where chance begins.")
@click.option("--jobs", type=WholeNumber(), metavar="N", help="Threads; one for each processor.")
@click.option("--format", "form", default="text", show_default=True, metavar="|".join(FORMATS), help="What is printed.")
def command(
    rules: str,
    most: str | None,
    least: str | None,
    top: int,
    sets: tuple[str, ...],
    n_players: int | None,
    players: tuple[str, ...],
    timing: str,
    deals: int,
    seed: int,
    jobs: int | None,
    form: str,
) -> int:
    """Find the most extreme deals, each with its replay command.

    \b
    Examples:
      stressim find swedish --most stalls
      stressim find swedish --least length_s --top 3
      stressim find james-bond --players 4 --most contested_lost
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim.output import terminal
    from stressim.workbench.find import find_deals
    from stressim.workbench.tables import to_csv, to_json
    from stressim.workbench.variants import Given, make_variant

    check_form(form)
    if (most is None) == (least is None):
        raise InputError("say which number: --most METRIC or --least METRIC, one of them")
    variant = make_variant(Given(rules=rules, sets=sets, n_players=n_players, players=players, timing=timing))
    announce_compilation(variant)
    start = time.perf_counter()
    with terminal.counting(deals) as progress:
        found = find_deals(
            variant,
            most or least or "",
            most=most is not None,
            top=top,
            deals=deals,
            seed=seed,
            jobs=jobs,
            progress=progress,
        )
    if found.stopped:
        terminal.say(f"stressim: stopped: {found.deals:,} of {deals:,} deals are looked at")
    if form == "text":
        terminal.write_lines(list(_lines(found, time.perf_counter() - start)))
    elif form == "json":
        about = {
            "rules_hash": variant.rules.rules_hash,
            "timing": variant.timing.word,
            "seed": found.seed,
            "deals": found.deals,
            "metric": found.metric.name,
            "most": found.most,
            **({} if found.n_having is None else {"deals_having_it": found.n_having}),
        }
        terminal.write(to_json({**about, "found": found.records}))
    elif form == "csv":
        terminal.write(to_csv(found.records))
    else:
        terminal.write(_markdown(found))
    return STOPPED if found.stopped else 0


def _value(found: Found, value: float) -> str:
    from stressim.output.phrases import is_share

    if found.n_having is not None:
        return "yes" if value else "no"
    if is_share(found.metric):
        return f"{100 * value:.1f} %"
    if found.metric.unit == "s":
        return f"{value:.1f}"
    return f"{value:,.0f}" if value == int(value) else f"{value:.2f}"


def _lines(found: Found, elapsed: float) -> Iterator[Line]:
    from stressim.output.phrases import clock_time
    from stressim.output.text import Line, command_lines
    from stressim.workbench.telling import wrapped_facts

    which = "most" if found.most else "least"
    yield from wrapped_facts(
        [
            f"{found.variant.label}: {which} {found.metric.name}",
            f"{found.variant.timing.word} timing",
            f"{found.deals:,} deals",
            f"seed {found.seed}",
            f"{elapsed:.1f} s",
        ]
    )
    yield Line("")
    if found.n_having is not None:
        said = (
            f"{found.metric.name} is yes or no in a deal, so there is nothing to rank: {found.n_having:,} of "
            f"{found.deals:,} deals have it.{_first(found)}"
        )
        yield from (Line(f"  {text}", "sentence") for text in textwrap.wrap(said, 76))
        yield Line("")
    if not found.found:
        if found.n_having is None:
            yield Line("  No deal has that number.")
        yield from command_lines("Again:", found.again)
        return
    clock = found.variant.timing.word != "uniform"
    width = max(len(found.metric.name), 8)
    yield Line(f"  {'deal':>12}  {found.metric.name:>{width}}  {'length':>11}  ending", "heading")
    for one in found.found:
        length = clock_time(one.length) if clock else f"{one.length:.0f} moves"
        yield Line(f"  {one.deal:12,}  {_value(found, one.value):>{width}}  {length:>11}  {one.ending}", "row")
    yield Line("")
    yield Line("  Watch them:")
    for one in found.found:
        yield Line(f"    {found.replay(one)}", "command")
    yield Line("  A picture of one: add --plot deal.svg")
    yield from command_lines("Again:", found.again)


def _first(found: Found) -> str:
    if not found.found:
        return ""
    return f" The first {len(found.found):,} that {'have' if found.most else 'lack'} it:"


def _markdown(found: Found) -> str:
    lines = [f"| {' | '.join(found.records[0])} |" if found.records else "", "| --: | --: | :-- | --: | :-- |"]
    for record in found.records:
        lines.append("| " + " | ".join(str(value) for value in record.values()) + " |")
    return "\n".join(lines) + "\n"
