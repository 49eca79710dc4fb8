"""The referee accepts what the rules allow and names the rule that a log breaks: a test for every option it judges."""

from __future__ import annotations

from typing import Any

import pytest
from shedding_logs import Log, accepted, refused

from stressim.shedding.columns import COLUMN_INDEX
from stressim.shedding.events import Kind, Outcome, Reason
from stressim.shedding.referee import Foul, Verdict, judge
from stressim.shedding.rules import SheddingRules


def _quiet(**options: Any) -> Log:
    """Tops 6 and K; player 1 holds 5 7 Q 3, then 9 J; player 2 holds 8 2 J 5, then 10 A."""
    return Log({"ace": "low", **options}, "5 7 Q 3 6 9 J", "8 2 J 5 K 10 A").start()


def _stress(**options: Any) -> Log:
    """Both first cards are nines; player 1 holds 5 8 Q 3, player 2 8 2 J 10."""
    return Log({"ace": "low", **options}, "5 8 Q 3 9 7 J", "8 2 J 10 9 4 A").start().wait(0.5)


def _one_empty(**options: Any) -> Log:
    """Nobody can play; player 1 has no stock, player 2 has a 6 and a 10; the rows are 9 8 and 7 A."""
    rules = {"deck": "custom", "deck_ranks": "10", "deck_copies": 1, "row_slots": 2, "ace": "low", **options}
    log = Log(rules, "3 5 2 9 8", "7 A 4 6 10").start()
    return log.wait(1).play(0, "3", 0).draw(0).wait(1).play(0, "5", 1).draw(0).wait(3)


def _giver_has_one(**options: Any) -> Log:
    """Nobody can play; player 1 has no stock, player 2 has a 5; the rows are 6 8 and 7 A."""
    rules = {"deck": "custom", "deck_ranks": "8", "deck_copies": 1, "row_slots": 2, "ace": "low", **options}
    return Log(rules, "3 8 2 6", "7 A 4 5").start().wait(1).play(0, "3", 0).draw(0).wait(3)


def _both_empty(**options: Any) -> Log:
    """Nobody can play and no stock is left; the piles are 9 10 and 2 A, the rows 3 4 5 and 6 7 8."""
    rules = {"deck": "custom", "deck_ranks": "10", "deck_copies": 1, "ace": "low", **options}
    log = Log(rules, "10 3 4 5 9", "A 6 7 8 2").start()
    return log.wait(1).play(0, "10", 0).wait(1).play(1, "A", 1).wait(3)


# the deal and the form of a log


def test_B1_deck__a_card_twice_is_refused() -> None:
    log = _quiet()
    log.cards[0][0] = log.cards[0][1]
    refused(log, "B1 deck", event=-1)


def test_B2_deal_mode__own_decks_are_complete() -> None:
    log = _quiet(deal_mode="own_deck_each")
    accepted(log)
    log.cards[0][-1], log.cards[1][-2] = log.cards[1][-2], log.cards[0][-1]
    refused(log, "B2 deal_mode", event=-1)


def test_B2_deal_mode__everybody_gets_as_many() -> None:
    log = _quiet()
    log.cards[0].append(log.cards[1].pop())
    refused(log, "B2 deal_mode", event=-1)


def test_log__without_end_is_refused() -> None:
    log = _quiet()
    with pytest.raises(Foul, match="the log stops") as caught:
        log.judge()
    assert caught.value.index == len(log.events)


def test_log__nothing_follows_the_end() -> None:
    log = _quiet().end().wait(1).play(0, "7", 0)
    log.end()
    refused(log, "B44 end", event=len(log.events) - 2)


def test_log__time_does_not_run_backwards() -> None:
    log = _quiet().wait(1).play(0, "7", 0)
    log.time -= 1
    refused(log.play(1, "8", 0), "time")


@pytest.mark.parametrize(("column", "value"), [(1, 99), (2, 2), (3, 2), (4, 4), (5, 300)])
def test_log__a_field_out_of_range_is_refused(column: int, value: int) -> None:
    log = _quiet().wait(1).play(0, "7", 0)
    log.events[-1][column] = value
    refused(log, "form of the log")


def test_log__a_penalty_without_cause_is_refused() -> None:
    refused(_quiet().wait(1).penalty(0), "order of events")


def test_verdict__names_are_columns() -> None:
    assert set(Verdict().as_dict()) < set(COLUMN_INDEX)


# the rows


def test_B7_row_slots__the_row_is_complete_before_the_flip() -> None:
    log = Log({"row_slots": 2}).draw(0, 0, 1)
    refused(log.restart(Reason.START, 0, 1), "B7 row_slots", event=3)


def test_B7_row_slots__a_slot_takes_one_card() -> None:
    log = Log({"row_slots": 2}).draw(0)
    log.add(Kind.DRAW, 0, slot=0, card=log.table.stocks[0][0])
    refused(log, "B7 row_slots")


def test_B13_stock__only_the_top_card_is_drawn() -> None:
    log = Log({"row_slots": 2}).draw(0)
    log.events[-1][5] = log.cards[0][1]
    refused(log, "B13 stock")


def _pairs(**options: Any) -> Log:
    """Both rows are laid out, player 1's with two fives; no flip yet."""
    return Log({"ace": "low", "row_slots": 3, **options}, "5 5 Q 3 6 9", "8 2 J K 10").draw(0, 0, 0, 1, 1, 1)


@pytest.mark.parametrize("when", ["at_deal", "always"])
def test_B8_merge_equal_ranks__at_the_deal(when: str) -> None:
    log = _pairs(merge_equal_ranks=when).merge(0, 1, 0).draw(0)
    accepted(log.restart(Reason.START, 0, 1))


def test_B8_merge_equal_ranks__off() -> None:
    refused(_pairs().merge(0, 1, 0), "B8 merge_equal_ranks")


def test_B8_merge_equal_ranks__only_equal_ranks() -> None:
    refused(_pairs(merge_equal_ranks="at_deal").merge(0, 2, 0), "B8 merge_equal_ranks")


