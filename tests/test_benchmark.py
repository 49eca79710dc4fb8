"""What the benchmark makes of its measurements; what it measures is nobody's to foresee."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"


@pytest.fixture(scope="module")
def benchmark():
    sys.path.insert(0, str(SCRIPTS))
    try:
        from benchmark import runs, table

        yield {"runs": runs, "table": table}
    finally:
        sys.path.remove(str(SCRIPTS))


def test_alternating__takes_turns(benchmark) -> None:
    called = []
    times = iter(range(100))
    spent = benchmark["runs"].alternating(
        {"a": lambda: called.append("a"), "b": lambda: called.append("b")}, 3, lambda: float(next(times))
    )

    assert called == ["a", "b"] * 3
    assert spent == {"a": [1.0] * 3, "b": [1.0] * 3}


def test_median_ratio__sets_runs_side_by_side(benchmark) -> None:
    assert benchmark["runs"].median_ratio([2.0, 20.0, 200.0], [1.0, 10.0, 50.0]) == 2.0


def test_bench__writes_figures_and_tables_with_the_machine(tmp_path) -> None:
    figures, page = tmp_path / "figures.json", tmp_path / "page.md"
    command = ["swedish", "--part", "speed", "--part", "counters", "--seconds", "0.001", "--runs", "1"]
    done = subprocess.run(
        [sys.executable, SCRIPTS / "bench.py", *command, "--json", figures, "--table", page],
        capture_output=True, text=True, check=False, cwd=SCRIPTS.parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(figures.read_text())

    assert told["machine"]["cores"] >= 1
    assert [(row["preset"], row["timing"]) for row in told["speed"]] == [("swedish", "human"), ("swedish", "uniform")]
    assert all(row["deals_per_s"] > 0 and row["events_per_deal"] > 50 for row in told["speed"])
    assert told["machine"]["processor"] in page.read_text()
    assert page.read_text().strip() in done.stdout


def test_page__says_what_the_machine_does_not_tell(benchmark) -> None:
    figures = {"version": "1", "command": "x", "machine": {"cores": 2}, "runs": 1}
    page = benchmark["table"].page(
        {**figures, "against_c": "there is no C compiler here", "counters": {"a": "not told"}}
    )

    assert "there is no C compiler here." in page
    assert "* a: not told" in page
    assert "## Threads" not in page
