"""A deal is a function of rules, players, seed and its number, and of nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from playing import COLUMN, FAMILY, PRESETS, TIMINGS, lowered_of, play, rows_of

import stressim
from stressim.compiled.native import JIT
from stressim.output.machine import to_json
from stressim.players.resolve import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import simulate

TESTS = Path(__file__).parent
SOURCES = Path(stressim.__file__).parents[1]
N_PLAIN = 5
PLAYED = (*PRESETS, "swedish n_players=3", "german-jokers n_players=4 n_jokers=4 centre_piles=3")
PLAYERS = ["1=expert+hunter", "2.person_sd=true", "2.decline=0.2", "2.p_false_slap=0.02"]

PLAY_IN_CHILD = """
import sys
import numpy as np
from test_shedding_determinism import own_rows
timing, n, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
np.save(path, own_rows(timing, n))
"""


def python(*arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start Python on this package and these tests with further environment variables."""
    paths = os.pathsep.join([str(SOURCES), str(TESTS)])
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=TESTS, env={**os.environ, "PYTHONPATH": paths, **environment}, stderr=subprocess.PIPE,
    )  # fmt: skip


def child_rows(folder: Path, n: int, **environment: str) -> dict[str, np.ndarray]:
    """Play ``n`` deals of every preset and of larger tables with each timing, in two processes at once."""
    paths = {timing: folder / f"{timing}.npy" for timing in TIMINGS}
    children = [python("-c", PLAY_IN_CHILD, timing, str(n), str(paths[timing]), **environment) for timing in TIMINGS]
    for child in children:
        _, complaints = child.communicate()
        assert child.returncode == 0, complaints.decode()
    return {timing: np.load(path) for timing, path in paths.items()}


def own_rows(timing: str, n: int) -> np.ndarray:
    rows = []
    for name, *sets in map(str.split, PLAYED):
        rows.append(play(lowered_of(name, sets, PLAYERS, timing), n, seed=5, first=70))
    return np.array(rows)


def differences(found: np.ndarray, expected: np.ndarray) -> list[str]:
    """Name preset, deal and column of each value that differs."""
    names = list(COLUMN)
    return [
        f"{PLAYED[preset]} deal {70 + deal} {names[column]}: {found[preset, deal, column]}, "
        f"not {expected[preset, deal, column]}"
        for preset, deal, column in np.argwhere(found != expected)
    ]


def plain_and_compiled(folder: Path, n: int) -> list[str]:
    """Name what differs between the compiled kernels and the same source run by Python."""
    plain = child_rows(folder, n, NUMBA_DISABLE_JIT="1")
    return [difference for timing in TIMINGS for difference in differences(plain[timing], own_rows(timing, n))]


def freshly_compiled(folder: Path, n: int) -> list[str]:
    """Name what differs when the kernels are compiled anew, and again when the new code is loaded."""
    cold = child_rows(folder, n, NUMBA_CACHE_DIR=str(folder / "cache"))
    warm = child_rows(folder, n, NUMBA_CACHE_DIR=str(folder / "cache"))
    return [
        difference
        for found in (cold, warm)
        for timing in TIMINGS
        for difference in differences(found[timing], own_rows(timing, n))
    ]


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_determinism__plain_python_plays_the_same_deals(tmp_path: Path) -> None:
    assert not plain_and_compiled(tmp_path, N_PLAIN)


@pytest.mark.parametrize("timing", TIMINGS)
def test_determinism__same_bytes_for_any_jobs_and_shards(timing: str) -> None:
    rules = load_rules("norwegian")
    players = resolve_players(PLAYERS, 2, rules.family.habits)
    texts = {
        to_json(simulate(rules, players, timing, deals=700, seed=9, jobs=jobs, shard=shard))
        for jobs, shard in [(1, 16_384), (2, 16_384), (2, 100), (3, 64), (1, 3)]
    }
    assert len(texts) == 1


@pytest.mark.parametrize("timing", TIMINGS)
def test_determinism__a_deal_does_not_know_which_were_played_before(timing: str) -> None:
    for preset in PRESETS:
        rows = rows_of(preset, 60, timing=timing)
        assert np.array_equal(rows_of(preset, 20, timing=timing, first=40), rows[40:])


@pytest.mark.parametrize("timing", TIMINGS)
def test_determinism__the_largest_seeds_and_numbers_play(timing: str) -> None:
    seeds = (0, 1, 2**63 - 1, 2**63, 2**64 - 1)
    rows = [rows_of("swedish", 50, timing=timing, seed=seed, first=2**40) for seed in seeds]
    assert len({each.tobytes() for each in rows}) == len(seeds)


def test_determinism__same_deals_under_other_rules_and_players() -> None:
    """Cards are dealt alike whatever the rules and players, so that variants compare on the same deals."""
    plain = lowered_of("swedish")
    others = [
        lowered_of("swedish", ["ace=low", "row_slots=3", "stress_pickup=left"], timing="human"),
        lowered_of("norwegian", players=["1=senior"], timing="human"),
        lowered_of("german", ["deal_mode=split_one_deck"]),
    ]
    for deal in range(5):
        dealt = FAMILY.log_deal(plain, 3, deal).cards
        assert all(np.array_equal(FAMILY.log_deal(other, 3, deal).cards, dealt) for other in others)
        assert not np.array_equal(FAMILY.log_deal(plain, 4, deal).cards, dealt)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_determinism__kept_kernels_do_not_mix(tmp_path: Path) -> None:
    """Compiled in processes of their own, the kernels play the same deals in one that loads all of them."""
    play_in_child = (
        "import sys; from playing import play, lowered_of\n"
        "for line in sys.argv[1:]:\n"
        "    name, *sets = line.split(); print(play(lowered_of(name, sets), 20).tolist())"
    )
    tables = ("swedish", "swedish n_jokers=2", "swedish n_players=3")  # of usual rules, of all, of many players
    paths = {"PYTHONPATH": os.pathsep.join([str(SOURCES), str(TESTS)]), "NUMBA_CACHE_DIR": str(tmp_path)}

    def rows(*named: str) -> list[str]:
        command = [sys.executable, "-c", play_in_child, *named]
        done = subprocess.run(
            command, cwd=TESTS, env={**os.environ, **paths}, capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()

    alone = [rows(table)[0] for table in tables]
    assert rows(*tables) == alone
    assert rows(*reversed(tables)) == alone[::-1]
