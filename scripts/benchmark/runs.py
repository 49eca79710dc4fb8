"""Runs that are repeated and set against one another.

What is compared alternates within one run, so that whatever else the machine does strikes all alike. Processor time of
a thread is the measure where one thread does the work: it leaves out what others take, though not what they slow down.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)


def alternating(
    calls: Mapping[Key, Callable[[], Any]], runs: int, clock: Callable[[], float] = time.thread_time
) -> dict[Key, list[float]]:
    """Time calls in turn.

    Parameters
    ----------
    calls
        What to call, by name.
    runs
        How often each is called.
    clock
        Seconds; the difference of two readings is what a call takes.

    Returns
    -------
    dict
        Seconds of each run, by name.
    """
    spent: dict[Key, list[float]] = {name: [] for name in calls}
    for _ in range(runs):
        for name, call in calls.items():
            begin = clock()
            call()
            spent[name].append(clock() - begin)
    return spent


def median_ratio(above: list[float], below: list[float]) -> float:
    """Return the median of the ratios of the runs that stood side by side."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


def deals_for(play: Callable[[int], Any], seconds: float) -> int:
    """Return how many deals take about this long; ``play`` plays a number of deals."""
    play(1)  # loads the compiled code, or compiles it
    n = 128
    while True:
        begin = time.thread_time()
        play(n)
        spent = time.thread_time() - begin
        if spent > seconds / 8:
            return max(128, round(n * seconds / spent))
        n *= 4
