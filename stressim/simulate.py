"""Play many deals and count them: the pipeline from rules and players to a result.

Deals are played in shards by a pool of threads; the kernels let the interpreter go. A deal depends on the seed and
its number alone and tallies add up exactly, so neither shards nor threads change a result. Shards are counted in
order: what has been counted is always the deals from 0 to some number, which a later run can go on from.
"""

from __future__ import annotations

import operator
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from stressim._version import __version__
from stressim.errors import InputError
from stressim.estimates import Estimate, estimate_all
from stressim.family import Family, family_named
from stressim.intervals import z_value
from stressim.lowering import Lowered, TimingMode, lower
from stressim.matches import Matches, Results, results_of
from stressim.matchrules import MatchRules, match_rules
from stressim.optiontext import word
from stressim.players.player import Player
from stressim.players.resolve import describe_player
from stressim.rulesfile import LoadedRules
from stressim.tally import Tally
from stressim.targets import Target, looks

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
    matches
        The matches that the deals make, if the rules have a match format.
    """

    rules: LoadedRules
    players: tuple[Player, ...]
    timing: TimingMode
    seed: int
    tally: Tally
    confidence: float = 0.95
    matches: Matches | None = None

    def __repr__(self) -> str:
        """Say what was played: all that was counted would fill pages of a notebook."""
        return f"<{self.rules.heading}: {self.deals:,} deals, {word(self.timing)} timing, seed {self.seed}>"

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
            matches=None if self.matches is None else self.matches.tally,
        )

    @property
    def manifest(self) -> dict[str, Any]:
        """What was played, in plain values: the same for any number of jobs."""
        return manifest_of(self.rules, self.players, self.timing, self.seed, self.deals)


def manifest_of(
    rules: LoadedRules, players: Sequence[Player], timing: TimingMode, seed: int, deals: int = 0
) -> dict[str, Any]:
    """Return what is or was played, in plain values."""
    return {
        "rules": rules.options.model_dump(mode="json"),
        "rules_hash": rules.rules_hash,
        "players": [describe_player(player) for player in players],
        "timing": timing.word,
        "seed": seed,
        "deals": deals,
        "behaviour": behaviour_of(rules.family),
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


class WorkersLost(RuntimeError):
    """An executor could not play a shard.

    Parameters
    ----------
    reason
        What it says.
    result
        The deals counted until then, as in :class:`Interrupted`.
    """

    def __init__(self, reason: str, result: Result) -> None:
        super().__init__(reason)
        self.result = result


@dataclass(frozen=True, kw_only=True)
class Shard:
    """Deals that were played in one go.

    Parameters
    ----------
    first
        Number of the first one.
    tally
        What was counted.
    rows
        The deals themselves, int64, shape ``(deals, columns)``, if they were asked for.
    results
        Who won them, if they make matches.
    """

    first: int
    tally: Tally
    rows: np.ndarray | None = None
    results: Results | None = None


@dataclass(frozen=True, kw_only=True)
class Played:
    """What makes deals: everything a worker must be sent, and the version that it must have.

    Parameters
    ----------
    family
        Name of the family.
    lowered, seed
        Rules, players and seed.
    version, behaviour
        Of the package and of the family here: another version elsewhere might play other deals.
    with_rows
        Whether the rows are wanted.
    match_rules
        How the deals make matches, if they do.
    """

    family: str
    lowered: Lowered
    seed: int
    version: str
    behaviour: int
    with_rows: bool = False
    match_rules: MatchRules | None = None


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
    progress: Callable[[Result], None] | None = None,
    executor: Executor | None = None,
    start: Tally | None = None,
    matches: Matches | None = None,
    until: Target | None = None,
    max_time: float | None = None,
    each_shard: Callable[[Shard], None] | None = None,
) -> Result:
    """Play deals and count them.

    Parameters
    ----------
    rules, players, timing
        What is played.
    deals
        How many deals; the most that are played if ``until`` is given.
    seed
        Deals of one seed are the same for all rules and players.
    jobs
        Threads, or workers of ``executor``; None for one on each processor. It never changes the result.
    confidence
        Of the intervals.
    shard
        Deals played at a time by one thread. It never changes the result.
    progress
        Called with the result so far whenever a shard has been counted, in the calling thread.
    executor
        Where shards are played instead of in threads; its workers import this package, in the same version.
    start
        The tally of the first deals if they have been played before: the run goes on from there.
    matches
        With ``start``: the matches of these deals, if they make matches.
    until
        The run ends when an interval is as narrow as this. It looks after fixed numbers of deals, so the result is
        the same for any ``jobs`` and after any interruption.
    max_time
        Seconds after which the run ends with what has been counted.
    each_shard
        Called with every shard in order, with its rows, in the calling thread; for threads only.

    Raises
    ------
    InputError
        If a number is out of range, or a worker has another version of the package.
    Interrupted
        On Ctrl-C, with the result so far. If nothing has been counted yet, the KeyboardInterrupt passes as it is.
    WorkersLost
        If the executor fails, with the result so far.
    """
    _check("deals", deals, 1, MAX_DEALS)
    _check("seed", seed, 0, MAX_SEED)
    _check("shard", shard, 1, 1 << 24)
    jobs = _default_jobs() if jobs is None else jobs
    _check("jobs", jobs, 1, MAX_JOBS)
    z_value(confidence)
    if max_time is not None and not max_time > 0:
        raise InputError(f"max_time = {max_time} is not possible: it must be a number of seconds above 0")
    try:
        timing = TimingMode.parse(timing)
    except ValueError as error:
        raise InputError(f"timing = {timing!r} {error}") from None
    family = rules.family
    played = Played(
        family=family.name,
        lowered=lower(rules.options, players, timing),
        seed=seed,
        version=__version__,
        behaviour=behaviour_of(family),
        with_rows=each_shard is not None,
        match_rules=match_rules(rules.options),
    )
    if matches is None and played.match_rules is not None:
        matches = Matches(rules=played.match_rules)
    result = Result(
        rules=rules,
        players=tuple(players),
        timing=timing,
        seed=seed,
        tally=Tally.empty(family) if start is None else start,
        confidence=confidence,
        matches=matches,
    )
    if result.deals > deals:
        raise InputError(f"deals = {deals:,} are fewer than the {result.deals:,} that have been played already")
    run = _Run(result, played, max_time, progress, each_shard)
    try:
        if executor is None and not run.result.deals:
            run.count(play_shard(played, 0, min(deals, _FIRST_SHARD)))
        with _pool(executor, jobs) as pool:
            for look in looks(deals) if until is not None else (deals,):
                if run.result.deals > look:
                    continue
                run.play(pool, look, shard, jobs)
                if run.is_over or (until is not None and until.is_reached(run.result.tally, run.result.estimates)):
                    break
    except KeyboardInterrupt:
        if not run.result.deals:
            raise
        raise Interrupted(run.result) from None
    return run.result


class _Run:
    """A run under way: what has been counted, and the shards that are being played."""

    def __init__(
        self,
        result: Result,
        played: Played,
        max_time: float | None,
        progress: Callable[[Result], None] | None,
        each_shard: Callable[[Shard], None] | None,
    ) -> None:
        self.result = result
        self._played = played
        self._end = None if max_time is None else time.monotonic() + max_time
        self._progress = progress
        self._each_shard = each_shard
        # A shard is dropped from here only after the result has it, so an interrupt at any moment loses or doubles
        # nothing: the result's number of deals says which shards it holds.
        self._waiting: deque[Future[Shard]] = deque()

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and time.monotonic() >= self._end

    def play(self, pool: Executor, last: int, shard: int, jobs: int) -> None:
        """Play the deals that are missing up to number ``last``, or until the time is up."""
        try:
            for first, end in _shards(self.result.deals, last, shard):
                self._waiting.append(pool.submit(play_shard, self._played, first, end))
                # Two shards for each thread keep all of them busy; more would only fill memory.
                while len(self._waiting) >= 2 * jobs:
                    self._count_first()
                if self.is_over:
                    self._finish()
                    return
            while self._waiting:
                self._count_first()
        except KeyboardInterrupt:
            self._finish()
            raise
        except InputError:
            raise
        except Exception as error:
            # Whatever an executor raises when it has lost its workers; a shard's own errors are ours to see.
            if isinstance(pool, ThreadPoolExecutor):
                raise
            self._waiting.clear()
            raise WorkersLost(f"{type(error).__name__}: {error}", self.result) from error

    def count(self, shard: Shard) -> None:
        """Add a shard to the result; it must be the next one."""
        if shard.first != self.result.deals:
            return
        if self._each_shard is not None:
            self._each_shard(shard)
        matches = self.result.matches
        if matches is not None and shard.results is not None:
            matches = matches.after(shard.results)
        self.result = replace(self.result, tally=self.result.tally + shard.tally, matches=matches)
        if self._progress is not None:
            self._progress(self.result)

    def _count_first(self) -> None:
        self.count(self._waiting[0].result())
        self._waiting.popleft()

    def _finish(self) -> None:
        """Count the shards that have begun, in order, and give up the others."""
        self._progress = None
        for future in reversed(self._waiting):
            future.cancel()
        for future in self._waiting:
            if future.cancelled() or future.exception() is not None:
                break
            self.count(future.result())
        self._waiting.clear()


def play_shard(played: Played, first: int, last: int) -> Shard:
    """Play the deals from ``first`` to before ``last`` and count them.

    All that it needs comes with the call, so that a worker on another machine can be sent it.

    Raises
    ------
    InputError
        If the package here has another version than where the run was started.
    """
    family = family_named(played.family)
    here = (__version__, behaviour_of(family))
    if here != (played.version, played.behaviour):
        raise InputError(
            f"a worker has stressim {here[0]} with behaviour {here[1]} of {played.family}, and the run was started by "
            f"stressim {played.version} with behaviour {played.behaviour}: results would mix"
        )
    tallies = []
    kept = np.empty((last - first if played.with_rows else min(SHARD, last - first), len(family.columns)), np.int64)
    results = []
    for start, end in _shards(first, last, SHARD):
        begin = start - first if played.with_rows else 0
        rows = kept[begin : begin + end - start]
        family.play_deals(played.lowered, played.seed, start, rows)
        tallies.append(Tally.of_rows(family, rows))
        if played.match_rules is not None:
            results.append(results_of(family, played.match_rules, rows))
    return Shard(
        first=first,
        tally=reduce(operator.add, tallies) if tallies else Tally.empty(family),
        rows=kept if played.with_rows else None,
        results=Results.joined(results) if results else None,
    )


def behaviour_of(family: Family) -> int:
    """Return the version of a family's behaviour: results of one seed change only with it."""
    return family.behaviour


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


def _check(name: str, given: int, low: int, high: int) -> None:
    if not low <= given <= high:
        raise InputError(f"{name} = {given} is not possible: it must be a whole number from {low} to {high}")


def _default_jobs() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
