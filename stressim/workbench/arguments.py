"""How rules, players and changes are given in Python, and how errors speak of them there."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from stressim.errors import InputError
from stressim.optiontext import check_once
from stressim.workbench.variants import Given

Changes = Mapping[str, object] | Iterable[str]
"""Changes as ``{"ace": "low"}`` or ``["ace=low"]``."""

Arguments = ParamSpec("Arguments")
ResultT = TypeVar("ResultT")

_ARGUMENTS = {"set": "sets", "player": "players", "players": "n_players"}
_OPTION = re.compile(r"--(set|players?|timing|vary|most|least|keep|matter|on|out|deals?|seed|jobs|top|logged)\b")


def named_as_arguments(function: Callable[Arguments, ResultT]) -> Callable[Arguments, ResultT]:
    """Let what a public function refuses be named as its arguments, not as options of the command line."""

    @functools.wraps(function)
    def called(*args: Arguments.args, **kwargs: Arguments.kwargs) -> ResultT:
        try:
            return function(*args, **kwargs)
        except InputError as error:
            raise InputError(said_in_python(str(error))) from None

    return called


def said_in_python(sentence: str) -> str:
    """Say a sentence about options as one about arguments.

    Examples
    --------
    >>> said_in_python("--set ace=lo: ace = 'lo' must be wrap, low or high")
    "sets ace=lo: ace = 'lo' must be wrap, low or high"
    >>> said_in_python("--players 9 is not possible")
    'n_players 9 is not possible'
    """
    return _OPTION.sub(lambda option: _ARGUMENTS.get(option[1], option[1]), sentence)


def given_of(rules: str | Path, sets: Changes, players: Changes, n_players: int | None, timing: str) -> Given:
    """Return what is given.

    Raises
    ------
    InputError
        If an option is given twice.
    """
    changes = changes_of(sets)
    check_once(changes, "--set")
    return Given(
        rules=str(rules),
        sets=tuple(changes),
        players=tuple(changes_of(players)),
        n_players=n_players,
        timing=timing,
    )


def changes_of(changes: Changes) -> list[str]:
    """Return changes as texts.

    Examples
    --------
    >>> changes_of({"ace": "low", "merge_mandatory": True}), changes_of("ace=low")
    (['ace=low', 'merge_mandatory=true'], ['ace=low'])
    """
    if isinstance(changes, str):
        return [changes]
    if isinstance(changes, Mapping):
        return [f"{name}={word_of(value)}" for name, value in changes.items()]
    return list(changes)


def word_of(value: Any) -> str:
    """Say a value as it is written on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
