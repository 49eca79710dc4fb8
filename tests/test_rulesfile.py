"""Rules files that can be used; those that cannot are in test_bad_rules.py."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import stressim
from stressim.given_options import FACTS
from stressim.options import Choice
from stressim.optiontext import word
from stressim.presets import preset_names
from stressim.rulesfile import load_rules, rules_hash, rules_schema
from stressim.shedding.choices import Ace, JokerMode
from stressim.shedding.rules import SheddingRules

PACKAGE = Path(stressim.__file__).parent


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def options(name: str | Path, *sets: str) -> SheddingRules:
    loaded = load_rules(name, sets).options
    assert isinstance(loaded, SheddingRules)
    return loaded


def test_load_rules__preset() -> None:
    rules = load_rules("german")

    assert (rules.name, rules.base, rules.family.name) == ("german", "german", "shedding")
    assert rules.title == "German, a deck each"
    assert rules.source == "S4"
    assert rules.changed == {}


@pytest.mark.parametrize("given", ["swedish-low", "swedish_low", "Swedish-Low", " swedish-low "])
def test_load_rules__preset_names_take_hyphen_or_underscore(given: str) -> None:
    assert load_rules(given).name == "swedish-low"


def test_load_rules__file_that_extends_a_preset(tmp_path: Path) -> None:
    path = write(tmp_path / "house.toml", 'extends = "german"\ntitle = "Ours"\nsource = "us"\nace = "low"\n')

    rules = load_rules(path)

    assert (rules.name, rules.title, rules.source, rules.base) == (str(path), "Ours", "us", "german")
    assert rules.changed == {"ace": "low"}
    assert rules.options == options("german", "ace=low")


def test_load_rules__file_without_title_and_source(tmp_path: Path) -> None:
    path = write(tmp_path / "house.toml", 'extends = "german"\n')

    rules = load_rules(path)

    assert (rules.title, rules.source) == (str(path), "after german")


def test_load_rules__file_that_extends_nothing_is_compared_with_the_defaults(tmp_path: Path) -> None:
    path = write(tmp_path / "house.toml", 'family = "shedding"\nrow_slots = 3\nmerge_mandatory = true\n')

    rules = load_rules(path)

    assert rules.base == ""
    assert rules.changed == {"row_slots": "3", "merge_mandatory": "true"}


def test_load_rules__path_in_extends_is_relative_to_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "club").mkdir()
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path / "club" / "base.toml", 'extends = "swedish-low"\nrow_slots = 3\n')
    write(tmp_path / "club" / "friday.toml", 'extends = "base.toml"\nstress_pickup = "left"\nrow_slots = 5\n')
    path = write(tmp_path / "mine.toml", 'extends = "club/friday.toml"\n')
    monkeypatch.chdir(tmp_path / "elsewhere")

    rules = load_rules(path)

    assert rules.base == "swedish-low"
    assert rules.changed == {"row_slots": "5", "stress_pickup": "left"}
    assert options(path).ace == Ace.LOW


def test_load_rules__preset_goes_before_a_file_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "swedish", 'extends = "german"\n')

    assert load_rules("swedish").base == "swedish"
    assert load_rules("./swedish").base == "german"


def test_load_rules__file_with_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(b'\xef\xbb\xbfextends = "swedish"\r\nace = "low"\r\n')

    assert load_rules(path).changed == {"ace": "low"}


def test_load_rules__title_cannot_draw_on_the_terminal(tmp_path: Path) -> None:
    path = write(tmp_path / "house.toml", 'extends = "swedish"\ntitle = "\\u001b[31mred\\nalert"\n')

    assert load_rules(path).title == "[31mred alert"


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ("ace=low", "ace", Ace.LOW),
        ("ace=LOW", "ace", Ace.LOW),
        (" ace = low ", "ace", Ace.LOW),
        ("stress-pickup=left", "stress_pickup", "left"),
        ("pickup_placement=shuffle-into-stock", "pickup_placement", "shuffle_into_stock"),
        ("row_slots=3", "row_slots", 3),
        ("row-slots=+3", "row_slots", 3),
        ("merge_mandatory=true", "merge_mandatory", True),
        ("merge_mandatory=Yes", "merge_mandatory", True),
        ("flip_before_refill=no", "flip_before_refill", False),
        ("flip_before_refill=FALSE", "flip_before_refill", False),
        ("tie_window_ms=45", "tie_window_ms", 45.0),
        ("tie_window_ms=4.5e1", "tie_window_ms", 45.0),
    ],
)
def test_load_rules__changes_have_the_options_kind(text: str, option: str, value: object) -> None:
    actual = getattr(options("swedish", text), option)

    assert (actual.word if isinstance(value, str) else actual) == value
    assert type(actual) is type(value) or isinstance(value, str)


def test_load_rules__later_change_counts() -> None:
    assert options("swedish", "ace=low", "ace=high").ace == Ace.HIGH


def test_load_rules__changes_may_mend_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "house.toml", 'extends = "german"\nmulti_card_play = "same_rank"\n')

    assert options(path, "one_card_at_a_time=false") == options("german-stack")


def test_load_rules__number_of_players() -> None:
    assert load_rules("swedish", n_players=2).rules_hash == load_rules("swedish").rules_hash


def test_load_rules__custom_deck_by_number(tmp_path: Path) -> None:
    path = write(tmp_path / "house.toml", 'extends = "swedish"\ndeck = "custom"\ndeck_ranks = 9\n')

    assert options(path).ranks == ("A", "2", "3", "4", "5", "6", "7", "8", "9")


def test_load_rules__hyphens_in_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "house.toml", 'extends = "swedish"\nrow-slots = 3\nstress-pickup = "left"\n')

    assert load_rules(path).changed == {"row_slots": "3", "stress_pickup": "left"}


def test_load_rules__options_written_out_in_full_are_the_same_rules(tmp_path: Path) -> None:
    for name in preset_names():
        rules = load_rules(name)
        lines = [f'family = "{rules.family.name}"']
        for option, value in rules.options:
            text = word(value)
            lines.append(f"{option} = {text}" if isinstance(value, bool | float) else f"{option} = {_toml(value)}")
        path = write(tmp_path / f"{name}-copy.toml", "\n".join(lines))

        assert load_rules(path).options == rules.options
        assert load_rules(path).rules_hash == rules.rules_hash


def _toml(value: object) -> str:
    return json.dumps(value.word if isinstance(value, Choice) else value)


def test_rules_hash__is_the_same_on_every_machine_and_run() -> None:
    script = "from stressim.rulesfile import load_rules; print(load_rules('german').rules_hash)"
    hashes = [
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    ]

    assert hashes == [load_rules("german").rules_hash] * 2
    assert len(hashes[0]) == 16


def test_rules_hash__leaves_out_names_and_titles(tmp_path: Path) -> None:
    path = write(tmp_path / "house.toml", 'extends = "german"\ntitle = "Other"\nsource = "other"\n')

    assert load_rules(path).rules_hash == load_rules("german").rules_hash


def test_rules_hash__does_not_tell_zero_from_minus_zero() -> None:
    assert load_rules("swedish", ["slap_grace_ms=-0"]).rules_hash == load_rules("swedish").rules_hash


def test_rules_hash__depends_on_every_option() -> None:
    family, base = load_rules("swedish").family, SheddingRules()
    hashes = {rules_hash(family, base)}
    changed = 0
    for name, value in base:
        for other in _others(value):
            try:
                rules = SheddingRules(**{name: other})
            except ValidationError:
                continue  # such as deck=custom alone
            hashes.add(rules_hash(family, rules))
            changed += 1

    assert len(hashes) == changed + 1
    assert changed > 60


def _others(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, Choice):
        return [member for member in type(value) if member != value]
    return [value + 1] if isinstance(value, int | float) else []


def test_rules_schema__describes_every_key() -> None:
    properties = rules_schema("shedding")["properties"]

    assert list(properties) == [*FACTS, *SheddingRules.model_fields]
    assert [name for name, schema in properties.items() if not schema["description"]] == []


def test_rules_schema__defaults_and_choices_are_words() -> None:
    properties = rules_schema("shedding")["properties"]

    assert properties["ace"]["default"] == "wrap"
    assert [choice["const"] for choice in properties["joker_mode"]["oneOf"]] == JokerMode.words()
    assert properties["row_slots"]["maximum"] == 8


def test_rules_schema__accepts_its_own_defaults() -> None:
    schema = rules_schema("shedding")
    defaults = {name: entry["default"] for name, entry in schema["properties"].items() if "default" in entry}

    assert complaints({"family": "shedding", **defaults}, schema) == []
    assert SheddingRules(**defaults) == SheddingRules()


@pytest.mark.parametrize("name", preset_names())
def test_rules_schema__accepts_presets(name: str) -> None:
    family = load_rules(name).family.name
    content = tomllib.loads((PACKAGE / family / "presets" / f"{name}.toml").read_text(encoding="utf-8"))

    assert complaints(content, rules_schema(family)) == []


@pytest.mark.parametrize(
    "content",
    [
        {"ace": "low"},
        {"family": "exchange"},
        {"family": "shedding", "ace": "lw"},
        {"family": "shedding", "ace": 1},
        {"family": "shedding", "row_slots": 9},
        {"family": "shedding", "row_slots": True},
        {"family": "shedding", "merge_mandatory": 1},
        {"family": "shedding", "colour": "green"},
        {"extends": 3},
    ],
)
def test_rules_schema__refuses_what_the_loader_refuses(content: dict[str, Any]) -> None:
    assert len(complaints(content, rules_schema("shedding"))) == 1


def complaints(content: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """Judge content by the part of JSON schema that rules files need; an unknown keyword is an error."""
    known = {"$schema", "title", "type", "properties", "anyOf", "additionalProperties"}
    assert set(schema) == known
    found = []
    if not any(all(key in content for key in choice["required"]) for choice in schema["anyOf"]):
        found.append("a required key is missing")
    for key, value in content.items():
        if key not in schema["properties"]:
            found.append(f"{key} is unknown")
        elif not _fits(value, schema["properties"][key]):
            found.append(f"{key} = {value}")
    return found


def _fits(value: object, schema: dict[str, Any]) -> bool:
    kinds: dict[str, Any] = {"string": str, "integer": int, "number": (int, float), "boolean": bool}
    words = {"title", "description", "default", "source", "unit", "cosmetic", "match", "remedy", "tried", "examples"}
    words |= {"needs", "clock"}
    assert set(schema) - words <= {"type", "const", "oneOf", "minimum", "maximum"}
    if "type" in schema:
        wanted = schema["type"]
        if not isinstance(value, kinds[wanted]) or (isinstance(value, bool) and wanted != "boolean"):
            return False
    if "const" in schema and value != schema["const"]:
        return False
    if "oneOf" in schema and [choice["const"] for choice in schema["oneOf"]].count(value) != 1:
        return False
    if isinstance(value, int | float):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True
