"""Uniform timing against published values: all cells of seven rows, played 10,000,000 times elsewhere."""

import pytest
from checks import UNIFORM_ROWS, Check, failing, published_uniform
from playing import Value, column, mean, rows_of

DEALS = 60_000


@pytest.mark.parametrize("rules", UNIFORM_ROWS)
def test_uniform__published_values(rules: str) -> None:
    assert not failing(published_uniform(rules, DEALS))


@pytest.mark.parametrize("preset", ["swedish", "swedish-low"])
def test_uniform__without_a_rule_for_empty_stocks_deals_deadlock(preset: str) -> None:
    """About a quarter with a ring of ranks, two fifths with a dead end: whenever both stocks are empty at a lock."""
    share = UNIFORM_ROWS[f"{preset.replace('-low', ' ace=low')} restart_both_empty=take_right_pile_shuffle"][1][7]
    deadlocked = mean(column(rows_of(preset, DEALS), "deadlocked"))
    assert not failing([Check(preset, deadlocked, Value(float(share), 0.00015))])
