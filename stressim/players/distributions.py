"""Distributions of times in milliseconds.

Everything here is standard library: scipy takes most of a second to import and serves the tests as a second opinion.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import statistics
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

from stressim.errors import InputError
from stressim.optiontext import word

LONGEST_MS = 1_000_000.0
"""No parameter of a distribution is larger: tables are int32 microseconds, and 1,000 s leave room for slow players."""

LARGEST_NEGATIVE_SHARE = 0.01
"""A normal or ex-Gaussian with more than this below zero is refused; what lies below is cut at zero."""

LARGEST_RELATIVE_SD = 2.0
"""A lognormal with a larger sd per mean is refused: a quantile table could not hold its tail."""

_SQRT_2 = math.sqrt(2.0)
_SQRT_2_PI = math.sqrt(2.0 * math.pi)


class Distribution(ABC):
    """A distribution of a time in milliseconds; one of the subclasses, which are frozen and hashable."""

    word: ClassVar[str]
    """Name in the text form."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            value = getattr(self, field.name)
            if not 0 <= value <= LONGEST_MS:  # also refuses nan
                name = field.name.removesuffix("_ms")
                raise InputError(f"{self}: {name} must be a number of ms from 0 to {word(LONGEST_MS)}")

    def __str__(self) -> str:
        return f"{self.word}({','.join(word(float(value)) for value in dataclasses.astuple(self))})"  # type: ignore[call-overload]

    @property
    @abstractmethod
    def mean(self) -> float:
        """Mean in ms, before a cut at zero."""

    @property
    @abstractmethod
    def sd(self) -> float:
        """Standard deviation in ms, before a cut at zero."""

    def quantile(self, p: float) -> float:
        """Return the time below which a share ``p`` of all lies; it may be negative.

        Parameters
        ----------
        p
            Between 0 and 1, both excluded.
        """
        return self._quantile(p)

    def expectation_below(self, p: float) -> float:
        """Return what the lowest share ``p`` contributes to the mean: the integral of the quantiles up to ``p``."""
        return self._expectation_below(p)

    def scaled(self, factor: float) -> Self:
        """Return the distribution of the time multiplied by ``factor``."""
        # Every parameter of every family here is a time.
        return type(self)(*(factor * value for value in dataclasses.astuple(self)))  # type: ignore[call-overload]

    def shifted(self, ms: float) -> Distribution:
        """Return the distribution with a mean ``ms`` higher and the same sd."""
        return self._shifted(ms)

    @abstractmethod
    def _quantile(self, p: float) -> float: ...

    @abstractmethod
    def _expectation_below(self, p: float) -> float: ...

    def _shifted(self, ms: float) -> Distribution:
        location, *others = dataclasses.astuple(self)  # type: ignore[call-overload]
        return type(self)(location + ms, *others)  # type: ignore[call-arg]


@dataclass(frozen=True)
class Fixed(Distribution):
    """Always ``value`` ms.

    Examples
    --------
    >>> str(Fixed(1800).scaled(0.5))
    'fixed(900)'
    """

    value: float
    word: ClassVar[str] = "fixed"

    @property
    def mean(self) -> float:
        """The value."""
        return self.value

    @property
    def sd(self) -> float:
        """Zero."""
        return 0.0

    def _quantile(self, p: float) -> float:
        return self.value

    def _expectation_below(self, p: float) -> float:
        return self.value * p


@dataclass(frozen=True)
class _MeanAndSd(Distribution):
    """A distribution given by its mean and sd."""

    mean_ms: float
    sd_ms: float

    @property
    def mean(self) -> float:
        """Mean in ms."""
        return self.mean_ms

    @property
    def sd(self) -> float:
        """Standard deviation in ms."""
        return self.sd_ms


@dataclass(frozen=True)
class Normal(_MeanAndSd):
    """Normal with this mean and sd, cut at zero."""

    word: ClassVar[str] = "normal"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sd_ms > 0:
            _check_negative_share(self, _normal_cdf(-self.mean_ms / self.sd_ms))

    def _quantile(self, p: float) -> float:
        return self.mean_ms + self.sd_ms * _normal_quantile(p)

    def _expectation_below(self, p: float) -> float:
        return self.mean_ms * p - self.sd_ms * _normal_density(_normal_quantile(p))


