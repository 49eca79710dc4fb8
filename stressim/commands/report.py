"""``stressim report``: make a study's tables, figures and pages, or check them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stressim.commands.inputs import WholeNumber
from stressim.errors import InputError

if TYPE_CHECKING:
    from stressim.report.build import Moved

MOST_LISTED = 20


@click.command("report")
@click.argument("study", type=click.Path(path_type=Path), metavar="STUDY")
@click.option("--check", is_flag=True, help="Write nothing; end with 1 if a committed file no longer follows.")
@click.option("--fast", is_flag=True, help="With --check: compare only what decides the numbers, without playing.")
@click.option("--robust", is_flag=True, help="Repeat all conclusions without a clock and with each guess changed.")
@click.option("--jobs", type=WholeNumber(), metavar="N", help="Threads; one for each processor.")
def command(study: Path, check: bool, fast: bool, robust: bool, jobs: int | None) -> int:
    """Make a study's tables, figures and pages, or check them.

    STUDY is a TOML file such as reports/quick.toml. It makes results/quick/*.csv with a manifest, and beside the study
    quick.md, quick.html (one file that needs nothing beside it) and figures/quick-*.svg. Every key that a study may
    have stands in README.md, under "The keys of study files". Paths in a study begin at its folder.

    \b
    Examples:
      stressim report reports/quick.toml
      stressim report reports/quick.toml --check

    The status is 1 if something has moved, 2 if it could not be made.
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim.output import terminal
    from stressim.report import build
    from stressim.report.study import read_study

    if fast and not check:
        raise InputError("--fast goes with --check")
    read = read_study(study)
    places = build.Places.of(read)
    start = time.perf_counter()
    if check and fast:
        moved, compared = build.check_fast(read, places)
        return _report(moved, compared, study)
    if check:
        build.read_manifest(places)

    def say(name: str) -> None:
        if terminal.is_watched():
            terminal.say(f"{name} …")

    made = build.build(read, places, jobs=jobs, robust=robust, progress=say)
    if check:
        moved, compared = build.check(made, places)
        return _report(moved, compared, study)
    written = build.write(made)
    lines = [f"{read.title}: {len(read.questions)} questions answered in {time.perf_counter() - start:.0f} s"]
    lines += [f"  {path}" for path in written]
    lines.append(f"{len(made)} files, {len(written)} of them new or changed")
    terminal.write("".join(f"{line}\n" for line in lines))
    return 0


def _report(moved: list[Moved], compared: int, study: Path) -> int:
    from stressim.output import terminal

    if not compared:
        raise InputError(f"{study}: nothing was compared")
    lines = [str(one) for one in moved[:MOST_LISTED]]
    if len(moved) > MOST_LISTED:
        lines.append(f"and {len(moved) - MOST_LISTED} more")
    if moved:
        lines.append(f"{compared} compared, {len(moved)} moved: stressim report {study} updates them")
    else:
        lines.append(f"{compared} compared: all follow")
    terminal.write("".join(f"{line}\n" for line in lines))
    return 1 if moved else 0
