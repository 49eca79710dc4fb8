"""Play the same deals under several rules or players at once: shards in threads, counted in order.

A shard of deals is played by every variant before the next one is taken up, and only sums are kept: memory does not
grow, and what has been counted is always the deals from 0 to some number.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np

from stressim.errors import InputError
from stressim.simulate import MAX_DEALS, MAX_JOBS, MAX_SEED

if TYPE_CHECKING:
    from stressim.family import Family
    from stressim.lowering import Lowered

SHARD = 8192
"""Deals that a thread plays under all variants before it counts them."""

_FIRST_SHARD = 256  # compiles the kernel, if that is still to be done, before threads start to wait for it


class Countable(Protocol):
    """What has been counted of some deals: adding the next ones gives what there is of all."""

    @property
    def n_deals(self) -> int:
        """How many deals."""
        ...

    def __add__(self, other: Any, /) -> Self: ...


CountT = TypeVar("CountT", bound=Countable)


def play_rows(family: Family, lowered: Lowered, seed: int, first: int, last: int) -> np.ndarray:
    """Return the rows of the deals from ``first`` to before ``last``: int64, shape ``(deals, columns)``."""
    rows = np.zeros((last - first, len(family.columns)), np.int64)
    family.play_deals(lowered, seed, first, rows)
    return rows


def check_run(deals: int, seed: int, jobs: int | None) -> int:
    """Refuse impossible numbers; return the number of threads.

    Raises
    ------
    InputError
        If a number is out of range.
    """
    for name, given, low, high in (
        ("deals", deals, 1, MAX_DEALS),
        ("seed", seed, 0, MAX_SEED),
        ("jobs", 1 if jobs is None else jobs, 1, MAX_JOBS),
    ):
        if not low <= given <= high:
            raise InputError(f"{name} = {given} is not possible: it must be a whole number from {low} to {high}")
    if jobs is not None:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_deals(
    count: Callable[[int, int], CountT],
    deals: int,
    jobs: int,
    *,
    shard: int = SHARD,
    enough: Callable[[CountT], bool] | None = None,
    progress: Callable[[CountT], None] | None = None,
) -> tuple[CountT, bool]:
    """Count deals shard by shard.

    Parameters
    ----------
    count
        Counts the deals from one number to before another; called in threads.
    deals
        How many deals at most.
    jobs
        Threads. They never change the result.
    shard
        Deals in a call. It changes the result only through ``enough``, which is asked after each.
    enough
        Whether what has been counted is enough.
    progress
        Called with what has been counted, in the calling thread.

    Returns
    -------
    total
        What has been counted.
    stopped
        Whether Ctrl-C ended it; if nothing had been counted, KeyboardInterrupt passes.
    """
    total = count(0, min(deals, _FIRST_SHARD))
    waiting: deque[Future[CountT]] = deque()
    bounds = _bounds(total.n_deals, deals, shard)
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="stressim")
    try:
        while enough is None or not enough(total):
            # Two shards for each thread keep all of them busy; more would only fill memory.
            while len(waiting) < 2 * jobs and (bound := next(bounds, None)) is not None:
                waiting.append(pool.submit(count, *bound))
            if not waiting:
                break
            total = total + waiting.popleft().result()
            if progress is not None:
                progress(total)
    except KeyboardInterrupt:
        return total, True
    finally:
        pool.shutdown(cancel_futures=True)
    return total, False


def _bounds(first: int, last: int, shard: int) -> Iterator[tuple[int, int]]:
    for start in range(first, last, shard):
        yield start, min(start + shard, last)
