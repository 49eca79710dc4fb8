"""Rules files that ship with the package, by name."""

from __future__ import annotations

import functools
import importlib.resources
from typing import TYPE_CHECKING

from stressim.family import FAMILIES

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def preset_names() -> tuple[str, ...]:
    """Names of all presets, family by family.

    >>> "swedish-low" in preset_names()
    True
    """
    return tuple(_preset_files())


def is_preset(name_or_path: str) -> bool:
    """Whether this names a preset, and no file.

    >>> is_preset("swedish-low"), is_preset("./swedish")
    (True, False)
    """
    return preset_named(name_or_path) is not None


def preset_named(given: str) -> str | None:
    """Return the name of the preset that ``given`` names, or None."""
    name = given.strip().lower().replace("_", "-")
    return name if name in _preset_files() else None


def preset_text(name: str) -> str:
    """Return what a preset's file says."""
    return _preset_files()[name].read_text(encoding="utf-8")


@functools.cache
def _preset_files() -> dict[str, Traversable]:
    """Every preset's file by its name."""
    files: dict[str, Traversable] = {}
    for family in FAMILIES:
        folder = importlib.resources.files("stressim") / family / "presets"
        found = {item.name.removesuffix(".toml"): item for item in folder.iterdir() if item.name.endswith(".toml")}
        files |= dict(sorted(found.items()))
    return files
