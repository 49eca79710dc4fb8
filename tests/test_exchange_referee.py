"""The referee accepts what the rules allow and names the rule that a log breaks: a test for every option it judges."""

from __future__ import annotations

from typing import Any

import pytest
from exchange_logs import Log, accepted, refused

from stressim.exchange.columns import COLUMN_INDEX
from stressim.exchange.events import Kind, Outcome, Reason
from stressim.exchange.referee import Foul, Verdict, judge
from stressim.exchange.referee.bunches import pick_up
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.swaps import put_down, take
from stressim.exchange.rules import ExchangeRules

SMALL = {"deck": "custom", "deck_ranks": "5", "deck_copies": 3, "bunch_size": 3, "centre_cards": 3}


def _small(**options: Any) -> Log:
    """Two players with two bunches of three; the ace helps player 1's first bunch, three and four his second."""
    return Log({**SMALL, **options}, "A A 2 / 3 4 5", "2 2 3 / 4 5 5", centre="A 3 4")


def _held(**options: Any) -> Log:
    """Both hold their first bunch."""
    return _small(**options).wait(1).pick_up(0).pick_up(1).wait(1)


def _locked(**options: Any) -> Log:
    """No card in the centre, a four, is wanted by anybody."""
    return Log({**SMALL, **options}, "A A 2 / 2 2 A", "3 3 5 / 5 5 3", centre="4 4 4")


def _nearly(**options: Any) -> Log:
    """Player 1 holds his last bunch, a card short; player 2 has laid open one of two."""
    log = _held(**options).swap(0, "2", "A").complete(0).wait(1).swap(1, "3", "2").complete(1).wait(1)
    return log.pick_up(0, 1).pick_up(1, 1).wait(1).swap(0, "5", "3").wait(1)


def _last(**options: Any) -> Log:
    """Player 1 has laid open his last bunch."""
    return _nearly(**options).swap(0, "4", "3").wait(0.2).complete(0)


def _both_last(**options: Any) -> Log:
    """Both have laid open their last bunch, player 1 a tenth of a second earlier."""
    log = _nearly(**options).swap(1, "4", "5").wait(0.1).swap(0, "4", "3").wait(0.1).complete(0)
    return log.wait(0.1).complete(1).wait(0.3)


def _three(**options: Any) -> Log:
    """Three players with one bunch of two each, all a card short and in hand; nothing in the centre helps."""
    rules = {"deck": "custom", "deck_ranks": "4", "deck_copies": 2, "bunch_size": 2, "centre_cards": 2, "n_players": 3}
    log = Log({**rules, **options}, "A 2", "2 3", "3 A", centre="4 4").wait(1)
    return log.pick_up(0).pick_up(1).pick_up(2).wait(1)


# the deal and the form of a log


def test_A1_deck__a_card_twice_is_refused() -> None:
    log = _held()
    log.cards[0] = log.cards[1]
    refused(log, "A1 deck", event=-1)


def test_A5_bunches__all_cards_are_dealt() -> None:
    log = _held()
    log.cards.pop()
    refused(log, "A5 bunches", event=-1)


def test_log__without_end_is_refused() -> None:
    log = _held()
    with pytest.raises(Foul, match="the log stops") as caught:
        log.judge()
    assert caught.value.index == len(log.events)


def test_log__nothing_follows_the_end() -> None:
    log = _held().end().put_back(0)
    log.end()
    refused(log, "A22 end", event=len(log.events) - 2)


def test_log__time_does_not_run_backwards() -> None:
    log = _held()
    log.time -= 1_500_000
    refused(log.put_back(0), "time")


@pytest.mark.parametrize(("column", "value"), [(1, 99), (2, 2), (3, 2), (4, 300), (2, -1), (3, -1)])
def test_log__a_field_out_of_range_is_refused(column: int, value: int) -> None:
    log = _held().put_down(0, "2")
    log.events[-1][column] = value
    refused(log, "form of the log")


@pytest.mark.parametrize("column", [4, 5])
def test_log__a_field_that_is_not_used_is_refused(column: int) -> None:
    log = _held().put_back(0)
    log.events[-1][column] = 0
    refused(log, "form of the log")


def test_log__cards_are_dealt_after_a_redeal_only() -> None:
    log = _held()
    log.events.append([log.time, Kind.DEAL, 0, 0, log.cards[0], -1])
    refused(log, "order of events")


def test_verdict__names_are_columns() -> None:
    assert set(COLUMN_INDEX) - set(Verdict().as_dict()) == {"dead_ppm", "looks", "choices"}


# bunches


def test_A9_bunch_in_hand__one_at_a_time() -> None:
    refused(_held().pick_up(0, 1), "A9 bunch in hand")
    accepted(_held().put_back(0).pick_up(0, 1))


def test_A9_bunch_in_hand__cards_are_swapped_with_it_only() -> None:
    refused(_held().put_down(0, "5", bunch=1), "A9 bunch in hand")


def test_A10_switch__only_the_bunch_in_hand_is_put_back() -> None:
    refused(_held().put_back(0, 1), "A9 bunch in hand")


