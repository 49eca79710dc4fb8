"""Files that are written whole: a new content takes a file's name only when it is on the disk."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from stressim.errors import InputError


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Let a file be written beside ``path``, and give it that name if the block ends well.

    A reader, and whoever comes after a crash, sees the old content or the new one.

    Parameters
    ----------
    path
        The file to be; its folder must exist.

    Yields
    ------
    Path
        An empty file to write to.

    Raises
    ------
    OSError
        If it cannot be written; then nothing has changed.
    """
    path = Path(os.path.realpath(path))  # a link stays a link
    folder = path.parent
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=folder)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        part.chmod(_mode(path))
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    _sync_folder(folder)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    try:
        with replacing(path) as part:
            part.write_bytes(content)
    except OSError as error:
        raise InputError(f"{path} could not be written: {error.strerror or error}") from None


def _mode(path: Path) -> int:
    # A temporary file is for its owner alone; a result is as open as any file that is made here, or as it was.
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    # The new name is on the disk only when its folder is; some systems cannot open folders.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
