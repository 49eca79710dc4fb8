from __future__ import annotations

import pytest

from stressim.asserts import judge, parse
from stressim.errors import InputError
from stressim.estimates import Estimate, Quantile
from stressim.family import family_named

SHEDDING = family_named("shedding")
METRICS = {metric.name: metric for metric in SHEDDING.metrics}
ESTIMATES = {
    "stalled": Estimate(metric=METRICS["stalled"], estimate=0.9, low=0.89, high=0.91, n=1000),
    "stalls": Estimate(metric=METRICS["stalls"], estimate=6.7, low=6.6, high=6.8, n=1000),
    "length_s": Estimate(
        metric=METRICS["length_s"],
        estimate=140.0,
        low=139.0,
        high=141.0,
        n=1000,
        sd=33.0,
        quantiles={q: Quantile(estimate=100.0 + 100 * q, low=None, high=None) for q in (0.01, 0.05, 0.25, 0.5, 0.95)},
    ),
}


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("stalled<0.9", False),
        ("stalled<=0.9", True),
        ("stalled>0.9", False),
        ("stalled>=0.9", True),
        ("stalled < 95%", True),
        ("stalled < 9 %", False),
        ("stalls.high<7", True),
        ("stalls.low>=6.61", False),
        ("stalls.estimate>6.69", True),
        ("length_s.median<151", True),
        ("length_s.0.5<150", False),
        ("length-s.0.95>194", True),
        ("length_s..95>196", False),
        ("length_s.mean<=140", True),
        ("length_s.sd<3.3e1", False),
        ("win_skew>-1", False),
    ],
)
def test_asserts__judged_by_the_part_and_comparison_that_they_name(text, passed):
    assert judge(parse(text, SHEDDING, clock=True), ESTIMATES).passed is passed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stalled", "cannot be read"),
        ("stalled=0.9", "cannot be read"),
        ("stalled<", "cannot be read"),
        ("<3", "cannot be read"),
        ("stalled<0.9<1", "no number"),
        ("stalled<nan", "no number"),
        ("stalled<inf", "no number"),
        ("staled<0.9", "did you mean 'stalled'"),
        ("zzzz<0.9", "stressim metrics list"),
        ("stalls<50%", "no share"),
        ("stalls.median<5", "estimate, low or high"),
        ("length_s.0.9<5", "0.95"),
        ("length_s.medium<5", "did you mean 'median'"),
        ("stalled<90", "write 90% if per cent are meant"),
    ],
)
def test_asserts__what_cannot_be_judged_is_refused_in_a_sentence(text, said):
    with pytest.raises(InputError, match="--assert") as refused:
        parse(text, SHEDDING, clock=True)
    assert said in str(refused.value)


def test_asserts__what_needs_a_clock_is_refused_without_one():
    parse("length_s<100", SHEDDING, clock=True)
    with pytest.raises(InputError, match="needs a clock"):
        parse("length_s<100", SHEDDING, clock=False)


def test_asserts__verdict_says_the_number():
    assert str(judge(parse("stalled<0.95", SHEDDING, clock=True), ESTIMATES)) == "pass  stalled<0.95  (it is 0.9)"
    assert str(judge(parse("won<1", SHEDDING, clock=True), ESTIMATES)).startswith("FAIL  won<1")
