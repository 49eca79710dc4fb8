"""Kernels that are needed later are compiled by another process, and what it keeps is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stressim.compiled import beside
from stressim.compiled.native import JIT
from stressim.workbench import ahead
from stressim.workbench.changes import all_changes
from stressim.workbench.variants import Given, Variant, make_variant

PAIR = "stressim.exchange.kernel.run_pair"
ALL = "stressim.exchange.kernel.run"


def variant_of(rules: str, *sets: str) -> Variant:
    return make_variant(Given(rules=rules, sets=sets, timing="uniform"))


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    started: list[tuple[str, str]] = []
    monkeypatch.setattr(ahead, "compile_beside", lambda module, function, *_: started.append((module, function)))
    monkeypatch.setattr(ahead, "keeps_code", lambda _: True)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return started


def test_compile_ahead__begins_what_is_played_later_and_not_what_is_first(begun, monkeypatch) -> None:
    monkeypatch.setattr(ahead, "is_compiled", lambda *_: False)
    base = variant_of("james-bond")
    changes = all_changes(base, remedies=True).playable

    assert ahead.compile_ahead(base, changes.values())
    assert begun == [(ALL, "run_uniform")]


def test_compile_ahead__of_rules_for_one_kernel_nothing_is_begun(begun, monkeypatch) -> None:
    monkeypatch.setattr(ahead, "is_compiled", lambda *_: False)

    assert ahead.compile_ahead(variant_of("james-bond"))
    assert begun == []


def test_compile_ahead__what_is_compiled_is_left_alone(begun, monkeypatch) -> None:
    monkeypatch.setattr(ahead, "is_compiled", lambda module, _: module == ALL)
    first, later = variant_of("james-bond"), variant_of("james-bond", "deadlock_rule=redeal")

    assert ahead.compile_ahead(first, [later])
    assert begun == []
    monkeypatch.setattr(ahead, "is_compiled", lambda *_: True)
    assert not ahead.compile_ahead(first, [later])


def test_compile_ahead__one_processor_or_no_place_for_code_begins_nothing(begun, monkeypatch) -> None:
    monkeypatch.setattr(ahead, "is_compiled", lambda *_: False)
    first, later = variant_of("james-bond"), variant_of("james-bond", "deadlock_rule=redeal")
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    ahead.compile_ahead(first, [later])
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(ahead, "keeps_code", lambda _: False)
    ahead.compile_ahead(first, [later])

    assert begun == []


def write(path: str, text: str) -> None:
    Path(path).write_text(text)


def fail(path: str) -> None:
    write(path, "begun")
    raise RuntimeError("nothing to be done")


def test_wait_for__what_another_process_does_is_done_then(tmp_path: Path) -> None:
    beside.compile_beside("some.module", "run", write, str(tmp_path / "done"), "well")
    beside.wait_for("some.module", "run")

    assert (tmp_path / "done").read_text() == "well"
    beside.wait_for("some.module", "another")  # which nobody compiles


def test_wait_for__a_failure_is_left_to_who_needs_the_kernel(tmp_path: Path, capfd) -> None:
    beside.compile_beside("failing.module", "run", fail, str(tmp_path / "begun"))
    beside.wait_for("failing.module", "run")

    assert (tmp_path / "begun").read_text() == "begun"
    assert capfd.readouterr() == ("", "")


TWO_KERNELS = """
import sys

from stressim.workbench.ahead import compile_ahead
from stressim.workbench.variants import Given, make_variant
import numpy as np

if __name__ == "__main__":
    first = make_variant(Given(rules="james-bond", timing="uniform"))
    later = make_variant(Given(rules="james-bond", sets=("deadlock_rule=redeal",), timing="uniform"))
    assert compile_ahead(first, [later])
    rows = np.zeros((50, len(later.family.columns)), dtype=np.int64)
    later.family.play_deals(later.lowered, 7, 0, rows)
    print(rows.sum(), "numba" in sys.modules)
"""


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor compiles one kernel after the other")
def test_compile_ahead__the_kernel_is_loaded_and_plays_the_same_deals(tmp_path: Path) -> None:
    import numpy as np

    script = tmp_path / "two.py"
    script.write_text(TWO_KERNELS)
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "code"), "PYTHONPATH": str(Path.cwd())},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    later = variant_of("james-bond", "deadlock_rule=redeal")
    rows = np.zeros((50, len(later.family.columns)), dtype=np.int64)
    later.family.play_deals(later.lowered, 7, 0, rows)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [str(rows.sum()), "False"]
