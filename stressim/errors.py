"""The one exception that a user sees as a sentence instead of a traceback."""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Iterable, Iterator


class InputError(ValueError):
    """Something the user gave cannot be used.

    The command line prints its text as one sentence and ends with status 2. The text names what was given, what is
    wrong with it, and what is allowed.
    """


@contextlib.contextmanager
def said_at(place: str) -> Iterator[None]:
    """Put a place in a study before what an :class:`InputError` says that is raised inside.

    The option of a command line with which that may begin goes: a study has changes, and keys named like options.

    Examples
    --------
    >>> with said_at("study 'mine.toml', question 1"):
    ...     raise InputError("--on: 'stals' is no metric")
    Traceback (most recent call last):
    stressim.errors.InputError: study 'mine.toml', question 1: on: 'stals' is no metric
    """
    try:
        yield
    except InputError as error:
        said = re.sub(r"^--(?:(?:set|player) |(?=(?:on|vary|timing)\b))", "", str(error))
        raise InputError(f"{place}: {said}") from None


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest known name, or ``""``.

    Examples
    --------
    >>> did_you_mean("row_slot", ["ace", "row_slots"])
    "; did you mean 'row_slots'?"
    >>> did_you_mean("zzz", ["ace", "row_slots"])
    ''
    """
    near = difflib.get_close_matches(given.lower().replace("-", "_"), list(known), n=1, cutoff=0.6)
    if not near:
        near = difflib.get_close_matches(given.lower(), list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def one_of(names: Iterable[str]) -> str:
    """Join names as ``"a, b or c"``.

    Examples
    --------
    >>> one_of(["wrap", "low", "high"])
    'wrap, low or high'
    """
    listed = [str(name) for name in names]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"
