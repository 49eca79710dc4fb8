"""House rules that tables elsewhere play by, each judged from a log written by hand."""

from __future__ import annotations

from typing import Any

import pytest
from playing import TIMINGS, column, exactly, mean, rows_of
from shedding_logs import Log, accepted, refused

from stressim.shedding.events import Kind, Reason
from stressim.shedding.replay_words import moments


def _locked(**options: Any) -> Log:
    """Nobody can play on the tops 6 and K; player 1 holds 2 2 3 3, player 2 holds 9 9 10 10."""
    rules = {"ace": "low", "restart_source": "own_row", **options}
    return Log(rules, "2 2 3 3 6 Q J", "9 9 10 10 K 8 7").start().wait(3).add(Kind.RESTART, number=Reason.LOCKED)


def _quiet(**options: Any) -> Log:
    """Tops 6 and K; player 1 holds 5 7 Q 3, then 9 J; player 2 holds 8 2 J 5, then 10 A."""
    return Log({"ace": "low", **options}, "5 7 Q 3 6 9 J", "8 2 J 5 K 10 A").start()


# restart cards from the row


def test_B27_restart_source__own_row() -> None:
    verdict = accepted(_locked().flip_from_row(0, "3").flip_from_row(1, "9").wait(1).draw(0, 1))
    assert (verdict.stalls, verdict.one_stock_empty) == (1, 0)
    refused(_locked().flip(0), "B27 restart_source")
    refused(_locked().flip_from_row(0, "3").draw(0), "B27 restart_source")


def test_B27_restart_source__own_row_may_be_crossed() -> None:
    crossed = _locked(restart_target="any_pile")
    crossed.add(Kind.FLIP_FROM_ROW, 0, 1, 0, crossed.table.rows[0][0][-1])
    crossed.add(Kind.FLIP_FROM_ROW, 1, 0, 0, crossed.table.rows[1][0][-1])
    accepted(crossed)


@pytest.mark.parametrize("timing", TIMINGS)
def test_B27_restart_source__own_row_never_deadlocks(timing: str) -> None:
    rows = rows_of("swedish", 2000, sets=["restart_source=own_row"], timing=timing)
    assert column(rows, "stalls").sum() > 2000
    assert not column(rows, "deadlocked").any()
    assert not column(rows, "both_stocks_empty").any()


# one card for a false call


def test_B42_false_call_penalty__one_card() -> None:
    rules = {"false_call_penalty": "one_card"}
    verdict = accepted(_quiet(**rules).wait(1).slap(0).penalty(0).wait(1).play(0, "7", 0))
    assert (verdict.false_calls, verdict.moves) == (1, 1)
    refused(_quiet(**rules).wait(1).slap(0).wait(1).play(0, "7", 0), "B42 false_call_penalty")
    refused(_quiet(**rules).wait(1).slap(0).penalty(1), "B42 false_call_penalty")
    refused(_quiet(**rules).wait(1).slap(0).penalty(0).take(0, 0), "B36 stress_pickup")


def test_B42_false_call_penalty__one_card_hurts() -> None:
    rows = rows_of(
        "swedish", 4000, sets=["false_call_penalty=one_card"], players=["1.p_false_slap=0.05"], timing="human"
    )
    free = rows_of("swedish", 4000, players=["1.p_false_slap=0.05"], timing="human")
    assert mean(column(rows, "win_1") - column(free, "win_1")).z(exactly(0)) < -4


# both hands


def test_B34_slap_target__both_hands() -> None:
    rules = {"slap_target": "both_hands"}
    log = Log({"ace": "low", **rules}, "5 8 Q 3 9 7 J", "8 2 J 10 9 4 A").start().wait(0.5).slap(0, -1)
    log.wait(0.2).slap(1, -1).take(1, 1, 0)
    assert accepted(log).stresses == 1
    refused(Log({"ace": "low", **rules}, "5 8 Q 3 9", "8 2 J 10 9").start().wait(0.5).slap(0, 0), "B34 slap_target")


def test_B34_slap_target__both_hands_are_later_than_one() -> None:
    one = rows_of("swedish", 4000, players=["1.slap_pile=right"], timing="human")
    both = rows_of("swedish", 4000, sets=["slap_target=both_hands"], timing="human")
    assert column(both, "stress_missed").mean() > column(one, "stress_missed").mean()


def test_replay__tells_of_both_hands_and_of_a_handicap() -> None:
    log = Log({"slap_target": "both_hands", "handicap_cards": 1}, "5 8 Q 3 9", "2 2 J 10 9 4")
    log.add(Kind.HANDICAP, 0, card=log.table.stocks[1][0])
    log.start().wait(0.5).slap(0, -1).end()
    told = [moment.sentence for moment in moments(log.rules, log.cards, log.events)]
    assert "Player 1 gets a card of player 2's stock as his handicap." in told
    assert "Player 1 shouts stress and slaps both piles, a hand on each." in told


# the handicap


def _handicap(n: int, *receivers: int) -> Log:
    log = Log({"ace": "low", "handicap_cards": n}, "5 7 Q 3 6 9 J", "8 2 J 5 K 10 A")
    for receiver in receivers:
        log.add(Kind.HANDICAP, receiver, card=log.table.stocks[1 - receiver][0])
    return log


def test_B2_handicap__cards_change_hands_before_the_rows() -> None:
    log = _handicap(2, 0, 0).start()
    accepted(log)
    assert [log.table.remaining(player) for player in (0, 1)] == [27, 23]
    accepted(_handicap(-1, 1).start())
    refused(_handicap(2, 0).start(), "B2 handicap_cards", event=1)
    refused(_handicap(1, 1).start(), "B2 handicap_cards", event=0)
    refused(_handicap(1, 0, 0).start(), "B7 row_slots", event=1)


@pytest.mark.parametrize("timing", TIMINGS)
def test_B2_handicap__costs_wins_and_is_the_same_from_either_seat(timing: str) -> None:
    first = rows_of("german", 8000, sets=["handicap_cards=8"], timing=timing)
    second = rows_of("german", 8000, sets=["handicap_cards=-8"], timing=timing, seed=2)
    for name in ("win_1", "win_2"):
        mirrored = "win_2" if name == "win_1" else "win_1"
        assert abs(mean(column(first, name)).z(mean(column(second, mirrored)))) < 4
    assert mean(column(first, "win_2") - column(first, "win_1")).estimate > 0.1
