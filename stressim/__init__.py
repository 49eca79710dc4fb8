"""Monte Carlo rules analysis for the card games called Stress.

>>> import stressim
>>> stressim.compare("swedish", "ace=low", deals=1000).difference("stalls").verdict
'more'
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from stressim._version import __version__

if TYPE_CHECKING:
    from stressim.errors import InputError
    from stressim.workbench.looking import atlas, replay, tournament
    from stressim.workbench.notebook import compare, effects, find, simulate, sweep

__all__ = [
    "InputError",
    "__version__",
    "atlas",
    "compare",
    "effects",
    "find",
    "replay",
    "simulate",
    "sweep",
    "tournament",
]

_PLACES = (
    dict.fromkeys(__all__, "stressim.workbench.notebook")
    | dict.fromkeys(("atlas", "replay", "tournament"), "stressim.workbench.looking")
    | {"InputError": "stressim.errors"}
)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: numpy and numba would keep ``stressim --help`` waiting."""
    if name in _PLACES and name != "__version__":
        return getattr(importlib.import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'stressim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        # Importing the module stressim.simulate would put it in the place of the function of that name.
        if not (name in _PLACES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
