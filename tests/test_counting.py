"""Rows are counted in one pass: the same numbers as column by column."""

from __future__ import annotations

import numpy as np
import pytest

from stressim.compiled.native import call_kernel


def counted(rows: np.ndarray, narrow: list[int], width: int, apart: list[int]) -> tuple[np.ndarray, ...]:
    counts, beyond = np.zeros((len(narrow), width), np.int64), np.zeros(len(narrow), np.int64)
    values = np.full((len(apart), len(rows) + 3), -7, np.int64)
    places = (np.array(narrow, np.int64), np.array(apart, np.int64))
    call_kernel("stressim.compiled.counting", "count_rows", rows, places[0], counts, beyond, places[1], values)
    return counts, beyond, values


def test_count_rows__is_what_each_column_holds() -> None:
    rows = np.random.default_rng(3).integers(0, 9, (500, 5))
    counts, beyond, values = counted(rows, [4, 0, 2], 9, [1, 4])

    assert counts.tolist() == [np.bincount(rows[:, place], minlength=9).tolist() for place in (4, 0, 2)]
    assert beyond.tolist() == [0, 0, 0]
    assert np.array_equal(values[:, :500], rows[:, [1, 4]].T)
    assert (values[:, 500:] == -7).all()


@pytest.mark.parametrize("value", [9, 1 << 40, -1, -(1 << 62)])
def test_count_rows__says_where_a_value_is_large_or_negative(value: int) -> None:
    rows = np.ones((6, 2), np.int64)
    rows[4, 1] = value
    counts, beyond, values = counted(rows, [0, 1], 9, [1])

    assert counts[:, 1].tolist() == [6, 5]
    assert counts.sum() == 11
    assert beyond.tolist() == [0, 1]
    assert values[0, 4] == value
