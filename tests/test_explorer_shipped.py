"""The pages that ship: small enough to send, and with the numbers that ``simulate`` gives."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from commanding import run_command

import stressim
from stressim.explorer.grid import decimals_of_metric
from stressim.explorer.packing import Packed, unpack
from stressim.explorer.playing import scaled
from stressim.explorer.study import read_explorer
from stressim.family import family_named
from stressim.rulesfile import load_rules

PAGES = Path(stressim.__file__).parents[1] / "reports" / "explorer"
NAMES = sorted(path.stem for path in PAGES.glob("*.toml"))
HEAD, PARTS = 7, 6  # columns before the numbers, and of each number


@pytest.mark.parametrize("name", NAMES)
def test_shipped_page__can_be_sent(name):
    assert (PAGES / f"{name}.html").stat().st_size < 300_000


@pytest.mark.parametrize("share", [0.03, 0.45, 0.8])
@pytest.mark.parametrize("name", NAMES)
def test_shipped_page__numbers_are_those_of_simulate(name, share, monkeypatch, capsys):
    page = (PAGES / f"{name}.html").read_text()
    data = json.loads(page.partition('<script id="data" type="application/json">')[2].partition("</script>")[0])
    study = read_explorer(PAGES / f"{name}.toml")
    sizes = [len(choice.values) for choice in study.choices]
    broken = unpack(Packed(*data["broken"]), len(study.games) * math.prod(sizes))
    place = next(k for k in range(int(share * len(broken)), len(broken)) if not broken[k])
    n_rows, row = broken.count(0), broken[:place].count(0)
    rest, values = place, []
    for size in reversed(sizes):
        rest, value = divmod(rest, size)
        values.insert(0, value)
    game = study.games[rest]
    chosen = [choice.values[value] for choice, value in zip(study.choices, values, strict=True)]
    arguments: list[str] = []
    for value in chosen:
        for change in value.changes:
            arguments += ["--player" if change.split("=")[0].split(".")[0] in ("1", "all") else "--set", change]
    command = ["simulate", game.rules, *arguments, "--deals", str(study.deals), "--seed", str(study.seed)]
    status, out, _ = run_command(monkeypatch, capsys, *command, "--format", "json")
    found = json.loads(out)["metrics"]
    metrics = {metric.name: metric for metric in family_named(load_rules(game.rules).family.name).metrics}

    assert status == 0
    for k, number in enumerate(data["numbers"]):
        metric = metrics[number["name"]]
        value, below, more = (
            unpack(Packed(*data["columns"][HEAD + PARTS * k + part]), n_rows)[row] for part in range(3)
        )
        expected = [scaled(metric, found[metric.name][part]) for part in ("estimate", "low", "high")]
        assert number["decimals"] == decimals_of_metric(metric)
        assert [value, value - below, value + below + more] == expected, metric.name
