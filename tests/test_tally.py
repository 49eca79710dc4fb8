from __future__ import annotations

import numpy as np
import pytest

from stressim.errors import InputError
from stressim.family import family_named
from stressim.metrics import Rate, Ratio, Skew
from stressim.tally import MAX_VALUES, Tally, exact_dot, pairs

SHEDDING = family_named("shedding")
NAMES = [column.name for column in SHEDDING.columns]


def random_rows(n: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rows = np.empty((n, len(NAMES)), np.int64)
    for index, column in enumerate(SHEDDING.columns):
        highest = 2 if column.unit == "flag" else 3_000_000_000 if column.wide else 70
        rows[:, index] = rng.integers(0, highest, n)
    return rows


def test_tally__counts_values_of_narrow_columns():
    rows = random_rows(500)
    tally = Tally.of_rows(SHEDDING, rows)
    for index, column in enumerate(SHEDDING.columns):
        if not column.wide:
            values, numbers = np.unique(rows[:, index], return_counts=True)
            expected = {int(value): int(number) for value, number in zip(values, numbers, strict=True)}
            counts = tally.counts_of(column.name)
            assert {value: int(number) for value, number in enumerate(counts) if number} == expected


def test_tally__sums_are_exact_where_int64_would_overflow():
    rows = random_rows(20_000)
    tally = Tally.of_rows(SHEDDING, rows)
    for index, name in enumerate(NAMES):
        values = rows[:, index].tolist()
        assert tally.sum_of(name) == sum(values)
        assert tally.squares_of(name) == sum(value * value for value in values)
    assert tally.squares_of("length_us") > 1 << 63


def test_tally__products_are_exact_for_every_pair_that_a_metric_needs():
    rows = random_rows(3000)
    tally = Tally.of_rows(SHEDDING, rows)
    needed = {(m.of, m.per) for m in SHEDDING.metrics if isinstance(m, Ratio)}
    needed |= {(m.of, m.among) for m in SHEDDING.metrics if isinstance(m, Rate) and m.among}
    needed |= {(flag, m.among) for m in SHEDDING.metrics if isinstance(m, Skew) for flag in (m.of, *m.others)}
    assert set(pairs(SHEDDING.metrics)) == needed
    for x, y in needed:
        one, other = rows[:, NAMES.index(x)].tolist(), rows[:, NAMES.index(y)].tolist()
        assert tally.product_of(x, y) == sum(a * b for a, b in zip(one, other, strict=True))


def test_tally__wide_columns_are_counted_in_bins():
    rows = np.zeros((4, len(NAMES)), np.int64)
    rows[:, NAMES.index("length_us")] = [0, 9_999, 10_000, 25_000]
    tally = Tally.of_rows(SHEDDING, rows)
    assert tally.counts_of("length_us").tolist() == [2, 1, 1]
    with pytest.raises(InputError, match="stalled_us"):
        tally.counts_of("stalled_us")


def test_tally__huge_lengths_fall_into_the_last_bin_and_keep_exact_sums():
    rows = np.zeros((1, len(NAMES)), np.int64)
    rows[0, NAMES.index("length_us")] = 10**15
    tally = Tally.of_rows(SHEDDING, rows)
    assert len(tally.counts_of("length_us")) == MAX_VALUES
    assert tally.squares_of("length_us") == 10**30


@pytest.mark.parametrize("cuts", [[1], [7, 8, 400], [250, 500, 750]])
def test_merge__any_cut_in_any_order_gives_the_tally_of_the_whole(cuts):
    rows = random_rows(1000)
    whole = Tally.of_rows(SHEDDING, rows)
    parts = [Tally.of_rows(SHEDDING, part) for part in np.split(rows, cuts)]
    forwards, backwards = Tally.empty(SHEDDING), Tally.empty(SHEDDING)
    for part in parts:
        forwards = forwards.merge(part)
    for part in reversed(parts):
        backwards = part + backwards
    assert forwards == whole
    assert backwards == whole
    assert forwards.n_deals == 1000


def test_merge__leaves_both_tallies_as_they_were():
    one, other = Tally.of_rows(SHEDDING, random_rows(50)), Tally.of_rows(SHEDDING, random_rows(50, seed=2))
    one.merge(other)
    assert one == Tally.of_rows(SHEDDING, random_rows(50))
    assert other == Tally.of_rows(SHEDDING, random_rows(50, seed=2))
    assert one != other


def test_tally__of_no_rows_is_the_empty_one():
    assert Tally.of_rows(SHEDDING, np.zeros((0, len(NAMES)), np.int64)) == Tally.empty(SHEDDING)


@pytest.mark.parametrize("column", NAMES)
def test_tally__equality_sees_a_change_in_any_column(column):
    rows = random_rows(20)
    changed = rows.copy()
    changed[3, NAMES.index(column)] = 1 - changed[3, NAMES.index(column)] % 2
    assert (Tally.of_rows(SHEDDING, rows) == Tally.of_rows(SHEDDING, changed)) == np.array_equal(rows, changed)


def test_tally__refuses_rows_of_another_shape_or_range():
    with pytest.raises(ValueError, match="41 columns"):
        Tally.of_rows(SHEDDING, np.zeros((5, 3), np.int64))
    rows = np.zeros((5, len(NAMES)), np.int64)
    rows[2, NAMES.index("moves")] = MAX_VALUES
    with pytest.raises(ValueError, match="moves holds 1048576"):
        Tally.of_rows(SHEDDING, rows)
    for column in ("moves", "won", "stalled_us"):
        rows = np.zeros((5, len(NAMES)), np.int64)
        rows[2, NAMES.index(column)] = -1
        with pytest.raises(ValueError, match=f"{column} holds a negative"):
            Tally.of_rows(SHEDDING, rows)


@pytest.mark.parametrize("largest", [10, 1 << 31, 1 << 45, 1 << 62])
def test_exact_dot__equals_python_integers(largest):
    rng = np.random.default_rng(largest)
    x, y = rng.integers(0, largest, 100), rng.integers(0, 1 << 40, 100)
    assert exact_dot(x, y) == sum(a * b for a, b in zip(x.tolist(), y.tolist(), strict=True))
