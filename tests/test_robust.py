from __future__ import annotations

import json

import pytest
from commanding import run_command

from stressim.workbench.compare import compare_variants
from stressim.workbench.robust import repeat, settings_of
from stressim.workbench.variants import read_variants


def test_settings__are_no_clock_and_every_guess_halved_and_doubled():
    settings = {
        setting.name: setting.variants for setting in settings_of(read_variants(["swedish", "2.flip=fixed(80)"]))
    }
    assert settings["uniform timing"][0].timing.word == "uniform"
    times = [settings[f"countdown {word}"][0].players[0].timing.countdown.mean for word in ("halved", "doubled")]
    assert times == pytest.approx([900, 3600])
    chances = [settings[f"p_illegal_play {word}"][1].players[1].timing.p_illegal_play for word in ("halved", "doubled")]
    assert chances == pytest.approx([0.005, 0.02])
    # What is measured is left alone, and so is a guess of the user's own.
    assert "scan_per_card halved" not in settings
    flips = [player.timing.flip.mean for player in settings["flip doubled"][1].players]
    assert flips == pytest.approx([700, 80])


def test_settings__of_the_other_family_are_its_own():
    names = {setting.name for setting in settings_of(read_variants(["james-bond", "swap_max_cards=2"]))}
    assert "countdown doubled" not in names
    assert len(names) > 3


def test_repeat__tells_what_depends_on_timing_from_what_does_not():
    found = compare_variants(read_variants(["swedish", "1.speed=1.2 ace=low"]), deals=1500, on=["stalls", "win_1"])
    stalls, win = {one.metric.name: one for one in repeat(found)}.values()
    if stalls.metric.name != "stalls":
        stalls, win = win, stalls
    assert (stalls.mark, stalls.flips) == ("robust", ())
    assert stalls.lowest <= found.difference("stalls").difference <= stalls.highest
    assert win.mark == "depends on timing"
    assert "uniform timing" in [flip.setting for flip in win.flips]


def test_repeat__a_number_that_needs_a_clock_is_left_out_without_one():
    variants = read_variants(["swedish", "ace=low"])
    found = compare_variants(variants, deals=400, on=["length_s", "moves"])
    counts = {one.metric.name: one.n_settings for one in repeat(found)}
    assert counts["length_s"] == counts["moves"] - 1 == len(settings_of(variants)) - 1


def test_commands__say_and_print_what_is_robust(monkeypatch, capsys):
    given = ("compare", "swedish", "ace=low", "--deals", "400", "--on", "stalls", "--robust")
    out = run_command(monkeypatch, capsys, *given)[1]
    assert "stalls more: robust, the same in" in " ".join(out.split())
    told = json.loads(run_command(monkeypatch, capsys, *given, "--format", "json")[1])["robust"]
    assert [(one["metric"], one["mark"], one["flips"]) for one in told] == [("stalls", "robust", [])]
    assert "- ace=low: stalls more: robust" in run_command(monkeypatch, capsys, *given, "--format", "markdown")[1]
    given = ("effects", "swedish", "--deals", "60", "--robust")
    told = json.loads(run_command(monkeypatch, capsys, *given, "--format", "json")[1])["robust"]
    assert [one["mark"] for one in told] == ["robust", "robust"]
