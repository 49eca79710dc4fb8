"""Presets of the exchange game say what their text says: S0, spelled out."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import stressim
from stressim.exchange.rules import ExchangeRules
from stressim.given_options import FACTS
from stressim.optiontext import word
from stressim.presets import preset_names
from stressim.rulesfile import load_rules

FOLDER = Path(stressim.__file__).parent / "exchange" / "presets"

# Where the text is silent the value is the reading that the comment in the preset names.
BASE = """
n_players           2
deck                french52
n_decks             1
n_jokers            0
cards_removed       0
centre_cards        4
bunch_size          4
swap_order          put_down_first
swap_max_cards      1
take_back_own       allowed_later
after_snatch        may_wait
contested_card      first_touch
touch_tie           random
team_size           1
handicap_bunches    0
ranking             none
deadlock_rule       none
swap_deadline_s     5
win_tie             redeal
false_call_penalty  time_loss
announce_bunch      false
call_word           stress
"""

VARIANTS = {
    "james-bond-multi": {"swap_max_cards": "2"},
    "james-bond-deadline": {"deadlock_rule": "swap_deadline"},
    "james-bond-two-decks": {"n_decks": "2", "centre_cards": "8", "n_players": "6"},
    "james-bond-teams": {"n_players": "4", "team_size": "2"},
    "james-bond-ranked": {"n_players": "3", "ranking": "all_but_one"},
    "james-bond-solo": {"n_players": "1", "cards_removed": "24"},
}

BUNCHES_EACH = {
    "james-bond": 6,
    "james-bond-multi": 6,
    "james-bond-deadline": 6,
    "james-bond-two-decks": 4,
    "james-bond-teams": 6,
    "james-bond-ranked": 4,
    "james-bond-solo": 6,
}


def in_words(name: str) -> dict[str, str]:
    return {option: word(value) for option, value in load_rules(name).options}


def test_james_bond__is_faithful_to_its_text() -> None:
    expected = dict(line.split() for line in BASE.strip().splitlines())
    actual = in_words("james-bond")

    assert {option: actual[option] for option in expected} == expected


@pytest.mark.parametrize("name", VARIANTS)
def test_preset__variant_differs_in_what_the_text_says(name: str) -> None:
    before = in_words("james-bond")

    assert {option: value for option, value in in_words(name).items() if value != before[option]} == VARIANTS[name]


@pytest.mark.parametrize("name", BUNCHES_EACH)
def test_preset__deals_this_many_bunches(name: str) -> None:
    options = load_rules(name).options

    assert isinstance(options, ExchangeRules)
    assert options.bunches_each == BUNCHES_EACH[name]


def test_presets__are_all_checked_here() -> None:
    exchange = [name for name in preset_names() if load_rules(name).family.name == "exchange"]

    assert sorted(exchange) == sorted({"james-bond", *VARIANTS}) == sorted(BUNCHES_EACH)


@pytest.mark.parametrize("name", BUNCHES_EACH)
def test_preset__lists_only_what_differs_and_cites_a_line_for_it(name: str) -> None:
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    listed = [option for option in tomllib.loads(text) if option not in FACTS]
    lines = [line for line in text.splitlines() if re.match(r"\w+ = ", line) and line.split()[0] not in FACTS]

    assert listed == [line.split()[0] for line in lines]
    assert set(listed) == set(VARIANTS.get(name, {}))
    assert [line for line in lines if not re.search(r"#.*\b(S0:\d+|A-U\d+|A\d+|elsewhere)", line)] == []


@pytest.mark.parametrize("name", BUNCHES_EACH)
def test_preset__has_a_title_and_a_source_that_fit_a_line(name: str) -> None:
    rules = load_rules(name)

    assert 10 <= len(rules.title) <= 42
    assert re.match(r"S0(:\d+(, S0:\d+)*)?(, others)?$", rules.source)
    assert len(rules.source) <= 18
