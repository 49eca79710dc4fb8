"""Limits that a person writes: how much a number may change, and which change is too small to matter.

``stalls>+2%`` and ``length_s=±10%`` speak of a change beside the reference; per cent are parts of the reference's
number. Of a share, ``pp`` are percentage points: ``stalled>+2pp``. A plain number is in the metric's unit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stressim.asserts import COMPARISONS
from stressim.errors import InputError
from stressim.estimates import is_known
from stressim.metrics import Metric
from stressim.naming import no_metric
from stressim.output.phrases import is_share

if TYPE_CHECKING:
    from stressim.family import Family
    from stressim.workbench.differences import Difference
    from stressim.workbench.variants import Variant

PARTS = ("difference", "low", "high")
"""What may follow a metric's name after a dot in a claim about a difference."""

_CHANGE = re.compile(r"\s*([\w-]+)\s*(?:\.\s*(\w+))?\s*(<=|>=|<|>)\s*([+-]?[\d.]+(?:e-?\d+)?)\s*(%|pp)?\s*", re.I)
_SIZE = re.compile(r"\s*([\w-]+)\s*=\s*(?:±|\+/?-)?\s*([\d.]+(?:e-?\d+)?)\s*(%|pp)?\s*", re.I)


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large a change is.

    Parameters
    ----------
    metric
        Of which number.
    number
        How much, in ``unit``.
    unit
        ``%`` of the reference's number, ``pp`` of a share, or empty: the metric's own unit.
    """

    metric: Metric
    number: float
    unit: str

    def absolute(self, reference: float) -> float:
        """Return it in the metric's unit, beside this number of the reference."""
        if self.unit == "%":
            return self.number / 100 * reference
        return self.number / 100 if self.unit == "pp" else self.number


@dataclass(frozen=True, kw_only=True)
class ChangeClaim:
    """A claim about a difference, such as ``stalls>+2%``."""

    text: str
    part: str
    comparison: str
    size: Size

    def holds(self, difference: Difference) -> bool:
        """Whether it holds; it does not if there is no such number."""
        value: float | None = getattr(difference, self.part)
        limit = self.size.absolute(difference.reference)
        return value is not None and COMPARISONS[self.comparison](value, limit)


def metric_named(name: str, family: Family, *, clock: bool, n_players: int, option: str) -> Metric:
    """Return a metric by its name.

    Raises
    ------
    InputError
        If there is none, or a run of this kind does not have it.
    """
    known = {metric.name: metric for metric in family.metrics}
    metric = known.get(name.strip().replace("-", "_"))
    if metric is None:
        raise InputError(f"{option}: {no_metric(name.strip(), family)}")
    if not is_known(metric, clock=clock, n_players=n_players):
        why = "needs a clock, and uniform timing has none"
        if metric.needs_players > n_players:
            why = f"needs {metric.needs_players} players, not {n_players}"
        raise InputError(f"{option}: {metric.name} {why}")
    return metric


def read_change(text: str, find: Callable[[str], Metric], option: str) -> ChangeClaim:
    """Read a claim about a change; ``find`` returns a metric by its name.

    Raises
    ------
    InputError
        If it cannot be read.

    Examples
    --------
    >>> from stressim.family import family_named
    >>> metrics = {metric.name: metric for metric in family_named("shedding").metrics}
    >>> claim = read_change("stalls>+2%", metrics.__getitem__, "--fail-if")
    >>> claim.part, claim.comparison, claim.size.absolute(5.0)
    ('difference', '>', 0.1)
    """
    match = _CHANGE.fullmatch(text)
    if match is None:
        raise InputError(
            f"{option} {text!r} cannot be read: write a metric, then <, <=, > or >=, then how much it changes, for "
            "example 'stalls>+2%'"
        )
    name, part, comparison, number, unit = match.groups()
    part = (part or "difference").lower()
    if part not in PARTS:
        raise InputError(f"{option} {text!r}: {part!r} is no part of a difference: write .low, .high or nothing")
    size = _size(find(name), number, unit, f"{option} {text!r}")
    return ChangeClaim(text=text.strip(), part=part, comparison=comparison, size=size)


def read_size(text: str, find: Callable[[str], Metric], option: str) -> Size:
    """Read the size of a change: ``stalls=2%``, ``length_s=±10%``.

    Raises
    ------
    InputError
        If it cannot be read.

    Examples
    --------
    >>> from stressim.family import family_named
    >>> metrics = {metric.name: metric for metric in family_named("shedding").metrics}
    >>> read_size("length_s=±10%", metrics.__getitem__, "--keep").absolute(90)
    9.0
    """
    match = _SIZE.fullmatch(text)
    if match is None:
        raise InputError(f"{option} {text!r} cannot be read: write a metric and how much, for example 'length_s=10%'")
    name, number, unit = match.groups()
    return _size(find(name), number, unit, f"{option} {text!r}")


def read_limit(text: str, variant: Variant, option: str) -> Size | ChangeClaim:
    """Read a limit on a change of a variant's numbers: a size in either direction, or a claim in one.

    Raises
    ------
    InputError
        If it cannot be read.
    """

    def find(name: str) -> Metric:
        clock = variant.timing.word != "uniform"
        place = f"{option} {text!r}"
        return metric_named(name, variant.family, clock=clock, n_players=len(variant.players), option=place)

    return read_change(text, find, option) if "<" in text or ">" in text else read_size(text, find, option)


def absolute_sizes(sizes: Mapping[str, Size], references: Mapping[str, float]) -> dict[str, float]:
    """Return sizes in their metrics' units, beside the reference's numbers."""
    return {name: size.absolute(references[name]) for name, size in sizes.items() if name in references}


def _size(metric: Metric, number: str, unit: str | None, place: str) -> Size:
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{place}: {number!r} is no number")
    unit = (unit or "").lower()
    if unit == "pp" and not is_share(metric):
        raise InputError(f"{place}: {metric.name} is no share ({metric.unit}), so it has no percentage points")
    return Size(metric=metric, number=value, unit=unit)
