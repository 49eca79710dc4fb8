"""How a number is named on the command line: ``stalls``, ``length_s.median``, ``stalls.high``."""

from __future__ import annotations

from stressim.belonging import game, whose
from stressim.errors import InputError, did_you_mean, one_of
from stressim.estimates import QUANTILES, Estimate, Quantile
from stressim.family import Family
from stressim.metrics import Mean, Metric

PARTS = ("estimate", "low", "high", "sd", "median")
"""What may follow a metric's name after a dot; beside these a quantile such as ``0.95``."""


def metric_named(
    given: str, name: str, family: Family, *, clock: bool, n_players: int, matches: bool = False
) -> Metric:
    """Return a metric that a run reports.

    Parameters
    ----------
    given
        Option and text that hold the name, for the sentence.
    name
        Name of the metric.
    family, clock, n_players, matches
        What is played: whether there is a clock, how many players there are, and whether the deals make matches.

    Raises
    ------
    InputError
        If there is no such metric, or not in this run.
    """
    metrics = {metric.name: metric for metric in family.metrics}
    metric = metrics.get(name.replace("-", "_"))
    if metric is None:
        raise InputError(f"{given}: {no_metric(name, family)}")
    if metric.clock and not clock:
        raise InputError(f"{given}: {metric.name} needs a clock, and uniform timing has none")
    if metric.of_match and not matches:
        raise InputError(f"{given}: {metric.name} needs matches: --set match_format='best_of(3)'")
    if metric.needs_players > n_players:
        raise InputError(f"{given}: {metric.name} needs {metric.needs_players} players, not {n_players}")
    return metric


def no_metric(name: str, family: Family) -> str:
    """Say that a family has no metric of this name, and whose it is or which name is meant.

    Examples
    --------
    >>> from stressim.family import family_named
    >>> no_metric("locked", family_named("shedding")), no_metric("stals", family_named("shedding"))
    ("'locked' is no metric of the shedding game: it is one of the exchange game", "'stals' is no metric; did you mean \
'stalls'?")
    """
    if owner := whose(name.replace("-", "_"), family, "metric"):
        return f"{name!r} is no metric of {game(family)}: it is {owner}"
    hint = did_you_mean(name, [metric.name for metric in family.metrics]) or "; see stressim metrics list"
    return f"{name!r} is no metric{hint}"


def part_named(given: str, metric: Metric, part: str | None, parts: tuple[str, ...] = PARTS) -> str | float:
    """Return the part of a metric that a name means: a word of ``parts``, or a quantile as a number.

    Raises
    ------
    InputError
        If the metric has no such part.
    """
    if part is None:
        return "estimate"
    has_quantiles = isinstance(metric, Mean) and metric.quantiles
    known = [*parts, *map(str, QUANTILES)] if has_quantiles else [known for known in parts if known in PARTS[:3]]
    if part.startswith("."):
        part = f"0{part}"
    part = "estimate" if part == "mean" else part
    if part not in known:
        hint = did_you_mean(part, known)
        raise InputError(f"{given}: {part!r} is no part of {metric.name}: it must be {one_of(known)}{hint}")
    if part == "median":
        return 0.5
    return part if part in PARTS else float(part)


def part_of(estimate: Estimate, part: str | float) -> Estimate | Quantile:
    """Return what has the estimate and limits of a part: the metric itself, or one of its quantiles."""
    return estimate.quantiles[part] if isinstance(part, float) else estimate
