"""From models to the integers that a kernel reads: one numpy record of the rules, one for each player, and tables.

Nothing here names an option. What becomes of a field follows from its type and its declared unit:

============================  ==========================================  =======================
field                         integer                                     name in the record
============================  ==========================================  =======================
choice, bool, int             the number                                  the field's
float, unit ``probability``   threshold for 32 random bits                the field's
float, unit ``ms…`` or ``s``  microseconds                                ``_ms`` or ``_s`` gives way to ``_us``
float, another unit           times 65536                                 ``…_x65536``
distribution                  row of the player's table                   the field's
text, cosmetic or match one   none
============================  ==========================================  =======================

A model may offer further integers as ``lowered_extra``, and a player further tables as ``lowered_tables``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic.fields import FieldInfo

from stressim.errors import InputError
from stressim.options import Choice, Options
from stressim.players.distributions import Distribution
from stressim.players.player import FACTOR_UNIT, Player
from stressim.players.quantile_tables import N_INTERVALS, quantile_table
from stressim.players.time_options import declared
from stressim.players.timing import timing_fields

PROBABILITY_UNIT = 2**32
"""Threshold of a certain event: an event happens when 32 random bits are below its threshold."""

US_PER_MS = 1000
US_PER_S = 1_000_000


class TimingMode(Choice):
    """Which model of time a run uses."""

    HUMAN = 0, "players look, move and slap as people do"
    UNIFORM = 1, "no clock: every possible play is equally likely to come next"


@dataclass(frozen=True, kw_only=True)
class Lowered:
    """What a kernel reads.

    Parameters
    ----------
    rules
        Structured array, shape (1,); every field int64.
    players
        Structured array, shape (n_players,); every field int64. A field named after a distribution holds its row in
        ``tables``, the same for all players.
    tables
        int32, shape (n_players, n_tables, 257): quantiles, mostly in microseconds.
    uniform
        True if there is no clock.
    """

    rules: np.ndarray
    players: np.ndarray
    tables: np.ndarray
    uniform: bool


def lower(
    rules: Options, players: Sequence[Player], timing: TimingMode | str = TimingMode.HUMAN, *, reflexes: int = 0
) -> Lowered:
    """Cast rules and players to what a kernel reads.

    Parameters
    ----------
    rules
        The rules model of a family.
    players
        One for each seat.
    timing
        ``human`` or ``uniform``.
    reflexes
        With another number than 0 the same cards are dealt, and all other chance of the deal is drawn anew.

    Raises
    ------
    InputError
        If a player's times are too long for a kernel.

    Examples
    --------
    >>> from stressim.shedding.habits import SheddingHabits
    >>> from stressim.shedding.rules import SheddingRules
    >>> lowered = lower(SheddingRules(), [Player(habits=SheddingHabits())] * 2)
    >>> int(lowered.rules["tie_window_us"][0]), int(lowered.players["abort_window_us"][1])
    (30000, 150000)
    >>> lowered.tables[0, lowered.players["countdown"][0], :2].tolist()
    [1800000, 1800000]
    """
    fields = []
    tables = []
    for seat, player in enumerate(players, 1):
        try:
            rows = _tables_of(player)
            tables.append([quantile_table(distribution, unit) for distribution, unit in rows.values()])
        except InputError as error:
            raise InputError(f"player {seat} ({player.name}): {error}") from None
        numbers = {name: row for row, name in enumerate(rows)}
        times = _numbers_of(player.times, timing_fields(player.family))
        fields.append(_merged(_numbers_of(player.habits), times, numbers, player.lowered_extra))
    return Lowered(
        rules=_record([_merged(_numbers_of(rules), {"reflexes": reflexes})]),
        players=_record(fields),
        tables=np.array(tables, dtype=np.int32).reshape(len(players), -1, N_INTERVALS + 1),
        uniform=TimingMode.parse(timing) == TimingMode.UNIFORM,
    )


def lowered_name(name: str, field: FieldInfo) -> str:
    """Return a field's name in the record, or ``""`` if it does not reach the kernel.

    Examples
    --------
    >>> from stressim.shedding.rules import SheddingRules
    >>> [lowered_name(name, SheddingRules.model_fields[name]) for name in ("ace", "tie_window_ms", "deck_ranks")]
    ['ace', 'tie_window_us', '']
    """
    about = declared(field)
    if about.get("cosmetic") or about.get("match") or field.annotation is str:
        return ""
    if field.annotation is float and about["unit"] != "probability":
        if about["unit"].startswith("ms") or about["unit"] == "s":
            return re.sub(r"_m?s(?=_|$)", "", name) + "_us"
        return f"{name}_x{FACTOR_UNIT}"
    return name


def lowered_numbers(model: Options) -> dict[str, int]:
    """Return the integers of a model by their names in the record.

    Examples
    --------
    >>> from stressim.exchange.rules import ExchangeRules
    >>> lowered_numbers(ExchangeRules(n_players=3))["bunches_each"]
    4
    """
    return _numbers_of(model)


def _numbers_of(model: Options, fields: Mapping[str, FieldInfo] | None = None) -> dict[str, int]:
    """Return the integers of a model; its distributions are left to :func:`_tables_of`."""
    numbers: list[dict[str, int]] = []
    for name, field in (type(model).model_fields if fields is None else fields).items():
        lowered = lowered_name(name, field)
        value = getattr(model, name)
        if lowered and not isinstance(value, Distribution):
            numbers.append({lowered: _number(value, name, declared(field)["unit"])})
    return _merged(*numbers, getattr(model, "lowered_extra", {}))


def _number(value: Any, name: str, unit: str) -> int:
    if isinstance(value, int):  # a Choice and a bool are ints too
        return int(value)
    if isinstance(value, float):
        if unit == "probability":
            return round(value * PROBABILITY_UNIT)
        if unit == "s":
            return round(value * US_PER_S)
        return round(value * (US_PER_MS if unit.startswith("ms") else FACTOR_UNIT))
    raise TypeError(f"{name}: a {type(value).__name__} cannot be lowered")


def _tables_of(player: Player) -> dict[str, tuple[Distribution, int]]:
    timing = player.times
    distributions = {
        name: (value, US_PER_MS)
        for name in timing_fields(player.family)
        if isinstance(value := getattr(timing, name), Distribution)
    }
    return distributions | player.lowered_tables


def _merged(*parts: dict[str, int]) -> dict[str, int]:
    merged: dict[str, int] = {}
    for part in parts:
        if twice := merged.keys() & part.keys():
            raise TypeError(f"two fields lower to the same name: {', '.join(sorted(twice))}")
        merged |= part
    return merged


def _record(rows: Iterable[dict[str, int]]) -> np.ndarray:
    rows = list(rows)
    names = list(rows[0])
    return np.array([tuple(row[name] for name in names) for row in rows], dtype=[(name, np.int64) for name in names])
