"""Play deals for tests: rules and players by name in, rows of columns out."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from stressim.family import family_named
from stressim.lowering import Lowered, lower
from stressim.metrics import Rate, Ratio
from stressim.players.resolve import resolve_players
from stressim.presets import preset_names
from stressim.rulesfile import load_rules

FAMILY = family_named("shedding")
PRESETS = [name for name in preset_names() if load_rules(name).family.name == FAMILY.name]
TIMINGS = ("uniform", "human")
COLUMN = {column.name: index for index, column in enumerate(FAMILY.columns)}
LIMIT = 4.0
"""Standard errors within which an estimate must lie."""

_SHARD = 4096
_PART = 1 << 18


@dataclass(frozen=True)
class Value:
    """An estimate and its standard error."""

    estimate: float
    error: float

    def z(self, other: Value) -> float:
        """Return the distance of two independent values in standard errors."""
        difference = self.estimate - other.estimate
        if abs(difference) < 1e-12:
            return 0.0
        return difference / (math.hypot(self.error, other.error) or 1e-12)


def exactly(value: float) -> Value:
    """Return a value known without error."""
    return Value(float(value), 0.0)


def lowered_of(rules: str, sets: Sequence[str] = (), players: Sequence[str] = (), timing: str = "uniform") -> Lowered:
    """Lower a preset with changed options and players."""
    loaded = load_rules(rules, sets=sets)
    n_players = loaded.options.n_players
    return lower(loaded.options, resolve_players(players, n_players, loaded.family.habits), timing)


def rows_of(
    rules: str,
    n: int,
    *,
    sets: Sequence[str] = (),
    players: Sequence[str] = (),
    timing: str = "uniform",
    seed: int = 1,
    first: int = 0,
) -> np.ndarray:
    """Play ``n`` deals in threads and return their rows, shape ``(n, columns)``."""
    return play(lowered_of(rules, sets, players, timing), n, seed=seed, first=first)


def play(lowered: Lowered, n: int, *, seed: int = 1, first: int = 0) -> np.ndarray:
    """Play deals ``first … first + n - 1`` in threads."""
    rows = np.zeros((n, len(FAMILY.columns)), np.int64)
    starts = range(0, n, _SHARD)

    def shard(start: int) -> None:
        FAMILY.play_deals(lowered, seed, first + start, rows[start : start + _SHARD])

    with ThreadPoolExecutor(min(len(starts), os.cpu_count() or 1)) as pool:
        list(pool.map(shard, starts))
    return rows


def column(rows: np.ndarray, name: str) -> np.ndarray:
    """Return one column of rows."""
    return rows[:, COLUMN[name]]


def mean(values: np.ndarray) -> Value:
    """Return the mean over deals."""
    values = np.asarray(values, np.float64)
    if len(values) < 2:
        return Value(float(values.mean()), math.inf)
    if set(np.unique(values)) <= {0.0, 1.0}:
        # Two more of each kind keep the error of a rare event from vanishing (Agresti and Coull 1998).
        share = (values.sum() + 2) / (len(values) + 4)
        return Value(float(values.mean()), math.sqrt(share * (1 - share) / len(values)))
    return Value(float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)))


def ratio(x: np.ndarray, y: np.ndarray) -> Value:
    """Return the ratio of two sums over the same deals, with the error of the delta method."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    share = x.sum() / y.sum()
    return Value(float(share), float((x - share * y).std(ddof=1) / (math.sqrt(len(y)) * y.mean())))


def metric_values(columns: Mapping[str, np.ndarray], *, clock: bool = False) -> dict[str, Value]:
    """Estimate the family's metrics from columns, each by its declaration; those without a deal are absent.

    Parameters
    ----------
    columns
        Values per deal by the column's name. Metrics that need a column which is not there are absent.
    clock
        Whether times mean anything.
    """
    found: dict[str, Value] = {}
    for metric in FAMILY.metrics:
        if metric.clock and not clock:
            continue
        of = getattr(metric, "of", "")
        per = metric.among if isinstance(metric, Rate) else metric.per if isinstance(metric, Ratio) else ""
        divisor = getattr(metric, "divisor", 1)
        if metric.name == "win_skew":
            if columns["won"].sum():
                found["win_skew"] = ratio(columns["win_1"] - columns["win_2"], columns["won"])
        elif of in columns and (not per or (per in columns and columns[per].any())):
            if isinstance(metric, Ratio):
                value = ratio(columns[of], columns[per])
            else:
                value = mean(columns[of][columns[per] == 1] if per else columns[of])
            found[metric.name] = Value(value.estimate / divisor, value.error / divisor)
    return found


def metrics_of(rows: np.ndarray, *, clock: bool = False) -> dict[str, Value]:
    """Estimate the family's metrics from rows."""
    return metric_values({name: rows[:, index] for name, index in COLUMN.items()}, clock=clock)


def totals_of(
    rules: str, n: int, columns: Sequence[str], *, sets: Sequence[str] = (), timing: str = "uniform", seed: int = 1
) -> dict[str, int]:
    """Sum columns over any number of deals, a part at a time."""
    lowered = lowered_of(rules, sets, timing=timing)
    totals = dict.fromkeys(columns, 0)
    for first in range(0, n, _PART):
        rows = play(lowered, min(_PART, n - first), seed=seed, first=first)
        for name in columns:
            totals[name] += int(column(rows, name).sum())
    return totals