def test_A17_complete_bunch__all_cards_have_one_rank() -> None:
    refused(_held().complete(0), "A17 complete bunch")


def test_A17_complete_bunch__a_bunch_that_lacks_a_card_is_not_complete() -> None:
    log = _held(bunch_size=3).swap(0, "2", "A").put_back(1).pick_up(1, 1).put_down(1, "4")
    refused(log.complete(1), "A13 swap")


def test_A18_complete_bunch__is_not_put_back() -> None:
    refused(_held().swap(0, "2", "A").put_back(0), "A18 complete bunch")


def test_A19_complete_bunch__is_not_swapped_with() -> None:
    refused(_held().swap(0, "2", "A").put_down(0, "A"), "A19 complete bunch")


def test_A19_complete_bunch__is_not_picked_up_again() -> None:
    refused(_held().swap(0, "2", "A").complete(0).pick_up(0, 0), "A19 complete bunch")


def test_AU7_dealt_complete__is_picked_up_and_laid_open() -> None:
    log = Log(SMALL, "A A A / 3 4 5", "2 2 3 / 4 5 5", centre="2 3 4").wait(1).pick_up(0).wait(1).complete(0)
    verdict = accepted(log)
    assert (verdict.dealt_complete, verdict.paired_bunches, verdict.pairless_1) == (1, 3, 0)
    assert (verdict.centre_helps_1, verdict.centre_shares_1) == (0, 0)


# swaps


def test_A11_swap_order__put_down_first() -> None:
    accepted(_held().swap(0, "2", "A"))
    refused(_held().take(0, "A", more=1), "A11 swap_order")


def test_A11_swap_order__take_first() -> None:
    accepted(_held(swap_order="take_first").swap(0, "2", "A"))
    refused(_held(swap_order="take_first").put_down(0, "2"), "A11 swap_order")


def test_A11_swap_order__simultaneous() -> None:
    accepted(_held(swap_order="simultaneous").swap(0, "2", "A"))
    refused(_held(swap_order="simultaneous").put_down(0, "2").wait(0.1).take(0, "A"), "A11 swap_order")


def test_A11_swap_order__the_card_must_be_in_the_bunch() -> None:
    log = _held().put_down(0, "2")
    log.events[-1][4] = log.table.bunches[0][1][0]
    refused(log, "A11 swap_order")


@pytest.mark.parametrize("order", ["put_down_first", "take_first", "simultaneous"])
def test_A12_swap_max_cards__limits_a_grab(order: str) -> None:
    log = _held(swap_max_cards=2, swap_order=order).swap(0, "A 2", "3 4")
    assert accepted(log).moves == 1
    log.rules = ExchangeRules(**{**SMALL, "swap_order": order})
    refused(log, "A12 swap_max_cards", event=2)


def test_A12_swap_max_cards__no_more_are_laid_than_said() -> None:
    log = _held(swap_max_cards=2).put_down(0, "2").put_down(0, "A")
    refused(log, "A12 swap_max_cards")


def test_A12_swap_max_cards__numbers_count_down() -> None:
    log = _held(swap_max_cards=2).put_down(0, "2", "A")
    log.events[-1][5] = 1
    refused(log, "A12 swap_max_cards")
    log = _held(swap_max_cards=2).put_down(0, "2", "A").take(0, "3", more=0)
    refused(log, "A12 swap_max_cards")
    refused(_held(swap_max_cards=2, swap_order="take_first").take(0, "A", "3", more=1), "A12 swap_max_cards", event=2)


def test_A12_swap_max_cards__a_grab_has_one_time() -> None:
    refused(_held(swap_max_cards=2).put_down(0, "2", more=1).wait(0.1).put_down(0, "A"), "A12 swap_max_cards")
    log = _held(swap_max_cards=2).put_down(0, "2", "A").take(0, "3", more=1).wait(0.1)
    refused(log.take(0, "A"), "A12 swap_max_cards")
    log = _held(swap_max_cards=2, swap_order="take_first").take(0, "3", more=3).wait(0.1)
    refused(log.take(0, "A", more=2), "A12 swap_max_cards")


def test_A12_swap_max_cards__as_many_are_laid_as_taken() -> None:
    refused(_held(swap_order="take_first").take(0, "A", more=1).take(0, "3", more=1), "A12 swap_max_cards")
    refused(_held(swap_max_cards=2).put_down(0, "2", "A").take(0, "3", more=1).put_down(0, "A"), "A12 swap_max_cards")


def test_A13_swap__is_ended_before_anything_else() -> None:
    for do in (Log.put_back, Log.complete, Log.false_call, Log.call):
        refused(do(_held().put_down(0, "2"), 0), "A13 swap")


