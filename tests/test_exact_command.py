"""``stressim exact``: what it prints, in which forms, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from click.testing import CliRunner

from stressim.cli import cli
from stressim.errors import InputError


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["exact", *arguments], catch_exceptions=False, standalone_mode=False)
    return result.output


def test_text__number_fraction_and_sentence() -> None:
    text = run("swedish")

    assert re.search(r"first_flip_equal +0\.0588\d+ +1/17\n +The first flip makes the tops equal", text)
    assert max(map(len, text.splitlines())) <= 78


def test_heading__says_changed_rules_as_everywhere() -> None:
    changes = ("jass", "--set", "ace=low", "--set", "row_slots=3")

    assert run(*changes).startswith("jass with ace=low, row_slots=3 · exact\n")
    assert run(*changes, "--format", "markdown").startswith("**jass with ace=low, row\\_slots=3**: exact\n")


def test_text__says_what_is_left_out() -> None:
    text = run("swedish", "--set", "start_flip_equal=reflip")

    assert re.search(r"left out\n +nobody_can_play, stalled_at_start", text)


def test_json__values_fractions_and_manifest() -> None:
    found = json.loads(run("james-bond", "--players", "3", "--format", "json"))

    assert found["rules"]["n_players"] == 3
    assert found["quantities"]["bunch_paired"]["fraction"] == "1349/4165"
    assert found["quantities"]["bunch_paired"]["value"] == pytest.approx(1349 / 4165)
    assert found["quantities"]["match_deals_best_of_5"]["value"] == 4.125


def test_json__what_is_left_out_has_a_reason_and_no_value() -> None:
    found = json.loads(run("swedish", "--set", "start_flip_equal=reflip", "--format", "json"))
    entry = found["quantities"]["stalled_at_start"]

    assert entry["value"] is None
    assert "reflip" in entry["left_out"]


def test_csv_and_markdown__one_row_for_each_quantity() -> None:
    n = len(json.loads(run("jass", "--format", "json"))["quantities"])
    rows = list(csv.DictReader(io.StringIO(run("jass", "--format", "csv"))))

    assert len(rows) == n
    assert rows[0]["fraction [unit]"] == "3/35"
    assert run("jass", "--format", "markdown").count("\n| ") == n + 2


def test_win__goes_into_matches() -> None:
    found = json.loads(run("swedish", "--win", "0.55", "--format", "json"))

    assert found["win"] == "11/20"
    assert found["quantities"]["match_win_best_of_3"]["fraction"] == "2299/4000"


def test_race__is_integrated() -> None:
    times = ("exgauss(360,45,70)", "exgauss(460,45,70)")
    found = json.loads(run("swedish", "--race", *times, "--format", "json"))
    tied = json.loads(run("swedish", "--race", times[0], times[0], "--window", "30", "--format", "json"))

    assert found["quantities"]["race_first"]["value"] == pytest.approx(0.82749, abs=6e-6)
    assert tied["quantities"]["race_tie"]["value"] == pytest.approx(0.23114, abs=6e-6)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("swedisch",), "swedish"),
        (("swedish", "--format", "xml"), "must be text, json, csv or markdown"),
        (("swedish", "--win", "1.2"), "from 0 to 1"),
        (("swedish", "--win", "1/0"), "no probability"),
        (("swedish", "--race", "exgaus(1,2,3)", "5"), "did you mean 'exgauss'"),
        (("swedish", "--race", "5", "5", "--window", "-1"), "must be from 0"),
    ],
)
def test_bad_input__one_sentence(arguments: tuple[str, ...], says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        run(*arguments)


def test_exact__columns_stay_apart_and_a_single_deal_is_said_in_words() -> None:
    out = CliRunner().invoke(cli, ["exact", "james-bond", "--players", "2.0"]).output
    rows = [row for line in out.splitlines() if (row := re.match(r"  \w+ +[\d.e-]+( +)[(\d]", line))]
    assert len(rows) > 10
    assert {row.end() for row in rows} == {rows[0].end()}
    said = " ".join(out.split())
    assert "Player 1 wins a match of one won deal (match_format=single), if 1/2 of the won deals are his." in said
    assert "Player 1 wins a match best_of(3), if 1/2 of the won deals are his." in said
