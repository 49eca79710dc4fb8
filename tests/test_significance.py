from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from stressim.workbench.significance import any_time_p, any_time_p_of_pairs, any_time_z, holm, mcnemar_p, normal_p


@pytest.mark.parametrize(("more", "fewer"), [(0, 1), (3, 3), (8, 1), (40, 25), (480, 520)])
def test_mcnemar__is_the_binomial_test_of_discordant_pairs(more, fewer):
    assert mcnemar_p(more, fewer) == pytest.approx(stats.binomtest(more, more + fewer).pvalue, rel=5e-3)


def test_mcnemar__joins_the_normal_limit_without_a_step():
    assert mcnemar_p(530, 471) == pytest.approx(stats.binomtest(530, 1001).pvalue, rel=1e-2)


def test_normal_p__is_two_sided():
    assert normal_p(2.5) == pytest.approx(2 * stats.norm.sf(2.5), rel=5e-3)


def test_holm__corrects_as_by_hand_and_never_beyond_1():
    assert holm([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02]
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([None, 0.02]) == [None, 0.02]


def test_any_time_p_of_pairs__equal_sides_are_rarely_called_different_at_200_looks():
    rng = np.random.default_rng(1)
    false, usual = 0, 0
    for _ in range(400):
        more = np.cumsum(rng.binomial(20, 0.5, 200))
        looks = [(int(found), 20 * (look + 1) - int(found)) for look, found in enumerate(more)]
        false += any(any_time_p_of_pairs(*look) <= 0.05 for look in looks)
        usual += any(mcnemar_p(*look) <= 0.05 for look in looks)
    # 20 of 400 are allowed; the usual test, looked at as often, is wrong far more often.
    assert false <= 20
    assert usual > 100


def test_any_time_p__means_without_a_difference_are_rarely_called_different():
    rng = np.random.default_rng(2)
    looks = np.arange(1, 101) * 1000
    false = 0
    for _ in range(300):
        sums = np.cumsum(rng.normal(size=100)) * np.sqrt(1000)
        false += any(any_time_p(z, int(n)) <= 0.05 for z, n in zip(sums / np.sqrt(looks), looks, strict=True))
    assert false <= 15


@pytest.mark.parametrize("n", [1000, 20_000, 10**6])
def test_any_time_z__is_where_the_probability_is_what_is_left(n):
    z = any_time_z(0.95, n)
    assert any_time_p(z, n) == pytest.approx(0.05, rel=1e-2)
    assert z > 1.96
