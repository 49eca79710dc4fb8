"""Deals one by one: a Parquet file with one row for each deal, written while they are played.

Memory stays flat: each shard is one row group, written when it is counted. The file gets its name when it is whole.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stressim.errors import InputError
from stressim.family import Family
from stressim.files import replacing

if TYPE_CHECKING:
    from stressim.simulate import Shard

DEAL = "deal"
"""The first column: the deal's number. The others are the family's columns, in their order."""


class DealsFile:
    """A file of deals that is being written."""

    def __init__(self, path: Path, part: Path, family: Family, manifest: Mapping[str, Any]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.path = path
        self.n_deals = 0
        self._schema = pa.schema(
            [
                pa.field(DEAL, pa.int64(), nullable=False, metadata={"meaning": "number of the deal"}),
                *(
                    pa.field(
                        column.name,
                        pa.int64(),
                        nullable=False,
                        metadata={"unit": column.unit, "meaning": column.meaning},
                    )
                    for column in family.columns
                ),
            ],
            metadata={"stressim": json.dumps(manifest, ensure_ascii=False)},
        )
        self._writer = pq.ParquetWriter(part, self._schema, compression="zstd")

    def write(self, shard: Shard) -> None:
        """Append a shard's deals as a row group; one that is there already is passed over."""
        import pyarrow as pa

        if shard.first != self.n_deals or shard.rows is None:
            return
        rows = shard.rows
        numbers = np.arange(shard.first, shard.first + len(rows), dtype=np.int64)
        arrays = [pa.array(numbers), *(pa.array(np.ascontiguousarray(column)) for column in rows.T)]
        try:
            self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema), row_group_size=len(rows))
        except OSError as error:
            raise _cannot_write(self.path, error) from None
        self.n_deals += len(rows)

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()


@contextlib.contextmanager
def opened(path: Path, family: Family, manifest: Mapping[str, Any]) -> Iterator[DealsFile]:
    """Begin a file of deals; it is finished when the block ends, also by Ctrl-C, with the deals written until then.

    Parameters
    ----------
    path
        A name that ends in ``.parquet``; its folder must exist. A file of this name is replaced.
    family
        Whose columns are written; unit and meaning of each stand in the file.
    manifest
        What is played; it stands in the file's metadata as JSON, under ``stressim``.

    Raises
    ------
    InputError
        If the path is none for a Parquet file, the file cannot be written, or pyarrow is missing.
    """
    _check_path(path)
    try:
        import pyarrow.parquet  # noqa: F401  (whether it is there)
    except ImportError:
        raise InputError(
            "--deals-out needs pyarrow, which stressim's extra 'parquet' brings: in a clone, "
            "pip install -c constraints.txt -e '.[parquet]'"
        ) from None
    interrupted: KeyboardInterrupt | None = None
    try:
        with replacing(path) as part:
            file = DealsFile(path, part, family, manifest)
            try:
                yield file
            except KeyboardInterrupt as stopped:
                interrupted = stopped
            file.close()
    except OSError as error:
        raise _cannot_write(path, error) from None
    if interrupted is not None:
        raise interrupted


def _check_path(path: Path) -> None:
    if path.is_dir():
        raise InputError(f"--deals-out {path}: this is a folder: name a file in it, such as {path / 'deals.parquet'}")
    if path.suffix.lower() != ".parquet":
        given = f"{path.suffix!r}" if path.suffix else "no suffix"
        whole = path.with_suffix(".parquet")
        raise InputError(f"--deals-out {path}: a Parquet file's suffix must be .parquet, not {given}: write {whole}")
    if path.parent.exists() and not path.parent.is_dir():
        raise InputError(f"--deals-out {path}: {str(path.parent)!r} is a file, not a folder")
    if not path.parent.is_dir():
        raise InputError(f"--deals-out {path}: there is no folder {str(path.parent)!r}")
    if path.exists() and not path.is_file():
        raise InputError(f"--deals-out {path}: it is no ordinary file")


def _cannot_write(path: Path, error: OSError) -> InputError:
    return InputError(f"--deals-out {path} cannot be written: {error.strerror or error}")
