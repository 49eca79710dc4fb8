"""What commands that play deals have in common: options, and how a run is begun and told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from stressim.commands.inputs import FORMATS, WholeNumber
from stressim.errors import InputError, one_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from stressim.workbench.variants import Variant

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def _each_once(context: click.Context, parameter: click.Parameter, sets: tuple[str, ...]) -> tuple[str, ...]:
    from stressim.optiontext import check_once

    check_once(sets, "--set")
    return sets


def set_option(command: CommandT) -> CommandT:
    """Add the option that changes rules."""
    return click.option(
        "--set",
        "sets",
        multiple=True,
        metavar="OPTION=VALUE",
        callback=_each_once,
        help="Change one rule, such as ace=low. Repeatable.",
    )(command)


def variant_options(command: CommandT) -> CommandT:
    """Add the options that say what is played."""
    for option in reversed(
        [
            set_option,
            click.option("--players", "n_players", type=WholeNumber(), metavar="N", help="Number of players."),
            click.option(
                "--player", "players", multiple=True, metavar="WHO=WHAT", help="Change a player, such as 2=senior."
            ),
            click.option(
                "--timing", default="human", show_default=True, metavar="human|uniform", help="How time passes."
            ),
        ]
    ):
        command = option(command)
    return command


def run_options(deals: int) -> Callable[[CommandT], CommandT]:
    """Add the options that say how much is played; ``deals`` is the default number."""

    def decorated(command: CommandT) -> CommandT:
        for option in reversed(
            [
                click.option("--deals", type=WholeNumber(), default=deals, show_default=True, help="How many deals."),
                click.option("--seed", type=WholeNumber(), default=1, show_default=True, help="Where chance begins."),
                click.option("--jobs", type=WholeNumber(), metavar="N", help="Threads; one for each processor."),
                click.option(
                    "--confidence", type=float, default=0.95, show_default=True, help="Of intervals and verdicts."
                ),
            ]
        ):
            command = option(command)
        return command

    return decorated


def output_options(plot: str) -> Callable[[CommandT], CommandT]:
    """Add the options that say what is printed and drawn; ``plot`` says what the picture shows."""

    def decorated(command: CommandT) -> CommandT:
        for option in reversed(
            [
                click.option(
                    "--format",
                    "form",
                    default="text",
                    show_default=True,
                    metavar="|".join(FORMATS),
                    help="What is printed.",
                ),
                click.option(
                    "--plot",
                    type=click.Path(path_type=Path),
                    metavar="FILE",
                    help=f"Draw {plot} as well: .svg, .png or .pdf.",
                ),
            ]
        ):
            command = option(command)
        return command

    return decorated


def check_form(form: str, forms: Iterable[str] = FORMATS, option: str = "--format") -> None:
    """Refuse an unknown format.

    Raises
    ------
    InputError
        If it is none of ``forms``.
    """
    if form not in forms:
        raise InputError(f"{option} {form!r} is not known: it must be {one_of(forms)}")


def check_plot(path: Path | None) -> None:
    """Refuse a path where no picture could be written, before anything is played."""
    if path is not None:
        from stressim import pictures

        pictures.check_path(path)


def draw_into(path: Path | None, draw: Callable[[], Figure], title: str, description: str = "") -> None:
    """Draw a picture, if one is wanted."""
    if path is not None:
        from stressim import pictures

        pictures.save(draw, path, title=title, description=description)


def announce_compilation(first: Variant, *later: Variant) -> None:
    """Begin to compile what is played, and tell somebody who watches why the first run of a version takes longer."""
    import sys

    from stressim.output import terminal
    from stressim.workbench.ahead import compile_ahead

    if compile_ahead(first, later) and terminal.is_terminal(sys.stderr):
        terminal.say(f"compiling the {first.family.name} kernel for {first.timing.word} timing, once; up to 20 s")
