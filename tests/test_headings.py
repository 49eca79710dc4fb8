"""Headings name what was played, whatever was changed and by which option."""

from __future__ import annotations

import re

import pytest
from commanding import run_command
from made_up_deals import made_up_result

from stressim.explorer.atlas import make_atlas
from stressim.explorer.atlas_page import atlas_page
from stressim.plots import figure
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


COMMON = ("--set", "row_slots=3", "--players", "3", "--player", "1.speed=1.1", "--deals", "20", "--timing", "uniform")


@pytest.mark.parametrize(
    ("variants", "names"),
    [
        (
            ("swedish", "ace=low"),
            "ace=low against swedish · both with n_players=3, row_slots=3, 1.speed=1.1 · uniform timing · ",
        ),
        (
            ("swedish", "ace=low", "row_slots=4"),
            "ace=low with row_slots=3 and row_slots=4 against swedish with row_slots=3 · all with n_players=3, ",
        ),
        (
            ("swedish 2=senior", "ace=low"),
            "ace=low against swedish 2=senior · both with n_players=3, row_slots=3, 1.speed=1.1 · ",
        ),
    ],
)
def test_heading__of_compare_says_what_is_changed_for_all(monkeypatch, capsys, variants, names):
    given = ("compare", *variants, *COMMON, "--on", "moves")
    status, out, _ = run_command(monkeypatch, capsys, *given)
    assert status == 0
    assert " ".join(out.split()).startswith(names)


def test_heading__of_compare_as_markdown_and_as_picture_says_what_is_changed_for_all(monkeypatch, capsys, tmp_path):
    path = tmp_path / "forest.svg"
    given = ("compare", "swedish", "ace=low", *COMMON, "--on", "moves", "--format", "markdown", "--plot", str(path))
    said = "both with n_players=3, row_slots=3, 1.speed=1.1"
    assert f": uniform timing, {said}, 20 deals" in run_command(monkeypatch, capsys, *given)[1].replace("\\", "")
    drawn = " ".join(re.findall(r"<text[^>]*>([^<]+)</text>", path.read_text(encoding="utf-8")))
    assert f"ace=low beside swedish, {said}" in drawn


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_heading__of_simulate_tells_players_of_other_values_apart(monkeypatch, capsys, form):
    players = ("--player", "1.speed=1.1", "--player", "2=senior", "--timing", "uniform")
    given = ("simulate", "swedish", *players, "--deals", "20", "--format", form)
    out = " ".join(run_command(monkeypatch, capsys, *given)[1].split())
    assert "adult speed=1.1 against senior, uniform timing" in out
    if form == "text":
        assert "player 1 (adult speed=1.1)" in out.replace("Player", "player")


def test_heading__of_a_picture_says_all_players_in_two_lines():
    players = ("1.speed=1.1", "1.p_miss_stress=0.2", "2=senior+first-seen", "2.p_illegal_play=0.1", "2.age=66")
    result = made_up_result(players=players)
    said = [text.get_text() for text in figure(result).texts]
    assert said[:3] == [
        "swedish",
        "2,000 deals · adult speed=1.1 p_miss_stress=0.2 against senior+first-seen age=66 p_illegal_play=0.1,",
        "human timing · seed 1",
    ]
    assert figure(made_up_result()).texts[1].get_text() == ("2,000 deals · adult against adult, human timing · seed 1")


def test_heading__says_nothing_of_as_many_players_as_the_rules_name():
    assert make_variant(Given(rules="swedish", n_players=2)).label == "swedish"


def test_heading__can_be_given_as_a_variant_again(monkeypatch, capsys):
    label = make_variant(Given(rules="swedish", n_players=3, sets=("ace=low",), players=("3=senior",))).label
    given = ("compare", label, "--timing", "uniform", "ace=wrap", "--deals", "20", "--on", "moves")
    assert label in run_command(monkeypatch, capsys, *given)[1]
