"""Distributions, their text forms, and the quantile tables; scipy is the second opinion."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from stressim.errors import InputError
from stressim.players.distribution_text import parse_distribution
from stressim.players.distributions import Distribution, Empirical, ExGaussian, Exponential, Fixed, Lognormal, Normal
from stressim.players.player import Player
from stressim.players.quantile_tables import quantile_table, table_moments
from stressim.players.timing import Timing
from stressim.shedding.habits import SheddingHabits

DEFAULTS = {name: value for name in Timing.model_fields if isinstance(value := getattr(Timing(), name), Distribution)}
SHAPES = (
    Exponential(3000),
    ExGaussian(100, 10, 900),
    ExGaussian(300, 0, 70),
    ExGaussian(300, 45, 2),
    ExGaussian(300, 45, 1),
    ExGaussian(300, 45, 0),
    Lognormal(500, 500),
    Lognormal(500, 1000),
    Normal(350, 100),
    Normal(140, 60),
    Empirical((100, 300)),
    Empirical((1, 2, 3, 900)),
)


def lognormal_oracle(mean, sd):
    s = math.sqrt(math.log(1 + (sd / mean) ** 2))
    return scipy.stats.lognorm(s, scale=mean * math.exp(-s * s / 2))


ORACLES = [
    (ExGaussian(300, 45, 70), scipy.stats.exponnorm(70 / 45, loc=300, scale=45)),
    (ExGaussian(400, 10, 900), scipy.stats.exponnorm(90, loc=400, scale=10)),
    (ExGaussian(300, 60, 6), scipy.stats.exponnorm(0.1, loc=300, scale=60)),
    (Lognormal(300, 60), lognormal_oracle(300, 60)),
    (Lognormal(500, 1000), lognormal_oracle(500, 1000)),
    (Normal(350, 60), scipy.stats.norm(350, 60)),
    (Exponential(3000), scipy.stats.expon(scale=3000)),
]


@pytest.mark.parametrize(("ours", "oracle"), ORACLES, ids=lambda value: str(value) if hasattr(value, "word") else "")
def test_distribution__agrees_with_scipy(ours, oracle):
    for p in (0.0005, 0.01, 0.3, 0.5, 0.9, 0.999):
        assert math.isclose(ours.quantile(p), oracle.ppf(p), rel_tol=1e-9)
        below = oracle.expect(lambda x: x, lb=oracle.ppf(1e-16), ub=oracle.ppf(p), limit=200)
        assert math.isclose(ours.expectation_below(p), below, rel_tol=1e-5)
    assert math.isclose(ours.mean, oracle.mean(), rel_tol=1e-12)
    assert math.isclose(ours.sd, oracle.std(), rel_tol=1e-12)


def test_exgaussian__a_small_tau_meets_the_normal_limit():
    just_above, just_below = ExGaussian(300, 50, 2.001), ExGaussian(300, 50, 1.999)
    for p in (0.01, 0.5, 0.99):
        assert math.isclose(just_above.quantile(p), just_below.quantile(p), rel_tol=2e-4)


@pytest.mark.parametrize("distribution", [*DEFAULTS.values(), *SHAPES], ids=str)
def test_quantile_table__has_the_mean_and_sd_that_were_asked_for(distribution):
    mean, sd = table_moments((quantile_table(distribution) / 1000).tolist())
    assert math.isclose(mean, distribution.mean, rel_tol=5e-4)
    assert math.isclose(sd, distribution.sd, rel_tol=1e-3)


@pytest.mark.parametrize("distribution", [ExGaussian(300, 45, 70), Lognormal(300, 60), Normal(350, 60)], ids=str)
def test_quantile_table__follows_the_quantiles(distribution):
    table = quantile_table(distribution) / 1000
    for i in (3, 13, 64, 128, 192, 243, 253):
        assert math.isclose(table[i], distribution.quantile(i / 256), rel_tol=2e-3)


def test_table_moments__are_those_of_drawn_numbers():
    table = quantile_table(ExGaussian(300, 45, 70)).astype(np.int64)
    bits = np.random.default_rng(1).integers(0, 2**32, 1_000_000)
    interval, rest = bits >> 24, bits & (2**24 - 1)
    drawn = table[interval] + ((table[interval + 1] - table[interval]) * rest >> 24)
    assert abs(drawn.mean() - 370_000) < 4 * 83_216 / 1000
    assert math.isclose(drawn.std(), 83_216, rel_tol=0.005)


ANY = st.one_of(
    st.builds(lambda mean, cv: Lognormal(mean, cv * mean), st.floats(50, 5000), st.floats(0, 1.5)),
    st.builds(lambda mean, cv: Normal(mean, cv * mean), st.floats(50, 5000), st.floats(0, 0.42)),
    st.builds(ExGaussian, st.floats(300, 1000), st.floats(0, 100), st.floats(0, 3000)),
    st.builds(Exponential, st.floats(10, 10_000)),
    st.builds(Empirical, st.lists(st.floats(0, 5000), min_size=1, max_size=600).map(tuple)),
)


@given(ANY)
def test_quantile_table__never_falls_and_is_never_negative(distribution):
    table = quantile_table(distribution)
    assert table.dtype == np.int32
    assert table.shape == (257,)
    assert table[0] >= 0
    assert (np.diff(table) >= 0).all()


@given(ANY)
def test_quantile_table__has_the_mean_of_any_distribution(distribution):
    mean, _ = table_moments((quantile_table(distribution) / 1000).tolist())
    assert math.isclose(mean, distribution.mean, rel_tol=2e-3, abs_tol=1e-3)


def test_quantile_table__is_shared_by_equal_distributions_and_cannot_be_changed():
    table = quantile_table(Lognormal(301, 60))
    assert quantile_table(Lognormal(301.0, 60.0)) is table
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 1


def test_quantile_table__scale_sets_the_unit():
    assert quantile_table(Fixed(2), 65536).tolist() == [131072] * 257


def test_quantile_table__too_long_times_are_refused():
    with pytest.raises(InputError, match="over 2,147 s"):
        quantile_table(Exponential(900_000))


@pytest.mark.parametrize("distribution", [Fixed(500), *SHAPES], ids=str)
def test_scaled__multiplies_mean_and_sd(distribution):
    scaled = distribution.scaled(0.5)
    assert math.isclose(scaled.mean, distribution.mean / 2)
    assert math.isclose(scaled.sd, distribution.sd / 2)


@pytest.mark.parametrize("distribution", [Fixed(500), *SHAPES], ids=str)
def test_shifted__moves_the_mean_and_keeps_the_sd(distribution):
    shifted = distribution.shifted(40)
    assert math.isclose(shifted.mean, distribution.mean + 40)
    assert math.isclose(shifted.sd, distribution.sd)


@pytest.mark.parametrize(
    "text", [*(str(value) for value in DEFAULTS.values()), "list(295,310,402.5)", "exponential(3)"]
)
def test_parse__reads_what_a_distribution_writes(text):
    assert str(parse_distribution(text)) == text


@pytest.mark.parametrize(
    ("given_value", "meant"),
    [
        (1800, Fixed(1800)),
        ("1800", Fixed(1800)),
        (" ExGauss( 300 , 45, 70 ) ", ExGaussian(300, 45, 70)),
        ([310, 295], Empirical((295, 310))),
        (Normal(350, 60), Normal(350, 60)),
    ],
)
def test_parse__accepts_numbers_lists_and_loose_spelling(given_value, meant):
    assert parse_distribution(given_value) == meant


@pytest.mark.parametrize(
    ("given_value", "said"),
    [
        ("exgaus(1,2,3)", "did you mean 'exgauss'"),
        ("normal(350,60", r"must be written normal\(mean,sd\)"),
        ("normal(350)", r"must be written normal\(mean,sd\)"),
        ("normal(350,wide)", "takes numbers, not 'wide'"),
        ("normal(100,60)", "5% of these times would be negative"),
        ("exgauss(10,60,20)", "32% of these times would be negative"),
        ("exgauss(10,60,0)", "43% of these times would be negative"),
        ("lognormal(100,300)", "at most 2 times the mean"),
        ("fixed(-3)", "value must be a number of ms from 0 to 1000000"),
        ("nan", "value must be a number of ms"),
        ("exponential(inf)", "mean must be a number of ms"),
        ("1e7", "from 0 to 1000000"),
        ("list()", "takes numbers, not ''"),
        ([], "needs at least one"),
        ([5, -1], "-1 in a list of times"),
        ([5, True], "takes numbers, not true"),
        (True, "must be a number of ms or exgauss"),
        ({"mean": 3}, "must be a number of ms or exgauss"),
        ("csv(times.csv)", r"must be written csv\(path,column\)"),
    ],
)
def test_parse__says_what_is_wrong(given_value, said):
    with pytest.raises(ValueError, match=said):
        parse_distribution(given_value)


def test_csv__a_column_becomes_measured_times(tmp_path):
    (tmp_path / "times.csv").write_text("\ufeffwho,notice\nA,310\nB,\nC,295.5\n", encoding="utf-8")
    measured = parse_distribution("csv(times.csv, notice)", tmp_path)
    assert isinstance(measured, Empirical)
    assert measured.values == (295.5, 310)
    assert str(measured) == "csv(times.csv,notice)"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("who,notise\nA,3\n", "no column 'notice': it has who or notise; did you mean 'notise'"),
        ("notice\n3\nx\n", "line 3: notice must be a number of ms, not 'x'"),
        ("notice\n\n", "no number in column 'notice'"),
        ("", "no column 'notice'"),
    ],
)
def test_csv__says_what_is_wrong(tmp_path, content, said):
    (tmp_path / "times.csv").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        parse_distribution("csv(times.csv,notice)", tmp_path)


def test_csv__a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"^none\.csv cannot be read"):
        parse_distribution("csv(none.csv,notice)", tmp_path)


def test_timing__takes_text_for_a_distribution():
    assert Timing(countdown="900").countdown == Fixed(900)
    assert Timing.model_validate({"flip": "normal(300,50)"}).model_dump()["flip"] == "normal(300,50)"


def test_player__measured_times_keep_their_name_until_they_are_scaled(tmp_path):
    (tmp_path / "t.csv").write_text("a\n100\n300\n", encoding="utf-8")
    timing = Timing.model_validate({"flip": "csv(t.csv,a)"}, context={"folder": tmp_path})
    player = Player(habits=SheddingHabits(), timing=timing)
    assert str(player.times.flip) == "csv(t.csv,a)"
    assert player.model_copy(update={"speed": 2.0}).times.flip.mean == 100
