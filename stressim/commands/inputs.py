"""What every command that plays deals has in common: whole numbers, formats and the status after Ctrl-C."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import click

from stressim.errors import InputError

STOPPED = 130
FORMATS = ("text", "json", "csv", "markdown")

_WHOLE = re.compile(r"[+-]?\d{1,30}(?:\.\d{0,30})?(?:[eE][+-]?\d{1,2})?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")


class WholeNumber(click.ParamType):  # type: ignore[type-arg]  # generic in its stubs, not at run time
    """A whole number, with or without ``_`` between digits or ``,`` between thousands; ``1.5e3`` is one too."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        if isinstance(value, int):
            return value
        text = str(value).strip().replace("_", "")
        if _GROUPED.fullmatch(text):
            text = text.replace(",", "")
        # A fraction is exact where a binary number would make 1.1e18 another one.
        number = Fraction(text) if _WHOLE.fullmatch(text) else None
        if number is None or number.denominator != 1:
            name = max(param.opts, key=len) if param is not None else "--number"
            raise InputError(f"{name} {str(value)[:60]!r} is no whole number")
        return number.numerator
