"""Spit: piles of which the top shows, cards moved to empty places, and rounds that end with a slap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from card_tracker import replayed
from playing import FAMILY, TIMINGS, column, lowered_of, mean, rows_of
from shedding_logs import Log, accepted, refused

from stressim.errors import InputError
from stressim.rulesfile import load_rules
from stressim.rulesheet import rule_sheet
from stressim.shedding.events import Kind, Reason
from stressim.shedding.replay_words import moments
from stressim.shedding.rules import SheddingRules

_SPIT = {
    "deck": "custom", "deck_ranks": "14", "deck_copies": 1, "row_slots": 2, "row_piles": "growing", "ace": "low",
    "stress_on": "none", "refill_policy": "none", "move_to_empty": True, "round_end": "slap_smaller_pile",
}  # fmt: skip


def _piles(**options: Any) -> Log:
    """Tops 4 and 11; player 1 has 5 on nothing and 9 on 6, player 2 has 1 on nothing and 13 on 2."""
    return Log({**_SPIT, **options}, "5 6 9 4 8", "1 2 13 11 3").start().wait(1)


def _emptied(**options: Any) -> Log:
    """Player 1 has emptied his row onto pile 1, which has four cards; pile 2 has one, and both have a stock."""
    log = Log({**_SPIT, **options}, "5 7 6 4 8", "1 2 13 11 3").start().wait(1)
    return log.play(0, "5", 0).wait(1).play(0, "6", 0).wait(1).turn(0, 1).wait(1).play(0, "7", 0)


def _next_round(log: Log, *order: int) -> Log:
    """Both take up their rows, player by player, shuffle, lay out and flip."""
    for player in (0, 1):
        log.gather(player)
        if log.table.stocks[player]:
            log.shuffled(player)
        log.lay_out(player)
    return log.wait(9).restart(Reason.ROUND, *(order or (0, 1)))


# the layout


def test_B7_row_piles__one_to_five_cards_and_eleven_to_spit() -> None:
    log = FAMILY.log_deal(lowered_of("spit"), 3, 5)
    first = log.events[log.events[:, 1] == Kind.DRAW][:15]
    assert np.bincount(first[:, 4]).tolist() == [1, 2, 3, 4, 5]
    assert first[:, 2].tolist() == [0] * 15
    assert log.events[15:20, 1].tolist() == [Kind.TURN] * 5
    assert load_rules("spit").options.cards_each - 15 == 11  # type: ignore[attr-defined]


def test_B7_row_piles__cards_are_laid_out_in_layers_and_turned_up() -> None:
    accepted(_piles())
    rules = _piles().rules
    wrong = Log(rules, "5 6 9 4 8", "1 2 13 11 3")
    wrong.add(Kind.DRAW, 0, slot=0, card=wrong.table.stocks[0][0])
    refused(wrong.add(Kind.DRAW, 0, slot=0, card=wrong.table.stocks[0][0]), "B7 row_piles")
    early = Log(rules, "5 6 9 4 8", "1 2 13 11 3")
    for slot in (0, 1, 1):
        early.add(Kind.DRAW, 0, slot=slot, card=early.table.stocks[0][0])
    early.turn(0, 0)
    refused(early.add(Kind.DRAW, 1, slot=0, card=early.table.stocks[1][0]), "B7 row_piles")


# turning up and moving


def test_B7_row_piles__what_lies_under_a_top_is_turned_up_before_it_is_laid() -> None:
    def log() -> Log:
        return Log(_SPIT, "9 7 5 4 8", "1 2 13 11 3").start().wait(1).play(0, "5", 0).wait(1)

    hidden = log().play(0, "7", 0)
    refused(hidden, "B7 row_slots")
    assert accepted(log().turn(0, 1)).moves == 1
    twice = log().turn(0, 1).turn(0, 1)
    refused(twice, "B7 row_piles")


def test_B7_move_to_empty() -> None:
    log = _piles().play(0, "5", 0).wait(1).move(0, 1, 0).wait(1).turn(0, 1)
    accepted(log)
    assert [[log.rules.ranks[card % 16] for card in slot] for slot in log.table.rows[0]] == [["9"], ["6"]]
    refused(_piles(move_to_empty=False).play(0, "5", 0).wait(1).move(0, 1, 0), "B7 move_to_empty")
    refused(_piles().move(0, 1, 0), "B7 move_to_empty")


def test_B27_restart__not_while_a_card_can_be_moved_or_turned() -> None:
    log = _piles().play(0, "5", 0).wait(3)
    refused(log.restart(Reason.LOCKED, 0, 1), "B27 restart", event=len(log.events) - 3)


# equal tops put on each other


def _equal_tops(**options: Any) -> Log:
    """Tops 4 and 10; player 1 shows 5, and 9 on 6, and 5 on 8 and 7."""
    changed = {**_SPIT, "deck_copies": 2, "row_slots": 3, "merge_equal_ranks": "always", **options}
    return Log(changed, "5 6 7 9 8 5 4", "1 2 2 13 3 1 10").start().wait(1)


def _row(log: Log) -> list[list[str]]:
    return [[log.rules.ranks[card % 16] for card in slot] for slot in log.table.rows[0]]


def test_B8_merge_equal_ranks__a_top_on_an_equal_top_uncovers_the_card_beneath() -> None:
    log = _equal_tops().merge(0, 2, 0).wait(1).turn(0, 2)
    accepted(log)
    assert _row(log) == [["5", "5"], ["6", "9"], ["7", "8"]]
    assert [log.table.face_up(0, slot) for slot in range(3)] == [2, 1, 1]


def test_B8_merge_equal_ranks__a_top_on_an_equal_top_frees_a_place() -> None:
    log = _equal_tops().merge(0, 0, 2).wait(1).move(0, 1, 0).wait(1).turn(0, 1)
    accepted(log)
    assert _row(log) == [["9"], ["6"], ["7", "8", "5", "5"]]


def test_B8_merge_equal_ranks__tops_put_together_are_laid_one_by_one() -> None:
    def log() -> Log:
        return _equal_tops(equal_rank_playable=True).merge(0, 0, 2).wait(1)

    assert accepted(log().play(0, "5", 0).wait(1).play(0, "5", 0).wait(1).turn(0, 2)).moves == 2
    refused(log().play(0, "5", 0, number=2), "B10 pile_play")
    refused(log().play(0, "5", 0).wait(1).turn(0, 2), "B7 row_piles")


def test_B8_merge_equal_ranks__tops_put_together_move_together() -> None:
    log = _equal_tops().merge(0, 0, 2).wait(1).move(0, 2, 0).wait(1).turn(0, 2)
    accepted(log)
    assert _row(log) == [["5", "5"], ["6", "9"], ["7", "8"]]
    # With nothing under them a move would uncover nothing.
    bare = Log({**_SPIT, "deck_copies": 2, "merge_equal_ranks": "always"}, "5 6 5 7", "1 2 13 10").start().wait(1)
    bare.merge(0, 1, 0).wait(1).turn(0, 1).wait(1).play(0, "6", 0)
    accepted(bare)
    assert _row(bare) == [["5", "5"], []]
    assert not bare.table.can_move(0)


def test_B8_merge_equal_ranks__of_piles_only_equal_tops_that_lie_face_up() -> None:
    refused(_equal_tops().merge(0, 1, 0), "B8 merge_equal_ranks")
    refused(_equal_tops(merge_equal_ranks="off").merge(0, 2, 0), "B8 merge_equal_ranks")
    rules = _equal_tops().rules
    hidden = Log(rules, "5 6 7 9 5 3 4", "1 2 2 13 3 1 10").start().wait(1).play(0, "3", 0).wait(1)
    refused(hidden.merge(0, 0, 2), "B7 row_piles")


def test_B27_restart__not_while_equal_tops_can_be_put_together() -> None:
    options = {**_SPIT, "deck_copies": 2}
    together = Log({**options, "merge_equal_ranks": "always"}, "9 7 9 4 8", "1 2 13 11 3").start().wait(3)
    n_before = len(together.events)
    refused(together.restart(Reason.LOCKED, 0, 1), "B27 restart", event=n_before)
    accepted(Log(options, "9 7 9 4 8", "1 2 13 11 3").start().wait(3).restart(Reason.LOCKED, 0, 1))


def test_B9_merge_mandatory__of_equal_tops() -> None:
    options = {**_SPIT, "deck_copies": 2, "row_slots": 3, "merge_equal_ranks": "always", "merge_mandatory": True}

    def log() -> Log:
        return Log(options, "5 6 7 9 8 9 4", "1 2 2 13 3 1 10").start().wait(1).play(0, "5", 0).wait(1)

    refused(log().play(0, "9", 1), "B9 merge_mandatory")
    accepted(log().merge(0, 2, 1).wait(1).turn(0, 2).wait(1).play(0, "9", 1))


@pytest.mark.parametrize("timing", TIMINGS)
def test_B8_merge_equal_ranks__more_cards_go_between_stalls_of_spit(timing: str) -> None:
    off, on = (rows_of("spit", 1500, sets=sets, timing=timing) for sets in ([], ["merge_equal_ranks=always"]))
    assert column(on, "won").all()
    assert (
        column(on, "moves").sum() / column(on, "stalls").sum()
        > column(off, "moves").sum() / column(off, "stalls").sum()
    )


def test_merge_equal_ranks__of_piles_not_at_the_deal() -> None:
    with pytest.raises(InputError, match="row_piles=growing does not go with merge_equal_ranks=at_deal"):
        load_rules("spit", sets=["merge_equal_ranks=at_deal"])


def test_merge_equal_ranks__a_pile_of_the_most_cards_that_there_can_be() -> None:
    """Eight places, sixteen cards of each of six ranks: slots hold more cards than any merged row could."""
    sets = ["row_slots=8", "deck=custom", "deck_ranks=6", "deck_copies=8", "deal_mode=own_deck_each"]
    loaded = load_rules("spit", sets=[*sets, "merge_equal_ranks=always", "equal_rank_playable=false"])
    rules = loaded.options
    assert isinstance(rules, SheddingRules)
    assert rules.n_copies_total == 16
    lowered = lowered_of("spit", sets=[*sets, "merge_equal_ranks=always"])
    deepest = 0
    for deal in range(40):
        log = FAMILY.log_deal(lowered, 4, deal)
        for _, table in replayed(log, rules):
            deepest = max(deepest, *(len(cards) for row in table.rows for cards in row.values()))
    assert deepest > 12


# the end of a round


def test_round_end__the_faster_hand_takes_the_smaller_pile() -> None:
    log = _emptied().wait(0.4).slap(0, 1).wait(0.1).slap(1, 1).take(0, 1).take(1, 0)
    assert accepted(_next_round(log)).rounds == 1
    wrong = _emptied().wait(0.4).slap(0, 1).wait(0.1).slap(1, 1).take(1, 1)
    refused(wrong, "U7 round_end")
    refused(_emptied().wait(0.4).slap(0, 0), "U7 round_end")
    refused(_emptied().wait(0.4).slap(0, 1).wait(0.1).slap(0, 1), "U7 round_end")
    refused(_emptied().wait(0.4).slap(0, 1).wait(0.1).slap(1, 1).take(0, 0), "U7 round_end")
    refused(_emptied().wait(1).play(1, "13", 1), "U7 round_end")


def test_round_end__a_tie_may_go_either_way() -> None:
    for first in (0, 1):
        log = _emptied().wait(0.4).slap(0, 1).wait(0.005).slap(1, 1).take(first, 1).take(1 - first, 0)
        assert accepted(_next_round(log)).rounds == 1


def test_round_end__each_lays_out_what_he_holds() -> None:
    log = _next_round(_emptied().wait(0.4).slap(0, 1).wait(0.1).slap(1, 1).take(0, 1).take(1, 0))
    # Player 1: three of his stock and the single card; player 2: three of his row, three of his stock and four taken.
    assert [log.table.remaining(player) for player in (0, 1)] == [4 - 1, 10 - 1]
    accepted(log)
    unshuffled = _emptied().wait(0.4).slap(0, 1).wait(0.1).slap(1, 1).take(0, 1).take(1, 0).gather(0)
    n_before = len(unshuffled.events)
    refused(unshuffled.lay_out(0), "B37 pickup_placement", event=n_before)


def test_round_end__fewer_cards_than_a_row_leave_one_pile() -> None:
    def log() -> Log:
        log = Log({**_SPIT, "handicap_cards": -2}, "12 14 5 7 6 4 8", "1 2 13 11 3")
        for _ in range(2):
            log.add(Kind.HANDICAP, 1, card=log.table.stocks[0][0])
        log.start().wait(1).play(0, "5", 0).wait(1).play(0, "6", 0).wait(1).turn(0, 1).wait(1).play(0, "7", 0)
        return log.wait(0.4).slap(0, 1).wait(0.1).slap(1, 1).take(0, 1).take(1, 0)

    assert accepted(_next_round(log(), 1)).rounds == 1
    refused(_next_round(log(), 1).flip(1, 0), "B30 restart_empty_stock")


def test_round_end__a_row_emptied_without_stock_has_won() -> None:
    def log() -> Log:
        log = Log({**_SPIT, "handicap_cards": -3}, "12 14 10 5 7 6 4", "1 2 13 11 3")
        for _ in range(3):
            log.add(Kind.HANDICAP, 1, card=log.table.stocks[0][0])
        log.start().wait(1).play(0, "5", 0).wait(1).play(0, "6", 0).wait(1).turn(0, 1).wait(1).play(0, "7", 0)
        return log

    assert accepted(log().won(0)).loser_cards == 9
    refused(log().wait(0.4).slap(0, 1), "B44 end")


@pytest.mark.parametrize("timing", TIMINGS)
def test_round_end__who_first_empties_his_row_on_the_only_pile_takes_nothing(timing: str) -> None:
    rules = load_rules("spit").options
    assert isinstance(rules, SheddingRules)
    n_seen = 0
    for deal in range(60):
        before = -1
        for event, table in replayed(FAMILY.log_deal(lowered_of("spit", timing=timing), 2, deal), rules):
            if event[1] == Kind.TAKE and event[6] == 0 and not any(table.rows[event[2]].values()):
                n_seen += 1
                assert before != Kind.SLAP
            before = event[1]
    assert n_seen > 3


@pytest.mark.parametrize("timing", TIMINGS)
def test_round_end__who_has_no_stock_leaves_one_pile(timing: str) -> None:
    """After the flip that begins a round there is one pile if, and only if, one player had no card to turn."""
    rows_with_one_pile = 0
    for deal in range(40):
        log = FAMILY.log_deal(lowered_of("spit", timing=timing), 2, deal)
        events = log.events.tolist()
        for index, event in enumerate(events):
            if event[1] == Kind.RESTART and event[6] == Reason.ROUND:
                flips = [other for other in events[index + 1 : index + 3] if other[1] == Kind.FLIP]
                assert all(flip[2] == flip[3] for flip in flips)
                rows_with_one_pile += len(flips) == 1
    assert rows_with_one_pile > 10


@pytest.mark.parametrize("timing", TIMINGS)
def test_spit__is_won_by_who_gets_rid_of_all_cards(timing: str) -> None:
    rows = rows_of("spit", 3000, timing=timing)
    assert column(rows, "won").all()
    assert column(rows, "rounds").mean() > 3
    assert 10 < column(rows, "loser_cards").mean() < 30


def test_round_end__a_faster_hand_wins_more() -> None:
    slow = ["2.seat_distance_cm=30"]
    near = rows_of("spit", 3000, players=slow, timing="human")
    assert mean(column(near, "win_1") - column(near, "win_2")).estimate > 0.1


def test_round_end__none_ends_deadlocked_or_won() -> None:
    rows = rows_of("spit", 2000, sets=["round_end=none"])
    assert column(rows, "deadlocked").any()
    assert not column(rows, "rounds").any()


# words


def test_replay__tells_of_piles_and_rounds() -> None:
    log = _next_round(_emptied().wait(0.4).slap(0, 1).wait(0.1).slap(1, 1).take(0, 1).take(1, 0)).end()
    told = [(moment.sentence, moment.table[0]) for moment in moments(log.rules, log.cards, log.events)]
    sentences = [sentence for sentence, _ in told]
    assert "Player 1 lays a card face down in place 2." in sentences
    assert "Player 1 slaps pile 2." in sentences
    assert "Player 2 takes up the 3 cards of his row." in sentences
    assert "A new round: new cards on the agreed sign." in sentences
    assert ("Player 1 lays 6♠ on the 5♠.", "- ? +3") in told


def test_rule_sheet__of_spit() -> None:
    sheet = " ".join(rule_sheet(load_rules("spit")).split())
    assert "Lay out a row of 5 piles" in sheet
    assert "you may move the top card of another pile there" in sheet
    assert "who is first to slap the smaller pile takes it" in sheet


def test_rule_sheet__of_spit_with_equal_tops_put_together() -> None:
    sheet = " ".join(rule_sheet(load_rules("spit", sets=["merge_equal_ranks=always"])).split())
    assert "Equal tops of your piles may be put on each other; from then on they move together." in sheet
    assert "Equal cards that you have put together are played one card at a time." in sheet
    assert "the place that falls free" not in sheet
    must = " ".join(rule_sheet(load_rules("spit", sets=["merge_equal_ranks=always", "merge_mandatory=true"])).split())
    assert "Equal tops of your piles must be put on each other" in must
