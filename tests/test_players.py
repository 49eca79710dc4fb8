"""Timing defaults, handles, presets, player files and ``--player`` texts."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from stressim.commands.players import command, player_lines
from stressim.errors import InputError
from stressim.family import FAMILIES, family_named
from stressim.players import Player, Timing, describe_player, resolve_players
from stressim.players.distributions import Distribution, Empirical
from stressim.players.player import HANDLES
from stressim.players.player_files import habits_preset, preset_files, read_chain
from stressim.players.resolve import resolve_player
from stressim.players.time_options import declared
from stressim.players.timing import timing_fields
from stressim.shedding.habits import CardChoice, SheddingHabits

DEFAULTS = {
    "notice_base": "exgauss(300,45,70)",
    "scan_per_card": 45,
    "scan_absent_factor": 2,
    "choice_cost": 60,
    "reach_grasp": "lognormal(300,60)",
    "carry_to_land": "lognormal(340,60)",
    "late_card_return": "lognormal(450,100)",
    "abort_window": 150,
    "refill_from_hand": "lognormal(450,90)",
    "refill_from_table": "lognormal(600,110)",
    "merge_own_cards": "lognormal(500,100)",
    "stuck_agreement": "lognormal(500,150)",
    "countdown": "fixed(1800)",
    "flip": "normal(350,60)",
    "stress_notice": "exgauss(360,45,70)",
    "busy_penalty": 150,
    "anticipation_gain": 80,
    "slap_move": "lognormal(220,40)",
    "seat_ms_per_cm": 7,
    "p_miss_stress": 0.05,
    "p_false_slap": 0.002,
    "false_slap_adjacent_factor": 5,
    "p_illegal_play": 0.01,
    "pickup_shuffled": "fixed(6000)",
    "pickup_under": "fixed(3000)",
    "call": "lognormal(400,80)",
    "pickup_bunch": "lognormal(1000,200)",
    "encode_card": 150,
    "put_back_bunch": "lognormal(600,120)",
    "put_down_card": "lognormal(400,80)",
    "take_card_touch": "lognormal(250,50)",
    "take_card_return": "lognormal(350,70)",
    "decide_no_use": 300,
    "patience": "exponential(3000)",
    "person_cognitive_sd": 0.15,
    "person_motor_sd": 0.12,
    "person_correlation": 0.5,
}
GUESSED_TIMES = {
    "abort_return", "illegal_card_return", "give_card", "false_call_recovery",
    "lay_complete_bunch", "further_card", "p_false_call", "false_call_loss",
}  # fmt: skip
FAMILY_HABITS = [family_named(name).habits for name in FAMILIES]


def players(*texts, n_players=2):
    return resolve_players(texts, n_players, SheddingHabits)


def test_timing__defaults_are_those_of_the_evidence():
    said = Timing().model_dump()
    assert {name: said[name] for name in DEFAULTS} == DEFAULTS
    assert set(said) == set(DEFAULTS) | GUESSED_TIMES


@pytest.mark.parametrize("name", Timing.model_fields)
def test_timing__every_value_says_what_it_is_and_how_well_it_is_known(name):
    field = Timing.model_fields[name]
    about = declared(field)
    assert field.description
    assert about["source"]
    assert about["evidence"] in {"supported", "moderate", "guess"}
    assert about["evidence"] != "guess" or about["source"].startswith("guess")
    if field.annotation is Distribution:
        assert about["unit"] == "ms"


def test_timing__cognitive_values_are_marked():
    cognitive = {name for name, field in Timing.model_fields.items() if declared(field)["part"] == "cognitive"}
    assert cognitive == {
        "notice_base", "scan_per_card", "choice_cost", "stress_notice", "stuck_agreement", "busy_penalty",
        "encode_card", "decide_no_use",
    }  # fmt: skip


@pytest.mark.parametrize(("habits_model", "n_presets"), list(zip(FAMILY_HABITS, (6, 5), strict=True)))
def test_player__names_of_values_and_presets_are_unique(habits_model, n_presets):
    names = [*HANDLES, *Timing.model_fields, *habits_model.model_fields]
    assert len(set(names)) == len(names)
    parts = [part for part, _ in preset_files(habits_model).values()]
    assert parts.count("times") == 6
    assert parts.count("habits") == n_presets


@pytest.mark.parametrize("habits_model", FAMILY_HABITS)
def test_timing__a_family_knows_its_own_times_and_the_shared_ones(habits_model):
    others = {model.family for model in FAMILY_HABITS} - {habits_model.family}
    known = timing_fields(habits_model.family)
    assert {declared(field)["family"] for field in known.values()} == {"", habits_model.family}
    assert {"notice_base", "scan_per_card", "seat_ms_per_cm", "call", "person_motor_sd"} <= set(known)
    for name, field in Timing.model_fields.items():
        assert (name in known) == (declared(field)["family"] not in others)


def test_describe_player__names_no_guesses_of_another_family():
    shedding, exchange = (describe_player(Player(habits=model()))["guesses"].keys() for model in FAMILY_HABITS)
    assert "countdown" in shedding - exchange
    assert "patience" in exchange - shedding


@pytest.mark.parametrize("habits_model", FAMILY_HABITS)
def test_habits_preset__names_the_habits_in_force(habits_model):
    for name, (part, _) in preset_files(habits_model).items():
        if part == "habits":
            player = resolve_player([f"casual+{name}"], habits_model)
            assert describe_player(player)["habits"] == habits_preset(player.habits) == name
    assert habits_preset(habits_model()) in {"first-seen", "sensible"}


def test_speed__divides_all_times_and_nothing_else():
    plain, quick = players("2.speed=1.25")
    for name, field in Timing.model_fields.items():
        before, after = getattr(plain.times, name), getattr(quick.times, name)
        factor = 1 / 1.25 if declared(field)["unit"].startswith("ms") else 1
        if isinstance(before, Distribution):
            assert after.mean == pytest.approx(before.mean * factor)
            assert after.sd == pytest.approx(before.sd * factor)
        else:
            assert after == pytest.approx(before * factor)


def test_age__slopes_apply_above_25():
    plain, senior = players("2=senior")
    added = {
        name: getattr(senior.times, name).mean - getattr(plain.times, name).mean
        for name, field in Timing.model_fields.items()
        if field.annotation is Distribution
    }
    assert added["notice_base"] == pytest.approx(45 * 2.8)
    assert added["stress_notice"] == pytest.approx(45 * 1.6)
    assert added["slap_move"] == pytest.approx(45 * 0.55)
    assert added["countdown"] == added["stuck_agreement"] == 0
    assert senior.times.scan_per_card == plain.times.scan_per_card
    assert players("1.age=20")[0].times == plain.times


def test_age__a_child_takes_longer_by_one_factor():
    plain, child = players("2=child-8")
    factor = (15 / 8) ** 0.815
    assert child.times.notice_base.mean == pytest.approx(370 * factor)
    assert child.times.abort_window == pytest.approx(150 * factor)
    assert child.times.p_miss_stress == plain.times.p_miss_stress
    assert players("1.age=15")[0].times == plain.times


def test_times__a_changed_copy_has_its_own():
    plain = Player(habits=SheddingHabits())
    assert plain.times.abort_window == 150
    assert plain.model_copy(update={"speed": 2.0}).times.abort_window == 75


def test_presets__say_what_their_names_promise():
    assert players("1=adult")[0].timing == Timing()
    assert players("1=casual")[0].speed == 0.85
    expert = players("1=expert")[0]
    assert (expert.speed, expert.timing.p_miss_stress, expert.timing.scan_per_card) == (1.3, 0.02, 22.5)
    assert [players(f"1={name}")[0].age for name in ("senior", "child-8", "child-12")] == [70, 8, 12]
    assert players("1=first-seen")[0].habits == SheddingHabits()
    assert players("1=decliner")[0].habits.decline == 0.3
    choices = {name: players(f"1={name}")[0].habits.card_choice for name in ("hunter", "shunner", "blocker", "planner")}
    assert list(choices.values()) == [
        CardChoice.HUNT_STRESS, CardChoice.SHUN_STRESS, CardChoice.BLOCK_OPPONENT, CardChoice.KEEP_FOLLOW_UP,
    ]  # fmt: skip


@pytest.mark.parametrize("name", preset_files(SheddingHabits))
def test_presets__have_a_title_and_are_nobodys_change(name):
    sheet = read_chain(name, SheddingHabits)[0]
    assert sheet.title != name
    assert sheet.own == frozenset()


def test_texts__without_any_all_are_adults():
    both = players()
    assert both[0] == both[1] == Player(habits=SheddingHabits(), presets=("adult",))


def test_texts__a_number_means_one_player_and_all_means_all():
    first, second, third = players("all.speed=1.2", "3.speed=1.3", "2=senior", n_players=3)
    assert (first.speed, second.speed, third.speed) == (1.2, 1.0, 1.3)
    assert [each.name for each in (first, second, third)] == ["adult", "senior", "adult"]


def test_texts__a_preset_replaces_its_part_only():
    first, _ = players("1.speed=2", "1.decline=0.1", "1=hunter")
    assert (first.speed, first.habits.decline, first.habits.card_choice) == (2, 0, CardChoice.HUNT_STRESS)
    assert first.changed == {"speed": "2"}
    first, _ = players("1=hunter", "1.speed=2", "1=casual")
    assert (first.name, first.speed, first.changed) == ("casual+hunter", 0.85, {})


def test_texts__joined_names_add_up_and_the_later_goes_over_the_earlier():
    first, second = players("1=expert+senior+hunter", "2=expert+casual")
    assert (first.speed, first.age, first.habits.card_choice) == (1.3, 70, CardChoice.HUNT_STRESS)
    assert first.presets == ("expert", "senior", "hunter")
    assert (second.speed, second.timing.p_miss_stress) == (0.85, 0.02)


def test_texts__hyphens_and_capitals_do_not_matter():
    first, second = players("1=Child_8", "ALL.person-sd=yes", "2.card-choice=Hunt-Stress")
    assert first.age == 8
    assert second.person_sd
    assert second.habits.card_choice == CardChoice.HUNT_STRESS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("senior", "must be PLAYER=PRESET or PLAYER.NAME=VALUE"),
        ("=senior", "must be PLAYER=PRESET"),
        ("1.=3", "must be PLAYER=PRESET"),
        ("3=senior", "'3' is no player: write a number from 1 to 2, or all"),
        ("0.speed=1", "'0' is no player"),
        ("1=senoir", "'senoir' is no preset and no file; did you mean 'senior'"),
        ("1=", "'' is no preset and no file: presets are adult, casual"),
        ("1=expert+huntr", "did you mean 'hunter'"),
        ("1.sped=2", "'sped' is no value of a player; did you mean 'speed'"),
        ("1.speed=fast", "speed = 'fast' must be a number from 0.1 to 10"),
        ("1.speed=0", "speed = '0' must be a number from 0.1 to 10"),
        ("1.age=4", "age = '4' must be a number from 5 to 100"),
        ("1.p_miss_stress=2", "must be a number from 0 to 1"),
        ("1.person_sd=perhaps", "must be true or false"),
        ("1.card_choice=hunt", "card_choice = 'hunt' must be first_seen, random"),
        ("1.flip=normal(350)", r"flip = 'normal\(350\)': must be written normal\(mean,sd\)"),
        ("1.flip=fixed(-1)", r"flip: fixed\(-1\): value must be a number of ms from 0"),
        ("1.flip=csv(none.csv,a)", "flip: none.csv cannot be read"),
        ("1=none.toml", "none.toml cannot be read"),
    ],
)
def test_texts__what_is_wrong_is_said_in_one_sentence(text, said):
    with pytest.raises(InputError, match=said) as caught:
        players(text)
    assert str(caught.value).startswith("--player ")
    assert "\n" not in str(caught.value)


def test_player_file__adds_to_what_it_extends(tmp_path):
    (tmp_path / "times.csv").write_text("look\n300\n500\n", encoding="utf-8")
    (tmp_path / "base.toml").write_text(
        'extends = "senior+planner"\nspeed = 1.1\nnotice_base = "csv(times.csv,look)"\n', encoding="utf-8"
    )
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "me.toml").write_text(
        'title = "me"\nextends = "../base.toml"\nreach-grasp = [250, 350]\nperson_sd = true\ndecline = 0.5\n',
        encoding="utf-8",
    )
    path = tmp_path / "more" / "me.toml"
    first, second = players(f"1={path}", "2=casual")
    assert (first.age, first.speed, first.person_sd) == (70, 1.1, True)
    assert first.timing.notice_base.mean == 400
    assert first.timing.reach_grasp == Empirical((250, 350))
    assert (first.habits.card_choice, first.habits.decline) == (CardChoice.KEEP_FOLLOW_UP, 0.5)
    assert set(first.changed) == {"speed", "person_sd", "notice_base", "reach_grasp", "decline"}
    assert second.changed == {}


def test_player_file__of_times_alone_leaves_the_habits(tmp_path):
    (tmp_path / "me.toml").write_text("speed = 1.1\n", encoding="utf-8")
    first, _ = players("1=hunter", f"1={tmp_path / 'me.toml'}")
    assert first.habits.card_choice == CardChoice.HUNT_STRESS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("speed = ", "is no valid TOML"),
        ("", "says nothing about a player"),
        ('title = "me"', "says nothing about a player"),
        ("sped = 1", "me.toml: 'sped' is no value of a player; did you mean 'speed'"),
        ('speed = "1.1"', "speed = '1.1' must be a number from 0.1 to 10 without quotation marks"),
        ("extends = 3", "extends = 3 must be text"),
        ('extends = "me.toml"', "extends goes round in a circle"),
        ('extends = "exprt"', "me.toml: 'exprt' is no preset and no file; did you mean 'expert'"),
        ("[timing]\nspeed = 1", "'timing' is no value of a player"),
        ("flip = true", "flip = true: must be a number of ms or exgauss"),
    ],
)
def test_player_file__what_is_wrong_is_said(tmp_path, monkeypatch, content, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "me.toml").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        players("1=me.toml")


def test_player_file__no_ordinary_text_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "null.toml").write_bytes(b"speed = 1\0")
    for name, said in (("folder", "is a folder"), ("bytes", "is no UTF-8 text"), ("null", "is a binary file")):
        with pytest.raises(InputError, match=said):
            players(f"1={name}.toml")
    with pytest.raises(InputError, match="is no ordinary file"):
        players("1=/dev/null")


def test_describe_player__is_json_and_lists_guesses_in_force():
    first, second = (describe_player(player) for player in players("1=expert+hunter", "1.countdown=900", "1.speed=2"))
    assert json.loads(json.dumps(first)) == first
    assert first["name"] == "expert+hunter"
    assert first["presets"] == ["expert", "hunter"]
    assert (first["speed"], first["age"], first["seat_distance_cm"], first["person_sd"]) == (2, 25, 0, False)
    assert first["changed"] == {"speed": "2", "countdown": "fixed(900)"}
    assert set(second["guesses"]) - set(first["guesses"]) == {"countdown"}
    assert second["guesses"]["p_false_slap"] == "0.002"
    assert "notice_base" not in second["guesses"]


def test_players_list__names_every_preset():
    result = CliRunner().invoke(command, ["list"], catch_exceptions=False)
    assert result.exit_code == 0
    for name in preset_files(SheddingHabits):
        assert f"  {name} " in result.output


def test_players_show__prints_values_in_force_and_marks_guesses():
    result = CliRunner().invoke(command, ["show", "senior+hunter", "countdown=900"], catch_exceptions=False)
    lines = {line.split()[0]: line for line in result.output.splitlines() if line.strip()}
    assert lines["notice_base"].split()[1:] == ["exgauss(426,45,70)", "496", "83", "supported"]
    assert lines["p_false_slap"].split()[1:] == ["0.002", "guess"]
    assert lines["countdown"].split()[1:] == ["fixed(900)", "900", "0", "given"]
    assert lines["card_choice"].split()[1:] == ["hunt_stress"]


def test_players_show__finds_the_family_that_knows_the_habits():
    found = CliRunner().invoke(command, ["show", "senior+greedy"], catch_exceptions=False).output
    assert "yield_weight" in found
    assert "patience" in found
    assert "countdown" not in found
    assert "card_choice" in CliRunner().invoke(command, ["show", "adult"], catch_exceptions=False).output
    assert "yield_weight" in CliRunner().invoke(command, ["show", "adult", "--family", "exchange"]).output


@pytest.mark.parametrize("habits_model", FAMILY_HABITS)
@pytest.mark.parametrize("long_form", [False, True])
def test_players_show__keeps_to_78_columns(long_form, habits_model):
    player = resolve_player(["child-8", "speed=0.3", f"flip=list({','.join(['1234.5'] * 40)})"], habits_model)
    assert max(len(line) for text in player_lines(player, long_form=long_form) for line in text.splitlines()) <= 78


def test_players_show__a_wrong_name_is_an_input_error():
    with pytest.raises(InputError, match="did you mean 'senior'"):
        CliRunner().invoke(command, ["show", "senoir"], catch_exceptions=False)


def test_players__do_without_heavy_imports():
    code = """
import sys, stressim.lowering
from stressim.shedding.habits import SheddingHabits
from stressim.shedding.rules import SheddingRules
players = stressim.players.resolve_players(["1=expert+hunter"], 2, SheddingHabits)
stressim.lowering.lower(SheddingRules(), players)
print(*({"scipy", "pandas", "numba", "matplotlib", "rich"} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
