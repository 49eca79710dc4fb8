"""The table of an explorer: one row for each combination, a file that people can read and a run is taken up from."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stressim.errors import InputError, said_at
from stressim.explorer.grid import Combination, Grid, decimals_of_metric
from stressim.explorer.playing import STALLS_SHOWN, Number, Played, play_base, play_combination
from stressim.files import replacing
from stressim.outcomes import Outcome
from stressim.output.phrases import is_share
from stressim.plots import DOTS
from stressim.textfile import read_text
from stressim.workbench.together import check_run
from stressim.workbench.variants import make_variant

if TYPE_CHECKING:
    from stressim.metrics import Metric

SAVE_EVERY = 5.0
"""Seconds between two savings of a run under way."""

_MOST_BYTES = 200_000_000
_PARTS = ("", " low", " high", " change", " change low", " change high")


@dataclass(frozen=True, kw_only=True)
class Explored:
    """A grid and what came of it: for each combination that can be played, by key.

    Parameters
    ----------
    grid
        What was asked for.
    played
        By key.
    n_resumed
        Combinations that a table had already.
    stopped
        Whether Ctrl-C ended it: some are missing.
    """

    grid: Grid
    played: Mapping[str, Played]
    n_resumed: int = 0
    stopped: bool = False

    @property
    def rows(self) -> tuple[Played, ...]:
        """What each playable combination came to, in order."""
        return tuple(self.played[one.key] for one in self.grid.playable)


def explore(
    grid: Grid, path: Path, *, jobs: int | None = None, progress: Callable[[int], None] | None = None
) -> Explored:
    """Play all combinations that a table lacks, and keep the table.

    Parameters
    ----------
    grid
        What is played.
    path
        The table, a CSV file; written every few seconds, and at the end, also if Ctrl-C ends the run.
    jobs
        Threads; they never change a result.
    progress
        Called with the number of combinations done.

    Raises
    ------
    InputError
        If the table cannot be read or written.
    """
    study = grid.study
    jobs = check_run(study.deals, study.seed, jobs)
    there = read_rows(path, grid)
    played: dict[str, Played] = {}
    done = n_resumed = 0
    stopped = False
    saved = time.monotonic()
    try:
        for game in range(len(study.games)):
            base = rows = None
            for combination in grid.playable:
                if combination.game != game:
                    continue
                found = there.get(combination.key) or played.get(combination.key)
                n_resumed += combination.key in there
                if found is None:
                    if base is None or rows is None:
                        base = grid.base(game)
                        rows = play_base(base, study.deals, study.seed)
                    with said_at(grid.place_of(combination)):
                        variant = make_variant(combination.given)
                        found = play_combination(variant, base, rows, grid.metrics, seed=study.seed, jobs=jobs)
                    if found is None:
                        raise KeyboardInterrupt
                played[combination.key] = found
                done += 1
                if progress is not None:
                    progress(done)
                if time.monotonic() - saved > SAVE_EVERY:
                    # What comes later and is there already must not be lost with a run that ends early.
                    write_rows(path, grid, {**there, **played})
                    saved = time.monotonic()
    except KeyboardInterrupt:
        stopped = True
    kept = {**there, **played} if stopped else played
    if kept:
        write_rows(path, grid, kept)
    return Explored(grid=grid, played=played, n_resumed=n_resumed, stopped=stopped)


def header_of(grid: Grid) -> list[str]:
    """Return the names of the table's columns, with their units."""
    names = ["game", *(choice.name for choice in grid.study.choices), "n_players", "players alike"]
    names += ["half over in [s]", "19 of 20 over in [s]"]
    names += [f"ended {outcome.word} [deals]" for outcome in Outcome]
    names.append("stalled [deals]")
    names += [f"player 1{part} [% of won deals]" for part in _PARTS[:3]]
    for metric in grid.metrics:
        names += [f"{metric.name}{part} [{metric.unit}]" for part in _PARTS]
    names += [f"deal {dot + 1} of {DOTS} [s]" for dot in range(DOTS)]
    names.append("stalls in a bin")
    names += [f"stalls in the first {n} bins [of deals]" for n in range(1, STALLS_SHOWN)]
    return [*names, "key"]


