"""Playing the deals of a command: from a run file on, with a cluster, a file of deals, a target, and Ctrl-C."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stressim.commands.inputs import STOPPED
from stressim.errors import InputError
from stressim.matchrules import match_rules
from stressim.output import terminal
from stressim.simulate import MAX_DEALS, SHARD, Interrupted, Result, WorkersLost, manifest_of, simulate

if TYPE_CHECKING:
    from stressim.lowering import TimingMode
    from stressim.players.player import Player
    from stressim.rulesfile import LoadedRules
    from stressim.runfile import RunFile
    from stressim.targets import Target

DEALS = 100_000
MOST_DEALS = 1_000_000_000
"""Where a run with a target ends that does not reach it, unless another number is given."""

SAVE_EVERY = 2.0
"""Seconds between two savings of a run file: what a crash costs at most."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """How long a run shall go on, where it is played, and what is kept of it; each None where it was not asked for."""

    deals: int | None = None
    until: Target | None = None
    max_deals: int | None = None
    max_time: float | None = None
    out: Path | None = None
    deals_out: Path | None = None
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.until is not None and self.deals is not None:
            raise InputError("--until and --deals exclude each other; --max-deals bounds a run that has a target")
        if self.until is None and self.max_deals is not None:
            raise InputError("--max-deals bounds a run with --until; without one say --deals")
        if self.max_time is not None and not 0 < self.max_time < 1e9:
            raise InputError(f"--max-time {self.max_time:g} is not possible: it must be a number of seconds above 0")
        if self.scheduler is not None and self.deals_out is not None:
            raise InputError("--deals-out writes deals that are played here, so it does not go with --scheduler")

    @property
    def most(self) -> int:
        """The most deals that are played."""
        if self.until is not None:
            return MOST_DEALS if self.max_deals is None else self.max_deals
        return DEALS if self.deals is None else self.deals


def run(
    rules: LoadedRules,
    players: Sequence[Player],
    timing: TimingMode,
    wanted: Wanted,
    *,
    seed: int,
    jobs: int | None,
    confidence: float,
) -> tuple[Result, int]:
    """Play deals as a command wants them.

    Returns
    -------
    Result, int
        What was counted, and the status so far: 0, 1 if a target was not reached, 2 if something could not be kept,
        130 after Ctrl-C. What was not as wanted has been said on standard error.

    Raises
    ------
    InputError
        If nothing could be played.
    """
    from stressim import cluster, dealsfile, runfile

    family = rules.family
    manifest = manifest_of(rules, players, timing, seed)
    if not 1 <= wanted.most <= MAX_DEALS:
        option = "max-deals" if wanted.until is not None else "deals"
        raise InputError(f"{option} = {wanted.most} is not possible: it must be a whole number from 1 to {MAX_DEALS}")
    status = 0
    with contextlib.ExitStack() as stack:
        kept: RunFile | None = None
        if wanted.out is not None:
            kept = stack.enter_context(
                runfile.opened(wanted.out, family, {"family": family.name, **manifest}, match_rules(rules.options))
            )
            _refuse_what_is_past(kept, wanted)
        each_shard = None
        if wanted.deals_out is not None:
            each_shard = stack.enter_context(dealsfile.opened(wanted.deals_out, family, manifest)).write
        executor: Executor | None = None
        shard = SHARD
        if wanted.scheduler is not None:
            found = stack.enter_context(cluster.connected(wanted.scheduler))
            executor, shard = found.executor, cluster.SHARD
            jobs = found.n_threads if jobs is None else jobs
        saving = _Saving(kept, family.name)
        shown = stack.enter_context(terminal.progress(family, wanted.most, confidence, wanted.until, timing))

        def progress(result: Result) -> None:
            if shown is not None:
                shown(result.tally)
            saving.now_and_then(manifest, result)

        try:
            result = simulate(
                rules,
                players,
                timing,
                deals=wanted.most,
                seed=seed,
                jobs=jobs,
                confidence=confidence,
                shard=shard,
                progress=progress,
                executor=executor,
                start=None if kept is None else kept.tally,
                matches=None if kept is None else kept.matches,
                until=wanted.until,
                max_time=wanted.max_time,
                each_shard=each_shard,
            )
        except Interrupted as interrupted:
            result, status = interrupted.result, STOPPED
        except WorkersLost as lost:
            result, status = lost.result, 2
            terminal.say(f"stressim: --scheduler {wanted.scheduler}: the workers are lost ({_short(str(lost))})")
            if not result.deals:
                raise InputError("no deal has been played") from None
        saving.now(manifest, result)
    if saving.error is not None:
        terminal.say(f"stressim: {saving.error}")
        status = status or 2
    if status == 0 and wanted.until is not None:
        status = _judge_width(wanted.until, result)
    elif status == 0 and result.deals < wanted.most:
        terminal.say(f"stressim: the time was up after {result.deals:,} of {wanted.most:,} deals")
    return result, status


class _Saving:
    """Keeps a run file up to date; a failure is noted, not raised, as the result can still be printed."""

    def __init__(self, file: RunFile | None, family_name: str) -> None:
        self.error: InputError | None = None
        self._file = file
        self._family_name = family_name
        self._due = time.monotonic() + SAVE_EVERY

    def now_and_then(self, manifest: dict[str, object], result: Result) -> None:
        if time.monotonic() >= self._due:
            self.now(manifest, result)
            self._due = time.monotonic() + SAVE_EVERY

    def now(self, manifest: dict[str, object], result: Result) -> None:
        if self._file is None or self.error is not None or result.tally == self._file.tally:
            return
        try:
            kept = {"family": self._family_name, **manifest, "deals": result.deals}
            self._file.save(kept, result.tally, result.matches)
        except InputError as error:
            self.error = error


def _refuse_what_is_past(file: RunFile, wanted: Wanted) -> None:
    held = file.tally.n_deals
    if held and wanted.deals_out is not None:
        raise InputError(
            f"--deals-out writes every deal, and {held:,} of them have been played into {file.path}: give a new --out"
        )
    if held > wanted.most:
        raise InputError(f"--out {file.path} holds {held:,} deals already: ask for as many or for more")


def _judge_width(target: Target, result: Result) -> int:
    half_width = target.half_width(result.estimates)
    reached = target.is_reached(result.tally, result.estimates)
    if half_width is None:
        found = "has no interval"
    elif target.relative:
        found = f"is known to ±{100 * half_width:.3g} %"
    else:
        found = f"is known to ±{half_width:.3g}"
    name = target.metric.name if isinstance(target.part, str) else f"{target.metric.name}.{target.part:g}"
    end = f"after {result.deals:,} deals"
    terminal.say(f"stressim: {name} {found} {end}" + ("" if reached else f", not to {target.text.split('=', 1)[1]}"))
    return 0 if reached else 1


def _short(text: str) -> str:
    line = text.splitlines()[0] if text else ""
    return line if len(line) <= 200 else f"{line[:199]}…"
