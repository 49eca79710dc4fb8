"""``stressim verify``: the simulator held against everything that is known exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from stressim.commands.inputs import WholeNumber
from stressim.commands.shared import check_form, check_plot
from stressim.errors import InputError

if TYPE_CHECKING:
    from stressim.verify.plan import Size

FORMATS = ("text", "json")


@click.command("verify")
@click.argument("rules", metavar="[RULES]...", nargs=-1)
@click.option("--quick", is_flag=True, help="Fewer deals: half a minute instead of half an hour.")
@click.option("--only", multiple=True, metavar="GROUP", help="Make only these checks, such as seats. Repeatable.")
@click.option("--seed", type=WholeNumber(), default=1, show_default=True, help="Of deals and draws.")
@click.option("--jobs", type=WholeNumber(), metavar="N", help="Threads or processes; one a processor unless given.")
@click.option(
    "--level", type=float, default=0.01, show_default=True, help="Chance that anything fails although all is right."
)
@click.option("--brief", is_flag=True, help="Print only what fails, and the sum.")
@click.option("--format", "form", default="text", show_default=True, metavar="text|json", help="What is printed.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw all distances against those of a normal: .svg, .png or .pdf.",
)
def command(
    rules: tuple[str, ...],
    quick: bool,
    only: tuple[str, ...],
    seed: int,
    jobs: int | None,
    level: float,
    brief: bool,
    form: str,
    plot: Path | None,
) -> int:
    """Hold the simulator against everything that is known exactly.

    Without RULES every preset is checked, and what no rules decide: random streams, tables of times and what is drawn
    from them. Each RULES is a preset or file, with changed options behind its name: 'swedish ace=low'. A line says
    what a number must be, what it is, and their distance z in standard errors. The significance level is corrected for
    the number of checks (Holm).

    Groups: tables, draws, streams, shuffles, facts (what the deal decides), referee, seats, races, small (small decks
    solved whole), stopping (runs that end by themselves).

    \b
    Examples:
      stressim verify --quick
      stressim verify --only seats --plot z.svg
      stressim verify 'swedish ace=low' norwegian

    The status is 1 if a check fails, 2 if something cannot be done.
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim.output import terminal
    from stressim.verify import report
    from stressim.verify.checks import judge
    from stressim.verify.making import made
    from stressim.verify.plan import FULL, QUICK, plan

    check_form(form, FORMATS)
    if not 0 < level < 1:
        raise InputError(f"--level {level:g} is not possible: it must be between 0 and 1")
    check_plot(plot)
    size: Size = QUICK if quick else FULL
    steps = plan(size, rules=rules, only=only, seed=seed, jobs=jobs)
    with terminal.counting(len(steps)) as progress:
        checks = made(steps, only, jobs, progress)
    found = report.Verification(
        verdicts=tuple(judge(checks, level)), level=level, seed=seed, size="quick" if quick else "full"
    )
    if plot is not None:
        from stressim.verify import plot as drawing

        drawing.save(found, plot)
    if form == "json":
        terminal.write(report.to_json(found))
    else:
        terminal.write_lines(list(report.render(found, brief=brief)))
    return int(bool(found.failed))
