"""What the deal alone decides, from the deals that are played, against exact values."""

from __future__ import annotations

from math import comb

import pytest
from exchange_checks import BUNCHES, CENTRE_HELPS, CENTRE_SHARES, PAIR, PAIRLESS
from exchange_playing import TIMINGS, column, off, rows_of

DEALS = {"uniform": 60_000, "human": 20_000}


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("n_players", BUNCHES)
def test_deal_facts__are_exact(n_players: int, timing: str) -> None:
    rows = rows_of(f"james-bond n_players={n_players}", DEALS[timing], timing=timing, seed=11)

    assert abs(off(column(rows, "paired_bunches"), 12 * PAIR)) < 4
    assert abs(off(column(rows, "pairless_1"), PAIRLESS[n_players])) < 4
    assert abs(off(column(rows, "centre_helps_1"), CENTRE_HELPS)) < 4
    assert abs(off(column(rows, "centre_shares_1"), CENTRE_SHARES)) < 4
    work = column(rows, "winner_work")[column(rows, "won") == 1]
    # The winner's bunches lack fewer cards than another's: 55536/20825 is the mean of any.
    assert work.mean() < BUNCHES[n_players] * 55536 / 20825


def test_dealt_complete__small_deck() -> None:
    """Three ranks of four, two bunches, four open: each bunch is one of the C(12, 4) hands, three of them complete."""
    rows = rows_of("james-bond deck=custom deck_ranks=3", 40_000, seed=3)
    hands = comb(12, 4)
    either = (2 * 3 * comb(8, 4) - 3 * 2) / (hands * comb(8, 4))

    assert abs(off(column(rows, "dealt_complete"), either)) < 4
    # Uniform timing draws again where both are: one is then done at once, or nobody.
    assert column(rows, "redeals").sum() > 0


def test_facts__are_the_same_for_both_timings() -> None:
    facts = ["dealt_complete", "paired_bunches", "pairless_1", "centre_helps_1", "centre_shares_1"]
    here, there = (rows_of("james-bond", 300, timing=timing, seed=4) for timing in TIMINGS)

    assert all((column(here, fact) == column(there, fact)).all() for fact in facts)
