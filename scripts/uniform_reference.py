"""Play the plain model of uniform timing and write what the tests hold the kernel against.

    python scripts/uniform_reference.py

Takes ten seconds a setting. With ``--only TEXT`` the settings that contain the text are played
and their lines replaced, with ``--missing`` those that have no lines yet; the others are kept.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from playing import Value, exactly, metric_values  # noqa: E402
from uniform_settings import (  # noqa: E402
    FINGERPRINT,
    REFERENCE,
    SETTINGS,
    first_moves,
    model_deals,
    read_reference,
)


def played(setting: str, deals: int) -> dict[str, Value]:
    counts = model_deals(setting, deals)
    values = metric_values({name: np.array([count[name] for count in counts]) for name in counts[0]})
    return {FINGERPRINT: exactly(first_moves(setting))} | values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=8000)
    parser.add_argument("--only", default="")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    found = read_reference() if REFERENCE.exists() else {}
    chosen = [
        setting for setting in SETTINGS if arguments.only in setting and not (arguments.missing and setting in found)
    ]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        futures = {setting: pool.submit(played, setting, arguments.deals) for setting in chosen}
        for setting, future in futures.items():
            found[setting] = future.result()
            write(found)
            print(setting, flush=True)


def write(found: dict[str, dict[str, Value]]) -> None:
    REFERENCE.parent.mkdir(exist_ok=True)
    with REFERENCE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["setting", "metric", "estimate", "standard_error"])
        for setting in SETTINGS:
            for metric, value in found.get(setting, {}).items():
                writer.writerow([setting, metric, f"{value.estimate:.6g}", f"{value.error:.6g}"])


if __name__ == "__main__":
    main()
