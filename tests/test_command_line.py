"""The command line around the commands: names, help, errors, and readers that go away."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from stressim.__main__ import main
from stressim.cli import COMMANDS, cli


def run(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["stressim", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize("name", COMMANDS)
def test_commands__each_has_help_that_begins_with_its_sentence(name: str, monkeypatch, capsys) -> None:
    assert run(name, "--help", monkeypatch=monkeypatch) == 0
    assert COMMANDS[name] in capsys.readouterr().out


def test_help__names_every_command_and_fits_78_columns(monkeypatch, capsys) -> None:
    assert run("--help", monkeypatch=monkeypatch) == 0
    said = capsys.readouterr().out
    for name, sentence in COMMANDS.items():
        assert f"  {name}" in said
        assert sentence in said
    assert max(map(len, said.splitlines())) <= 78


def test_no_command__shows_the_help_and_is_status_2(monkeypatch, capsys) -> None:
    assert run(monkeypatch=monkeypatch) == 2
    assert "Usage: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulat", "swedish"], "did you mean 'simulate'?"),
        (["--loud"], "'--loud'"),
        (["simulate"], "'RULES'"),
        (["simulate", "swedish", "--fast"], "'--fast'"),
        (["simulate", "swedish", "--deals"], "'--deals'"),
        (["simulate", "swedish", "--output", "json"], "what is printed is --format here"),
        (["simulate", "swedish", "german"], "(german)"),
        (["rules", "lst"], "'list'"),
        (["rules", "diff", "swedish"], "'B'"),
    ],
)
def test_mistakes__are_one_sentence_and_status_2(arguments: list[str], said: str, monkeypatch, capsys) -> None:
    assert run(*arguments, monkeypatch=monkeypatch) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("stressim: ")
    assert captured.err.count("\n") == 1
    assert said in captured.err


@pytest.mark.parametrize("arguments", [["--help"], ["rules", "list"], ["metrics", "list"]])
def test_lists__a_reader_that_has_gone_is_no_error(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "stressim", *arguments], stdout=writer, stderr=subprocess.PIPE, text=True
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_commands__are_imported_when_they_run() -> None:
    script = (
        "import sys\nfrom stressim.cli import cli\ncli.main(['--help'], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.startswith('stressim.commands.')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_get_command__knows_its_own_names_only() -> None:
    with cli.make_context("stressim", ["rules"], resilient_parsing=True) as context:
        assert cli.get_command(context, "rules") is not None
        assert cli.get_command(context, "os") is None
