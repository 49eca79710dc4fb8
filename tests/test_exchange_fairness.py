"""Nothing that decides an exchange deal hangs on a player's number, and nearness counts as the times say."""

from __future__ import annotations

import numpy as np
import pytest
from checks import failing
from exchange_checks import nearer_player
from exchange_playing import TIMINGS, chi_square, column, rows_of

DEALS = {"uniform": 20_000, "human": 6_000}
TABLES = (
    "james-bond",
    "james-bond n_players=3",
    "james-bond n_players=4",
    "james-bond n_players=6",
    "james-bond n_players=12",
    "james-bond n_decks=2 n_players=5",
    "james-bond n_players=4 swap_order=take_first contested_card=random take_back_own=forbidden",
    "james-bond-multi n_players=4 contested_card=first_in_hand tie_window_ms=300",
    "james-bond-deadline n_players=4 swap_deadline_s=2",
    "james-bond n_players=4 swap_order=simultaneous tie_window_ms=300 false_call_penalty=forfeit",
)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("rules", TABLES)
def test_fairness__equal_players_win_alike(rules: str, timing: str) -> None:
    rows = rows_of(rules, DEALS[timing], timing=timing, seed=12)
    n_players = int(column(rows, "losers").max()) + 1
    wins = np.array([column(rows, f"win_{seat}").sum() for seat in range(1, n_players + 1)])

    assert wins.sum() > len(rows) / 2
    assert chi_square(wins) < 4


def test_fairness__without_chance_in_times_nobody_is_favoured() -> None:
    """All times fixed: hands touch, bunches fall and calls come at the same moments, and chance must decide."""
    fixed = [
        f"all.{name}=fixed({ms})"
        for name, ms in {
            "notice_base": 300, "pickup_bunch": 1000, "put_back_bunch": 600, "lay_complete_bunch": 600,
            "put_down_card": 400, "take_card_touch": 250, "take_card_return": 350, "patience": 2000, "call": 400,
        }.items()
    ]  # fmt: skip
    rows = rows_of("james-bond n_players=4 tie_window_ms=0", 5_000, players=fixed, timing="human", seed=3)

    assert column(rows, "contested_lost").mean() > 0.2
    assert chi_square(np.array([column(rows, f"win_{seat}").sum() for seat in range(1, 5)])) < 4


def test_quicker_player__wins_more() -> None:
    """Without this the seats could be alike because players made no difference."""
    rows = rows_of("james-bond", 2_000, players=["1.speed=1.5"], timing="human")

    assert column(rows, "win_1").mean() > 0.55


def test_A29_nearer_player__gets_the_card_as_often_as_the_times_say() -> None:
    assert failing([nearer_player(1000)]) == []
