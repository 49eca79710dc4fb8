"""Options as people write them: reading a value from a file or a command line, and saying it again.

Kinds are taken strictly: ``true`` is no number, ``"3"`` in a file is none either, and 3.0 is no whole number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic.fields import FieldInfo

from stressim.errors import InputError, one_of
from stressim.options import Choice

MAX_SHOWN = 60  # characters of a value quoted in a sentence

_YES_NO = {"true": True, "yes": True, "false": False, "no": False}


def read_value(name: str, info: FieldInfo, given: object, *, typed: bool = False) -> Any:
    """Turn a value into one of the option's kind and within its limits.

    Parameters
    ----------
    name, info
        The option.
    given
        A value of a TOML file, or a text from the command line.
    typed
        True for a text from the command line.

    Raises
    ------
    InputError
        If it is no such value; the text names the option, what was given and what is allowed.

    Examples
    --------
    >>> from stressim.shedding.rules import SheddingRules
    >>> read_value("row_slots", SheddingRules.model_fields["row_slots"], "3", typed=True)
    3
    """
    kind = info.annotation
    value: object = given
    if isinstance(kind, type) and issubclass(kind, Choice):
        try:
            return kind.parse(given)
        except ValueError as error:
            raise InputError(f"{name} = {quoted(given)} {error}") from None
    if kind is bool:
        if typed and isinstance(given, str):
            value = _YES_NO.get(given.lower())
        fits = isinstance(value, bool)
    elif kind is int or kind is float:
        number = _whole(given, typed=typed) if kind is int else _real(given, typed=typed)
        low, high = _limits(info)
        fits = number is not None and (low is None or number >= low) and (high is None or number <= high)
        value = number
    elif kind is str:
        if isinstance(given, int) and not isinstance(given, bool) and abs(given) < 10**9:
            value = str(given)  # deck_ranks = 9 is as clear as deck_ranks = "9"
        fits = isinstance(value, str)
    else:
        return value
    if not fits:
        marks = " without quotation marks" if isinstance(given, str) and not typed else ""
        raise InputError(f"{name} = {quoted(given)} must be {allowed(info)}{marks}")
    return value


def allowed(info: FieldInfo) -> str:
    """Say what an option may be.

    >>> from stressim.shedding.rules import SheddingRules
    >>> allowed(SheddingRules.model_fields["row_slots"]), allowed(SheddingRules.model_fields["ace"])
    ('a whole number from 1 to 8', 'wrap, low or high')
    """
    kind = info.annotation
    if isinstance(kind, type) and issubclass(kind, Choice):
        return one_of(kind.words())
    if kind is bool:
        return "true or false"
    if kind is int or kind is float:
        return _range("a whole number" if kind is int else "a number", *_limits(info))
    return "text in quotation marks"


def word(value: object) -> str:
    """Say an option's value as users write it.

    >>> word(True), word(30.0), word(2.5), word("")
    ('true', '30', '2.5', "''")
    """
    if isinstance(value, Choice):
        return value.word
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else repr(value)
    return str(value) if str(value) else "''"


def condition_text(condition: str) -> str:
    """Say a condition on another option, as options declare it.

    >>> condition_text("n_players!=2"), condition_text("deadlock_rule=redeal|most_complete_wins")
    ('n_players other than 2', 'deadlock_rule=redeal or most_complete_wins')
    """
    return condition.replace("!=", " other than ").replace("|", " or ")


def idle_text(lacking: Mapping[str, str]) -> str:
    """Say without what options do nothing.

    Parameters
    ----------
    lacking
        By option, the condition that is not met.

    >>> idle_text({"swap_deadline_s": "deadlock_rule=swap_deadline"})
    'swap_deadline_s counts only with deadlock_rule=swap_deadline'
    >>> idle_text({"n_decks": "deal_mode=split_combined", "tie_window_ms": "timing=human", "late_card": "timing=human"})
    'n_decks counts only with deal_mode=split_combined; tie_window_ms and late_card count only with timing=human'
    """
    together: dict[str, list[str]] = {}
    for name, condition in lacking.items():
        together.setdefault(condition, []).append(name)
    return "; ".join(
        f"{' and '.join([', '.join(names[:-1]), names[-1]] if names[1:] else names)} "
        f"count{'' if names[1:] else 's'} only with {condition_text(condition)}"
        for condition, names in together.items()
    )


def check_once(sets: Sequence[str], place: str) -> None:
    """Refuse changes of which two are of one option: which of them counts would be a guess.

    Parameters
    ----------
    sets
        Changes such as ``"ace=low"``.
    place
        Where they were given, for the sentence.

    Raises
    ------
    InputError
        If an option is given twice.
    """
    seen: dict[str, str] = {}
    for text in sets:
        name = set_name(text)
        if name in seen:
            raise InputError(f"{place}: {clean(name)} is given twice, as {clean(seen[name])} and as {clean(text)}")
        seen[name] = text


def set_name(text: str) -> str:
    """Return the option of a change such as ``"row-slots=3"``, with underscores."""
    return text.partition("=")[0].strip().replace("-", "_")


def quoted(value: object) -> str:
    """Show what a user gave, short and on one line.

    >>> quoted("low"), quoted(True), quoted([1, 2]), quoted(10**5000)
    ("'low'", 'true', 'a list', 'a huge number')
    """
    if isinstance(value, Choice):
        return repr(value.word)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a huge number"  # Python refuses to write out thousands of digits
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return repr(_shortened(value))
    return clean(str(value))


def clean(text: str) -> str:
    """Make text from outside fit for a terminal line: short, and without control characters."""
    return _shortened(printable(text))


def printable(text: str) -> str:
    """Put a space in place of each control character, line break and broken letter."""
    return "".join(character if character.isprintable() else " " for character in text)


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def _whole(given: object, *, typed: bool) -> int | None:
    """The whole number that was given, or None."""
    if typed:
        # Thousands of digits are refused here because Python would not convert them.
        return int(str(given)) if re.fullmatch(r"[+-]?[0-9]{1,18}", str(given)) else None
    return given if isinstance(given, int) and not isinstance(given, bool) else None


def _real(given: object, *, typed: bool) -> float | None:
    """The finite number that was given, or None."""
    if isinstance(given, bool) or not isinstance(given, str if typed else (int, float)):
        return None
    try:
        number = float(given)
    except (OverflowError, ValueError):
        return None
    # Adding zero makes -0.0 the number 0.0, of which there is but one hash.
    return number + 0.0 if math.isfinite(number) else None


def _limits(info: FieldInfo) -> tuple[float | None, float | None]:
    """The least and the greatest number that the option allows, each None if there is no such limit."""
    low = [item.ge for item in info.metadata if hasattr(item, "ge")]
    high = [item.le for item in info.metadata if hasattr(item, "le")]
    return (low[0] if low else None), (high[0] if high else None)


def _range(kind: str, low: float | None, high: float | None) -> str:
    """Say what a number may be.

    >>> _range("a whole number", 1, 8), _range("a whole number", 2, 2), _range("a number", 0, None)
    ('a whole number from 1 to 8', '2', 'a number, 0 or more')
    """
    if low is not None and low == high:
        return f"{low:g}"
    if low is not None and high is not None:
        return f"{kind} from {low:g} to {high:g}"
    if low is not None:
        return f"{kind}, {low:g} or more"
    return kind if high is None else f"{kind}, {high:g} or less"
