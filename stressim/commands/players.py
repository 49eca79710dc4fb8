"""``stressim players``: which players there are, and what they are like."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic.fields import FieldInfo

    from stressim.options import Options
    from stressim.players import Player

WIDTH = 78
_NAME, _VALUE, _NUMBER = 26, 23, 7  # widths of the table's columns


@click.group()
def command() -> None:
    """List and show players."""


@command.command("list")
def list_players() -> None:
    """List presets: first of times, then of each family's habits."""
    from stressim.family import FAMILIES, family_named
    from stressim.players.player_files import preset_files, read_chain

    shown: set[str] = set()
    for family in FAMILIES:
        habits_model = family_named(family).habits
        for part, heading in (("times", "times"), ("habits", f"habits ({family})")):
            names = [name for name, (of, _) in preset_files(habits_model).items() if of == part and name not in shown]
            if names:
                click.echo(heading)
            for name in names:
                click.echo(_wrapped(f"  {name:<12}{read_chain(name, habits_model)[0].title}", 14))
                shown.add(name)
    click.echo(_wrapped("They combine: --player 1=expert+hunter", 0))


@command.command("show")
@click.argument("texts", metavar="NAME [VALUE]...", nargs=-1, required=True)
@click.option("--family", help="Family whose habits are meant; if not given the first that knows what is named.")
@click.option("--long", "long_form", is_flag=True, help="Say what each value means and where it comes from.")
def show(texts: tuple[str, ...], family: str | None, long_form: bool) -> None:
    """Show what a player is like.

    NAME is a preset, a player file, or several joined by "+"; a VALUE such as speed=1.1 changes one thing.
    """
    for line in player_lines(_resolved(texts, family), long_form=long_form):
        click.echo(line)


def _resolved(texts: tuple[str, ...], family: str | None) -> Player:
    from stressim.errors import InputError
    from stressim.family import FAMILIES, family_named
    from stressim.players.resolve import resolve_player

    refused: list[InputError] = []
    for name in (family,) if family else FAMILIES:
        try:
            return resolve_player(texts, family_named(name).habits)
        except InputError as error:
            refused.append(error)
    raise refused[0]


def player_lines(player: Player, *, long_form: bool = False) -> Iterator[str]:
    """Yield the lines that show a player, at most 78 columns wide.

    Parameters
    ----------
    player
        The player.
    long_form
        Whether each value's meaning and source follow it.
    """
    from stressim.optiontext import word
    from stressim.players.player import HANDLES
    from stressim.players.timing import timing_fields

    yield player.name
    yield "  " + ", ".join(f"{name} {word(getattr(player, name))}" for name in HANDLES)
    yield ""
    yield f"{'times in ms, in force':<{_NAME}} {'value':<{_VALUE}} {'mean':>{_NUMBER}} {'sd':>{_NUMBER}}  evidence"
    yield from _rows(player.times, timing_fields(player.family), player, long_form=long_form)
    yield ""
    yield "habits"
    yield from _rows(player.habits, type(player.habits).model_fields, player, long_form=long_form)
    yield ""
    yield _wrapped(
        "A guess is nobody's measurement: repeat what rests on one with it halved and doubled."
        if player.guesses
        else "No value is a guess.",
        0,
    )


def _rows(model: Options, fields: Mapping[str, FieldInfo], player: Player, *, long_form: bool) -> Iterator[str]:
    from stressim.optiontext import word
    from stressim.players.distributions import Distribution
    from stressim.players.time_options import declared

    for name, field in fields.items():
        value = getattr(model, name)
        if isinstance(value, Distribution):
            text, numbers = _distribution_text(value), (f"{value.mean:.0f}", f"{value.sd:.0f}")
        else:
            text = _number_text(value) if isinstance(value, float) else word(value)
            numbers = ("", "")
        mark = (
            "given"
            if name in player.changed
            else "guess"
            if name in player.guesses
            else declared(field).get("evidence", "")
        )
        text = text if len(text) <= _VALUE else text[: _VALUE - 3] + "..."
        row = f"{name:<{_NAME}} {text:<{_VALUE}} {numbers[0]:>{_NUMBER}} {numbers[1]:>{_NUMBER}}  {mark}"
        yield row.rstrip()
        if long_form:
            yield _wrapped(f"    {field.description} [{declared(field)['source']}]", 4)


def _distribution_text(distribution: object) -> str:
    """Write a distribution short enough for the table; the command line takes any number of digits."""
    import dataclasses

    from stressim.players.distributions import Empirical

    if isinstance(distribution, Empirical) or not dataclasses.is_dataclass(distribution):
        return str(distribution)
    name, _, _ = str(distribution).partition("(")
    return f"{name}({','.join(_number_text(value) for value in dataclasses.astuple(distribution))})"  # type: ignore[arg-type]


def _number_text(value: float) -> str:
    """Write a number with about three digits.

    >>> _number_text(1764.7), _number_text(34.615), _number_text(0.002)
    ('1765', '34.6', '0.002')
    """
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _wrapped(text: str, indent: int) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=" " * indent)
