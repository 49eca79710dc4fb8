"""``stressim compare``: rules or players against each other, on the same deals."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stressim.commands.inputs import STOPPED
from stressim.commands.shared import (
    announce_compilation,
    check_form,
    check_plot,
    draw_into,
    output_options,
    run_options,
    variant_options,
)
from stressim.errors import InputError

if TYPE_CHECKING:
    from stressim.workbench.compare import Comparison
    from stressim.workbench.limits import ChangeClaim
    from stressim.workbench.robust import Conclusion


@click.command("compare")
@click.argument("variants", metavar="RULES VARIANT...", nargs=-1, required=True)
@variant_options
@run_options(100_000)
@click.option(
    "--on", multiple=True, metavar="METRIC", help="Compare this number only, and correct for no others. Repeatable."
)
@click.option(
    "--matter",
    multiple=True,
    metavar="METRIC=SIZE",
    help="A smaller change does not matter: stalls=2%, stalled=1pp. Repeatable.",
)
@click.option(
    "--until",
    metavar="decided",
    help="Stop as soon as --on (stalls unless given) has a verdict, or after --deals.",
)
@click.option(
    "--fail-if",
    "claims",
    multiple=True,
    metavar="CLAIM",
    help="End with status 1 if a variant changes so: 'stalls>+2%', 'won.high<-1pp'. Repeatable.",
)
@click.option(
    "--robust", is_flag=True, help="Repeat the verdicts without a clock and with each guess about times changed."
)
@output_options("a forest plot")
def command(
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    n_players: int | None,
    players: tuple[str, ...],
    timing: str,
    deals: int,
    seed: int,
    jobs: int | None,
    confidence: float,
    on: tuple[str, ...],
    matter: tuple[str, ...],
    until: str | None,
    claims: tuple[str, ...],
    robust: bool,
    form: str,
    plot: Path | None,
) -> int:
    """Set rules or players against each other on the same deals.

    They are played with the same reflexes too, and every number's difference is taken deal by deal. RULES come first
    and are what the others are compared with. A VARIANT is other rules, or what is changed, as one word or in quotation
    marks: ace=low, 'ace=low 2=senior', 'norwegian 1.speed=1.1'.

    \b
    Examples:
      stressim compare swedish swedish-low norwegian
      stressim compare swedish ace=low 'ace=low restart_both_empty=draw'
      stressim compare swedish 2.speed=1.1 --on win_1 --until decided
      stressim compare swedish swedish-merge --fail-if 'stalls>+2%'

    Per cent are of the reference's number, pp percentage points of a share. The status is 1 if a claim of --fail-if
    holds.
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim.output import terminal
    from stressim.workbench import compare as workbench
    from stressim.workbench.limits import metric_named, read_change, read_size
    from stressim.workbench.robust import repeat, settings_of
    from stressim.workbench.variants import read_variants

    check_form(form)
    if until not in (None, "decided"):
        raise InputError(f"--until {until!r} is not known: it must be decided")
    read = read_variants(variants, sets=sets, n_players=n_players, players=players, timing=timing)
    family, mode = read[0].family, read[0].timing
    seats = min(len(variant.players) for variant in read)

    def find(option: str) -> workbench.FindMetric:
        return lambda name: metric_named(name, family, clock=mode.word != "uniform", n_players=seats, option=option)

    sizes = [read_size(text, find(f"--matter {text!r}"), "--matter") for text in matter]
    judged = [read_change(text, find(f"--fail-if {text!r}"), "--fail-if") for text in claims]
    _check_on(on, [*(size.metric.name for size in sizes), *(claim.size.metric.name for claim in judged)])
    check_plot(plot)
    announce_compilation(*read)
    start = time.perf_counter()
    with terminal.progress(family, deals, confidence) as progress:
        found = workbench.compare_variants(
            read,
            deals=deals,
            seed=seed,
            jobs=jobs,
            confidence=confidence,
            on=on,
            matter=sizes,
            until_decided=until is not None,
            progress=progress,
        )
    conclusions: tuple[Conclusion, ...] | None = None
    if robust and not found.stopped:
        with terminal.counting(len(settings_of(read))) as counted:
            conclusions = repeat(found, jobs=jobs, progress=counted)
    if found.stopped:
        terminal.say(f"stressim: stopped: {found.deals:,} of {deals:,} deals are counted")
    if plot is not None:
        from stressim.report.forest import comparison_figure

        names = [variant.label for variant in read]
        draw_into(plot, lambda: comparison_figure(found), f"{', '.join(names[1:])} beside {names[0]}")
    _print(found, conclusions, form, time.perf_counter() - start)
    return STOPPED if found.stopped else _judge(judged, found)


def _check_on(on: tuple[str, ...], named: list[str]) -> None:
    wanted = [name.replace("-", "_") for name in on]
    for name in named:
        if wanted and name not in wanted:
            raise InputError(f"{name} is not compared: add --on {name}, or leave --on away")


def _print(found: Comparison, conclusions: tuple[Conclusion, ...] | None, form: str, elapsed: float) -> None:
    from stressim.output import terminal
    from stressim.workbench import tables, telling
    from stressim.workbench.robust import conclusion_text, conclusions_list

    robust = {} if conclusions is None else {"robust": conclusions_list(conclusions)}
    if form == "text":
        said = [] if conclusions is None else [(one.variant, conclusion_text(one)) for one in conclusions]
        terminal.write_lines(telling.render(found, elapsed=elapsed, robust=said))
    elif form == "json":
        terminal.write(tables.to_json({**tables.comparison_dict(found), **robust}))
    elif form == "csv":
        terminal.write(tables.to_csv(tables.records(found)))
    else:
        listed = "".join(f"- {one.variant}: {conclusion_text(one)}\n" for one in conclusions or ())
        terminal.write(tables.to_markdown(found) + (f"\n{listed}" if listed else ""))


def _judge(claims: list[ChangeClaim], found: Comparison) -> int:
    from stressim.output import terminal

    failed = False
    for claim in claims:
        for place, variant in enumerate(found.variants[1:], start=1):
            one = found.difference(claim.size.metric.name, place)
            holds = claim.holds(one)
            failed |= holds
            value = getattr(one, claim.part)
            change = "no deal to tell from" if value is None else f"it is {value:+g}"
            if one.relative is not None and claim.part == "difference":
                change += f", {100 * one.relative:+.3g} %"
            terminal.say(f"{'FAIL' if holds else 'pass'}  {variant.label}: {claim.text}  ({change})")
    return 1 if failed else 0
