"""The one change of rules that the answer of ``simulate`` ends with."""

from __future__ import annotations

import pytest
from commanding import run_command

from stressim.family import family_named
from stressim.players.time_options import declared
from stressim.simulate import simulate
from stressim.workbench.changes import all_changes
from stressim.workbench.effects import find_effects
from stressim.workbench.limits import read_limit
from stressim.workbench.remedies import Remedy, find_remedy
from stressim.workbench.variants import Given, Variant, make_variant


def remedy_of(given: Given, deals: int = 400) -> tuple[Variant, Remedy]:
    base = make_variant(given)
    result = simulate(base.rules, base.players, base.timing, deals=deals, seed=1)
    remedy = find_remedy(base, result.estimates["won"], all_changes(base, remedies=True), deals=deals, seed=1)
    assert remedy is not None
    return base, remedy


@pytest.mark.parametrize("name", ["shedding", "exchange"])
def test_remedies__leave_cards_and_players_alone(name: str) -> None:
    fields = family_named(name).rules.model_fields
    marked = {option for option, info in fields.items() if declared(info).get("remedy")}

    assert len(marked) >= 5
    assert not marked & {"n_players", "deck", "deck_ranks", "deck_copies", "n_decks", "n_jokers", "row_slots"}
    assert not [option for option in marked if declared(fields[option]).get("cosmetic")]


def test_find_remedy__is_the_best_of_all_effects() -> None:
    base, remedy = remedy_of(Given(rules="swedish", timing="uniform"))
    of_all = find_effects(base, on="won", deals=400)
    allowed = set(all_changes(base, remedies=True).playable)
    best = [effect for effect in of_all.ranked if effect.change in allowed][-1]

    assert remedy.on == "won"
    assert remedy.tried == len(allowed)
    assert remedy.best is not None
    assert remedy.best.differences["won"].value == best.differences["won"].value
    assert remedy.change.startswith("restart_both_empty=")


def test_find_remedy__of_locks_between_greedy_players() -> None:
    _, remedy = remedy_of(Given(rules="james-bond", players=("all=greedy",), timing="uniform"), deals=100)

    assert (remedy.on, remedy.change) == ("won", "deadlock_rule=redeal")


def test_find_remedy__fewer_stalls_are_not_bought_with_deals_without_a_winner() -> None:
    """With every deal won, most_complete_wins has the fewest stalls, and leaves many deals drawn."""
    base, remedy = remedy_of(Given(rules="james-bond"), deals=100)
    everything = find_effects(base, on="stalls", changes=all_changes(base, remedies=True), deals=100)
    keep = [read_limit("won>-1pp", base, "--keep")]
    kept = find_effects(base, on="stalls", keep=keep, changes=all_changes(base, remedies=True), deals=100)

    assert everything.ranked[0].change == "deadlock_rule=most_complete_wins"
    assert remedy.on == "stalls"
    assert remedy.change != "deadlock_rule=most_complete_wins"
    fewer = [effect.change for effect in kept.ranked if effect.differences["stalls"].verdict == "fewer"]
    assert remedy.change == (fewer[0] if fewer else "")


def test_simulate__ends_with_what_helps_most_and_the_change_does_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["simulate", "swedish", "--timing", "uniform", "--deals", "400"]
    _, said, _ = run_command(monkeypatch, capsys, *asked)
    change = said.partition("Helps most to a winner:  --set ")[2].split()[0]
    _, helped, _ = run_command(monkeypatch, capsys, *asked, "--set", change)

    assert "won 100 % against" in said
    assert "All changes:  stressim effects swedish --timing uniform --on won" in said
    assert "All deals have a winner" in helped


def test_simulate__programs_are_told_the_result_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, said, _ = run_command(
        monkeypatch, capsys, "simulate", "swedish", "--timing", "uniform", "--deals", "400", "--format", "json"
    )

    assert "take_right_pile_shuffle" not in said
