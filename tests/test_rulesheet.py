"""The rule sheet says every rule that the options set."""

from __future__ import annotations

import re
from typing import Any

import pytest

from stressim.options import Choice
from stressim.presets import preset_names
from stressim.rulesfile import load_rules
from stressim.rulesheet import rule_sheet
from stressim.shedding.rules import SheddingRules

# The number of players has one value, and hundredths of a second between two hands say nothing at a table.
NOT_SAID = {"n_players", "tie_window_ms", "tie_window_same_pile_ms"}

# Changes after which the option means something, from the preset swedish.
WHERE_IT_MATTERS = {
    "deck_ranks": ("deck=custom", "deck_ranks=8"),
    "deck_copies": ("deck=custom", "deck_ranks=8"),
    "n_decks": ("deal_mode=split_combined",),
    "joker_mode": ("n_jokers=2",),
    "merge_mandatory": ("merge_equal_ranks=always",),
    "pile_play": ("merge_equal_ranks=always",),
    "stack_target": ("multi_card_play=same_rank",),
    "restart_consent": ("restart_trigger=locked_or_declined",),
    "row_piles": ("stress_on=none", "refill_policy=none"),
    "move_to_empty": ("row_piles=growing", "stress_on=none", "refill_policy=none"),
    "round_end": ("row_piles=growing", "stress_on=none", "refill_policy=none"),
    "side_pile_cards": ("restart_source=side_piles", "stress_on=none"),
    "side_pile_reuse": ("restart_source=side_piles", "stress_on=none"),
    "taken_card": ("restart_empty_stock=take_from_opponent",),
    "giver_with_one_card": ("restart_empty_stock=opponent_gives",),
    "one_pile": ("stress_pickup=one",),
    "other_pile_after_stress": ("stress_pickup=left",),
    "stress_pairs": ("n_players=3",),
    "stress_pickup": ("n_players=3",),
    "stress_share": ("n_players=3",),
    "match_stop": ("match_format=best_of(5)",),
    "scoring": ("match_format=first_to(30)",),
}

# Other values of options whose next value would not stand alone.
OTHER: dict[str, list[Any]] = {
    "restart_source": ["own_row"],
    "centre_piles": [3, 4],
    "deck": ["jass36", "skat32", "doppelkopf48"],
    "deck_ranks": ["9", "a b c d e f"],
    "n_jokers": [2],
    "match_format": ["best_of(3)", "first_to(5)"],
    "stress_signal": ["slap"],
    "slap_target": ["right_pile", "both_piles", "both_hands"],
    "handicap_cards": [1, 2, -1, -2],
    "post_stress_empty_stock": ["opponent_gives", "take_from_opponent", "one_pile_only"],
}


def other_values(name: str) -> list[Any]:
    value = SheddingRules.model_fields[name].get_default()
    kind = SheddingRules.model_fields[name].annotation
    if name in OTHER:
        return OTHER[name]
    if isinstance(kind, type) and issubclass(kind, Choice):
        return [member for member in kind.words() if member != value]
    return ["false" if value else "true"] if isinstance(value, bool) else [value + 1]


@pytest.mark.parametrize("name", [name for name in SheddingRules.model_fields if name not in NOT_SAID])
def test_rule_sheet__says_every_option(name: str) -> None:
    changes = WHERE_IT_MATTERS.get(name, ())
    values = other_values(name)

    sheets = {rule_sheet(load_rules("swedish", (*changes, f"{name}={value}"))) for value in values}

    assert rule_sheet(load_rules("swedish", changes)) not in sheets
    assert len(sheets) == len(values) > 0


@pytest.mark.parametrize("name", preset_names())
def test_rule_sheet__reads_well_on_paper(name: str) -> None:
    rules = load_rules(name)

    sheet = rule_sheet(rules)

    assert sheet.startswith(f"{rules.title}\n{'=' * len(rules.title)}\nRules: {rules.source}\n")
    assert [line for line in sheet.splitlines() if len(line) > 78 or line != line.rstrip()] == []
    assert sheet.isascii()
    for paragraph in re.split(r"\n- |\n\n[A-Z ]+\n- ", sheet)[1:]:
        assert re.match(r"[A-Z0-9]", paragraph)
        assert paragraph.rstrip().endswith((".", "?"))
        assert not re.search(r"\b[a-z]+_[a-z]+\b|  |\.\.", paragraph.replace("\n  ", " "))


def test_rule_sheet__without_stress_has_no_word_of_slaps() -> None:
    sheet = rule_sheet(load_rules("spit-bicycle"))

    assert "the game is played without stress" in sheet
    assert not re.search(r"slap|shout|loser|wrong call", sheet)


def test_rule_sheet__names_the_ranks_of_a_custom_deck() -> None:
    sheet = rule_sheet(load_rules("swedish", ["deck=custom", "deck_ranks=0-9", "ace=low"]))

    assert "The ranks 0, 1, 2, 3, 4, 5, 6, 7, 8, 9; 4 cards of each in a deck." in sheet
    assert "0 is the lowest rank and 9 the highest; they do not meet." in sheet


def test_rule_sheet__high_ace_of_a_stripped_deck() -> None:
    assert "The ace is the highest rank, above K; 7 is the lowest one." in rule_sheet(load_rules("skat", ["ace=high"]))