@pytest.mark.parametrize(
    ("policy", "same", "later"), [("forbidden", False, False), ("allowed_later", False, True), ("allowed", True, True)]
)
def test_A14_take_back_own__as_the_rules_say(policy: str, *, same: bool, later: bool) -> None:
    in_same = _held(take_back_own=policy).put_down(0, "2").take(0, "2")
    in_later = _held(take_back_own=policy).swap(0, "2", "3").wait(1).swap(0, "3", "2")
    for log, allowed in ((in_same, same), (in_later, later)):
        if allowed:
            accepted(log)
        else:
            refused(log, "A14 take_back_own")


def test_A14_take_back_own__another_bunch_is_another_swap() -> None:
    log = _held().swap(0, "2", "3").put_back(0).pick_up(0, 1).wait(1).swap(0, "3", "2")
    accepted(log)


def test_A14_take_back_own__forbidden_unless_all_others_are_barred_too() -> None:
    log = _held(take_back_own="forbidden").put_back(1).pick_up(1, 1)
    log.swap(1, "4", "A").swap(1, "A", "3").swap(1, "3", "4♦").wait(1)
    # The centre holds what he has laid, and nothing else.
    accepted(log.swap(1, "4♦", "A").put_back(1))


def test_A14_take_back_own__a_new_deal_forgets_what_was_laid() -> None:
    log = _both_last(take_back_own="forbidden").call(0).call(1)
    log.redeal(Reason.WIN_TIE, "A A 2 / 3 4 5", "2 2 3 / 4 5 5", centre="A 3 4").wait(1).pick_up(0)
    accepted(log.swap(0, "2", "A"))


def test_AU14_put_down__a_card_is_free_at_once() -> None:
    log = _held().put_down(0, "2").put_down(1, "3").take(1, "2")
    assert accepted(log.take(0, "A")).swaps == 2


def test_A16_contested_card__a_card_that_is_gone_is_not_taken() -> None:
    log = _held().put_down(0, "2").put_down(1, "3").wait(0.2).take(1, "A").take(0, "4")
    accepted(log)
    log.events[-2][4] = log.events[-3][4]
    refused(log, "A16 contested_card", event=len(log.events) - 2)


def test_A16_contested_card__the_slower_hand_misses_it() -> None:
    log = _held().put_down(0, "2").put_down(1, "3").wait(0.2).take(1, "A").miss(0, "A").wait(0.5).take(0, "2")
    log.rules = ExchangeRules(**{**SMALL, "take_back_own": "allowed"})
    verdict = accepted(log)
    assert (verdict.contested_lost, verdict.churns) == (1, 2)


def test_A16_contested_card__a_miss_needs_another_taker() -> None:
    log = _held().put_down(0, "2").wait(0.2)
    log.add(Kind.MISS, 0, card=log.table.centre[0])
    refused(log, "A16 contested_card")
    log = _held().put_down(0, "2").wait(0.2)
    log.add(Kind.MISS, 0, card=log.table.bunches[1][0][0])
    refused(log, "A16 contested_card")


def test_A11_swap_order__a_hand_comes_after_a_card_is_laid() -> None:
    refused(_held().swap(1, "3", "A").miss(0, "A"), "A11 swap_order")
    accepted(_held(swap_order="take_first").take(1, "A", more=1).miss(0, "A"))
    accepted(_held(swap_order="simultaneous").swap(1, "3", "A").miss(0, "A"))


def test_A9_bunch_in_hand__a_hand_without_a_bunch_does_not_come() -> None:
    log = _held(swap_order="take_first").put_back(0).take(1, "A", more=1)
    refused(log.miss(0, "A"), "A9 bunch in hand")


def test_A19_complete_bunch__no_hand_comes_for_another_card() -> None:
    log = _held(swap_order="take_first").swap(0, "2", "A").swap(1, "2", "3").wait(0.1)
    refused(log.miss(0, "3"), "A19 complete bunch")


def test_AU4_touch_tie__redo_leaves_the_card() -> None:
    log = _held(touch_tie="redo").put_down(0, "2").put_down(1, "3").wait(0.3).miss(0, "A").miss(1, "A")
    assert accepted(log.wait(0.3).take(0, "A").take(1, "2")).contested_lost == 2


def test_AU4_touch_tie__redo_takes_two_hands() -> None:
    log = _held(touch_tie="redo").put_down(0, "2").put_down(1, "3").wait(0.3).miss(0, "A").wait(0.1).miss(1, "A")
    refused(log, "A-U4 touch_tie", event=len(log.events) - 2)


def test_AU4_touch_tie__random_gives_the_card_to_one() -> None:
    log = _held().put_down(0, "2").put_down(1, "3").wait(0.3).miss(0, "A").miss(1, "A")
    refused(log, "A16 contested_card", event=len(log.events) - 2)


def test_AU5_grab_equal_only__one_rank() -> None:
    options = {"swap_max_cards": 2, "grab_equal_only": True}
    refused(_held(**options).put_down(0, "A", "2").wait(0.1).take(0, "A", "3"), "A-U5 grab_equal_only")
    log = _held(**options).swap(1, "3", "4").wait(0.1).put_down(0, "A", "2").wait(0.1)
    assert accepted(log.take(0, "3", "3")).moves == 2


