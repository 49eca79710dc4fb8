"""Rows of made-up exchange deals, so that counting and telling can be tested without playing."""

from __future__ import annotations

import numpy as np

from stressim.family import family_named
from stressim.lowering import TimingMode
from stressim.players.resolve import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import Result
from stressim.tally import Tally

EXCHANGE = family_named("exchange")
NAMES = [column.name for column in EXCHANGE.columns]


def made_up_result(
    n: int = 2000,
    *,
    locked: float = 0.94,
    dead: float = 0.3,
    endless: float = 0,
    endings: str = "deadlocked",
    shares: tuple[float, ...] = (),
    sets: tuple[str, ...] = (),
    n_players: int = 2,
    players: tuple[str, ...] = (),
    timing: str = "human",
    rules: str = "james-bond",
) -> Result:
    """Return the result of made-up deals.

    Parameters
    ----------
    n
        How many.
    locked, dead
        Share of deals that lock, and that nobody wins.
    endings
        How those end.
    endless
        Share of deals that go round for ever beside those.
    shares
        Each player's share of the other deals; equal ones if not given.
    sets, n_players, players, timing, rules
        As on the command line.
    """
    loaded = load_rules(rules, sets, n_players)
    deal = np.arange(n)
    spread = np.random.default_rng(1).permutation(n)
    rows = np.zeros((n, len(NAMES)), np.int64)
    n_dead, n_endless = round(dead * n), round(endless * n)
    is_dead, is_endless = deal < n_dead, (n_dead <= deal) & (deal < n_dead + n_endless)
    is_won = ~(is_dead | is_endless)
    limits = np.cumsum(shares or (1 / n_players,) * n_players)
    rank_among_won = (deal - n_dead - n_endless) / max(1, n - n_dead - n_endless)
    winner = np.searchsorted(limits[:-1], rank_among_won, side="right")
    values = {
        "won": is_won,
        "livelocked": is_endless,
        endings: is_dead,
        "moves": 60 + spread % 100,
        "locks": 3 * (deal < round(locked * n)),
        "locked": deal < round(locked * n),
        "stalls": 5 * (deal < round(locked * n)),
        "stalled": deal < round(locked * n),
        "swaps": 16 + spread % 20,
        "loser_bunches": np.where(is_won, 2 * (n_players - 1), 0),
        "losers": np.where(is_won, n_players - 1, 0),
    }
    if timing == "human":
        values |= {"length_us": (90 + spread % 100) * 1_000_000, "stalled_us": 20_000_000 * values["stalled"]}
    for seat in range(n_players):
        values[f"win_{seat + 1}"] = is_won & (winner == seat)
    for name, numbers in values.items():
        rows[:, NAMES.index(name)] = numbers
    return Result(
        rules=loaded,
        players=resolve_players(players, n_players, EXCHANGE.habits),
        timing=TimingMode.parse(timing),
        seed=1,
        tally=Tally.of_rows(EXCHANGE, rows),
    )
