from __future__ import annotations

import csv
import io
import json
from itertools import pairwise

import pytest
from commanding import run_command

from stressim.errors import InputError
from stressim.output.text import WIDTH
from stressim.workbench.changes import all_changes
from stressim.workbench.compare import compare_variants
from stressim.workbench.effects import find_effects
from stressim.workbench.effects_telling import render
from stressim.workbench.limits import read_limit
from stressim.workbench.phrases import number_text
from stressim.workbench.variants import Given, make_variant, read_variants


@pytest.fixture(scope="module")
def swedish():
    return make_variant(Given(rules="swedish", timing="uniform"))


@pytest.fixture(scope="module")
def effects(swedish):
    return find_effects(swedish, deals=400)


def test_all_changes__every_option_that_a_kernel_reads_is_changed(swedish):
    changes = all_changes(swedish)
    tried = {change.partition("=")[0] for change in [*changes.playable, *changes.alike, *changes.impossible]}
    fields = type(swedish.rules.options).model_fields
    expected = {
        name
        for name, info in fields.items()
        if not info.json_schema_extra["cosmetic"]
        and "match" not in info.json_schema_extra
        and info.json_schema_extra.get("tried") != []  # who sits at the table
        and name not in ("deck_ranks", "slap_grace_ms")
    }
    assert tried == expected
    assert {"ace=low", "ace=high", "row_slots=8"} <= set(changes.playable)
    assert "ace=wrap" not in changes.playable
    assert "stress_signal" in changes.impossible["slap_target=none"]


def test_all_changes__stand_on_what_is_given():
    base = make_variant(Given(rules="swedish", sets=("ace=low",), players=("2=senior",)))
    changes = all_changes(base)
    assert "ace=wrap" in changes.playable
    assert changes.playable["row_slots=5"].rules.options.ace.word == "low"
    assert changes.playable["row_slots=5"].players[1].name == "senior"


def test_effects__are_the_differences_of_compare(effects):
    found = compare_variants(read_variants(["swedish", "row_slots=5"], timing="uniform"), deals=400, on=["stalls"])
    one = next(effect for effect in effects.all if effect.change == "row_slots=5").differences["stalls"]
    other = found.difference("stalls")
    assert (one.difference, one.low, one.high, one.p) == (other.difference, other.low, other.high, other.p)


def test_effects__rank_from_fewest_to_most_and_correct_for_all(effects):
    gaps = [effect.differences["stalls"].difference for effect in effects.ranked]
    assert gaps == sorted(gaps)
    assert gaps[0] < 0 < gaps[-1]
    tested = [effect.differences["stalls"] for effect in effects.all if effect.differences["stalls"].p is not None]
    assert all(one.corrected_p >= one.p for one in tested)
    smallest = min(tested, key=lambda one: one.p)
    assert smallest.corrected_p == pytest.approx(min(1, smallest.p * len(tested)), rel=1e-2)


def test_effects__keep_leaves_out_what_changes_other_numbers(swedish):
    limits = [read_limit(text, swedish, "--keep") for text in ("moves=±10%", "won>-5pp")]
    kept = find_effects(swedish, keep=limits, deals=400)
    assert 0 < len(kept.ranked) < len(find_effects(swedish, deals=400).ranked)
    for effect in kept.ranked:
        assert abs(effect.differences["moves"].relative) <= 0.1
        assert effect.differences["won"].difference > -0.05


def test_effects__threads_do_not_change_a_byte(swedish, effects):
    from stressim.workbench.effects_telling import effects_dict

    assert effects_dict(find_effects(swedish, deals=400, jobs=3)) == effects_dict(effects)


def test_effects__frame_and_plot(effects):
    frame = effects.frame
    assert set(frame["metric"]) == {"stalls", "moves", "won"}
    assert effects.plot().get_xlabel().startswith("change of stalls")


def test_effects__refuse_an_unknown_metric(swedish):
    with pytest.raises(InputError, match="did you mean 'stalls'"):
        find_effects(swedish, on="stals", deals=10)


def test_effects__text_says_each_change_whole_with_its_numbers_in_columns(swedish):
    found = find_effects(swedish, on="one_stock_empty", deals=400)
    lines = [line.text for line in render(found, every=True) if line.kind in ("row", "heading")]
    head = lines[: next(place for place, line in enumerate(lines) if "change" in line) + 1]
    assert "".join(line.removeprefix("  change").split()[0] for line in head) == "one_stock_empty"
    rows, begun = [], ""
    for line in lines[len(head) :]:
        if line.endswith("="):
            begun = line.strip()
        elif line.strip() not in ("fewer", "more"):
            name, _, numbers = line.strip().partition(" ")
            rows.append((begun + name, numbers.split()[0], line.index(" %")))
            begun = ""
    expected = {effect.change: effect.differences["one_stock_empty"] for effect in found.ranked}
    assert max(map(len, expected)) > 39  # there is one for which the line is too short
    assert {change: number for change, number, _ in rows} == {
        change: number_text(one, one.value).removesuffix(" %") for change, one in expected.items()
    }
    assert len({place for *_, place in rows}) == 1
    assert max(map(len, lines)) <= WIDTH


def test_effects__text_of_no_difference_has_no_table(swedish):
    found = find_effects(swedish, on="stress_missed", deals=100)  # without a clock nobody misses one
    lines = [line.text for line in render(found)]
    assert not any("in %" in line for line in lines)
    assert not any(one == other == "" for one, other in pairwise(lines))


def test_effects_command__formats_and_picture(monkeypatch, capsys, tmp_path):
    given = ("effects", "james-bond", "--timing", "uniform", "--deals", "60", "--on", "moves")
    path = tmp_path / "tornado.svg"
    status, out, _ = run_command(monkeypatch, capsys, *given, "--plot", str(path))
    assert status == 0
    assert out.startswith("james-bond: ")
    assert "Fewest" in out
    assert max(len(line) for line in out.splitlines() if "stressim" not in line) <= 78
    assert "which single change moves moves" in path.read_text(encoding="utf-8")
    told = json.loads(run_command(monkeypatch, capsys, *given, "--format", "json")[1])
    assert told["on"] == "moves"
    rows = list(csv.DictReader(io.StringIO(run_command(monkeypatch, capsys, *given, "--format", "csv")[1])))
    assert len(rows) > len(told["effects"]) > 10
    assert "| change | moves |" in run_command(monkeypatch, capsys, *given, "--format", "markdown")[1]
    assert run_command(monkeypatch, capsys, *given, "--keep", "length_s=10%")[0] == 2
