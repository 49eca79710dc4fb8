"""Who is first, and how often nobody can say: races of two times, by numerical integration.

Two plain distributions are integrated adaptively. Sums of times, which no formula gives, are laws on a grid: what lies
in each of many equal steps, added by convolution.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import integrate, signal, stats

from stressim.players.distributions import (
    Distribution,
    Empirical,
    ExGaussian,
    Exponential,
    Fixed,
    Lognormal,
    Normal,
)
from stressim.players.quantile_tables import quantile_table

Array = npt.NDArray[np.float64]

N_STEPS = 1 << 15
"""Steps of a grid: 0.1 ms for slaps, which changes no probability by more than 1e-6."""

_TAIL = 1e-11


@dataclass(frozen=True, kw_only=True)
class Race:
    """Chances of a race of two.

    Parameters
    ----------
    first, second
        Who is first by the window or more.
    tie
        Both are closer than the window, or, without one, at the very same moment.
    accuracy
        Bound of the error of each.
    """

    first: float
    second: float
    tie: float
    accuracy: float


def race(first: Distribution, second: Distribution, window_ms: float = 0.0) -> Race:
    """Integrate who of two independent times is smaller.

    Parameters
    ----------
    first, second
        Distributions in ms.
    window_ms
        Times closer than this are undecided.

    Examples
    --------
    >>> slower = race(ExGaussian(360, 45, 70), ExGaussian(460, 45, 70))
    >>> round(slower.first, 5)
    0.82749
    >>> round(race(ExGaussian(360, 45, 70), ExGaussian(360, 45, 70), 30).tie, 5)
    0.23114
    """
    ahead, error = _below(first, second, window_ms)
    behind, other_error = _below(second, first, window_ms)
    return Race(first=ahead, second=behind, tie=max(0.0, 1.0 - ahead - behind), accuracy=error + other_error)


def _below(first: Distribution, second: Distribution, window: float) -> tuple[float, float]:
    """Chance that ``first`` is smaller by ``window`` or more (by more than nothing, if it is 0), and its error."""
    strict = window == 0
    points = _points(second)
    if points is not None:
        return _share_below(first, points - window, strict=strict), 0.0
    points = _points(first)
    if points is not None:
        return float(np.mean(1.0 - _cdf(second)(points + window))), 0.0
    below, law = _cdf(first), _frozen(second)
    low, high = law.ppf(_TAIL), law.isf(_TAIL)
    middle = [law.ppf(q) for q in (0.01, 0.25, 0.5, 0.75, 0.99)]
    value, error = integrate.quad(
        lambda t: law.pdf(t) * float(below(np.array(t - window))), low, high, points=middle, limit=200, epsabs=1e-10
    )
    return float(value), float(error) + 2 * _TAIL


def _share_below(law: Distribution, points: Array, *, strict: bool) -> float:
    own = _points(law)
    if own is None:
        return float(np.mean(_cdf(law)(points)))
    compare = np.less if strict else np.less_equal
    return float(np.mean(compare(own[:, None], points[None, :])))


def _points(distribution: Distribution) -> Array | None:
    """The values of a distribution that has only some, each as likely; None for a continuous one."""
    if isinstance(distribution, Empirical):
        return np.array(distribution.values, dtype=np.float64)
    if isinstance(distribution, Fixed) or distribution.sd == 0:
        return np.array([distribution.mean])
    return None


def _frozen(distribution: Distribution) -> stats.rv_continuous:
    """The continuous distribution as scipy has it; a second opinion on :mod:`stressim.players.distributions`."""
    if isinstance(distribution, ExGaussian):
        mu, sigma, tau = distribution.mu, distribution.sigma, distribution.tau
        if sigma < 1e-6 * tau:
            return stats.expon(loc=mu, scale=tau)
        # A vanishing exponential part is beyond the formula's range, and a normal is the same then.
        return stats.norm(mu + tau, distribution.sd) if tau < 0.04 * sigma else stats.exponnorm(tau / sigma, mu, sigma)
    if isinstance(distribution, Lognormal):
        log_sd = np.sqrt(np.log1p((distribution.sd / distribution.mean) ** 2))
        return stats.lognorm(log_sd, scale=distribution.mean * np.exp(-0.5 * log_sd**2))
    if isinstance(distribution, Exponential):
        return stats.expon(scale=distribution.mean)
    assert isinstance(distribution, Normal)
    return stats.norm(distribution.mean, distribution.sd)


def _cdf(distribution: Distribution) -> Callable[[Array], Array]:
    points = _points(distribution)
    if points is None:
        found: Callable[[Array], Array] = _frozen(distribution).cdf
        return found
    return lambda t: np.searchsorted(points, t, side="right") / len(points)


# --- sums of times --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GridLaw:
    """A law on a grid: what lies in each step from zero on.

    Parameters
    ----------
    masses
        Chance of each step, shape (n_steps,).
    step
        Width of a step in ms.
    """

    masses: Array
    step: float

    @property
    def edges(self) -> Array:
        """Where steps begin and end in ms, shape (n_steps + 1,)."""
        return _edges(self.step, len(self.masses))

    def __add__(self, other: GridLaw) -> GridLaw:
        """Law of the sum of independent times."""
        assert self.step == other.step
        sums = signal.fftconvolve(self.masses, other.masses)
        # Two steps add up to one that straddles two: half of it falls into each.
        halves = np.append(sums, 0.0) + np.append(0.0, sums)
        kept = np.maximum(halves[: len(self.masses)] / 2, 0.0)
        return GridLaw(kept, self.step)

    @property
    def mean(self) -> float:
        """Mean in ms."""
        return float((np.arange(len(self.masses)) + 0.5) @ self.masses * self.step)

    def below(self, t: Array) -> Array:
        """Chance of less than ``t`` ms."""
        found: Array = np.interp(t, self.edges, np.append(0.0, np.cumsum(self.masses)))
        return found


def grid_step(distributions: Sequence[Distribution]) -> float:
    """Return a width of steps with which sums of such times, of slow persons too, fit on a grid; in ms."""
    longest = sum(2.0 * distribution.quantile(1.0 - 1e-9) for distribution in distributions)
    return max(longest, 1.0) / N_STEPS


def on_grid(distribution: Distribution, step: float) -> GridLaw:
    """Put a distribution on a grid of :data:`N_STEPS`; what lies below zero counts as zero."""
    below = np.array(_cdf(distribution)(_edges(step)))
    below[0] = 0.0
    return GridLaw(np.diff(below), step)


def from_table(knots: npt.NDArray[np.int32], step: float, *, unit: float = 1000.0) -> GridLaw:
    """Put the law of a quantile table on a grid: straight lines between knots of equal probability.

    Parameters
    ----------
    knots
        A table as :func:`stressim.players.quantile_tables.quantile_table` makes it, shape (257,).
    step
        Width of a step in ms.
    unit
        Units of the table per ms.
    """
    times = np.asarray(knots, dtype=np.float64) / unit
    # Knots that are equal hold their share in one point, which np.interp takes at its upper end.
    spread = times + np.arange(len(times)) * 1e-9
    below = np.interp(_edges(step), spread, np.linspace(0.0, 1.0, len(times)), left=0.0, right=1.0)
    below[0] = 0.0
    return GridLaw(np.diff(below), step)


def as_drawn(distribution: Distribution, step: float) -> GridLaw:
    """Put what a kernel draws for a distribution on a grid: the law of its quantile table."""
    return from_table(quantile_table(distribution), step)


def mixed(laws: Sequence[GridLaw], weights: Sequence[float]) -> GridLaw:
    """Return the law of a time that has each of these laws with its weight."""
    masses: Array = np.sum([weight * law.masses for law, weight in zip(laws, weights, strict=True)], axis=0)
    return GridLaw(masses, laws[0].step)


def race_on_grid(first: GridLaw, second: GridLaw, window_ms: float = 0.0) -> Race:
    """Say who of two independent times on one grid is smaller."""
    ahead, behind = (_ahead(a, b, window_ms) for a, b in ((first, second), (second, first)))
    coarse = max(first.step / max(_sd(law), 1e-9) for law in (first, second)) ** 2
    return Race(first=ahead, second=behind, tie=max(0.0, 1.0 - ahead - behind), accuracy=min(1.0, coarse + 1e-7))


def _ahead(first: GridLaw, second: GridLaw, window: float) -> float:
    below = first.below(second.edges - window)
    return float(second.masses @ (below[:-1] + below[1:]) / 2)


def _sd(law: GridLaw) -> float:
    places = (np.arange(len(law.masses)) + 0.5) * law.step
    return math.sqrt(max(0.0, float(law.masses @ (places - law.mean) ** 2)))


def person_time(
    parts: Sequence[tuple[Distribution, tuple[Distribution, Distribution] | None]],
    shift_ms: float,
    step: float,
    to_grid: Callable[[Distribution, float], GridLaw] | None = None,
) -> GridLaw:
    """Return the law of a person's time: a sum of parts, each scaled by a factor of the person's.

    Parameters
    ----------
    parts
        Pairs of a distribution and the distributions of its factor's two parts, one common to all parts of this person
        (the same quantile for each) and one of its own; None where persons do not differ.
    shift_ms
        What is added.
    step
        Width of a step in ms.
    to_grid
        How a distribution is put on a grid: :func:`on_grid`, or :func:`as_drawn` for what a kernel makes of it.
    """
    differ = any(factors is not None for _, factors in parts)
    laws = [(to_grid or on_grid)(distribution, step) for distribution, _ in parts]
    sums = []
    levels, weights = _LEVELS if differ else ([0.5], [1.0])
    for level in levels:
        scaled = [
            law if factors is None else _scaled_by_person(law, factors, level)
            for law, (_, factors) in zip(laws, parts, strict=True)
        ]
        sums.append(functools.reduce(lambda law, other: law + other, scaled))
    return _shifted(mixed(sums, weights), shift_ms)


def _edges(step: float, n_steps: int = N_STEPS) -> Array:
    return np.arange(n_steps + 1, dtype=np.float64) * step


def _levels(n: int) -> tuple[list[float], list[float]]:
    """Quantiles and weights that integrate what is smooth in a normal variate (Gauss and Hermite)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(n)
    return [float(level) for level in stats.norm.cdf(nodes)], [float(weight) for weight in weights / weights.sum()]


_LEVELS = _levels(15)


def _scaled_by_person(law: GridLaw, factors: tuple[Distribution, Distribution], level: float) -> GridLaw:
    common, own = factors
    levels, weights = _LEVELS
    below = [law.below(law.edges / (common.quantile(level) * own.quantile(other))) for other in levels]
    return mixed([GridLaw(np.diff(each), law.step) for each in below], weights)


def _shifted(law: GridLaw, shift_ms: float) -> GridLaw:
    if not shift_ms:
        return law
    return GridLaw(np.diff(law.below(law.edges - shift_ms)), law.step)
