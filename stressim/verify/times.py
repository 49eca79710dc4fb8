"""The human times: tables against what players' files ask for, and draws against the tables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from stressim.compiled.deals import PROBES
from stressim.compiled.native import call_kernel
from stressim.family import FAMILIES, family_named
from stressim.lowering import lower
from stressim.players.distributions import Distribution
from stressim.players.player import Player
from stressim.players.player_files import preset_files
from stressim.players.quantile_tables import quantile_table, table_moments
from stressim.players.resolve import resolve_player
from stressim.players.timing import timing_fields
from stressim.verify.checks import About, Check

TABLES, DRAWS = "tables", "draws"

TOLERANCE = 0.002
"""Part by which a table's mean and sd may differ from what is asked for."""


def table_checks() -> Iterator[Check]:
    """Compare the tables of every preset of times with the distributions that they stand for."""
    seen: set[tuple[Distribution, int]] = set()
    for family in FAMILIES:
        habits = family_named(family).habits
        for preset, (part, _) in preset_files(habits).items():
            if part != "times":
                continue
            about = About(TABLES, preset)
            for name, (distribution, unit) in _tables(resolve_player([preset], habits)).items():
                if (distribution, unit) in seen:
                    continue
                seen.add((distribution, unit))
                mean, sd = table_moments([float(knot) / unit for knot in quantile_table(distribution, unit)])
                asked = distribution.mean, distribution.sd
                allowed = f"within {TOLERANCE:.1%}"
                yield about.near(f"{name} mean", asked[0], mean, TOLERANCE * asked[0], allowed=allowed)
                yield about.near(f"{name} sd", asked[1], sd, TOLERANCE * asked[1] + 0.5 / unit, allowed=allowed)


def _tables(player: Player) -> dict[str, tuple[Distribution, int]]:
    times = player.times
    named = {name: getattr(times, name) for name in timing_fields(player.family)}
    drawn = {name: (value, 1000) for name, value in named.items() if isinstance(value, Distribution)}
    return drawn | player.lowered_tables


def draw_checks(n: int, seed: int) -> Iterator[Check]:
    """Draw ``n`` times from each table of the default player and compare them with the table's own law."""
    seen: set[bytes] = set()
    for family in FAMILIES:
        found = family_named(family)
        player = resolve_player([], found.habits)
        lowered = lower(found.rules(), [player])
        for name in _tables(player):
            row = int(lowered.players[name][0]) if name in (lowered.players.dtype.names or ()) else -1
            knots = lowered.tables[0, row]
            if row < 0 or knots.tobytes() in seen:
                continue
            seen.add(knots.tobytes())
            times = np.empty(n, np.int64)
            call_kernel(PROBES, "times_drawn", np.array([seed + row], np.uint64), lowered.tables, np.int64(row), times)
            about = About(DRAWS, "adult")
            if knots[0] == knots[-1]:
                yield about.exactly(name, float(knots[0]), float(times.mean()), n)
            else:
                yield about.kolmogorov(name, levels_of(knots, times))


def levels_of(knots: npt.NDArray[np.int32], times: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return the share of a table's law that lies below each time.

    Draws are cut to whole units, so half a unit is added. Knots of one value hold the share between them in one point:
    it is spread evenly over the draws of that value.

    Examples
    --------
    >>> levels_of(np.array([0, 10, 30], np.int32), np.array([0, 10, 20])).round(3).tolist()
    [0.025, 0.512, 0.762]
    >>> levels_of(np.array([0, 10, 10, 20, 30], np.int32), np.array([10, 20, 10])).round(3).tolist()
    [0.312, 0.762, 0.438]
    """
    levels = np.linspace(0.0, 1.0, len(knots))
    found: npt.NDArray[np.float64] = np.interp(times + 0.5, knots, levels)
    for value in np.unique(knots[1:][np.diff(knots) == 0]):
        here = np.flatnonzero(times == value)
        low, high = levels[np.searchsorted(knots, value)], levels[np.searchsorted(knots, value, "right") - 1]
        found[here] = low + (np.arange(len(here)) + 0.5) / max(1, len(here)) * (high - low)
    return found
