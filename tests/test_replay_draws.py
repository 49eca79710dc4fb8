"""A replay says why a deal is a draw, and which rule makes it one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from exchange_logs import Log as ExchangeLog
from shedding_logs import Log

from stressim.exchange import replay_words as exchange_words
from stressim.outcomes import Outcome
from stressim.replay import WIDTH, replay_text
from stressim.shedding import replay_words
from stressim.workbench.together import play_rows
from stressim.workbench.variants import Given, make_variant

LOCKED = "Nobody can play, both stocks are empty, and"
TAKE = "take_right_pile_shuffle"
DRAWN = ": the deal is drawn."


def said(log: Log | ExchangeLog) -> str:
    words = replay_words if isinstance(log, Log) else exchange_words
    return list(words.moments(log.rules, log.cards, log.events))[-1].sentence


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("draw", f"{LOCKED} the rules end it there (restart_both_empty=draw){DRAWN}"),
        ("fewest_cards_wins", f"{LOCKED} both have 3 cards (restart_both_empty=fewest_cards_wins){DRAWN}"),
        (
            TAKE,
            f"{LOCKED} the piles, taken up, would bring the same again (restart_both_empty={TAKE}){DRAWN}",
        ),
        ("undefined", "The deal is drawn."),
    ],
)
def test_end__of_two_without_a_stock_names_the_rule(rule, why):
    rules = {"deck": "custom", "deck_ranks": "10", "deck_copies": 1, "ace": "low", "restart_both_empty": rule}
    log = Log(rules, "10 3 4 5 9", "A 6 7 8 2").start().wait(1).play(0, "10", 0).wait(1).play(1, "A", 1).wait(3)

    assert said(log.end(Outcome.DRAWN)) == why


def test_end__of_two_who_run_out_at_once_says_so():
    rules = {"deck": "custom", "deck_ranks": "4", "deck_copies": 1, "row_slots": 1, "restart_both_empty": "draw"}
    log = Log(rules, "A 3", "2 4").start().wait(1).play(0, "A", 1).play(1, "2", 1)

    assert said(log.end(Outcome.DRAWN)) == f"Both ran out of cards at once{DRAWN}"


def test_end__of_side_piles_that_never_fit_says_so():
    log = Log({"restart_source": "side_piles", "stress_on": "none"}).start()

    why = "No card of the centre would ever fit, as side piles (side_pile_reuse=shuffled) or not"
    assert said(log.end(Outcome.DRAWN)) == f"{why}{DRAWN}"


SMALL = {"deck": "custom", "deck_ranks": "5", "deck_copies": 3, "bunch_size": 3, "centre_cards": 3}


def exchange(first: str, second: str, centre: str, **options: Any) -> ExchangeLog:
    return ExchangeLog({**SMALL, **options}, first, second, centre=centre).wait(1)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"win_tie": "shared"}, "Players were done at once, and share the win (win_tie=shared)"),
        ({"win_tie": "first_complete"}, "Players were done at once, and nobody was first (win_tie=first_complete)"),
    ],
)
def test_end__of_calls_at_once_names_the_rule(rules, why):
    log = exchange("A A A / 2 2 2", "3 3 3 / 4 4 4", "5 5 5", **rules)
    for player in (0, 1):
        for bunch in (0, 1):
            log.pick_up(player, bunch).complete(player, bunch)

    assert said(log.call(0).call(1).end(Outcome.DRAWN)) == f"{why}{DRAWN}"


def test_end__of_a_wait_with_equally_many_bunches_names_the_rule():
    log = exchange("A A A / 2 2 3", "3 3 4 / 5 5 5", "2 4 4", deadlock_rule="most_complete_wins")
    log.pick_up(0).complete(0).pick_up(1, 1).complete(1, 1)

    assert said(log.end(Outcome.DRAWN)) == (
        "Nobody has swapped a card for a while, and players 1 and 2 have 1 open bunch each "
        f"(deadlock_rule=most_complete_wins){DRAWN}"
    )


def test_end__of_a_deal_that_all_have_lost_says_so():
    rules = {**SMALL, "deck_ranks": "3", "n_players": 1, "false_call_penalty": "forfeit"}
    log = ExchangeLog(rules, "A A A / 2 2 3", centre="2 3 3").wait(1).pick_up(0).complete(0).pick_up(0, 1)

    said_at_end = said(log.false_call(0).end(Outcome.DRAWN))
    assert said_at_end == f"Nobody is left in the deal (false_call_penalty=forfeit){DRAWN}"


@pytest.mark.parametrize("timing", ["human", "uniform"])
@pytest.mark.parametrize(
    ("rules", "changes", "why"),
    [
        ("swedish", ("restart_both_empty=draw",), "(restart_both_empty=draw)"),
        ("swedish", ("restart_both_empty=fewest_cards_wins",), "(restart_both_empty=fewest_cards_wins)"),
        ("james-bond", ("deadlock_rule=most_complete_wins", "all=greedy"), "(deadlock_rule=most_complete_wins)"),
    ],
)
def test_replay__of_a_drawn_deal_says_the_rule(rules, changes, why, timing):
    variant = make_variant(Given(rules=rules, timing=timing).changed(changes))
    rows = play_rows(variant.family, variant.lowered, 1, 0, 300)
    drawn = np.flatnonzero(rows[:, [column.name for column in variant.family.columns].index("drawn")])
    assert len(drawn)
    log = variant.family.log_deal(variant.lowered, 1, int(drawn[0]))
    text = replay_text(variant.family, variant.rules.options, log.cards, log.events, uniform=timing == "uniform")
    told = text[text.rindex("Nobody ") :]

    assert f"{why}: the deal is drawn." in " ".join(told.replace("            ", "").split())
    assert max(map(len, text.splitlines())) <= WIDTH
