"""A rule sheet for the table: rules as a page that people can read before they play."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from stressim.rulesfile import LoadedRules

if TYPE_CHECKING:
    pass

Sections = Iterator[tuple[str, list[str]]]
"""Headings with their paragraphs."""

WIDTH = 78


def rule_sheet(rules: LoadedRules) -> str:
    """Write the rules as a page of plain text, at most 78 columns wide.

    The family says what there is to say, in the function ``sections`` of its module ``rulesheet``.

    Examples
    --------
    >>> from stressim.rulesfile import load_rules
    >>> print(rule_sheet(load_rules("swedish"))[:36])
    Swedish, both piles to the slower
    ==
    """
    lines = [*_wrapped(rules.title), "=" * min(len(rules.title), WIDTH)]
    if rules.source:
        lines += _wrapped(f"Rules: {rules.source}")
    for heading, paragraphs in rules.family.rulesheet.sections(rules.options):
        lines += ["", heading.upper()]
        for paragraph in paragraphs:
            lines += _wrapped(paragraph, bullet="- ")
    return "\n".join(lines) + "\n"


def _wrapped(text: str, bullet: str = "") -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=bullet, subsequent_indent=" " * len(bullet), break_on_hyphens=False
    )