def test_AU5_grab_equal_only__any_card_after_a_miss() -> None:
    options = {"swap_max_cards": 2, "grab_equal_only": True}
    log = _held(**options).swap(1, "3", "4").put_down(1, "2").put_down(0, "A", "2").wait(0.1).take(1, "3")
    accepted(log.take(0, "3", more=1).miss(0, "3").wait(0.4).take(0, "A"))


# deadlocks


def test_A20_deadlock__is_a_lock_that_stays() -> None:
    verdict = accepted(_locked().end(Outcome.DEADLOCKED))
    assert (verdict.deadlocked, verdict.locks, verdict.locked, verdict.stalls) == (1, 1, 1, 1)
    assert (verdict.stalled_at_start, verdict.length_us) == (1, 0)
    refused(_held().end(Outcome.DEADLOCKED), "A20 deadlock")


def test_A20_deadlock__not_with_a_swap_under_way() -> None:
    refused(_locked().wait(1).pick_up(0).put_down(0, "2").end(Outcome.DEADLOCKED), "A20 deadlock")


def test_A20_deadlock__not_before_a_winner_has_called() -> None:
    log = Log(SMALL, "A A A / 2 2 2", "3 3 5 / 5 5 3", centre="4 4 4").wait(1).pick_up(0).wait(1).complete(0)
    refused(log.pick_up(0, 1).wait(1).complete(0).end(Outcome.DEADLOCKED), "A22 win")
    log = Log({**SMALL, "n_players": 1}, "A A A / 2 2 2 / 3 3 3 / 4 4 4", centre="5 5 5")
    refused(log.end(Outcome.DEADLOCKED), "A20 deadlock")


def _stuck_in_hand(**options: Any) -> Log:
    """Both hold bunches that the centre does not help; it would help the second bunch of player 1."""
    log = Log({**SMALL, **options}, "A A 2 / 3 4 5", "2 2 3 / A 5 5", centre="3 4 4")
    return log.wait(1).pick_up(0).pick_up(1).wait(1)


def test_A20_deadlock__is_with_bunches_that_nobody_leaves() -> None:
    verdict = accepted(_stuck_in_hand().end(Outcome.DEADLOCKED))
    assert (verdict.deadlocked, verdict.locks, verdict.stalls) == (1, 0, 1)
    refused(_stuck_in_hand(deadlock_rule="redeal").end(Outcome.DEADLOCKED), "A20 deadlock_rule")


def test_A20_deadlock__not_where_a_bunch_has_been_put_back() -> None:
    log = _stuck_in_hand().put_back(1).wait(1).pick_up(1).end(Outcome.DEADLOCKED)
    assert accepted(log).deadlocked == 1  # neither of his bunches could be improved
    refused(_stuck_in_hand().put_back(0).wait(1).pick_up(0).end(Outcome.DEADLOCKED), "A20 deadlock")


def test_A20_deadlock__begins_a_stall_although_a_hand_is_empty() -> None:
    log = Log(SMALL, "A A 2 / 3 4 5", "2 2 3 / A 5 5", centre="3 4 4").wait(1).pick_up(0).wait(1)
    verdict = accepted(log.end(Outcome.DEADLOCKED))
    assert (verdict.stalls, verdict.stalled_at_start, verdict.stalled_us) == (1, 1, 0)
    log = Log(SMALL, "A A 2 / 3 4 5", "2 2 3 / A 5 5", centre="3 4 4").wait(1).pick_up(1).wait(1)
    refused(log.end(Outcome.DEADLOCKED), "A20 deadlock")


def test_A20_deadlock__not_with_a_deadline_that_takes_the_bunch() -> None:
    refused(_stuck_in_hand(deadlock_rule="swap_deadline").end(Outcome.DEADLOCKED), "A20 deadlock")


def test_A20_deadlock__not_before_a_complete_bunch_is_laid_open() -> None:
    log = Log(SMALL, "A A A / 3 4 5", "2 2 3 / 2 5 5", centre="3 4 4").wait(1).pick_up(0).pick_up(1).wait(1)
    refused(log.end(Outcome.DEADLOCKED), "A20 deadlock")


@pytest.mark.parametrize("rule", ["redeal", "most_complete_wins"])
def test_A20_deadlock_rule__helps(rule: str) -> None:
    refused(_locked(deadlock_rule=rule).end(Outcome.DEADLOCKED), "A20 deadlock_rule")


def test_A20_deadlock_rule__a_deadline_does_not_help() -> None:
    assert accepted(_locked(deadlock_rule="swap_deadline").end(Outcome.DEADLOCKED)).deadlocked == 1


def test_A20_livelock__needs_a_position_that_comes_back() -> None:
    log = _locked().wait(1).pick_up(0).swap(0, "2", "4").wait(1)
    refused(log.end(Outcome.LIVELOCKED), "A20 livelock")
    log = _locked().wait(1).pick_up(0).swap(0, "2", "4").wait(1).swap(0, "4", "2").wait(1)
    assert accepted(log.end(Outcome.LIVELOCKED)).livelocked == 1


