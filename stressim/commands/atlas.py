"""``stressim atlas``: every way in which deals get stuck, how often, and one deal of each."""

from __future__ import annotations

from pathlib import Path

import click

from stressim.commands.inputs import FORMATS, STOPPED, WholeNumber
from stressim.commands.shared import announce_compilation, check_form, run_options, variant_options
from stressim.errors import InputError


@click.command("atlas")
@click.argument("rules", metavar="RULES")
@variant_options
@run_options(100_000)
@click.option(
    "--logged",
    type=WholeNumber(),
    default=5_000,
    show_default=True,
    help="How many of the deals are followed event by event, for what the columns of a deal do not tell.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="Write a page with each example drawn, and the table as FILE.csv.",
)
@click.option("--format", "form", default="text", show_default=True, metavar="|".join(FORMATS), help="What is printed.")
def command(
    rules: str,
    sets: tuple[str, ...],
    n_players: int | None,
    players: tuple[str, ...],
    timing: str,
    deals: int,
    seed: int,
    jobs: int | None,
    confidence: float,
    logged: int,
    out: Path | None,
    form: str,
) -> int:
    """Count every way in which deals of RULES get stuck.

    For each: in how many deals it happens, with an interval, and the shortest deal in which it does.

    \b
    Examples:
      stressim atlas swedish
      stressim atlas james-bond --players 3 -o atlas.html
    """  # noqa: D301  (click's mark for lines that are not to be joined)
    from stressim.explorer.atlas import make_atlas
    from stressim.explorer.atlas_page import atlas_page, text_lines, to_markdown
    from stressim.files import write_whole
    from stressim.output import terminal
    from stressim.workbench.tables import to_csv, to_json
    from stressim.workbench.variants import Given, make_variant

    check_form(form)
    if out is not None:
        if out.suffix.lower() != ".html":
            given = f"{out.suffix!r}" if out.suffix else "no suffix"
            raise InputError(f"--out {out}: a page's suffix must be .html, not {given}")
        if not out.parent.is_dir():
            raise InputError(f"--out {out}: there is no folder {str(out.parent)!r}")
    variant = make_variant(Given(rules=rules, sets=sets, n_players=n_players, players=players, timing=timing))
    announce_compilation(variant)
    with terminal.counting(deals + min(deals, logged)) as progress:
        atlas = make_atlas(
            variant, deals=deals, logged=logged, seed=seed, jobs=jobs, confidence=confidence, progress=progress
        )
    if atlas.stopped:
        terminal.say(f"stressim: stopped: {atlas.deals:,} deals are counted, {atlas.logged:,} of them by their logs")
    elif out is not None:
        write_whole(out, atlas_page(atlas).encode())
        write_whole(out.with_suffix(".csv"), to_csv(atlas.records).encode())
    if form == "text":
        terminal.write("".join(f"{line}\n" for line in text_lines(atlas)))
    elif form == "json":
        about = {
            "rules": variant.label,
            "rules_hash": variant.rules.rules_hash,
            "timing": variant.timing.word,
            "seed": atlas.seed,
            "deals": atlas.deals,
            "logged": atlas.logged,
        }
        terminal.write(to_json({**about, "ways": atlas.records}))
    elif form == "csv":
        terminal.write(to_csv(atlas.records))
    else:
        terminal.write(to_markdown(atlas))
    return STOPPED if atlas.stopped else 0