def test_B8_merge_equal_ranks__during_play_only_if_always() -> None:
    accepted(_pairs(merge_equal_ranks="always").restart(Reason.START, 0, 1).merge(0, 1, 0))
    refused(_pairs(merge_equal_ranks="at_deal").restart(Reason.START, 0, 1).merge(0, 1, 0), "B8 merge_equal_ranks")


def test_B9_merge_mandatory__at_the_deal() -> None:
    log = _pairs(merge_equal_ranks="at_deal", merge_mandatory=True)
    refused(log.restart(Reason.START, 0, 1), "B9 merge_mandatory", event=6)
    accepted(_pairs(merge_equal_ranks="at_deal").restart(Reason.START, 0, 1))


def _merged(**options: Any) -> Log:
    """Tops 6 and K; player 1 has two fives in one slot."""
    log = Log({"ace": "low", "row_slots": 3, "merge_equal_ranks": "always", **options}, "5 5 Q 3 6 9", "8 2 J K 10")
    return log.draw(0, 0, 0, 1, 1, 1).merge(0, 1, 0).draw(0).restart(Reason.START, 0, 1).wait(1)


@pytest.mark.parametrize(("pile_play", "numbers"), [("single", {1}), ("whole", {2}), ("either", {1, 2})])
def test_B10_pile_play(pile_play: str, numbers: set[int]) -> None:
    for number in (1, 2):
        log = _merged(pile_play=pile_play).play(0, "5", 0, number)
        if number in numbers:
            assert accepted(log).moves == 1
        else:
            refused(log, "B10 pile_play")


def test_B11_multi_card_play__same_rank() -> None:
    log = Log({"ace": "low", "multi_card_play": "same_rank"}, "5 5 Q 3 6 9", "8 2 J 4 K").start().wait(1)
    assert accepted(log.play(0, "5", 0).play_also(0, "5", 0)).moves == 1


def test_B11_multi_card_play__off() -> None:
    log = Log({"ace": "low"}, "5 5 Q 3 6 9", "8 2 J 4 K").start().wait(1)
    refused(log.play(0, "5", 0).play_also(0, "5", 0), "B11 multi_card_play")


def test_B11_multi_card_play__one_rank() -> None:
    log = Log({"ace": "low", "multi_card_play": "same_rank"}, "5 7 Q 3 6 9", "8 2 J 4 K").start().wait(1)
    refused(log.play(0, "5", 0).play_also(0, "7", 0), "B11 multi_card_play")


@pytest.mark.parametrize("target", ["one_pile", "either"])
def test_U46_stack_target(target: str) -> None:
    rules = {"ace": "low", "multi_card_play": "same_rank", "stack_target": target}
    log = Log(rules, "5 5 Q 3 6 9", "8 2 J K 4").start().wait(1).play(0, "5", 0).play_also(0, "5", 1)
    if target == "either":
        assert accepted(log.wait(0.3).slap(0)).stresses == 1
    else:
        refused(log, "U46 stack_target")


@pytest.mark.parametrize(
    ("policy", "plays"), [("optional_any_time", 3), ("immediate", 2), ("after_each_play", 1), ("none", 3)]
)
def test_B12_refill_policy__plays_before_the_refill(policy: str, plays: int) -> None:
    ranks = ["7", "8", "9"]
    for number in (1, 2, 3):
        log = Log({"ace": "low", "refill_policy": policy}, "7 8 9 3 6 2", "2 2 K J Q").start()
        for rank in ranks[:number]:
            log.wait(1).play(0, rank, 0)
        if number <= plays:
            accepted(log)
        elif number == plays + 1:
            refused(log, "B12 refill_policy")


def test_B12_refill_policy__none_never_fills_up() -> None:
    log = Log({"ace": "low", "refill_policy": "none"}, "7 8 9 3 6 2", "2 2 K J Q").start().wait(1).play(0, "7", 0)
    refused(log.draw(0), "B12 refill_policy")


def test_B12_refill_policy__immediate_lets_one_card_come_between() -> None:
    log = Log({"ace": "low"}, "7 8 9 3 6 10", "2 2 K J Q").start().wait(1)
    accepted(log.play(0, "7", 0).play(0, "8", 0).draw(0).play(0, "9", 0).draw(0).play(0, "10", 0))


# laying cards


@pytest.mark.parametrize(("ace", "fits"), [("wrap", {"2", "K"}), ("low", {"2"}), ("high", {"K"})])
def test_B21_ace__what_fits_on_it(ace: str, fits: set[str]) -> None:
    for rank in ("2", "K"):
        log = Log({"ace": ace}, "2 K 7 7 A", "4 4 J J 9").start().wait(1).play(0, rank, 0)
        if rank in fits:
            accepted(log)
        else:
            refused(log, "B18 rank_step")


@pytest.mark.parametrize(("ace", "fits"), [("wrap", True), ("low", False), ("high", True)])
def test_U34_ace__in_a_stripped_deck(ace: str, fits: bool) -> None:
    log = Log({"ace": ace, "deck": "jass36"}, "A 7 7 J K", "8 8 J J 9").start().wait(1).play(0, "A", 0)
    if fits:
        accepted(log)
    else:
        refused(log, "B18 rank_step")


def test_B19_equal_rank_playable() -> None:
    accepted(Log({"equal_rank_playable": True}, "6 7 Q 3 6", "8 2 J 5 K").start().wait(1).play(0, "6", 0))
    refused(Log({}, "6 7 Q 3 6", "8 2 J 5 K").start().wait(1).play(0, "6", 0), "B18 rank_step")


def test_B18_rank_step__names_the_cards() -> None:
    foul = refused(_quiet().wait(1).play(0, "3", 0), "B18 rank_step")
    assert foul.sentence == "3♠ does not fit on 6♠"


