"""``stressim tournament``: who wins how often when many meet, two at a time."""

from __future__ import annotations

import shlex
import textwrap
from typing import TYPE_CHECKING, Any

import click

from stressim.commands.inputs import FORMATS, WholeNumber
from stressim.commands.shared import check_form, set_option
from stressim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stressim.players.player import Player
    from stressim.rulesfile import LoadedRules
    from stressim.tournament import Outcome, TournamentFormat

MOST_WORDS = 60
_MOST_NAME = 36  # of a player in a table


@click.command("tournament")
@click.argument("rules", metavar="RULES")
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="WHO=WHAT",
    help="Who enters: 1=expert, 2=adult, 3.speed=1.1, all=casual. Repeatable.",
)
@click.option(
    "--players",
    "n_players",
    type=WholeNumber(),
    metavar="N",
    help="How many enter.  [default: as many as are named and the form needs]",
)
@click.option(
    "--format",
    "form",
    default="knockout",
    show_default=True,
    metavar="knockout|winner-stays|round-robin",
    help="How the tournament goes; what is printed is --output.",
)
@click.option("--tournaments", type=WholeNumber(), default=10_000, show_default=True, help="How many are played.")
@click.option("--draw", is_flag=True, help="Draw lots for the places of a knock-out.")
@set_option
@click.option("--seed", type=WholeNumber(), default=1, show_default=True, help="Where chance begins.")
@click.option("--timing", default="human", show_default=True, metavar="human|uniform", help="How time passes.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option(
    "--output",
    default="text",
    show_default=True,
    metavar="text|json|csv|markdown",
    help="What is printed; elsewhere that is --format.",
)
def command(
    rules: str,
    players: tuple[str, ...],
    n_players: int | None,
    form: str,
    tournaments: int,
    draw: bool,
    sets: tuple[str, ...],
    seed: int,
    timing: str,
    confidence: float,
    output: str,
) -> None:
    """Let many players meet and say who wins how often.

    Two meet at a table, in matches under the rules' match_format; a deal without a winner is played again. In a
    knock-out the first meets the second, the third the fourth, and so on; winner stays is one long evening, of which
    each game is counted.

    \b
    Examples:
      stressim tournament swedish --player 1=expert --player 2=adult --player 3=casual --player 4=senior
      stressim tournament jass --player 3=senior --format winner-stays --tournaments 50000
      stressim tournament swedish --set 'match_format=best_of(3)' --players 5 --format round-robin
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim.output import terminal
    from stressim.output.text import Line, command_lines
    from stressim.players.resolve import resolve_players
    from stressim.rulesfile import load_rules
    from stressim.simulate import MAX_SEED
    from stressim.tournament import MAX_ENTRANTS, TournamentFormat, n_entrants, play, playing

    how = _form(form)
    _check_output(output)
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"seed = {seed} is not possible: it must be a whole number from 0 to {MAX_SEED}")
    if draw and how != TournamentFormat.KNOCKOUT:
        raise InputError("--draw is for the places of a knock-out")
    loaded = load_rules(rules, sets)
    n = n_entrants(players, how) if n_players is None else n_players
    if not 2 <= n <= MAX_ENTRANTS:
        raise InputError(f"--players {n} is not possible: it must be a whole number from 2 to {MAX_ENTRANTS}")
    entered = resolve_players(players, n, loaded.family.habits)
    meet = playing(loaded, entered, timing, seed)
    with terminal.counting(tournaments) as progress:
        found = play(
            how, meet, n, tournaments, draw_seed=seed if draw else None, confidence=confidence, progress=progress
        )
    goes = how.word.replace("_", "-")
    asked = {"format": goes, "timing": timing, "seed": seed, "draw": draw}
    words = ["stressim", "tournament", rules, *(word for change in sets for word in ("--set", change))]
    words += [] if n_players is None else ["--players", str(n_players)]
    words += [word for player in players for word in ("--player", player)]
    words += [] if how == TournamentFormat.KNOCKOUT else ["--format", goes]
    words += [*(["--draw"] if draw else []), *([] if timing == "human" else ["--timing", timing])]
    words += ["--tournaments", str(tournaments), "--seed", str(seed)]
    words += [] if confidence == 0.95 else ["--confidence", f"{confidence:g}"]
    again = shlex.join(words)
    writers: dict[str, Any] = {"text": _text, "json": _json, "csv": _csv, "markdown": _markdown}
    terminal.write(writers[output](loaded, entered, how, found, asked, confidence))
    if output == "text":
        terminal.write_lines([Line(""), *command_lines("Again:", again)])


def _form(given: str) -> TournamentFormat:
    from stressim.tournament import TournamentFormat

    try:
        return TournamentFormat.parse(given)
    except ValueError as error:
        if given in FORMATS:  # in every other command
            raise InputError(
                f"--format {given}: of a tournament --format says how it goes, and --output {given} what is printed"
            ) from None
        raise InputError(f"--format {given[:MOST_WORDS]!r} {str(error).replace('_', '-')}") from None


def _check_output(given: str) -> None:
    from stressim.tournament import TournamentFormat

    if given.replace("-", "_").lower() in TournamentFormat.words():
        raise InputError(f"--output {given!r} is a way in which tournaments go: that is --format {given}")
    check_form(given, option="--output")


def _json(
    rules: LoadedRules,
    players: Sequence[Player],
    form: TournamentFormat,
    found: Outcome,
    asked: dict[str, Any],
    confidence: float,
) -> str:
    import json

    from stressim._version import __version__
    from stressim.players.resolve import describe_player
    from stressim.tournament import standings

    timed = {"length_s": found.length_s} if asked["timing"] != "uniform" else {}
    content = {
        "rules": rules.options.model_dump(mode="json"),
        "rules_hash": rules.rules_hash,
        "players": [describe_player(player) for player in players],
        **asked,
        "confidence": confidence,
        "behaviour": rules.family.behaviour,
        "version": __version__,
        "tournaments": found.tournaments,
        "deals": found.deals,
        **timed,
        "standings": standings(players, found),
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _csv(
    rules: LoadedRules,
    players: Sequence[Player],
    form: TournamentFormat,
    found: Outcome,
    asked: dict[str, Any],
    confidence: float,
) -> str:
    import csv
    import io

    from stressim.tournament import standings

    rows = standings(players, found)
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _table(players: Sequence[Player], form: TournamentFormat, found: Outcome, confidence: float) -> list[list[str]]:
    from stressim.output.phrases import confidence_text, percent, share_text
    from stressim.tournament import TournamentFormat

    stays = form == TournamentFormat.WINNER_STAYS
    head = ["player", "games won" if stays else "wins", confidence_text(confidence)]
    rows = [[*head, "plays" if stays else "matches", "of them won"]]
    names = [textwrap.shorten(player.label, _MOST_NAME, placeholder=" …") for player in players]
    order = sorted(enumerate(found.standings), key=lambda place: (-place[1].wins, place[0]))
    for place, standing in order:
        low, high = (share_text(limit or 0, 1) for limit in (standing.low, standing.high))
        limits = "too few" if standing.low is None else f"{low} to {high} %"
        plays = percent(standing.played, 1) if stays else f"{standing.played:.3g}"
        share = "" if standing.match_wins is None else percent(standing.match_wins, 1)
        rows.append([f"{place + 1} {names[place]}", percent(standing.wins, 1), limits, plays, share])
    return rows


def _text(
    rules: LoadedRules,
    players: Sequence[Player],
    form: TournamentFormat,
    found: Outcome,
    asked: dict[str, Any],
    confidence: float,
) -> str:
    from stressim.output.phrases import clock_time, of_100, short
    from stressim.tournament import TournamentFormat

    stays = form == TournamentFormat.WINNER_STAYS
    what = "games" if stays else "tournaments"
    head = (
        f"{rules.heading} · {asked['format']} of {len(players)} · "
        f"{asked['timing']} timing · {found.tournaments:,} {what} · seed {asked['seed']}"
    )
    rows = _table(players, form, found, confidence)
    best = max(range(len(players)), key=lambda place: found.standings[place].wins)
    wins = of_100(found.standings[best].wins, decimals=int(found.standings[best].wins < 0.1))
    said = f"Player {best + 1} ({players[best].label}) wins {wins} {what}; an equal share is "
    said += f"{short(100 / len(players))}. One {'game' if stays else 'tournament'} takes {short(found.deals)} deals"
    if asked["timing"] != "uniform":
        said += f", {clock_time(found.length_s)} of play"
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [*textwrap.wrap(head, 78), "", *textwrap.wrap(f"{said}.", 76, initial_indent="  ", subsequent_indent="  ")]
    lines.append("")
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append(f"  {'  '.join(cells)}".rstrip())
    return "\n".join(lines) + "\n"


def _markdown(
    rules: LoadedRules,
    players: Sequence[Player],
    form: TournamentFormat,
    found: Outcome,
    asked: dict[str, Any],
    confidence: float,
) -> str:
    from stressim.output.phrases import escaped

    rows = _table(players, form, found, confidence)
    lines = [f"**{escaped(rules.heading)}**: {asked['format']} of {len(players)}, {found.tournaments:,} played", ""]
    lines += [f"| {' | '.join(rows[0])} |", f"| :-- |{' --: |' * (len(rows[0]) - 1)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows[1:]]
    return "\n".join(lines) + "\n"
