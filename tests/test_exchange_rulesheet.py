"""The rule sheet of the exchange game says every rule that the options set."""

from __future__ import annotations

from typing import Any

import pytest

from stressim.exchange.rules import ExchangeRules
from stressim.options import Choice
from stressim.rulesfile import load_rules
from stressim.rulesheet import rule_sheet

# Hundredths of a second between two hands or calls say nothing at a table.
NOT_SAID = {"tie_window_ms", "call_tie_window_ms"}

# Changes after which the option means something, from the preset james-bond.
WHERE_IT_MATTERS = {
    "deck_ranks": ("deck=custom", "deck_ranks=13"),
    "deck_copies": ("deck=custom", "deck_ranks=13"),
    "grab_equal_only": ("swap_max_cards=2",),
    "swap_deadline_s": ("deadlock_rule=swap_deadline",),
    "deadline_reset": ("deadlock_rule=swap_deadline",),
    "deadlock_wait_s": ("deadlock_rule=redeal",),
    "team_size": ("n_players=4",),
    "handicap_player": ("handicap_bunches=1",),
    "match_stop": ("match_format=best_of(5)",),
}

# Values that come out even, of options whose next value does not.
OTHER: dict[str, list[Any]] = {
    "n_players": [1, 3, 4, 6, 12],
    "deck": ["jass36", "skat32 cards_removed=4", "doppelkopf48 cards_removed=4"],
    "deck_ranks": ["13 n_players=1", "5 n_players=1", "a,b,c,d,e"],
    "deck_copies": ["8 n_players=1", "8 n_players=5"],
    "n_decks": ["2 n_players=5", "3"],
    "n_jokers": ["8 n_players=1", "4 n_players=1"],
    "cards_removed": [8, 16],
    "centre_cards": [12, 20],
    "bunch_size": ["3 n_players=4", "2"],
    "match_format": ["best_of(3)", "first_to(5)"],
}


def changes_for(name: str) -> list[tuple[str, ...]]:
    value = ExchangeRules.model_fields[name].get_default()
    kind = ExchangeRules.model_fields[name].annotation
    if name in OTHER:
        values = OTHER[name]
    elif isinstance(kind, type) and issubclass(kind, Choice):
        values = [member for member in kind.words() if member != value]
    else:
        values = ["false" if value else "true"] if isinstance(value, bool) else [value + 1]
    return [tuple(f"{name}={value}".split(" ")) for value in values]


@pytest.mark.parametrize("name", [name for name in ExchangeRules.model_fields if name not in NOT_SAID])
def test_rule_sheet__says_every_option(name: str) -> None:
    base = WHERE_IT_MATTERS.get(name, ())
    changes = changes_for(name)

    sheets = {rule_sheet(load_rules("james-bond", (*base, *change))) for change in changes}

    assert rule_sheet(load_rules("james-bond", base)) not in sheets
    assert len(sheets) == len(changes) > 0


def test_rule_sheet__says_how_many_bunches_there_are() -> None:
    assert "Each of 4 players gets the rest as 3 bunches of 4 cards" in " ".join(
        rule_sheet(load_rules("james-bond", n_players=4)).split()
    )


def test_rule_sheet__says_that_the_text_has_no_rule_for_a_deadlock() -> None:
    sheet = " ".join(rule_sheet(load_rules("james-bond")).split())

    assert "If nobody gives way, there is no rule and nobody can go on: agree on one before you play." in sheet


def test_rule_sheet__is_plain_text_with_a_foreign_call() -> None:
    assert rule_sheet(load_rules("james-bond", ["call_word=laennen_nopein"])).isascii()
