"""``stressim simulate``: play many deals and say how they go."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stressim.commands.inputs import STOPPED, WholeNumber
from stressim.commands.shared import announce_compilation, check_form, check_plot, set_option
from stressim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stressim.asserts import Assertion
    from stressim.lowering import TimingMode
    from stressim.output.invocation import Invocation
    from stressim.output.text import Line
    from stressim.simulate import Result
    from stressim.workbench.changes import Changes
    from stressim.workbench.variants import Variant


@click.command("simulate")
@click.argument("rules", metavar="RULES")
@click.option("--deals", type=WholeNumber(), metavar="N", help="How many deals are played.  [default: 100000]")
@click.option(
    "--seed",
    type=WholeNumber(),
    default=1,
    show_default=True,
    help="Where chance begins. The same seed deals the same cards, whatever the rules and players.",
)
@set_option
@click.option("--players", "n_players", type=WholeNumber(), metavar="N", help="Number of players.")
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="WHO=WHAT",
    help="Change a player: 2=senior, all=casual, 1=expert+hunter, 1.speed=1.1. Repeatable.",
)
@click.option(
    "--timing",
    default="human",
    show_default=True,
    metavar="human|uniform",
    help="How time passes: as people move, or not at all, each possible play being equally likely to come next.",
)
@click.option("--jobs", type=WholeNumber(), metavar="N", help="Threads; one for each processor unless given.")
@click.option(
    "--until",
    metavar="METRIC=±X",
    help="Play until a number is known as well as this: stalls=±0.5% of itself, or stalls=±0.02 in its unit.",
)
@click.option("--max-deals", type=WholeNumber(), metavar="N", help="With --until: the most deals.  [default: 1e9]")
@click.option("--max-time", type=float, metavar="SECONDS", help="End after this time with what has been counted.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep the run in a file; given again, it goes on from there, and with more deals it plays only those.",
)
@click.option(
    "--deals-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write one row for each deal as well: .parquet; a file of this name is replaced.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Play on a Dask cluster: the address of its scheduler.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option(
    "--assert",
    "asserts",
    multiple=True,
    metavar="CLAIM",
    help="End with status 1 unless this holds: 'stalled<90%', 'stalls.high<7', 'length_s.median<=140'. Repeatable.",
)
@click.option(
    "--format", "form", default="text", show_default=True, metavar="text|json|csv|markdown", help="What is printed."
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw lengths, stalls and endings as well: .svg, .png or .pdf.",
)
def command(
    rules: str,
    deals: int | None,
    seed: int,
    sets: tuple[str, ...],
    n_players: int | None,
    players: tuple[str, ...],
    timing: str,
    jobs: int | None,
    until: str | None,
    max_deals: int | None,
    max_time: float | None,
    out: Path | None,
    deals_out: Path | None,
    scheduler: str | None,
    confidence: float,
    asserts: tuple[str, ...],
    form: str,
    plot: Path | None,
) -> int:
    """Play many deals of RULES and say how they go.

    RULES is the name of a preset (stressim rules list) or the path of a rules file. A share is printed with a Wilson
    interval, a mean with a normal one, a quantile with one from order statistics.

    \b
    Examples:
      stressim simulate swedish
      stressim simulate swedish --set ace=low --player 2=senior
      stressim simulate german --timing uniform --deals 1e6 --format json
      stressim simulate jass --assert 'stalled<90%' --plot jass.svg
      stressim simulate skat --until stalls=±0.5% --out skat.run

    Ctrl-C keeps what has been counted. The status is 1 if a claim fails or a target is not reached, 2 if something
    cannot be done or kept, 130 after Ctrl-C.
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim import asserts as claims_of
    from stressim import targets
    from stressim.commands.running import Wanted, run
    from stressim.matchrules import match_rules
    from stressim.output import terminal
    from stressim.output.invocation import Invocation
    from stressim.workbench.changes import all_changes
    from stressim.workbench.variants import Given, make_variant

    check_form(form)
    mode = _timing_mode(timing)
    base = make_variant(Given(rules=rules, sets=sets, n_players=n_players, players=players, timing=mode.word))
    loaded, seated = base.rules, base.players
    family, clock, n_seated = loaded.family, mode.word != "uniform", len(seated)
    matches = match_rules(loaded.options) is not None
    claims = [claims_of.parse(text, family, clock=clock, n_players=n_seated, matches=matches) for text in asserts]
    wanted = Wanted(
        deals=deals,
        until=None if until is None else targets.parse(until, family, clock=clock, n_players=n_seated, matches=matches),
        max_deals=max_deals,
        max_time=max_time,
        out=out,
        deals_out=deals_out,
        scheduler=scheduler,
    )
    check_plot(plot)
    # What is said at the end: which change of rules would mend most.
    remedies = all_changes(base, remedies=True) if form == "text" else None
    announce_compilation(base, *(() if remedies is None else remedies.playable.values()))
    start = time.perf_counter()
    result, status = run(loaded, seated, mode, wanted, seed=seed, jobs=jobs, confidence=confidence)
    elapsed = time.perf_counter() - start
    asked = Invocation(
        rules=rules,
        sets=sets,
        n_players=n_players,
        players=players,
        timing=mode.word,
        deals=wanted.most,
        seed=seed,
        confidence=confidence,
    )
    if status == STOPPED:
        again = asked.line("simulate")
        terminal.say(
            f"stressim: stopped: {result.deals:,} of {wanted.most:,} deals are counted. All of them: {again}"
            if out is None
            else f"stressim: stopped: {result.deals:,} deals are kept in {out}. The same command goes on from there"
        )
    if plot is not None:
        from stressim import plots

        plots.save(result, plot)
    helps = () if status == STOPPED or remedies is None else _what_helps(result, base, remedies, asked, jobs)
    _print(result, asked, form, elapsed, helps)
    return status or _judge(claims, result)


def _timing_mode(timing: str) -> TimingMode:
    from stressim.lowering import TimingMode

    try:
        return TimingMode.parse(timing)
    except ValueError as error:
        raise InputError(f"--timing {timing!r} {error}") from None


def _what_helps(
    result: Result, base: Variant, remedies: Changes, asked: Invocation, jobs: int | None
) -> Sequence[Line]:
    """Try the rules that a table may agree on to have fewer stalls or locks."""
    from stressim.workbench.remedies import find_remedy, remedy_lines

    won = result.estimates["won"]
    remedy = find_remedy(base, won, remedies, deals=result.deals, seed=asked.seed, jobs=jobs)
    return () if remedy is None else remedy_lines(remedy, asked)


def _print(result: Result, asked: Invocation, form: str, elapsed: float, helps: Sequence[Line]) -> None:
    from dataclasses import replace

    from stressim.output import machine, terminal
    from stressim.output.text import render

    if form == "text":
        terminal.write_lines(render(result, replace(asked, deals=result.deals), elapsed=elapsed, helps=helps))
        return
    writers = {"json": machine.to_json, "csv": machine.to_csv, "markdown": machine.to_markdown}
    terminal.write(writers[form](result))


def _judge(claims: list[Assertion], result: Result) -> int:
    from stressim.asserts import judge
    from stressim.output import terminal

    verdicts = [judge(claim, result.estimates) for claim in claims]
    for verdict in verdicts:
        terminal.say(str(verdict))
    return 0 if all(verdict.passed for verdict in verdicts) else 1
