"""Lengths of deals that never end, or were stopped, are said to be what they are."""

from __future__ import annotations

import numpy as np
import pytest
from made_up_deals import NAMES, made_up_result, made_up_rows

from stressim.output.sentences import length

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
