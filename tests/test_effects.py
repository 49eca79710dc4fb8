from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from commanding import run_command

from stressim.errors import InputError
from stressim.output.text import WIDTH
from stressim.workbench.changes import all_changes
from stressim.workbench.compare import compare_variants
from stressim.workbench.effects import find_effects
from stressim.workbench.effects_telling import leading_sentences, render
from stressim.workbench.limits import read_limit
from stressim.workbench.phrases import change_and_interval, number_text, relative_text
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


def flat(found, **how):
    return " ".join(" ".join(line.text for line in render(found, **how)).split())


def test_effects__the_fewest_and_the_most_say_what_they_do_to_the_length(swedish, effects):
    for label, effect in (("Fewest", effects.ranked[0]), ("Most", effects.ranked[-1])):
        length = effect.differences["moves"]
        (text,) = (text for known, text in leading_sentences(effects) if known == label)
        both = f"; moves {length.value:,.0f} against {length.reference:,.0f} plays per deal, "
        assert both in re.sub(r"(\d)\.\d+ ", r"\1 ", text.replace("\xa0", " "))
    # Beside the length itself it would be said twice.
    of_length = find_effects(swedish, on="moves", deals=100)
    assert not any("; moves" in text for _, text in leading_sentences(of_length))


def numbers_of(found):
    """The last words of the table's head, and each change's row."""
    lines = [line.text for line in render(found, every=True)]
    place = next(place for place, line in enumerate(lines) if "95 %" in line)
    head = [part[-1] for part in (lines[place - 1].split(), lines[place].split()[:-2]) if part]
    return (head[0], *lines[place].split()[-2:]), {
        line.split()[0]: " ".join(line.split()) for line in lines if re.match(r"   \w+=\w+ ", line)
    }


def test_effects__columns_have_points_of_shares_and_per_cent_of_other_numbers(swedish, effects):
    for on, beside in (("stalls", "won"), ("moves", "won"), ("won", "moves")):
        found = effects if on == "stalls" else find_effects(swedish, on=on, deals=400)
        head, rows = numbers_of(found)
        assert head == (beside, "in", "pp" if beside == "won" else "%")
        told = [effect for effect in found.ranked if effect.change in rows]
        assert len(told) > 5
        for effect in told:
            one, other = effect.differences[on], effect.differences[beside]
            change, interval = change_and_interval(one)
            last = change_and_interval(other)[0] if beside == "won" else relative_text(other)
            assert rows[effect.change].endswith(f" {'0' if other.same_in_all else last}")
            middle = f" {change} {interval} " if on == "won" else f" {relative_text(one)} "
            assert middle in rows[effect.change]


def test_effects__lengths_of_deals_without_a_winner_are_said_to_end_there_once(swedish, effects):
    note = "Deals that nobody wins count up to where they end."
    assert flat(effects).count(note) == 1
    base = make_variant(Given(rules="james-bond", timing="uniform"))
    changes = all_changes(base)
    all_won = {change: changes.playable[change] for change in ("swap_max_cards=2", "handicap_bunches=1")}
    found = find_effects(base, on="swaps", deals=200, changes=replace(changes, playable=all_won))
    assert {effect.differences["won"].value for effect in found.all} == {1}
    assert found.ranked
    assert note not in flat(found)


def test_effects__rules_that_can_do_nothing_take_one_line():
    base = make_variant(Given(rules="james-bond", timing="uniform"))
    found = find_effects(base, on="locks", deals=60)
    said = flat(found)
    assert "handicap_player" not in said
    match = re.search(r"The same locks, won, moves and stalls in every deal \((\d+)\): --all names them\.", said)
    assert match is not None
    named = flat(found, every=True)
    assert "handicap_player=2,3,4,5,6,7,8,9,10,11,12" in named
    idle = [one for one in found.all if all(other.same_in_all for other in one.differences.values())]
    assert int(match[1]) == len(idle) + len(found.changes.alike)


def test_effects__what_does_not_combine_says_why():
    base = make_variant(Given(rules="james-bond", timing="uniform"))
    found = find_effects(base, on="locks", deals=20)
    said = flat(found)
    assert (
        "n_decks=2,4, n_jokers=1, cards_removed=1, centre_cards=2,3,5,8: n_players=2 does not come out even. " in said
    )
    assert "n_decks=5,6,7,8: 20 cards of each rank are on the table (deck, deck_copies and n_decks together), " in said
    assert " deck=custom needs deck_ranks. " in said
    spit = find_effects(make_variant(Given(rules="spit", timing="uniform")), deals=20)
    lines = [line.text for line in render(spit)]
    hidden = re.search(r"and (\d+) more \(--all, or --format json\)", "\n".join(lines))
    assert hidden is not None
    whole = flat(spit, every=True)
    assert all(change.partition("=")[0] in whole for change in spit.changes.impossible)
    assert max(map(len, lines)) <= WIDTH


def test_effects__say_how_long_rules_wait():
    base = make_variant(Given(rules="james-bond"))
    changes = all_changes(base, remedies=True)
    said = flat(find_effects(base, on="length_s", deals=60, changes=changes))
    assert "deadlock_rule=most_complete_wins applies after 10 s (deadlock_wait_s, a guess) without a swap." in said


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
