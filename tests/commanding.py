"""Running a command line in a test."""

from __future__ import annotations

import sys

import pytest

from stressim.__main__ import main


def run_command(monkeypatch, capsys, *arguments: str) -> tuple[int, str, str]:
    """Run a command line; return its status, what it prints and what it complains."""
    monkeypatch.setattr(sys, "argv", ["stressim", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err
