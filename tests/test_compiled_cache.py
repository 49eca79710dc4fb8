"""Where compiled code is kept, and that it is never older than the sources.

A copy of the package with two small kernels of its own stands in for the large ones, which take seconds to compile.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import stressim
from stressim.compiled.native import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

HELPER = """
from stressim.compiled.jit import kernel

@kernel()
def grown(number):
    return number + {step}
"""

CALLER = """
from stressim.compiled.jit import EntryPoint
from stressim.helper import grown

@EntryPoint
def twice_grown(numbers, by):
    numbers[0] = grown(grown(numbers[0])) + by
"""

RUN = """
import sys
import numpy as np
from stressim.compiled.native import call_kernel
numbers = np.array([5])
call_kernel("stressim.caller", "twice_grown", numbers, np.int64(0))
print(numbers[0], int("numba" not in sys.modules))
"""


class Copy:
    """A copy of the package, and runs of it in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.sources = folder / "sources"
        self.package = self.sources / "stressim"
        self.home = folder / "home"
        source = Path(stressim.__file__).parent
        (self.package / "compiled").mkdir(parents=True)
        for name in (
            "__init__.py",
            "_version.py",
            "compiled/__init__.py",
            "compiled/beside.py",
            "compiled/caches.py",
            "compiled/compiling.py",
            "compiled/freezing.py",
            "compiled/frozen.py",
            "compiled/jit.py",
            "compiled/native.py",
            "compiled/record_arrays.py",
            "processes.py",
        ):
            shutil.copy(source / name, self.package / name)
        (self.package / "__init__.py").write_text("")
        (self.package / "caller.py").write_text(CALLER)
        self.set_step(1)

    def set_step(self, step: int) -> None:
        (self.package / "helper.py").write_text(HELPER.format(step=step))

    def run(self, script: str = RUN, **environment: str) -> tuple[int, int]:
        """Return 5 grown twice, and how often compiled code was loaded."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "XDG"))}
        own = {"PYTHONPATH": str(self.sources), "HOME": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            cwd=self.sources, env=inherited | own | environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        number, loaded = done.stdout.split()
        return int(number), int(loaded)

    def code_below(self, folder: Path) -> list[Path]:
        return sorted(folder.rglob("*.code")) if folder.exists() else []


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_cache__cold_and_warm_give_the_same(copy: Copy) -> None:
    assert copy.run() == (7, 0)
    assert copy.run() == (7, 1)
    assert copy.code_below(copy.package / "__pycache__")


def test_cache__a_changed_helper_in_another_module_is_noticed(copy: Copy) -> None:
    assert copy.run() == (7, 0)
    copy.set_step(10)
    assert copy.run() == (25, 0)
    copy.set_step(1)
    assert copy.run() == (7, 1)


def test_cache__a_users_own_folder_is_used(copy: Copy, tmp_path: Path) -> None:
    own = tmp_path / "own"
    assert copy.run(NUMBA_CACHE_DIR=str(own)) == (7, 0)
    assert copy.run(NUMBA_CACHE_DIR=str(own)) == (7, 1)
    assert copy.code_below(own)
    assert not copy.code_below(copy.package)


def test_cache__package_that_cannot_be_written_to(copy: Copy) -> None:
    """A file in the way refuses everybody, also those who may write anywhere."""
    (copy.package / "__pycache__").write_text("")
    assert copy.run() == (7, 0)
    assert copy.run() == (7, 1)
    assert copy.code_below(copy.home)


def test_cache__no_folder_at_all(copy: Copy, tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    (copy.package / "__pycache__").write_text("")
    environment = {"HOME": str(in_the_way), "NUMBA_CACHE_DIR": str(in_the_way)}
    assert copy.run(**environment) == (7, 0)
    assert copy.run(**environment) == (7, 0)


def test_cache__without_compiling_no_code_is_kept(copy: Copy) -> None:
    assert copy.run(NUMBA_DISABLE_JIT="1") == (7, 0)
    assert not copy.code_below(copy.package)


def test_cache__one_function_for_two_modules_is_kept_by_each(copy: Copy) -> None:
    """The large kernels are compiled for another record by another module, whose code must lie apart."""
    (copy.package / "other.py").write_text(
        "from stressim import caller\ntwice_grown = caller.twice_grown.kept_by(__name__)\n"
    )
    other = RUN.replace("stressim.caller", "stressim.other")

    assert copy.run() == (7, 0)
    assert copy.run(other) == (7, 0)
    assert [copy.run(), copy.run(other)] == [(7, 1), (7, 1)]
    assert len({path.parent for path in copy.code_below(copy.package)}) == 2
