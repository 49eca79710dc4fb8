#!/usr/bin/env python3
"""Make the outputs and pictures in README.md again, or check that they still follow from their commands.

A block of the README opened by ``console`` holds commands, each after ``$``, and below each what it prints. A line
``…`` stands for paragraphs that are left out. A block opened by ``toml`` whose first line is a comment with a file's
name is that file. Commands run in an empty folder that holds those files; pictures that they draw below
``reports/figures/`` are those of the repository.

The status is 0 if everything follows or has been made again, 1 if ``--check`` finds that something has moved, and 2 if
a command could not be run.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = Path("reports/figures")
LEFT_OUT = "…"
LONGEST = 600  # seconds for a command; the first one may have to compile
SHOWN = 100  # characters of a line in the table of what moved

# How long a run took is the one thing that never comes again; when longer it may go to the next line.
_ELAPSED = re.compile(r" ·\s\d+\.\d s$", re.MULTILINE)
_FILE = re.compile(r"# ([\w-]+\.toml)")
_LINKED = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")


class CannotRunError(Exception):
    """The README holds something that cannot be run; the text says what."""


@dataclass(frozen=True, kw_only=True)
class Printed:
    """A command of the README and the lines printed below it.

    Parameters
    ----------
    command
        As it is given to a shell.
    line
        Number of the command's line in the README, from 1.
    lines
        The lines below it.
    """

    command: str
    line: int
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of the README.

    Parameters
    ----------
    language
        The word after the fence.
    first, last
        Half-open range of the lines between the fences, counted from 0.
    lines
        Those lines.
    """

    language: str
    first: int
    last: int
    lines: list[str]

    def session(self) -> list[Printed]:
        """Split a console block into its commands."""
        found: list[Printed] = []
        for number, line in enumerate(self.lines, start=self.first + 1):
            if line.startswith("$ "):
                found.append(Printed(command=line.removeprefix("$ "), line=number))
            elif found:
                found[-1].lines.append(line)
            else:
                raise CannotRunError(f"README.md:{number}: a console block begins with a command after '$ '")
        return found


def blocks_of(lines: Sequence[str]) -> list[Block]:
    """Find the fenced blocks.

    Examples
    --------
    >>> [(block.language, block.lines) for block in blocks_of(["text", "```sh", "make", "```", "text"])]
    [('sh', ['make'])]
    """
    fences = [number for number, line in enumerate(lines) if line.startswith("```")]
    if len(fences) % 2:
        raise CannotRunError(f"README.md:{fences[-1] + 1}: this block is not closed")
    return [
        Block(
            language=lines[first].removeprefix("```").strip(),
            first=first + 1,
            last=last,
            lines=[*lines[first + 1 : last]],
        )
        for first, last in zip(fences[::2], fences[1::2], strict=True)
    ]


def shortened(printed: Sequence[str], like: Sequence[str]) -> list[str]:
    """Leave out the paragraphs that the README leaves out.

    Parameters
    ----------
    printed
        All that a command prints.
    like
        What the README has now: the numbers of paragraphs before and after its ``…`` are kept.

    Examples
    --------
    >>> shortened(["a", "b", "", "c", "", "d", "", "e"], ["A", "", "…", "", "E"])
    ['a', 'b', '', '…', '', 'e']
    """
    if LEFT_OUT not in like:
        return [*printed]
    place = [*like].index(LEFT_OUT)
    before, after = (len(_paragraphs(part)) for part in (like[:place], like[place + 1 :]))
    paragraphs = _paragraphs(printed)
    if before + after >= len(paragraphs):
        return [*printed]
    kept = [*paragraphs[:before], [LEFT_OUT], *paragraphs[len(paragraphs) - after :]]
    return [line for paragraph in kept for line in ["", *paragraph]][1:]


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    return [[*part] for has_text, part in groupby(lines, bool) if has_text]


