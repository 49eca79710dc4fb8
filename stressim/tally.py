"""The tally: what is kept of many deals, exactly and in little memory.

A tally is driven by the columns and metrics that a family declares. Of a narrow column it keeps how many deals had
each value; of a wide one the sums of the values and their squares, and counts in bins for quantiles; of two columns
that a metric sets against each other the sum of products. All of it is whole numbers, so adding two tallies is exact,
and it does not matter how deals were shared out among threads or machines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from stressim.compiled.native import call_kernel
from stressim.errors import InputError, did_you_mean
from stressim.metrics import Column, Metric, Rate, Ratio, Skew

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

MAX_VALUES = 1 << 20
"""Longest array of counts. Larger values of a binned column count in the last bin; a narrow column has none."""

_WIDTH = 520  # values below this are counted as the rows are read; no power of two, lest all zeros share a cache set
_PADDING = 40


class Counted(Protocol):
    """What has columns: a family of games, whose rows are deals, or the matches made of them."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def columns(self) -> tuple[Column, ...]: ...  # noqa: D102
    @property
    def metrics(self) -> tuple[Metric, ...]: ...  # noqa: D102


@dataclass(frozen=True, kw_only=True, eq=False)
class Tally:
    """Exact counts and sums over deals.

    Parameters
    ----------
    family
        Name of the family whose columns were counted.
    n_deals
        How many deals.
    counts
        For a narrow column the number of deals with value 0, 1, 2 …; for a binned wide one the number in each bin.
        Arrays end with a number above 0.
    sums, squares
        Of wide columns: the sum of the values and of their squares.
    products
        Of pairs of columns that a metric sets against each other: the sum of their products.
    """

    family: str
    n_deals: int
    counts: Mapping[str, Counts]
    sums: Mapping[str, int]
    squares: Mapping[str, int]
    products: Mapping[tuple[str, str], int]

    @classmethod
    def empty(cls, family: Counted) -> Tally:
        """Return the tally of no deals."""
        wide = [column.name for column in family.columns if column.wide]
        return cls(
            family=family.name,
            n_deals=0,
            counts={column.name: np.zeros(0, np.int64) for column in family.columns if is_counted(column)},
            sums=dict.fromkeys(wide, 0),
            squares=dict.fromkeys(wide, 0),
            products=dict.fromkeys(pairs(family.metrics), 0),
        )

    @classmethod
    def of_rows(cls, family: Counted, rows: NDArray[np.int64]) -> Tally:
        """Count rows of deals.

        Parameters
        ----------
        family
            Whose columns these are.
        rows
            One row of whole numbers for each deal, shape ``(deals, columns)``, none of them negative.

        Raises
        ------
        ValueError
            If the shape is wrong, a value is negative, or a narrow column holds a value that is not small.
        """
        if rows.ndim != 2 or rows.shape[1] != len(family.columns):
            raise ValueError(
                f"rows have shape {rows.shape}, but {family.name} deals have {len(family.columns)} columns"
            )
        if not len(rows):
            return cls.empty(family)
        return _counted(family, np.require(rows, np.int64, ["C", "A", "W"]))

    def merge(self, other: Tally) -> Tally:
        """Return the tally of the deals of both.

        Raises
        ------
        ValueError
            If they count different things.
        """
        if self._counted() != other._counted():
            raise ValueError("these tallies count different columns")
        return Tally(
            family=self.family,
            n_deals=self.n_deals + other.n_deals,
            counts={name: _added(counts, other.counts[name]) for name, counts in self.counts.items()},
            sums={name: number + other.sums[name] for name, number in self.sums.items()},
            squares={name: number + other.squares[name] for name, number in self.squares.items()},
            products={pair: number + other.products[pair] for pair, number in self.products.items()},
        )

    __add__ = merge

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return (
            self._counted() == other._counted()
            and self.n_deals == other.n_deals
            and self.sums == other.sums
            and self.squares == other.squares
            and self.products == other.products
            and all(np.array_equal(counts, other.counts[name]) for name, counts in self.counts.items())
        )

    __hash__ = None  # type: ignore[assignment]

    def _counted(self) -> tuple[str, set[str], set[str], set[tuple[str, str]]]:
        return self.family, set(self.counts), set(self.sums), set(self.products)

    def sum_of(self, name: str) -> int:
        """Return the sum of a column over all deals."""
        if name in self.sums:
            return self.sums[name]
        counts = self.counts_of(name)
        return exact_dot(counts, np.arange(len(counts)))

    def squares_of(self, name: str) -> int:
        """Return the sum of a column's squares over all deals."""
        if name in self.squares:
            return self.squares[name]
        counts = self.counts_of(name)
        return exact_dot(counts, np.arange(len(counts)) ** 2)

    def product_of(self, x: str, y: str) -> int:
        """Return the sum over all deals of the products of two columns that a metric sets against each other."""
        return self.products[x, y]

    def counts_of(self, name: str) -> Counts:
        """Return the counts of a column: per value, or per bin for a wide one.

        Raises
        ------
        InputError
            If nothing is counted under that name.
        """
        if name not in self.counts:
            raise InputError(f"no counts are kept of a column {name!r}{did_you_mean(name, self.counts)}")
        return self.counts[name]