def _redealt(log: Log) -> Log:
    return log.redeal(Reason.DEADLOCK, "A A 2 / 3 4 5", "2 2 3 / 4 5 5", centre="A 3 4")


def test_A20_redeal__comes_when_the_wait_is_over() -> None:
    verdict = accepted(_redealt(_locked(deadlock_rule="redeal").wait(10)).wait(1).pick_up(0))
    assert (verdict.redeals, verdict.locks, verdict.stalled_us) == (1, 1, 10_000_000)
    refused(_redealt(_locked(deadlock_rule="redeal").wait(9.9)), "A20 deadlock_rule", event=0)
    refused(_redealt(_locked(deadlock_rule="redeal").wait(10.1)), "A20 deadlock_rule", event=0)
    refused(_locked(deadlock_rule="redeal").wait(10.1).pick_up(0), "A20 deadlock_rule")


def test_A20_redeal__is_a_rule_that_must_be_agreed() -> None:
    refused(_redealt(_locked().wait(10)), "A20 deadlock_rule", event=0)


def test_A20_redeal__the_wait_begins_with_the_last_swap() -> None:
    log = _locked(deadlock_rule="redeal").wait(2).pick_up(0).swap(0, "2", "4", seconds=0.5)
    accepted(_redealt(log.wait(10)))
    log = _locked(deadlock_rule="redeal").wait(9.8).pick_up(0).swap(0, "2", "4", seconds=0.5)
    accepted(_redealt(log.wait(10)))
    log = _locked(deadlock_rule="redeal").wait(9.8).pick_up(0).put_down(0, "2").wait(0.2)
    refused(_redealt(log), "A20 deadlock_rule", event=2)


def test_A20_redeal__everything_begins_anew() -> None:
    log = _redealt(_locked(deadlock_rule="redeal").wait(1).pick_up(0).wait(9))
    refused(log.put_back(0, 0), "A9 bunch in hand")
    log = _redealt(_locked(deadlock_rule="redeal").wait(10)).wait(9).pick_up(0).wait(1)
    accepted(_redealt(log))


def test_A5_bunches__a_new_deal_has_all_cards_in_order() -> None:
    log = _redealt(_locked(deadlock_rule="redeal").wait(10))
    del log.events[-1]
    refused(log, "A5 bunches", event=len(log.events))
    log = _redealt(_locked(deadlock_rule="redeal").wait(10))
    log.events[1][3] = 1
    refused(log, "A5 bunches", event=1)
    log = _redealt(_locked(deadlock_rule="redeal").wait(10))
    log.events[-1][0] += 1
    refused(log, "A5 bunches")
    log = _redealt(_locked(deadlock_rule="redeal").wait(10))
    log.events[1][4] = log.events[2][4]
    refused(log, "A1 deck", event=0)


def _ahead(**options: Any) -> Log:
    """Player 1 has laid open a bunch, player 2 none."""
    return _held(**options).swap(0, "2", "A").complete(0)


def test_A20_most_complete_wins__when_the_wait_is_over() -> None:
    rule = {"deadlock_rule": "most_complete_wins"}
    verdict = accepted(_ahead(**rule).wait(10).won(0))
    assert (verdict.won, verdict.win_1, verdict.loser_bunches, verdict.losers) == (1, 1, 0, 1)
    assert verdict.winner_ranks == 0b11101
    refused(_ahead(**rule).wait(9).won(0), "A20 deadlock_rule")
    refused(_ahead(**rule).wait(10).won(1), "A20 deadlock_rule")
    refused(_ahead(**rule).wait(10).end(Outcome.DRAWN), "A20 deadlock_rule")
    refused(_ahead().wait(10).won(0), "A22 win")


def test_A20_most_complete_wins__equal_numbers_are_a_draw() -> None:
    rule = {"deadlock_rule": "most_complete_wins"}
    assert accepted(_locked(**rule).wait(10).end(Outcome.DRAWN)).drawn == 1
    refused(_locked(**rule).wait(10).won(0), "A20 deadlock_rule")


# deadlines


def _limited(**options: Any) -> Log:
    """Both have picked up a bunch at one second, two seconds remain of five."""
    return _small(deadlock_rule="swap_deadline", **options).wait(1).pick_up(0).wait(3)


def test_A21_swap_deadline_s__the_bunch_goes_back() -> None:
    assert accepted(_limited().wait(2).deadline(0)).deadlines == 1
    refused(_limited().wait(1).deadline(0), "A21 swap_deadline_s")
    refused(_limited().wait(2.1).deadline(0), "A21 swap_deadline_s")
    refused(_limited().wait(2.1).pick_up(1), "A21 swap_deadline_s")
    refused(_small().wait(1).pick_up(0).wait(5).deadline(0), "A20 deadlock_rule")


def test_A21_swap_deadline_s__a_swap_starts_the_time_anew() -> None:
    log = _limited().swap(0, "2", "3", seconds=0.5).wait(4.9).pick_up(1).wait(0.1)
    accepted(log.deadline(0))
    accepted(_limited().wait(1.9).put_down(0, "2").wait(0.5).take(0, "A").wait(4).complete(0))
    refused(_limited().wait(2).put_down(0, "2").deadline(0), "A13 swap")