class Runner:
    """Runs commands in a folder of their own.

    Parameters
    ----------
    folder
        Where; it holds the README's files.
    timed
        True if the seconds that a run took will be printed: they are then those of a second run, after which nothing
        had to be compiled.
    """

    def __init__(self, folder: Path, *, timed: bool) -> None:
        self._folder = folder
        self._timed = timed
        # The stressim beside this interpreter, and output as it is where stdout is a file and characters are Unicode.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
        dropped = ("NO_COLOR", "FORCE_COLOR", "NUMBA_DISABLE_JIT", "PYTHONPATH")
        kept = {name: value for name, value in os.environ.items() if name not in dropped}
        self._environment = kept | {
            "PATH": path,
            "LC_ALL": "C.UTF-8",
            "PYTHONUTF8": "1",
            "TERM": "xterm",
            "COLUMNS": "80",
        }
        self.run = functools.cache(self._run)

    def _run(self, command: str, status_before: int) -> tuple[list[str], int]:
        lines, status = self._run_once(command, status_before)
        if self._timed and _ELAPSED.search("\n".join(lines)):
            return self._run_once(command, status_before)
        return lines, status

    def _run_once(self, command: str, status_before: int) -> tuple[list[str], int]:
        try:
            done = subprocess.run(
                ["bash", "-c", f"(exit {status_before})\n{command}"],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=LONGEST,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotRunError(f"{command}: {error}") from None
        return done.stdout.decode("utf-8", "replace").splitlines(), done.returncode

    def outputs(self, session: Sequence[Printed]) -> Iterator[tuple[Printed, list[str]]]:
        """Run the commands of a block; one that fails must have ``echo $?`` after it."""
        status = 0
        for place, printed in enumerate(session):
            lines, status = self.run(printed.command, status if printed.command == "echo $?" else 0)
            foreseen = place + 1 < len(session) and session[place + 1].command == "echo $?"
            if status < 0 or status > 125 or (status and not foreseen):
                last = lines[-1] if lines else "it prints nothing"
                raise CannotRunError(f"README.md:{printed.line}: {printed.command}: status {status}: {last}")
            yield printed, shortened(lines, printed.lines)


def moved(printed: Printed, now: Sequence[str]) -> list[tuple[str, str, str]]:
    """Compare an output with what the README has, but for the seconds that a run took.

    Returns
    -------
    list of (str, str, str)
        Place, committed text and text now of each stretch of lines that differs.

    Examples
    --------
    >>> moved(Printed(command="say", line=7, lines=["one · 1.5 s", "two"]), ["one · 0.3 s", "three"])
    [('README.md:9', 'two', 'three')]
    """
    committed, new = (_ELAPSED.sub(" · … s", "\n".join(lines)).split("\n") for lines in (printed.lines, now))
    found = []
    for tag, first, last, new_first, new_last in difflib.SequenceMatcher(None, committed, new, False).get_opcodes():
        if tag != "equal":
            for row in range(max(last - first, new_last - new_first)):
                old_line = committed[first + row] if first + row < last else ""
                new_line = new[new_first + row] if new_first + row < new_last else ""
                found.append((f"README.md:{printed.line + 1 + min(first + row, last)}", old_line, new_line))
    return found


def regenerate(root: Path, *, check: bool) -> tuple[list[tuple[str, str, str]], int]:
    """Run everything in the README of a repository.

    Parameters
    ----------
    root
        The repository's folder.
    check
        True to compare only; otherwise README and pictures are written where they differ.

    Returns
    -------
    list of (str, str, str), int
        What differed, as in :func:`moved`, and how many outputs and pictures were compared.
    """
    readme = root / "README.md"
    lines = readme.read_text(encoding="utf-8").splitlines()
    blocks = blocks_of(lines)
    differing: list[tuple[str, str, str]] = []
    compared = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / PICTURES).mkdir(parents=True)
        for block in blocks:
            if block.language == "toml" and block.lines and (given := _FILE.fullmatch(block.lines[0])):
                (folder / given[1]).write_text("".join(f"{line}\n" for line in block.lines), encoding="utf-8")
        runner = Runner(folder, timed=not check)
        fresh: list[str] = []
        copied = 0
        for block in blocks:
            if block.language == "console":
                fresh += lines[copied : block.first]
                copied = block.last
                for printed, now in runner.outputs(block.session()):
                    compared += 1
                    differing += moved(printed, now)
                    fresh += [f"$ {printed.command}", *now]
        fresh += lines[copied:]
        drawn = sorted(path.relative_to(folder) for path in (folder / PICTURES).iterdir())
        for picture in drawn:
            compared += 1
            new, place = (folder / picture).read_bytes(), root / picture
            old = place.read_bytes() if place.is_file() else b""
            if new != old:
                differing.append((str(picture), f"{len(old):,} bytes", f"{len(new):,} bytes, others"))
                if not check:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_bytes(new)
    for linked in _LINKED.findall("\n".join(lines)):
        if linked.startswith(str(PICTURES)) and Path(linked) not in drawn:
            raise CannotRunError(f"README.md shows {linked}, and no command in it draws that")
    if differing and not check:
        readme.write_text("".join(f"{line}\n" for line in fresh), encoding="utf-8")
    return differing, compared


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the command line and return its status."""
    parser = argparse.ArgumentParser(description="Make the outputs and pictures in README.md again.")
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 if something has moved")
    check = parser.parse_args(arguments).check
    try:
        differing, compared = regenerate(root, check=check)
        if not compared:
            raise CannotRunError("README.md holds no command, so nothing was compared")
    except (CannotRunError, OSError) as error:
        print(f"regenerate: {error}", file=sys.stderr)
        return 2
    for place, old, new in differing:
        print(f"{place}\n  committed  {old[:SHOWN]}\n  now        {new[:SHOWN]}")
    if not differing:
        print(f"{compared} outputs and pictures compared: all follow")
        return 0
    print(f"{compared} outputs and pictures compared, {len(differing)} lines or pictures have moved", end="")
    print(": make readme updates them" if check else " and are updated")
    return 1 if check else 0


if __name__ == "__main__":
    sys.exit(main())
