"""Measure how fast deals are played and how soon: ``python scripts/bench.py [PRESET…] [--json FILE] [--table FILE]``.

Deals and events a second of every preset, the kernel beside the same in plain C, threads, whole runs, start, memory,
and what the processor counts where it tells. Figures depend on the machine and on what else it does: medians of
several runs are shown, and ratios come from pairs that alternate within one run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from benchmark import machine, speed, table, whole
from stressim import __version__
from stressim.presets import preset_names

SETTINGS = (("swedish", "human"), ("swedish", "uniform"), ("german", "human"), ("james-bond", "human"))


def _of_settings(measure: Callable[[str, str], Any]) -> dict[str, Any]:
    return {f"{preset}, {timing}": measure(preset, timing) for preset, timing in SETTINGS}


PARTS: dict[str, Callable[[list[str], float, int], Any]] = {
    "speed": speed.speeds,
    "against_c": lambda presets, seconds, runs: speed.against_c(seconds, runs),
    "scaling": lambda presets, seconds, runs: _of_settings(partial(speed.scaling, seconds=seconds, runs=runs)),
    "whole": lambda presets, seconds, runs: {
        "overhead": _of_settings(partial(whole.overhead, seconds=seconds, runs=runs)),
        "million_s": whole.million(),
        "compare_in_simulations": whole.comparing(runs),
    },
    "start": lambda presets, seconds, runs: {"commands": whole.commands(runs), "first_calls": whole.first_calls()},
    "memory": lambda presets, seconds, runs: _of_settings(whole.memory),
    "counters": lambda presets, seconds, runs: _of_settings(whole.counters),
}


@click.command()
@click.argument("presets", nargs=-1)
@click.option("--part", "parts", multiple=True, type=click.Choice(list(PARTS)), help="Measure this only; repeatable.")
@click.option("--seconds", default=0.2, show_default=True, help="Length of each run of a kernel.")
@click.option("--runs", default=5, show_default=True, help="Runs of which the median is taken.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here.")
@click.option("--table", "table_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the tables here.")
def main(
    presets: tuple[str, ...],
    parts: tuple[str, ...],
    seconds: float,
    runs: int,
    json_file: Path | None,
    table_file: Path | None,
) -> None:
    """Measure PRESETS (all if none is named) and everything else."""
    figures: dict[str, Any] = {
        "version": __version__,
        "command": "python scripts/" + " ".join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "machine": machine.describe(),
        "runs": runs,
    }
    for part in parts or PARTS:
        click.echo(f"measuring {part.replace('_', ' ')} …", err=True)
        figures[part] = PARTS[part](list(presets or preset_names()), seconds, runs)
    figures["machine"]["load_at_end"] = machine.load()
    page = table.page(figures)
    click.echo(page)
    if json_file:
        json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if table_file:
        table_file.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