@pytest.mark.parametrize("late_card", ["stays_if_legal", "take_back", "penalty"])
def test_B24_late_card__that_fits_the_new_top(late_card: str) -> None:
    log = _quiet(late_card=late_card).wait(1).play(0, "7", 0).late(1, "8", 0)
    if late_card == "stays_if_legal":
        refused(log, "B24 late_card")
        return
    if late_card == "penalty":
        log.penalty(1)
    assert accepted(log).late_cards == 1


def test_B24_late_card__the_penalty_goes_under_the_stock() -> None:
    log = _quiet(late_card="penalty").wait(1).play(0, "7", 0).late(1, "5", 0).penalty(1)
    assert log.table.stocks[1][-1] == log.cards[0][5]
    log.events[-1][5] = log.cards[0][6]
    refused(log, "B13 stock")
    refused(_quiet(late_card="penalty").wait(1).play(0, "7", 0).late(1, "5", 0).wait(1).draw(0), "B24 late_card")


def test_U26_illegal_card__really_does_not_fit() -> None:
    assert accepted(_quiet().wait(1).illegal(0, "3", 0)).illegal_cards == 1
    refused(_quiet().wait(1).illegal(0, "7", 0), "U26 illegal_card")


def test_U26_illegal_card__penalty() -> None:
    accepted(_quiet(illegal_card="penalty").wait(1).illegal(0, "3", 0).penalty(0))
    log = _quiet(illegal_card="penalty").wait(1).illegal(0, "3", 0)
    refused(log.wait(1).play(0, "7", 0), "U26 illegal_card", event=len(log.events) - 1)


# jokers


def _joker(mode: str) -> Log:
    """Tops 6 and K; player 1 holds a joker, player 2 holds 8 2 J 5."""
    return Log({"ace": "low", "n_jokers": 2, "joker_mode": mode}, "5 joker Q 3 6 9", "8 2 J 5 K 10").start().wait(1)


@pytest.mark.parametrize("mode", ["wild", "anything"])
def test_B4_joker_mode__is_stress_and_takes_any_card(mode: str) -> None:
    log = _joker(mode).play(0, "joker", 1)
    assert accepted(log.wait(0.4).slap(0).wait(0.1).slap(1).take(1, 1, 0).restart(Reason.STRESS, 0, 1)).stresses == 1
    assert accepted(_joker(mode).play(0, "joker", 1).wait(0.2).play(1, "2", 1)).stress_missed == 1


def test_B4_joker_mode__wild_keeps_the_rank_that_it_took() -> None:
    log = _joker("wild").play(0, "joker", 1).wait(0.2).play(0, "5", 0).wait(0.2).slap(1)
    assert accepted(log).false_calls == 1


def test_B4_joker_mode__anything_equals_each_new_top() -> None:
    log = _joker("anything").play(0, "joker", 1).wait(0.2).play(0, "5", 0).wait(0.2).slap(1)
    verdict = accepted(log)
    assert (verdict.stresses, verdict.stress_missed) == (1, 1)


def test_B4_joker_mode__named_counts_as_the_rank() -> None:
    log = _joker("named").play(0, "joker", 1).name(0, "7", 1).wait(0.2).play(1, "8", 1)
    assert accepted(log).stress_missed == 0
    refused(_joker("named").play(0, "joker", 1).name(0, "7", 1).play(1, "J", 1), "B18 rank_step")


def test_B4_joker_mode__a_joker_must_be_named() -> None:
    log = _joker("named").play(0, "joker", 1).wait(0.2).play(1, "8", 1)
    refused(log, "B4 joker_mode")


# flips


def test_B14_start_flip__comes_before_any_card() -> None:
    log = Log({}, "5 7 Q 3 6", "8 2 J 5 K").draw(0, 0, 0, 0, 1, 1, 1, 1)
    log.time = 1
    log.restart(Reason.LOCKED, 0, 1)
    refused(log, "B14 start_flip", event=8)


def test_B14_start_flip__each_on_his_own_pile() -> None:
    log = Log({}, "5 7 Q 3 6", "8 2 J 5 K").draw(0, 0, 0, 0, 1, 1, 1, 1)
    log.restart(Reason.START).flip(0, 1).flip(1, 0)
    refused(log, "B28 restart_target", event=9)


def test_U21_start_flip_equal__reflip() -> None:
    log = _stress(start_flip_equal="reflip")
    log.time = 0
    log.restart(Reason.REFLIP, 0, 1)
    verdict = accepted(log.wait(1).play(0, "8", 0))
    assert verdict.stress_missed == 0
    refused(_stress(start_flip_equal="reflip").wait(1).slap(0), "U21 start_flip_equal")


def _locked(**options: Any) -> Log:
    """Tops 6 and K; nobody can play: 2 3 9 10 and 2 3 9 10; the next cards are J and 4."""
    return Log({"ace": "low", **options}, "2 3 9 10 6 J A", "2 3 9 10 K 4 A").start().wait(4)


def test_B27_restart__when_nobody_can_play() -> None:
    verdict = accepted(_locked().restart(Reason.LOCKED, 0, 1))
    assert (verdict.stalls, verdict.stalled, verdict.stalled_at_start) == (1, 1, 1)
    assert (verdict.stalled_us, verdict.first_stall_us) == (4_000_000, 0)


def test_B27_restart__not_while_somebody_can_play() -> None:
    log = _quiet().wait(4).restart(Reason.LOCKED, 0, 1)
    refused(log, "B27 restart", event=len(log.events) - 3)


def test_B27_restart__not_while_a_refill_can_be_made() -> None:
    log = Log({"ace": "low"}, "5 9 9 10 6 J A", "2 2 9 10 K 8 A").start().wait(1).play(0, "5", 0)
    log.wait(3).restart(Reason.LOCKED, 0, 1)
    refused(log, "B27 restart", event=len(log.events) - 3)


def test_B27_restart__both_cards_at_the_same_time() -> None:
    log = _locked().restart(Reason.LOCKED, 0)
    log.time += 1
    refused(log.flip(1), "B27 restart")


