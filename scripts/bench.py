"""Measure how fast deals are played: ``python scripts/bench.py [PRESET…] [--json FILE]``.

For each preset and timing mode: deals a second on one thread and on all cores, medians of several runs; then the first
call with an empty cache, the first call with a filled one, and the start-up of the command line. Figures depend on the
machine and on what else it does; compare them only within one run.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import numpy as np

from stressim import __version__
from stressim.lowering import Lowered, lower
from stressim.players import resolve_players
from stressim.rulesfile import LoadedRules, load_rules, preset_names

TIMINGS = ("human", "uniform")
RUNS = 5
_FIRST_CALL = (
    "import time; from stressim.rulesfile import load_rules; from stressim.players import resolve_players; "
    "from stressim.lowering import lower; import numpy as np; rules = load_rules({preset!r}); "
    "players = resolve_players((), rules.options.n_players, rules.family.habits); "
    "lowered = lower(rules.options, players, {timing!r}); play = rules.family.play_deals; "
    "rows = np.zeros((1, len(rules.family.columns)), np.int64); begin = time.perf_counter(); "
    "play(lowered, 1, 0, rows); print(time.perf_counter() - begin)"
)


@click.command()
@click.argument("presets", nargs=-1)
@click.option("--seconds", default=1.0, show_default=True, help="Length of each run.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here.")
def main(presets: tuple[str, ...], seconds: float, json_file: Path | None) -> None:
    """Measure PRESETS (all if none is named)."""
    figures: dict[str, Any] = {"version": __version__, "machine": _machine(), "speed": [], "first_call_s": {}}
    print(f"{'preset':22} {'timing':8} {'deals/s, 1 thread':>18} {'all cores':>12} {'ratio':>6}")
    for name in presets or preset_names():
        rules = load_rules(name)
        for timing in TIMINGS:
            speed = _speed(rules, timing, seconds)
            figures["speed"].append({"preset": name, "timing": timing, **speed})
            one, all_cores = speed["deals_per_s"], speed["deals_per_s_all_cores"]
            print(f"{name:22} {timing:8} {one:18,.0f} {all_cores:12,.0f} {all_cores / one:6.2f}", flush=True)
    first = (presets or preset_names())[0]
    for timing in TIMINGS:
        figures["first_call_s"][timing] = _first_calls(first, timing)
        cold, warm = figures["first_call_s"][timing].values()
        print(f"first call, {first}, {timing}: {cold:.1f} s with an empty cache, {warm:.2f} s with a filled one")
    figures["command_s"] = {
        " ".join(command): _command(command)
        for command in (["--help"], ["rules", "list"], ["simulate", first, "--deals", "1000"])
    }
    for command, spent in figures["command_s"].items():
        print(f"stressim {command}: {spent:.2f} s")
    if json_file:
        json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _speed(rules: LoadedRules, timing: str, seconds: float) -> dict[str, float]:
    """Deals a second on one thread and on all cores; runs of both alternate, so that noise strikes both."""
    n_players = int(rules.options.model_dump()["n_players"])
    players = resolve_players((), n_players, rules.family.habits)
    lowered = lower(rules.options, players, timing)
    n = 256
    while _timed(rules, lowered, n, 1) < seconds / 4:
        n *= 2
    n_cores = os.cpu_count() or 1
    one, many = [], []
    for _ in range(RUNS):
        one.append(n / _timed(rules, lowered, n, 1))
        many.append(n * n_cores / _timed(rules, lowered, n, n_cores))
    return {"deals_per_s": statistics.median(one), "deals_per_s_all_cores": statistics.median(many), "runs": RUNS}


def _timed(rules: LoadedRules, lowered: Lowered, n: int, threads: int) -> float:
    rows = [np.zeros((n, len(rules.family.columns)), dtype=np.int64) for _ in range(threads)]

    def play(thread: int) -> None:
        rules.family.play_deals(lowered, 1, thread * n, rows[thread])

    with ThreadPoolExecutor(threads) as pool:
        begin = time.perf_counter()
        list(pool.map(play, range(threads)))
        return time.perf_counter() - begin


def _first_calls(preset: str, timing: str) -> dict[str, float]:
    """Seconds of the first call in a fresh process, with an empty and with a filled cache."""
    code = _FIRST_CALL.format(preset=preset, timing=timing)
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        spent = [
            float(subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True).stdout)
            for _ in range(2)
        ]
    return {"cold": spent[0], "warm": spent[1]}


def _command(arguments: list[str]) -> float:
    """Median seconds of a whole process."""
    spent = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-m", "stressim", *arguments], check=True, capture_output=True)
        spent.append(time.perf_counter() - begin)
    return statistics.median(spent)


def _machine() -> dict[str, Any]:
    model = ""
    if Path("/proc/cpuinfo").is_file():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "")
    return {"cores": os.cpu_count(), "processor": model, "python": sys.version.split()[0]}


if __name__ == "__main__":
    main()
