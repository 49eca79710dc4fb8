"""From Python to the shedding kernels: the record that holds a deal is made here, once per shard."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stressim.compiled.jit import JIT
from stressim.lowering import Lowered
from stressim.shedding.columns import COLUMNS
from stressim.shedding.events import N_FIELDS
from stressim.shedding.kernel import layout

BEHAVIOUR = 1
"""Version of what a seed means; a change that alters any deal raises it."""

MOST_EVENTS_LOGGED = 1 << 18


@dataclass(frozen=True, kw_only=True)
class DealLog:
    """One deal with all its events.

    Parameters
    ----------
    cards
        Dealt stocks, shape ``(n_players, cards_each)``, top card first.
    events
        The log, shape ``(n_events, 7)``, see :mod:`stressim.shedding.events`.
    row
        The deal's columns, shape ``(n_columns,)``.
    """

    cards: npt.NDArray[np.int64]
    events: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]


def play_deals(lowered: Lowered, seed: int, first: int, rows: npt.NDArray[np.int64]) -> None:
    """Play deals ``first … first + len(rows) - 1``.

    Parameters
    ----------
    lowered
        Rules and players as records.
    seed
        ``0 … 2**64 - 1``.
    first
        Number of the first deal.
    rows
        Filled with one row of columns for each deal, shape ``(deals, n_columns)``, int64.
    """
    _run(_game(lowered), lowered, seed, first, rows)


def log_deal(lowered: Lowered, seed: int, deal: int) -> DealLog:
    """Play one deal and keep its log; the same deal, to the last column, as :func:`play_deals` plays.

    Raises
    ------
    OverflowError
        If the deal has more events than a log holds, which only endless deals have.
    """
    from stressim.shedding.kernel.run import run_deal

    games = _game(lowered)
    games["state"][0, layout.LOGGING] = 1
    rows = np.zeros((1, len(COLUMNS)), dtype=np.int64)
    _run(games, lowered, seed, deal, rows)
    n_events = int(games["state"][0, layout.N_LOGGED])
    if n_events > MOST_EVENTS_LOGGED:
        raise OverflowError(f"deal {deal} has {n_events} events; a log holds {MOST_EVENTS_LOGGED}")
    events = games["log"][0, :n_events].copy()
    with _quiet():
        run_deal(games, np.uint64(seed), np.int64(deal))
    firsts = [layout.stock_place(player) for player in range(len(lowered.players))]
    cards_each = int(lowered.rules["cards_each"][0])
    dealt = [games["cards"][0, first : first + cards_each] for first in firsts]
    return DealLog(cards=np.array(dealt, dtype=np.int64), events=events, row=rows[0])


def _game(lowered: Lowered) -> np.ndarray:
    """Everything that a deal needs, in one record: passing one address is much quicker than passing eight arrays."""
    n_players = len(lowered.players)
    parts = [
        ("rules", lowered.rules.dtype),
        ("players", lowered.players.dtype, (n_players,)),
        ("tables", np.int32, lowered.tables.shape),
        ("state", np.int64, (layout.state_size(n_players),)),
        ("lanes", np.uint64, (layout.LANES * n_players,)),
        ("streams", np.uint64, (2 * (n_players + 1),)),
        ("row", np.int64, (len(COLUMNS),)),
        ("log", np.int64, (MOST_EVENTS_LOGGED, N_FIELDS)),
        ("cards", np.uint8, (layout.cards_size(n_players),)),
    ]
    games = np.zeros(1, dtype=np.dtype(parts, align=True))
    games["rules"] = lowered.rules
    games["players"] = lowered.players
    games["tables"] = lowered.tables
    # Plain Python reads fields as attributes from record arrays only.
    return games if JIT else games.view(np.recarray)


def _quiet() -> contextlib.AbstractContextManager[object]:
    # Plain Python warns where unsigned words wrap around, which is what they are for.
    return contextlib.nullcontext() if JIT else np.errstate(over="ignore")


def _run(games: np.ndarray, lowered: Lowered, seed: int, first: int, rows: npt.NDArray[np.int64]) -> None:
    from stressim.shedding.kernel.run import run_human, run_uniform

    run = run_uniform if lowered.uniform else run_human
    with _quiet():
        run(games, rows, np.uint64(seed), np.int64(first))