def test_B28_restart_target__own_pile() -> None:
    log = _locked().restart(Reason.LOCKED).flip(0, 1).flip(1, 0)
    refused(log, "B28 restart_target", event=len(log.events) - 2)


def test_B28_restart_target__any_pile() -> None:
    accepted(_locked(restart_target="any_pile").restart(Reason.LOCKED).flip(0, 1).flip(1, 0))
    refused(_locked(restart_target="any_pile").restart(Reason.LOCKED).flip(0, 1).flip(1, 1), "B28 restart_target")


def test_B28_restart_target__both_flip() -> None:
    log = _locked().restart(Reason.LOCKED, 0).wait(1)
    refused(log.play(0, "10", 0), "B28 restart_target")


def test_B29_restart_trigger__declined() -> None:
    log = _quiet(restart_trigger="locked_or_declined").wait(3).decline(0).decline(1).wait(2)
    verdict = accepted(log.restart(Reason.DECLINED, 0, 1))
    assert (verdict.restarts, verdict.stalls) == (1, 0)
    refused(_quiet().wait(3).decline(0), "B29 restart_trigger")


def test_U29_restart_consent__mutual() -> None:
    log = _quiet(restart_trigger="locked_or_declined").wait(3).decline(0).wait(2).restart(Reason.DECLINED, 0, 1)
    refused(log, "U29 restart_consent", event=len(log.events) - 3)


def test_U29_restart_consent__mutual_until_a_card_lands() -> None:
    log = _quiet(restart_trigger="locked_or_declined").wait(3).decline(1).wait(1).play(0, "Q", 1).draw(0).decline(0)
    refused(log.restart(Reason.DECLINED, 0, 1), "U29 restart_consent", event=len(log.events) - 3)


def test_U29_restart_consent__unilateral() -> None:
    log = _quiet(restart_trigger="locked_or_declined", restart_consent="unilateral").wait(3).decline(0)
    accepted(log.restart(Reason.DECLINED, 0, 1))


def test_B30_one_stock_empty__flip_alone() -> None:
    verdict = accepted(_one_empty().restart(Reason.LOCKED, 1))
    assert (verdict.one_stock_empty, verdict.both_stocks_empty) == (1, 0)
    refused(_one_empty().restart(Reason.LOCKED).give(1), "B30 restart_empty_stock")


def test_B30_one_stock_empty__opponent_gives() -> None:
    accepted(_one_empty(restart_empty_stock="opponent_gives").restart(Reason.LOCKED).give(1).flip(0).flip(1))
    log = _one_empty(restart_empty_stock="opponent_gives").restart(Reason.LOCKED, 1)
    refused(log.decline(0), "B30 restart_empty_stock")


def test_B30_one_stock_empty__take_from_opponent() -> None:
    accepted(_one_empty(restart_empty_stock="take_from_opponent").restart(Reason.LOCKED).give(1).flip(0).flip(1))


@pytest.mark.parametrize("taken_card", ["top", "random"])
def test_U30_taken_card(taken_card: str) -> None:
    log = _one_empty(restart_empty_stock="take_from_opponent", taken_card=taken_card)
    log.restart(Reason.LOCKED).give(1, depth=1)
    if taken_card == "top":
        refused(log, "U30 taken_card")
    else:
        accepted(log.flip(0).flip(1))


def test_U3_giver_with_one_card__flip_alone() -> None:
    accepted(_giver_has_one(restart_empty_stock="opponent_gives").restart(Reason.LOCKED, 1))
    log = _giver_has_one(restart_empty_stock="opponent_gives").restart(Reason.LOCKED).give(1)
    refused(log, "U3 giver_with_one_card")


def test_U3_giver_with_one_card__give_anyway() -> None:
    log = _giver_has_one(restart_empty_stock="opponent_gives", giver_with_one_card="give_anyway")
    accepted(log.restart(Reason.LOCKED).give(1).flip(0))


def test_U3_giver_with_one_card__from_row() -> None:
    log = _giver_has_one(restart_empty_stock="opponent_gives", giver_with_one_card="from_row")
    accepted(log.restart(Reason.LOCKED).give(1).flip(0).flip_from_row(1, "A"))
    log = _giver_has_one(restart_empty_stock="opponent_gives").restart(Reason.LOCKED).flip_from_row(1, "A")
    refused(log, "U3 giver_with_one_card")


# both stocks empty


def test_B31_both_empty__undefined_is_a_deadlock() -> None:
    verdict = accepted(_both_empty().end(Outcome.DEADLOCKED))
    assert (verdict.deadlocked, verdict.both_stocks_empty, verdict.stalls) == (1, 1, 1)
    assert (verdict.length_us, verdict.first_stall_us, verdict.stalled_us) == (5_000_000, 2_000_000, 3_000_000)
    refused(_both_empty().end(Outcome.DRAWN), "B31 restart_both_empty", event=13)


def test_B31_both_empty__draw() -> None:
    assert accepted(_both_empty(restart_both_empty="draw").end(Outcome.DRAWN)).drawn == 1


def test_B31_both_empty__fewest_cards_wins() -> None:
    assert accepted(_both_empty(restart_both_empty="fewest_cards_wins").end(Outcome.DRAWN)).drawn == 1
    refused(_both_empty(restart_both_empty="fewest_cards_wins").won(0), "B31 restart_both_empty", event=13)


def test_B31_both_empty__take_right_pile_shuffle() -> None:
    log = _both_empty(restart_both_empty="take_right_pile_shuffle")
    log.take(0, 0).shuffled(0).take(1, 1).shuffled(1).restart(Reason.BOTH_EMPTY, 0, 1).draw(0, 1)
    verdict = accepted(log)
    assert (verdict.both_stocks_empty, verdict.stalls, verdict.picked_up, verdict.one_stock_empty) == (1, 1, 0, 0)


