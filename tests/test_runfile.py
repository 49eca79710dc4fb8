"""Run files: kept, resumed, topped up, refused; and what a crash at any moment leaves behind."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from stressim import runfile
from stressim.cli import cli
from stressim.errors import InputError
from stressim.family import family_named
from stressim.players import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import manifest_of, simulate

SHEDDING = family_named("shedding")

# A run that saves itself all the time, in a process of its own that can be killed.
_RUN = """
import sys
from stressim.commands import running
running.SAVE_EVERY = 0.0
running.SHARD = 500
sys.argv = ["stressim", *sys.argv[1:]]
from stressim.__main__ main
""".replace("__main__ main", "__main__ import main\nmain()")


def run(*arguments: str, **options: object) -> tuple[int, str, str]:
    """Run ``stressim simulate``; return status, output and errors."""
    found = subprocess.run(
        [sys.executable, "-c", _RUN, "simulate", *arguments], capture_output=True, text=True, check=False, **options
    )
    return found.returncode, found.stdout, found.stderr


def uniform(deals: int, path: Path, *more: str) -> list[str]:
    return ["swedish", "--timing", "uniform", "--deals", str(deals), "--format", "json", "--out", str(path), *more]


def kept(path: Path, deals: int = 600, **changed: object) -> str:
    """Write a run file of a few deals and return its text."""
    rules = load_rules("swedish")
    players = resolve_players((), 2, rules.family.habits)
    result = simulate(rules, players, "uniform", deals=deals)
    manifest = {"family": "shedding", **manifest_of(rules, players, result.timing, 1, deals), **changed}
    text = runfile.to_text(manifest, result.tally)
    path.write_text(text, encoding="utf-8")
    return text


def test_run_file__holds_the_tally_exactly(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    kept(path)
    rules = load_rules("swedish")
    result = simulate(rules, resolve_players((), 2, rules.family.habits), "uniform", deals=600)
    manifest, tally, _ = runfile.read(path)
    assert tally == result.tally
    assert manifest["deals"] == 600


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_run_file__topped_up_is_the_run_of_all_deals(tmp_path: Path, jobs: str) -> None:
    whole, parts = tmp_path / "whole.run", tmp_path / "parts.run"
    expected = run(*uniform(5000, whole))
    for deals in (700, 3111, 3111, 5000):
        found = run(*uniform(deals, parts, "--jobs", jobs))
    assert found == expected
    assert parts.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"whole.run", "parts.run"}


def test_run_file__a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.run", tmp_path / "parts.run"
    deals = 300_000
    expected = run(*uniform(deals, whole))
    chance = random.Random(7)
    lengths = []
    for _ in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", _RUN, "simulate", *uniform(deals, parts)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        held = lengths[-1] if lengths else 0
        while process.poll() is None and (not parts.exists() or runfile.read(parts)[1].n_deals <= held):
            time.sleep(0.01)
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        lengths.append(runfile.read(parts)[1].n_deals)
    assert lengths == sorted(lengths)
    assert 0 < lengths[0] < deals
    assert run(*uniform(deals, parts)) == expected
    assert parts.read_bytes() == whole.read_bytes()


def test_run_file__ctrl_c_keeps_what_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    process = subprocess.Popen(
        [sys.executable, "-c", _RUN, "simulate", *uniform(10**9, path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not path.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate()
    assert process.returncode == 130
    deals = runfile.read(path)[1].n_deals
    assert json.loads(printed)["deals"] == deals
    assert said == f"stressim: stopped: {deals:,} deals are kept in {path}. The same command goes on from there\n"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (["--seed", "2"], "seed is 1 there and 2 here"),
        (["--set", "ace=low"], "ace is wrap there and low here"),
        (["--player", "2=senior"], "player 2 is another one"),
        (["--set", "ace=low", "--seed", "3"], "ace is wrap there and low here; seed is 1 there and 3 here"),
    ],
)
def test_run_file__of_another_run_is_refused(tmp_path: Path, changes: list[str], says: str) -> None:
    path = tmp_path / "a.run"
    before = kept(path)
    found = CliRunner().invoke(cli, ["simulate", *uniform(1000, path, *changes)])
    assert isinstance(found.exception, InputError)
    assert str(found.exception) == f"--out {path} is of another run: {says}"
    assert path.read_text(encoding="utf-8") == before


def test_run_file__of_another_behaviour_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    kept(path, behaviour=999)
    found = CliRunner().invoke(cli, ["simulate", *uniform(1000, path)])
    assert "behaviour is 999 there and" in str(found.exception)


def test_run_file__of_another_family_is_refused(tmp_path: Path) -> None:
    kept(tmp_path / "a.run")
    found = CliRunner().invoke(cli, ["simulate", "james-bond", "--out", str(tmp_path / "a.run")])
    assert str(found.exception).endswith("is of the shedding family, not of exchange")


def test_run_file__with_more_deals_than_asked_for_is_refused(tmp_path: Path) -> None:
    kept(tmp_path / "a.run")
    found = CliRunner().invoke(cli, ["simulate", *uniform(599, tmp_path / "a.run")])
    assert "holds 600 deals already: ask for as many or for more" in str(found.exception)


def test_run_file__cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    text = kept(path)
    for length in [*range(0, len(text) - 1, 97), len(text) - 2]:
        path.write_text(text[:length], encoding="utf-8")
        with pytest.raises(InputError, match="no whole run file"):
            runfile.read(path, SHEDDING)


def test_run_file__edited_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    text = kept(path)
    chance = random.Random(3)
    for _ in range(300):
        place = chance.randrange(len(text) - 1)
        other = chance.choice([c for c in '0123456789,[]{}"ax' if c != text[place]])
        path.write_text(text[:place] + other + text[place + 1 :], encoding="utf-8")
        with pytest.raises(InputError):
            runfile.read(path, SHEDDING)


@pytest.mark.parametrize(
    "change",
    [
        {"n_deals": -1},
        {"n_deals": True},
        {"n_deals": 601},
        {"sums": {}},
        {"counts": {}},
        {"products": [["won", "won", 1]]},
        {"products": 5},
        {"sums": []},
        {"counts": {"won": [600.0]}},
    ],
)
def test_run_file__with_other_counts_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    """Also where somebody has made the checksum anew."""
    path = tmp_path / "a.run"
    content = json.loads(kept(path))
    content["tally"].update(change)
    content["sha256"] = runfile._checksum(content["manifest"], content["tally"], content["matches"])
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match="counts are not those of this version"):
        runfile.read(path, SHEDDING)


def test_run_file__two_runs_at_once_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    manifest = {"family": "shedding"}
    with runfile.opened(path, SHEDDING, manifest):
        status, _, said = run(*uniform(1000, path))
    assert (status, said) == (2, f"stressim: --out {path}: another run is writing this file\n")
    assert run(*uniform(1000, path))[0] == 0


@pytest.mark.parametrize("name", ["missing/a.run", "."])
def test_run_file__must_have_a_folder(tmp_path: Path, name: str) -> None:
    status, printed, said = run(*uniform(1000, tmp_path / name))
    assert (status, printed) == (2, "")
    assert said.startswith("stressim: --out ")
    assert said.count("\n") == 1


def test_run_file__that_cannot_be_written_costs_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a full disk or a folder that is read-only: the result is printed, and the status says the rest."""

    def full(path: Path) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(runfile, "replacing", full)
    found = CliRunner().invoke(cli, ["simulate", *uniform(1000, tmp_path / "a.run")], standalone_mode=False)
    assert found.return_value == 2
    assert json.loads(found.stdout)["deals"] == 1000
    assert found.stderr == (
        f"stressim: --out {tmp_path / 'a.run'}: the run could not be kept: No space left on device\n"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is read-only for this user")
def test_run_file__in_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    status, printed, said = run(*uniform(1000, tmp_path / "a.run"))
    tmp_path.chmod(0o700)
    assert status == 2
    assert json.loads(printed)["deals"] == 1000
    assert "could not be kept: Permission denied" in said
