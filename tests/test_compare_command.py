from __future__ import annotations

import csv
import io
import json
import shlex
import sys

import pytest
from made_up_deals import SHEDDING, made_up_rows, play_made_up_deals

from stressim.__main__ import main


@pytest.fixture(autouse=True)
def made_up_kernel(monkeypatch):
    def play(lowered, seed, first, rows):
        play_made_up_deals(lowered, seed, first, rows)
        if lowered.rules["ace"][0]:
            rows[:, [column.name for column in SHEDDING.columns].index("stalls")] += 1
        if lowered.rules["reflexes"][0]:
            rows[:] = made_up_rows(len(rows), seed + 1, first)

    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play)


@pytest.fixture
def run(monkeypatch, capsys):
    """Return a function that runs a command line and returns its status, output and complaints."""

    def run_command(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["stressim", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return ended.value.code, captured.out, captured.err

    return run_command


def test_compare__says_verdicts_flips_and_how_to_get_it_again(run):
    status, out, err = run("compare", "swedish", "ace=low", "--deals", "2000")
    assert (status, err) == (0, "")
    assert "stalls     more:" in out
    assert "outcome    No deal ends otherwise; with the same rules and other" in out
    assert "moves      " not in out.split("number")[0]
    assert max(len(line) for line in out.splitlines() if "stressim" not in line) <= 78


def test_compare__the_command_it_names_gives_the_same(run):
    _, first, _ = run(
        "compare", "swedish", "ace=low 2=senior", "--deals", "900", "--on", "stalls", "--matter", "stalls=1%"
    )
    again = first.splitlines()[-1].replace("Again:", "").strip()
    assert again.startswith("stressim compare")
    _, second, _ = run(*shlex.split(again)[1:])
    assert first.splitlines()[2:] == second.splitlines()[2:]


@pytest.mark.parametrize(
    ("claim", "status", "said"),
    [("stalls>+2%", 1, "FAIL  ace=low: stalls>+2%"), ("stalls<-2%", 0, "pass"), ("won.high>1pp", 0, "pass")],
)
def test_compare__fail_if_ends_with_1(run, claim, status, said):
    found, _, err = run("compare", "swedish", "ace=low", "--deals", "1000", "--fail-if", claim)
    assert found == status
    assert said in err


def test_compare__formats(run):
    json_out = run("compare", "swedish", "ace=low", "--deals", "500", "--format", "json")[1]
    told = json.loads(json_out)
    assert told["against_reference"][0]["differences"]["stalls"]["difference"] == 1.0
    assert told["deals"] == 500
    assert {"rules", "rules_hash", "players", "metrics", "label"} == set(told["variants"][0])
    rows = list(
        csv.DictReader(io.StringIO(run("compare", "swedish", "ace=low", "--deals", "500", "--format", "csv")[1]))
    )
    assert {row["verdict"] for row in rows if row["metric"] == "stalls"} == {"more"}
    markdown = run("compare", "swedish", "ace=low", "--deals", "500", "--format", "markdown")[1]
    assert "| stalls |" in markdown


def test_compare__plot_is_drawn(run, tmp_path):
    path = tmp_path / "forest.svg"
    assert run("compare", "swedish", "ace=low", "--deals", "500", "--plot", str(path))[0] == 0
    said = path.read_text(encoding="utf-8")
    assert "ace=low beside swedish" in said
    assert "change in per cent of swedish" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("swedish",), "nothing to compare"),
        (("swedish", "ace=low", "--until", "bored"), "must be decided"),
        (("swedish", "ace=low", "--on", "stals"), "did you mean 'stalls'"),
        (("swedish", "ace=low", "--on", "won", "--fail-if", "stalls>2%"), "add --on stalls"),
        (("swedish", "ace=low", "--timing", "uniform", "--on", "length_s"), "needs a clock"),
        (("swedish", "ace=low", "--matter", "stalls"), "cannot be read"),
        (("swedish", "ace=low", "--deals", "0"), "deals = 0"),
        (("swedish", "ace=low", "--format", "xml"), "text, json, csv or markdown"),
        (("swedish", "ace=low", "--plot", "x.gif"), ".svg, .png or .pdf"),
    ],
)
def test_compare__bad_input_is_one_sentence_and_status_2(run, arguments, said):
    status, out, err = run("compare", *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