def test_B31_both_empty__takes_his_own_pile() -> None:
    log = _both_empty(restart_both_empty="take_right_pile_shuffle").take(0, 1)
    refused(log, "B31 restart_both_empty")


def test_B31_both_empty__always_shuffled() -> None:
    log = _both_empty(restart_both_empty="take_right_pile_shuffle", pickup_placement="under_stock")
    refused(log.take(0, 0).take(1, 1).restart(Reason.BOTH_EMPTY, 0, 1), "B37 pickup_placement", event=15)


def test_B31_both_empty__no_ordinary_restart() -> None:
    log = _both_empty().restart(Reason.LOCKED)
    refused(log, "B31 restart_both_empty")


# stress


def test_B32_stress_on__none() -> None:
    refused(_stress(stress_on="none").slap(0), "B32 stress_on")
    assert accepted(_stress(stress_on="none").play(0, "8", 0)).stress_missed == 0


def test_B35_stress_loser__is_the_slower() -> None:
    log = _stress().slap(1).wait(0.1).slap(0)
    verdict = accepted(log.take(0, 0, 1).wait(2).restart(Reason.STRESS, 0, 1))
    assert (verdict.stresses, verdict.stress_from_flip, verdict.stress_at_first_flip, verdict.picked_up) == (1, 1, 1, 2)
    refused(_stress().slap(1).wait(0.1).slap(0).take(1, 1, 0), "B36 stress_pickup", event=13)


def test_U18_stress_loser__is_who_does_not_react() -> None:
    accepted(_stress().slap(1).take(0, 0, 1).restart(Reason.STRESS, 0, 1))
    refused(_stress().slap(1).take(1, 1, 0), "B36 stress_pickup", event=12)


@pytest.mark.parametrize(("target", "lawful"), [("right_pile", {1}), ("any_pile", {0, 1}), ("both_piles", {-1})])
def test_B34_slap_target(target: str, lawful: set[int]) -> None:
    for pile in (-1, 0, 1):
        log = _stress(slap_target=target).slap(1, pile)
        if pile in lawful:
            accepted(log)
        else:
            refused(log, "B34 slap_target")


def test_B33_stress_signal__a_shout_has_no_pile() -> None:
    accepted(_stress(slap_target="none", stress_signal="shout").slap(1, -1))
    refused(_stress(slap_target="none", stress_signal="shout").slap(1, 0), "B34 slap_target")


@pytest.mark.parametrize(
    ("pickup", "piles"), [("both", [1, 0]), ("left", [0]), ("right", [1]), ("one", [1]), ("one", [0])]
)
def test_B36_stress_pickup(pickup: str, piles: list[int]) -> None:
    log = _stress(stress_pickup=pickup).slap(0).take(1, *piles).restart(Reason.STRESS, 0, 1)
    assert accepted(log).picked_up == len(piles)


@pytest.mark.parametrize(("pickup", "piles"), [("both", [1]), ("left", [1]), ("right", [0]), ("one", [0, 1])])
def test_B36_stress_pickup__not_otherwise(pickup: str, piles: list[int]) -> None:
    log = _stress(stress_pickup=pickup).slap(0).take(1, *piles).restart(Reason.STRESS, 0, 1)
    with pytest.raises(Foul):
        log.end().judge()


@pytest.mark.parametrize(("one_pile", "lawful"), [("own_choice", {0, 1}), ("right", {1}), ("smaller", {0})])
def test_U45_one_pile(one_pile: str, lawful: set[int]) -> None:
    for pile in (0, 1):
        log = Log({"ace": "low", "stress_pickup": "one", "one_pile": one_pile}, "5 8 Q 3 9 7", "10 9 2 4 8 K").start()
        log.wait(1).play(1, "9", 1).wait(0.5).slap(0).take(1, pile).restart(Reason.STRESS, 0, 1)
        if pile in lawful:
            accepted(log)
        else:
            refused(log, "B36 stress_pickup", event=13)


def test_B37_pickup_placement__under_stock_turned_over() -> None:
    log = Log({"ace": "low"}, "5 8 Q 3 9 7", "10 9 2 4 8 K").start().wait(1).play(1, "9", 1).wait(0.5).slap(0)
    own, other = list(log.table.piles[1]), list(log.table.piles[0])
    log.take(1, 1, 0)
    assert log.table.stocks[1][-3:] == [*own, *other]
    accepted(log.restart(Reason.STRESS, 0, 1))


def test_B37_pickup_placement__a_shuffle_shows_the_stock() -> None:
    rules = {"pickup_placement": "shuffle_into_stock"}
    accepted(_stress(**rules).slap(0).take(1, 1, 0).shuffled(1).restart(Reason.STRESS, 0, 1))
    log = _stress(**rules).slap(0).take(1, 1, 0).restart(Reason.STRESS, 0, 1)
    refused(log, "B37 pickup_placement", event=len(log.events) - 3)
    log = _stress(**rules).slap(0).take(1, 1, 0).shuffled(1)
    log.events[-1][5] = log.events[-2][5]
    refused(log, "B37 pickup_placement")


def test_B37_pickup_placement__under_stock_is_not_shuffled() -> None:
    log = _stress().slap(0).take(1, 1, 0)
    first = len(log.events)
    refused(log.shuffled(1).restart(Reason.STRESS, 0, 1), "B37 pickup_placement", event=first)


@pytest.mark.parametrize(("order", "lawful"), [("own_first", [0]), ("other_first", [1]), ("random", [0, 1])])
def test_U44_under_order(order: str, lawful: list[int]) -> None:
    for index, piles in enumerate(([1, 0], [0, 1])):
        log = _stress(under_order=order).slap(0).take(1, *piles).restart(Reason.STRESS, 0, 1)
        if index in lawful:
            accepted(log)
        else:
            refused(log, "B36 stress_pickup", event=12)


