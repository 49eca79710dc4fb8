"""Types of a kernel's arguments, for which it is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_RECORDS: dict[tuple[Any, ...], Any] = {}


def signature_of(arguments: tuple[Any, ...], type_of: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Return the type of each argument; ``type_of`` is what knows it.

    The record of a game has some hundred fields: to go through them takes as long as dozens of deals, so it is done
    once for each layout.
    """
    return tuple(
        _type_of_record(argument, type_of)
        if isinstance(argument, np.ndarray) and argument.dtype.names
        else type_of(argument)
        for argument in arguments
    )


def _type_of_record(record: np.ndarray, type_of: Callable[[Any], Any]) -> Any:
    key = (record.dtype, record.ndim, record.flags.num)
    if key not in _RECORDS:
        _RECORDS[key] = type_of(record)
    return _RECORDS[key]
