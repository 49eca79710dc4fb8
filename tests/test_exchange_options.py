"""Every option of rules and habits changes some deals, and nothing but cosmetic ones leaves them all alone."""

from __future__ import annotations

import pytest
from exchange_playing import rows_of

from stressim.exchange.habits import ExchangeHabits
from stressim.exchange.rules import ExchangeRules
from stressim.players.time_options import declared

DEALS = 300
WINDOW = "n_players=6 tie_window_ms=300"
TINY = "deck=custom deck_ranks=3"

# What else must hold for an option to matter, and a value that is not its default.
RULES = {
    "n_players": ("", "3"),
    "deck": ("", "jass36"),
    "deck_ranks": (TINY, "5"),
    "deck_copies": (TINY, "12"),
    "n_decks": ("n_players=1", "2"),
    "n_jokers": ("n_players=1", "4"),
    "cards_removed": ("", "8"),
    "centre_cards": ("", "12"),
    "bunch_size": ("", "2"),
    "swap_order": ("", "simultaneous"),
    "swap_max_cards": ("", "2"),
    "grab_equal_only": ("swap_max_cards=2", "true"),
    "take_back_own": ("", "forbidden"),
    "after_snatch": ("n_players=6", "take_another"),
    "contested_card": ("n_players=6", "first_in_hand"),
    "touch_tie": (WINDOW, "redo"),
    "tie_window_ms": ("n_players=6", "200"),
    "deadlock_rule": ("", "most_complete_wins"),
    "swap_deadline_s": ("deadlock_rule=swap_deadline", "2"),
    "deadline_reset": ("deadlock_rule=swap_deadline", "swap_or_switch"),
    "deadlock_wait_s": ("deadlock_rule=most_complete_wins", "20"),
    "win_tie": ("n_players=12 call_tie_window_ms=300", "shared"),
    "call_tie_window_ms": ("n_players=12", "300"),
    "false_call_penalty": ("n_players=12", "forfeit"),
    "team_size": ("n_players=4", "2"),
    "ranking": ("n_players=3", "all"),
    "handicap_bunches": ("", "1"),
    "handicap_player": ("handicap_bunches=1", "2"),
}
HABITS = {
    "target_choice": ("", "random"),
    "commit_at": ("n_players=6", "8"),
    "concede": ("", "neither"),
    "keep_for_others": ("", "false"),
    "hold_back": ("", "false"),
    "grab_memory": ("", "all"),
    "grab_several": ("swap_max_cards=2", "false"),
    "churn_take": ("", "random"),
    "own_memory": ("", "perfect"),
    "memory_fade_s": ("", "5"),
    "next_bunch": ("", "random"),
    "stay_with_bunch": ("", "1"),
    "patience_factor": ("", "2"),
    "switch_weight": ("", "1"),
    "churn_weight": ("", "3"),
    "yield_weight": ("", "1"),
    "wait_weight": ("", "1"),
    "when_snatched": ("n_players=6", "wait"),
    "at_deadline": ("deadlock_rule=swap_deadline", "let_go"),
    "deadline_margin_s": ("deadlock_rule=swap_deadline", "3"),
}


def test_options__are_all_listed() -> None:
    rules = {
        name
        for name, field in ExchangeRules.model_fields.items()
        if not declared(field)["cosmetic"] and not declared(field).get("match")
    }

    assert rules == set(RULES)
    assert set(ExchangeHabits.model_fields) == set(HABITS)


@pytest.mark.parametrize("name", RULES)
def test_rule__changes_deals(name: str) -> None:
    besides, value = RULES[name]
    players = ["all.when_snatched=wait"] if name == "after_snatch" else []
    before = rows_of(f"james-bond {besides}", DEALS, players=players, timing="human")
    after = rows_of(f"james-bond {besides} {name}={value}", DEALS, players=players, timing="human")

    assert (before != after).any()


@pytest.mark.parametrize("name", HABITS)
def test_habit__changes_deals(name: str) -> None:
    besides, value = HABITS[name]
    before = rows_of(f"james-bond {besides}", DEALS, timing="human")
    after = rows_of(f"james-bond {besides}", DEALS, players=[f"all.{name}={value}"], timing="human")

    assert (before != after).any()


@pytest.mark.parametrize("name", ["announce_bunch", "call_word"])
def test_cosmetic_option__changes_nothing(name: str) -> None:
    value = {"announce_bunch": "true", "call_word": "atlantis"}[name]
    before = rows_of("james-bond", 50, timing="human")
    after = rows_of(f"james-bond {name}={value}", 50, timing="human")

    assert (before == after).all()


def test_take_back_own_allowed__lets_a_player_take_his_card_back_after_a_snatch() -> None:
    before = rows_of("james-bond n_players=12", 2_000, timing="human")
    after = rows_of("james-bond n_players=12 take_back_own=allowed", 2_000, timing="human")

    assert (before != after).any()
