"""The atlas as a page: a table of all ways, and each with its example drawn; and as lines for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stressim._version import __version__
from stressim.explorer.page import environment
from stressim.output.phrases import clock_mark, confidence_text, escaped, fixed, of_100, one_in, share_decimals
from stressim.pictures import render, variables
from stressim.simulate import behaviour_of

if TYPE_CHECKING:
    from stressim.explorer.atlas import Atlas, Example, Found

WIDTH = 78
MOST_MOVES_DRAWN = 400
"""Moves of the longest deal that is drawn; a longer one would fill pages."""


@dataclass(frozen=True, kw_only=True)
class Section:
    """One way as the page shows it."""

    name: str
    title: str
    meaning: str
    answer: str
    counted: str
    when: str
    command: str
    svg: str
    drawn_at: str


def atlas_page(atlas: Atlas) -> str:
    """Return the page: one HTML file that needs nothing beside it and has no script."""
    from markupsafe import Markup

    variant = atlas.variant
    page: str = (
        environment()
        .get_template("atlas.html.j2")
        .render(
            label=variant.label,
            titles={one.way.name: one.way.title for one in atlas.found},
            atlas=atlas,
            table=table_rows(atlas),
            sections=[{**vars(section), "svg": Markup(section.svg)} for section in map(_Sections(atlas), atlas.found)],
            again=command_line(atlas),
            timing=variant.timing.word,
            light=Markup(variables("light")),
            dark=Markup(variables("dark")),
            version=__version__,
            family=variant.family.name,
            behaviour=behaviour_of(variant.family),
        )
    )
    return page


def command_line(atlas: Atlas) -> str:
    """Return the command that counts it again."""
    line = atlas.variant.given.invocation(atlas.deals, atlas.seed, atlas.confidence).line("atlas")
    return f"{line} --logged {atlas.logged}" if atlas.logged else line


def table_rows(atlas: Atlas) -> list[tuple[str, str, str, str]]:
    """Return title, share, interval and example of each way."""
    rows = []
    for one in atlas.found:
        share, interval = share_and_interval(one)
        rows.append((one.way.title, share, interval, "" if one.example is None else f"deal {one.example.deal:,}"))
    return rows


def share_and_interval(one: Found) -> tuple[str, str]:
    """Write a share and its interval; what rules cannot lead to has neither."""
    if not one.possible:
        return "not in the rules", ""
    width = one.high - one.low
    decimals = 1 if width >= 0.005 else 2 if width >= 0.0005 else 3
    decimals = share_decimals(one.share, decimals)
    share, low, high = ("100" if part == 1 else fixed(100 * part, decimals) for part in (one.share, one.low, one.high))
    if not one.count:
        return f"0 of {one.deals:,}", f"up to {high} %"
    return f"{share} %", f"{low} to {high} %"


class _Sections:
    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.drawn: dict[int, str] = {}

    def __call__(self, one: Found) -> Section:
        example = one.example
        svg = drawn_at = ""
        if example is not None:
            # A deal in which much goes wrong is the example of several ways; it is drawn once.
            drawn_at = self.drawn.setdefault(example.deal, one.way.name)
            svg = _timeline(self.atlas, one, example) if drawn_at == one.way.name else ""
        return Section(
            name=one.way.name,
            title=one.way.title,
            meaning=one.way.meaning,
            answer=_answer(one),
            counted=_counted(one),
            when="" if example is None else _when(self.atlas, example),
            command="" if example is None else self.atlas.replay(example),
            svg=svg,
            drawn_at=drawn_at,
        )


def _answer(one: Found) -> str:
    if not one.possible:
        return "These rules do not lead to it."
    share, interval = share_and_interval(one)
    if not one.count:
        return f"Not once in {one.deals:,} deals: {interval} of deals."
    if one.share < 0.01:
        return f"{one_in(one.share)} deals: {share} ({interval})."
    said = of_100(one.share)
    return f"{said[0].upper()}{said[1:]} deals: {share} ({interval})."


def _counted(one: Found) -> str:
    if not one.possible:
        return ""
    how = "" if one.way.columns is not None else ", by their logs: what is kept of a deal otherwise does not tell it"
    return f"Seen in {one.count:,} of {one.deals:,} deals{how}."


def _when(atlas: Atlas, example: Example) -> str:
    if example.time is None:
        return ""
    if atlas.variant.timing.word == "uniform":
        return f"after {example.time:,} moves"
    return f"at {clock_mark(example.time / 1_000_000)}"


def _timeline(atlas: Atlas, one: Found, example: Example) -> str:
    """Draw an example; empty if it is too long to be drawn."""
    from stressim.report.page import inside_page
    from stressim.report.timeline import timeline_figure, timeline_of

    variant = atlas.variant
    family = variant.family
    try:
        log = family.log_deal(variant.lowered, atlas.seed, example.deal)
    except OverflowError:
        return ""
    if int(log.row[[column.name for column in family.columns].index("moves")]) > MOST_MOVES_DRAWN:
        return ""
    drawn = timeline_of(
        family,
        variant.rules.options,
        log.cards,
        log.events,
        players=[player.label for player in variant.players],
        title=f"{one.way.title}: deal {example.deal:,} of seed {atlas.seed}",
        uniform=variant.timing.word == "uniform",
    )
    svg = render(
        lambda: timeline_figure(drawn),
        "svg",
        title=f"{one.way.title}: deal {example.deal:,} as a timeline",
        description=f"{drawn.facts}. {drawn.ending}",
        name=f"atlas-{one.way.name}",
    )
    return inside_page(svg.decode())


def text_lines(atlas: Atlas) -> Iterator[str]:
    """Write the table in lines of at most 78 columns."""
    variant = atlas.variant
    heading = f"{variant.label}: how deals get stuck · {variant.timing.word} timing · seed {atlas.seed}"
    yield from textwrap.wrap(heading, WIDTH, break_long_words=False, break_on_hyphens=False)
    yield f"{atlas.deals:,} deals by their columns (c), {atlas.logged:,} by their logs (l)"
    yield ""
    rows = table_rows(atlas)
    width = max(len(title) for title, *_ in rows)
    yield f"  {'':{width}}   {'of deals':>16}  {'interval':>17}  example"
    for one, (title, share, interval, _) in zip(atlas.found, rows, strict=True):
        how = " " if not one.possible else "c" if one.way.columns is not None else "l"
        deal = "" if one.example is None else f"{one.example.deal:>7,}"
        yield f"  {title:{width}} {how} {share:>16}  {interval:>17}  {deal}".rstrip()
    yield ""
    example = next((one.example for one in atlas.found if one.example is not None), None)
    if example is not None:
        yield "  Watch one:"
        yield f"    {atlas.replay(example)}"
    yield "  Again:"
    yield f"    {command_line(atlas)}"


def to_markdown(atlas: Atlas) -> str:
    """Return the table in Markdown."""
    lines = [f"| way | of deals | {confidence_text(atlas.confidence)} | example |", "| :-- | --: | --: | :-- |"]
    for one, (title, share, interval, _) in zip(atlas.found, table_rows(atlas), strict=True):
        replay = "" if one.example is None else f"`{atlas.replay(one.example)}`"
        lines.append(f"| {escaped(title)} | {share} | {interval} | {replay} |")
    return "\n".join(lines) + "\n"
