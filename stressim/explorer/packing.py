"""Columns of whole numbers as short text: differences to an earlier row, in Rice's code, six bits a character.

Combinations beside one another have numbers beside one another. So of each number the difference to that of an
earlier row is kept; small ones take few bits. The page unpacks them in a dozen lines, and the bytes are the same
everywhere, which those of a compression library need not be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
ESCAPE = 20
"""So many ones in a row say that the number follows in 32 plain bits."""

_MOST_BITS = 20


class Packed(NamedTuple):
    """A column: how many rows back the number lies that each is counted from, Rice's parameter, and the text."""

    lag: int
    bits: int
    text: str


def pack(numbers: Sequence[int], lags: Sequence[int]) -> Packed:
    """Pack a column, with the lag of those given and the parameter that make it shortest.

    Raises
    ------
    ValueError
        If a difference does not fit into 32 bits.

    Examples
    --------
    >>> packed = pack([3, 9, 3, 9, 4, 9], lags=[1, 2])
    >>> packed.lag, unpack(packed, 6)
    (2, [3, 9, 3, 9, 4, 9])
    """
    found = []
    for lag in lags:
        steps = np.array(_steps(numbers, lag), np.int64)
        found += [(_length(steps, bits), lag, bits) for bits in range(_MOST_BITS)]
    _, lag, bits = min(found)
    return Packed(lag, bits, _text(_steps(numbers, lag), bits))


def unpack(packed: Packed, n: int) -> list[int]:
    """Return the numbers of a column of ``n``."""
    stream = "".join(f"{ALPHABET.index(character):06b}" for character in packed.text)
    place = 0
    numbers: list[int] = []
    while len(numbers) < n:
        ones = 0
        while ones < ESCAPE and stream[place] == "1":
            ones, place = ones + 1, place + 1
        if ones == ESCAPE:
            step, place = int(stream[place : place + 32], 2), place + 32
        else:
            step = ones << packed.bits | int("0" + stream[place + 1 : place + 1 + packed.bits], 2)
            place += 1 + packed.bits
        before = numbers[-packed.lag] if len(numbers) >= packed.lag else 0
        numbers.append(before + (step >> 1 if step % 2 == 0 else -(step + 1 >> 1)))
    return numbers


def _steps(numbers: Sequence[int], lag: int) -> list[int]:
    """Differences as numbers that are not negative: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4."""
    earlier = [0] * min(lag, len(numbers)) + list(numbers[: max(0, len(numbers) - lag)])
    steps = [number - before for number, before in zip(numbers, earlier, strict=True)]
    return [2 * step if step >= 0 else -2 * step - 1 for step in steps]


def _length(steps: NDArray[np.int64], bits: int) -> int:
    """Return how many bits a column takes."""
    ones = steps >> bits
    return int(np.where(ones < ESCAPE, ones + 1 + bits, ESCAPE + 32).sum())


def _text(steps: Sequence[int], bits: int) -> str:
    parts = []
    for step in steps:
        if step >= 1 << 32:
            raise ValueError(f"a step of {step} is too large to be packed")
        if step >> bits >= ESCAPE:
            parts.append("1" * ESCAPE + f"{step:032b}")
        else:
            rest = f"{step & ((1 << bits) - 1):0{bits}b}" if bits else ""
            parts.append("1" * (step >> bits) + "0" + rest)
    stream = "".join(parts)
    stream += "0" * (-len(stream) % 6)
    return "".join(ALPHABET[int(stream[at : at + 6], 2)] for at in range(0, len(stream), 6))
