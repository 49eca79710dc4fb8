"""Rules files: a preset's name or a TOML file becomes a validated rules model.

A file names a ``family``, a ``title`` and a ``source``, may extend a preset or another file, and lists the options that
differ. Only the files named are read, and nothing in them is run. Whatever is wrong with them is said in one sentence.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from stressim.errors import InputError, did_you_mean
from stressim.family import FAMILIES, Family, family_named
from stressim.given_options import FACTS, read_options, read_set, refuse, validated
from stressim.options import GameRules, Options
from stressim.optiontext import clean, printable, quoted, set_name, word
from stressim.presets import preset_named, preset_names, preset_text
from stressim.textfile import parse_toml, read_text

MAX_CHAIN = 20  # files that extend one another
MAX_PATH = 200  # characters of a path quoted in a sentence
MAX_FACT = 200  # characters of a title or source


@dataclass(frozen=True, kw_only=True)
class LoadedRules:
    """Rules that a run can use, and where they came from.

    Parameters
    ----------
    name
        The preset's name, or the path of the file as it was given.
    title, source
        What the file says about itself.
    base
        The preset that ``changed`` compares with; empty if the model's defaults are.
    family
        The family of games.
    options
        Every option.
    changed
        Options that differ from ``base``, with their values in words.
    rules_hash
        The same for the same family and options, whatever they are called.
    """

    name: str
    title: str
    source: str
    base: str
    family: Family
    options: GameRules
    changed: Mapping[str, str]
    rules_hash: str

    @property
    def heading(self) -> str:
        """The name with what is changed behind it: ``swedish with ace=low``."""
        return self.name + (f" with {self.changes}" if self.changed else "")

    @property
    def idle(self) -> dict[str, str]:
        """What is changed and does nothing with the other options as they are: by option, the condition that lacks.

        >>> load_rules("james-bond", sets=["swap_deadline_s=3"]).idle
        {'swap_deadline_s': 'deadlock_rule=swap_deadline'}
        """
        return {name: lacking for name in self.changed if (lacking := self.options.lacking(name))}

    @property
    def changes(self) -> str:
        """What is changed, as it is written: ``ace=low, row_slots=3``."""
        return ", ".join(f"{name}={value}" for name, value in self.changed.items())


@dataclass(frozen=True, kw_only=True)
class _Sheet:
    """One file, or a chain of files put together."""

    family: str
    title: str
    source: str
    base: str
    given: Mapping[str, Any] = field(default_factory=dict)


def load_rules(
    name_or_path: str | Path, sets: Sequence[str] = (), n_players: int | None = None, *, folder: Path = Path()
) -> LoadedRules:
    """Load a preset or a rules file and change single options.

    Parameters
    ----------
    name_or_path
        A preset's name (a hyphen or an underscore between words) or the path of a rules file. A preset goes before a
        file of the same name; write ``./swedish`` for the file.
    sets
        Changes such as ``"ace=low"``; of two for the same option the later one counts.
    n_players
        The same as the change ``n_players=…``.
    folder
        Where a relative path begins.

    Raises
    ------
    InputError
        If there is no such preset or file, or something in it or in ``sets`` cannot be used.

    Examples
    --------
    >>> rules = load_rules("swedish", sets=["ace=low"])
    >>> rules.options.ace.word, rules.changed, rules.rules_hash == load_rules("swedish-low").rules_hash
    ('low', {'ace': 'low'}, True)
    """
    name, sheet = _read_chain(str(name_or_path), folder)
    family = family_named(sheet.family)
    base = validated(family.rules, _read_chain(sheet.base, Path())[1].given, "") if sheet.base else family.rules()
    given = dict(sheet.given)
    if n_players is not None:
        for text in sets:
            if set_name(text) == "n_players":
                raise InputError(f"--players {n_players} and --set {clean(text)} say the same thing: give one of them")
    changes = [(f"--set {clean(text)}", text) for text in sets]
    if n_players is not None:
        changes.append((f"--players {n_players}", f"n_players={n_players}"))
    for place, text in changes:
        option, value = read_set(family.rules, text, place)
        given[option] = value
    place = printable(name) + (f" with {', '.join(place for place, _ in changes)}" if changes else "")
    try:
        options = validated(family.rules, given, f"{place}: ")
    except InputError:
        if changes:  # the file alone may be to blame
            validated(family.rules, sheet.given, f"{printable(name)}: ")
        raise
    return LoadedRules(
        name=name,
        title=sheet.title,
        source=sheet.source,
        base=sheet.base,
        family=family,
        options=options,
        changed=differences(base, options),
        rules_hash=rules_hash(family, options),
    )


def differences(base: Options, options: Options) -> dict[str, str]:
    """Options of ``options`` that differ from ``base``, with their values in words, in the model's order."""
    return {
        name: word(getattr(options, name))
        for name in type(options).model_fields
        if getattr(options, name) != getattr(base, name)
    }


