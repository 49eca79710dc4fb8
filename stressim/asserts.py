"""Assertions about a result, such as ``stalled<0.9``, for scripts that watch a set of rules."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from stressim.errors import InputError, one_of
from stressim.estimates import Estimate
from stressim.family import Family
from stressim.metrics import Metric
from stressim.naming import metric_named, part_named, part_of

COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}

_FORM = re.compile(r"\s*([\w-]+)\s*(?:\.\s*([\w.]+?))?\s*(<=|>=|<|>)\s*([^\s%]+)\s*(%?)\s*")


@dataclass(frozen=True, kw_only=True)
class Assertion:
    """What should hold of a result.

    Parameters
    ----------
    text
        As it was given.
    metric
        The number that is looked at.
    part
        Which part of it: ``estimate``, ``low``, ``high``, ``sd``, or a quantile as a number.
    comparison
        ``<``, ``<=``, ``>`` or ``>=``.
    limit
        What it is compared with, in the metric's unit; shares from 0 to 1.
    """

    text: str
    metric: Metric
    part: str | float
    comparison: str
    limit: float


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether an assertion holds, and the number that decides; None if there is none to look at."""

    assertion: Assertion
    value: float | None
    passed: bool

    def __str__(self) -> str:
        found = "there is no number to tell from" if self.value is None else f"it is {self.value:g}"
        return f"{'pass' if self.passed else 'FAIL'}  {self.assertion.text}  ({found})"


def parse(text: str, family: Family, *, clock: bool, n_players: int = 2, matches: bool = False) -> Assertion:
    """Read an assertion.

    Parameters
    ----------
    text
        ``METRIC<NUMBER``; ``<=``, ``>`` and ``>=`` as well. The metric may be followed by a part: ``stalls.high``,
        ``length_s.median``, ``length_s.0.95``. Shares are numbers from 0 to 1 or in per cent.
    family
        Whose metrics there are.
    clock
        False under uniform timing, where some metrics do not exist.
    n_players
        With fewer players than a metric needs it does not exist either.
    matches
        Whether the deals make matches; without, the metrics of matches do not exist.

    Raises
    ------
    InputError
        If it cannot be read or names no metric.

    Examples
    --------
    >>> from stressim.family import family_named
    >>> assertion = parse("length_s.median < 140", family_named("shedding"), clock=True)
    >>> assertion.metric.name, assertion.part, assertion.comparison, assertion.limit
    ('length_s', 0.5, '<', 140.0)
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise InputError(
            f"--assert {text!r} cannot be read: write a metric, then {one_of(['<', '<=', '>', '>='])}, then a number, "
            "for example 'stalled<0.9'"
        )
    name, part, comparison, number, per_cent = match.groups()
    given = f"--assert {text!r}"
    metric = metric_named(given, name, family, clock=clock, n_players=n_players, matches=matches)
    limit = _number(text, number)
    if per_cent and not metric.unit.startswith("of "):
        raise InputError(f"--assert {text!r}: {metric.name} is no share ({metric.unit}), so its limit has no %")
    if metric.unit.startswith("of ") and not per_cent and abs(limit) > 1:
        raise InputError(
            f"--assert {text!r}: {metric.name} is a share, a number up to 1: write {number}% if per cent are meant"
        )
    return Assertion(
        text=text.strip(),
        metric=metric,
        part=part_named(given, metric, part),
        comparison=comparison,
        limit=limit / 100 if per_cent else limit,
    )


def judge(assertion: Assertion, estimates: Mapping[str, Estimate]) -> Verdict:
    """Say whether an assertion holds of estimates; it does not if there is no number to look at.

    There is none without a deal to rest on, and of a quantile that lies among deals that were stopped.
    """
    value = _value(assertion, estimates.get(assertion.metric.name))
    passed = value is not None and COMPARISONS[assertion.comparison](value, assertion.limit)
    return Verdict(assertion=assertion, value=value, passed=passed)


def _value(assertion: Assertion, estimate: Estimate | None) -> float | None:
    if estimate is None:
        return None
    part = assertion.part if isinstance(assertion.part, str) else "estimate"
    value: float | None = getattr(part_of(estimate, assertion.part), part)
    return value


def _number(text: str, number: str) -> float:
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"--assert {text!r}: {number!r} is no number")
    return value
