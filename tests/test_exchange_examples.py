"""The worked example of the rule text."""

from __future__ import annotations

from exchange_logs import Log, accepted, refused

from stressim.exchange.events import Kind


def _worked_example() -> Log:
    """Log of S0:57 to S0:61 for the player it speaks to; his first bunch is the only one that matters."""
    log = Log({}, "4♦ 4♣ 7♥ K♠", centre="4♠ 6♥ 3♣ J♦").wait(0.8).pick_up(0)
    log.wait(2).put_down(0, "7♥").wait(0.4).take(0, "4♠")
    return log.wait(1.5).put_back(0).wait(0.5).pick_up(0, 1)


def _names(log: Log, cards: list[int]) -> set[str]:
    return {log.table.name(card) for card in cards}


def test_S0_57__worked_example_is_lawful() -> None:
    log = _worked_example()
    verdict = accepted(log)
    assert _names(log, log.table.bunches[0][0]) == {"4♦", "4♣", "4♠", "K♠"}
    assert _names(log, log.table.centre) == {"7♥", "6♥", "3♣", "J♦"}
    assert (verdict.swaps, verdict.churns, verdict.yields, verdict.switches, verdict.moves) == (1, 0, 0, 1, 1)


def test_S0_61__the_last_four_completes_the_bunch() -> None:
    """The other player lays the last four in the centre, the king goes for it."""
    log = Log({}, "4♦ 4♣ 7♥ K♠", "4♥ 2♠ 2♥ 9♠", centre="4♠ 6♥ 3♣ 2♦").wait(0.8).pick_up(0).pick_up(1)
    log.wait(2).swap(0, "7♥", "4♠").wait(1).swap(1, "4♥", "2♦").wait(1).swap(0, "K♠", "4♥").wait(0.3).complete(0)
    verdict = accepted(log)
    assert _names(log, log.table.bunches[0][0]) == {"4♦", "4♣", "4♠", "4♥"}
    assert (verdict.swaps, verdict.contested_lost) == (3, 0)


def test_S0_61__a_bunch_of_three_fours_is_not_complete() -> None:
    log = _worked_example()
    log.events[-2][1] = Kind.COMPLETE
    refused(log, "A17 complete bunch", event=len(log.events) - 2)


def test_S0_59__the_card_is_laid_before_the_four_is_taken() -> None:
    log = _worked_example()
    put_down, take = log.events[1], log.events[2]
    log.events[1:3] = [[put_down[0], *take[1:]], [take[0], *put_down[1:]]]
    refused(log, "A11 swap_order", event=1)
