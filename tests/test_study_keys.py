"""What the README and ``--help`` say of study files is what the code reads, and files that they name are there."""

from __future__ import annotations

import itertools
import re
import shlex
from dataclasses import replace
from pathlib import Path

import click
import pytest

import stressim
from stressim.cli import COMMANDS, cli
from stressim.explorer import study as explorer
from stressim.report import study as report
from stressim.report.answers import answer

ROOT = Path(stressim.__file__).parents[1]
SECTION = "The keys of study files"
MADE = {"-o", "--out", "--plot", "--deals-out"}  # what follows these is written


def keys_section() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8").partition(SECTION)[2].partition("</details>")[0]


def tables() -> list[list[list[str]]]:
    """The tables of the section: of each its rows, of each row its cells."""
    lines = keys_section().splitlines()
    found: list[list[list[str]]] = []
    for before, line in zip(["", *lines], lines, strict=False):
        if line.startswith("|"):
            if not before.startswith("|"):
                found.append([])
            found[-1].append([cell.strip() for cell in line.strip("|").split(" | ")])
    return [table[2:] for table in found]


def codes(cell: str) -> list[str]:
    return [code.strip("[]") for code in re.findall(r"`([^`]+)`", cell)]


def test_readme__names_every_key_of_a_study_for_report() -> None:
    of_study, of_question = tables()[:2]
    assert sorted(key for row in of_study for key in codes(row[0])) == sorted(report._STUDY)

    shared = [key for row in of_question if row[1] == "all" for key in codes(row[0])]
    assert sorted(shared) == sorted(report._SHARED)
    for kind, keys in report.KINDS.items():
        named = [key for row in of_question if kind in row[1].split(", ") for key in codes(row[0])]
        assert sorted(named) == sorted(keys), kind


def test_readme__names_every_key_of_a_study_for_explorer() -> None:
    of_study, of_tables = tables()[2:]
    assert sorted(key for row in of_study for key in codes(row[0])) == sorted(explorer._STUDY)
    for name, keys in {"game": explorer._GAME, "choice": explorer._CHOICE, "value": explorer._VALUE}.items():
        named = [key for row in of_tables if row[1] == name for key in codes(row[0])]
        assert sorted(named) == sorted(keys), name


def test_readme__names_what_the_texts_of_an_answer_may_call() -> None:
    said = keys_section().partition("What the texts of an answer may call")[2].partition("A study for `explorer`")[0]
    questions = {question.kind: question for question in report.read_study(ROOT / "reports" / "quick.toml").questions}
    assert questions.keys() == report.KINDS.keys()
    for kind, question in questions.items():
        (part,) = re.findall(rf"in\s`{kind}`\s(.*?)[;.](?:\s|$)", said, flags=re.S)
        calls = [re.match(r"\w+(?=\()", code) for code in codes(part)]
        few = answer(replace(question, deals=20), seed=1)
        assert sorted(call[0] for call in calls if call) == sorted(few.calls), kind


def helps() -> list[tuple[str, str]]:
    """Every command's help, those of commands below commands too."""
    found = []

    def add(name: str, command: click.Command) -> None:
        context = click.Context(command, info_name=name, terminal_width=200, max_content_width=200)
        found.append((name, command.get_help(context)))
        if isinstance(command, click.Group):
            for below in command.list_commands(context):
                one = command.get_command(context, below)
                assert one is not None
                add(f"{name} {below}", one)

    for name in COMMANDS:
        with cli.make_context("stressim", [name], resilient_parsing=True) as context:
            command = cli.get_command(context, name)
        assert command is not None
        add(name, command)
    return found


def files_read(help_text: str) -> list[str]:
    """Files that the commands in a help's examples read."""
    found = []
    for line in re.findall(r"^ +(stressim .*)$", help_text, flags=re.M):
        words = shlex.split(line)
        for before, word in itertools.pairwise(words):
            if before not in MADE:
                found += [part for part in word.split() if re.fullmatch(r"[\w./-]+\.[a-z]+", part)]
    return found


def test_files_read__sees_what_is_read_and_not_what_is_written() -> None:
    assert files_read("  stressim x a/b.toml -o c.html --plot d.svg --set e=f.toml 'swedish g.toml'\n") == [
        "a/b.toml",
        "g.toml",
    ]


def test_help__files_in_examples_are_there() -> None:
    named = {name: files_read(text) for name, text in helps()}
    assert named["report"]
    assert named["explorer"]
    assert [word for words in named.values() for word in words if not (ROOT / word).is_file()] == []


def test_help__files_in_sentences_are_there() -> None:
    for name, text in helps():
        for word in re.findall(r"\breports/[\w./-]+\.toml", text):
            assert (ROOT / word).is_file(), name


@pytest.mark.parametrize("name", ["report", "explorer"])
def test_help__says_where_the_keys_of_a_study_stand(name: str) -> None:
    text = " ".join(dict(helps())[name].split())
    assert f'in README.md, under "{SECTION}"' in text
    assert SECTION in (ROOT / "README.md").read_text(encoding="utf-8")
