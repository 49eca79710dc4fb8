"""Deals and events a second of the kernels, and of the yardstick beside them."""

from __future__ import annotations

import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmark import machine
from benchmark.runs import alternating, deals_for, median_ratio
from benchmark.yardstick import Yardstick, compiler
from stressim.lowering import Lowered, lower
from stressim.players import resolve_players
from stressim.rulesfile import LoadedRules, load_rules
from stressim.simulate import SHARD

TIMINGS = ("human", "uniform")
YARDSTICK_PRESETS = ("swedish", "german")
SEED = 1
_LOGGED = 200  # deals whose events are counted


class Setting:
    """Rules and two usual players under one timing mode, ready to be played."""

    def __init__(self, preset: str, timing: str) -> None:
        self.preset, self.timing = preset, timing
        self.rules: LoadedRules = load_rules(preset)
        n_players = int(self.rules.options.model_dump()["n_players"])
        self.players = resolve_players((), n_players, self.rules.family.habits)
        self.lowered: Lowered = lower(self.rules.options, self.players, timing)

    def play(self, n: int, first: int = 0) -> None:
        """Play ``n`` deals; their rows are thrown away. As in a run, each shard is written where the last one was."""
        rows = np.empty((min(n, SHARD), len(self.rules.family.columns)), dtype=np.int64)
        for begin in range(0, n, SHARD):
            self.rules.family.play_deals(self.lowered, SEED, first + begin, rows[: min(SHARD, n - begin)])

    def play_on(self, threads: int, n: int) -> None:
        """Play ``n`` deals on each of several threads."""
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda thread: self.play(n, thread * n), range(threads)))

    def events_a_deal(self) -> float:
        """Return the mean number of events in the logs of the first deals."""
        logs = self.rules.family.log_deals(self.lowered, SEED, 0, _LOGGED)
        return statistics.mean(len(log.events) for log in logs)


def speeds(presets: list[str], seconds: float, runs: int) -> list[dict[str, Any]]:
    """Measure deals a second per core (processor time) and on all cores (the clock on the wall).

    Each run goes through all presets: where the machine is slower for a minute, it is so for all of them.
    """
    settings = {(preset, timing): Setting(preset, timing) for preset in presets for timing in TIMINGS}
    deals = {key: deals_for(setting.play, seconds) for key, setting in settings.items()}
    n_cores = machine.cores()
    one = alternating({key: partial(setting.play, deals[key]) for key, setting in settings.items()}, runs)
    wall = alternating(
        {key: partial(setting.play_on, n_cores, deals[key]) for key, setting in settings.items()},
        runs,
        time.perf_counter,
    )
    found = []
    for (preset, timing), setting in settings.items():
        n, spent = deals[preset, timing], one[preset, timing]
        events = setting.events_a_deal()
        found.append(
            {
                "preset": preset,
                "timing": timing,
                "deals_per_s": n / statistics.median(spent),
                "deals_per_s_best": n / min(spent),
                "events_per_deal": events,
                "events_per_s": n / statistics.median(spent) * events,
                "deals_per_s_all_cores": n * n_cores / statistics.median(wall[preset, timing]),
            }
        )
    return found


def against_c(seconds: float, runs: int) -> list[dict[str, Any]] | str:
    """Measure the kernel and the same in plain C in pairs, on one core; a word instead if there is no C compiler."""
    path = compiler()
    if path is None:
        return "there is no C compiler here"
    found = []
    with tempfile.TemporaryDirectory() as folder:
        c = Yardstick(Path(folder), path)
        for preset in YARDSTICK_PRESETS:
            for timing in TIMINGS:
                setting = Setting(preset, timing)
                n = deals_for(setting.play, seconds)
                rows = np.zeros((n, len(setting.rules.family.columns)), dtype=np.int64)
                spent = alternating(
                    {
                        "kernel": partial(setting.play, n),
                        "c": partial(c.play_deals, setting.lowered, SEED, 0, rows),
                    },
                    2 * runs,
                )
                found.append(
                    {
                        "preset": preset,
                        "timing": timing,
                        "deals_per_s": n / statistics.median(spent["kernel"]),
                        "deals_per_s_c": n / statistics.median(spent["c"]),
                        "kernel_to_c": median_ratio(spent["c"], spent["kernel"]),
                        "c_compile_s": c.compile_s,
                    }
                )
    return found


def scaling(preset: str, timing: str, seconds: float, runs: int) -> list[dict[str, Any]]:
    """Measure how much more several threads play than one, in pairs by the clock on the wall."""
    setting = Setting(preset, timing)
    n = deals_for(setting.play, seconds)
    threads = sorted({1, 2, *(2**k for k in range(1, 10) if 2**k <= machine.cores()), machine.cores()})
    calls = {str(count): partial(setting.play_on, count, n) for count in threads}
    spent = alternating(calls, runs, time.perf_counter)
    return [
        {"threads": count, "times_one_thread": count * median_ratio(spent["1"], spent[str(count)])} for count in threads
    ]
