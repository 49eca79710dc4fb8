"""The one change of rules that the answer of ``simulate`` ends with."""

from __future__ import annotations

import re

import pytest
from commanding import run_command

from stressim.family import family_named
from stressim.output.invocation import Invocation
from stressim.output.text import WIDTH
from stressim.players.time_options import declared
from stressim.simulate import simulate
from stressim.workbench.changes import all_changes
from stressim.workbench.effects import find_effects
from stressim.workbench.limits import read_limit
from stressim.workbench.remedies import Remedy, find_remedy, remedy_lines
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


def test_find_remedy__deals_several_times_as_long_are_said_with_what_helps_without() -> None:
    """Greedy players who deal again until somebody has a deal without a lock play for hours."""
    _, remedy = remedy_of(Given(rules="james-bond", players=("all=greedy",)), deals=200)
    asked = Invocation(rules="james-bond", players=("all=greedy",), deals=200, seed=1)
    lines = remedy_lines(remedy, asked)
    said = " ".join(" ".join(line.text.split()) for line in lines)
    assert remedy.best is not None
    assert remedy.shorter is not None
    long, short = (effect.differences["length_s"] for effect in (remedy.best, remedy.shorter))

    assert remedy.change == "deadlock_rule=redeal"
    assert long.value > 10 * long.reference
    assert short.value < 3 * short.reference
    assert remedy.shorter.differences["won"].verdict == "more"
    assert f"length_s {long.value:,.0f} against {long.reference:,.0f} s, " in said
    assert f": deals are {long.value / long.reference:.0f} times as long." in said
    assert "Deals that nobody wins count up to where they end." in said
    assert "deadlock_rule=redeal applies after 10 s (deadlock_wait_s, a guess) without a swap." in said
    assert f"Helps most without making deals so long: --set {remedy.shorter.change} won " in said
    assert (
        "With other waits: stressim sweep james-bond --set deadlock_rule=redeal --player all=greedy "
        "--vary deadlock_wait_s=10,30,60,120 "
    ) in said
    assert max(len(line.text) for line in lines if line.kind != "command") <= WIDTH


def test_remedy_lines__a_length_that_hardly_changes_stands_beside_the_wins() -> None:
    base, remedy = remedy_of(Given(rules="swedish", timing="uniform"))
    said = " ".join(line.text.strip() for line in remedy_lines(remedy, base.given.invocation(400, 1)))

    assert remedy.shorter is None
    assert re.search(r"for 400 deals each\. moves \d+ against \d+ plays per deal, \+\d+ \(\+\d+ to \+\d+\), ", said)
    assert "times as long" not in said
    assert "With other waits" not in said


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
