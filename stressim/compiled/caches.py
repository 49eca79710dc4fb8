"""Where compiled code is kept.

numba's cache does not notice when a function that a kernel calls has changed in another module, and stale compiled
code is a wrong result. So compiled code lies in a folder named after a hash of every source file that the kernel's
module imports from this package, directly or not.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]

_IMPORT = re.compile(r"^\s*(?:from|import)\s+(stressim[\w.]*)(?:\s+import\s+\(?([\w, ]*))?", re.MULTILINE)


@functools.cache
def folder_for(module: str, compiler: str) -> Path | None:
    """Return the folder for a module's compiled code, or None if there is no place for it.

    It lies beside the sources, else in the user's cache, else among temporary files.

    Parameters
    ----------
    module
        Name of a module of this package.
    compiler
        What compiles it, with its version.
    """
    name = f"stressim-{_sources_hash(module, compiler)}"
    user = os.environ.get("NUMBA_CACHE_DIR")
    for place in [Path(user)] if user else [PACKAGE / "__pycache__", *_user_caches()]:
        folder = place / name
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Compiled code is run as it is read: a folder that somebody else made may hold anything.
            if hasattr(os, "getuid") and folder.stat().st_uid not in (os.getuid(), 0):
                continue
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def _user_caches() -> list[Path]:
    """Where the platform keeps a user's caches, and a folder of the user's own among temporary files."""
    places = []
    if os.name == "nt" and os.environ.get("LOCALAPPDATA"):
        places.append(Path(os.environ["LOCALAPPDATA"]) / "stressim")
    elif os.environ.get("XDG_CACHE_HOME"):
        places.append(Path(os.environ["XDG_CACHE_HOME"]) / "stressim")
    elif os.environ.get("HOME"):
        places.append(Path(os.environ["HOME"]) / ".cache" / "stressim")
    with contextlib.suppress(OSError):
        user = os.getuid() if hasattr(os, "getuid") else "user"
        places.append(Path(tempfile.gettempdir()) / f"stressim-{user}")
    return places


def _sources_hash(module: str, compiler: str) -> str:
    """Hash of the sources of a module and of all it imports from this package."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {compiler}".encode())
    waiting, seen = [module], set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        path = PACKAGE.joinpath(*name.split(".")[1:])
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not path.is_file():
            continue
        source = path.read_bytes()
        digest.update(name.encode() + source)
        for imported, members in _IMPORT.findall(source.decode()):
            waiting.append(imported)
            waiting += [f"{imported}.{member.strip()}" for member in members.split(",") if member.strip()]
    return digest.hexdigest()[:16]
