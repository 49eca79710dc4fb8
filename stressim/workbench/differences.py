"""From sums of pairs to differences: how much more or fewer, with an interval, a verdict and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import TYPE_CHECKING

from stressim.intervals import six_digits, z_value
from stressim.metrics import Metric, Rate, Skew
from stressim.workbench.pairs import scale_of
from stressim.workbench.significance import (
    any_time_p,
    any_time_p_of_pairs,
    any_time_z,
    holm,
    mcnemar_p,
    normal_p,
)

if TYPE_CHECKING:
    from stressim.workbench.pairs import CrossSums, OwnSums, PairedSums

MORE, FEWER, NO_DIFFERENCE, TOO_SMALL = "more", "fewer", "no difference found", "too small to matter"
VERDICTS = (MORE, FEWER, NO_DIFFERENCE, TOO_SMALL)
"""The words of a verdict, always about the variant and beside the reference."""

_POWER = 0.6  # z_value(0.6) standard errors: eight of ten runs of that size tell the difference


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One metric of a variant beside the reference, on the same deals. Numbers have six significant digits.

    Parameters
    ----------
    metric
        Which number.
    reference, value
        The reference's number and the variant's, in the metric's unit.
    difference, low, high
        The variant's number minus the reference's and its interval; the limits are None with too few deals.
    relative, relative_low, relative_high
        The same as a part of the reference's number; None where that is 0 or of either sign.
    p, corrected_p
        Probability that chance alone does as much, and corrected for all comparisons made (Holm); None where all
        pairs of deals agree, so that there is nothing to test.
    test
        ``McNemar`` for rates over all deals, otherwise ``paired``; ``any time`` where one may stop when one likes.
    verdict
        One of :data:`VERDICTS`.
    correlation
        Of the two numbers over pairs of deals; None where one of them does not vary.
    deals_to_tell
        How many deals would tell this difference eight times in ten; None if there is none.
    """

    metric: Metric
    reference: float
    value: float
    difference: float
    low: float | None
    high: float | None
    relative: float | None
    relative_low: float | None
    relative_high: float | None
    p: float | None
    corrected_p: float | None
    test: str
    verdict: str
    correlation: float | None
    deals_to_tell: int | None

    @property
    def same_in_all(self) -> bool:
        """Whether no pair of deals differs."""
        return self.difference == 0 and self.p is None


@dataclass(frozen=True)
class Look:
    """How differences are looked at.

    Parameters
    ----------
    confidence
        Of intervals and verdicts.
    any_time
        Whether the number of deals depends on what was seen, so that intervals and tests must hold at any time.
    matter
        By metric, the difference that is too small to matter, in the metric's unit.
    """

    confidence: float = 0.95
    any_time: bool = False
    matter: Mapping[str, float] | None = None


def differences(
    metrics: Sequence[Metric], sums: PairedSums, n_players: Sequence[int], look: Look
) -> tuple[tuple[Difference, ...], ...]:
    """Return the differences of every variant, corrected together for being many.

    Metrics of which one side has no deal to rest on are left out.
    """
    found = []
    for place in range(1, len(sums.own)):
        for metric in metrics:
            one = difference(
                metric,
                (sums.own[0][metric.name], sums.own[place][metric.name], sums.cross[place - 1][metric.name]),
                sums.n_deals,
                (n_players[0], n_players[place]),
                look,
            )
            if one is not None:
                found.append((place, one))
    corrected = holm([one.p for _, one in found])
    said = [(place, judged(one, p, look)) for (place, one), p in zip(found, corrected, strict=True)]
    return tuple(tuple(one for at, one in said if at == place) for place in range(1, len(sums.own)))


def judged(one: Difference, p: float | None, look: Look) -> Difference:
    """Return the difference with its corrected probability and its verdict."""
    return replace(one, corrected_p=p, verdict=_verdict(one, p, look))


