"""Rows of made-up shedding deals, so that counting and telling can be tested without playing."""

from __future__ import annotations

import numpy as np

from stressim.family import family_named
from stressim.lowering import Lowered, TimingMode
from stressim.players.resolve import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import Result
from stressim.tally import Tally

SHEDDING = family_named("shedding")
NAMES = [column.name for column in SHEDDING.columns]


def made_up_rows(n: int, seed: int = 1, first: int = 0, *, won: float = 0.74, clock: bool = True) -> np.ndarray:
    """Return plausible rows of the deals from ``first`` on; a row depends on seed and number alone."""
    draws = np.random.default_rng(seed).random((first + n, 8))[first:].T
    moves = 30 + (-20 * np.log(draws[0] * 0.98 + 0.02)).astype(np.int64)
    stalls = np.floor(-6 * np.log1p(-draws[1] * 0.99)).astype(np.int64)
    is_won = draws[2] < won
    first_wins = draws[3] < 0.5
    values = {
        "won": is_won,
        "deadlocked": ~is_won,
        "win_1": is_won & first_wins,
        "win_2": is_won & ~first_wins,
        "moves": moves,
        "stalls": stalls,
        "stalled": stalls > 0,
        "stalled_at_start": (stalls > 0) & (draws[4] < 0.05),
        "looks": moves,
        "choices": (moves * 0.4).astype(np.int64),
        "stresses": (draws[5] * 4).astype(np.int64),
        "stress_ties": (draws[5] > 0.9).astype(np.int64),
        "loser_cards": np.where(is_won, 5 + (draws[6] * 30).astype(np.int64), 0),
        "losers": is_won,
        "picked_up": (draws[5] * 4).astype(np.int64) * 16,
        "both_stocks_empty": ~is_won,
        "dead_ppm": np.where(is_won, (draws[7] * 1_000_000).astype(np.int64), 0),
    }
    if clock:
        values["length_us"] = moves * 1_700_000 + stalls * 3_000_000
        values["stalled_us"] = stalls * 3_000_000
        values["first_stall_us"] = np.where(stalls > 0, 20_000_000, 0)
    rows = np.zeros((n, len(NAMES)), np.int64)
    for name, numbers in values.items():
        rows[:, NAMES.index(name)] = numbers
    return rows


def play_made_up_deals(lowered: Lowered, seed: int, first: int, rows: np.ndarray) -> None:
    """Stand in for a kernel."""
    rows[:] = made_up_rows(len(rows), seed, first, clock=not lowered.uniform)


def made_up_result(
    n: int = 2000,
    *,
    sets: tuple[str, ...] = (),
    players: tuple[str, ...] = (),
    timing: str = "human",
    rows: np.ndarray | None = None,
    rules: str = "swedish",
    confidence: float = 0.95,
) -> Result:
    """Return the result of made-up deals of a preset."""
    loaded = load_rules(rules, sets=sets)
    counted = made_up_rows(n, clock=timing == "human") if rows is None else rows
    return Result(
        rules=loaded,
        players=resolve_players(players, 2, loaded.family.habits),
        timing=TimingMode.parse(timing),
        seed=1,
        tally=Tally.of_rows(SHEDDING, counted),
        confidence=confidence,
    )
