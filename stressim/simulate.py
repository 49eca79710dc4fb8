"""Play many deals and count them: the pipeline from rules and players to a result.

Deals are played in shards by a pool of threads; the kernels let the interpreter go. A deal depends on the seed and
its number alone and tallies add up exactly, so neither shards nor threads change a result. Shards are counted in
order: what has been counted is always the deals from 0 to some number, which a later run can go on from.
"""

from __future__ import annotations

import importlib
import itertools
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from stressim._version import __version__
from stressim.errors import InputError
from stressim.estimates import Estimate, estimate_all
from stressim.family import Family, family_named
from stressim.intervals import z_value
from stressim.lowering import Lowered, TimingMode, lower
from stressim.players.player import Player
from stressim.players.resolve import describe_player
from stressim.rulesfile import LoadedRules
from stressim.tally import Tally

MAX_DEALS = 10**12
MAX_SEED = 2**64 - 1
MAX_JOBS = 1024

SHARD = 16_384  # 5 MB of rows a thread; a shard takes some 40 ms, short enough to stop at
_FIRST_SHARD = 256  # compiles the kernel, if that is still to be done, before threads start to wait for it


@dataclass(frozen=True, kw_only=True)
class Result:
    """What came of a run, and everything needed to run it again.

    Parameters
    ----------
    rules, players, timing, seed
        What was played.
    tally
        All that was counted.
    confidence
        Of the intervals.
    """

    rules: LoadedRules
    players: tuple[Player, ...]
    timing: TimingMode
    seed: int
    tally: Tally
    confidence: float = 0.95

    @property
    def family(self) -> Family:
        """The family of games."""
        return self.rules.family

    @property
    def deals(self) -> int:
        """How many deals were played: those numbered 0 to ``deals - 1``."""
        return self.tally.n_deals

    @property
    def has_clock(self) -> bool:
        """Whether times mean anything."""
        return self.timing != TimingMode.UNIFORM

    @cached_property
    def estimates(self) -> Mapping[str, Estimate]:
        """Estimates by metric, in the family's order; those that cannot be estimated are absent."""
        return estimate_all(
            self.family,
            self.tally,
            clock=self.has_clock,
            n_players=len(self.players),
            confidence=self.confidence,
        )

    @property
    def manifest(self) -> dict[str, Any]:
        """What was played, in plain values: the same for any number of jobs."""
        return {
            "rules": self.rules.options.model_dump(mode="json"),
            "rules_hash": self.rules.rules_hash,
            "players": [describe_player(player) for player in self.players],
            "timing": self.timing.word,
            "seed": self.seed,
            "deals": self.deals,
            "behaviour": behaviour_of(self.family),
            "version": __version__,
        }


class Interrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C.

    Parameters
    ----------
    result
        The deals counted until then; they are the first ones, as if no more had been asked for.
    """

    def __init__(self, result: Result) -> None:
        super().__init__(f"stopped after {result.deals} deals")
        self.result = result


def simulate(
    rules: LoadedRules,
    players: Sequence[Player],
    timing: TimingMode | str = TimingMode.HUMAN,
    *,
    deals: int = 100_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
    shard: int = SHARD,
    progress: Callable[[Tally], None] | None = None,
    executor: Executor | None = None,
) -> Result:
    """Play deals and count them.

    Parameters
    ----------
    rules, players, timing
        What is played.
    deals
        How many deals.
    seed
        Deals of one seed are the same for all rules and players.
    jobs
        Threads; None for one on each processor. It never changes the result.
    confidence
        Of the intervals.
    shard
        Deals played at a time by one thread. It never changes the result.
    progress
        Called with the tally so far whenever a shard has been counted, in the calling thread.
    executor
        Where shards are played instead of in threads; its workers import this package.

    Raises
    ------
    InputError
        If a number is out of range.
    Interrupted
        On Ctrl-C, with the result so far. If nothing has been counted yet, the KeyboardInterrupt passes as it is.
    """
    _check("deals", deals, 1, MAX_DEALS)
    _check("seed", seed, 0, MAX_SEED)
    _check("shard", shard, 1, 1 << 24)
    jobs = _default_jobs() if jobs is None else jobs
    _check("jobs", jobs, 1, MAX_JOBS)
    z_value(confidence)
    try:
        timing = TimingMode.parse(timing)
    except ValueError as error:
        raise InputError(f"timing = {timing!r} {error}") from None
    family = rules.family
    lowered = lower(rules.options, players, timing)

    def result_of(tally: Tally) -> Result:
        return Result(rules=rules, players=tuple(players), timing=timing, seed=seed, tally=tally, confidence=confidence)

    total = Tally.empty(family)
    # A shard is dropped from here only after the total has it, so an interrupt at any moment loses or doubles nothing:
    # the total's number of deals says which shards it holds.
    waiting: deque[tuple[int, Future[Tally]]] = deque()
    try:
        if executor is None:
            total += play_shard(family.name, lowered, seed, 0, min(deals, _FIRST_SHARD))
        with _pool(executor, jobs) as pool:
            try:
                for first, last in itertools.chain(_shards(total.n_deals, deals, shard), [(deals, deals)]):
                    if first < last:
                        waiting.append((first, pool.submit(play_shard, family.name, lowered, seed, first, last)))
                    # Two shards for each thread keep all of them busy; more would only fill memory.
                    while waiting and (len(waiting) >= 2 * jobs or first == last):
                        total += waiting[0][1].result()
                        waiting.popleft()
                        if progress is not None:
                            progress(total)
            except KeyboardInterrupt:
                total = _finish(total, waiting)
                raise
    except KeyboardInterrupt:
        if not total.n_deals:
            raise
        raise Interrupted(result_of(total)) from None
    return result_of(total)


def play_shard(family_name: str, lowered: Lowered, seed: int, first: int, last: int) -> Tally:
    """Play the deals from ``first`` to before ``last`` and count them.

    The family goes by its name so that a worker on another machine can be sent the call.
    """
    family = family_named(family_name)
    rows = np.zeros((last - first, len(family.columns)), np.int64)
    family.play_deals(lowered, seed, first, rows)
    return Tally.of_rows(family, rows)


def behaviour_of(family: Family) -> int:
    """Return the version of a family's behaviour: results of one seed change only with it."""
    return int(importlib.import_module(f"stressim.{family.name}.play").BEHAVIOUR)


def _shards(first: int, last: int, shard: int) -> Iterator[tuple[int, int]]:
    for start in range(first, last, shard):
        yield start, min(start + shard, last)


@contextmanager
def _pool(executor: Executor | None, jobs: int) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="stressim")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _finish(total: Tally, waiting: deque[tuple[int, Future[Tally]]]) -> Tally:
    """Count the shards that have begun, in order, and give up the others."""
    for _, future in reversed(waiting):
        future.cancel()
    for first, future in waiting:
        if future.cancelled() or first > total.n_deals or future.exception() is not None:
            break
        if first == total.n_deals:
            total += future.result()
    return total


def _check(name: str, given: int, low: int, high: int) -> None:
    if not low <= given <= high:
        raise InputError(f"{name} = {given} is not possible: it must be a whole number from {low} to {high}")


def _default_jobs() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
