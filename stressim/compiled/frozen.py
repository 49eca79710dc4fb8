"""Kernels for some rules alone: a record says by a mark which of its rules always have which values."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

FROZEN: dict[str, dict[str, int]] = {}
"""Values of fields, by mark."""


def frozen_mark(values: Mapping[str, int]) -> str:
    """Return the name of a field by which a record of rules says what some of its fields always are.

    A kernel whose first argument is a record with such a record as ``rules`` is compiled for these values alone: what
    they rule out is cut off before it is translated.

    Parameters
    ----------
    values
        Numbers by the fields' names; after ``players.`` what is the same for all players.

    Examples
    --------
    >>> frozen_mark({"n_jokers": 0}) == frozen_mark({"n_jokers": 0}) != frozen_mark({"n_jokers": 2})
    True
    """
    numbers = {name: int(value) for name, value in values.items()}
    mark = f"frozen_{hashlib.sha256(repr(sorted(numbers.items())).encode()).hexdigest()[:16]}"
    FROZEN[mark] = numbers
    return mark
