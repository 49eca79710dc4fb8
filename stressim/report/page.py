"""Pages of a study: Markdown, and one HTML file that needs nothing beside it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError
from stressim.optiontext import clean
from stressim.output.phrases import escaped
from stressim.pictures import variables
from stressim.report.answer import names_files

if TYPE_CHECKING:
    from markupsafe import Markup

    from stressim.report.answer import Answer, Table
    from stressim.report.study import Study

WIDTH = 118
CLOSING = (
    "Intervals are 95 % intervals of chance alone: how far the deals that were played may have moved a number. They "
    "say nothing of how far the assumptions about people may; verdicts named robust stay the same without a clock and "
    "with each guess about times halved and doubled."
)


@dataclass(frozen=True, kw_only=True)
class Part:
    """A question as a page shows it: its texts with the numbers in them, its table, its figure's SVG."""

    name: str
    ask: str
    answer: str
    text: tuple[str, ...]
    remarks: tuple[str, ...]
    table: Table
    svg: str
    facts: str
    commands: tuple[str, ...]


def part_of(answer: Answer, svg: str) -> Part:
    """Fill in an answer's texts.

    Raises
    ------
    InputError
        If a text calls something that its kind of question does not have.
    """
    question = answer.question
    return Part(
        name=question.name,
        ask=question.ask,
        answer=_filled(question.answer, answer),
        text=tuple(_filled(paragraph, answer) for paragraph in _paragraphs(question.text)),
        remarks=answer.remarks,
        table=answer.table,
        svg=svg,
        facts=answer.facts + ("; paths of rules begin at the study's folder" if names_files(question) else ""),
        commands=answer.commands,
    )


def _filled(text: str, answer: Answer) -> str:
    from jinja2 import Environment, StrictUndefined, TemplateError

    # Plain text here; the page that it goes into escapes it.
    environment = Environment(undefined=StrictUndefined, autoescape=False)
    try:
        return " ".join(environment.from_string(text).render(**answer.calls).split())
    except (TemplateError, TypeError) as error:
        raise InputError(f"its text cannot be filled in: {clean(str(error))}") from None


def _paragraphs(text: str) -> list[str]:
    return [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text) if paragraph.strip()]


def html_page(study: Study, parts: Sequence[Part]) -> str:
    """Return the HTML page: tables, pictures and style inside, no script, nothing from a network."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = files("stressim.report").joinpath("templates/page.html.j2").read_text(encoding="utf-8")
    shown: list[dict[str, Any]] = [
        {
            **{name: getattr(part, name) for name in Part.__dataclass_fields__},
            "text": [_with_code(paragraph) for paragraph in part.text],
            "svg": Markup(inside_page(part.svg)),
        }
        for part in parts
    ]
    return (
        environment.from_string(template).render(
            study=study,
            intro=[_with_code(paragraph) for paragraph in _paragraphs(study.intro)],
            parts=shown,
            light=Markup(variables("light")),
            dark=Markup(variables("dark")),
            closing=CLOSING,
        )
        + "\n"
    )


def _with_code(text: str) -> Markup:
    """Escape a paragraph for HTML; what stands between backticks is code, as in Markdown."""
    from markupsafe import Markup, escape

    parts = [escape(part) for part in text.split("`")]
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else part for place, part in enumerate(parts)
    )


def inside_page(svg: str) -> str:
    """Return an SVG as it stands inside a page, whose colours it takes."""
    return re.sub(r"<style>.*?</style>", "", svg, count=1, flags=re.S).strip()


def markdown_page(study: Study, parts: Sequence[Part], figures: str) -> str:
    """Return the Markdown page.

    Parameters
    ----------
    study, parts
        What it shows.
    figures
        Where pictures lie, as seen from the page.
    """
    lines = [f"# {study.title}", ""]
    for paragraph in _paragraphs(study.intro):
        lines += [*_wrapped(paragraph), ""]
    lines += [f"- [{escaped(part.ask)}](#{_anchor(part.ask)})" for part in parts]
    lines.append("")
    for part in parts:
        lines += [f"## {part.ask}", "", *_wrapped(f"**{escaped(part.answer)}**"), ""]
        for paragraph in (*part.text, *part.remarks):
            lines += [*_wrapped(escaped(paragraph)), ""]
        if part.svg:
            lines += [f"![{escaped(part.ask)}]({figures}/{study.name}-{part.name}.svg)", ""]
        lines += ["<details>", "<summary>The numbers</summary>", "", *_table(part.table), "", "</details>", ""]
        lines += [*_wrapped(f"{part.facts}. It is shown by"), "", "```sh", *part.commands, "```", ""]
    lines += [*_wrapped(CLOSING)]
    return "\n".join(lines) + "\n"


def _anchor(heading: str) -> str:
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _table(table: Table) -> list[str]:
    heads = " | ".join(escaped(head) for head in table.heads)
    lines = [f"| {heads} |", "| " + " | ".join([":--", *("--:" for _ in table.heads[1:])]) + " |"]
    return lines + ["| " + " | ".join(escaped(cell) for cell in row) + " |" for row in table.rows]
