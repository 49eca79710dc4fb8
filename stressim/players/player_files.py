"""Presets and files that say what a player is like.

A player file is TOML: ``title``, ``source``, ``extends = "expert+hunter"``, and whatever differs: times, habits and
handles in one flat list, by the names that ``--player`` takes. Presets of times stand in this package; presets of
habits beside the habits model of their family.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic.fields import FieldInfo

from stressim.belonging import family_of, game, others, whose
from stressim.errors import InputError, did_you_mean
from stressim.options import Options
from stressim.optiontext import clean, quoted, read_value
from stressim.players.distribution_text import parse_distribution
from stressim.players.distributions import Distribution
from stressim.players.player import HANDLES, Player
from stressim.players.timing import Timing
from stressim.textfile import parse_toml, read_text

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Part = Literal["times", "habits"]

FACTS = ("title", "source", "extends")
"""Keys of a player file that are no values."""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """What a preset or a file says, with everything that it extends.

    Parameters
    ----------
    name
        The preset's name, or the path as it was given.
    title
        A few words for people.
    parts
        ``times`` (handles belong to them), ``habits`` or both: what of a player it replaces.
    values
        Values by name, checked.
    own
        Names of the values that come from files of the user's.
    """

    name: str
    title: str
    parts: frozenset[Part]
    values: Mapping[str, Any] = field(default_factory=dict)
    own: frozenset[str] = frozenset()


def part_of(name: str, habits_model: type[Options]) -> tuple[Part, FieldInfo]:
    """Return the part of a player to which a value belongs, and its field.

    Raises
    ------
    InputError
        If there is no value of this name.
    """
    known = name.replace("-", "_")
    if known in HANDLES:
        return "times", Player.model_fields[known]
    if known in Timing.model_fields:
        return "times", Timing.model_fields[known]
    if known in habits_model.model_fields:
        return "habits", habits_model.model_fields[known]
    family = family_of(habits_model)
    if family is not None and (owner := whose(known, family, "habit")):
        raise InputError(f"{quoted(name)} is no habit of players in {game(family)}: it is {owner}")
    if family is not None and known in family.rules.model_fields:
        raise InputError(f"{quoted(name)} is no value of a player, it is an option of the rules: --set {known}=VALUE")
    hint = did_you_mean(clean(name), [*HANDLES, *Timing.model_fields, *habits_model.model_fields])
    raise InputError(f"{quoted(name)} is no value of a player{hint or '; stressim players show adult lists them'}")


def is_of_player(name: str, habits_model: type[Options]) -> bool:
    """Whether a player has a value of this name, written with underscores.

    Examples
    --------
    >>> from stressim.shedding.habits import SheddingHabits
    >>> is_of_player("speed", SheddingHabits), is_of_player("ace", SheddingHabits)
    (True, False)
    """
    return name in HANDLES or name in Timing.model_fields or name in habits_model.model_fields


def read_player_value(
    name: str, given: object, habits_model: type[Options], *, folder: Path = Path(), typed: bool = False
) -> Any:
    """Return a value of a player, checked.

    Parameters
    ----------
    name, given
        The value's name, and what the user wrote.
    habits_model
        Habits of the family.
    folder
        Where a relative path in it begins.
    typed
        True for a text from the command line.

    Raises
    ------
    InputError
        If the name or the value cannot be used.

    Examples
    --------
    >>> read_player_value("countdown", "900", Options, typed=True)
    Fixed(value=900.0)
    """
    _, info = part_of(name, habits_model)
    if info.annotation is not Distribution:
        return read_value(name, info, given, typed=typed)
    try:
        return parse_distribution(given, folder)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except ValueError as error:
        raise InputError(f"{name} = {quoted(given)}: {error}") from None


@functools.cache
def preset_files(habits_model: type[Options]) -> Mapping[str, tuple[Part, Traversable]]:
    """Return part and file of every preset by its name: times first, each in alphabetical order.

    Examples
    --------
    >>> from stressim.shedding.habits import SheddingHabits
    >>> list(preset_files(SheddingHabits))[:2], preset_files(SheddingHabits)["hunter"][0]
    (['adult', 'casual'], 'habits')
    """
    family = habits_model.__module__.rpartition(".")[0]
    found: dict[str, tuple[Part, Traversable]] = {}
    for part, folder in (
        ("times", importlib.resources.files("stressim.players") / "presets"),
        ("habits", importlib.resources.files(family) / "habit_presets"),
    ):
        if folder.is_dir():
            files = sorted(
                (item for item in folder.iterdir() if item.name.endswith(".toml")), key=lambda item: item.name
            )
            found |= {item.name.removesuffix(".toml"): (part, item) for item in files}  # type: ignore[misc]
    return found


@functools.cache
def _habits_of_presets(habits_model: type[Options]) -> Mapping[str, Options]:
    return {
        name: habits_model(**_read_one(name, habits_model, Path(), ()).values)
        for name, (part, _) in preset_files(habits_model).items()
        if part == "habits"
    }


def habits_preset(habits: Options) -> str:
    """Return the name of the preset of habits that says the same; empty if none does.

    Examples
    --------
    >>> from stressim.shedding.habits import SheddingHabits
    >>> habits_preset(SheddingHabits()), habits_preset(SheddingHabits(decline=0.01))
    ('first-seen', '')
    """
    return next((name for name, like in _habits_of_presets(type(habits)).items() if like == habits), "")


def read_chain(text: str, habits_model: type[Options], *, folder: Path = Path()) -> list[Sheet]:
    """Return the sheets that a text such as ``expert+hunter`` or ``me.toml`` names, in order.

    Parameters
    ----------
    text
        Names of presets and paths, joined by ``+``.
    habits_model
        Habits of the family.
    folder
        Where a relative path begins.

    Raises
    ------
    InputError
        If one of them cannot be used.

    Examples
    --------
    >>> from stressim.shedding.habits import SheddingHabits
    >>> [(sheet.name, dict(sheet.values)) for sheet in read_chain("senior", SheddingHabits)]
    [('senior', {'age': 70.0})]
    """
    return _read_chain(text, habits_model, folder, ())


def _read_chain(text: str, habits_model: type[Options], folder: Path, above: tuple[Path, ...]) -> list[Sheet]:
    return [_read_one(name.strip(), habits_model, folder, above) for name in text.split("+")]


def _read_one(given: str, habits_model: type[Options], folder: Path, above: tuple[Path, ...]) -> Sheet:
    presets = preset_files(habits_model)
    name = given.lower().replace("_", "-")
    if name in presets:
        part, file = presets[name]
        content = parse_toml(file.read_text(encoding="utf-8"), shown=name, kind="player preset")
        return _sheet(name, content, habits_model, folder=Path(), above=(), preset=part)
    path = folder / given
    if not given or not (given.endswith(".toml") or "/" in given or "\\" in given or path.is_file()):
        here = family_of(habits_model)
        for other in others(here):
            if here is not None and name in preset_files(other.habits):
                raise InputError(f"{quoted(given)} is no preset of {game(here)}: it is one of {game(other)}")
        hint = did_you_mean(clean(given), presets)
        raise InputError(f"{quoted(given)} is no preset and no file{hint or ': presets are ' + ', '.join(presets)}")
    shown = clean(given)
    resolved = path.resolve()
    if resolved in above:
        raise InputError(f"{shown}: extends goes round in a circle")
    content = parse_toml(read_text(path, shown=shown, kind="player file"), shown=shown, kind="player file")
    return _sheet(shown, content, habits_model, folder=path.parent, above=(*above, resolved), preset=None)


def _sheet(
    name: str,
    content: dict[str, Any],
    habits_model: type[Options],
    *,
    folder: Path,
    above: tuple[Path, ...],
    preset: Part | None,
) -> Sheet:
    """Check the content of one file and add it to what it extends."""
    parts: set[Part] = set() if preset is None else {preset}
    values: dict[str, Any] = {}
    own: set[str] = set()
    facts = {key: _fact(name, key, content[key]) for key in FACTS if key in content}
    if "extends" in facts:
        try:
            sheets = _read_chain(facts["extends"], habits_model, folder, above)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        for sheet in sheets:
            parts |= sheet.parts
            values |= sheet.values
            own |= sheet.own
    for key, given in content.items():
        if key in FACTS:
            continue
        known = key.replace("-", "_")
        try:
            part, _ = part_of(key, habits_model)
            values[known] = read_player_value(known, given, habits_model, folder=folder)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        parts.add(part)
        if preset is None:
            own.add(known)
    if not parts:
        raise InputError(f"{name}: says nothing about a player; give extends or a value such as speed = 1.1")
    title = facts.get("title", name)
    return Sheet(name=name, title=title, parts=frozenset(parts), values=values, own=frozenset(own))


def _fact(name: str, key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{name}: {key} = {quoted(value)} must be text in quotation marks")
    return value if key == "extends" else clean(value)
