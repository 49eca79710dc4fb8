"""``stressim replay``: show one deal, event by event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from stressim.commands.inputs import WholeNumber
from stressim.commands.shared import check_form, check_plot, draw_into, set_option
from stressim.errors import InputError

FORMATS = ("text", "json")
REFUSED = 1


@click.command("replay")
@click.argument("rules", metavar="RULES")
@click.option("--seed", type=WholeNumber(), default=1, show_default=True, help="The seed of the run.")
@click.option("--deal", type=WholeNumber(), default=0, show_default=True, help="Which of its deals, counted from 0.")
@set_option
@click.option("--players", "n_players", type=WholeNumber(), metavar="N", help="Number of players.")
@click.option(
    "--player", "players", multiple=True, metavar="WHO=WHAT", help="Change a player, such as 2=senior. Repeatable."
)
@click.option("--timing", default="human", show_default=True, metavar="human|uniform", help="How time passes.")
@click.option("--format", "form", default="text", show_default=True, metavar="text|json", help="What is printed.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the deal as well, a lane for each player: .svg, .png or .pdf.",
)
def command(
    rules: str,
    seed: int,
    deal: int,
    sets: tuple[str, ...],
    n_players: int | None,
    players: tuple[str, ...],
    timing: str,
    form: str,
    plot: Path | None,
) -> int:
    """Show one deal, event by event.

    It is the deal that simulate plays under this number with the same rules, players, timing and seed. Before it is
    shown a referee that knows the rules, and nothing of the simulation, judges it. Lines between the events say where
    stalls begin and end, and locks, in which nobody's bunch is helped.

    \b
    Examples:
      stressim replay swedish --deal 17
      stressim replay german --set ace=low --player 2=child-8 --format json

    The status is 1 if the referee finds a foul, which would be an error of this program.
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    import sys

    from stressim.lowering import TimingMode, lower
    from stressim.output import terminal
    from stressim.players.resolve import resolve_players
    from stressim.replay import replay_json, replay_text, to_json
    from stressim.rulesfile import load_rules
    from stressim.workbench.telling import wrapped_facts

    check_form(form, FORMATS)
    try:
        mode = TimingMode.parse(timing)
    except ValueError as error:
        raise InputError(f"--timing {timing!r} {error}") from None
    for name, value in (("seed", seed), ("deal", deal)):
        if not 0 <= value < 2**63:
            raise InputError(f"--{name} {value} must be at least 0 and less than 2 to the power of 63")
    check_plot(plot)
    loaded = load_rules(rules, sets, n_players)
    options: Any = loaded.options
    seated = resolve_players(players, options.n_players, loaded.family.habits)
    try:
        log = loaded.family.log_deal(lower(options, seated, mode), seed, deal)
    except OverflowError as error:
        raise InputError(f"this deal is too long to be shown: {error}") from None
    plain = terminal.is_plain(sys.stdout)
    uniform = mode == TimingMode.UNIFORM
    show = replay_text if form == "text" else replay_json
    try:
        shown = show(loaded.family, options, log.cards, log.events, uniform=uniform, ascii_only=plain)
        title = f"{loaded.heading}, deal {deal} of seed {seed}"
        if plot is not None:
            from stressim.report.timeline import timeline_figure, timeline_of

            names = [player.label for player in seated]
            drawn = timeline_of(
                loaded.family, options, log.cards, log.events, players=names, title=title, uniform=uniform
            )
            draw_into(plot, lambda: timeline_figure(drawn), title, f"{drawn.facts}. {drawn.ending}")
    except loaded.family.referee.Foul as foul:
        terminal.say(f"stressim: the referee refuses deal {deal}: {foul}")
        return REFUSED
    if isinstance(shown, dict):
        about = {"rules": loaded.name, "rules_hash": loaded.rules_hash, "timing": mode.word, "seed": seed, "deal": deal}
        terminal.write(to_json({**about, **shown}, ascii_only=plain))
        return 0
    against = " against ".join(player.label for player in seated)
    facts = (loaded.heading, f"deal {deal} of seed {seed}", against, f"{mode.word} timing")
    heading = "".join(f"{line.text}\n" for line in wrapped_facts(facts)) + "\n"
    terminal.write((terminal.to_ascii(heading) if plain else heading) + shown)
    return 0
