"""Whole runs: what counting and Python cost beside the kernel, commands, compiling, memory, processor counters."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from typing import Any

from benchmark.runs import alternating, deals_for, median_ratio
from benchmark.speed import SEED, TIMINGS, Setting
from stressim.simulate import SHARD, simulate

NOT_TOLD = "not told by this machine"
COMMANDS = (
    ("--help",),
    ("rules", "list"),
    ("rules", "show", "swedish"),
    ("metrics", "list"),
    ("players", "list"),
    ("simulate", "swedish", "--deals", "1000"),
    ("compare", "swedish", "swedish-low", "--deals", "1000"),
    ("replay", "swedish", "--deal", "1"),
)
FIRST_CALLS = ("swedish", "speed", "james-bond")  # a kernel for usual rules, for all of the same family, the other one
MEMORY_DEALS = (10_000, 100_000, 300_000)
_DEALS = 200_000
_PLAY = """
import json, sys, time
sys.path[:0] = {path!r}
from benchmark.speed import Setting
setting = Setting({preset!r}, {timing!r})
begin = time.perf_counter()
setting.play({deals})
print(json.dumps(time.perf_counter() - begin))
"""
_MEMORY = """
import resource
from pathlib import Path
from stressim.players import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import simulate
rules = load_rules({preset!r})
players = resolve_players((), 2, rules.family.habits)
simulate(rules, players, {timing!r}, deals={deals})
status = Path("/proc/self/status")
# Where the system tells, what this program had: the other number begins with what the one that started it had.
lines = status.read_text().splitlines() if status.exists() else []
most = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
print(most[0] if most else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _environment() -> dict[str, str]:
    """The environment, with Python's own habit of keeping what it has translated of each module."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _python(code: str, environment: dict[str, str] | None = None, before: tuple[str, ...] = ()) -> Any:
    done = subprocess.run(
        [*before, sys.executable, "-c", code],
        env={**_environment(), **(environment or {})},
        check=True,
        capture_output=True,
    )
    return json.loads(done.stdout)


def _play(preset: str, timing: str, deals: int) -> str:
    return _PLAY.format(path=[path for path in sys.path if path], preset=preset, timing=timing, deals=deals)


def overhead(preset: str, timing: str, seconds: float, runs: int) -> dict[str, float]:
    """Measure how much of a run's processor time is not spent in the kernel: each call of it is timed in the run.

    Two runs set against each other would tell how the machine's speed changes between them.
    """
    setting = Setting(preset, timing)
    family = setting.rules.family
    play, in_kernel = family.play_deals, 0.0
    deals = SHARD * -(-deals_for(setting.play, 3 * seconds) // SHARD)

    def timed(*arguments: Any) -> None:
        nonlocal in_kernel
        begin = time.thread_time()
        play(*arguments)
        in_kernel += time.thread_time() - begin

    shares = []
    family.__dict__["play_deals"] = timed
    try:
        for _ in range(runs):
            in_kernel, begin = 0.0, time.process_time()
            simulate(setting.rules, setting.players, timing, deals=deals, seed=SEED, jobs=1)
            shares.append(1 - in_kernel / (time.process_time() - begin))
    finally:
        family.__dict__["play_deals"] = play
    return {"share_of_run": statistics.median(shares)}


def commands(runs: int) -> dict[str, float]:
    """Measure whole processes of the command line, medians of seconds by the clock on the wall."""
    calls = {" ".join(command): partial(_stressim, command) for command in COMMANDS}
    for call in calls.values():
        call()
    return {name: statistics.median(spent) for name, spent in alternating(calls, runs, time.perf_counter).items()}


def million() -> float:
    """Measure ``stressim simulate swedish --deals 1000000``, warm: the median of three."""
    command = ("simulate", "swedish", "--deals", "1000000")
    return statistics.median(alternating({"": lambda: _stressim(command)}, 3, time.perf_counter)[""])


def comparing(runs: int) -> float:
    """Measure how many simulations a comparison of two variants costs, in pairs."""
    deals = ("--deals", str(_DEALS))
    spent = alternating(
        {
            "one": lambda: _stressim(("simulate", "swedish", *deals)),
            "other": lambda: _stressim(("simulate", "swedish-low", *deals)),
            "compare": lambda: _stressim(("compare", "swedish", "swedish-low", *deals)),
        },
        runs,
        time.perf_counter,
    )
    both = [(one + other) / 2 for one, other in zip(spent["one"], spent["other"], strict=True)]
    return median_ratio(spent["compare"], both)


def _stressim(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "stressim", *arguments]
    subprocess.run(command, env=_environment(), check=True, capture_output=True)


def first_calls() -> list[dict[str, Any]]:
    """Measure the first deal in a fresh process, with an empty cache of compiled code and with a filled one."""
    found = []
    for preset in FIRST_CALLS:
        for timing in TIMINGS:
            with tempfile.TemporaryDirectory() as cache:
                cold, warm = (_python(_play(preset, timing, 1), {"NUMBA_CACHE_DIR": cache}) for _ in range(2))
            found.append({"preset": preset, "timing": timing, "cold_s": cold, "warm_s": warm})
    return found


def memory(preset: str, timing: str) -> dict[str, float] | str:
    """Measure the most memory that a run takes, in MB by number of deals."""
    if sys.platform == "win32":
        return NOT_TOLD
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return {str(n): _python(_MEMORY.format(preset=preset, timing=timing, deals=n)) / unit for n in MEMORY_DEALS}


def counters(preset: str, timing: str) -> dict[str, float] | str:
    """Count a deal's instructions, branches and mispredicted branches: a run less one with fewer deals."""
    perf = shutil.which("perf")
    if perf is None:
        return NOT_TOLD
    few, many = (_counted(perf, _play(preset, timing, n)) for n in (1, _DEALS))
    if not few or few.keys() != many.keys():
        return NOT_TOLD
    return {f"{name}_per_deal": (many[name] - few[name]) / (_DEALS - 1) for name in few}


def _counted(perf: str, code: str) -> dict[str, float]:
    events = ("instructions", "branches", "branch-misses")
    with tempfile.NamedTemporaryFile() as told:
        before = (perf, "stat", "-x", ";", "-o", told.name, "-e", ",".join(f"{event}:u" for event in events), "--")
        try:
            _python(code, before=before)
        except subprocess.CalledProcessError:
            return {}
        lines = told.read().decode().splitlines()
    values = {}
    for line in lines:
        value, _, event, *_ = [*line.split(";"), "", "", ""]
        if value.isdigit():
            values[event.removesuffix(":u").replace("-", "_")] = float(value)
    return values
