"""Tournaments, against exact values where players are Bradley–Terry by construction."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner

from stressim.cli import cli
from stressim.errors import InputError
from stressim.exact.matches import knock_out, knock_out_drawn, winner_stays
from stressim.matches import Finished
from stressim.players import resolve_players
from stressim.rulesfile import load_rules
from stressim.tournament import Meet, TournamentFormat, play, playing

KNOCKOUT, WINNER_STAYS, ROUND_ROBIN = TournamentFormat
N = 40_000


def bradley_terry(strengths: tuple[int, ...], seed: int = 1) -> Meet:
    """Meetings of players whose chances stand to one another as their strengths."""
    chance = np.random.Generator(np.random.PCG64(seed))

    def meet(one: int, other: int) -> Finished:
        first = chance.random() * (strengths[one] + strengths[other]) < strengths[one]
        return Finished(0 if first else 1, 2, 3_000_000)

    return meet


def fractions(strengths: tuple[int, ...]) -> list[Fraction]:
    return [Fraction(strength) for strength in strengths]


def distances(found: list[float], expected: list[Fraction], n: int) -> list[float]:
    return [(value - float(p)) / (float(p * (1 - p)) / n) ** 0.5 for value, p in zip(found, expected, strict=True)]


@pytest.mark.parametrize("drawn", [False, True])
def test_B49_knockout__agrees_with_the_exact_values(drawn: bool) -> None:
    strengths = (4, 3, 2, 1)
    found = play(KNOCKOUT, bradley_terry(strengths), 4, N, draw_seed=5 if drawn else None)
    expected = (knock_out_drawn if drawn else knock_out)(fractions(strengths))
    assert max(map(abs, distances([one.wins for one in found.standings], list(expected), N))) < 4
    assert (found.deals, found.length_s) == (6, 9)
    assert sum(one.played for one in found.standings) == pytest.approx(6)


def test_B49_knockout__of_eight() -> None:
    strengths = (8, 1, 3, 2, 5, 5, 1, 4)
    found = play(KNOCKOUT, bradley_terry(strengths), 8, N)
    expected = knock_out(fractions(strengths))
    assert max(map(abs, distances([one.wins for one in found.standings], list(expected), N))) < 4


def test_B50_winner_stays__shares_are_those_of_strength() -> None:
    strengths = (3, 2, 1)
    found = play(WINNER_STAYS, bradley_terry(strengths), 3, 4 * N)
    wins, played = zip(*winner_stays(fractions(strengths)), strict=True)
    assert wins == (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    for standing, share, plays in zip(found.standings, wins, played, strict=True):
        assert standing.low is not None
        assert standing.high is not None
        assert abs(standing.wins - share) < 2.2 * (standing.high - standing.low)
        assert standing.played == pytest.approx(float(plays), abs=0.01)
        assert standing.match_wins == pytest.approx(float(share / plays), abs=0.01)


def test_U41_winner_stays__who_has_waited_longest_comes_next() -> None:
    met: list[tuple[int, int]] = []

    def meet(one: int, other: int) -> Finished:
        met.append((one, other))
        return Finished(0, 1, 0)

    play(WINNER_STAYS, meet, 4, 5)
    assert met == [(0, 1), (0, 2), (0, 3), (0, 1), (0, 2)]


def test_round_robin__most_wins_and_shared_firsts() -> None:
    """Three equal players: each has a third; one in four tournaments is shared by all three."""
    met: list[tuple[int, int]] = []
    meet = bradley_terry((1, 1, 1))

    def noted(one: int, other: int) -> Finished:
        met.append((one, other))
        return meet(one, other)

    found = play(ROUND_ROBIN, noted, 3, N)
    assert met[:3] == [(0, 1), (0, 2), (1, 2)]
    for standing in found.standings:
        assert standing.low is not None
        assert standing.high is not None
        assert abs(standing.wins - 1 / 3) < 2.2 * (standing.high - standing.low)
        assert standing.played == 2


def test_round_robin__the_better_one_wins_more() -> None:
    # Strengths 3, 1, 1: first alone with two wins 9/16; all with one win 2 * 3/4 * 1/4 * 1/2 = 3/16, a third of it.
    found = play(ROUND_ROBIN, bradley_terry((3, 1, 1)), 3, N)
    expected = Fraction(9, 16) + Fraction(3, 16) / 3
    assert abs(distances([found.standings[0].wins], [expected], N)[0]) < 4


@pytest.mark.parametrize(
    ("form", "n_players", "n", "says"),
    [
        (KNOCKOUT, 3, 1, "comes out even with 2, 4, 8"),
        (KNOCKOUT, 1, 1, "takes from 2 to 64"),
        (WINNER_STAYS, 2, 1, "takes from 3 to 64"),
        (ROUND_ROBIN, 65, 1, "takes from 2 to 64"),
        (ROUND_ROBIN, 3, 0, "must be a whole number from 1"),
    ],
)
def test_tournament__that_cannot_be_is_refused(form: TournamentFormat, n_players: int, n: int, says: str) -> None:
    with pytest.raises(InputError, match=says):
        play(form, bradley_terry((1,) * 70), n_players, n)


def test_playing__matches_follow_from_the_deals() -> None:
    """Equal adults win half; who is quicker wins more; the same seed gives the same matches; pairs share no deals."""
    rules = load_rules("swedish", sets=("match_format=best_of(3)",))
    players = resolve_players(["3.speed=1.3"], 3, rules.family.habits)
    meet, again = (playing(rules, players, "human", 1) for _ in range(2))
    equal = [meet(0, 1) for _ in range(2_000)]
    assert equal == [again(0, 1) for _ in range(2_000)]
    assert abs(np.mean([match.champion for match in equal]) - 0.5) < 4 * (0.25 / 2_000) ** 0.5
    quick = [meet(0, 2) for _ in range(2_000)]
    assert np.mean([match.champion for match in quick]) > 0.8
    slow = [meet(1, 2) for _ in range(2_000)]
    # The same two people on other deals: as likely, but not the same.
    assert np.mean([match.champion for match in slow]) > 0.8
    assert [match.length for match in slow] != [match.length for match in quick]


def test_playing__needs_a_table_for_two() -> None:
    rules = load_rules("james-bond", n_players=3)
    with pytest.raises(InputError, match="by two at a table"):
        playing(rules, resolve_players((), 3, rules.family.habits), "human", 1)


def test_playing__two_who_come_to_no_end_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among players who never give way nearly all deals lock: some deals on end decide nothing."""
    module = sys.modules[playing.__module__]  # the package has a function of this name
    monkeypatch.setattr(module, "_DEALS", 64)
    monkeypatch.setattr(module, "_MOST_DEALS", 200)
    rules = load_rules("james-bond", sets=("match_format=best_of(99)",), n_players=2)
    players = resolve_players(["all=greedy"], 2, rules.family.habits)
    with pytest.raises(InputError, match="players 1 and 2 come to no end: 256 deals decide no match"):
        playing(rules, players, "uniform", 1)(0, 1)


