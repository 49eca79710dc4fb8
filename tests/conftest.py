"""What all tests share: the table of faults at the end of a run."""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest

# What is started in the background by a shell ignores Ctrl-C, and so would all that tests start and interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How output looks hangs on these. A run of the tests in CI, or in a terminal with habits of its own, is to print what
# every other run prints; tests of one of these names set it themselves.
for _name in ("CI", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
    os.environ.pop(_name, None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was tried by the tests of bad input, and how it ended."""
    tried: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for report in terminalreporter.getreports(""):  # of the teardowns, when all has been tried
        for name, value in report.user_properties:
            if name == "faults":
                what = report.nodeid.split("::test_faults__")[-1].split("[")[0].replace("_", " ")
                tried[what] += value[0]
                refused[what] += value[1]
    if tried:
        terminalreporter.section("bad input: none gave a traceback or hung")
        for what, n in tried.most_common():
            terminalreporter.write_line(
                f"{n:>7,} tried {refused[what]:>7,} refused {n - refused[what]:>6,} in order   {what}"
            )
