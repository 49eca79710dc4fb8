"""Headings name what was played, whatever was changed and by which option."""

from __future__ import annotations

import pytest
from commanding import run_command

from stressim.explorer.atlas import make_atlas
from stressim.explorer.atlas_page import atlas_page
from stressim.workbench.variants import Given, make_variant

CHANGED = "james-bond n_players=3 swap_max_cards=2 2=greedy"
OPTIONS = (
    "--players",
    "3",
    "--set",
    "swap_max_cards=2",
    "--player",
    "2=greedy",
    "--timing",
    "uniform",
    "--deals",
    "20",
)


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("find", ("--most", "moves")),
        ("effects", ("--on", "stalls")),
        ("sweep", ("--vary", "take_back_own=allowed_later,forbidden", "--on", "stalls")),
        ("atlas", ("--logged", "5")),
    ],
)
def test_heading__names_players_rules_and_habits(monkeypatch, capsys, command, more):
    status, out, _ = run_command(monkeypatch, capsys, command, "james-bond", *more, *OPTIONS)
    assert status == 0
    assert " ".join(out.split()).startswith(f"{CHANGED}: ")


def test_heading__of_an_atlas_page_and_of_markdown(monkeypatch, capsys):
    variant = make_variant(Given(rules="james-bond", n_players=3, timing="uniform"))
    page = atlas_page(make_atlas(variant, deals=20, logged=2))
    assert "<title>Stall atlas: james-bond n_players=3</title>" in page
    given = (
        "sweep",
        "james-bond",
        "--vary",
        "take_back_own=allowed_later",
        "--on",
        "stalls",
        *OPTIONS,
        "--format",
        "markdown",
    )
    assert run_command(monkeypatch, capsys, *given)[1].replace("\\", "").startswith(f"**{CHANGED}**")


def test_heading__says_nothing_of_as_many_players_as_the_rules_name():
    assert make_variant(Given(rules="swedish", n_players=2)).label == "swedish"


def test_heading__can_be_given_as_a_variant_again(monkeypatch, capsys):
    label = make_variant(Given(rules="swedish", n_players=3, sets=("ace=low",), players=("3=senior",))).label
    given = ("compare", label, "--timing", "uniform", "ace=wrap", "--deals", "20", "--on", "moves")
    assert label in run_command(monkeypatch, capsys, *given)[1]
