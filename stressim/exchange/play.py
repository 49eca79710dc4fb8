"""From Python to the exchange kernels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from stressim.compiled.deals import MOST_EVENTS_LOGGED, DealLog, call_kernel, logged_events, make_game
from stressim.exchange.columns import COLUMNS
from stressim.exchange.events import N_FIELDS
from stressim.exchange.kernel import layout
from stressim.exchange.rules import MAX_PLAYERS
from stressim.lowering import Lowered

BEHAVIOUR = 4
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
    return next(log_deals(lowered, seed, deal, 1))


def log_deals(lowered: Lowered, seed: int, first: int, n: int) -> Iterator[DealLog]:
    """Play deals ``first … first + n - 1`` and keep the log of each; arguments as of :func:`log_deal`."""
    games = _game(lowered)
    rows = np.zeros((1, len(COLUMNS)), dtype=np.int64)
    for deal in range(first, first + n):
        events = _all_events(games, lowered, seed, deal, rows)
        yield DealLog(cards=_dealt(games, lowered, seed, deal), events=events, row=rows[0].copy())


def _all_events(
    games: np.ndarray, lowered: Lowered, seed: int, deal: int, rows: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    parts: list[npt.NDArray[np.int64]] = []
    n_kept, n_events = 0, 1
    while n_kept < n_events:  # a log that is longer than its place is kept part by part, in as many goes at the deal
        games["state"][0, layout.LOGGING] = 1 + n_kept
        _run(games, lowered, seed, deal, rows)
        n_events = int(games["state"][0, layout.N_LOGGED])
        parts.append(logged_events(games, min(n_events - n_kept, MOST_EVENTS_LOGGED), deal))
        n_kept += len(parts[-1])
    return np.concatenate(parts)


def dealt_cards(lowered: Lowered, seed: int, first: int, n: int) -> npt.NDArray[np.int64]:
    """Return the cards dealt in ``n`` deals, shape ``(n, n_cards)``: bunches player by player, then the centre."""
    games = _game(lowered)
    return np.array([_dealt(games, lowered, seed, deal) for deal in range(first, first + n)], dtype=np.int64)


def _dealt(games: np.ndarray, lowered: Lowered, seed: int, deal: int) -> npt.NDArray[np.int64]:
    from stressim.exchange.kernel.run import run_deal

    call_kernel(run_deal, games, np.uint64(seed), np.int64(deal))
    n_cards = int(lowered.rules["n_cards"][0])
    cards: npt.NDArray[np.int64] = games["cards"][0, layout.DECK : layout.DECK + n_cards].astype(np.int64)
    return cards


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
