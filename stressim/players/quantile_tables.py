"""The tables from which the kernels draw: quantiles of a distribution as integers."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence

import numpy as np

from stressim.errors import InputError
from stressim.players.distributions import Distribution

N_INTERVALS = 256
"""Intervals of equal probability in a quantile table."""


@functools.cache
def quantile_table(distribution: Distribution, scale: int = 1000) -> np.ndarray:
    """Return the table from which a kernel draws: 256 intervals of equal probability, linear in between.

    A knot is the mean of the distribution over half an interval to each side of it. So the table has the
    distribution's mean, and knots never fall and are never negative. A straight line loses some of a long tail's
    spread (0.2 % of an exponential's sd): the last two knots are spread apart, keeping the mean, until the sd is
    right.

    Parameters
    ----------
    distribution
        What to tabulate.
    scale
        Units of the table per unit of the distribution: 1000 makes microseconds of milliseconds.

    Raises
    ------
    InputError
        If the longest times do not fit.

    Returns
    -------
    numpy.ndarray
        int32, shape (257,), read-only and shared.

    Examples
    --------
    >>> from stressim.players.distributions import Exponential
    >>> table = quantile_table(Exponential(3000))
    >>> table.shape, int(table[0]), int(table[128]) // 1000
    ((257,), 2932, 2079)
    """
    knots = [max(0.0, knot) for knot in _knots(distribution)]
    _spread_last(knots, distribution.mean, distribution.sd)
    if knots[-1] * scale >= 2**31:
        raise InputError(f"{distribution}: its longest times would be over {2**31 / scale / 1000:,.0f} s")
    table = np.array([round(knot * scale) for knot in knots], dtype=np.int32)
    table.flags.writeable = False
    return table


def _knots(distribution: Distribution) -> list[float]:
    edges = [0.0]
    edges += [distribution.expectation_below((i + 0.5) / N_INTERVALS) for i in range(N_INTERVALS)]
    edges.append(distribution.mean)
    inner = [N_INTERVALS * (after - before) for before, after in itertools.pairwise(edges[1:-1])]
    first = 2 * N_INTERVALS * edges[1]
    last = 2 * N_INTERVALS * (edges[-1] - edges[-2])
    # Differences of nearly equal sums may fall by a rounding error.
    knots = [first]
    for knot in (*inner, last):
        knots.append(max(knot, knots[-1]))
    return knots


def table_moments(knots: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation of what is drawn from the knots of a table.

    Examples
    --------
    >>> mean, sd = table_moments([0.0, 1.0, 2.0])
    >>> mean, round(sd * sd, 3)
    (1.0, 0.333)
    """
    n_intervals = len(knots) - 1
    pairs = list(itertools.pairwise(knots))
    mean = math.fsum(a + b for a, b in pairs) / (2 * n_intervals)
    # Centred before squaring, so that a narrow distribution far from zero loses nothing.
    centred = [(a - mean, b - mean) for a, b in pairs]
    variance = math.fsum(a * a + a * b + b * b for a, b in centred) / (3 * n_intervals)
    return mean, math.sqrt(variance)


def _spread_last(knots: list[float], mean: float, sd: float) -> None:
    """Move the last two knots until the table has this sd, and the rest a little if that is not enough."""
    table_mean, table_sd = table_moments(knots)
    below, b, c = (knot - table_mean for knot in knots[-3:])
    # b + c / 2 keeps the mean. With c = total - 2 b the square sum of the last two intervals is quadratic in b.
    total = 2 * b + c
    wanted = below * below + below * b + 2 * b * b + b * c + c * c + 3 * N_INTERVALS * (sd * sd - table_sd * table_sd)
    middle = (3 * total - below) / 8
    root = middle * middle - (below * below + total * total - wanted) / 4
    b = min(max(middle - math.sqrt(max(root, 0.0)), below), total / 3)
    knots[-2:] = [table_mean + b, table_mean + total - 2 * b]
    table_mean, table_sd = table_moments(knots)
    if table_sd > 0:
        knots[:] = [max(0.0, mean + sd / table_sd * (knot - table_mean)) for knot in knots]
        # A cut at zero has raised the mean, which matters more than the sd.
        table_mean, _ = table_moments(knots)
        knots[:] = [knot * (mean / table_mean) for knot in knots]
