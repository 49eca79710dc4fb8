"""Types of a kernel's arguments, for which it is compiled."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.core import types

_RECORDS: dict[tuple[Any, ...], types.Type] = {}


def signature_of(arguments: tuple[Any, ...]) -> tuple[types.Type, ...]:
    """Return the type of each argument as numba knows it."""
    return tuple(_type_of(argument) for argument in arguments)


def _type_of(argument: Any) -> types.Type:
    # The record of a game has some hundred fields; to go through them takes as long as dozens of deals.
    if not (isinstance(argument, np.ndarray) and argument.dtype.names):
        return _known_to_numba(argument)
    key = (argument.dtype, argument.ndim, argument.flags.num)
    if key not in _RECORDS:
        _RECORDS[key] = _known_to_numba(argument)
    return _RECORDS[key]


def _known_to_numba(argument: Any) -> types.Type:
    found: types.Type = numba.typeof(argument)
    return found