def test_A21_swap_deadline_s__stands_still_without_a_bunch() -> None:
    accepted(_limited().put_back(0).wait(4).pick_up(0, 1).wait(5).deadline(0))
    accepted(_limited().wait(2).deadline(0).wait(4).pick_up(0, 1).wait(5).deadline(0))


@pytest.mark.parametrize(("reset", "seconds"), [("swap", 1), ("swap_or_switch", 5)])
def test_AU6_deadline_reset__as_the_rules_say(reset: str, seconds: int) -> None:
    log = _limited(deadline_reset=reset).put_back(0).wait(1).pick_up(0, 1).wait(seconds).deadline(0)
    accepted(log)
    other = "swap" if reset == "swap_or_switch" else "swap_or_switch"
    log.rules = ExchangeRules(**{**log.rules.model_dump(), "deadline_reset": other})
    refused(log, "A21 swap_deadline_s", event=len(log.events) - 2)


def test_A21_swap_deadline_s__a_complete_bunch_may_stay() -> None:
    accepted(_limited().swap(0, "2", "A", seconds=0.5).wait(6).complete(0))


# the end


def test_A22_win__all_bunches_laid_open_and_called() -> None:
    verdict = accepted(_last().wait(0.5).call(0).won(0))
    assert (verdict.won, verdict.win_1, verdict.win_2, verdict.losers, verdict.loser_bunches) == (1, 1, 0, 1, 1)
    assert (verdict.swaps, verdict.churns, verdict.yields, verdict.moves) == (4, 0, 0, 4)
    assert (verdict.winner_swapped_cards, verdict.winner_work, verdict.winner_ranks) == (3, 3, 0b101)
    assert (verdict.lead_changes, verdict.comeback, verdict.length_us) == (0, 0, 8_700_000)


def test_A22_win__needs_a_call() -> None:
    refused(_last().wait(0.5).won(0), "A22 win")
    refused(_nearly().call(0), "A22 win")


def test_A22_win__the_caller_wins_at_his_call() -> None:
    refused(_last().call(0).won(1), "A22 win")
    refused(_last().call(0).end(Outcome.DRAWN), "A22 win")
    refused(_last().call(0).wait(0.1).won(0), "A22 win")


def test_A22_win__play_stops_at_the_call() -> None:
    refused(_last().call(0).put_back(1), "A22 win")


def test_A22_win__nobody_calls_twice() -> None:
    refused(_last().call(0).call(0), "A22 win")


def test_A23_call_tie_window_ms__later_calls_do_not_count() -> None:
    assert accepted(_both_last(win_tie="shared").call(0).wait(0.029).call(1).end(Outcome.DRAWN)).drawn == 1
    refused(_both_last(win_tie="shared").call(0).wait(0.03).call(1), "A23 call_tie_window_ms")


def test_A23_win_tie__redeal() -> None:
    log = _both_last().call(0).wait(0.01).call(1)
    assert accepted(_both_last().call(0).wait(0.01).call(1).redeal(Reason.WIN_TIE)).redeals == 1
    refused(log.end(Outcome.DRAWN), "A23 win_tie")
    refused(_both_last().call(0).redeal(Reason.WIN_TIE), "A23 win_tie", event=-16 + len(_both_last().events) + 17)
    late = _both_last().call(0).call(1).wait(0.1)
    row = len(late.events)
    refused(late.redeal(Reason.WIN_TIE), "A23 win_tie", event=row)


def test_A23_win_tie__first_complete() -> None:
    options = {"win_tie": "first_complete"}
    assert accepted(_both_last(**options).call(1).call(0).won(0)).win_1 == 1
    refused(_both_last(**options).call(0).call(1).won(1), "A23 win_tie")
    row = len(_both_last().events) + 2
    refused(_both_last(**options).call(0).call(1).redeal(Reason.WIN_TIE), "A23 win_tie", event=row)


def test_A23_win_tie__first_complete_at_one_time_is_a_draw() -> None:
    log = _nearly(win_tie="first_complete").swap(1, "4", "5").wait(0.1).swap(0, "4", "3").wait(0.1)
    log.complete(0).complete(1).wait(0.3).call(0).call(1)
    assert accepted(log.end(Outcome.DRAWN)).drawn == 1


def test_A23_win_tie__shared_is_a_draw() -> None:
    refused(_both_last(win_tie="shared").call(0).call(1).won(0), "A23 win_tie")


@pytest.mark.parametrize("penalty", ["none", "time_loss"])
def test_A26_false_call_penalty__play_goes_on(penalty: str) -> None:
    log = _nearly(false_call_penalty=penalty).false_call(0).wait(1).swap(0, "4", "3").complete(0).call(0).won(0)
    assert accepted(log).false_calls == 1


