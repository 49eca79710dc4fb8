from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from made_up_deals import SHEDDING, play_made_up_deals

from stressim.__main__ import main


@pytest.fixture(autouse=True)
def made_up_kernel(monkeypatch):
    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play_made_up_deals)


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


def test_command__prints_text_and_ends_with_0(run):
    status, out, err = run("simulate", "swedish", "--deals", "400")
    assert (status, err) == (0, "")
    assert out.startswith("swedish · adult against adult, human timing · 400 deals · seed 1")


def test_command__json_is_the_same_bytes_for_any_jobs(run):
    said = {run("simulate", "swedish", "--deals", "1_000", "--format", "json", "--jobs", jobs)[1] for jobs in "123"}
    assert len(said) == 1


def test_command__the_command_it_names_gives_the_same_numbers(run):
    _, first, _ = run(
        "simulate", "swedish", "--deals", "2e2", "--seed", "7", "--set", "ace=low", "--player", "2=senior"
    )
    again = next(
        line for line in first.splitlines() if line.strip().startswith("stressim simulate") and "--seed" in line
    )
    _, second, _ = run(*again.split()[1:])
    assert first.splitlines()[2:] == second.splitlines()[2:]
    assert "--seed 7" in again


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--deals", "0"), "deals = 0"),
        (("--deals", "-5"), "deals = -5"),
        (("--deals", "many"), "--deals 'many' is no whole number"),
        (("--players", "two"), "--players 'two' is no whole number"),
        (("--deals", "1e13"), "deals = 10000000000000"),
        (("--seed", "18446744073709551616"), "seed = 18446744073709551616"),
        (("--jobs", "0"), "jobs = 0"),
        (("--confidence", "95"), "between 0 and 1"),
        (("--confidence", "nan"), "between 0 and 1"),
        (("--timing", "humans"), "did you mean 'human'"),
        (("--format", "yaml"), "text, json, csv or markdown"),
        (("--set", "ace=sideways"), "wrap, low or high"),
        (("--players", "5"), "n_players"),
        (("--player", "3=senior"), "1 to 2"),
        (("--assert", "staled<1"), "did you mean 'stalled'"),
        (("--assert", "length_s<9", "--timing", "uniform"), "needs a clock"),
        (("--plot", "picture.gif"), ".svg, .png or .pdf"),
        (("--plot", "/nowhere/at/all.svg"), "there is no folder"),
    ],
)
def test_command__bad_input_is_one_sentence_and_status_2(run, monkeypatch, arguments, said):
    def play(*_):
        raise AssertionError("played before the input was checked")

    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play)
    status, out, err = run("simulate", "swedish", *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err


def test_command__asserts_are_all_judged_on_stderr(run):
    status, out, err = run(
        "simulate", "swedish", "--deals", "400", "--format", "json", "--assert", "stalled<1", "--assert", "won<1%"
    )
    assert status == 1
    assert json.loads(out)["deals"] == 400
    assert [line[:4] for line in err.splitlines()] == ["pass", "FAIL"]
    assert run("simulate", "swedish", "--deals", "400", "--assert", "stalled<1")[0] == 0


def test_command__after_ctrl_c_it_says_what_is_counted_and_ends_with_130(run, monkeypatch):
    def play(lowered, seed, first, rows):
        if first >= 256:
            raise KeyboardInterrupt
        play_made_up_deals(lowered, seed, first, rows)

    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play)
    status, out, err = run("simulate", "swedish", "--deals", "4000", "--format", "json")
    assert status == 130
    assert json.loads(out)["deals"] == 256
    assert "256 of 4,000 deals" in err
    assert "stressim simulate swedish --deals 4000 --seed 1" in err


SCRIPT = """
import os, sys
sys.path.insert(0, {tests!r})
from made_up_deals import SHEDDING, play_made_up_deals
{before}
SHEDDING.__dict__["play_deals"] = {play}
from stressim.__main__ import main
sys.argv = ["stressim", *{arguments!r}]
try:
    main()
finally:
    {after}
"""


def script(*arguments, before="", play="play_made_up_deals", after="pass"):
    tests = str(Path(__file__).parent)
    return [
        sys.executable,
        "-c",
        SCRIPT.format(tests=tests, before=before, play=play, arguments=arguments, after=after),
    ]


@pytest.mark.parametrize("form", ["text", "json"])
def test_command__text_and_json_need_no_heavy_library(form):
    heavy = "pandas", "scipy.stats", "scipy.special", "matplotlib", "rich", "jinja2", "asyncio"
    after = f"print(sorted(set({heavy!r}) & set(sys.modules)), file=sys.stderr)"
    done = subprocess.run(
        script("simulate", "swedish", "--deals", "300", "--format", form, after=after),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.strip() == "[]"


def test_command__sigint_while_threads_play_keeps_the_count():
    before = """
def play(lowered, seed, first, rows):
    play_made_up_deals(lowered, seed, first, rows)
    if first == 256 + 16384:
        os.kill(os.getpid(), 2)
"""
    command = script(
        "simulate", "swedish", "--deals", "1e6", "--format", "json", "--jobs", "2", before=before, play="play"
    )
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 130, done.stderr
    deals = json.loads(done.stdout)["deals"]
    assert 256 <= deals < 10**6
    assert f"{deals:,} of 1,000,000 deals" in done.stderr


def test_command__closed_pipe_is_one_sentence_and_status_2():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        script("simulate", "swedish", "--deals", "300"), stdout=writer, stderr=subprocess.PIPE, text=True
    )
    os.close(writer)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "its reader has gone" in done.stderr


def test_command__narrow_encoding_and_no_color_give_ascii():
    for changed in ({"PYTHONIOENCODING": "latin-1"}, {"NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}):
        done = subprocess.run(
            script("simulate", "swedish", "--deals", "300"),
            capture_output=True,
            env={**os.environ, **changed},
            check=True,
        )
        assert done.stdout.isascii()
        assert done.stdout.startswith(b"swedish - adult against adult")