def test_U8_other_pile_after_stress__set_aside() -> None:
    rules = {"stress_pickup": "left", "other_pile_after_stress": "set_aside"}
    accepted(_stress(**rules).slap(0).take(1, 0).set_aside(1).restart(Reason.STRESS, 0, 1))
    log = _stress(**rules).slap(0).take(1, 0).restart(Reason.STRESS, 0, 1)
    refused(log, "U8 other_pile_after_stress", event=13)
    log = _stress(stress_pickup="left").slap(0).take(1, 0).set_aside(1).restart(Reason.STRESS, 0, 1)
    refused(log, "B39 post_stress_flip", event=13)


def test_B39_post_stress_flip__for_the_right_reason() -> None:
    log = _stress().slap(0).take(1, 1, 0).restart(Reason.LOCKED, 0, 1)
    refused(log, "B39 post_stress_flip", event=14)


@pytest.mark.parametrize("flip_first", [True, False])
def test_U15_flip_before_refill(flip_first: bool) -> None:
    def log() -> Log:
        # Player 2 makes tens of both tops with a card that he has not yet replaced.
        made = Log({"ace": "low", "flip_before_refill": flip_first}, "5 8 Q 3 10 7 J", "10 2 J 4 9 6 A").start()
        return made.wait(1).play(1, "10", 1).wait(0.4).slap(0).take(1, 1, 0).wait(1)

    flip_then_refill = log().restart(Reason.STRESS, 0, 1).draw(1)
    if flip_first:
        accepted(flip_then_refill)
        refused(log().draw(1), "U15 flip_before_refill")
    else:
        refused(flip_then_refill, "U15 flip_before_refill", event=len(flip_then_refill.events) - 4)
        accepted(log().draw(1).restart(Reason.STRESS, 0, 1))


def test_B40_post_stress_empty_stock() -> None:
    rules = {"deck": "custom", "deck_ranks": "1 2 3 4", "deck_copies": 2, "row_slots": 2, "ace": "low"}

    def log(**options: Any) -> Log:
        # 2 1 | 3 | 4 against 4 2 | 3 | 1: player 1 lays 2 on 3, draws 4; player 2 lays 2 on the other 3: 2 2.
        made = Log({**rules, **options}, "2 1 3 4", "4 2 3 1").start().wait(1).play(0, "2", 0).draw(0)
        made.wait(1).play(1, "2", 1)
        return made.wait(0.4).slap(0).wait(0.1).slap(1).take(1, 1, 0).wait(2).restart(Reason.STRESS)

    verdict = accepted(log().flip(1, 0).flip(1, 1))
    assert (verdict.slap_winner_without_stock, verdict.one_stock_empty) == (1, 1)
    made = log().flip(1, 1)
    refused(made.wait(1).draw(1), "B30 restart_empty_stock")
    accepted(log(post_stress_empty_stock="opponent_gives").give(1).flip(0).flip(1))
    accepted(log(post_stress_empty_stock="take_from_opponent").give(1).flip(0).flip(1))
    accepted(log(post_stress_empty_stock="one_pile_only").flip(1))
    accepted(log(post_stress_empty_stock="flip_alone", restart_empty_stock="opponent_gives").flip(1, 0).flip(1, 1))
    refused(log(post_stress_empty_stock="flip_alone").give(1), "B40 post_stress_empty_stock")
    refused(log(restart_empty_stock="opponent_gives").flip(1, 0), "B30 restart_empty_stock")


# ties


def _tie(apart_ms: float, **options: Any) -> Log:
    return _stress(**options).slap(0).wait(apart_ms / 1000).slap(1)


def test_B41_stress_tie__each_takes_right() -> None:
    verdict = accepted(_tie(20).take(0, 0).take(1, 1).restart(Reason.STRESS, 0, 1))
    assert (verdict.stresses, verdict.stress_ties, verdict.picked_up) == (1, 1, 2)
    refused(_tie(20).take(1, 1, 0), "B41 stress_tie")


def test_B41_stress_tie__replay_flip() -> None:
    assert accepted(_tie(20, stress_tie="replay_flip").restart(Reason.STRESS, 0, 1)).stress_ties == 1
    refused(_tie(20, stress_tie="replay_flip").take(1, 1), "B39 post_stress_flip")


def test_B41_stress_tie__no_penalty() -> None:
    verdict = accepted(_tie(20, stress_tie="no_penalty").wait(1).play(0, "8", 0).wait(1).slap(1))
    assert (verdict.stress_ties, verdict.false_calls, verdict.stress_missed) == (1, 1, 0)


def test_B41_stress_tie__random() -> None:
    for loser in (0, 1):
        accepted(_tie(20, stress_tie="random").take(loser, loser, 1 - loser).restart(Reason.STRESS, 0, 1))


@pytest.mark.parametrize(
    ("options", "pile", "window_ms"),
    [
        ({"tie_window_ms": 50}, 1, 50),
        ({"tie_window_same_pile_ms": 15}, 0, 15),
        ({"slap_target": "both_piles"}, -1, 0),
        ({"slap_target": "none", "stress_signal": "shout", "tie_window_ms": 40}, -1, 40),
        ({"signal_decides": "shout", "tie_window_ms": 40}, -1, 40),
    ],
)
def test_U20_tie_window(options: dict[str, Any], pile: int, window_ms: float) -> None:
    def log(apart_ms: float) -> Log:
        return _stress(**options).slap(0, min(pile, 0)).wait(apart_ms / 1000).slap(1, pile)

    accepted(log(window_ms).take(1, 1, 0).restart(Reason.STRESS, 0, 1))
    if window_ms:
        accepted(log(window_ms - 0.001).take(0, 0).take(1, 1).restart(Reason.STRESS, 0, 1))
        refused(log(window_ms - 0.001).take(1, 1, 0), "B41 stress_tie")


# when a slap counts


def test_U16_play_on_equal_tops__cancels() -> None:
    verdict = accepted(_stress().play(0, "8", 0).wait(0.1).slap(1))
    assert (verdict.stresses, verdict.stress_missed, verdict.false_calls) == (0, 1, 1)
    log = _stress().play(0, "8", 0).wait(0.1).slap(1).take(0, 0, 1)
    refused(log, "B36 stress_pickup", event=13)


