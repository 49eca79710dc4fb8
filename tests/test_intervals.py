from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from stressim import intervals
from stressim.errors import InputError

Z = intervals.z_value(0.95)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_z_value__is_the_normal_quantile(confidence):
    assert intervals.z_value(confidence) == pytest.approx(stats.norm.ppf((1 + confidence) / 2), abs=1e-11)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_z_value__refuses_what_is_no_confidence(confidence):
    with pytest.raises(InputError, match="between 0 and 1"):
        intervals.z_value(confidence)


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (0, 50), (50, 50), (3, 17), (50_100, 100_000), (1, 10**9)])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_wilson__equals_scipy(k, n, confidence):
    expected = stats.binomtest(k, n).proportion_ci(confidence_level=confidence, method="wilson")
    found = intervals.wilson(k, n, intervals.z_value(confidence))
    assert found == pytest.approx((expected.low, expected.high), abs=1e-12, rel=1e-9)


def test_wilson__of_nothing_has_no_limits():
    assert intervals.wilson(0, 0, Z) == (None, None)


def test_mean__equals_scipy_on_the_same_numbers():
    values = np.random.default_rng(3).poisson(6.7, 400)
    expected = stats.norm.interval(0.95, loc=values.mean(), scale=stats.sem(values))
    found = intervals.mean(int(values.sum()), int((values**2).sum()), len(values), Z)
    assert found == pytest.approx(expected, rel=1e-9)


def test_mean__of_one_deal_has_no_limits_and_never_goes_below_zero():
    assert intervals.mean(5, 25, 1, Z) == (None, None)
    assert intervals.mean(1, 1, 10, Z).low == 0


def test_variance__is_exact_where_floats_cancel():
    # 10^9 + {0, 1, 2}: squares need 61 bits, far beyond a float's 53.
    values = [10**9, 10**9 + 1, 10**9 + 2]
    assert intervals.variance(sum(values), sum(v * v for v in values), 3) == 1.0


def test_ratio__equals_the_delta_method_computed_from_residuals():
    rng = np.random.default_rng(5)
    y = rng.integers(50, 150, 1000)
    x = rng.binomial(y, 0.2)
    r = x.sum() / y.sum()
    half = stats.norm.ppf(0.975) * np.std(x - r * y, ddof=1) / np.sqrt(len(y)) / y.mean()
    sums, squares = (int(x.sum()), int(y.sum())), (int((x**2).sum()), int((y**2).sum()))
    assert intervals.ratio(sums, squares, int((x * y).sum()), len(y), Z) == pytest.approx(
        (r - half, r + half), rel=1e-9
    )


def test_ratio__covers_the_true_share_about_as_often_as_it_says():
    rng = np.random.default_rng(6)
    runs, hits = 400, 0
    for _ in range(runs):
        y = rng.integers(1, 9, 200)
        x = rng.binomial(y, 0.3)
        low, high = intervals.ratio(
            (int(x.sum()), int(y.sum())), (int((x**2).sum()), int((y**2).sum())), int((x * y).sum()), 200, Z
        )
        hits += low <= 0.3 <= high
    assert abs(hits / runs - 0.95) < 4 * np.sqrt(0.95 * 0.05 / runs)


def test_ratio__over_nothing_has_no_limits():
    assert intervals.ratio((0, 0), (0, 0), 0, 10, Z) == (None, None)


def test_skew__of_two_players_is_wilson_stretched():
    low, high = intervals.wilson(60, 100, Z)
    assert intervals.skew(60, 100, 1, Z) == pytest.approx((2 * low - 1, 2 * high - 1))


def test_skew__of_three_equal_players_holds_zero_as_often_as_it_says():
    wins = np.random.default_rng(8).binomial(300, 1 / 3, 600)
    hits = sum(low <= 0 <= high for low, high in (intervals.skew(int(k), 300, 2, Z) for k in wins))
    assert abs(hits / 600 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 600)


@pytest.mark.parametrize("n", [1, 2, 9, 10, 101, 1000])
@pytest.mark.parametrize("q", ["0.01", "0.25", "0.5", "0.99"])
def test_quantile_rank__is_numpys_inverted_cdf(n, q):
    values = np.arange(1, n + 1)
    assert intervals.quantile_rank(n, Fraction(q)) == np.quantile(values, float(q), method="inverted_cdf")


@pytest.mark.parametrize("n", [500, 501, 2000, 12_345])
@pytest.mark.parametrize("q", ["0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99"])
def test_quantile_ranks__cover_at_least_what_they_promise(n, q):
    share = Fraction(q)
    low, high = intervals.quantile_ranks(n, share, Z)
    # The quantile lies from the low-th to the high-th value when low ... high - 1 deals lie below it.
    below = stats.binom(n, float(share))
    covered = below.cdf(high - 1) - below.cdf(low - 1)
    assert 0.945 < covered < 0.995


@pytest.mark.parametrize(("n", "q"), [(9, "0.5"), (499, "0.01"), (499, "0.99"), (0, "0.5")])
def test_quantile_ranks__too_few_deals_have_none(n, q):
    assert intervals.quantile_ranks(n, Fraction(q), Z) is None
