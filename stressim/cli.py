"""The command line: which commands there are, and how errors become sentences.

Commands live in :mod:`stressim.commands`. Their modules are imported when they run, so that ``--help`` answers
before numpy would have been loaded.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

import click

from stressim._version import __version__

COMMANDS = {
    "simulate": "Play many deals of RULES and say how they go.",
    "compare": "Set rules or players against each other on the same deals.",
    "sweep": "Vary options and players of RULES over a grid.",
    "effects": "Change every option of RULES once and rank what it does.",
    "report": "Make a study's tables, figures and pages, or check them.",
    "explorer": "Make a page in which rules can be toggled in a browser.",
    "atlas": "Count every way in which deals of RULES get stuck.",
    "find": "Find the most extreme deals, each with its replay command.",
    "tournament": "Let many players meet and say who wins how often.",
    "replay": "Show one deal, event by event.",
    "exact": "Say what is known of RULES without simulation.",
    "verify": "Hold the simulator against everything that is known exactly.",
    "rules": "List, show, check and compare rules.",
    "players": "List and show players.",
    "metrics": "List and explain the numbers that a run reports.",
}


class ReaderGoneError(Exception):
    """Whoever read standard output has gone, as in ``| head``; click would end with status 1, which means a claim."""


class StoppedError(Exception):
    """Ctrl-C, where nothing has been counted that could be kept; click would write an empty line of its own."""


class LazyGroup(click.Group):
    """A group that knows its commands' names and first sentences without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table, which is the order of their use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command's module and return the command."""
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"stressim.commands.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands' names and sentences, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the command line; --help prints here."""
        with _endings():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _endings():
            return super().invoke(ctx)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command that is asked for, or say which ones there are."""
        if args and args[0] not in COMMANDS:
            from stressim.errors import InputError, did_you_mean, one_of

            raise InputError(f"{args[0]!r} is no command: use {one_of(COMMANDS)}{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@contextlib.contextmanager
def _endings() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError from None
    except KeyboardInterrupt:
        raise StoppedError from None
    except click.NoSuchOption as error:
        from stressim.errors import InputError

        command = error.ctx.info_name if error.ctx is not None else ""
        if error.option_name == "--deals" and command == "tournament":
            raise InputError("--deals: how many tournaments are played is --tournaments; each has its deals") from None
        if error.option_name == "--output":
            # The nearest name is --out, which would keep a run in a file called json.
            raise InputError("--output is for tournaments only: what is printed is --format here") from None
        raise


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 78})
@click.version_option(__version__, prog_name="stressim")
def cli() -> None:
    """Play the card games called Stress a million times and see how they go.

    RULES is the name of a preset (stressim rules list) or a rules file.
    """