def test_U16_play_on_equal_tops__frozen() -> None:
    # A card that fits goes back; one that stays shows that nobody has noticed.
    assert accepted(_stress(play_on_equal_tops="frozen").late(0, "8", 0)).late_cards == 1
    assert accepted(_stress(play_on_equal_tops="frozen").play(0, "8", 0)).stress_missed == 1
    refused(_stress().late(0, "8", 0), "B24 late_card")


def test_U16_play_on_equal_tops__slap_in_motion_counts_or_not() -> None:
    rules = {"play_on_equal_tops": "slap_in_motion_counts"}
    verdict = accepted(_stress(**rules).play(0, "8", 0).wait(0.1).slap(1).take(0, 0, 1).restart(Reason.STRESS, 0, 1))
    assert (verdict.stresses, verdict.stress_missed, verdict.false_calls) == (1, 0, 0)
    verdict = accepted(_stress(**rules).play(0, "8", 0).wait(0.1).slap(1).wait(1).draw(0))
    assert (verdict.stresses, verdict.stress_missed, verdict.false_calls) == (0, 1, 1)


def test_U16_slap_grace_ms() -> None:
    def log(late_ms: float) -> Log:
        return _stress(slap_grace_ms=60).play(0, "8", 0).wait(late_ms / 1000).slap(1)

    assert accepted(log(60).take(0, 0, 1).restart(Reason.STRESS, 0, 1)).stresses == 1
    assert accepted(log(61)).false_calls == 1


def test_U24_card_in_air_at_slap() -> None:
    def log(in_air: str) -> Log:
        return _stress(card_in_air_at_slap=in_air).slap(0).wait(0.1).play(1, "8", 0)

    refused(log("goes_back"), "U24 card_in_air_at_slap")
    accepted(log("lands").take(1, 1, 0).restart(Reason.STRESS, 0, 1))


def test_U27_false_call__none() -> None:
    assert accepted(_quiet().wait(1).slap(0).wait(1).play(0, "7", 0)).false_calls == 1
    refused(_quiet().wait(1).slap(0).take(0, 0, 1), "B36 stress_pickup", event=12)


def test_B42_false_call_penalty__take_both() -> None:
    log = _quiet(false_call_penalty="take_both").wait(1).slap(0).take(0, 0, 1).restart(Reason.FALSE_CALL, 0, 1)
    verdict = accepted(log)
    assert (verdict.false_calls, verdict.picked_up, verdict.stresses) == (1, 0, 0)
    refused(_quiet(false_call_penalty="take_both").wait(1).slap(0).play(0, "7", 0), "B42 false_call_penalty")


def test_B42_false_call_penalty__take_one() -> None:
    rules = {"false_call_penalty": "take_one", "one_pile": "right"}
    accepted(_quiet(**rules).wait(1).slap(0).take(0, 0).restart(Reason.FALSE_CALL, 0, 1))
    refused(_quiet(**rules).wait(1).slap(0).take(0, 1), "B42 false_call_penalty")


def _announced(**options: Any) -> Log:
    """Tops 6 and 8; player 2 points at the 7 of player 1, who lays it on the 8 once the 6 has become a 7."""
    return Log({"stress_stop": True, "ace": "low", **options}, "7 7 Q 3 6 9", "5 2 J 5 8 10").start().wait(1)


def test_B43_stress_stop__the_announced_card_is_no_stress() -> None:
    log = _announced().play(0, "7", 0).wait(0.1).announce(1, "7", 1).wait(0.5).play(0, "7", 1).wait(0.3).slap(0)
    verdict = accepted(log)
    assert (verdict.stresses, verdict.stress_missed, verdict.false_calls) == (0, 0, 1)


def test_B43_stress_stop__ends_when_a_top_changes() -> None:
    log = _announced().announce(1, "7", 1).wait(0.5).play(0, "7", 0).wait(0.5).play(0, "7", 1).wait(0.3).slap(0)
    assert accepted(log).stresses == 1


def test_B43_stress_stop__off() -> None:
    refused(_announced(stress_stop=False).announce(1, "7", 1), "B43 stress_stop")


def test_U6_pile_view__absolute() -> None:
    rules = {"pile_view": "absolute", "slap_target": "right_pile", "stress_pickup": "left", "ace": "low"}

    def log(*, view: bool = True) -> Log:
        made = Log(rules, "5 8 Q 3 9 7 J", "8 2 J 10 9 4 A")
        return (made.view(1) if view else made).start().wait(0.5)

    accepted(log().slap(0, 1).take(1, 0).restart(Reason.STRESS, 0, 1))
    refused(log().slap(0, 0), "B34 slap_target")
    refused(log().slap(0, 1).take(1, 1), "B36 stress_pickup")
    refused(log(view=False), "U6 pile_view", event=8)
    refused(Log({}).view(0), "U6 pile_view")


# the end


def _to_the_last(**options: Any) -> Log:
    """Player 1's last card, a 2, lies on a 1 and makes the tops equal; player 2 holds 3 4 and has a stock card."""
    rules = {"deck": "custom", "deck_ranks": "1 2 3 4", "deck_copies": 2, "row_slots": 2, "ace": "low", **options}
    log = Log(rules, "2 1 3 2", "4 3 1 4").start()  # tops 3 1; stocks 2 and 4
    log.wait(1).play(0, "2", 0).draw(0).wait(1).play(0, "1", 0)  # tops 1 1: stress
    return log.wait(0.1).play(0, "2", 1)


def test_B44_win__the_deal_ends_with_the_last_card() -> None:
    verdict = accepted(_to_the_last().won(0))
    assert (verdict.won, verdict.win_1, verdict.win_2, verdict.loser_cards) == (1, 1, 0, 3)
    assert (verdict.last_card_equal, verdict.stress_missed, verdict.length_us) == (0, 1, 2_100_000)
    refused(_to_the_last().wait(1).slap(1), "B44 end")


