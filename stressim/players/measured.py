"""Measured times from CSV files."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from stressim.errors import InputError, did_you_mean, one_of
from stressim.optiontext import clean, quoted
from stressim.textfile import read_text

MAX_BYTES = 20_000_000


def read_numbers(path: Path, column: str, *, shown: str) -> tuple[float, ...]:
    """Return the numbers in one column of a CSV file with a header; empty cells are skipped.

    Parameters
    ----------
    path, column
        The file, and the name of the column.
    shown
        What a sentence calls the file: the path as the user gave it.

    Raises
    ------
    InputError
        If the file cannot be read, has no such column, or a cell is no number.
    """
    shown = clean(shown)
    text = read_text(path, shown=shown, kind="CSV file", max_bytes=MAX_BYTES)
    numbers = []
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""))
        names = [clean(name) for name in reader.fieldnames or []]
        if column not in names:
            known = f": it has {one_of(names)}" if names else ""
            raise InputError(f"{shown} has no column {quoted(column)}{known}{did_you_mean(column, names)}")
        for row in reader:
            cell = (row[column] or "").strip()
            if cell:
                numbers.append(_number(cell, f"{shown} line {reader.line_num}: {column}"))
    except csv.Error as error:
        raise InputError(f"{shown} is no CSV file: {error}") from None
    if not numbers:
        raise InputError(f"{shown} has no number in column {quoted(column)}")
    return tuple(numbers)


def _number(cell: str, shown: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise InputError(f"{shown} must be a number of ms, not {quoted(cell)}") from None
