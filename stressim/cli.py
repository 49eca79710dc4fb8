"""The command line: which commands there are, and how errors become sentences.

Commands live in :mod:`stressim.commands`. Their modules are imported when they run, so that ``--help`` answers
before numpy would have been loaded.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

from stressim._version import __version__

COMMANDS = {
    "simulate": "Play many deals of RULES and say how they go.",
    "replay": "Show one deal, event by event.",
    "rules": "List, show, check and compare rules.",
    "players": "List and show players.",
    "metrics": "List and explain the numbers that a run reports.",
}


class LazyGroup(click.Group):
    """A group that knows its commands' names and first sentences without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"stressim.commands.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS:
            from stressim.errors import InputError, did_you_mean, one_of

            raise InputError(f"{args[0]!r} is no command: use {one_of(COMMANDS)}{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 78})
@click.version_option(__version__, prog_name="stressim")
def cli() -> None:
    """Play the card games called Stress a million times and see how they go.

    RULES is the name of a preset (stressim rules list) or a rules file.
    """
