"""What depends on where output goes: characters, colours, progress, and pipes that close."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

from stressim.errors import InputError

if TYPE_CHECKING:
    from stressim.family import Family
    from stressim.output.text import Line
    from stressim.tally import Tally

_ASCII = str.maketrans(
    {"·": "-", "–": "-", "—": "-", "…": "...", "×": "x", "±": "+/-", "“": '"', "”": '"', "’": "'"}
    | dict(zip("▁▂▃▄▅▆▇█", "_.,-=+*#", strict=True))
)
_STYLES = {"headline": "bold", "heading": "dim", "command": "cyan"}
_LABEL_STYLE = "bold"
_NARROWS = "stalls"
"""The metric whose interval is shown while it narrows; every family has it."""


def is_plain(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a stream should get plain ASCII: its encoding has no more, or NO_COLOR or TERM=dumb asks for it."""
    if environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return True
    try:
        "·▁█±".encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return True
    return False


def to_ascii(text: str) -> str:
    """Write text in ASCII characters only.

    >>> to_ascii("swedish · 6.7 ± 0.1 ▁▄█ ø")
    'swedish - 6.7 +/- 0.1 _-# ?'
    """
    return text.translate(_ASCII).encode("ascii", "replace").decode("ascii")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody watches a stream."""
    return stream is not None and not stream.closed and stream.isatty()


def write(text: str) -> None:
    """Write a whole result to standard output.

    Raises
    ------
    InputError
        If it is closed, full or its reader has gone.
    """
    stream = sys.stdout
    if stream is None or stream.closed:
        raise InputError("standard output is closed, so the result could not be written")
    try:
        stream.write(to_ascii(text) if not _encodes(stream, text) else text)
        stream.flush()
    except OSError as error:
        # What is left in the buffer would be tried once more at the end of the program.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        gone = isinstance(error, BrokenPipeError)
        reason = "its reader has gone" if gone else error.strerror or type(error).__name__
        raise InputError(f"the result could not be written to standard output: {reason}") from None


def write_lines(lines: Sequence[Line]) -> None:
    """Write a text result: in colour on a terminal, otherwise plain."""
    if is_terminal(sys.stdout) and not is_plain(sys.stdout):
        from rich.console import Console
        from rich.text import Text

        console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
        for line in lines:
            styled = Text(line.text, style=_STYLES.get(line.kind, ""))
            if line.kind == "sentence":
                styled.stylize(_LABEL_STYLE, 0, 12)
            console.print(styled)
        return
    text = "".join(f"{line.text}\n" for line in lines)
    write(to_ascii(text) if sys.stdout is not None and is_plain(sys.stdout) else text)


def say(text: str) -> None:
    """Write a line to standard error."""
    if sys.stderr is not None and not sys.stderr.closed:
        line = to_ascii(text) if is_plain(sys.stderr) else text
        with contextlib.suppress(OSError):
            print(line, file=sys.stderr, flush=True)


@contextlib.contextmanager
def progress(family: Family, deals: int, confidence: float) -> Iterator[Callable[[Tally], None] | None]:
    """Show on standard error how far a run is and how its interval narrows; None where nobody watches."""
    if not is_terminal(sys.stderr) or is_plain(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    shown = Progress(
        BarColumn(20),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} deals"),
        TextColumn("{task.description}"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
    )
    task = shown.add_task("", total=deals)
    due = 0.0

    def update(tally: Tally) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due or tally.n_deals == deals:
            due = now + 0.2
            shown.update(task, completed=tally.n_deals, description=_narrowing(family, tally, confidence))

    with shown:
        yield update


@contextlib.contextmanager
def counting(total: int) -> Iterator[Callable[[int], None] | None]:
    """Show on standard error how many of so many deals are done; None where nobody watches."""
    if not is_terminal(sys.stderr) or is_plain(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    shown = Progress(
        BarColumn(20),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
    )
    task = shown.add_task("", total=total)
    with shown:
        yield lambda done: shown.update(task, completed=done)


def _narrowing(family: Family, tally: Tally, confidence: float) -> str:
    from stressim.estimates import estimate_all
    from stressim.output.phrases import number_and_interval

    estimate = estimate_all(family, tally, clock=False, confidence=confidence).get(_NARROWS)
    if estimate is None:
        return ""
    return f"{_NARROWS} {number_and_interval(estimate.metric, estimate.estimate, estimate.low, estimate.high)[1]}"


def _encodes(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