def test_A26_false_call__only_with_a_last_bunch_a_card_short() -> None:
    refused(_held().false_call(0), "A26 false call")
    log = _held().swap(0, "2", "A").complete(0).wait(1).pick_up(0, 1)
    refused(log.false_call(0), "A26 false call")
    refused(_nearly().put_back(0).false_call(0), "A26 false call")


def test_A26_false_call_penalty__forfeit_leaves_the_other() -> None:
    forfeit = {"false_call_penalty": "forfeit"}
    assert accepted(_nearly(**forfeit).false_call(0).won(1)).win_2 == 1
    refused(_nearly(**forfeit).false_call(0).won(0), "A26 false_call_penalty")
    refused(_nearly(**forfeit).false_call(0).put_back(1), "A26 false_call_penalty")
    refused(_nearly(**forfeit).false_call(0).wait(0.1).won(1), "A26 false_call_penalty")


def test_A26_false_call_penalty__who_is_out_does_nothing_more() -> None:
    log = _three(false_call_penalty="forfeit").false_call(0)
    accepted(log.wait(1).put_back(1))
    refused(_three(false_call_penalty="forfeit").false_call(0).put_back(0), "A26 false_call_penalty")
    refused(_three(false_call_penalty="forfeit").false_call(0).put_down(0, "A"), "A26 false_call_penalty")
    assert accepted(_three(false_call_penalty="forfeit").false_call(0).wait(1).false_call(2).won(1)).losers == 2


def test_A26_false_call_penalty__alone_it_is_a_draw() -> None:
    rules = {"deck": "custom", "deck_ranks": "2", "deck_copies": 2, "bunch_size": 2, "centre_cards": 2, "n_players": 1}
    log = Log({**rules, "false_call_penalty": "forfeit"}, "A 2").wait(1).pick_up(0).wait(1).false_call(0)
    assert accepted(log.end(Outcome.DRAWN)).drawn == 1


# what is counted


def test_stalls__hands_that_nothing_helps_are_not_a_lock() -> None:
    log = Log(SMALL, "A A 2 / 3 4 5", "2 2 4 / A 3 5", centre="3 4 5").wait(1).pick_up(0).wait(1).pick_up(1).wait(2)
    verdict = accepted(log.put_back(0).wait(1).pick_up(0, 1).wait(1))
    assert (verdict.stalls, verdict.stalled, verdict.locks, verdict.stalled_at_start) == (1, 1, 0, 1)
    assert (verdict.first_stall_us, verdict.stalled_us) == (2_000_000, 3_000_000)


def test_stalls__a_snatched_card_is_a_stall_until_another_helps() -> None:
    """Player 1 can end his swap higher only with an ace; player 2 takes it."""
    log = _small().wait(1).pick_up(0).pick_up(1, 1).wait(1).put_down(0, "2").put_down(1, "4").wait(0.5)
    assert accepted(log).stalls == 0
    del log.events[-1]
    verdict = accepted(log.take(1, "A").wait(2).put_back(1).wait(1).pick_up(1, 0))
    assert (verdict.stalls, verdict.locks, verdict.stalled_at_start) == (1, 0, 0)
    assert (verdict.first_stall_us, verdict.stalled_us) == (2_500_000, 3_000_000)


def test_locks__a_card_laid_in_the_centre_ends_one() -> None:
    log = _locked().wait(1).pick_up(0).wait(1).put_down(0, "2").wait(1).take(0, "4").wait(1)
    verdict = accepted(log)
    # The two helps player 1's other bunch: he can improve it, though not the one in hand.
    assert (verdict.locks, verdict.stalls, verdict.churns) == (1, 1, 1)
    assert verdict.stalled_us == log.time


@pytest.mark.parametrize("policy", ["allowed_later", "allowed"])
def test_locks__a_card_of_the_swap_under_way_helps_nobody_yet(policy: str) -> None:
    """The two that player 1 lays would help his other bunch; it is barred for him until the swap is ended."""
    log = _locked(take_back_own=policy).wait(1).pick_up(0).put_down(0, "2").wait(1).take(0, "4")
    deal = Deal(log.rules, log.cards, log.events, uniform=False)
    locked = []
    for act in (pick_up, put_down, take):
        act(deal, deal.log.take())
        locked.append(deal.score.in_lock)
    assert locked == [True, policy == "allowed_later", False]


def test_moves__are_judged_by_the_height() -> None:
    log = _held().swap(0, "A", "3").wait(1).swap(0, "2", "4").wait(1).swap(0, "3", "A").wait(1)
    verdict = accepted(log)
    assert (verdict.yields, verdict.churns, verdict.swaps, verdict.moves) == (1, 1, 1, 3)


def test_lead_changes__count_when_the_lead_passes() -> None:
    log = _both_last(call_tie_window_ms=0)
    assert accepted(log).lead_changes == 0
    log = (
        Log(SMALL, "A A A / 3 5 5", "2 2 2 / 4 4 4", centre="3 3 5")
        .wait(1)
        .pick_up(0)
        .complete(0)
        .pick_up(1)
        .complete(1)
        .pick_up(1, 1)
    )
    verdict = accepted(log.complete(1).call(1).won(1))
    assert (verdict.lead_changes, verdict.comeback) == (1, 1)


