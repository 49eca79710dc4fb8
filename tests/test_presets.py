"""Presets of the shedding game say what their texts say: the columns of the rule texts S1 to S4, spelled out."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import stressim
from stressim.given_options import FACTS
from stressim.optiontext import word
from stressim.presets import preset_names
from stressim.rulesfile import LoadedRules, load_rules
from stressim.shedding.rules import SheddingRules

FOLDER = Path(stressim.__file__).parent / "shedding" / "presets"

# Rule, and its value in the base games of S1, S2, S3 and S4. Where a text is silent the value is the reading that the
# comment in the preset names.
BASE_GAMES = ("norwegian", "swedish", "swedish-merge", "german")
TABLE = """
n_players                2                       2                2                   2
deck                     french52                french52         french52            french52
deal_mode                split_one_deck          split_one_deck   split_one_deck      own_deck_each
n_jokers                 0                       0                0                   0
row_slots                4                       4                4                   4
merge_equal_ranks        always                  off              at_deal             off
merge_mandatory          false                   false            false               false
pile_play                either                  single           single              single
multi_card_play          off                     off              off                 off
refill_policy            optional_any_time       immediate        immediate           optional_any_time
stock_location           table                   table            hand                hand
start_flip               place_together          turn_from_stock  turn_from_stock     turn_from_stock
start_signal             count_1_2_3             agreed_sign      count_3_2_1         command
start_flip_equal         stress                  stress           stress              stress
equal_rank_playable      false                   false            false               false
ace                      wrap                    wrap             wrap                wrap
late_card                stays_if_legal          stays_if_legal   stays_if_legal      take_back
illegal_card             take_back               take_back        take_back           take_back
one_hand_only            false                   false            false               true
one_card_at_a_time       false                   false            false               true
restart_target           own_pile                own_pile         own_pile            own_pile
restart_trigger          locked                  locked           locked              locked_or_declined
restart_consent          mutual                  mutual           mutual              mutual
restart_empty_stock      opponent_gives          flip_alone       flip_alone          take_from_opponent
taken_card               top                     top              top                 top
giver_with_one_card      flip_alone              flip_alone       flip_alone          flip_alone
restart_both_empty       take_right_pile_shuffle undefined        undefined           undefined
flip_before_refill       true                    true             true                true
stress_on                tops_equal              tops_equal       tops_equal          tops_equal
stress_signal            shout_and_slap          shout_and_slap   shout_and_slap      shout
slap_target              right_pile              any_pile         right_pile          none
stress_loser             slower                  slower           slower              slower_or_forgot
stress_pickup            both                    both             left                both
other_pile_after_stress  stays                   stays            stays               stays
pickup_placement         shuffle_into_stock      under_stock      shuffle_into_stock  shuffle_into_stock
under_order              own_first               own_first        own_first           own_first
post_stress_empty_stock  opponent_gives          as_restart       as_restart          take_from_opponent
stress_tie               each_takes_right        each_takes_right each_takes_right    each_takes_right
play_on_equal_tops       cancels                 cancels          cancels             cancels
card_in_air_at_slap      goes_back               goes_back        goes_back           goes_back
false_call_penalty       none                    none             none                none
stress_stop              false                   false            false               false
pile_view                per_player              per_player       per_player          per_player
win_check_before_stress  true                    true             true                true
win_call                 none                    none             none                none
"""

# Variant, the game it varies, and everything in which it differs from that.
VARIANTS = {
    "swedish-low": ("swedish", {"ace": "low"}),
    "jass": (
        "german",
        {"deck": "jass36", "deal_mode": "split_one_deck", "stress_stop": "true", "win_call": "required"},
    ),
    "skat": ("german", {"deck": "skat32", "deal_mode": "split_one_deck", "row_slots": "3"}),
    "doppelkopf": ("german", {"deck": "doppelkopf48", "deal_mode": "split_one_deck"}),
    "german-jokers": ("german", {"n_jokers": "2"}),
    "german-beat": ("german", {"stress_signal": "shout_and_slap", "slap_target": "both_piles"}),
    "german-punish": ("german", {"false_call_penalty": "take_both"}),
    "german-stack": ("german", {"multi_card_play": "same_rank", "one_card_at_a_time": "false"}),
    "spit-bicycle": ("german", {"stress_on": "none", "refill_policy": "immediate"}),
}

# A relative of the game, and everything in which it differs from the model's defaults.
RELATIVES = {
    "speed": {
        "row_slots": "5", "row_visibility": "hidden", "one_card_at_a_time": "true", "restart_source": "side_piles",
        "stress_on": "none",
    },
    "spit": {
        "row_slots": "5", "row_piles": "growing", "move_to_empty": "true", "refill_policy": "none",
        "one_hand_only": "true", "one_card_at_a_time": "true", "stress_on": "none", "round_end": "slap_smaller_pile",
    },
}  # fmt: skip

CARDS_EACH = {
    "norwegian": 26,
    "swedish": 26,
    "swedish-low": 26,
    "swedish-merge": 26,
    "german": 52,
    "jass": 18,
    "skat": 16,
    "doppelkopf": 24,
    "german-jokers": 53,
    "german-beat": 52,
    "german-punish": 52,
    "german-stack": 52,
    "spit-bicycle": 52,
    "speed": 20,
    "spit": 26,
}


def shedding(name: str) -> SheddingRules:
    options = load_rules(name).options
    assert isinstance(options, SheddingRules)
    return options


def in_words(rules: LoadedRules) -> dict[str, str]:
    return {name: word(value) for name, value in rules.options}


@pytest.mark.parametrize("column", range(len(BASE_GAMES)), ids=BASE_GAMES)
def test_preset__is_faithful_to_its_text(column: int) -> None:
    expected = {line.split()[0]: line.split()[1 + column] for line in TABLE.strip().splitlines()}

    actual = in_words(load_rules(BASE_GAMES[column]))

    assert {name: actual[name] for name in expected} == expected


@pytest.mark.parametrize("name", VARIANTS)
def test_preset__variant_differs_in_what_its_text_says(name: str) -> None:
    base, expected = VARIANTS[name]
    before, after = in_words(load_rules(base)), in_words(load_rules(name))

    assert {option: value for option, value in after.items() if value != before[option]} == expected


@pytest.mark.parametrize("name", RELATIVES)
def test_preset__relative_differs_in_what_its_text_says(name: str) -> None:
    before, after = dict(SheddingRules()), dict(load_rules(name).options)

    assert {option: word(value) for option, value in after.items() if value != before[option]} == RELATIVES[name]


@pytest.mark.parametrize("name", CARDS_EACH)
def test_preset__deals_this_many_cards(name: str) -> None:
    assert shedding(name).cards_each == CARDS_EACH[name]


def test_preset__ranks_of_stripped_decks() -> None:
    assert shedding("jass").ranks == ("A", "6", "7", "8", "9", "10", "J", "Q", "K")
    assert shedding("skat").ranks == ("A", "7", "8", "9", "10", "J", "Q", "K")
    assert shedding("doppelkopf").ranks == ("A", "9", "10", "J", "Q", "K")


def test_presets__are_all_checked_here() -> None:
    shedding_presets = [name for name in preset_names() if load_rules(name).family.name == "shedding"]
    assert sorted(shedding_presets) == sorted({*BASE_GAMES, *VARIANTS, *RELATIVES}) == sorted(CARDS_EACH)


@pytest.mark.parametrize("name", CARDS_EACH)
def test_preset__lists_only_what_differs(name: str) -> None:
    content = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    base = load_rules(content["extends"]).options if "extends" in content else SheddingRules()
    before, after = dict(base), dict(load_rules(name).options)

    listed = [option for option in content if option not in FACTS]

    # german-jokers writes its joker_mode out because S4:70 does, although it is the default.
    assert [option for option in listed if after[option] == before[option]] == (
        ["joker_mode"] if name == "german-jokers" else []
    )


@pytest.mark.parametrize("name", CARDS_EACH)
def test_preset__cites_a_line_for_each_option(name: str) -> None:
    content = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    options = [line for line in content.splitlines() if re.match(r"\w+ = ", line) and line.split()[0] not in FACTS]

    uncited = [line for line in options if not re.search(r"#.*\b(S[0-4]:\d+|U\d+|pagat)", line)]

    # The control game is no text's game: its refill is that of the game which S2 compares with.
    assert [line.split()[0] for line in uncited] == (["refill_policy"] if name == "spit-bicycle" else [])


@pytest.mark.parametrize("name", CARDS_EACH)
def test_preset__has_a_title_and_a_source_that_fit_a_line(name: str) -> None:
    rules = load_rules(name)

    assert 10 <= len(rules.title) <= 42
    assert re.match(r"S[1-4](:\d+(-\d+)?)?(, (S\d|pagat))?$", rules.source)
    assert len(rules.source) <= 18


def test_presets__have_different_rules() -> None:
    hashes = {name: load_rules(name).rules_hash for name in preset_names()}

    assert len(set(hashes.values())) == len(hashes)
