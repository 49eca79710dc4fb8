"""From Python to the shedding kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from stressim.compiled.deals import DealLog, are_usual, kept_game, logged_events, make_game, run_deals
from stressim.compiled.native import call_kernel
from stressim.lowering import Lowered, lowered_numbers
from stressim.shedding.choices import (
    CardInAir,
    MergeEqualRanks,
    MultiCardPlay,
    PilePlay,
    PileView,
    PlayOnEqualTops,
    RestartConsent,
    RestartSource,
    RoundEnd,
    RowPiles,
    StressOn,
    WinCall,
)
from stressim.shedding.columns import COLUMNS
from stressim.shedding.events import N_FIELDS
from stressim.shedding.kernel import layout
from stressim.shedding.rules import SheddingRules

BEHAVIOUR = 2
"""Version of what a seed means; a change that alters any deal raises it."""

USUAL = {
    "n_jokers": 0,
    "handicap_cards": 0,
    "row_slots": 4,
    "row_piles": RowPiles.SINGLE,
    "row_work": 0,
    "merge_equal_ranks": MergeEqualRanks.OFF,
    "pile_play": PilePlay.SINGLE,
    "multi_card_play": MultiCardPlay.OFF,
    "restart_consent": RestartConsent.MUTUAL,
    "restart_source": RestartSource.STOCK,
    "stress_on": StressOn.TOPS_EQUAL,
    "play_on_equal_tops": PlayOnEqualTops.CANCELS,
    "card_in_air_at_slap": CardInAir.GOES_BACK,
    "stress_stop": 0,
    "pile_view": PileView.PER_PLAYER,
    "round_end": RoundEnd.NONE,
    "win_check_before_stress": 1,
    "win_call": WinCall.NONE,
}
"""Rules that most texts share.

A kernel for them alone, and for two players with two piles, is smaller: it is sooner compiled and runs faster.
"""


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
    """Play one deal and keep its log; the same deal, to the last column, as :func:`play_deals` plays.

    Raises
    ------
    OverflowError
        If the deal has more events than a log holds, which only endless deals have.
    """
    return next(log_deals(lowered, seed, deal, 1))


def log_deals(lowered: Lowered, seed: int, first: int, n: int) -> Iterator[DealLog]:
    """Play deals ``first … first + n - 1`` and keep the log of each; arguments as of :func:`log_deal`."""
    games = _game(lowered)
    games["state"][0, layout.LOGGING] = 1
    rows = np.zeros((1, len(COLUMNS)), dtype=np.int64)
    for deal in range(first, first + n):
        _run(games, lowered, seed, deal, rows)
        events = logged_events(games, int(games["state"][0, layout.N_LOGGED]), deal)
        yield DealLog(cards=_dealt(games, lowered, seed, deal), events=events, row=rows[0].copy())


def dealt_cards(lowered: Lowered, seed: int, first: int, n: int) -> npt.NDArray[np.int64]:
    """Return the cards dealt in ``n`` deals, shape ``(n, n_players, cards_dealt)``.

    Of each player: his stock from its top, then his side pile.
    """
    games = _game(lowered)
    return np.array([_dealt(games, lowered, seed, deal) for deal in range(first, first + n)], dtype=np.int64)


def _dealt(games: np.ndarray, lowered: Lowered, seed: int, deal: int) -> npt.NDArray[np.int64]:
    call_kernel(_kernels(lowered), "run_deal", games, np.uint64(seed), np.int64(deal))
    cards_each, cards_dealt = (int(lowered.rules[name][0]) for name in ("cards_each", "cards_dealt"))
    dealt = []
    for player in range(len(lowered.players)):
        stock, side = layout.stock_place(player), layout.side_place(player)
        of_side = games["cards"][0, side : side + cards_dealt - cards_each][::-1]
        dealt.append(np.concatenate([games["cards"][0, stock : stock + cards_each], of_side]))
    return np.array(dealt, dtype=np.int64)


def kernels_of(rules: SheddingRules) -> str:
    """Name of the module with the compiled entry points that play these rules."""
    return _kernels_for(lowered_numbers(rules))


def _kernels_for(numbers: Mapping[str, int] | np.void) -> str:
    if not _is_pair(numbers):
        return "stressim.shedding.kernel.run_many"
    return "stressim.shedding.kernel.run_usual" if are_usual(numbers, USUAL) else "stressim.shedding.kernel.run"


def _is_pair(numbers: Mapping[str, int] | np.void) -> bool:
    return bool(numbers["n_players"] == numbers["n_piles"] == layout.PAIR)


def _kernels(lowered: Lowered) -> str:
    return _kernels_for(lowered.rules[0])


def _game(lowered: Lowered) -> np.ndarray:
    pair = _is_pair(lowered.rules[0])
    most_players = layout.PAIR if pair else layout.MANY_PLAYERS
    n_seats = layout.PAIR if pair else layout.MANY_SEATS
    parts = [
        ("state", np.int64, (layout.state_size(n_seats),)),
        ("lanes", np.uint64, (layout.LANES * most_players,)),
        ("streams", np.uint64, (2 * (most_players + 1),)),
        ("cards", np.uint8, (layout.cards_size(n_seats),)),
    ]
    return make_game(
        lowered,
        parts,
        most_players=most_players,
        n_columns=len(COLUMNS),
        n_fields=N_FIELDS,
        frozen=USUAL if pair else None,
    )


def _run(games: np.ndarray, lowered: Lowered, seed: int, first: int, rows: npt.NDArray[np.int64]) -> None:
    run_deals(_kernels(lowered), games, lowered, seed, first, rows)
