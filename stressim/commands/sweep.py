"""``stressim sweep``: a grid over options and players."""

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
    from stressim.workbench.sweep import Sweep


@click.command("sweep")
@click.argument("rules", metavar="RULES")
@click.option(
    "--vary",
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    help="What varies: ace=wrap,low, or 1.speed=0.8:1.2:0.05 (from, to, step). Repeatable: all combinations.",
)
@variant_options
@run_options(20_000)
@click.option("--on", multiple=True, metavar="METRIC", help="Keep this number only. Repeatable.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the table to a .csv or .parquet; given again, only points that it lacks are played.",
)
@output_options("the first number over the grid")
def command(
    rules: str,
    vary: tuple[str, ...],
    sets: tuple[str, ...],
    n_players: int | None,
    players: tuple[str, ...],
    timing: str,
    deals: int,
    seed: int,
    jobs: int | None,
    confidence: float,
    on: tuple[str, ...],
    out: Path | None,
    form: str,
    plot: Path | None,
) -> int:
    """Vary options and players of RULES over a grid.

    Every combination plays the same cards. The table has one row for each combination and number, with its interval.

    \b
    Examples:
      stressim sweep swedish --vary ace=wrap,low --vary row_slots=3:6:1
      stressim sweep swedish --vary 1.speed=0.8:1.2:0.05 --on win_1 --plot speed.svg
      stressim sweep james-bond --vary n_players=2,3,4 --out bond.csv
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim.output import terminal
    from stressim.workbench.sweep import default_metric, read_axis, run_sweep
    from stressim.workbench.sweep_files import check_out
    from stressim.workbench.variants import Given, make_variant

    check_form(form)
    axes = [read_axis(text) for text in vary]
    given = Given(rules=rules, sets=sets, n_players=n_players, players=players, timing=timing)
    base = make_variant(given)
    check_plot(plot)
    if out is not None:
        check_out(out)
    announce_compilation(base)
    size = 1
    for axis in axes:
        size *= len(axis.values)
    start = time.perf_counter()
    with terminal.counting(size) as progress:
        found = run_sweep(
            given,
            axes,
            deals=deals,
            seed=seed,
            jobs=jobs,
            confidence=confidence,
            on=on,
            out=out,
            progress=progress,
        )
    if found.stopped:
        kept = f"; they are in {out}, and the same command goes on from there" if out is not None else ""
        terminal.say(f"stressim: stopped: {len(found.points)} of {size} combinations are played{kept}")
    if plot is not None and found.points:
        from stressim.report.grid import sweep_figure

        name = default_metric(found)
        draw_into(plot, lambda: sweep_figure(found, name), f"{name} over {', '.join(axis.name for axis in axes)}")
    _print(found, form, time.perf_counter() - start)
    return STOPPED if found.stopped else 0


def _print(found: Sweep, form: str, elapsed: float) -> None:
    from stressim.output import terminal
    from stressim.workbench import sweep_telling as telling
    from stressim.workbench.tables import to_csv, to_json

    if form == "text":
        terminal.write_lines(telling.render(found, elapsed=elapsed))
    elif form == "json":
        terminal.write(to_json(telling.sweep_dict(found)))
    elif form == "csv":
        terminal.write(to_csv(found.table))
    else:
        terminal.write(telling.to_markdown(found))
