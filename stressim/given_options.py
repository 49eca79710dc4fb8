"""Options of rules as a person gives them, in a file or as a change: names and values are checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from pydantic import ValidationError

from stressim.belonging import family_of, game, whose
from stressim.errors import InputError, did_you_mean
from stressim.options import GameRules, Options
from stressim.optiontext import MAX_SHOWN, clean, quoted, read_value
from stressim.players.player_files import is_of_player

FACTS = {
    "family": "which game the rules are for",
    "title": "a few words for people",
    "source": "where the rules come from",
    "extends": "the preset, or the path of the rules file, that this one changes",
}
"""Keys of a rules file that are no options."""


def read_options(rules: type[Options], content: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Check what a file says of options.

    Parameters
    ----------
    rules
        The rules model of a family.
    content
        Values by the names that the file has, options alone.

    Returns
    -------
    tuple
        The values that can be used by the options' names, and a sentence on each of the others.
    """
    given: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in content.items():
        try:
            if isinstance(value, dict) and key not in rules.model_fields:
                raise InputError(f"[{clean(key)}] is a table: options stand at the top of the file, outside any table")
            option = option_name(rules, key)
            if option in given:
                raise InputError(f"{option} is given twice, with a hyphen and with an underscore")
            given[option] = read_value(option, rules.model_fields[option], value)
        except InputError as error:
            problems.append(str(error))
    return given, problems


def read_set(rules: type[Options], text: str, place: str) -> tuple[str, Any]:
    """Read a change such as ``ace=low``; return the option and its value.

    Raises
    ------
    InputError
        If there is no such option, or it cannot have that value; ``place`` says where the change stands.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise InputError(f"{place}: must be OPTION=VALUE, such as {next(iter(rules.model_fields))}=2")
    try:
        option = option_name(rules, key.strip())
        return option, read_value(option, rules.model_fields[option], value.strip(), typed=True)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def option_name(rules: type[Options], key: str) -> str:
    """Return the option that a user named, with hyphens or underscores.

    Raises
    ------
    InputError
        If there is none.
    """
    name = key.replace("-", "_")
    if name in rules.model_fields:
        return name
    if name in FACTS:
        raise InputError(f"{name} is no option: it can stand in a rules file only")
    family = family_of(rules)
    if family is not None and (owner := whose(name, family, "option")):
        raise InputError(f"{quoted(key)} is no option of {game(family)}: it is {owner}")
    if family is not None and is_of_player(name, family.habits):
        raise InputError(f"{quoted(key)} is no option of the rules, it belongs to a player: --player all.{name}=VALUE")
    hint = did_you_mean(key[:MAX_SHOWN], rules.model_fields)
    raise InputError(f"{quoted(key)} is no option{hint or '; `stressim rules show` lists them'}")


def validated(rules: type[GameRules], given: Mapping[str, Any], place: str) -> GameRules:
    """Return rules with the options given.

    Raises
    ------
    InputError
        If these do not go together: one sentence, after ``place``.
    """
    try:
        return rules(**given)
    except ValidationError as error:
        first = error.errors()[0]
        said = str(first.get("ctx", {}).get("error", first["msg"]))
        if first["loc"]:
            said = f"{first['loc'][0]} = {quoted(first['input'])}: {said}"
        refuse(place + said, error.error_count())


def refuse(sentence: str, count: int) -> NoReturn:
    """Raise an InputError that says the first of ``count`` problems, and that there are more."""
    raise InputError(sentence + (f" (and {count - 1} more)" if count > 1 else ""))