def difference(
    metric: Metric, sums: tuple[OwnSums, OwnSums, CrossSums], n: int, n_players: tuple[int, int], look: Look
) -> Difference | None:
    """Return one difference, not yet corrected; None if either side has no deal to rest on."""
    one, two, cross = sums
    if not one.v or not two.v:
        return None
    scales = scale_of(metric, n_players[0]), scale_of(metric, n_players[1])
    reference, value = one.u / one.v / scales[0], two.u / two.v / scales[1]
    spread = _spread(one, two, cross, n, scales)
    gap = (two.u * one.v * scales[0] - one.u * two.v * scales[1]) / (one.v * two.v * scales[0] * scales[1])
    z = any_time_z(look.confidence, n) if look.any_time else z_value(look.confidence)
    variance = max(0.0, spread[0] + spread[1] - 2 * spread[2])
    low, high = _interval(metric, gap, variance, n, z, sums)
    error = sqrt(variance / n / (n - 1)) if n > 1 else 0.0
    p, test = _p(metric, gap, error, n, sums, look)
    relative = gap / reference if reference > 0 and not isinstance(metric, Skew) else None
    relative_low = relative_high = None
    if relative is not None and low is not None and variance:
        # The reference's own error counts as well, and the two go together.
        ratio = value / reference
        part = max(0.0, spread[1] + ratio * ratio * spread[0] - 2 * ratio * spread[2])
        half = z * sqrt(part / n / (n - 1)) / reference
        relative_low, relative_high = max(-1.0, relative - half), relative + half
    elif relative is not None and low is not None:
        relative_low = relative_high = relative
    both = sqrt(spread[0]) * sqrt(spread[1])
    target = max(abs(gap), (look.matter or {}).get(metric.name, 0.0))
    return Difference(
        metric=metric,
        reference=six_digits(reference),
        value=six_digits(value),
        difference=six_digits(gap),
        low=_digits(low),
        high=_digits(high),
        relative=_digits(relative),
        relative_low=_digits(relative_low),
        relative_high=_digits(relative_high),
        p=p,
        corrected_p=None,
        test=test,
        verdict=NO_DIFFERENCE,
        correlation=_digits(max(-1.0, min(1.0, spread[2] / both))) if both else None,
        deals_to_tell=_deals_to_tell(target, variance, n, look.confidence),
    )


def _spread(
    one: OwnSums, two: OwnSums, cross: CrossSums, n: int, scales: tuple[int, int]
) -> tuple[float, float, float]:
    """Return the sums over deals of a², b² and ab: a and b are what a deal adds to the error of either number.

    A deal adds (u - R v) n / Σv to the error of R = Σu / Σv (delta method). Each sum is a fraction of whole numbers,
    so equal rules on the same deals come out at exactly the same three.
    """
    first = n * n * (one.uu * one.v**2 - 2 * one.u * one.v * one.uv + one.u**2 * one.vv)
    second = n * n * (two.uu * two.v**2 - 2 * two.u * two.v * two.uv + two.u**2 * two.vv)
    mixed = cross.uu * one.v * two.v - two.u * one.v * cross.uv - one.u * two.v * cross.vu + one.u * two.u * cross.vv
    return (
        first / (one.v**4 * scales[0] ** 2),
        second / (two.v**4 * scales[1] ** 2),
        n * n * mixed / (one.v**2 * two.v**2 * scales[0] * scales[1]),
    )


def discordant(sums: tuple[OwnSums, OwnSums, CrossSums]) -> tuple[int, int]:
    """Return in how many pairs only the variant has the event, and in how many only the reference."""
    one, two, cross = sums
    return two.u - cross.uu, one.u - cross.uu


def _is_paired_rate(metric: Metric) -> bool:
    return isinstance(metric, Rate) and not metric.among


def _interval(
    metric: Metric, gap: float, variance: float, n: int, z: float, sums: tuple[OwnSums, OwnSums, CrossSums]
) -> tuple[float | None, float | None]:
    if n < 2:
        return None, None
    if _is_paired_rate(metric):
        more, fewer = discordant(sums)
        if not more + fewer:
            return 0.0, 0.0
        # Half a pair more in each of the four cells (Agresti and Min 2005, Statist. Med. 24): it covers what it
        # promises also where few pairs are discordant.
        size = n + 2
        centre = (more - fewer) / size
        half = z * sqrt((more + fewer + 1) / size - centre * centre) / sqrt(size)
        return max(-1.0, centre - half), min(1.0, centre + half)
    half = z * sqrt(variance / n / (n - 1))
    return gap - half, gap + half


def _p(
    metric: Metric, gap: float, error: float, n: int, sums: tuple[OwnSums, OwnSums, CrossSums], look: Look
) -> tuple[float | None, str]:
    if _is_paired_rate(metric):
        more, fewer = discordant(sums)
        if not more + fewer:
            return None, "McNemar"
        return (any_time_p_of_pairs(more, fewer), "any time") if look.any_time else (mcnemar_p(more, fewer), "McNemar")
    if not error:
        # All pairs differ by the same: as likely by chance as so many coins that fall alike.
        return (0.5 ** min(n - 1, 1000) if gap else None), "paired"
    return (any_time_p(gap / error, n), "any time") if look.any_time else (normal_p(gap / error), "paired")


def _verdict(one: Difference, p: float | None, look: Look) -> str:
    limit = (look.matter or {}).get(one.metric.name)
    if limit is not None and one.low is not None and one.high is not None and -limit <= one.low and one.high <= limit:
        return TOO_SMALL
    if p is not None and p <= 1 - look.confidence:
        return MORE if one.difference > 0 else FEWER
    return NO_DIFFERENCE


def _deals_to_tell(target: float, variance: float, n: int, confidence: float) -> int | None:
    if not target or not variance:
        return None
    errors = (z_value(confidence) + z_value(_POWER)) / target
    needed = variance / n * errors * errors
    return int(float(f"{needed:.2g}")) if needed < inf else None


def _digits(number: float | None) -> float | None:
    return None if number is None else six_digits(number)
