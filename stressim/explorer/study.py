"""Study files of explorers: which games, which choices, which numbers.

TOML with a ``title``, an ``intro``, ``deals``, ``seed`` and ``numbers``; one ``[[game]]`` for each set of rules (its
``rules``, a preset or a path that begins at the study's folder, a ``label``, and ``sets`` and ``players`` that hold
for all of it); one ``[[choice]]`` for each thing to
toggle: its ``name`` (in links), what it asks (``ask``), and ``values``, each with a ``name``, its words (``say``)
and what it changes (``change``), such as ``ace=low`` or ``1.speed=1.1``. A choice's own ``change`` with ``{}`` in it
serves all values that have none. One choice is the ``slider``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stressim.errors import InputError, did_you_mean, one_of
from stressim.optiontext import clean, quoted
from stressim.textfile import parse_toml, read_text

MOST_DEALS = 1_000_000
_STUDY = ("title", "intro", "deals", "seed", "numbers", "game", "choice")
_GAME = ("rules", "label", "sets", "players")
_CHOICE = ("name", "ask", "slider", "change", "values")
_VALUE = ("name", "say", "change")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}")
_TAKEN = ("game", "number", "a", "stalls", "length")


@dataclass(frozen=True, kw_only=True)
class Game:
    """Rules and players that choices change.

    Parameters
    ----------
    rules
        A preset's name or a rules file's path.
    folder
        Where relative paths begin: that of the study.
    label
        What the page calls it.
    sets, players
        Changes that hold for all of it.
    """

    rules: str
    folder: Path
    label: str
    sets: tuple[str, ...] = ()
    players: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Value:
    """One way to choose: its name in links, what people read, and the changes that it makes."""

    name: str
    say: str
    changes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """Something to toggle: its name in links, its question, whether it is the slider, and its values."""

    name: str
    ask: str
    slider: bool
    values: tuple[Value, ...]


@dataclass(frozen=True, kw_only=True)
class ExplorerStudy:
    """An explorer's study file.

    Parameters
    ----------
    path
        Where it stands.
    title, intro
        What the page begins with.
    deals, seed
        Of each combination.
    numbers
        Names of the metrics that the page shows.
    games
        The sets of rules.
    choices
        What can be toggled; the slider is the last one.
    """

    path: Path
    title: str
    intro: str
    deals: int
    seed: int
    numbers: tuple[str, ...]
    games: tuple[Game, ...]
    choices: tuple[Choosing, ...]


def read_explorer(path: Path) -> ExplorerStudy:
    """Read an explorer's study file.

    Raises
    ------
    InputError
        If it cannot be read; the sentence names the place and the key.
    """
    shown = f"explorer study {str(path)!r}"
    content = parse_toml(read_text(path, shown=shown, kind="study file"), shown=shown, kind="study file")
    _check_keys(content, _STUDY, shown)
    games = tuple(
        _game(one, path.parent, f"{shown}, game {n}") for n, one in enumerate(_tables(content, "game", shown), 1)
    )
    _differ([game.label for game in games], "games have the label", shown)
    choices = [_choice(one, f"{shown}, choice {n}") for n, one in enumerate(_tables(content, "choice", shown), 1)]
    _differ([choice.name for choice in choices], "choices have the name", shown)
    if sum(choice.slider for choice in choices) != 1:
        raise InputError(f"{shown}: one choice must be the slider (slider = true), not {_sliders(choices)}")
    numbers = _texts(content, "numbers", shown)
    if not numbers:
        raise InputError(f"{shown}: numbers must name at least one metric, such as stalls")
    _differ(numbers, "numbers are", shown)
    return ExplorerStudy(
        path=path,
        title=_text(content, "title", shown),
        intro=_text(content, "intro", shown),
        deals=_whole(content, "deals", 2, MOST_DEALS, shown),
        seed=_whole(content, "seed", 0, 2**64 - 1, shown, default=1),
        numbers=numbers,
        games=games,
        choices=tuple(sorted(choices, key=lambda choice: choice.slider)),
    )


def _sliders(choices: Sequence[Choosing]) -> str:
    return str(sum(choice.slider for choice in choices)) if any(choice.slider for choice in choices) else "none"


def _game(given: Mapping[str, Any], folder: Path, place: str) -> Game:
    _check_keys(given, _GAME, place)
    return Game(
        rules=_text(given, "rules", place),
        folder=folder,
        label=_text(given, "label", place),
        sets=_texts(given, "sets", place),
        players=_texts(given, "players", place),
    )


def _choice(given: Mapping[str, Any], place: str) -> Choosing:
    _check_keys(given, _CHOICE, place)
    name = _name(given, place)
    if name in _TAKEN:
        raise InputError(f"{place}: name = {quoted(name)} is a word of the page's links; take another one")
    place = f"{place} ({name})"
    slider = given.get("slider", False)
    if not isinstance(slider, bool):
        raise InputError(f"{place}: slider = {quoted(slider)} must be true or false")
    common = given.get("change", "")
    if not isinstance(common, str) or (common and common.count("{}") != 1):
        raise InputError(f"{place}: change = {quoted(common)} must be text with one {{}}, such as ace={{}}")
    values = tuple(
        _value(one, common, f"{place}, value {n}") for n, one in enumerate(_tables(given, "values", place), 1)
    )
    if len(values) < 2:
        raise InputError(f"{place}: values must be two or more, or there is nothing to choose")
    _differ([value.name for value in values], "values have the name", place)
    return Choosing(name=name, ask=_text(given, "ask", place), slider=slider, values=values)


def _value(given: Mapping[str, Any], common: str, place: str) -> Value:
    _check_keys(given, _VALUE, place)
    name = _name(given, place)
    changes = _texts(given, "change", place) if "change" in given else ()
    if not changes and not common:
        raise InputError(f"{place} ({name}): change must be a list such as ['ace=low'], or its choice must have one")
    return Value(name=name, say=_text(given, "say", place), changes=changes or (common.replace("{}", name),))


def _name(given: Mapping[str, Any], place: str) -> str:
    name = _text(given, "name", place)
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{place}: name = {quoted(name)} must be letters, digits, points, hyphens and underscores, at most 41"
        )
    return name


def _tables(content: Mapping[str, Any], key: str, place: str) -> list[Mapping[str, Any]]:
    given = content.get(key)
    if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
        raise InputError(f"{place}: {key} must be one table or more")
    return given


def _differ(names: Sequence[str], what: str, place: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{place}: two {what} {name!r}")


def _check_keys(content: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    for key in content:
        if key not in known:
            raise InputError(f"{place}: {clean(key)!r} is no key: it must be {one_of(known)}{did_you_mean(key, known)}")


def _text(content: Mapping[str, Any], key: str, place: str) -> str:
    value = content.get(key, "")
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{place}: {key} must be text")
    return value.strip()


def _texts(content: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    value = content.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError(f"{place}: {key} must be a list of texts")
    return tuple(value)


def _whole(content: Mapping[str, Any], key: str, low: int, high: int, place: str, *, default: int | None = None) -> int:
    value = content.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InputError(f"{place}: {key} = {quoted(value)} must be a whole number from {low:,} to {high:,}")
    return value