def rules_hash(family: Family, options: Options) -> str:
    """Sixteen hexadecimal digits that stand for the family and all options, titles and sources left out."""
    everything = {"family": family.name, "options": options.model_dump()}
    text = json.dumps(everything, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def rules_schema(family: str) -> dict[str, Any]:
    """Return the JSON schema of a family's rules files.

    Raises
    ------
    InputError
        If there is no such family.
    """
    options = family_named(family).rules.model_json_schema()
    facts: dict[str, Any] = {key: {"type": "string", "description": meaning} for key, meaning in FACTS.items()}
    facts["family"] = {"const": family, "description": FACTS["family"]}
    facts["extends"]["examples"] = list(preset_names())
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Rules of the family {family}",
        "type": "object",
        "properties": facts | options["properties"],
        "anyOf": [{"required": ["family"]}, {"required": ["extends"]}],
        "additionalProperties": False,
        **({"$defs": options["$defs"]} if "$defs" in options else {}),
    }


def _read_chain(given: str, folder: Path) -> tuple[str, _Sheet]:
    """Read what ``given`` names and everything that it extends; return its proper name and the sum."""
    if not given.strip():
        raise InputError(f"no rules are named; presets are {', '.join(preset_names())}")
    chain: list[tuple[str, str, dict[str, Any]]] = []  # (name, preset or "", content), the file given first
    seen: list[str] = []
    wanted, wanted_by = given, ""
    while True:
        preset = preset_named(wanted)
        if preset:
            name, key, text = preset, preset, preset_text(preset)
        else:
            path = folder / wanted
            name, text = str(path) if chain else wanted, _read_text(path, wanted, wanted_by)
            key, folder = str(path.resolve()), path.parent
        if key in seen:
            raise InputError(f"{wanted_by}{quoted(wanted)} goes round in a circle")
        if len(chain) == MAX_CHAIN:
            raise InputError(f"{printable(given)}: extends a chain of more than {MAX_CHAIN} files")
        content = parse_toml(text, shown=printable(name), kind="rules file")
        chain.append((name, preset or "", content))
        seen.append(key)
        if "extends" not in content:
            return chain[0][0], _put_together(chain)
        wanted, wanted_by = _fact(content, "extends", printable(name)), f"{printable(name)}: extends = "


def _put_together(chain: list[tuple[str, str, dict[str, Any]]]) -> _Sheet:
    """Add up a chain of files, the last of which extends nothing."""
    sheet = _Sheet(family="", title="", source="", base="")
    for path, preset, content in reversed(chain):
        name = printable(path)
        family = _fact(content, "family", name) if "family" in content else sheet.family
        if not family:
            raise InputError(f"{name}: names no family; write family = {FAMILIES[0]!r}, or extends = a preset's name")
        try:
            rules = family_named(family).rules
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        if sheet.family and family != sheet.family:
            raise InputError(f"{name}: family = {quoted(family)} does not go with extends: that is {sheet.family}")
        after = f"after {sheet.base}" if sheet.base else ""
        given, problems = read_options(rules, {key: value for key, value in content.items() if key not in FACTS})
        if problems:
            refuse(f"{name}: {problems[0]}", len(problems))
        sheet = _Sheet(
            family=family,
            title=_fact(content, "title", name) if "title" in content else name,
            source=_fact(content, "source", name) if "source" in content else after,
            base=preset or sheet.base,
            given={**sheet.given, **given},
        )
    return sheet


def _read_text(path: Path, given: str, wanted_by: str) -> str:
    """Read a rules file that a user named."""
    # Of a long path the end says most.
    shown = wanted_by + repr(given if len(given) <= MAX_PATH else f"…{given[-MAX_PATH:]}")
    try:
        missing = not path.exists()
    except OSError:  # read_text says why
        missing = False
    if missing:
        _refuse_missing(given, shown)
    return read_text(path, shown=shown, kind="rules file")


def _refuse_missing(given: str, shown: str) -> NoReturn:
    names = preset_names()
    hint = did_you_mean(Path(given).name.removesuffix(".toml"), names)
    if given.endswith(".toml") or "/" in given or "\\" in given:
        raise InputError(f"{shown} does not exist{hint}")
    raise InputError(f"{shown} is no preset and no file{hint or ': presets are ' + ', '.join(names)}")


def _fact(content: dict[str, Any], key: str, name: str) -> str:
    value = content[key]
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{name}: {key} = {quoted(value)} must be text: {FACTS[key]}")
    if key == "extends":
        return value
    if len(value) > MAX_FACT:
        raise InputError(f"{name}: {key} has {len(value)} characters, at most {MAX_FACT} are possible")
    return printable(value).strip()
