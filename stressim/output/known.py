"""What is known of rules without simulation, for people and for programs."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from stressim._version import __version__
from stressim.exact.quantities import Quantity
from stressim.output.phrases import escaped
from stressim.output.text import WIDTH, Line
from stressim.players.player import Player
from stressim.players.resolve import describe_player
from stressim.rulesfile import LoadedRules

_NAME = 25
_VALUE = 14  # a column no narrower than this, and as wide as the longest value
_LONGEST_FRACTION = 34


@dataclass(frozen=True, kw_only=True)
class Known:
    """All that is known of some rules.

    Parameters
    ----------
    rules, players
        Of what it is known.
    asked
        Further things that were asked for, by name, as they go into JSON.
    quantities
        The numbers; names are different.
    """

    rules: LoadedRules
    players: tuple[Player, ...]
    asked: Mapping[str, str]
    quantities: tuple[Quantity, ...]


def render(known: Known) -> list[Line]:
    """Say what is known in lines of at most 78 columns."""
    wide = max([_VALUE, *(len(quantity.decimal) for quantity in known.quantities)])
    lines = [Line(text, "headline") for text in textwrap.wrap(f"{known.rules.heading} · exact", WIDTH)]
    counted = [quantity for quantity in known.quantities if quantity.value is not None]
    for group, quantities in groupby(counted, key=lambda quantity: quantity.group):
        lines += [Line(""), Line(f"  {group}", "heading")]
        for quantity in quantities:
            lines += _said(quantity, wide)
    left_out = [quantity for quantity in known.quantities if quantity.value is None]
    if left_out:
        lines += [Line(""), Line("  left out", "heading")]
    for reason, quantities in groupby(left_out, key=lambda quantity: quantity.reason):
        names = ", ".join(quantity.name for quantity in quantities)
        lines += [Line(text) for text in _hanging("  ", f"{names}: {reason}", 4)]
    return lines


def _said(quantity: Quantity, wide: int) -> Iterator[Line]:
    fraction = quantity.fraction if "/" in quantity.fraction else ""
    if len(fraction) > _LONGEST_FRACTION:
        fraction = "" if not fraction else "(fraction in JSON)"
    number = f"  {quantity.name:<{_NAME}} {quantity.decimal:<{wide}} {fraction}".rstrip()
    yield Line(number, "row")
    for text in textwrap.wrap(f"{quantity.meaning} [{quantity.unit}]", WIDTH - 6):
        yield Line(f"      {text}")


def _hanging(first: str, text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * indent)


def as_dict(known: Known) -> dict[str, Any]:
    """Return the JSON object; a quantity that is left out has no value but a reason."""
    return {
        "rules": known.rules.options.model_dump(mode="json"),
        "rules_hash": known.rules.rules_hash,
        "players": [describe_player(player) for player in known.players],
        **known.asked,
        "version": __version__,
        "quantities": {quantity.name: _entry(quantity) for quantity in known.quantities},
    }


def _entry(quantity: Quantity) -> dict[str, Any]:
    entry: dict[str, Any] = {"value": float(quantity.decimal) if quantity.decimal else None}
    if quantity.fraction:
        entry["fraction"] = quantity.fraction
    if quantity.reason:
        entry["left_out"] = quantity.reason
    return entry | {"unit": quantity.unit, "group": quantity.group, "meaning": quantity.meaning}


def to_json(known: Known) -> str:
    """Return the JSON object as text."""
    return json.dumps(as_dict(known), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


_COLUMNS = ("quantity", "value [unit]", "fraction [unit]", "unit", "group", "meaning", "left out")


def _rows(quantities: Sequence[Quantity]) -> Iterator[tuple[str, ...]]:
    for each in quantities:
        yield (each.name, each.decimal, each.fraction, each.unit, each.group, each.meaning, each.reason)


def to_csv(known: Known) -> str:
    """Return one row for each quantity."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(_rows(known.quantities))
    return text.getvalue()


def to_markdown(known: Known) -> str:
    """Return a heading and a table; long fractions are in JSON and CSV."""
    lines = [f"**{escaped(known.rules.heading)}**: exact", ""]
    lines += ["| quantity | value | fraction | unit | meaning |", "| :-- | --: | :-- | :-- | :-- |"]
    for name, value, fraction, unit, _, meaning, reason in _rows(known.quantities):
        shown = fraction if len(fraction) <= _LONGEST_FRACTION else ""
        said = f"{meaning} Left out: {reason}." if reason else meaning
        lines.append(f"| {name} | {value} | {shown} | {unit} | {said.replace('|', '/')} |")
    return "\n".join(lines) + "\n"
