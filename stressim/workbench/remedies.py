"""The one change of rules that mends most: what the answer of ``simulate`` ends with."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stressim.optiontext import word
from stressim.output.text import WIDTH, Line, command_lines
from stressim.workbench.effects import Effect, find_effects
from stressim.workbench.limits import read_limit
from stressim.workbench.phrases import difference_text, shared_decimals
from stressim.workbench.remarks import counted_text, is_several_times, length_of, length_text, wait_texts
from stressim.workbench.telling import paragraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stressim.estimates import Estimate
    from stressim.output.invocation import Invocation
    from stressim.workbench.changes import Changes
    from stressim.workbench.variants import Variant

DEALS = 500
"""Deals that each change is played for: enough for a change that is worth a word, and a fraction of a second."""

_TIMES = (1.0, 3.0, 6.0, 12.0)  # times a guessed wait, to try
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
    best
        What helps most; None if nothing made a difference for the better.
    shorter
        Where that makes deals several times as long: what helps most without doing so; None if there is no such change.
    """

    on: str
    tried: int
    deals: int
    best: Effect | None = None
    shorter: Effect | None = None

    @property
    def change(self) -> str:
        """What helps most, as it is written; empty if nothing does."""
        return "" if self.best is None else self.best.change


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
    best, *others = better[::-1] if on == "won" else better
    shorter = None
    if is_several_times(length_of(best.differences)):
        shorter = next((effect for effect in others if not is_several_times(length_of(effect.differences))), None)
    return Remedy(on=on, tried=tried, deals=found.deals, best=best, shorter=shorter)


def remedy_lines(remedy: Remedy, invocation: Invocation) -> list[Line]:
    """Say what helps most, what it does to the length, and how to see all changes."""
    tried = f"of {remedy.tried} changes that keep cards and table, for {remedy.deals:,} deals each"
    if remedy.best is None:
        wanted = "more won deals" if remedy.on == "won" else "fewer stalls and as many won deals"
        lines = list(paragraph(f"None was found to make for {wanted}, {tried}."))
    else:
        chosen = [remedy.best, *([] if remedy.shorter is None else [remedy.shorter])]
        decimals = shared_decimals(one for effect in chosen for one in effect.differences.values())
        goal = "to a winner" if remedy.on == "won" else "against stalls"
        lines = [*command_lines(f"Helps most {goal}:", f"--set {remedy.change}")]
        lines += _indented(_said(remedy.best, remedy.on, decimals, f"; {tried}"))
        if remedy.shorter is not None:
            lines += command_lines("Helps most without making deals so long:", f"--set {remedy.shorter.change}")
            lines += _indented(_said(remedy.shorter, remedy.on, decimals))
        elif is_several_times(length_of(remedy.best.differences)):
            lines += _indented("Nothing helps that does not make deals so long.")
        lines += _other_waits(remedy.best.variant)
    on = [] if remedy.on == "stalls" else ["--on", remedy.on]
    return [*lines, *command_lines("All changes:", " ".join([invocation.line("effects", counts=False), *on]))]


def _said(effect: Effect, on: str, decimals: Mapping[str, int], tried: str = "") -> str:
    """Say what a change does, to the length as well, what that length counts, and how long a rule waits."""
    text = difference_text(effect.differences[on], decimals[on]).partition(": ")[2].rstrip(".")
    said = [f"{on} {text}{tried}."]
    if length := length_text(effect.differences, decimals):
        said.append(f"{length}.")
    if is_several_times(length_of(effect.differences)):
        said.append(counted_text(effect.differences))
    return " ".join(filter(None, [*said, *wait_texts([effect.variant])]))


def _other_waits(variant: Variant) -> list[Line]:
    """Name the command that tries other waits, where a rule waits for a guessed time."""
    rules = variant.rules.options
    name = "" if variant.timing.word == "uniform" else variant.family.words.guessed_wait(rules)
    if not name:
        return []
    values = ",".join(word(times * getattr(rules, name)) for times in _TIMES)
    call = variant.given.invocation(1, 1).line("sweep", counts=False)
    return list(command_lines("With other waits:", f"{call} --vary {name}={values}"))


def _indented(text: str) -> list[Line]:
    return [Line(f"    {part}".replace("\xa0", " ")) for part in textwrap.wrap(text, WIDTH - 4, break_on_hyphens=False)]
