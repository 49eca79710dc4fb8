"""From Python to the exchange kernels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stressim.compiled.deals import MOST_EVENTS_LOGGED, DealLog, call_kernel, logged_events, make_game
from stressim.exchange.columns import COLUMNS
from stressim.exchange.events import N_FIELDS
from stressim.exchange.kernel import layout
from stressim.exchange.rules import MAX_PLAYERS
from stressim.lowering import Lowered

BEHAVIOUR = 2
"""Version of what a seed means; a change that alters any deal raises it."""


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
    """Play one deal and keep its log; the same deal, to the last column, as :func:`play_deals` plays."""
    from stressim.exchange.kernel.run import run_deal

    games = _game(lowered)
    rows = np.zeros((1, len(COLUMNS)), dtype=np.int64)
    parts: list[npt.NDArray[np.int64]] = []
    n_kept, n_events = 0, 1
    while n_kept < n_events:  # a log that is longer than its place is kept part by part, in as many goes at the deal
        games["state"][0, layout.LOGGING] = 1 + n_kept
        _run(games, lowered, seed, deal, rows)
        n_events = int(games["state"][0, layout.N_LOGGED])
        parts.append(logged_events(games, min(n_events - n_kept, MOST_EVENTS_LOGGED), deal))
        n_kept += len(parts[-1])
    call_kernel(run_deal, games, np.uint64(seed), np.int64(deal))
    n_cards = int(lowered.rules["n_cards"][0])
    dealt = games["cards"][0, layout.DECK : layout.DECK + n_cards]
    return DealLog(cards=dealt.astype(np.int64), events=np.concatenate(parts), row=rows[0])


def _game(lowered: Lowered) -> np.ndarray:
    parts = [
        ("state", np.int64, (layout.STATE_SIZE,)),
        ("counts", np.uint64, (layout.N_COUNTS,)),
        ("laid", np.uint64, (layout.LAID_WORDS * (layout.PLACES + 1),)),
        ("streams", np.uint64, (layout.N_STREAMS,)),
        ("cards", np.uint8, (layout.CARDS_SIZE,)),
    ]
    return make_game(lowered, parts, most_players=MAX_PLAYERS, n_columns=len(COLUMNS), n_fields=N_FIELDS)


def _run(games: np.ndarray, lowered: Lowered, seed: int, first: int, rows: npt.NDArray[np.int64]) -> None:
    from stressim.exchange.kernel.run import run_human, run_uniform

    call_kernel(run_uniform if lowered.uniform else run_human, games, rows, np.uint64(seed), np.int64(first))
