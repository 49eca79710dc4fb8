"""``stressim explorer``: one HTML file in which rules can be toggled, with every number played beforehand."""

from __future__ import annotations

import time
from pathlib import Path

import click

from stressim.commands.inputs import STOPPED, WholeNumber
from stressim.commands.shared import announce_compilation
from stressim.errors import InputError

SUFFIX = ".html"


@click.command("explorer")
@click.argument("study", type=click.Path(path_type=Path), metavar="STUDY")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE.html",
    help="The page. Its numbers go into FILE.csv beside it; what that has already is not played again.",
)
@click.option("--check", is_flag=True, help="Write and play nothing; end with 1 if page and table no longer follow.")
@click.option("--jobs", type=WholeNumber(), metavar="N", help="Threads; one for each processor.")
def command(study: Path, out: Path, check: bool, jobs: int | None) -> int:
    """Make a page in which rules can be toggled in a browser.

    STUDY is a TOML file that names games, choices and numbers, such as reports/explorer/shedding.toml. Every
    combination is played, all on the same deals. The page needs nothing beside it and no network. Every key that a
    study may have stands in README.md, under "The keys of study files". Paths in a study begin at its folder.

    \b
    Examples:
      stressim explorer reports/explorer/shedding.toml -o reports/explorer/shedding.html
      stressim explorer reports/explorer/shedding.toml -o reports/explorer/shedding.html --check

    Ctrl-C keeps what has been played, and the same command goes on from there.
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim.explorer.grid import make_grid
    from stressim.explorer.page import explorer_page
    from stressim.explorer.study import read_explorer
    from stressim.explorer.table import Explored, explore, read_rows
    from stressim.files import write_whole
    from stressim.output import terminal

    read = read_explorer(study)
    table = _table_of(out)
    grid = make_grid(read)
    n = len(grid.playable)
    start = time.perf_counter()
    if check:
        played = read_rows(table, grid)
        missing = sum(one.key not in played for one in grid.playable)
        if missing:
            terminal.write(f"{table}: {missing:,} of {n:,} combinations no longer follow or are not there\n")
            return 1
        page = explorer_page(Explored(grid=grid, played=played), table.name).encode()
        if not out.is_file() or out.read_bytes() != page:
            terminal.write(f"{out}: the page no longer follows from {table}\n")
            return 1
        terminal.write(f"{n:,} combinations and the page: all follow\n")
        return 0
    bases = [grid.base(game) for game in range(len(grid.study.games))]
    announce_compilation(*bases)
    with terminal.counting(n) as progress:
        explored = explore(grid, table, jobs=jobs, progress=progress)
    if explored.stopped:
        terminal.say(
            f"stressim: stopped: {len(explored.played):,} of {n:,} combinations are played; they are in {table}, and "
            "the same command goes on from there"
        )
        return STOPPED
    page = explorer_page(explored, table.name).encode()
    write_whole(out, page)
    apart = len(grid.combinations) - n
    lines = [
        f"{read.title}: {n:,} combinations of {read.deals:,} deals in {time.perf_counter() - start:.0f} s",
        *([f"  {explored.n_resumed:,} of them were in {table} already"] if explored.n_resumed else []),
        *([f"  {apart:,} more do not go together; the page says why"] if apart else []),
        f"  {out}  {len(page) / 1000:,.0f} kB",
        f"  {table}",
    ]
    terminal.write("".join(f"{line}\n" for line in lines))
    return 0


def _table_of(out: Path) -> Path:
    """Return where the table goes; refuse a path where no page could be written."""
    if out.suffix.lower() != SUFFIX:
        given = f"{out.suffix!r}" if out.suffix else "no suffix"
        raise InputError(f"--out {out}: a page's suffix must be {SUFFIX}, not {given}")
    if not out.parent.is_dir():
        raise InputError(f"--out {out}: there is no folder {str(out.parent)!r}")
    return out.with_suffix(".csv")
