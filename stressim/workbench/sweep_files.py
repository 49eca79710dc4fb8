"""Tables of sweeps as files: CSV, or Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
import importlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stressim.errors import InputError, one_of
from stressim.files import write_whole
from stressim.textfile import read_text
from stressim.workbench.tables import to_csv

SUFFIXES = (".csv", ".parquet")
_MOST_BYTES = 500_000_000
_WHOLE = ("n [deals]", "seed")
_TEXT = ("metric", "quantile", "unit", "key")


def check_out(path: Path) -> None:
    """Refuse a path where no table could be written, before anything is played.

    Raises
    ------
    InputError
        If the suffix is unknown, the folder is missing, or what a Parquet file needs is not installed.
    """
    if path.suffix.lower() not in SUFFIXES:
        given = f"{path.suffix!r}" if path.suffix else "no suffix"
        raise InputError(f"--out {path}: a table's suffix must be {one_of(SUFFIXES)}, not {given}")
    if not path.parent.is_dir():
        raise InputError(f"--out {path}: there is no folder {str(path.parent)!r}")
    if path.suffix.lower() == ".parquet":
        try:
            importlib.import_module("pyarrow")
        except ImportError:
            raise InputError(
                f"--out {path}: a Parquet file needs pyarrow: pip install pyarrow, or write a .csv"
            ) from None


def read_table(path: Path, header: Sequence[str]) -> list[dict[str, Any]]:
    """Return the records of a table that is there; none if there is no file.

    Raises
    ------
    InputError
        If it is no table of such a sweep.
    """
    check_out(path)
    if not path.exists():
        return []
    if path.suffix.lower() == ".parquet":
        import pandas as pd

        try:
            frame = pd.read_parquet(path)
        except (OSError, ValueError) as error:
            raise InputError(f"--out {path}: it is there and cannot be read: {error}") from None
        rows: list[dict[str, Any]] = [
            {str(name): None if value != value else value for name, value in row.items()}
            for row in frame.to_dict("records")
        ]
        names: Sequence[str] = list(frame.columns)
    else:
        text = read_text(path, shown=f"--out {path}", kind="CSV file", max_bytes=_MOST_BYTES)
        reader = csv.DictReader(io.StringIO(text))
        rows, names = list(reader), reader.fieldnames or []
    if list(names) != list(header):
        raise InputError(f"--out {path}: it is there and is no table of this sweep; name another file or remove it")
    first = list(header).index("metric")
    return [_typed(row, set(header[:first])) for row in rows]


def _typed(row: Mapping[str, Any], axes: set[str]) -> dict[str, Any]:
    """Return a record with numbers as numbers."""
    typed: dict[str, Any] = {}
    for name, value in row.items():
        if name in axes or name in _TEXT:
            typed[name] = value or ""
        elif value in ("", None):
            typed[name] = None
        else:
            typed[name] = int(value) if name in _WHOLE else float(value)
    return typed


def write_table(path: Path, header: Sequence[str], records: Sequence[Mapping[str, Any]]) -> None:
    """Write a table; it is there whole or not at all.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    if path.suffix.lower() == ".parquet":
        import pandas as pd

        content = io.BytesIO()
        pd.DataFrame.from_records(list(records), columns=list(header)).to_parquet(content, index=False)
        write_whole(path, content.getvalue())
    else:
        write_whole(path, to_csv(records).encode())
