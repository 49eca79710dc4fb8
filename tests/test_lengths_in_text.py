"""Lengths of deals that never end, or were stopped, are said to be what they are."""

from __future__ import annotations

import numpy as np
import pytest
from made_up_deals import NAMES, made_up_result, made_up_rows

from stressim.output.sentences import length
from stressim.output.sparkline import WIDTH as BARS
from stressim.output.sparkline import histogram, length_metric, sparkline
from stressim.output.text import WIDTH

N = 2000


def ended(**numbers: int) -> np.ndarray:
    """Rows of deals of which so many end in these ways, all others won."""
    rows = made_up_rows(N, won=1.0)
    first = 0
    for outcome, number in numbers.items():
        rows[first : first + number, [NAMES.index(name) for name in ("won", "win_1", "win_2")]] = 0
        rows[first : first + number, NAMES.index(outcome)] = 1
        first += number
    return rows


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({}, ""),
        ({"drawn": 500}, ""),
        ({"deadlocked": 19}, ""),
        ({"deadlocked": 20}, " Deadlocked deals count up to where they lock."),
        ({"deadlocked": N}, " Deadlocked deals count up to where they lock."),
        ({"livelocked": 300, "deadlocked": 1}, " Livelocked deals count up to where they come round again."),
        (
            {"livelocked": 300, "deadlocked": 300},
            " Deadlocked deals count up to where they lock, livelocked ones up to where they come round again.",
        ),
    ],
)
@pytest.mark.parametrize("timing", ["human", "uniform"])
def test_length__says_up_to_where_deals_count_that_never_end(numbers, said, timing):
    text = length(made_up_result(rows=ended(**numbers), timing=timing))
    unit = "s" if timing == "human" else "plays"
    assert text.startswith("Half of the deals are over in ")
    assert text.endswith(f" {unit}.{said}")


# ---- the strip of lengths


def longest(rows: np.ndarray, column: str, value: int, number: int) -> np.ndarray:
    rows[:number, NAMES.index(column)] = value
    return rows


def test_sparkline__of_lengths_that_are_not_told_apart_has_an_open_end():
    rows = longest(ended(), "length_us", 20_000_000_000, 100)
    result = made_up_result(rows=rows)
    strip, _ = sparkline(result)
    assert histogram(result, length_metric(result), steps=BARS).open_from == 10_485.75
    assert strip.endswith("▁ 2:54:46 and longer")
    assert len(strip) <= WIDTH - 2


@pytest.mark.parametrize("timing", ["human", "uniform"])
def test_sparkline__of_stopped_deals_has_an_open_end(timing):
    rows = longest(longest(ended(unfinished=100), "moves", 5000, 100), "length_us", 9_000_000_000, 100)
    strip, _ = sparkline(made_up_result(rows=rows, timing=timing))
    assert strip.endswith(" 2:30:00 and longer" if timing == "human" else " 5,000 and longer")


@pytest.mark.parametrize("stopped", [0, 10])
def test_sparkline__that_leaves_out_the_longest_deals_ends_where_it_ends(stopped):
    rows = longest(ended(unfinished=stopped), "length_us", 9_000_000_000, 10)
    strip, below = sparkline(made_up_result(rows=rows))
    assert "longer" not in strip
    assert "98 of 100 deals are shown" in below