def test_B44_win__the_right_winner() -> None:
    log = _to_the_last().won(1)
    refused(log, "B44 end", event=len(log.events) - 1)


def test_B44_win__not_before() -> None:
    log = _quiet().wait(1).won(0)
    refused(log, "B44 end", event=len(log.events) - 1)


@pytest.mark.parametrize("win_first", [True, False])
def test_B45_win_check_before_stress__last_card_makes_stress(win_first: bool) -> None:
    def log() -> Log:
        rules = {"deck": "custom", "deck_ranks": "1 2 3 4", "deck_copies": 2, "row_slots": 2, "ace": "low"}
        made = Log({**rules, "win_check_before_stress": win_first}, "2 3 1 4", "4 2 3 1").start()
        # tops 1 3; 2 on 1, 3 on 2 (player 1, then 4 drawn): 3 3; 2 on 3 (player 2): 3 2; 4 on 3 is his last card: 4 2.
        made.wait(1).play(0, "2", 0).draw(0).wait(1).play(0, "3", 0).wait(0.1).play(1, "4", 1).draw(1)
        return made.wait(1).play(0, "4", 0)  # tops 4 4

    if win_first:
        assert accepted(log().won(0)).last_card_equal == 1
        refused(log().wait(0.4).slap(1), "B45 win_check_before_stress")
    else:
        lost = log().wait(0.4).slap(1).take(0, 0, 1).restart(Reason.STRESS).flip(0, 0).flip(0, 1)
        assert accepted(lost).stresses == 1
        assert accepted(log().wait(0.4).slap(0).take(1, 1, 0).won(0)).won == 1
        assert accepted(log().wait(3).won(0)).last_card_equal == 1
        tied = log().wait(0.4).slap(0).wait(0.01).slap(1).take(0, 0).take(1, 1).restart(Reason.STRESS, 0, 1)
        assert accepted(tied).stress_ties == 1  # he who was out has cards again


def test_B46_win_call__required() -> None:
    accepted(_to_the_last(win_call="required").wait(0.5).call(0).won(0))
    log = _to_the_last(win_call="required").wait(0.5).won(0)
    refused(log, "B46 win_call", event=len(log.events) - 1)
    refused(_to_the_last().wait(0.5).call(0).won(0), "B44 end", event=len(log.events) - 1)
    refused(_quiet(win_call="required").wait(1).call(0), "B46 win_call")


def test_B46_win_call__no_slap_after_it() -> None:
    log = _to_the_last(win_call="required").wait(0.5).call(0).slap(1)
    refused(log, "B46 win_call")


def _both_with_one_card(**options: Any) -> Log:
    """Both players have one stock card and an empty row; the tops are equal and nobody has slapped for 3 s."""
    rules = {"deck": "custom", "deck_ranks": "1 2 3", "deck_copies": 2, "row_slots": 1, "refill_policy": "none"}
    log = Log({"ace": "low", **rules, **options}, "2 1 1", "2 3 3").start()
    return log.wait(1).play(0, "2", 0).wait(1).play(1, "2", 1).wait(3)


def test_B44_win__both_empty_at_once_is_drawn() -> None:
    verdict = accepted(_both_with_one_card().restart(Reason.LOCKED, 0, 1).end(Outcome.DRAWN))
    assert (verdict.drawn, verdict.stalls, verdict.stress_missed) == (1, 1, 1)
    log = _both_with_one_card().restart(Reason.LOCKED, 0, 1).won(0)
    refused(log, "B44 end", event=len(log.events) - 1)


def test_U17_missed_stress__is_a_stall_from_the_landing_on() -> None:
    verdict = accepted(_both_with_one_card().restart(Reason.LOCKED, 0, 1).end(Outcome.DRAWN))
    assert (verdict.stalled_us, verdict.first_stall_us, verdict.stalled_at_start) == (3_000_000, 2_000_000, 0)


# the flow of a deal


def test_verdict__lead_changes() -> None:
    log = _quiet().wait(1).play(0, "7", 0)  # player 1 leads
    log.wait(1).play(1, "8", 0).draw(1)  # level
    log.wait(1).play(0, "Q", 1).draw(0)  # player 1 leads again
    log.wait(1).play(1, "J", 1).wait(1).play(1, "10", 1)  # player 2 leads
    verdict = accepted(log)
    assert (verdict.lead_changes, verdict.moves) == (1, 5)


def test_verdict__a_win_by_the_flip_after_a_stress() -> None:
    log = _both_with_one_card().slap(1).take(0, 0, 1).wait(2).restart(Reason.STRESS, 0, 1)
    verdict = accepted(log.won(1))
    assert (verdict.won, verdict.comeback, verdict.loser_cards, verdict.last_card_equal) == (1, 0, 4, 0)


# the uniform model


def test_uniform__equal_tops_are_taken_up_at_once() -> None:
    log = _stress()
    log.time = 0
    for loser in (0, 1):
        made = _stress().take(loser, loser, 1 - loser).restart(Reason.STRESS, 0, 1)
        verdict = accepted(made, uniform=True)
        assert (verdict.stresses, verdict.stress_from_flip, verdict.length_us) == (1, 1, 0)
    refused(_stress().play(0, "8", 0), "B32 stress_on", uniform=True)
    refused(_stress().slap(0), "B32 stress_on", uniform=True)


def test_uniform__rows_are_filled_up_at_once() -> None:
    refused(_quiet().play(0, "7", 0).play(1, "8", 0), "B12 refill_policy", uniform=True)
    accepted(_quiet().play(0, "7", 0).draw(0).play(1, "8", 0), uniform=True)


def test_judge__reads_numpy_rows() -> None:
    numpy = pytest.importorskip("numpy")
    log = _quiet().wait(1).play(0, "7", 0).end()
    assert judge(SheddingRules(ace="low"), numpy.array(log.cards), numpy.array(log.events)).moves == 1
