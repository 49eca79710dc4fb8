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
    for name in modules_used(module):
        digest.update(name.encode() + _read(_files()[name])[0])
    return digest.hexdigest()[:16]


def modules_used(module: str) -> list[str]:
    """List a module of this package and all that it imports from it, directly or not."""
    waiting, found = [module], dict[str, None]()
    while waiting:
        name = waiting.pop()
        if name not in found and name in _files():
            found[name] = None
            waiting += _read(_files()[name])[1]
    return list(found)


@functools.cache
def _files() -> dict[str, Path]:
    """Where each module of this package lies."""
    found = {}
    for folder, inner, names in os.walk(PACKAGE):
        inner[:] = [name for name in inner if name != "__pycache__"]
        parts = [PACKAGE.name, *Path(folder).relative_to(PACKAGE).parts]
        for name in names:
            if name.endswith(".py"):
                module = parts if name == "__init__.py" else [*parts, name.removesuffix(".py")]
                found[".".join(module)] = Path(folder, name)
    return found


@functools.cache
def _read(path: Path) -> tuple[bytes, list[str]]:
    """Return a module's source and what it may import from this package; families' kernels share most of both."""
    source = path.read_bytes()
    imported = []
    for module, members in _IMPORT.findall(source.decode()):
        imported.append(module)
        imported += [f"{module}.{member.strip()}" for member in members.split(",") if member.strip()]
    return source, imported
