"""What a benchmark ran on: figures mean nothing without it."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np

from benchmark import yardstick


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def load() -> float | None:
    """Return how many processes have wanted a processor during the last minute, where the system says."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def describe() -> dict[str, Any]:
    """Return the machine and the versions of what compiles."""
    path = yardstick.compiler()
    return {
        "processor": _processor(),
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": sys.version.split()[0],
        "numpy": np.__version__,
        "numba": numba.__version__,
        "compiler": yardstick.compiler_version(path) if path else None,
        "load_at_begin": load(),
    }


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    lines = about.read_text(encoding="utf-8").splitlines() if about.is_file() else []
    told = {name: next((line.split(":")[1].strip() for line in lines if line.startswith(name)), "") for name in _TOLD}
    if not told["model name"]:
        return platform.processor() or "not told by this machine"
    return f"{told['model name']} (family {told['cpu family']}, model {told[_TOLD[2]]})"


_TOLD = ("model name", "cpu family", "model\t")
