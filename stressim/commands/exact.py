"""``stressim exact``: what is known of rules without simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from stressim.commands.inputs import WholeNumber
from stressim.commands.shared import check_form, set_option
from stressim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from stressim.exact.quantities import Quantity


@click.command("exact")
@click.argument("rules", metavar="RULES")
@set_option
@click.option("--players", "n_players", type=WholeNumber(), metavar="N", help="Number of players.")
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="WHO=WHAT",
    help="Change a player, whose hands race and who may give way: 2=senior, 1.speed=1.1. Repeatable.",
)
@click.option(
    "--win",
    default="1/2",
    show_default=True,
    metavar="P",
    help="Player 1's part of the won deals, for matches: a fraction or a decimal.",
)
@click.option(
    "--race",
    nargs=2,
    metavar="TIME TIME",
    help="Integrate a race of two more times, such as 'exgauss(360,45,70)' 'lognormal(400,60)'.",
)
@click.option("--window", type=float, default=0.0, show_default=True, metavar="MS", help="Tie window of --race.")
@click.option(
    "--format", "form", default="text", show_default=True, metavar="text|json|csv|markdown", help="What is printed."
)
def command(
    rules: str,
    sets: tuple[str, ...],
    n_players: int | None,
    players: tuple[str, ...],
    win: str,
    race: tuple[str, str] | None,
    window: float,
    form: str,
) -> None:
    """Say what is known of RULES without simulation.

    RULES is the name of a preset (stressim rules list) or the path of a rules file. The deal is counted in fractions:
    first flip, first rows, bunches, centre. Races between hands are integrated, matches added up, and a deck of few
    cards is solved whole, without a clock. What is too costly to count is left out, with the reason.

    \b
    Examples:
      stressim exact swedish
      stressim exact jass --set ace=low --format json
      stressim exact james-bond --players 3
      stressim exact swedish --player 2.seat_distance_cm=14 --win 0.55
      stressim exact swedish --race 'exgauss(360,45,70)' 'exgauss(410,45,70)'
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim import small_decks
    from stressim.output import known as output
    from stressim.output import terminal
    from stressim.players.resolve import resolve_players
    from stressim.rulesfile import load_rules

    check_form(form)
    if not 0 <= window <= 1e6:
        raise InputError(f"--window {window:g} is not possible: it must be from 0 to 1000000 ms")
    share = _probability(win)
    loaded = load_rules(rules, sets, n_players)
    seated = resolve_players(players, loaded.options.n_players, loaded.family.habits)
    found: list[Quantity] = list(loaded.family.deal_facts.quantities(loaded.options))
    found += loaded.family.races.quantities(loaded.options, seated)
    found += small_decks.quantities(loaded, seated)
    asked = {"win": str(share)}
    if race:
        asked |= {"race": f"{race[0]} {race[1]}", "window": f"{window:g}"}
        found += _race(race, window)
    found += _matches(share, loaded.options.match_format)
    shown = output.Known(rules=loaded, players=seated, asked=asked, quantities=tuple(found))
    if form == "text":
        terminal.write_lines(output.render(shown))
        return
    writers = {"json": output.to_json, "csv": output.to_csv, "markdown": output.to_markdown}
    terminal.write(writers[form](shown))


def _probability(text: str) -> Fraction:
    from fractions import Fraction

    try:
        share = Fraction(text.strip()) if len(text) <= 40 and "e" not in text.lower() else None
    except (ValueError, ZeroDivisionError):
        share = None
    if share is None or not 0 <= share <= 1:
        raise InputError(f"--win {text[:60]!r} is no probability: write a number from 0 to 1, such as 0.55 or 11/20")
    return share


def _race(times: tuple[str, str], window: float) -> Iterator[Quantity]:
    from stressim.exact.quantities import Quantity
    from stressim.exact.races import race
    from stressim.players.distribution_text import parse_distribution

    read = []
    for text in times:
        try:
            read.append(parse_distribution(text))
        except ValueError as error:
            raise InputError(f"--race {text[:60]!r} {error}") from None
    found = race(read[0], read[1], window)
    said = f", by {window:g} ms or more" if window else ""
    for name, meaning, value in (
        ("race_first", f"{read[0]} is shorter than {read[1]}{said}.", found.first),
        ("race_second", f"{read[1]} is shorter than {read[0]}{said}.", found.second),
        ("race_tie", "Neither is.", found.tie),
    ):
        yield Quantity(name=name, group="race", meaning=meaning, unit="of races", value=value, accuracy=1e-6)


def _matches(share: Fraction, own: str) -> Iterator[Quantity]:
    from stressim.exact.matches import MATCH_FORMATS, match_games, match_win, wins_of
    from stressim.exact.quantities import Quantity

    for name in dict.fromkeys((*MATCH_FORMATS, own)):
        wins = wins_of(name)
        if wins is None:
            continue
        key = name.replace("(", "_").rstrip(")")
        match = "a match of one won deal (match_format=single)" if name == "single" else f"a match {name}"
        won = f"Player 1 wins {match}, if {share} of the won deals are his."
        decided = f"Won deals until {match} is decided."
        for kind, meaning, unit, value in (
            ("win", won, "of matches", match_win(wins, share)),
            ("deals", decided, "deals", match_games(wins, share)),
        ):
            yield Quantity(name=f"match_{kind}_{key}", group="matches", meaning=meaning, unit=unit, value=value)