# uniform timing


def _swap(log: Log, player: int, bunch: int, given: str, taken: str) -> Log:
    log.time += 1
    return log.swap(player, given, taken, bunch=bunch, seconds=0)


def _uniform_win(**options: Any) -> Log:
    log = _swap(_small(**options), 0, 0, "2", "A").complete(0, 0)
    _swap(log, 1, 0, "3", "2").complete(1, 0)
    _swap(log, 0, 1, "5", "3")
    return _swap(log, 0, 1, "4", "3").complete(0, 1)


def test_uniform__moves_are_the_time() -> None:
    verdict = accepted(_uniform_win().won(0), uniform=True)
    assert (verdict.moves, verdict.win_1, verdict.length_us, verdict.winner_swapped_cards) == (4, 1, 0, 3)
    log = _uniform_win().won(0)
    log.events[-1][0] += 1
    refused(log, "time", uniform=True)


def test_uniform__who_has_laid_open_everything_has_won() -> None:
    refused(_swap(_uniform_win(), 1, 1, "4", "5"), "A22 win", uniform=True, event=len(_uniform_win().events))
    refused(_uniform_win().won(1), "A22 win", uniform=True)


def test_uniform__complete_bunches_are_laid_open_at_once() -> None:
    log = _swap(_swap(_small(), 0, 0, "2", "A"), 1, 0, "3", "2")
    refused(log, "A18 complete bunch", uniform=True, event=2)


@pytest.mark.parametrize("kind", [Kind.PICK_UP, Kind.PUT_BACK, Kind.CALL, Kind.FALSE_CALL, Kind.MISS])
def test_uniform__has_no_hands(kind: Kind) -> None:
    log = _small()
    fields = {"bunch": 0} if kind in (Kind.PICK_UP, Kind.PUT_BACK) else {}
    fields |= {"card": log.cards[-1]} if kind == Kind.MISS else {}
    refused(log.add(kind, 0, **fields), "uniform timing", uniform=True)


def test_uniform__one_card_and_one_player_at_a_time() -> None:
    log = _small(swap_max_cards=2)
    refused(_swap(log, 0, 0, "A 2", "3 4"), "A12 swap_max_cards", uniform=True, event=0)
    log = _small()
    log.time = 1
    refused(log.put_down(0, "2", bunch=0).put_down(1, "3", bunch=0), "uniform timing", uniform=True)


def test_uniform__a_lock_needs_no_wait() -> None:
    log = _locked(deadlock_rule="redeal").redeal(Reason.DEADLOCK, "A A A", "2 2 2").complete(0, 0)
    verdict = accepted(log, uniform=True)
    assert (verdict.redeals, verdict.locks, verdict.stalls, verdict.stalled_at_start) == (1, 1, 1, 1)
    refused(_redealt(_small(deadlock_rule="redeal")), "A20 deadlock_rule", uniform=True, event=0)
    assert accepted(_locked(deadlock_rule="most_complete_wins").end(Outcome.DRAWN), uniform=True).drawn == 1


def test_uniform__players_who_are_dealt_complete_are_done_at_once() -> None:
    rules = {"deck": "custom", "deck_ranks": "3", "deck_copies": 2, "bunch_size": 2, "centre_cards": 2}
    for tie, end in (("shared", Outcome.DRAWN), ("first_complete", Outcome.DRAWN)):
        log = Log({**rules, "win_tie": tie}, "A A", "2 2").complete(0, 0).complete(1, 0)
        assert accepted(log.end(end), uniform=True).stalls == 0
    log = Log(rules, "A A", "2 2").complete(0, 0).complete(1, 0).redeal(Reason.WIN_TIE, "A A", "2 3")
    assert accepted(log.complete(0, 0).won(0), uniform=True).redeals == 1
    refused(Log(rules, "A A", "2 2").complete(1, 0), "uniform timing", uniform=True)
    refused(Log(rules, "A A", "2 2").complete(0, 0).won(0), "A18 complete bunch", uniform=True)


# altered logs


@pytest.mark.parametrize("column", range(1, 6))
def test_log__with_one_event_altered_is_refused(column: int) -> None:
    """Every event of a whole deal, every other kind, player, bunch, card or number."""
    log = _last().wait(0.5).call(0).won(0)
    others = {1: list(Kind), 2: [-1, 0, 1], 3: [-1, 0, 1], 4: [-1, *log.cards], 5: [-1, 0, 1, 2, 3]}[column]
    accepted(log)
    for row, event in enumerate(log.events):
        for value in others:
            altered = [*event[:column], value, *event[column + 1 :]]
            events = [*log.events[:row], altered, *log.events[row + 1 :]]
            if value != event[column] and not _stops(altered):
                with pytest.raises(Foul):
                    judge(log.rules, log.cards, events)


def _stops(event: list[int]) -> bool:
    """Whether the event is the end of an unfinished deal, with which a log may stop."""
    return event[1] == Kind.END and event[5] == Outcome.UNFINISHED
