"""``stressim rules``: what is printed for people."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from stressim.commands.rules import command
from stressim.family import FAMILIES, family_named
from stressim.presets import preset_names
from stressim.rulesfile import load_rules, rules_schema
from stressim.rulesheet import rule_sheet
from stressim.shedding.rules import SheddingRules
from stressim.sources import TEXTS


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_rules_list__names_every_preset_with_title_and_source() -> None:
    lines = printed("list").splitlines()

    for name in preset_names():
        rules = load_rules(name)
        (line,) = [line for line in lines if line.startswith(f"  {name} ")]
        assert rules.title in line
        assert line.endswith(rules.source)


@pytest.mark.parametrize(
    "arguments", [("list",), ("show", "german", "--long"), *[("show", name) for name in preset_names()]]
)
def test_rules_output__is_at_most_78_columns(arguments: tuple[str, ...]) -> None:
    assert max(len(line) for line in printed(*arguments).splitlines()) <= 78


def test_rules_list__names_every_text_that_anything_cites() -> None:
    listed = printed("list")
    sources = [load_rules(name).source for name in preset_names()]
    for name in FAMILIES:
        family = family_named(name)
        sources += [
            info.json_schema_extra["source"]  # type: ignore[index, call-overload, misc]
            for model in (family.rules, family.habits)
            for info in model.model_fields.values()
        ]
    cited = {text for source in sources for text in re.findall(r"\bS\d|pagat|others", source)}

    assert cited == set(TEXTS)
    assert [text for text in cited if not re.search(rf"^  {text} +\w", listed, re.M)] == []


@pytest.mark.parametrize("arguments", [("list",), ("show", "swedish")])
def test_rules_output__says_how_to_read_a_source(arguments: tuple[str, ...]) -> None:
    said = " ".join(printed(*arguments).split())

    assert "S2:38 is line 38 of S2; U21 or A-U4 is a case that the texts leave open" in said


def test_rules_show__has_every_option_and_marks_what_differs() -> None:
    lines = printed("show", "german", "--set", "row-slots=3").splitlines()

    rows = {line[2:].split()[0]: line for line in lines if line[:2] in ("* ", "- ", "  ") and len(line.split()) > 2}
    assert set(SheddingRules.model_fields) <= set(rows)
    marked = {name for name, line in rows.items() if line.startswith("*") and name in SheddingRules.model_fields}
    assert marked == {
        name for name, value in load_rules("german", ["row_slots=3"]).options if value != getattr(SheddingRules(), name)
    }
    assert "changed from german: row_slots=3" in lines
    assert rows["tie_window_ms"].split()[:3] == ["tie_window_ms", "30", "ms"]


def test_rules_show__wide_values_are_cut() -> None:
    ranks = "a b c d e f g h i j k l m n"

    output = printed("show", "swedish", "--set", "deck=custom", "--set", f"deck_ranks={ranks}")

    assert max(len(line) for line in output.splitlines()) <= 78
    assert f"deck_ranks = {ranks}" in printed(
        "show", "swedish", "deck_ranks", "--set", "deck=custom", "--set", f"deck_ranks={ranks}"
    )


def test_rules_show__explains_single_options() -> None:
    output = printed("show", "swedish-low", "ace", "row-slots", "start_signal", "merge_mandatory")

    assert output.startswith("ace = low\n  where the ace stands (S2:34, S3:19, S4:23)\n")
    assert "    low: the ace is the lowest rank and the king a dead end\n" in output
    assert "    a whole number from 1 to 8\n" in output
    assert "changes the words of a replay only" in " ".join(output.split())
    assert output.endswith("    true or false\n")


def test_rules_show__long_explains_all_options() -> None:
    explained = [text.split(" = ")[0] for text in printed("show", "german", "--long").split("\n\n")]

    assert explained == list(SheddingRules.model_fields)


def test_rules_show__words_is_the_rule_sheet() -> None:
    assert printed("show", "german", "--words", "--set", "ace=low") == rule_sheet(load_rules("german", ["ace=low"]))


def test_rules_check__counts_what_differs(tmp_path: Path) -> None:
    one, two, three = tmp_path / "one.toml", tmp_path / "two.toml", tmp_path / "three.toml"
    one.write_text('extends = "german"\nace = "low"\n')
    two.write_text('family = "shedding"\nace = "low"\nrow_slots = 3\n')
    three.write_text('extends = "german"\n')

    assert printed("check", str(one), str(two), str(three), "swedish-low").splitlines() == [
        f"{one}: ok, 1 option differs from german",
        f"{two}: ok, 2 options differ from the defaults",
        f"{three}: ok, 0 options differ from german",
        "swedish-low: ok, 1 option differs from the defaults",
    ]


@pytest.mark.parametrize("how", ["check", "show"])
def test_rules__say_which_changes_do_nothing(tmp_path: Path, how: str) -> None:
    path = tmp_path / "kitchen.toml"
    path.write_text('extends = "james-bond"\nswap_deadline_s = 3\nhandicap_player = 2\nbunch_size = 3\n')
    said = " ".join(printed(how, str(path)).split())

    assert (
        " note: handicap_player counts only with handicap_bunches other than 0; swap_deadline_s counts only with "
        "deadlock_rule=swap_deadline"
    ) in said
    lines = printed(how, str(path)).splitlines()
    assert max(len(line) for line in lines if str(path) not in line) <= 78

    path.write_text('extends = "james-bond"\nswap_deadline_s = 3\ndeadlock_rule = "swap_deadline"\n')
    assert "note:" not in printed(how, str(path))


def test_rules_check__goes_on_after_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    bad, worse = tmp_path / "bad.toml", tmp_path / "worse.toml"
    bad.write_text('extends = "swedish"\nrow_slot = 3\n')
    worse.write_text('extends = "swedish"\nace = "middle"\n')
    found = CliRunner().invoke(command, ["check", str(bad), "swedish", str(worse)])

    assert "swedish: ok, 0 options differ from the defaults" in found.output
    assert f"{bad}: 'row_slot' is no option" in found.output
    assert f"{worse}: ace = 'middle' must be" in str(found.exception)


def test_rules_diff__shows_what_differs() -> None:
    assert printed("diff", "german", "german-beat").splitlines() == [
        "option         german  german-beat",
        "stress_signal  shout   shout_and_slap",
        "slap_target    none    both_piles",
    ]


def test_rules_diff__same_options(tmp_path: Path) -> None:
    path = tmp_path / "copy.toml"
    path.write_text('extends = "swedish"\nace = "low"\n')

    assert printed("diff", "swedish-low", str(path)) == f"swedish-low and {path} have the same options\n"


def test_rules_schema__is_json() -> None:
    assert json.loads(printed("schema")) == rules_schema("shedding")
    assert printed("schema") == printed("schema", "shedding")