@dataclass(frozen=True)
class Lognormal(_MeanAndSd):
    """Lognormal; mean and sd are those of the time itself, not of its logarithm.

    A shift moves the mean and keeps the sd, so the result is a lognormal again.

    Examples
    --------
    >>> reach = Lognormal(300, 60)
    >>> reach.mean, reach.sd, round(reach.quantile(0.5), 1)
    (300, 60, 294.2)
    """

    word: ClassVar[str] = "lognormal"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sd_ms > LARGEST_RELATIVE_SD * self.mean_ms:
            raise InputError(f"{self}: the sd must be at most {LARGEST_RELATIVE_SD:g} times the mean")

    @functools.cached_property
    def _log_sd(self) -> float:
        return math.sqrt(math.log1p((self.sd_ms / self.mean_ms) ** 2)) if self.mean_ms else 0.0

    def _quantile(self, p: float) -> float:
        return self.mean_ms * math.exp(self._log_sd * (_normal_quantile(p) - 0.5 * self._log_sd))

    def _expectation_below(self, p: float) -> float:
        return self.mean_ms * _normal_cdf(_normal_quantile(p) - self._log_sd)


@dataclass(frozen=True)
class Exponential(Distribution):
    """Exponential with this mean."""

    mean_ms: float
    word: ClassVar[str] = "exponential"

    @property
    def mean(self) -> float:
        """Mean in ms."""
        return self.mean_ms

    @property
    def sd(self) -> float:
        """Standard deviation in ms, the same as the mean."""
        return self.mean_ms

    def _quantile(self, p: float) -> float:
        return -self.mean_ms * math.log1p(-p)

    def _expectation_below(self, p: float) -> float:
        return self.mean_ms * (p + (1.0 - p) * math.log1p(-p))

    def _shifted(self, ms: float) -> Distribution:
        return ExGaussian(ms, 0.0, self.mean_ms)


@dataclass(frozen=True)
class ExGaussian(Distribution):
    """Sum of a normal (``mu``, ``sigma``) and an exponential (``tau``), cut at zero: the shape of reaction times.

    Examples
    --------
    >>> notice = ExGaussian(300, 45, 70)
    >>> notice.mean, round(notice.sd, 1), round(notice.quantile(0.5), 1)
    (370, 83.2, 357.4)
    """

    mu: float
    sigma: float
    tau: float
    word: ClassVar[str] = "exgauss"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self._simpler and not self._sharp:  # the simpler one has checked itself
            _check_negative_share(self, _exgauss_cdf(self.sigma / self.tau, -self.mu / self.tau)[0])

    @property
    def mean(self) -> float:
        """Mean in ms: ``mu + tau``."""
        return self.mu + self.tau

    @property
    def sd(self) -> float:
        """Standard deviation in ms: the root of ``sigma² + tau²``."""
        return math.hypot(self.sigma, self.tau)

    @property
    def _sharp(self) -> bool:
        # The normal part is too narrow to be seen: a shifted exponential.
        return self.sigma <= 1e-9 * self.tau

    @functools.cached_property
    def _simpler(self) -> Distribution | None:
        # Below a twenty-fifth of sigma the exponential part is invisible (skewness 1e-4), and exp() would overflow.
        if self.sigma < 25 * self.tau:
            return None
        return Normal(self.mean, self.sd) if self.sigma > 0 else Fixed(self.mu)

    def _quantile(self, p: float) -> float:
        if self._simpler:
            return self._simpler.quantile(p)
        if self._sharp:
            return self.mu - self.tau * math.log1p(-p)
        # Rounded, so that slower and older players share the solutions of the same shape.
        return self.mu + self.tau * _exgauss_quantile(round(self.sigma / self.tau, 12), p)

    def _expectation_below(self, p: float) -> float:
        if self._simpler:
            return self._simpler.expectation_below(p)
        if self._sharp:
            return self.mu * p + self.tau * (p + (1.0 - p) * math.log1p(-p))
        # By parts: x F(x) minus the integral of F, of which tau² times the density integrates to tau F(x).
        x = self.quantile(p)
        z = (x - self.mu) / self.sigma
        return (x + self.tau) * p - self.sigma * (z * _normal_cdf(z) + _normal_density(z))


