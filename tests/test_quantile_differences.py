"""Differences of quantiles between variants."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from stressim.estimates import Quantile
from stressim.intervals import quantile_rank, quantile_ranks, z_value
from stressim.workbench.compare import compare_variants
from stressim.workbench.quantiles import limits_of, quantile_differences
from stressim.workbench.tables import comparison_dict
from stressim.workbench.telling import render
from stressim.workbench.variants import read_variants


def quantile_of(values: np.ndarray, share: str) -> Quantile:
    """The quantile and its interval, as of deals."""
    ordered, n, q = np.sort(values), len(values), Fraction(share)
    ranks = quantile_ranks(n, q, z_value(0.95))
    assert ranks is not None
    low, high = (float(ordered[rank - 1]) for rank in ranks)
    return Quantile(estimate=float(ordered[quantile_rank(n, q) - 1]), low=low, high=high)


@pytest.mark.parametrize(("common", "least", "most"), [(0.0, 0.93, 0.98), (0.6, 0.96, 1.0)])
@pytest.mark.parametrize(("share", "truth"), [("0.5", 1.0), ("0.95", 1.0)])
def test_quantile_differences__cover_the_truth(share: str, truth: float, common: float, least: float, most: float):
    """As often as promised where the two are independent, and more often where deals go together."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(1000):
        shared, mine, theirs = rng.standard_normal((3, 4000))
        old = common**0.5 * shared + (1 - common) ** 0.5 * mine
        new = 1.0 + common**0.5 * shared + (1 - common) ** 0.5 * theirs
        first, second = quantile_of(old, share), quantile_of(new, share)
        limits = limits_of(first, second)
        assert limits is not None
        covered += limits[0] <= truth <= limits[1]

    assert least < covered / 1000 <= most


def test_quantile_differences__are_between_the_quantiles_that_simulate_gives():
    found = compare_variants(read_variants(["swedish", "ace=low"], timing="uniform"), deals=3000, on=["moves"])
    first, second = (result.estimates["moves"].quantiles for result in found.results)
    of_variant = quantile_differences(found)[0]

    assert [one.share for one in of_variant] == list(first)
    assert all(one.difference == second[one.share].estimate - first[one.share].estimate for one in of_variant)
    assert all(one.low is None or one.low <= one.difference <= one.high for one in of_variant)
    told = comparison_dict(found)["against_reference"][0]["quantiles"]["moves"]["0.5"]
    assert (told["reference"], told["value"]) == (first[0.5].estimate, second[0.5].estimate)
    assert any("moves, median" in line.text for line in render(found))


def test_quantile_differences__promise_nothing_where_one_stops_when_one_likes():
    variants = read_variants(["swedish", "ace=low"], timing="uniform")
    found = compare_variants(variants, deals=6000, on=["stalls", "moves"], until_decided=True)

    assert {(one.low, one.high) for one in quantile_differences(found)[0]} == {(None, None)}
    line = next(line.text for line in render(found) if "moves, median" in line.text)
    assert " to " not in line


def test_quantile_differences__leave_out_what_only_some_rules_know():
    """Metrics of ranked deals are not there where play ends with the first win."""
    found = compare_variants(read_variants(["james-bond", "ranking=all"], timing="uniform"), deals=50)
    names = {one.metric.name for one in quantile_differences(found)[0]}

    assert "ranked" in {metric.name for metric in found.metrics}
    assert "moves" in names
    assert comparison_dict(found)["against_reference"]
    assert render(found)
