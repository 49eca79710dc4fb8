"""The one change of rules that mends most: what the answer of ``simulate`` ends with."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stressim.output.text import WIDTH, Line, command_lines
from stressim.workbench.differences import Difference
from stressim.workbench.effects import find_effects
from stressim.workbench.limits import read_limit
from stressim.workbench.telling import difference_text

if TYPE_CHECKING:
    from stressim.estimates import Estimate
    from stressim.output.invocation import Invocation
    from stressim.workbench.changes import Changes
    from stressim.workbench.variants import Variant

DEALS = 500
"""Deals that each change is played for: enough for a change that is worth a word, and a fraction of a second."""

_STILL_WON = "won>-1pp"
_NEARLY_ALL = 0.995  # of deals have a winner: then locks are no trouble, and stalls are


@dataclass(frozen=True, kw_only=True)
class Remedy:
    """What was looked for and what was found.

    Parameters
    ----------
    on
        Name of the number that is to be mended: ``won``, or ``stalls`` where nearly every deal is won.
    tried
        How many changes were tried.
    deals
        For how many deals each.
    change
        The one that helps most, as it is written; empty if none made a difference for the better.
    difference
        What it does.
    """

    on: str
    tried: int
    deals: int
    change: str = ""
    difference: Difference | None = None


def find_remedy(
    base: Variant, won: Estimate, changes: Changes, *, deals: int, seed: int, jobs: int | None = None
) -> Remedy | None:
    """Try every rule that a table may agree on to have fewer stalls or locks; None without any, or after Ctrl-C.

    Parameters
    ----------
    base
        The rules as they are.
    won
        Their share of deals with a winner.
    changes
        What is tried, as :func:`~stressim.workbench.changes.all_changes` gives it for remedies.
    deals
        How many deals they were played for; no more are played for a change, and no more than :data:`DEALS`.
    seed, jobs
        As for ``simulate``.
    """
    if not changes.playable:
        return None
    deals = min(deals, DEALS)
    on = "won" if won.estimate < _NEARLY_ALL else "stalls"
    # What mends stalls by leaving deals without a winner mends nothing.
    keep = [read_limit(_STILL_WON, base, "a remedy")] if on == "stalls" else []
    found = find_effects(base, on=on, keep=keep, changes=changes, deals=deals, seed=seed, jobs=jobs)
    wanted = "more" if on == "won" else "fewer"
    better = [effect for effect in found.ranked if effect.differences[on].verdict == wanted]
    tried = len(changes.playable)
    if found.stopped:
        return None
    if not better:
        return Remedy(on=on, tried=tried, deals=found.deals)
    best = better[-1] if on == "won" else better[0]
    return Remedy(on=on, tried=tried, deals=found.deals, change=best.change, difference=best.differences[on])


def remedy_lines(remedy: Remedy, invocation: Invocation) -> list[Line]:
    """Say what helps most, and how to see all changes."""
    tried = f"of {remedy.tried} changes that keep cards and table, for {remedy.deals:,} deals each"
    if remedy.difference is None:
        wanted = "more won deals" if remedy.on == "won" else "fewer stalls"
        said = f"None was found to make for {wanted}, {tried}."
        lines = [Line(f"  {part}") for part in textwrap.wrap(said, WIDTH - 2, break_on_hyphens=False)]
    else:
        text = difference_text(remedy.difference).partition(": ")[2].rstrip(".")
        said = f"{remedy.on} {text}; {tried}.".replace("\xa0", " ")
        goal = "to a winner" if remedy.on == "won" else "against stalls"
        lines = [*command_lines(f"Helps most {goal}:", f"--set {remedy.change}")]
        lines += [Line(f"    {part}") for part in textwrap.wrap(said, WIDTH - 4, break_on_hyphens=False)]
    on = [] if remedy.on == "stalls" else ["--on", remedy.on]
    return [*lines, *command_lines("All changes:", " ".join([invocation.line("effects", counts=False), *on]))]
