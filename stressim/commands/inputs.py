"""What every command that plays deals has in common: whole numbers, formats and the status after Ctrl-C."""

from __future__ import annotations

import re
from typing import Any

import click

from stressim.errors import InputError

STOPPED = 130
FORMATS = ("text", "json", "csv", "markdown")

_WHOLE = re.compile(r"[+-]?\d{1,30}")


class WholeNumber(click.ParamType):  # type: ignore[type-arg]  # generic in its stubs, not at run time
    """A whole number, with or without ``_`` or ``,`` between digits; ``1e6`` is one too."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        if isinstance(value, int):
            return value
        text = str(value).strip().replace("_", "").replace(",", "")
        short = re.fullmatch(r"(\d{1,6})[eE]\+?(\d{1,2})", text)
        if short:
            return int(short[1] + int(short[2]) * "0")
        if not _WHOLE.fullmatch(text):
            name = max(param.opts, key=len) if param is not None else "--number"
            raise InputError(f"{name} {str(value)[:60]!r} is no whole number")
        return int(text)