def write_rows(path: Path, grid: Grid, played: Mapping[str, Played]) -> None:
    """Write what has been played, in the grid's order; the file is there whole or not at all.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header_of(grid))
    for combination in grid.playable:
        if combination.key in played:
            writer.writerow(_cells(grid, combination, played[combination.key]))
    try:
        with replacing(path) as part:
            part.write_text(text.getvalue(), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} could not be written: {error.strerror or error}") from None


def _cells(grid: Grid, combination: Combination, played: Played) -> Iterator[str]:
    yield grid.study.games[combination.game].label
    for choice, value in zip(grid.study.choices, combination.values, strict=True):
        yield choice.values[value].name
    yield from (str(played.n_players), str(int(played.alike)), str(played.median), str(played.most))
    yield from map(str, (*played.endings, played.stalled))
    yield from (_text(number, 1) for number in played.first)
    for metric, numbers in zip(grid.metrics, played.numbers, strict=True):
        yield from (_text(number, _places(metric)) for number in numbers)
    yield from map(str, played.dots)
    yield str(played.stalls_width)
    yield from (_text(share, 3) for share in played.stalls)
    yield combination.key


def _places(metric: Metric) -> int:
    """Decimals in the table, where a share is a number from 0 to 1."""
    return decimals_of_metric(metric) + (2 if is_share(metric) else 0)


def _text(number: int | None, places: int) -> str:
    """Write a number of units of the last decimal; without zeros at the end.

    Examples
    --------
    >>> _text(-35, 3), _text(1000, 3), _text(0, 2), _text(None, 2)
    ('-0.035', '1', '0', '')
    """
    if number is None:
        return ""
    whole, rest = divmod(abs(number), 10**places)
    text = f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")
    return f"-{text}" if number < 0 else text


def read_rows(path: Path, grid: Grid) -> dict[str, Played]:
    """Return what a table holds, by key; nothing if there is none, or if it is one of other numbers.

    Raises
    ------
    InputError
        If it is no table of an explorer.
    """
    if not path.exists():
        return {}
    shown = f"table {str(path)!r}"
    rows = csv.reader(io.StringIO(read_text(path, shown=shown, kind="CSV file", max_bytes=_MOST_BYTES)))
    header = next(rows, [])
    if not header or header[0] != "game" or header[-1] != "key":
        raise InputError(f"{shown} is there and is no table of an explorer; name another page, or remove it")
    if header != header_of(grid):
        return {}
    try:
        return {row[-1]: _played(row, grid) for row in rows}
    except ValueError:
        raise InputError(f"{shown} is damaged; remove it to play all again") from None


def _played(row: Sequence[str], grid: Grid) -> Played:
    if len(row) != len(header_of(grid)):
        raise ValueError("a row has another number of cells")
    cells = iter(row[1 + len(grid.study.choices) : -1])

    def number(places: int) -> int | None:
        text = next(cells)
        return round(float(text) * 10**places) if text else None

    def needed(places: int = 0) -> int:
        found = number(places)
        if found is None:
            raise ValueError("a cell is empty")
        return found

    return Played(
        n_players=needed(),
        alike=bool(needed()),
        median=needed(),
        most=needed(),
        endings=tuple(needed() for _ in Outcome),
        stalled=needed(),
        first=(number(1), number(1), number(1)),
        numbers=tuple(Number(*(number(_places(metric)) for _ in Number._fields)) for metric in grid.metrics),
        dots=tuple(needed() for _ in range(DOTS)),
        stalls_width=needed(),
        stalls=tuple(needed(3) for _ in range(STALLS_SHOWN - 1)),
    )
