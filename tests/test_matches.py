"""Matches made of deals: best of n, first to n, by wins and by points."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from playing import FAMILY, rows_of

from stressim.asserts import parse
from stressim.errors import InputError
from stressim.exact.matches import match_games, match_win
from stressim.matches import Matches, Results
from stressim.matchrules import MatchRules, MatchStop, Scoring, match_format, match_rules
from stressim.players import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import Result, simulate

MATCH_FORMATS = {"best_of(3)": 2, "best_of(5)": 3, "first_to(5)": 5}


def played(
    winners: str, form: str, *, n_players: int = 2, stop: str = "decided", points: list[int] | None = None
) -> tuple[list[tuple[int, int]], Matches]:
    """Play out deals won by these seats (``-`` by nobody); return (winner, deals) of each match."""
    rules = MatchRules(
        form=match_format(form),
        stop=MatchStop.parse(stop),
        scoring=Scoring.NONE if points is None else Scoring.LOSER_CARDS,
        n_players=n_players,
    )
    seats = np.array([-1 if seat == "-" else int(seat) - 1 for seat in winners], np.int64)
    worth = np.ones(len(seats), np.int64) if points is None else np.array(points, np.int64)
    found: list[tuple[int, int]] = []
    matches = Matches(rules=rules)
    for i in range(len(seats)):
        before = matches.tally
        matches = matches.after(Results(winners=seats[i : i + 1], points=worth[i : i + 1], lengths=np.full(1, 7)))
        if matches.tally.n_deals > before.n_deals:
            seat = next(
                s
                for s in range(1, n_players + 1)
                if matches.tally.sum_of(f"match_win_{s}") > before.sum_of(f"match_win_{s}")
            )
            found.append((seat, matches.tally.sum_of("match_deals") - before.sum_of("match_deals")))
    return found, matches


def simulated(form: str, deals: int = 30_000, rules: str = "swedish", **given: object) -> Result:
    loaded = load_rules(rules, sets=(f"match_format={form}",))
    players = resolve_players((), loaded.options.n_players, loaded.family.habits)  # type: ignore[attr-defined]
    return simulate(loaded, players, "uniform", deals=deals, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("winners", "form", "expected"),
    [
        ("1121221", "best_of(3)", [(1, 2), (2, 3)]),  # 11 · 212 … the last 21 is not finished
        ("1-1-2--2", "best_of(3)", [(1, 3), (2, 5)]),
        ("11111", "first_to(5)", [(1, 5)]),
        ("121212121", "first_to(5)", [(1, 9)]),
        ("222", "best_of(5)", [(2, 3)]),
        ("12", "best_of(2)", []),  # equal ones play on
        ("121", "best_of(2)", [(1, 3)]),
    ],
)
def test_match__ends_when_it_is_decided(winners: str, form: str, expected: list[tuple[int, int]]) -> None:
    assert played(winners, form)[0] == expected


def test_U39_match_stop__all_deals() -> None:
    assert played("11211", "best_of(3)", stop="all_deals")[0] == [(1, 3)]
    assert played("22222", "best_of(5)", stop="all_deals")[0] == [(2, 5)]


def test_AU11_best_of_five__most_wins_and_equal_ones_play_on() -> None:
    assert played("11", "best_of(5)", n_players=4)[0] == []  # another one can still win three
    assert played("1123", "best_of(5)", n_players=4)[0] == []
    assert played("11234", "best_of(5)", n_players=4)[0] == [(1, 5)]
    assert played("1122332", "best_of(5)", n_players=3)[0] == [(2, 7)]
    assert played("111", "best_of(5)", n_players=3)[0] == [(1, 3)]


def test_U37_scoring__points_are_the_losers_cards() -> None:
    assert played("12", "first_to(20)", points=[19, 20])[0] == [(2, 2)]
    assert played("112", "best_of(3)", points=[5, 5, 11])[0] == [(2, 3)]
    assert played("1122", "best_of(3)", points=[5, 5, 10, 1])[0] == [(2, 4)]


@pytest.mark.parametrize("form", ["best_of", "best_of(0)", "best_of(100)", "first(3)", "best of 3", "", "best_of(3.5)"])
def test_match_format__that_cannot_be_is_refused(form: str) -> None:
    with pytest.raises(InputError, match="must be single, best_of\\(n\\) or first_to\\(n\\)"):
        load_rules("swedish", sets=(f"match_format={form}",))


@pytest.mark.parametrize("form", MATCH_FORMATS)
def test_matches__agree_with_the_closed_form(form: str) -> None:
    """Player 1 is quicker: his matches follow from his share of won deals, their deals from that and the draws."""
    loaded = load_rules("swedish", sets=(f"match_format={form}",))
    players = resolve_players(["1.speed=1.05"], 2, loaded.family.habits)
    found = simulate(loaded, players, deals=60_000)
    n_won, wins = found.tally.sum_of("won"), found.tally.sum_of("win_1")
    p = Fraction(wins, n_won)
    matches = found.estimates["match_win_1"]
    expected = float(match_win(MATCH_FORMATS[form], p))
    error = (expected * (1 - expected) / matches.n) ** 0.5
    assert abs(matches.estimate - expected) < 4 * error
    games = float(match_games(MATCH_FORMATS[form], p)) * found.deals / n_won
    mean = found.estimates["match_deals"]
    assert mean.low is not None
    assert abs(mean.estimate - games) < 4 * (mean.estimate - mean.low) / 1.96
    length = found.estimates["match_length_s"]
    assert length.low is not None
    assert (
        abs(length.estimate - games * found.estimates["length_s"].estimate) < 4 * (length.estimate - length.low) / 1.96
    )


@pytest.mark.parametrize(("jobs", "shard"), [(1, 16_384), (3, 77), (2, 1000)])
def test_matches__are_the_same_for_any_jobs_and_shards(jobs: int, shard: int) -> None:
    found = simulated("best_of(3)", 3000, jobs=jobs, shard=shard)
    expected = simulated("best_of(3)", 3000)
    assert found.matches is not None
    assert expected.matches is not None
    assert found.matches.tally == expected.matches.tally
    assert found.matches.begun == expected.matches.begun


def test_matches__change_no_deal() -> None:
    assert simulated("best_of(5)", 2000).tally == simulated("single", 2000).tally
    assert simulated("single", 100).matches is None


def test_matches__are_those_of_the_deals_in_order() -> None:
    rows = rows_of("swedish", 2000)
    place = {column.name: index for index, column in enumerate(FAMILY.columns)}
    winners = "".join("1" if row[place["win_1"]] else "2" if row[place["win_2"]] else "-" for row in rows)
    expected = played(winners, "best_of(3)")[1]
    found = simulated("best_of(3)", 2000).matches
    assert found is not None
    assert found.tally.sum_of("match_win_1") == expected.tally.sum_of("match_win_1")
    assert found.tally.sum_of("match_deals") == expected.tally.sum_of("match_deals")


def test_matches__of_three_players() -> None:
    loaded = load_rules("james-bond", sets=("match_format=best_of(5)",), n_players=3)
    found = simulate(loaded, resolve_players((), 3, loaded.family.habits), "uniform", deals=3000)
    shares = [found.estimates[f"match_win_{seat}"].estimate for seat in (1, 2, 3)]
    assert sum(shares) == pytest.approx(1, abs=1e-4)
    assert "match_win_4" not in found.estimates
    assert "match_length_s" not in found.estimates


def test_matches__are_kept_in_run_files(tmp_path: Path) -> None:
    def run(deals: int, path: Path, form: str = "best_of(3)") -> subprocess.CompletedProcess[str]:
        arguments = ["swedish", "--set", f"match_format={form}", "--timing", "uniform", "--format", "json"]
        return subprocess.run(
            [sys.executable, "-m", "stressim", "simulate", *arguments, "--deals", str(deals), "--out", str(path)],
            capture_output=True,
            text=True,
            check=False,
        )

    whole = run(3000, tmp_path / "whole.run")
    for deals in (501, 1000, 3000):
        parts = run(deals, tmp_path / "parts.run")
    assert parts.stdout == whole.stdout
    assert json.loads(whole.stdout)["metrics"]["match_deals"]["estimate"] > 2
    assert (tmp_path / "parts.run").read_bytes() == (tmp_path / "whole.run").read_bytes()
    other = run(3000, tmp_path / "parts.run", "best_of(5)")
    assert other.stderr.endswith("is of another run: match_format is best_of(3) there and best_of(5) here\n")


def test_match_metrics__need_matches() -> None:
    with pytest.raises(InputError, match="match_win_1 needs matches: --set match_format='best_of\\(3\\)'"):
        parse("match_win_1>0.5", FAMILY, clock=True)
    assert parse("match_win_1>0.5", FAMILY, clock=True, matches=True).metric.of_match


def test_match_rules__of_a_single_deal_are_none() -> None:
    assert match_rules(load_rules("swedish").options) is None
