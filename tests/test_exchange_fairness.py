"""Nothing that decides an exchange deal hangs on a player's number, and nearness counts as the times say."""

from __future__ import annotations

import numpy as np
import pytest
from exchange_playing import FAMILY, TIMINGS, chi_square, column, lowered_of, off, rows_of

from stressim.exchange.events import Field, Kind

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


FAR_CM = 14.0
WAITING = 2_000_000  # us without a row of his: a player whose looks take less than that is waiting


def contests(deal: int) -> list[bool]:
    """Of the races of two waiting players for a card that a third one lays, say whether the first player won each."""
    # The first two never give way and look for a fixed time; the third feeds them.
    waiting = "switch_weight=0 churn_weight=0 stay_with_bunch=1 notice_base=fixed(300) scan_per_card=0 p_false_call=0"
    players = [f"{seat}.{habit}" for seat in (1, 2) for habit in waiting.split()]
    players += [f"2.seat_distance_cm={FAR_CM}", "3.patience=fixed(300)", "3.switch_weight=1"]
    rules = "james-bond n_players=3 deck=custom deck_ranks=5 deck_copies=8 swap_order=take_first tie_window_ms=0"
    log = FAMILY.log_deal(lowered_of(rules, players, "human"), 7, deal)
    found = []
    last = [0, 0, 0]  # when each player did something last
    laid: dict[int, int] = {}  # cards that player 3 laid while the others waited
    for event in log.events[:400]:
        time, kind, player, card = (int(event[field]) for field in (Field.TIME, Field.KIND, Field.PLAYER, Field.CARD))
        if kind == Kind.PUT_DOWN and player == 2:
            laid = {card: time} if min(time - last[0], time - last[1]) > WAITING else {}
        elif kind == Kind.MISS and card in laid and player < 2:
            found.append(player == 1)
        if kind in (Kind.PICK_UP, Kind.TAKE, Kind.MISS, Kind.PUT_DOWN, Kind.COMPLETE):
            last[player] = time
    return found


def test_A29_nearer_player__gets_the_card_as_often_as_the_times_say() -> None:
    found = np.array([won for deal in range(1000) for won in contests(deal)])
    # Two lognormal times of mean 250 and deviation 50 ms, the second from 98 ms further away.
    rng = np.random.default_rng(1)
    variance = np.log(1 + (50 / 250) ** 2)
    times = rng.lognormal(np.log(250) - variance / 2, np.sqrt(variance), (2, 2_000_000))
    expected = float((times[0] < times[1] + FAR_CM * 7).mean())

    assert len(found) > 150
    assert abs(off(found, expected)) < 4
