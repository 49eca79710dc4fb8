"""Speed: five hidden cards in hand, side piles that give the restart cards and are made of the centre piles again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playing import FAMILY, TIMINGS, column, lowered_of, rows_of
from shedding_logs import Log, accepted, refused

from stressim.rulesfile import load_rules
from stressim.rulesheet import rule_sheet
from stressim.shedding.events import Kind, Outcome, Reason
from stressim.shedding.replay_words import moments

_TINY = {
    "deck": "custom", "deck_ranks": "12", "deck_copies": 1, "row_slots": 2, "ace": "low", "stress_on": "none",
    "restart_source": "side_piles", "side_pile_cards": 1,
}  # fmt: skip


def _locked(**options: Any) -> Log:
    """Nobody can play on the tops 6 and 7; the hands are 2 9 and 4 J, the side piles Q and 5."""
    return Log({**_TINY, **options}, "2 9 3 8 | 6 Q", "4 J A 10 | 7 5").start().wait(3)


def _used_up(**options: Any) -> Log:
    """Nobody can play on the tops 8 and 7, and no side card is left; Q 2 against 4 A, with a J at the bottom."""
    log = Log({**_TINY, **options}, "Q 9 2 3 | 6 8", "4 10 A 5 | J 7").start().wait(2)
    log.play(1, "10", 1).wait(1).draw(1).wait(1).play(0, "9", 1).wait(1).draw(0).wait(3)
    return log.restart(Reason.LOCKED, 0, 1).wait(3)


# the deal


def test_speed__shares_out_20_cards_each_and_12_in_the_middle() -> None:
    log = FAMILY.log_deal(lowered_of("speed"), 3, 5)
    rules = load_rules("speed").options
    assert log.cards.shape == (2, 26)
    assert sorted(log.cards.ravel().tolist()) == sorted(rank + 16 * copy for rank in range(13) for copy in range(4))
    assert rules.cards_each == 20  # type: ignore[attr-defined]
    first = [event for event in log.events.tolist() if event[1] == Kind.FLIP_SIDE][:2]
    assert [event[5] for event in first] == log.cards[:, 20].tolist()


def test_speed__two_jokers_make_draw_piles_of_16() -> None:
    rules = load_rules("speed", ["n_jokers=2"]).options
    assert rules.cards_each - rules.row_slots == 16  # type: ignore[attr-defined]


# restart cards


def test_B27_restart_source__side_piles() -> None:
    verdict = accepted(_locked().restart(Reason.LOCKED, 0, 1))
    assert (verdict.stalls, verdict.one_stock_empty) == (1, 0)
    stock = _locked().add(Kind.RESTART, number=Reason.LOCKED)
    refused(stock.add(Kind.FLIP, 0, 0, card=stock.table.stocks[0][0]), "B27 restart_source")
    refused(_locked().restart(Reason.LOCKED, 0).end(Outcome.DRAWN), "B27 restart_source")


def test_B27_restart_source__a_side_card_that_is_not_on_top_is_refused() -> None:
    log = Log({**_TINY, "row_slots": 1, "side_pile_cards": 2}, "2 9 3 | 6 Q 8", "4 J A | 10 5 7").start().wait(3)
    log.add(Kind.RESTART, number=Reason.LOCKED)
    log.events.append([log.time, Kind.FLIP_SIDE, 0, 0, -1, log.table.sides[0][1], -1])
    log.events.append([log.time, Kind.END, -1, -1, -1, -1, Outcome.UNFINISHED])
    refused(log, "B27 restart_source", event=len(log.events) - 2)


def test_B31_side_pile_reuse__shuffled() -> None:
    log = _used_up()
    sizes = [len(pile) for pile in log.table.piles]
    log.renew(0, reversed(range(sizes[0]))).renew(1, range(sizes[1])).wait(1).restart(Reason.RENEWED, 0, 1)
    verdict = accepted(log)
    assert (verdict.side_piles_renewed, verdict.both_stocks_empty, verdict.stalls) == (1, 0, 2)
    refused(_used_up().renew(0).renew(1), "B31 side_pile_reuse")
    refused(_used_up().renew(1), "B31 side_pile_reuse")
    refused(_locked().renew(0), "B31 side_pile_reuse")


def test_B31_side_pile_reuse__turned_over() -> None:
    rules = {"side_pile_reuse": "turned_over"}
    log = _used_up(**rules).renew(0).renew(1).wait(1).restart(Reason.RENEWED, 0, 1)
    assert [log.rules.ranks[pile[0] % 16] for pile in log.table.piles] == ["6", "J"], "the first card comes up first"
    assert accepted(log).side_piles_renewed == 1
    listed = _used_up(**rules).renew(0, range(2))
    refused(listed, "B31 side_pile_reuse", event=len(listed.events) - 2)


def test_B31_side_pile_reuse__never() -> None:
    rules = {"side_pile_reuse": "never"}
    assert accepted(_used_up(**rules).end(Outcome.DEADLOCKED)).both_stocks_empty == 1
    assert accepted(_used_up(restart_both_empty="draw", **rules).end(Outcome.DRAWN)).drawn == 1
    refused(_used_up(**rules).renew(0), "B31 side_pile_reuse")
    refused(_used_up().end(Outcome.DEADLOCKED), "B31 side_pile_reuse")


def test_U4_side_pile_reuse__drawn_when_nothing_will_ever_fit() -> None:
    def log() -> Log:
        rules = {**_TINY, "row_slots": 1, "side_pile_cards": 0, "refill_policy": "none"}
        return Log(rules, "2 3 4 8 9 | 6", "A 10 J Q 5 | 7").start().wait(3)

    assert accepted(log().end(Outcome.DRAWN)).stalls == 1
    refused(log().end(Outcome.DEADLOCKED), "U4 side_pile_reuse")
    refused(log().renew(0), "U4 side_pile_reuse")


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("reuse", ["shuffled", "turned_over"])
def test_U4_side_pile_reuse__no_deal_goes_on_for_ever(reuse: str, timing: str) -> None:
    sets = [f"side_pile_reuse={reuse}", "deck=custom", "deck_ranks=12", "deck_copies=2", "ace=low", "row_slots=2",
            "side_pile_cards=1"]  # fmt: skip
    rows = rows_of("speed", 4000, sets=sets, timing=timing)
    assert column(rows, "drawn").any()
    assert column(rows, "side_piles_renewed").max() > 3
    assert not column(rows, "unfinished").any()


# hidden hands, several cards in one motion


def test_B7_row_visibility__hidden_cards_cannot_be_blocked() -> None:
    block, anything = (
        rows_of("speed", 500, players=[f"all.card_choice={choice}"], timing="human")
        for choice in ("block_opponent", "random")
    )
    assert np.array_equal(block, anything)


def _run(**options: Any) -> Log:
    """Tops 6 and K; player 1 holds 5 7 8 3, player 2 holds 8 2 J 5."""
    rules = {"ace": "low", "multi_card_play": "run", "stress_on": "none", **options}
    return Log(rules, "5 7 8 3 6 9 J", "8 2 J 5 K 10 A").start().wait(1)


def test_B11_multi_card_play__run() -> None:
    assert accepted(_run().play(0, "7", 0).play_also(0, "8", 0)).moves == 1
    refused(_run(multi_card_play="off").play(0, "7", 0).play_also(0, "8", 0), "B11 multi_card_play")
    refused(_run().play(0, "7", 0).play_also(0, "5", 0), "B18 rank_step")
    refused(_run().play(0, "7", 0).play_also(1, "8", 0), "B11 multi_card_play")
    refused(_run(multi_card_play="same_rank").play(0, "7", 0).play_also(0, "8", 0), "B11 multi_card_play")


def test_B11_multi_card_play__a_run_goes_on_one_pile() -> None:
    log = _run(equal_rank_playable=True).play(0, "7", 0)
    log.add(Kind.PLAY_ALSO, 0, 1, 2, log.table.rows[0][2][-1], 1)
    refused(log, "B11 multi_card_play")


@pytest.mark.parametrize("timing", TIMINGS)
def test_B11_multi_card_play__runs_shorten_the_game(timing: str) -> None:
    one = rows_of("speed", 2000, timing=timing)
    run = rows_of("speed", 2000, sets=["multi_card_play=run", "one_card_at_a_time=false"], timing=timing)
    assert column(run, "moves").mean() < 0.8 * column(one, "moves").mean()


# words


def test_replay__tells_of_side_piles() -> None:
    log = _used_up().renew(0, (1, 0)).renew(1, range(4)).restart(Reason.RENEWED, 0, 1).end()
    told = [moment.sentence for moment in moments(log.rules, log.cards, log.events, ascii_only=True)]
    assert "The deal begins: the cards beside the side piles are turned on the agreed sign." in told
    assert "Player 1 turns 8s of his side pile onto pile 1." in told
    assert "Pile 1 is shuffled and becomes a side pile of 2." in told
    assert "The side piles are full again: new cards on the agreed sign." in told


def test_rule_sheet__of_speed() -> None:
    sheet = " ".join(rule_sheet(load_rules("speed")).split())
    assert "Each player begins with 20 cards." in sheet
    assert "a side pile of 5 cards beside it" in sheet
    assert "Take the top 5 of your cards in one hand" in sheet
    assert "each lays the top card of the side pile on his right" in sheet
