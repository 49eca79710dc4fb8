from __future__ import annotations

import numpy as np
import pytest

from stressim.estimates import QUANTILES, Quantile, estimate_all
from stressim.family import family_named
from stressim.metrics import Rate
from stressim.tally import MAX_VALUES, Tally

SHEDDING = family_named("shedding")
NAMES = [column.name for column in SHEDDING.columns]


def rows_of(n: int, **columns: object) -> np.ndarray:
    rows = np.zeros((n, len(NAMES)), np.int64)
    for name, values in columns.items():
        rows[:, NAMES.index(name)] = values
    return rows


def estimates_of(rows: np.ndarray, clock: bool = True):
    return estimate_all(SHEDDING, Tally.of_rows(SHEDDING, rows), clock=clock)


def test_estimates__rate_mean_and_ratio_are_what_numpy_says():
    rng = np.random.default_rng(1)
    stalls = rng.poisson(5, 2000)
    lengths = rng.integers(30_000_000, 200_000_000, 2000)
    stalled_us = (lengths * rng.uniform(0.1, 0.3, 2000)).astype(np.int64)
    found = estimates_of(rows_of(2000, stalls=stalls, stalled=stalls > 0, length_us=lengths, stalled_us=stalled_us))
    assert found["stalls"].estimate == pytest.approx(stalls.mean(), rel=1e-5)
    assert found["stalled"].estimate == pytest.approx((stalls > 0).mean(), rel=1e-5)
    assert found["length_s"].estimate == pytest.approx(lengths.mean() / 1e6, rel=1e-5)
    assert found["length_s"].sd == pytest.approx(lengths.std(ddof=1) / 1e6, rel=1e-5)
    assert found["stall_share"].estimate == pytest.approx(stalled_us.sum() / lengths.sum(), rel=1e-5)
    assert found["stall_share"].low < 0.2 < found["stall_share"].high


def test_estimates__quantiles_are_those_of_the_deals_to_within_a_bin():
    lengths = np.random.default_rng(2).gamma(9, 10_000_000, 5000).astype(np.int64)
    moves = np.random.default_rng(3).integers(30, 90, 5000)
    found = estimates_of(rows_of(5000, length_us=lengths, moves=moves))
    assert tuple(found["length_s"].quantiles) == QUANTILES
    for q in QUANTILES:
        length, plays = found["length_s"].quantiles[q], found["moves"].quantiles[q]
        assert length.estimate == pytest.approx(np.quantile(lengths, q, method="inverted_cdf") / 1e6, abs=0.0051)
        assert plays.estimate == np.quantile(moves, q, method="inverted_cdf")
        assert length.low < length.estimate < length.high


def test_estimates__too_few_deals_leave_quantiles_without_limits():
    found = estimates_of(rows_of(50, moves=np.arange(50)))["moves"].quantiles
    assert found[0.01].low is None
    assert found[0.99].high is None
    assert found[0.5].low is not None


def test_estimates__a_quantile_among_stopped_deals_is_more_than_a_number():
    moves = np.arange(1, 1001)
    stopped = moves > 900
    found = estimates_of(rows_of(1000, moves=np.minimum(moves, 901), unfinished=stopped))["moves"].quantiles
    assert (found[0.75].estimate, found[0.75].more_than) == (750, None)
    assert found[0.75].high is not None
    assert (found[0.95].estimate, found[0.95].high, found[0.95].more_than) == (None, None, 901)
    assert found[0.95].low == found[0.95].at_least == 901
    # The quantile is known, and how far above it the truth may lie is not.
    nearly = estimates_of(rows_of(1000, moves=moves, unfinished=moves > 960))["moves"].quantiles[0.95]
    assert (nearly.estimate, nearly.high) == (950, None)
    assert nearly.low < 950


def test_estimates__a_quantile_among_lengths_too_long_for_bins_is_more_than_a_number():
    lengths = np.full(1000, 60_000_000)
    lengths[:100] = 20_000_000_000
    found = estimates_of(rows_of(1000, length_us=lengths))["length_s"].quantiles
    assert found[0.75].estimate == pytest.approx(60, abs=0.01)
    assert found[0.95].estimate is None
    assert found[0.95].more_than == pytest.approx((MAX_VALUES - 1) / 100, rel=1e-5)


def test_estimates__what_needs_a_clock_is_absent_without_one():
    rows = rows_of(10, won=1, win_1=1, stalled=1, length_us=1000)
    clocked = {metric.name for metric in SHEDDING.metrics if metric.clock and not metric.of_match}
    assert clocked == {"length_s", "stall_share", "first_stall_s"}
    assert set(estimates_of(rows)) - set(estimates_of(rows, clock=False)) == clocked


def test_estimates__what_rests_on_no_deal_is_absent():
    found = estimates_of(rows_of(10))
    assert "won" in found
    for absent in (
        "win_skew",
        "comebacks",
        "dead_time",
        "loser_cards",
        "first_stall_s",
        "stall_share",
        "decisions",
        "cards_picked_up",
    ):
        assert absent not in found
    assert estimates_of(rows_of(0)) == {}


def test_estimates__mean_over_flagged_deals():
    found = estimates_of(
        rows_of(
            4,
            won=[1, 1, 0, 0],
            win_1=[1, 0, 0, 0],
            win_2=[0, 1, 0, 0],
            loser_cards=[10, 20, 0, 0],
            losers=[1, 1, 0, 0],
        )
    )
    assert found["loser_cards"].estimate == 15
    assert found["win_skew"].estimate == 0
    assert found["win_skew"].n == 2


def test_estimates__one_flagged_deal_has_no_interval():
    found = estimates_of(
        rows_of(4, won=[1, 0, 0, 0], win_1=[1, 0, 0, 0], loser_cards=[10, 0, 0, 0], losers=[1, 0, 0, 0])
    )
    assert (found["loser_cards"].low, found["loser_cards"].high) == (None, None)


def test_estimates__outcomes_sum_to_one_and_intervals_hold_their_estimate():
    rng = np.random.default_rng(4)
    outcome = rng.integers(0, 5, 3000)
    flags = {name: outcome == index for index, name in enumerate(NAMES[:5])}
    found = estimates_of(rows_of(3000, **flags, win_1=outcome == 0))
    outcomes = [e for e in found.values() if isinstance(e.metric, Rate) and e.metric.group == "outcomes"]
    assert sum(e.estimate for e in outcomes) == pytest.approx(1, abs=1e-5)
    for estimate in found.values():
        assert estimate.low <= estimate.estimate <= estimate.high


def test_estimates__more_confidence_is_a_wider_interval():
    tally = Tally.of_rows(SHEDDING, rows_of(100, won=[1, 0] * 50, win_1=[1, 0] * 50))
    wide = estimate_all(SHEDDING, tally, clock=True, confidence=0.99)["won"]
    narrow = estimate_all(SHEDDING, tally, clock=True, confidence=0.9)["won"]
    assert wide.low < narrow.low < 0.5 < narrow.high < wide.high


@pytest.mark.parametrize(
    ("quantile", "said"),
    [
        (Quantile(estimate=3.5, low=3.0, high=4.0), "<3.5 (3 to 4)>"),
        (Quantile(estimate=3.5, low=3.0, high=None), "<3.5 (3 or more)>"),
        (Quantile(estimate=None, low=90.0, high=None, more_than=100.0), "<more than 100 (90 or more)>"),
        (Quantile(estimate=None, low=None, high=None, more_than=100.0), "<more than 100 (no interval, too few deals)>"),
    ],
)
def test_quantile__says_what_is_known_of_it(quantile: Quantile, said: str) -> None:
    assert repr(quantile) == said
