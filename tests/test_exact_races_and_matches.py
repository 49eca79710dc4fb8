"""Races of two times and matches of many games: closed forms, published values, symmetry."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from stressim.exact.matches import knock_out, knock_out_drawn, match_games, match_win, winner_stays
from stressim.exact.races import from_table, grid_step, on_grid, race, race_on_grid
from stressim.family import family_named
from stressim.players.distributions import (
    Distribution,
    Empirical,
    ExGaussian,
    Exponential,
    Fixed,
    Lognormal,
    Normal,
)
from stressim.players.quantile_tables import quantile_table
from stressim.players.resolve import resolve_players
from stressim.rulesfile import load_rules

SLAP = ExGaussian(360, 45, 70)

PUBLISHED = {
    ExGaussian(380, 45, 70): 0.57782,
    ExGaussian(410, 45, 70): 0.68670,
    ExGaussian(460, 45, 70): 0.82749,
    SLAP.scaled(1.05): 0.57834,
    SLAP.scaled(1.10): 0.64997,
    SLAP.scaled(1.20): 0.76768,
}


@pytest.mark.parametrize("other", PUBLISHED)
def test_race__as_published(other: Distribution) -> None:
    assert race(SLAP, other).first == pytest.approx(PUBLISHED[other], abs=6e-6)


@pytest.mark.parametrize(("window", "tie"), [(10, 0.07830), (20, 0.15564), (30, 0.23114)])
def test_race__ties_as_published(window: float, tie: float) -> None:
    assert race(SLAP, SLAP, window).tie == pytest.approx(tie, abs=6e-6)


def test_race__closed_forms() -> None:
    exponentials = race(Exponential(100), Exponential(300))
    normals = race(Normal(300, 30), Normal(350, 40))
    lognormals = race(Lognormal(300, 60), Lognormal(330, 66))

    assert exponentials.first == pytest.approx(0.75, abs=1e-9)
    assert normals.first == pytest.approx(norm.cdf(1), abs=1e-9)
    # Equal relative spread: logarithms differ by log(1.1) and have one sd.
    log_sd = math.sqrt(math.log1p(0.04))
    assert lognormals.first == pytest.approx(norm.cdf(math.log(1.1) / (log_sd * math.sqrt(2))), abs=1e-9)
    assert race(Exponential(100), Exponential(100), 50).tie == pytest.approx(1 - math.exp(-0.5), abs=1e-9)


def test_race__fixed_and_measured_times() -> None:
    measured = Empirical((10, 20, 30))

    assert race(Fixed(15), measured).first == pytest.approx(2 / 3)
    assert race(measured, measured).tie == pytest.approx(1 / 3)
    assert race(measured, measured, 10).tie == pytest.approx(1 / 3)  # ten apart is decided
    assert race(measured, measured, 10.5).tie == pytest.approx(7 / 9)
    assert race(Exponential(20), Fixed(20)).first == pytest.approx(1 - math.exp(-1))
    assert race(Fixed(20), Exponential(20), 5).first == pytest.approx(math.exp(-1.25))


@pytest.mark.parametrize("window", [0.0, 12.5])
def test_race__adds_up_and_mirrors(window: float) -> None:
    laws = (SLAP, Lognormal(400, 90), Normal(380, 60), Exponential(300), Fixed(390), Empirical((350, 380, 500)))
    for first in laws:
        for second in laws:
            one, other = race(first, second, window), race(second, first, window)
            assert one.first + one.second + one.tie == pytest.approx(1, abs=1e-8)
            assert (one.first, one.tie) == pytest.approx((other.second, other.tie), abs=1e-8)


def test_grid__gives_what_the_integral_gives() -> None:
    one, other = SLAP, Lognormal(440, 90)
    step = grid_step([one, other])
    on, off = race_on_grid(on_grid(one, step), on_grid(other, step), 30), race(one, other, 30)

    assert (on.first, on.second, on.tie) == pytest.approx((off.first, off.second, off.tie), abs=1e-5)


def test_grid__sum_of_times() -> None:
    step = grid_step([Normal(400, 60), Normal(200, 80)])
    total = on_grid(Normal(400, 60), step) + on_grid(Normal(200, 80), step)

    assert total.mean == pytest.approx(600, abs=0.5)
    assert total.below(np.array([700.0]))[0] == pytest.approx(norm.cdf(1), abs=1e-4)


def test_from_table__is_close_to_what_was_asked() -> None:
    step = grid_step([SLAP])
    asked, drawn = on_grid(SLAP, step), from_table(quantile_table(SLAP), step)

    assert drawn.mean == pytest.approx(asked.mean, rel=1e-4)
    assert race_on_grid(drawn, drawn, 30).tie == pytest.approx(race_on_grid(asked, asked, 30).tie, abs=2e-4)


def slap(*players: str, rules: str = "swedish") -> dict[str, float]:
    loaded = load_rules(rules)
    seated = resolve_players(players, 2, loaded.family.habits)
    return {each.name: float(each.value) for each in loaded.family.races.quantities(loaded.options, seated)}


def test_slap_race__whole_slaps_as_published() -> None:
    assert slap()["slap_tie_two_piles"] == pytest.approx(0.199, abs=5e-4)
    assert slap("2.seat_distance_cm=14")["slap_first_1"] == pytest.approx(0.791, abs=5e-4)


def test_slap_race__persons_as_published() -> None:
    """Published for persons whose minds and hands do not go together."""
    persons = ("all.person_sd=true", "all.person_correlation=0")

    assert slap(*persons)["slap_tie_two_piles"] == pytest.approx(0.156, abs=5e-4)
    assert slap(*persons, "2.seat_distance_cm=14")["slap_first_1"] == pytest.approx(0.738, abs=5e-4)


def test_slap_race__the_rules_say_which_ties_there_are() -> None:
    assert {name for name in slap() if "tie" in name} == {"slap_tie_two_piles", "slap_tie_one_pile"}
    assert {name for name in slap(rules="norwegian") if "tie" in name} == {"slap_tie_two_piles"}
    assert {name for name in slap(rules="german") if "tie" in name} == {"slap_tie"}
    assert slap(rules="german-beat")["slap_tie"] == 0
    assert slap(rules="spit-bicycle") == {}


def test_slap_race__who_misses_more_loses_more() -> None:
    assert slap("1.p_miss_stress=0.5")["slap_won_1"] < 0.4
    assert slap()["slap_won_1"] == pytest.approx(0.5)


def test_race_for_a_card__only_where_there_are_two() -> None:
    exchange = family_named("exchange")
    alone = load_rules("james-bond", n_players=1)

    assert slap(rules="james-bond")["touch_first_1"] == pytest.approx(0.5)
    assert slap("2.seat_distance_cm=14", rules="james-bond")["touch_first_1"] > 0.9
    assert exchange.races.quantities(alone.options, resolve_players([], 1, exchange.habits)) == ()


def meanings(rules: str, *sets: str) -> dict[str, str]:
    loaded = load_rules(rules, sets)
    seated = resolve_players([], 2, loaded.family.habits)
    return {each.name: each.meaning for each in loaded.family.races.quantities(loaded.options, seated)}


def test_races__say_what_first_and_too_close_have_to_do_with_each_other() -> None:
    assert "by however little" in meanings("james-bond")["touch_first_1"]
    assert meanings("james-bond", "tie_window_ms=12")["touch_tie"] == (
        "Too close to call (less than 12 ms apart), whoever was first: chance gives it to one of them."
    )
    assert meanings("james-bond", "touch_tie=redo")["touch_tie"].endswith("first: all let go, and the card stays.")
    assert meanings("james-bond", "contested_card=random")["touch_tie"].endswith("whoever was first.")
    assert "by however little" in meanings("swedish")["slap_first_1"]
    assert meanings("swedish", "stress_tie=random")["slap_tie_two_piles"] == (
        "Two slaps on different piles are too close to call (less than 30 ms apart), whoever was first: a coin names "
        "the loser."
    )
    assert meanings("german-beat")["slap_tie"] == "The two slaps are never too close to call: the lower hand shows."


MATCHES = {
    # chance of a game: of a match best of three, best of five, first to five
    "0.55": ("2299/4000", "949003/1600000", ".621421"),
    "0.6": ("81/125", "2133/3125", "286497/390625"),
    "0.7": (".784", ".83692", ".901191"),
}


@pytest.mark.parametrize("p", MATCHES)
def test_match_win__as_published(p: str) -> None:
    for wins, published in zip((2, 3, 5), MATCHES[p], strict=True):
        assert abs(match_win(wins, Fraction(p)) - Fraction(published)) < Fraction(1, 10**6)


def test_match_games__as_published() -> None:
    half = Fraction(1, 2)
    assert [float(match_games(wins, half)) for wins in (1, 2, 3)] == [1, 2.5, 4.125]
    assert float(match_games(5, half)) == pytest.approx(7.5391, abs=5e-5)
    assert match_games(3, Fraction(1)) == 3


def test_knock_out__as_published() -> None:
    strengths = [Fraction(strength) for strength in (4, 3, 2, 1)]
    drawn = (Fraction(2068, 4725), Fraction(219, 700), Fraction(877, 4725), Fraction(1207, 18900))

    assert knock_out(strengths) == (Fraction(128, 315), Fraction(39, 140), Fraction(76, 315), Fraction(31, 420))
    assert knock_out_drawn(strengths) == drawn


def test_winner_stays__shares_of_wins_are_shares_of_strength() -> None:
    found = winner_stays([Fraction(strength) for strength in (3, 2, 1)])

    assert [wins for wins, _ in found] == [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    assert [games for _, games in found] == [Fraction(3, 4), Fraction(2, 3), Fraction(7, 12)]
    with pytest.raises(ValueError, match="three"):
        winner_stays([Fraction(1)] * 4)
