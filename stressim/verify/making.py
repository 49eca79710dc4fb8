"""Making the checks of a plan: what the kernels play one step after the other, what plain Python judges in processes.

Threads do not help plain Python. Steps that are mostly that are made last, when the kernels that they need have been
compiled, each whole in one of several processes.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from stressim.errors import InputError
from stressim.processes import deaf_to_interrupts
from stressim.verify.checks import Check
from stressim.verify.plan import GROUPS, Step

_FEW = 2  # so few steps are not worth processes, which take a second to start


def made(
    steps: Sequence[Step],
    wanted: Sequence[str] = (),
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Check]:
    """Make all checks of a plan, and return them group by group.

    Parameters
    ----------
    steps
        The plan.
    wanted
        Groups of the checks that are made; of all if none is named.
    jobs
        Processes for the steps in plain Python; one for each processor unless given.
    progress
        Called with the number of steps that are done.

    Raises
    ------
    InputError
        If one of the processes is lost.
    """
    n_processes = jobs or os.cpu_count() or 1
    found: dict[int, list[Check]] = {}

    def keep(place: int, checks: list[Check]) -> None:
        found[place] = checks
        if progress is not None:
            progress(len(found))

    plain = [place for place, step in enumerate(steps) if step.plain]
    if n_processes == 1 or len(plain) <= _FEW:
        plain = []
    for place in sorted(set(range(len(steps))) - set(plain)):
        keep(place, list(steps[place].checks(wanted)))
    if plain:
        with _processes(min(n_processes, len(plain))) as pool:
            try:
                for place, checks in _judged(pool, {place: steps[place] for place in plain}, wanted):
                    keep(place, checks)
            except BrokenProcessPool:
                raise InputError(
                    "a process that judged deals was ended from outside, or for want of memory: verify again, with "
                    "fewer --jobs if memory is short"
                ) from None
    checks = [check for place in range(len(steps)) for check in found[place]]
    return sorted(checks, key=lambda check: GROUPS.index(check.group))


def _judged(
    pool: ProcessPoolExecutor, steps: dict[int, Step], wanted: Sequence[str]
) -> Iterator[tuple[int, list[Check]]]:
    waiting: dict[Future[list[Check]], int] = {}
    with deaf_to_interrupts():  # which processes started now inherit: only this one answers Ctrl-C
        for place, step in steps.items():
            waiting[pool.submit(_whole, step, tuple(wanted))] = place
    for done in as_completed(waiting):
        yield waiting[done], done.result()


def _whole(step: Step, wanted: tuple[str, ...]) -> list[Check]:
    return list(step.checks(wanted))


@contextlib.contextmanager
def _processes(n: int) -> Iterator[ProcessPoolExecutor]:
    # Fresh processes: a fork would copy threads of the kernels in the middle of what they do.
    pool = ProcessPoolExecutor(n, mp_context=multiprocessing.get_context("spawn"))
    before = set(multiprocessing.active_children())
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
