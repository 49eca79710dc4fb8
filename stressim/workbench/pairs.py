"""What is kept of deals played by several variants: exact sums of pairs, flat in memory.

Each metric is the sum of one number over a deal's variants divided by the sum of another: ``u`` over ``v``. A mean has
``v = 1``, a rate ``u`` of 0 and 1. Of both, and of every pair of deals that the reference and a variant play from the
same cards, the sums of products are kept as whole numbers: adding two shards is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stressim.metrics import Mean, Metric, Rate, Ratio, Skew
from stressim.tally import exact_dot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stressim.family import Family

    Numbers = NDArray[np.int64]


class OwnSums(NamedTuple):
    """Sums over the deals of one variant: Σu, Σv, Σu², Σuv, Σv²."""

    u: int
    v: int
    uu: int
    uv: int
    vv: int


class CrossSums(NamedTuple):
    """Sums over pairs of deals, the reference's number first: Σu·u', Σu·v', Σv·u', Σv·v'."""

    uu: int
    uv: int
    vu: int
    vv: int


@dataclass(frozen=True, kw_only=True)
class PairedSums:
    """Sums of the reference and of variants over the same deals.

    Parameters
    ----------
    n_deals
        How many deals each has played.
    own
        For the reference and each variant, by metric.
    cross
        For each variant against the reference, by metric.
    flips
        For each variant: deals that end otherwise than the reference's, with another outcome or another winner.
    """

    n_deals: int
    own: tuple[Mapping[str, OwnSums], ...]
    cross: tuple[Mapping[str, CrossSums], ...]
    flips: tuple[int, ...]

    @classmethod
    def of_rows(
        cls, family: Family, metrics: Sequence[Metric], rows: Sequence[Numbers], n_players: Sequence[int]
    ) -> PairedSums:
        """Sum up rows of the same deals.

        Parameters
        ----------
        family
            Whose columns these are.
        metrics
            Which to sum up.
        rows
            The reference's and the variants' rows, each of shape ``(deals, columns)``.
        n_players
            For each of them, on which metrics of seats depend.
        """
        parts = [parts_of_rows(family, metrics, one, n) for one, n in zip(rows, n_players, strict=True)]
        ends = [_endings(family, one) for one in rows]
        return cls(
            n_deals=len(rows[0]),
            own=tuple({name: _own(part) for name, part in one.items()} for one in parts),
            cross=tuple({name: _cross(parts[0][name], part) for name, part in one.items()} for one in parts[1:]),
            flips=tuple(int(np.count_nonzero((one != ends[0]).any(axis=0))) for one in ends[1:]),
        )

    def __add__(self, other: PairedSums) -> PairedSums:
        return PairedSums(
            n_deals=self.n_deals + other.n_deals,
            own=tuple(
                {name: OwnSums(*map(sum, zip(sums, theirs[name], strict=True))) for name, sums in mine.items()}
                for mine, theirs in zip(self.own, other.own, strict=True)
            ),
            cross=tuple(
                {name: CrossSums(*map(sum, zip(sums, theirs[name], strict=True))) for name, sums in mine.items()}
                for mine, theirs in zip(self.cross, other.cross, strict=True)
            ),
            flips=tuple(map(sum, zip(self.flips, other.flips, strict=True))),
        )


class Parts(NamedTuple):
    """A metric's numbers for each deal, shape ``(deals,)``; ``v`` is None where it is 1 in all of them."""

    u: Numbers
    v: Numbers | None
    large: bool


def parts_of_rows(family: Family, metrics: Sequence[Metric], rows: Numbers, n_players: int) -> dict[str, Parts]:
    """Return the two numbers of each metric for every deal."""
    columns = dict(zip((column.name for column in family.columns), np.ascontiguousarray(rows.T), strict=True))
    wide = {column.name for column in family.columns if column.wide}
    return {metric.name: _parts(_seated(metric, n_players), columns, wide) for metric in metrics}


def _seated(metric: Metric, n_players: int) -> Metric:
    return replace(metric, others=metric.others[: n_players - 1]) if isinstance(metric, Skew) else metric


@singledispatch
def _parts(metric: Metric, columns: Mapping[str, Numbers], wide: set[str]) -> Parts:
    raise TypeError(f"{type(metric).__name__} is no kind of metric")


@_parts.register(Mean)
def _(metric: Mean, columns: Mapping[str, Numbers], wide: set[str]) -> Parts:
    return Parts(columns[metric.of], None, metric.of in wide)


@_parts.register(Rate)
def _(metric: Rate, columns: Mapping[str, Numbers], wide: set[str]) -> Parts:
    if not metric.among:
        return Parts(columns[metric.of], None, False)
    return Parts(columns[metric.of] * columns[metric.among], columns[metric.among], False)


@_parts.register(Ratio)
def _(metric: Ratio, columns: Mapping[str, Numbers], wide: set[str]) -> Parts:
    return Parts(columns[metric.of], columns[metric.per], metric.of in wide or metric.per in wide)


@_parts.register(Skew)
def _(metric: Skew, columns: Mapping[str, Numbers], wide: set[str]) -> Parts:
    # The mean of the others' shares, times their number so that it stays whole; the scale is undone in scale_of.
    among = columns[metric.among]
    lead = len(metric.others) * columns[metric.of] - np.sum([columns[other] for other in metric.others], axis=0)
    return Parts(lead * among, among, False)


def scale_of(metric: Metric, n_players: int) -> int:
    """Return what Σu / Σv must be divided by to be the metric in its unit."""
    if isinstance(metric, Skew):
        return n_players - 1
    return metric.divisor if isinstance(metric, (Mean, Ratio)) else 1


def _own(part: Parts) -> OwnSums:
    u, v, large = part
    total = int(u.sum())
    squares = _dot(u, u, large)
    if v is None:
        return OwnSums(total, len(u), squares, total, len(u))
    return OwnSums(total, int(v.sum()), squares, _dot(u, v, large), _dot(v, v, large))


def _cross(reference: Parts, variant: Parts) -> CrossSums:
    large = reference.large or variant.large
    product = _dot(reference.u, variant.u, large)
    if reference.v is None or variant.v is None:
        return CrossSums(product, int(reference.u.sum()), int(variant.u.sum()), len(reference.u))
    return CrossSums(
        product,
        _dot(reference.u, variant.v, large),
        _dot(reference.v, variant.u, large),
        _dot(reference.v, variant.v, large),
    )


def _dot(x: Numbers, y: Numbers, large: bool) -> int:
    # Columns that are not wide hold less than 2**20, so a shard's products fit into 63 bits.
    return exact_dot(x, y) if large else int(np.dot(x, y))


def _endings(family: Family, rows: Numbers) -> Numbers:
    """Columns that say how a deal has ended: the outcomes and the winner; shape ``(columns, deals)``."""
    of = [metric.of for metric in family.metrics if isinstance(metric, Rate) and not metric.among]
    outcomes = [metric.of for metric in family.metrics if isinstance(metric, Rate) and metric.group == "outcomes"]
    names = [column.name for column in family.columns]
    ends = [names.index(name) for name in of if name in outcomes or name.startswith("win_")]
    return rows[:, ends].T
