"""Play the plain model of uniform timing and write what the tests hold the kernel against.

python scripts/uniform_reference.py --deals 20000

Takes about one minute a setting at 20,000 deals. With ``--only TEXT`` the settings that contain the text are played and
their lines replaced, the others are kept.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from playing import Value, metric_values  # noqa: E402
from uniform_model import UniformDeal  # noqa: E402
from uniform_settings import REFERENCE, SETTINGS, read_reference  # noqa: E402

from stressim.rulesfile import load_rules  # noqa: E402


def played(setting: str, deals: int, seed: int) -> dict[str, Value]:
    name, *sets = setting.split()
    rules = load_rules(name, sets=sets).options
    rng = random.Random(f"{seed} {setting}")
    counts = [UniformDeal(rules, rng).play() for _ in range(deals)]
    return metric_values({name: np.array([count[name] for count in counts]) for name in counts[0]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    chosen = [setting for setting in SETTINGS if arguments.only in setting]
    found = read_reference() if REFERENCE.exists() else {}
    with ProcessPoolExecutor(arguments.jobs) as pool:
        futures = {setting: pool.submit(played, setting, arguments.deals, arguments.seed) for setting in chosen}
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
