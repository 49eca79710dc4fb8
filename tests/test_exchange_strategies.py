"""The strategies themselves: what is drawn is accepted, comes out even, and reaches rare combinations."""

from __future__ import annotations

from exchange_strategies import exchange_habits, exchange_rules
from hypothesis import HealthCheck, Phase, find, given, settings

from stressim.exchange.choices import DeadlockRule, Ranking, SwapOrder
from stressim.exchange.habits import ExchangeHabits
from stressim.exchange.rules import ExchangeRules

SETTINGS = settings(max_examples=30, deadline=None, derandomize=True)


@SETTINGS
@given(exchange_rules())
def test_exchange_rules__come_out_even(rules: ExchangeRules) -> None:
    assert ExchangeRules(**rules.model_dump()) == rules
    assert rules.bunches_each * rules.n_sides * rules.bunch_size + rules.centre_cards == len(set(rules.cards))


@SETTINGS
@given(exchange_habits())
def test_exchange_habits__are_accepted(habits: ExchangeHabits) -> None:
    assert ExchangeHabits(**habits.model_dump()) == habits


def test_exchange_rules__reach_rare_combinations() -> None:
    quiet = settings(
        max_examples=3000,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],  # the smallest example is of no interest
        suppress_health_check=list(HealthCheck),
    )
    find(exchange_rules(), lambda rules: rules.n_players > 3 and rules.cards_removed > 0, settings=quiet)
    find(
        exchange_rules(),
        lambda rules: rules.n_jokers > 0 and rules.deadlock_rule == DeadlockRule.REDEAL,
        settings=quiet,
    )
    find(exchange_rules(), lambda rules: rules.team_size > 1 and rules.n_sides > 1, settings=quiet)
    find(exchange_rules(), lambda rules: rules.handicap_bunches > 1 and rules.ranking == Ranking.ALL, settings=quiet)
    find(
        exchange_rules(),
        lambda rules: rules.swap_max_cards > 2 and rules.swap_order == SwapOrder.TAKE_FIRST,
        settings=quiet,
    )
