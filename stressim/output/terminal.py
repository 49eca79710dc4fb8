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
    from stressim.lowering import TimingMode
    from stressim.output.text import Line
    from stressim.tally import Tally
    from stressim.targets import Target

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


SHOW_EVERY = 0.2
LOG_EVERY = 30.0
"""Seconds between two signs of life: on a terminal, and in the log of a continuous integration."""


@contextlib.contextmanager
def progress(
    family: Family, deals: int, confidence: float, target: Target | None = None, timing: TimingMode | None = None
) -> Iterator[Callable[[Tally], None] | None]:
    """Show on standard error how far a run is and how its interval narrows; None where nobody watches.

    On a terminal a bar with rate and time left; a line now and then where ``CI`` is set in the environment; nothing in
    a pipe or a file.
    """
    if is_terminal(sys.stderr) and not is_plain(sys.stderr):
        with _bar(family, deals, confidence, target, timing) as update:
            yield update
    elif _in_ci():
        yield _lines(family, deals, confidence, target, timing)
    else:
        yield None


@contextlib.contextmanager
def _bar(
    family: Family, deals: int, confidence: float, target: Target | None, timing: TimingMode | None
) -> Iterator[Callable[[Tally], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    # Nobody knows beforehand how many deals a target takes.
    known = [TextColumn("of {task.total:,.0f} deals"), TimeRemainingColumn(compact=True)]
    shown = Progress(
        BarColumn(20),
        TextColumn("{task.completed:,.0f}"),
        *([TextColumn("deals")] if target is not None else known),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
        transient=True,
    )
    task = shown.add_task("", total=None if target is not None else deals)
    pace = _Pace(SHOW_EVERY)

    def update(tally: Tally) -> None:
        if pace.is_due(tally.n_deals) or tally.n_deals == deals:
            told = f"{pace.rate} {_narrowing(family, tally, confidence, target, timing)}"
            shown.update(task, completed=tally.n_deals, description=told)

    with shown:
        yield update


def _lines(
    family: Family, deals: int, confidence: float, target: Target | None, timing: TimingMode | None
) -> Callable[[Tally], None]:
    pace = _Pace(LOG_EVERY)

    def update(tally: Tally) -> None:
        if pace.is_due(tally.n_deals):
            of = "" if target is not None else f" of {deals:,}"
            narrowing = _narrowing(family, tally, confidence, target, timing)
            say(f"stressim: {tally.n_deals:,}{of} deals {pace.rate} {narrowing}".rstrip())

    return update


def rate_text(per_second: float) -> str:
    """Say how fast things go by.

    Examples
    --------
    >>> rate_text(153_200.4), rate_text(3.2), rate_text(0.21)
    ('153,200/s', '3/s', '13/min')
    """
    return f"{per_second:,.0f}/s" if per_second >= 1 else f"{60 * per_second:,.0f}/min"


class _Pace:
    """When something is to be shown again, and how fast the deals go by."""

    def __init__(self, every: float) -> None:
        self._every = every
        self._start = time.monotonic()
        self._due = self._start + every
        self._first: int | None = None
        self.rate = ""

    def is_due(self, n_deals: int) -> bool:
        """Whether it is time; the rate is brought up to date then."""
        now = time.monotonic()
        if self._first is None:
            # What a run file held was not played now, and the first shard may have waited for the compiler.
            self._first, self._start = n_deals, now
        if now < self._due:
            return False
        self._due = now + self._every
        if now > self._start:
            self.rate = rate_text((n_deals - self._first) / (now - self._start))
        return True


@contextlib.contextmanager
def counting(total: int) -> Iterator[Callable[[int], None] | None]:
    """Show on standard error how many of so many are done, as :func:`progress` does; None where nobody watches."""
    if is_terminal(sys.stderr) and not is_plain(sys.stderr):
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        shown = Progress(
            BarColumn(20),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
            TextColumn("{task.description}"),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
            transient=True,
        )
        task = shown.add_task("", total=total)
        pace = _Pace(SHOW_EVERY)

        def update(done: int) -> None:
            if pace.is_due(done) or done == total:
                shown.update(task, completed=done, description=pace.rate)

        with shown:
            yield update
    elif _in_ci():
        log = _Pace(LOG_EVERY)

        def tell(done: int) -> None:
            if log.is_due(done):
                say(f"stressim: {done:,} of {total:,} {log.rate}")

        yield tell
    else:
        yield None


def is_watched() -> bool:
    """Whether somebody reads standard error while a command runs: at a terminal, or in the log of a CI run."""
    return is_terminal(sys.stderr) or _in_ci()


def _in_ci() -> bool:
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def _narrowing(
    family: Family, tally: Tally, confidence: float, target: Target | None, timing: TimingMode | None
) -> str:
    from stressim.estimates import estimate_all
    from stressim.output.phrases import number_and_interval

    clock = target is not None and timing is not None and timing.word != "uniform"
    found = estimate_all(family, tally, clock=clock, confidence=confidence)
    name = _NARROWS if target is None else target.metric.name
    estimate = found.get(name)
    if estimate is None:
        return ""
    told = number_and_interval(estimate.metric, estimate.estimate, estimate.low, estimate.high)[1]
    if target is None:
        return f"{name} {told}"
    half_width = target.half_width(found)
    if half_width is None:
        return f"{name} {told}"
    now, wanted = (f"{100 * x:.2g} %" if target.relative else f"{x:.2g}" for x in (half_width, target.width))
    return f"{name} ±{now}, wanted ±{wanted}"


def _encodes(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
