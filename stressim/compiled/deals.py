"""From Python to the kernels: the record that holds a deal is made here, once per shard, and logs are read from it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stressim.compiled.frozen import frozen_mark
from stressim.compiled.native import JIT, call_kernel
from stressim.lowering import Lowered

MOST_EVENTS_LOGGED = 1 << 17
PROBES = "stressim.compiled.probes"
"""The module with entry points that draw as the kernels draw."""
_OF_PLAYERS = "players."


@dataclass(frozen=True, kw_only=True)
class DealLog:
    """One deal with all its events.

    Parameters
    ----------
    cards
        The dealt cards, laid out as the family's events module says.
    events
        The log, shape ``(n_events, n_fields)``, with the fields of the family's events module.
    row
        The deal's columns, shape ``(n_columns,)``.
    """

    cards: npt.NDArray[np.int64]
    events: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]


def make_game(
    lowered: Lowered,
    parts: list[tuple[Any, ...]],
    *,
    most_players: int,
    n_columns: int,
    n_fields: int,
    frozen: Mapping[str, int] | None = None,
) -> np.ndarray:
    """Make the record that holds everything a deal needs: passing one address is quicker than passing eight arrays.

    Parameters
    ----------
    lowered
        Rules and players, copied into the record.
    parts
        Names, types and shapes of what the family needs beside them, as for :class:`numpy.dtype`.
    most_players
        The most that the family knows; the record has room for as many, so that kernels are compiled once.
    n_columns, n_fields
        Length of a deal's row and of an event.
    frozen
        Values of rules, by name, and of all players, by name after ``players.``; if rules and players have these,
        the kernel is one that knows no others.
    """
    n_players = len(lowered.players)
    rules = lowered.rules.dtype.descr
    if frozen and _are_frozen(lowered, frozen):
        rules = [*rules, (frozen_mark(frozen), "<i8")]
    shared = [
        ("rules", np.dtype(rules)),
        ("players", lowered.players.dtype, (most_players,)),
        ("tables", np.int32, (most_players, *lowered.tables.shape[1:])),
        ("row", np.int64, (n_columns,)),
    ]
    log = ("log", np.int64, (MOST_EVENTS_LOGGED, n_fields))
    games = np.zeros(1, dtype=np.dtype([*shared, *parts, log], align=True))
    for name in lowered.rules.dtype.names or ():
        games["rules"][name] = lowered.rules[name]
    games["players"][0, :n_players] = lowered.players
    games["tables"][0, :n_players] = lowered.tables
    # Plain Python reads fields as attributes from record arrays only.
    return games if JIT else games.view(np.recarray)


def are_usual(numbers: Mapping[str, int] | np.void, usual: Mapping[str, int]) -> bool:
    """Whether rules have the values that a kernel of their own knows alone.

    Parameters
    ----------
    numbers
        The rules, lowered: what :func:`~stressim.lowering.lowered_numbers` returns, or the record made of it.
    usual
        The values, by the same names.
    """
    return all(numbers[name] == value for name, value in usual.items())


def _are_frozen(lowered: Lowered, frozen: Mapping[str, int]) -> bool:
    """Whether rules and players have the values that a kernel knows alone; names as for :func:`make_game`."""
    of_players = {name: value for name, value in frozen.items() if name.startswith(_OF_PLAYERS)}
    of_rules = {name: value for name, value in frozen.items() if name not in of_players}
    return are_usual(lowered.rules[0], of_rules) and all(
        (lowered.players[name.removeprefix(_OF_PLAYERS)] == value).all() for name, value in of_players.items()
    )


class _Kept(threading.local):
    made_by: Callable[[Lowered], np.ndarray] | None = None
    lowered: Lowered | None = None
    games: np.ndarray | None = None


_KEPT = _Kept()


def kept_game(make: Callable[[Lowered], np.ndarray], lowered: Lowered) -> np.ndarray:
    """Return the record that this thread has last made, if it is of the same rules and players, or else make one.

    Shards follow one another quickly, and a record is large.

    Parameters
    ----------
    make
        Makes a record, as with :func:`make_game`.
    lowered
        Rules and players.
    """
    if _KEPT.games is None or _KEPT.lowered is not lowered or _KEPT.made_by is not make:
        _KEPT.games, _KEPT.lowered, _KEPT.made_by = make(lowered), lowered, make
    return _KEPT.games


def logged_events(games: np.ndarray, n_events: int, deal: int) -> npt.NDArray[np.int64]:
    """Return the events of the deal just played.

    Raises
    ------
    OverflowError
        If the deal has more events than a log holds, which only endless deals have.
    """
    if n_events > MOST_EVENTS_LOGGED:
        raise OverflowError(f"deal {deal} has {n_events} events; a log holds {MOST_EVENTS_LOGGED}")
    events: npt.NDArray[np.int64] = games["log"][0, :n_events].copy()
    return events


def run_deals(
    module: str, games: np.ndarray, lowered: Lowered, seed: int, first: int, rows: npt.NDArray[np.int64]
) -> None:
    """Play deals with the entry points of a module.

    Parameters
    ----------
    module
        Where ``run_human`` and ``run_uniform`` stand.
    games
        The record, as :func:`make_game` makes it of ``lowered``.
    lowered
        Rules and players.
    seed, first
        Of the run, and the first deal's number.
    rows
        Filled with one row for each deal, shape ``(deals, n_columns)``, int64.
    """
    function = "run_uniform" if lowered.uniform else "run_human"
    whole = np.ascontiguousarray(rows)
    call_kernel(module, function, games, whole, np.uint64(seed), np.int64(first))
    if whole is not rows:
        rows[...] = whole
