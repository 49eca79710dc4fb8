"""An option that is said to do nothing with the others changes no deal."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from stressim.commands.rules import command
from stressim.errors import InputError
from stressim.family import FAMILIES, family_named
from stressim.players.time_options import declared
from stressim.workbench.changes import other_values
from stressim.workbench.together import play_rows
from stressim.workbench.variants import Given, make_variant

DEALS = 40
SHEDDING = ("swedish", "swedish-merge", "norwegian", "german", "german-stack", "jass", "speed", "spit")


@pytest.mark.parametrize(
    ("rules", "timing"),
    [
        *((rules, "human") for rules in ("swedish", "speed", "spit", "james-bond", "james-bond-deadline")),
        *((rules, "uniform") for rules in (*SHEDDING, "james-bond-deadline", "james-bond-multi", "james-bond-ranked")),
    ],
)
def test_option__that_lacks_a_condition_changes_no_deal(rules, timing):
    given = Given(rules=rules, timing=timing)
    base = make_variant(given)
    clock = timing == "human"
    rows = play_rows(base.family, base.lowered, 1, 0, DEALS)
    tried = []
    for name, info in type(base.rules.options).model_fields.items():
        if not base.rules.options.lacking(name, clock=clock) or declared(info).get("match"):
            continue
        for value in other_values(info, getattr(base.rules.options, name)):
            try:
                variant = make_variant(given.changed([f"{name}={value}"]))
            except InputError:
                continue
            tried.append(name)
            assert np.array_equal(rows, play_rows(base.family, variant.lowered, 1, 0, DEALS)), f"{name}={value}"
    assert len(set(tried)) >= 3


@pytest.mark.parametrize("family", FAMILIES)
def test_needs__names_options_and_values_that_exist(family):
    fields = family_named(family).rules.model_fields
    conditions = {one for info in fields.values() for one in str(declared(info).get("needs", "")).split()}
    assert conditions
    for condition in conditions:
        name, _, words = condition.partition("=")
        kind = fields[name.removesuffix("!")].annotation
        known = kind.words() if hasattr(kind, "words") else words.split("|")
        assert set(words.split("|")) <= set(known)


def test_lacking__is_empty_once_the_condition_is_met():
    swedish = make_variant(Given(rules="swedish")).rules.options
    assert swedish.lacking("stress_share") == "n_players!=2"
    assert swedish.lacking("deck_copies") == "deck=custom"
    assert (swedish.lacking("late_card"), swedish.lacking("late_card", clock=False)) == ("", "timing=human")
    three = make_variant(Given(rules="swedish", n_players=3)).rules.options
    assert three.lacking("stress_share") == ""
    waits = make_variant(Given(rules="james-bond", sets=("deadlock_rule=most_complete_wins",))).rules.options
    assert (waits.lacking("deadlock_wait_s"), waits.lacking("swap_deadline_s")) == ("", "deadlock_rule=swap_deadline")


def test_rules_show__marks_what_does_nothing_and_explains_only_marks_that_are_there():
    plain = CliRunner().invoke(command, ["show", "swedish"]).output
    assert "\n- deck_copies " in plain
    assert "\n- n_decks " in plain
    assert "\n  deck " in plain
    assert "* differs" not in plain
    assert "- does nothing" in plain
    changed = CliRunner().invoke(command, ["show", "swedish", "--set", "ace=low"]).output
    assert "\n* ace " in changed
    assert "* differs" in changed
    said = CliRunner().invoke(command, ["show", "swedish", "stress_share"]).output
    assert "does nothing here: needs n_players other than 2" in " ".join(said.split())
    assert max(map(len, plain.splitlines())) <= 78
