"""Play a combination beside its game as it is, on the same deals, and keep what a page shows of it as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stressim.explorer.grid import decimals_of_metric
from stressim.metrics import Mean
from stressim.outcomes import Outcome
from stressim.output.phrases import fixed, is_share
from stressim.output.sentences import all_alike
from stressim.plots import dot_values
from stressim.simulate import Result
from stressim.tally import Tally
from stressim.workbench.differences import Look, differences
from stressim.workbench.pairs import PairedSums
from stressim.workbench.together import count_deals, play_rows

if TYPE_CHECKING:
    from stressim.metrics import Metric
    from stressim.workbench.variants import Variant

CONFIDENCE = 0.95
STALLS_SHOWN = 25
"""Bins of stalls that a page tells apart, from 0 stalls on; the last one holds all the rest."""

WIDTHS = (1, 5, 10, 20, 100, 200, 1000, 2000, 10_000, 20_000, 100_000)
"""How many numbers of stalls a bin may hold: each a multiple of the one before, so that two rules can share bins."""

_MOST_IN_LAST_BIN = 0.01

_SMALLEST_SHARD = 512


class Number(NamedTuple):
    """One metric of a combination, in units of its last decimal; None where there is nothing to rest on.

    ``change`` is what it has more than the game as it is, with the limits of the paired interval.
    """

    value: int | None
    low: int | None
    high: int | None
    change: int | None
    change_low: int | None
    change_high: int | None


@dataclass(frozen=True, kw_only=True)
class Played:
    """What a page shows of a combination.

    Parameters
    ----------
    n_players
        Number of players.
    alike
        Whether they do everything alike.
    median, most
        Whole seconds in which half of the deals are over, and 19 of 20.
    endings
        How many deals end in each :class:`~stressim.outcomes.Outcome`, in its order.
    stalled
        How many deals stall.
    first
        Player 1's share of a hundred won deals, with its limits, in tenths.
    numbers
        For each metric of the grid.
    dots
        The lengths of 20 deals that stand for all, in whole seconds.
    stalls_width
        How many numbers of stalls a bin holds, one of :data:`WIDTHS`.
    stalls
        Deals with no more stalls than the first bin holds, the first two, …, in thousandths of all.
    """

    n_players: int
    alike: bool
    median: int
    most: int
    endings: tuple[int, ...]
    stalled: int
    first: tuple[int | None, int | None, int | None]
    numbers: tuple[Number, ...]
    dots: tuple[int, ...]
    stalls_width: int
    stalls: tuple[int, ...]


@dataclass(frozen=True)
class _Counted:
    tally: Tally
    sums: PairedSums

    @property
    def n_deals(self) -> int:
        return self.sums.n_deals

    def __add__(self, other: _Counted) -> _Counted:
        return _Counted(self.tally + other.tally, self.sums + other.sums)


def play_base(base: Variant, deals: int, seed: int) -> np.ndarray:
    """Play a game as it is; return its rows, which every combination is set beside."""
    return play_rows(base.family, base.lowered, seed, 0, deals)


def play_combination(
    variant: Variant, base: Variant, rows: np.ndarray, metrics: Sequence[Metric], *, seed: int, jobs: int
) -> Played | None:
    """Play a combination.

    Parameters
    ----------
    variant
        What is played.
    base, rows
        The game as it is, and its rows of the same deals.
    metrics
        What is estimated.
    seed, jobs
        As for ``simulate``; the number of deals is that of ``rows``.

    Returns
    -------
    Played or None
        None if Ctrl-C came first.
    """
    family, deals = variant.family, len(rows)
    seats = len(base.players), len(variant.players)

    def count(first: int, last: int) -> _Counted:
        played = play_rows(family, variant.lowered, seed, first, last)
        sums = PairedSums.of_rows(family, metrics, (rows[first:last], played), seats)
        return _Counted(Tally.of_rows(family, played), sums)

    counted, stopped = count_deals(count, deals, jobs, shard=max(_SMALLEST_SHARD, -(-deals // (2 * jobs))))
    if stopped:
        return None
    result = Result(
        rules=variant.rules,
        players=variant.players,
        timing=variant.timing,
        seed=seed,
        tally=counted.tally,
        confidence=CONFIDENCE,
    )
    changes = {
        one.metric.name: one for one in differences(metrics, counted.sums, seats, Look(confidence=CONFIDENCE))[0]
    }
    numbers = []
    for metric in metrics:
        estimate, change = result.estimates.get(metric.name), changes.get(metric.name)
        found = (None,) * 3 if estimate is None else (estimate.estimate, estimate.low, estimate.high)
        gap = (None,) * 3 if change is None else (change.difference, change.low, change.high)
        numbers.append(Number(*(scaled(metric, number) for number in (*found, *gap))))
    lengths = result.estimates["length_s"]
    assert isinstance(lengths.metric, Mean)
    width, stalls = _binned(counted.tally.counts_of("stalls"), deals)
    return Played(
        n_players=len(variant.players),
        alike=all_alike(variant.players),
        median=round(lengths.quantiles[0.5].at_least),
        most=round(lengths.quantiles[0.95].at_least),
        endings=tuple(counted.tally.sum_of(outcome.word) for outcome in Outcome),
        stalled=counted.tally.sum_of("stalled"),
        first=_share_of_first(result),
        numbers=tuple(numbers),
        dots=tuple(map(round, dot_values(result, lengths.metric))),
        stalls_width=width,
        stalls=stalls,
    )


def scaled(metric: Metric, number: float | None) -> int | None:
    """Return a number in units of the last decimal that the page shows, rounded as it is printed elsewhere.

    Examples
    --------
    >>> from stressim.metrics import Mean, Rate
    >>> scaled(Rate(name="stalled", unit="of deals", meaning="", group="", of="stalled"), 0.99538)
    995
    >>> scaled(Mean(name="stalls", unit="per deal", meaning="", group="", of="stalls"), 4.7712)
    477
    """
    return None if number is None else _whole((100 if is_share(metric) else 1) * number, decimals_of_metric(metric))


def _whole(number: float, decimals: int) -> int:
    return int(fixed(number, decimals).replace(",", "").replace(".", ""))


def _share_of_first(result: Result) -> tuple[int | None, int | None, int | None]:
    skew, n = result.estimates.get("win_skew"), len(result.players)
    if skew is None:
        return None, None, None
    shares = (
        None if value is None else _whole(100 * (1 + (n - 1) * value) / n, 1)
        for value in (skew.estimate, skew.low, skew.high)
    )
    estimate, low, high = shares
    return estimate, low, high


def _binned(counts: np.ndarray, deals: int) -> tuple[int, tuple[int, ...]]:
    """Return the narrowest bins whose last one holds few deals, and the deals up to the end of each other one.

    Examples
    --------
    >>> _binned(np.array([1, 0, 3]), 4)[1][:4], _binned(np.bincount([2, 71, 118, 119]), 4)[0]
    ((250, 250, 1000, 1000), 5)
    """
    n_bins = STALLS_SHOWN - 1
    width = next(width for width in WIDTHS if counts[n_bins * width :].sum() <= _MOST_IN_LAST_BIN * deals)
    running = np.cumsum(np.pad(counts, (0, max(0, n_bins * width - len(counts)))))[: n_bins * width]
    # Half a thousandth is rounded up; whole numbers alone, so that it is the same everywhere.
    return width, tuple((2000 * int(number) + deals) // (2 * deals) for number in running[width - 1 :: width])