@dataclass(frozen=True)
class Empirical(Distribution):
    """Measured times, each as likely as the others.

    Parameters
    ----------
    values
        Times in ms, in any order.
    origin
        The text they were read from, if that is not the list itself.

    Examples
    --------
    >>> measured = Empirical((310, 295, 400))
    >>> str(measured), measured.mean, measured.quantile(0.9)
    ('list(295,310,400)', 335.0, 400)
    """

    values: tuple[float, ...]
    origin: str = ""
    word: ClassVar[str] = "list"

    def __post_init__(self) -> None:
        if not self.values:
            raise InputError("a list of times needs at least one")
        for value in self.values:
            if not 0 <= value <= LONGEST_MS:
                raise InputError(f"{word(float(value))} in a list of times must be from 0 to {word(LONGEST_MS)} ms")
        object.__setattr__(self, "values", tuple(sorted(self.values)))

    def __str__(self) -> str:
        return self.origin or f"list({','.join(word(float(value)) for value in self.values)})"

    @property
    def mean(self) -> float:
        """Mean in ms."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation in ms, that of a population."""
        return self._moments[1]

    @functools.cached_property
    def _moments(self) -> tuple[float, float]:
        mean = math.fsum(self.values) / len(self.values)
        return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in self.values) / len(self.values))

    @functools.cached_property
    def _sums(self) -> tuple[float, ...]:
        sums = [0.0]
        for value in self.values:
            sums.append(sums[-1] + value)
        return tuple(sums)

    def scaled(self, factor: float) -> Empirical:
        """Return the same with every time multiplied by ``factor``."""
        return self._derived((value * factor for value in self.values), f"*{word(float(factor))}")

    def _shifted(self, ms: float) -> Empirical:
        return self._derived((value + ms for value in self.values), f"+{word(float(ms))}")

    def _derived(self, values: Iterable[float], change: str) -> Empirical:
        return Empirical(tuple(values), self.origin and self.origin + change)

    def _quantile(self, p: float) -> float:
        return self.values[min(int(p * len(self.values)), len(self.values) - 1)]

    def _expectation_below(self, p: float) -> float:
        position = p * len(self.values)
        whole = min(int(position), len(self.values) - 1)
        return (self._sums[whole] + (position - whole) * self.values[whole]) / len(self.values)


@functools.lru_cache(maxsize=4096)
def _normal_quantile(p: float) -> float:
    return statistics.NormalDist().inv_cdf(p)


def _normal_cdf(z: float) -> float:
    return 0.5 * math.erfc(-z / _SQRT_2)


def _normal_density(z: float) -> float:
    return math.exp(-0.5 * z * z) / _SQRT_2_PI


def _exgauss_cdf(sigma: float, x: float) -> tuple[float, float]:
    """Return distribution function and density of an ex-Gaussian with ``mu`` 0 and ``tau`` 1."""
    z = x / sigma
    # The exponent grows as the other factor vanishes; it is capped where their product is zero anyway.
    density = math.exp(min(sigma * (0.5 * sigma - z), 700.0)) * _normal_cdf(z - sigma)
    return _normal_cdf(z) - density, density


@functools.lru_cache(maxsize=8192)
def _exgauss_quantile(sigma: float, p: float) -> float:
    """Return the quantile of an ex-Gaussian with ``mu`` 0 and ``tau`` 1, by Newton's method within a bracket."""
    # The normal part alone lies below, and the sum is above both bounds at once in at most 1 - p of all cases.
    low = sigma * _normal_quantile(p)
    high = sigma * _normal_quantile(0.5 + 0.5 * p) - math.log(0.5 - 0.5 * p)
    x = min(low + 1.0, 0.5 * (low + high))
    for _ in range(100):
        share, density = _exgauss_cdf(sigma, x)
        low, high = (low, x) if share > p else (x, high)
        step = x - (share - p) / density if density > 0 else low
        following = step if low < step < high else 0.5 * (low + high)
        if abs(following - x) <= 1e-12 * (abs(x) + 1.0):
            return following
        x = following
    return x


def _check_negative_share(distribution: Distribution, share: float) -> None:
    if share > LARGEST_NEGATIVE_SHARE:
        raise InputError(
            f"{distribution}: {share:.0%} of these times would be negative, at most {LARGEST_NEGATIVE_SHARE:.0%} may be"
        )
