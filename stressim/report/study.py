"""Study files: questions about rules and players, and how they are answered.

A study file is TOML with a ``title``, an ``intro``, ``deals`` and ``seed``, and one ``[[question]]`` for each
question: its ``name`` (of files), what people ``ask``, its ``kind`` with what that needs, the ``answer`` (a text in
which ``{{ … }}`` stands for numbers, see :mod:`stressim.report.answers`) and further ``text``. Paths of rules and
players begin at the study's folder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stressim.errors import InputError, did_you_mean, one_of
from stressim.optiontext import clean, quoted
from stressim.textfile import parse_toml, read_text

KINDS = {
    "rules": ("variants", "show"),
    "compare": ("variants", "on", "robust"),
    "sweep": ("rules", "vary", "on"),
    "effects": ("rules", "on", "keep", "robust"),
    "luck": ("variants",),
}
"""Kinds of questions and the keys that each has beside those of all."""

_SHARED = ("name", "ask", "kind", "answer", "text", "deals", "sets", "players", "timing", "figure")
_STUDY = ("title", "intro", "deals", "seed", "question")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question of a study.

    Parameters
    ----------
    name
        Of its files.
    ask
        What a person asks.
    kind
        How it is answered, one of :data:`KINDS`.
    answer, text
        Templates of the first sentence and of what follows it.
    deals
        Of each variant or point.
    sets, players, timing
        Common to all variants.
    figure
        The metric that is drawn; ``none`` for no figure; empty for the first.
    place
        The study and the question, as sentences name them.
    folder
        Where relative paths begin: that of the study.
    given
        What the kind needs.
    """

    name: str
    ask: str
    kind: str
    answer: str
    text: str = ""
    deals: int
    sets: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    timing: str = "human"
    figure: str = ""
    place: str
    folder: Path
    given: Mapping[str, Any] = field(default_factory=dict)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts that the kind needs; empty if it is not given."""
        return tuple(self.given.get(key, ()))


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study file.

    Parameters
    ----------
    path
        Where it stands; its name without suffix names the study's files.
    title, intro
        What pages begin with.
    seed
        Of all questions.
    questions
        In the order of the page.
    """

    path: Path
    title: str
    intro: str
    seed: int
    questions: tuple[Question, ...]

    @property
    def name(self) -> str:
        """Name of the study's files."""
        return self.path.stem


def read_study(path: Path) -> Study:
    """Read a study file.

    Raises
    ------
    InputError
        If it cannot be read; the sentence names the question and the key.
    """
    shown = f"study {str(path)!r}"
    content = parse_toml(read_text(path, shown=shown, kind="study file"), shown=shown, kind="study file")
    if not _NAME.fullmatch(path.stem):
        raise InputError(f"{shown}: its name makes names of files, so it has small letters, digits and hyphens only")
    _check_keys(content, _STUDY, shown)
    asked = content.get("question")
    if not isinstance(asked, list) or not asked:
        raise InputError(f"{shown}: has no [[question]], so there is nothing to answer")
    deals = _number(content, "deals", 20_000, shown)
    questions = tuple(
        _question(one, deals, path.parent, f"{shown}, question {place}") for place, one in enumerate(asked, start=1)
    )
    names = [question.name for question in questions]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{shown}: two questions have the name {name!r}")
    return Study(
        path=path,
        title=_text(content, "title", shown),
        intro=_text(content, "intro", shown, needed=False),
        seed=_number(content, "seed", 1, shown),
        questions=questions,
    )


def _question(given: Any, deals: int, folder: Path, place: str) -> Question:
    if not isinstance(given, dict):
        raise InputError(f"{place}: must be a table, begun by [[question]]")
    name = _text(given, "name", place)
    if not _NAME.fullmatch(name):
        raise InputError(f"{place}: name = {quoted(name)} must be small letters, digits and hyphens, at most 41")
    place = f"{place} ({name})"
    kind = _text(given, "kind", place)
    if kind not in KINDS:
        raise InputError(f"{place}: kind = {quoted(kind)} must be {one_of(KINDS)}{did_you_mean(kind, KINDS)}")
    _check_keys(given, (*_SHARED, *KINDS[kind]), place)
    own = {key: _own(given, key, place) for key in KINDS[kind] if key in given}
    for key in ("variants", "rules", "vary"):
        if key in KINDS[kind] and not own.get(key):
            raise InputError(f"{place}: kind = {kind!r} needs {key}")
    return Question(
        name=name,
        ask=_text(given, "ask", place),
        kind=kind,
        answer=_text(given, "answer", place),
        text=_text(given, "text", place, needed=False),
        deals=_number(given, "deals", deals, place),
        sets=_texts(given, "sets", place),
        players=_texts(given, "players", place),
        timing=_text(given, "timing", place, needed=False) or "human",
        figure=_text(given, "figure", place, needed=False),
        place=place,
        folder=folder,
        given=own,
    )


def _own(given: Mapping[str, Any], key: str, place: str) -> Any:
    if key == "rules":
        return _text(given, key, place)
    if key == "robust":
        if not isinstance(given[key], bool):
            raise InputError(f"{place}: robust = {quoted(given[key])} must be true or false")
        return given[key]
    return _texts(given, key, place)


def _check_keys(content: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    for key in content:
        if key not in known:
            raise InputError(f"{place}: {clean(key)!r} is no key: it must be {one_of(known)}{did_you_mean(key, known)}")


def _text(content: Mapping[str, Any], key: str, place: str, *, needed: bool = True) -> str:
    value = content.get(key, "")
    if not isinstance(value, str) or (needed and not value.strip()):
        raise InputError(f"{place}: {key} must be text")
    return value.strip()


def _texts(content: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    value = content.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError(f"{place}: {key} must be a list of texts")
    return tuple(value)


def _number(content: Mapping[str, Any], key: str, default: int, place: str) -> int:
    value = content.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InputError(f"{place}: {key} = {quoted(value)} must be a whole number")
    return value
