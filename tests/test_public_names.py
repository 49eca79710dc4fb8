from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from commanding import run_command

import stressim


@pytest.mark.parametrize("name", stressim.__all__)
def test_public_names__are_there_and_explained(name):
    assert name in dir(stressim)
    assert name == "__version__" or getattr(stressim, name).__doc__


def test_public_names__cost_nothing_until_they_are_used():
    code = (
        "import sys, stressim; heavy = {'numpy', 'numba', 'pandas', 'matplotlib', 'pydantic'} & set(sys.modules);"
        "import stressim.simulate; assert callable(stressim.simulate) and stressim.simulate.__module__ != 'stressim';"
        "print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_public_names__an_unknown_one_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'simulated'"):
        _ = stressim.simulated


def test_results__draw_on_axes_of_the_user():
    from matplotlib.figure import Figure

    axes = Figure().subplots(2, 2).ravel()
    found = stressim.simulate("swedish", deals=300)
    assert found.plot(axes[0]) is axes[0]
    compared = stressim.compare("swedish", "ace=low", deals=300)
    swept = stressim.sweep("swedish", {"ace": ["wrap", "low"]}, deals=100)
    changed = stressim.effects("swedish", on="won", timing="uniform", deals=30)
    for place, one in enumerate((compared, swept, changed), start=1):
        assert one.plot(axes[place]) is axes[place]
        assert axes[place].get_xlabel()
    assert len(found.frame) > 30
    assert [repr(each) for each in (found, compared, swept)] == [
        "<swedish: 300 deals, human timing, seed 1>",
        "<swedish against swedish with ace=low: 300 deals each, seed 1>",
        "<swedish by ace: 2 points, 100 deals each, seed 1>",
    ]
    assert repr(changed).endswith(" changes of swedish ranked by won: 30 deals each, seed 1>")


def test_changes__are_given_as_mappings_or_texts():
    given = {"deals": 50, "timing": "uniform"}
    one = stressim.simulate("swedish", sets={"ace": "low", "merge_mandatory": True}, players={"2": "hunter"}, **given)
    other = stressim.simulate("swedish", sets=["ace=low", "merge_mandatory=true"], players=["2=hunter"], **given)
    assert one.estimates == other.estimates
    assert one.players[1].name == "adult+hunter"


def test_compare__sizes_that_do_not_matter():
    found = stressim.compare("swedish", "tie_window_ms=29", deals=2000, on=["stalls"], matter={"stalls": "20%"})
    assert found.difference("stalls").verdict == "too small to matter"


def test_find__wants_one_of_most_and_least():
    with pytest.raises(stressim.InputError, match="one of them"):
        stressim.find("swedish", deals=10)


def test_compare__takes_variants_in_a_list():
    given = {"deals": 50, "timing": "uniform", "on": ["moves"]}
    one = stressim.compare("swedish", ["ace=low", "norwegian"], **given)
    other = stressim.compare("swedish", "ace=low", "norwegian", **given)
    assert [variant.label for variant in one.variants] == ["swedish", "ace=low", "norwegian"]
    assert one.differences == other.differences


def test_results__are_said_in_one_line():
    found = stressim.find("swedish", most="stalls", deals=50, timing="uniform", top=3)
    assert str(found) == "<swedish: 3 deals with most stalls of 50, uniform timing, seed 1>"
    estimate = stressim.simulate("swedish", deals=50, timing="uniform").estimates["stalls"]
    assert re.fullmatch(r"<stalls: [\d.]+ \([\d.]+ to [\d.]+\) per deal>", str(estimate))
    few = stressim.simulate("swedish", deals=1, timing="uniform").estimates["moves"]
    assert "no interval, too few deals" in str(few)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: stressim.simulate("swedish", sets={"row_slot": 5}), "sets row_slot=5: 'row_slot' is no option"),
        (lambda: stressim.compare("swedish", "ace=low", players={"9": "senior"}), "players 9=senior: "),
        (lambda: stressim.simulate("swedish", timing="humans"), "timing 'humans' "),
        (lambda: stressim.sweep("swedish", {"ace": []}), "vary ace: no value is given"),
        (lambda: stressim.simulate("swedish", sets=["ace=low", "ace=high"]), "sets: ace is given twice"),
        (lambda: stressim.simulate("swedish", sets=["n_players=3"], n_players=4), "n_players 4 and sets n_players=3"),
        (lambda: stressim.tournament("swedish", form="league"), "form 'league' must be"),
        (lambda: stressim.replay("swedish", -1), "deal = -1"),
    ],
)
def test_errors__speak_of_arguments(call, said):
    with pytest.raises(stressim.InputError) as refused:
        call()
    assert said in str(refused.value)
    assert "--" not in str(refused.value)


def test_replay__tells_and_draws_a_deal(tmp_path, monkeypatch, capsys):
    found = stressim.replay("swedish", 3, timing="uniform", sets={"ace": "low"})
    given = ("replay", "swedish", "--deal", "3", "--timing", "uniform", "--set", "ace=low")
    assert run_command(monkeypatch, capsys, *given)[1].endswith("\n\n" + str(found))
    assert repr(found).startswith("<swedish with ace=low, deal 3 of seed 1: ")
    assert len(found.frame) == len(found.data["events"])
    found.save(tmp_path / "deal.svg")
    assert "deal 3 of seed 1" in (tmp_path / "deal.svg").read_text(encoding="utf-8")


def test_tournament_and_atlas__are_what_the_commands_give(monkeypatch, capsys):
    found = stressim.tournament("swedish", {"4.speed": 1.1}, timing="uniform", tournaments=20)
    given = ("tournament", "swedish", "--player", "4.speed=1.1", "--timing", "uniform", "--tournaments", "20")
    told = json.loads(run_command(monkeypatch, capsys, *given, "--output", "json")[1])
    assert found.records == told["standings"]
    assert "20 times knockout of 4, won most by" in repr(found)
    ways = stressim.atlas("norwegian", timing="uniform", deals=50, logged=10)
    given = ("atlas", "norwegian", "--timing", "uniform", "--deals", "50", "--logged", "10", "--format", "json")
    assert ways.records == json.loads(run_command(monkeypatch, capsys, *given)[1])["ways"]
    assert len(ways.frame) == len(ways.found)
    assert repr(ways).startswith("<norwegian: ")
