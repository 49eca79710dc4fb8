"""Reading files that users name: ordinary, small UTF-8 text, or one sentence that says why not."""

from __future__ import annotations

import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from stressim.errors import InputError
from stressim.optiontext import clean

_PLACE = re.compile(r"\(at line (\d+), column \d+\)")
_NAME = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")
_UNQUOTED = re.compile(r"""\s*([\w-]+)\s*=\s*([^\W\d][^"'#=\[\]{}]*?)\s*(?:\#.*)?""")


def read_text(path: Path, *, shown: str, kind: str, max_bytes: int = 1_000_000) -> str:
    """Return the text of a file.

    Parameters
    ----------
    path
        The file.
    shown
        What a sentence calls it: the path as the user gave it.
    kind
        What it should be: ``player file``, ``CSV file`` …
    max_bytes
        A larger file is refused.

    Raises
    ------
    InputError
        If it is missing, no ordinary file, too large or no UTF-8 text.
    """
    try:
        # Asked before opening: a pipe would wait for ever.
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            raise InputError(f"{shown} is a folder, not a {kind}")
        if not stat.S_ISREG(about.st_mode):
            raise InputError(f"{shown} is no ordinary file")
        if about.st_size > max_bytes:
            raise InputError(f"{shown} is larger than {max_bytes:,} bytes, too large for a {kind}")
        # Editors of some systems put a mark in front of UTF-8 text.
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{shown} is no UTF-8 text (byte {error.start + 1}), so it is no {kind}") from None
    except OSError as error:
        raise InputError(f"{shown} cannot be read: {error.strerror or type(error).__name__}") from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{shown} is no path") from None  # a null byte in it
    if "\0" in text:
        raise InputError(f"{shown} is a binary file, not a {kind}")
    return text


def parse_toml(text: str, *, shown: str, kind: str) -> dict[str, Any]:
    """Return the content of a TOML file.

    Raises
    ------
    InputError
        If it is no TOML; of a word without quotation marks the text says that it needs them, and a name that is given
        twice is named.

    Examples
    --------
    >>> parse_toml("speed = 1.1", shown="me.toml", kind="player file")
    {'speed': 1.1}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if said := _given_twice(text, str(error)) or _unquoted(text, str(error)):
            raise InputError(f"{shown}, {said}") from None
        raise InputError(f"{shown} is no valid TOML: {clean(str(error))}") from None
    except RecursionError:
        raise InputError(f"{shown} is nested too deeply for a {kind}") from None
    except ValueError:  # an integer of thousands of digits, which Python does not convert
        raise InputError(f"{shown} holds a number with too many digits") from None


def _given_twice(text: str, error: str) -> str:
    """Say which name is given twice, if that is what is wrong; empty otherwise."""
    if not error.startswith("Cannot overwrite a value"):
        return ""
    lines = text.split("\n")
    # The place is where reading stopped: the end of the line, or of the whole text.
    place = _PLACE.search(error)
    number = int(place[1]) if place else len(lines)
    found = _NAME.match(lines[number - 1])
    return f"line {number}: {clean(found[1])} is given twice" if found else ""


def _unquoted(text: str, error: str) -> str:
    """Say that a word needs quotation marks, if the line where reading failed has one without; empty otherwise."""
    place = _PLACE.search(error)
    if place is None:
        return ""
    number = int(place[1])
    lines = text.split("\n")
    found = _UNQUOTED.fullmatch(lines[number - 1].rstrip("\r")) if number <= len(lines) else None
    if found is None:
        return ""
    key, word = clean(found[1]), clean(found[2])
    if word.lower() in ("true", "false"):
        return f"line {number}: {key} = {word} must be written in small letters: {key} = {word.lower()}"
    return f'line {number}: {key} = {word} is a word, and words stand in quotation marks: {key} = "{word}"'