def is_counted(column: Column) -> bool:
    """Whether counts per value or bin are kept of a column."""
    return not column.wide or column.bin_width > 0


@cache
def pairs(metrics: tuple[Metric, ...]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of columns that metrics set against each other, each once, in order."""
    found: dict[tuple[str, str], None] = {}
    for metric in metrics:
        if metric.of_match:
            continue
        if isinstance(metric, Rate) and metric.among:
            found[metric.of, metric.among] = None
        elif isinstance(metric, Ratio):
            found[metric.of, metric.per] = None
        elif isinstance(metric, Skew):
            found.update(dict.fromkeys((flag, metric.among) for flag in (metric.of, *metric.others)))
    return tuple(found)


def exact_dot(x: NDArray[np.int64], y: NDArray[np.int64]) -> int:
    """Return the sum of products of two arrays of whole numbers, none negative, however large it is.

    Examples
    --------
    >>> big = np.full(10, 3_000_000_000)
    >>> exact_dot(big, big) == 10 * 3_000_000_000**2
    True
    """
    if not len(x):
        return 0
    return _exact_dot(x, y, int(x.max()), int(y.max()))


def _exact_dot(x: NDArray[np.int64], y: NDArray[np.int64], largest_x: int, largest_y: int) -> int:
    if largest_x * largest_y * len(x) < 1 << 63:
        return int(np.dot(x, y))
    if largest_x < largest_y:
        x, y, largest_x = y, x, largest_y
    # The larger one is cut into high and low bits until no sum of products can overflow.
    half = largest_x.bit_length() // 2
    return (exact_dot(x >> half, y) << half) + exact_dot(x & ((1 << half) - 1), y)


def _counted(family: Counted, rows: NDArray[np.int64]) -> Tally:
    """Count rows of which there are some.

    Raises
    ------
    ValueError
        If a number is negative, or large in a narrow column.
    """
    columns, products = family.columns, pairs(family.metrics)
    narrow, apart = _places(columns, products)
    tables, beyond = np.zeros((len(narrow), _WIDTH), np.int64), np.zeros(len(narrow), np.int64)
    # Columns that begin a power of two apart would drive each other out of the cache.
    values = np.empty((len(apart), len(rows) + _PADDING), np.int64)
    call_kernel("stressim.compiled.counting", "count_rows", rows, narrow, tables, beyond, apart, values)
    lengths = _WIDTH - np.argmax(tables[:, ::-1] > 0, axis=1)
    counts = {
        columns[index].name: _count_large(columns[index], rows[:, index])
        if beyond[k]
        else tables[k, : lengths[k]].copy()
        for k, index in enumerate(narrow)
    }
    known = {columns[index].name: values[k, : len(rows)] for k, index in enumerate(apart)}
    largest = {name: len(found) - 1 for name, found in counts.items()}
    wide = [column for column in columns if column.wide]
    for column in wide:
        largest[column.name] = _largest(column, known[column.name])
        if is_counted(column):
            counts[column.name] = np.bincount(np.minimum(known[column.name] // column.bin_width, MAX_VALUES - 1))
    return Tally(
        family=family.name,
        n_deals=len(rows),
        counts={column.name: counts[column.name] for column in columns if is_counted(column)},
        sums={column.name: int(known[column.name].sum()) for column in wide},
        squares={column.name: _dot(known, largest, column.name, column.name) for column in wide},
        products={(x, y): _dot(known, largest, x, y) for x, y in products},
    )


@cache
def _places(columns: tuple[Column, ...], products: tuple[tuple[str, str], ...]) -> tuple[Counts, Counts]:
    """Return the places of narrow columns, and of those whose values are needed beside how often each occurs."""
    multiplied = {name for pair in products for name in pair}
    narrow = [index for index, column in enumerate(columns) if not column.wide]
    apart = [index for index, column in enumerate(columns) if column.wide or column.name in multiplied]
    return np.array(narrow, np.int64), np.array(apart, np.int64)


def _count_large(column: Column, numbers: NDArray[np.int64]) -> Counts:
    """Count the values of a narrow column of which some are large, or negative."""
    if _largest(column, numbers) >= MAX_VALUES:
        raise ValueError(f"column {column.name} holds {numbers.max()}, so it must be declared wide")
    return np.bincount(numbers)


def _largest(column: Column, numbers: NDArray[np.int64]) -> int:
    if numbers.min() < 0:
        raise ValueError(f"column {column.name} holds a negative number")
    return int(numbers.max())


def _dot(values: Mapping[str, Counts], largest: Mapping[str, int], x: str, y: str) -> int:
    """Return the sum of products of two columns, of which one may be all zeros."""
    if largest[x] == 0 or largest[y] == 0:
        return 0
    return _exact_dot(values[x], values[y], largest[x], largest[y])


def _added(x: Counts, y: Counts) -> Counts:
    if len(x) < len(y):
        x, y = y, x
    total = x.copy()
    total[: len(y)] += y
    return total
