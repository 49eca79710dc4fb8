"""The exchange game without a clock against what is known exactly of its model."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from exchange_checks import NEVER_STALL
from exchange_playing import GREEDY, chi_square, column, off, rows_of

DEALS = 100_000


@pytest.mark.parametrize("n_players", NEVER_STALL)
def test_greedy__share_of_deals_that_lock_for_ever(n_players: int) -> None:
    rows = rows_of(f"james-bond n_players={n_players}", DEALS, players=GREEDY, seed=2)

    assert abs(off(column(rows, "stalled"), 1 - NEVER_STALL[n_players])) < 4
    assert (column(rows, "deadlocked") == column(rows, "stalled")).all()
    assert (column(rows, "stalls") == column(rows, "locks")).all()


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_winner__takes_as_many_cards_as_his_bunches_lack(n_players: int) -> None:
    greedy = rows_of(f"james-bond n_players={n_players}", 20_000, players=GREEDY)
    others = rows_of(f"james-bond n_players={n_players}", 20_000)

    assert (column(greedy, "winner_swapped_cards") == column(greedy, "winner_work")).all()
    assert (column(others, "winner_swapped_cards") >= column(others, "winner_work")).all()
    assert (column(others, "winner_swapped_cards") > column(others, "winner_work")).any()


@pytest.mark.parametrize("n_players", [3, 4, 6])
def test_winner__every_set_of_ranks_is_as_likely(n_players: int) -> None:
    rows = rows_of(f"james-bond n_players={n_players}", 40_000, seed=6)
    sets, counts = np.unique(column(rows, "winner_ranks"), return_counts=True)

    assert len(sets) == comb(13, 12 // n_players)
    assert chi_square(counts) < 4


@pytest.mark.parametrize("rule", ["redeal", "first_complete", "shared"])
def test_A23_done_at_the_deal__is_a_tie(rule: str) -> None:
    """Two ranks of two: one bunch each of two, and nothing in the centre that could tell the players apart."""
    cards = "deck=custom deck_ranks=3 deck_copies=2 bunch_size=2 centre_cards=2"
    rows = rows_of(f"james-bond {cards} win_tie={rule}", 20_000)
    both = (1 / 5) * (1 / 3)  # the first bunch is a pair, and then the second

    if rule == "redeal":
        assert abs(off(column(rows, "redeals") > 0, both)) < 4
        assert column(rows, "drawn").sum() == 0
    else:
        assert abs(off(column(rows, "drawn"), both)) < 4
    assert abs(off(column(rows, "win_1")[column(rows, "won") == 1], 0.5)) < 4


def test_A20_redeal__gives_every_deal_a_winner() -> None:
    rows = rows_of("james-bond deadlock_rule=redeal", 2_000, players=GREEDY)

    assert column(rows, "won").all()
    assert abs(off(column(rows, "redeals") == 0, NEVER_STALL[2])) < 4


def test_A20_most_complete_wins__or_draws() -> None:
    rows = rows_of("james-bond deadlock_rule=most_complete_wins", 5_000, players=GREEDY)

    assert (column(rows, "won") + column(rows, "drawn")).all()
    assert column(rows, "drawn").any()


def test_mixed_players__one_who_gives_way_can_go_round_for_ever() -> None:
    """Cards that the other holds on to may leave too few for the one who gives way; nothing then changes that."""
    rows = rows_of("james-bond", 5_000, players=["1=greedy"])

    assert not column(rows, "unfinished").any()
    assert column(rows, "won").any()
    assert column(rows, "livelocked").any()


def test_A14_forbidden__changes_the_deals() -> None:
    allowed, forbidden = (rows_of(f"james-bond take_back_own={rule}", 2_000) for rule in ("allowed_later", "forbidden"))

    assert abs(column(allowed, "moves").mean() - column(forbidden, "moves").mean()) > 1