def invoked(*arguments: str) -> str:
    found = CliRunner().invoke(cli, ["tournament", "swedish", "--timing", "uniform", *arguments], standalone_mode=False)
    if found.exception:
        raise found.exception
    return found.stdout


def test_command__says_who_wins() -> None:
    said = invoked("--player", "1=expert", "--tournaments", "400")
    assert said.startswith("swedish · knockout of 4 · uniform timing · 400 tournaments · seed 1\n")
    assert "1 expert" in said
    assert all(len(line) <= 78 for line in said.splitlines() if not line.startswith("    stressim "))
    assert said == invoked("--player", "1=expert", "--tournaments", "400")


def test_command__writes_what_programs_read() -> None:
    arguments = ["--format", "round-robin", "--players", "3", "--tournaments", "300"]
    found = json.loads(invoked(*arguments, "--output", "json"))
    assert [one["player"] for one in found["standings"]] == [1, 2, 3]
    assert sum(one["wins"] for one in found["standings"]) == pytest.approx(1, abs=1e-4)
    assert "length_s" not in found
    rows = list(csv.DictReader(io.StringIO(invoked(*arguments, "--output", "csv"))))
    assert [row["wins"] for row in rows] == [str(one["wins"]) for one in found["standings"]]
    table = invoked(*arguments, "--output", "markdown", "--set", "ace=low", "--set", "row_slots=3")
    assert table.startswith("**swedish with ace=low, row\\_slots=3**: round-robin of 3, 300 played\n")
    assert table.count("\n|") == 5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--format", "league"], "--format 'league' must be knockout, winner-stays or round-robin"),
        (["--format", "json"], "--format says how it goes, and --output json what is printed"),
        (["--output", "xml"], "--output 'xml' is not known"),
        (["--output", "winner-stays"], "is a way in which tournaments go: that is --format winner-stays"),
        (["--players", "5"], "a knock-out comes out even"),
        (["--players", "99"], "--players 99 is not possible"),
        (["--draw", "--format", "round-robin"], "--draw is for the places of a knock-out"),
        (["--seed", "-1"], "seed = -1 is not possible"),
        (["--player", "1=nobody"], "--player 1=nobody"),
    ],
)
def test_command__bad_input_is_one_sentence(arguments: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        invoked(*arguments)


def test_command__names_show_what_differs_and_the_command_is_said_again() -> None:
    given = ["swedish", "--player", "2=casual", "--player", "4.speed=1.1", "--timing", "uniform", "--tournaments", "30"]
    given += ["--set", "ace=low", "--format", "round-robin"]
    text = CliRunner().invoke(cli, ["tournament", *given]).output
    assert re.search(r"^  4 adult speed=1.1 ", text, re.MULTILINE)
    assert re.search(r"^  2 casual  ", text, re.MULTILINE)
    again = text.partition("Again:")[2].split()
    assert again[:2] == ["stressim", "tournament"]
    assert CliRunner().invoke(cli, again[1:]).output == text
    told = json.loads(CliRunner().invoke(cli, ["tournament", *given, "--output", "json"]).output)
    assert [one["name"] for one in told["standings"]] == ["adult", "casual", "adult", "adult speed=1.1"]


def test_command__deals_are_asked_for_as_tournaments() -> None:
    refused = CliRunner().invoke(cli, ["tournament", "swedish", "--deals", "100"]).exception
    assert isinstance(refused, InputError)
    assert "--tournaments" in str(refused)
