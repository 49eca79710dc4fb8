"""A name of one family that is given to another is said to be of the other."""

from __future__ import annotations

import pytest
from commanding import run_command

from stressim.belonging import family_of, whose
from stressim.family import FAMILIES, family_named

SHEDDING, EXCHANGE = "swedish", "james-bond"
OPTION = "is no option of the {} game: it is one of the {} game"
HABIT = "is no habit of players in the {} game: it is one in the {} game"
PRESET = "is no preset of the {} game: it is one of the {} game"
METRIC = "is no metric of the {} game: it is one of the {} game"
BOTH = "shedding", "exchange"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["simulate", SHEDDING, "--set", "deadlock_rule=redeal"],
            f"--set deadlock_rule=redeal: 'deadlock_rule' {OPTION.format(*BOTH)}",
        ),
        (
            ["simulate", SHEDDING, "--set", "switch-weight=0"],
            f"--set switch-weight=0: 'switch-weight' {OPTION.format(*BOTH).replace('one of', 'a habit of players in')}",
        ),
        (
            ["simulate", EXCHANGE, "--set", "row_slots=3"],
            f"--set row_slots=3: 'row_slots' {OPTION.format(*BOTH[::-1])}",
        ),
        (
            ["simulate", SHEDDING, "--player", "1.churn_weight=0"],
            f"--player 1.churn_weight=0: 'churn_weight' {HABIT.format(*BOTH)}",
        ),
        (
            ["simulate", EXCHANGE, "--player", "1.card_choice=hunt_stress"],
            f"--player 1.card_choice=hunt_stress: 'card_choice' {HABIT.format(*BOTH[::-1])}",
        ),
        (
            ["simulate", EXCHANGE, "--player", "1=hunter"],
            f"--player 1=hunter: 'hunter' {PRESET.format(*BOTH[::-1])}",
        ),
        (
            ["simulate", SHEDDING, "--assert", "locked<0.1"],
            f"--assert 'locked<0.1': 'locked' {METRIC.format(*BOTH)}",
        ),
        (
            ["compare", SHEDDING, "ace=low", "--on", "locks"],
            f"--on: 'locks' {METRIC.format(*BOTH)}",
        ),
        (
            ["compare", SHEDDING, "deadlock_rule=redeal"],
            f"--set deadlock_rule=redeal: 'deadlock_rule' {OPTION.format(*BOTH)}",
        ),
        (
            ["rules", "show", EXCHANGE, "ace"],
            f"'ace' {OPTION.format(*BOTH[::-1])}",
        ),
        # Of the same family, but given in the other's place.
        (
            ["simulate", SHEDDING, "--set", "speed=1.1"],
            "--set speed=1.1: 'speed' is no option of the rules, it belongs to a player: --player all.speed=VALUE",
        ),
        (
            ["simulate", SHEDDING, "--player", "1.ace=low"],
            "--player 1.ace=low: 'ace' is no value of a player, it is an option of the rules: --set ace=VALUE",
        ),
    ],
)
def test_name_given_to_a_game_without_it__is_said_to_be_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert run_command(monkeypatch, capsys, *arguments) == (2, "", f"stressim: {said}\n")


@pytest.mark.parametrize("name", FAMILIES)
def test_whose__own_names_are_nobody_elses_unless_the_other_has_them_too(name: str) -> None:
    family = family_named(name)

    for model in (family.rules, family.habits):
        assert family_of(model) is family
    assert whose("no_such_name", family, "option") == ""
    for other in FAMILIES:
        strange = set(family_named(other).rules.model_fields) - set(family.rules.model_fields)
        expected = "" if other == name else f"one of the {other} game"
        assert {whose(option, family, "option") for option in strange or {""}} == {expected}
