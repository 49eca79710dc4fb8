"""Why deals of the exchange game are drawn is said as the rules have it."""

from __future__ import annotations

import pytest

from stressim.exchange.words import sentences
from stressim.simulate import simulate
from stressim.workbench.variants import Given, make_variant


@pytest.mark.parametrize(("tie", "at_once"), [("redeal", False), ("shared", True)])
def test_ending__players_done_at_once_make_a_draw_only_where_the_rules_say_so(tie: str, at_once: bool) -> None:
    given = Given(rules="james-bond", sets=("deadlock_rule=most_complete_wins", f"win_tie={tie}"), timing="human")
    base = make_variant(given)
    said = dict(sentences(simulate(base.rules, base.players, base.timing, deals=300, seed=1)))["Ending"]

    assert "the most complete bunches are equal" in said
    assert ("done at once" in said) is at_once
