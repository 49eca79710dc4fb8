"""The worked examples of the rule texts."""

from __future__ import annotations

import pytest
from shedding_logs import Log, accepted, refused

from stressim.shedding.events import Kind
from stressim.shedding.referee.table import Table, full_deck, rank_of
from stressim.shedding.rules import SheddingRules


def _worked_example() -> Log:
    """Log of S2:54 as far as Karim's ten: Ida is player 1, Karim player 2, the six lies on Ida's side."""
    log = Log({"ace": "low"}, "5 7 Q 3 6 9 J", "8 2 J 5 K 10 A").start()
    log.wait(1.2).play(0, "7", 0)
    log.wait(0.05).late(1, "5", 0)
    log.wait(0.8).play(1, "8", 0)
    log.wait(0.7).play(0, "Q", 1)
    log.wait(0.9).play(1, "J", 1)
    log.wait(0.4).draw(0)
    log.wait(0.6).play(0, "9", 0)
    log.wait(0.2).draw(1)
    return log.wait(0.6).play(1, "10", 0)


def test_S2_52__worked_example_is_lawful() -> None:
    log = _worked_example()
    tops = [log.rules.ranks[rank_of(pile[-1])] for pile in log.table.piles]
    verdict = accepted(log)
    assert tops == ["10", "J"]
    assert (verdict.moves, verdict.late_cards, verdict.stresses, verdict.stress_missed) == (6, 1, 0, 0)
    assert verdict.unfinished == 1


def test_S2_54__a_jack_on_the_ten_would_be_stress() -> None:
    log = _worked_example().wait(0.1).draw(0).wait(0.5).play(0, "J", 0).wait(0.4).slap(0).wait(0.2).slap(1)
    assert accepted(log.take(1, 1, 0)).stresses == 1


def test_S2_54__the_late_five_does_not_fit_the_seven() -> None:
    log = _worked_example()
    late = next(event for event in log.events if event[1] == Kind.LATE)
    late[1], late[6] = Kind.PLAY, 1
    refused(log, "B18 rank_step", event=log.events.index(late))


@pytest.mark.parametrize(
    ("top", "fitting"),
    [("8", "7 9"), ("A", "2 K"), ("4", "3 5"), ("Q", "J K"), ("K", "A Q"), ("2", "A 3")],
)
def test_S3_19_and_S4_23__what_fits(top: str, fitting: str) -> None:
    rules = SheddingRules(ace="wrap")
    table = Table.dealt(rules, [[], []])
    table.piles[0] = [rules.ranks.index(top)]
    found = {rules.ranks[rank_of(card)] for card in full_deck(rules) if table.fits(card, 0)}
    assert found == set(fitting.split())
