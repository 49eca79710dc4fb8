"""The figures as a page of tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def page(figures: dict[str, Any]) -> str:
    """Return a Markdown page of all figures that were measured."""
    parts = [_machine(figures)]
    for name, show in _PARTS.items():
        if name in figures:
            parts.append(show(figures[name]))
    return "\n\n".join(parts) + "\n"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    sides = "|".join(":--" if i == 0 else "--:" for i in range(len(head)))
    return "\n".join(f"| {' | '.join(row)} |" if row else f"|{sides}|" for row in (head, (), *rows))


def _machine(figures: dict[str, Any]) -> str:
    about = figures["machine"]
    said = "; ".join(f"{name.replace('_', ' ')} {value}" for name, value in about.items() if value is not None)
    return (
        f"# Benchmark of stressim {figures['version']}\n\n"
        f"Written by `{figures['command']}`. {said}. One run of the script; per core means by processor time of one "
        f"thread, medians of {figures['runs']} runs, ratios medians of pairs that alternate."
    )


def _speed(rows: list[dict[str, Any]]) -> str:
    return "## Kernels\n\n" + _table(
        ("preset, timing", "deals/s per core", "best run", "events a deal", "events/s per core", "deals/s, all cores"),
        [
            (
                f"{row['preset']}, {row['timing']}",
                *(f"{row[name]:,.0f}" for name in ("deals_per_s", "deals_per_s_best", "events_per_deal")),
                f"{row['events_per_s'] / 1e6:.1f} M",
                f"{row['deals_per_s_all_cores']:,.0f}",
            )
            for row in rows
        ],
    )


def _against_c(rows: list[dict[str, Any]] | str) -> str:
    title = "## Kernel and plain C, in pairs\n\n"
    if isinstance(rows, str):
        return title + rows + "."
    return title + _table(
        ("preset, timing", "kernel, deals/s", "C, deals/s", "kernel : C"),
        [
            (
                f"{row['preset']}, {row['timing']}",
                f"{row['deals_per_s']:,.0f}",
                f"{row['deals_per_s_c']:,.0f}",
                f"{row['kernel_to_c']:.2f}",
            )
            for row in rows
        ],
    )


def _scaling(found: dict[str, list[dict[str, Any]]]) -> str:
    return "## Threads, times one thread\n\n" + _table(
        ("setting", *(str(row["threads"]) for row in next(iter(found.values())))),
        [(name, *(f"{row['times_one_thread']:.2f}" for row in rows)) for name, rows in found.items()],
    )


def _shares(found: dict[str, Any]) -> str:
    rows = [(name, f"{100 * told['share_of_run']:.1f} %") for name, told in found["overhead"].items()]
    return (
        "## Whole runs\n\n"
        + _table(("share of a run that is not in the kernel: tally and Python", ""), rows)
        + f"\n\n`simulate swedish --deals 1000000`, warm: {found['million_s']:.2f} s. A comparison of two variants "
        f"costs {found['compare_in_simulations']:.2f} simulations."
    )


def _start(found: dict[str, Any]) -> str:
    first = [
        (f"first deal, {row['preset']}, {row['timing']}", f"{row['cold_s']:.1f}", f"{row['warm_s']:.2f}")
        for row in found["first_calls"]
    ]
    commands = [(f"`stressim {name}`", "", f"{spent:.2f}") for name, spent in found["commands"].items()]
    return "## Start, seconds\n\n" + _table(("", "nothing compiled", "compiled"), first + commands)


def _memory(found: dict[str, Any]) -> str:
    rows = []
    for name, told in found.items():
        if isinstance(told, str):
            return f"## Most memory of a run\n\n{told}."
        rows.append((name, *(f"{value:.0f}" for value in told.values())))
        deals = tuple(f"{int(n):,} deals" for n in told)
    return "## Most memory of a run, MB\n\n" + _table(("setting", *deals), rows)


def _counters(found: dict[str, Any]) -> str:
    lines = []
    for name, told in found.items():
        said = told if isinstance(told, str) else ", ".join(f"{key} {value:,.0f}" for key, value in told.items())
        lines.append(f"* {name}: {said.replace('_', ' ')}")
    return "## Instructions and branches of a deal\n\n" + "\n".join(lines)


_PARTS: dict[str, Callable[[Any], str]] = {
    "speed": _speed,
    "against_c": _against_c,
    "scaling": _scaling,
    "whole": _shares,
    "start": _start,
    "memory": _memory,
    "counters": _counters,
}
