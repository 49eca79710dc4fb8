"""``stressim effects``: every option changed once, ranked by what it does to a number."""

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

if TYPE_CHECKING:
    from stressim.workbench.robust import Conclusion


@click.command("effects")
@click.argument("rules", metavar="RULES")
@variant_options
@run_options(10_000)
@click.option("--on", default="stalls", show_default=True, metavar="METRIC", help="The number to rank by.")
@click.option(
    "--keep",
    multiple=True,
    metavar="LIMIT",
    help="Rank only what changes other numbers no more than this: length_s=±10%, 'won>-1pp'. Repeatable.",
)
@click.option("--all", "every", is_flag=True, help="Name every change, and every reason why one does not combine.")
@click.option(
    "--robust",
    is_flag=True,
    help="Repeat the first and the last without a clock and with each guess about times changed.",
)
@output_options("a tornado of the largest effects")
def command(
    rules: str,
    sets: tuple[str, ...],
    n_players: int | None,
    players: tuple[str, ...],
    timing: str,
    deals: int,
    seed: int,
    jobs: int | None,
    confidence: float,
    on: str,
    keep: tuple[str, ...],
    every: bool,
    robust: bool,
    form: str,
    plot: Path | None,
) -> int:
    """Change every option of RULES once and rank what it does.

    Each option takes every other value that combines with the rest; all variants play the same deals.

    \b
    Examples:
      stressim effects swedish
      stressim effects swedish --on stalls --keep length_s=±10%
      stressim effects james-bond --on deadlocked --player all=greedy --plot tornado.svg
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim.output import terminal
    from stressim.workbench import effects_telling as telling
    from stressim.workbench.changes import all_changes
    from stressim.workbench.effects import find_effects
    from stressim.workbench.limits import read_limit
    from stressim.workbench.robust import conclusion_text, conclusions_list, repeat_effects
    from stressim.workbench.tables import to_csv, to_json
    from stressim.workbench.variants import Given, make_variant

    check_form(form)
    given = Given(rules=rules, sets=sets, n_players=n_players, players=players, timing=timing)
    base = make_variant(given)
    limits = [read_limit(text, base, "--keep") for text in keep]
    check_plot(plot)
    changes = all_changes(base)
    announce_compilation(base, *changes.playable.values())
    start = time.perf_counter()
    with terminal.counting(deals) as progress:
        found = find_effects(
            base,
            on=on,
            keep=limits,
            changes=changes,
            deals=deals,
            seed=seed,
            jobs=jobs,
            confidence=confidence,
            progress=progress,
        )
    conclusions: tuple[Conclusion, ...] = ()
    if robust and not found.stopped:
        conclusions = repeat_effects(found, jobs=jobs)
    if found.stopped:
        terminal.say(f"stressim: stopped: {found.deals:,} of {deals:,} deals are counted")
    if plot is not None:
        from stressim.report.tornado import tornado_figure

        draw_into(plot, lambda: tornado_figure(found), f"{base.label}: effects on {found.on.name}")
    said = [f"{one.variant}: {conclusion_text(one)}" for one in conclusions]
    if form == "text":
        terminal.write_lines(telling.render(found, elapsed=time.perf_counter() - start, every=every, robust=said))
    elif form == "json":
        about = {"robust": conclusions_list(conclusions)} if robust else {}
        terminal.write(to_json({**telling.effects_dict(found), **about}))
    elif form == "csv":
        terminal.write(to_csv(telling.records(found)))
    else:
        terminal.write(telling.to_markdown(found) + "".join(f"\n- {text}" for text in said) + ("\n" if said else ""))
    return STOPPED if found.stopped else 0
