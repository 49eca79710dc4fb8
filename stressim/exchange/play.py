"""From Python to the exchange kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from stressim.compiled.deals import (
    MOST_EVENTS_LOGGED,
    DealLog,
    are_usual,
    kept_game,
    logged_events,
    make_game,
    run_deals,
)
from stressim.compiled.native import call_kernel
from stressim.exchange.choices import ContestedCard, DeadlockRule, FalseCallPenalty, Ranking, SwapOrder, TakeBackOwn
from stressim.exchange.columns import COLUMNS
from stressim.exchange.events import N_FIELDS
from stressim.exchange.kernel import layout
from stressim.exchange.limits import MAX_PLAYERS
from stressim.exchange.rules import ExchangeRules
from stressim.lowering import Lowered, lowered_numbers

BEHAVIOUR = 5
"""Version of what a seed means; a change that alters any deal raises it."""


USUAL = {
    "n_players": 2,
    "team_size": 1,
    "n_jokers": 0,
    "cards_removed": 0,
    "centre_cards": 4,
    "bunch_size": 4,
    "handicap_bunches": 0,
    "swap_order": SwapOrder.PUT_DOWN_FIRST,
    "swap_max_cards": 1,
    "grab_equal_only": 0,
    "take_back_own": TakeBackOwn.ALLOWED_LATER,
    "contested_card": ContestedCard.FIRST_TOUCH,
    "deadlock_rule": DeadlockRule.NONE,
    "ranking": Ranking.NONE,
    "false_call_penalty": FalseCallPenalty.TIME_LOSS,
    "n_ranks": 13,
    "n_copies_total": 4,
    "n_cards": 52,
    "n_bunches": 12,
    "bunches_each": 6,
    "n_sides": 2,
    "plain_swaps": 1,
}
"""Rules of ``james-bond`` that a kernel of their own knows alone: it is smaller, sooner compiled and runs faster.

The other rules cost nothing where they do not come up, and most of them are remedies, which are often changed.
"""


_ROWS = (
    "notice_base",
    "patience",
    "hazard",
    "put_down_card",
    "take_card_touch",
    "take_card_return",
    "put_back_bunch",
    "pickup_bunch",
    "lay_complete_bunch",
    "call",
)
"""Fields of players that name a row of their tables. Everybody's rows lie in the same order, so these are constant."""


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
    _run(kept_game(_game, lowered), lowered, seed, first, rows)


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
    call_kernel(_kernels(lowered), "run_deal", games, np.uint64(seed), np.int64(deal))
    n_cards = int(lowered.rules["n_cards"][0])
    cards: npt.NDArray[np.int64] = games["cards"][0, layout.DECK : layout.DECK + n_cards].astype(np.int64)
    return cards


def kernels_of(rules: ExchangeRules) -> str:
    """Name of the module with the compiled entry points that play these rules."""
    return _kernels_for(lowered_numbers(rules))


def _kernels_for(numbers: Mapping[str, int] | np.void) -> str:
    return "stressim.exchange.kernel.run_pair" if are_usual(numbers, USUAL) else "stressim.exchange.kernel.run"


def _kernels(lowered: Lowered) -> str:
    return _kernels_for(lowered.rules[0])


def _game(lowered: Lowered) -> np.ndarray:
    parts = [
        ("state", np.int64, (layout.STATE_SIZE,)),
        ("counts", np.uint64, (layout.N_COUNTS,)),
        ("laid", np.uint64, (layout.LAID_WORDS * (layout.PLACES + 1),)),
        ("streams", np.uint64, (layout.N_STREAMS,)),
        ("cards", np.uint8, (layout.CARDS_SIZE,)),
        ("positions", np.uint64, (layout.N_POSITIONS,)),
    ]
    return make_game(
        lowered,
        parts,
        most_players=MAX_PLAYERS,
        n_columns=len(COLUMNS),
        n_fields=N_FIELDS,
        frozen=USUAL | {f"players.{name}": int(lowered.players[name][0]) for name in _ROWS},
    )


def _run(games: np.ndarray, lowered: Lowered, seed: int, first: int, rows: npt.NDArray[np.int64]) -> None:
    run_deals(_kernels(lowered), games, lowered, seed, first, rows)
