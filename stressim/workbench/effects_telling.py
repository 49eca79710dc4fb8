"""Effects as people and programs read them."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from stressim.output.machine import USUAL_CONFIDENCE
from stressim.output.phrases import confidence_text, escaped, fixed, joined
from stressim.output.text import WIDTH, Line, command_lines
from stressim.workbench.differences import NO_DIFFERENCE
from stressim.workbench.limits import ChangeClaim
from stressim.workbench.phrases import change_and_interval, number_text, percent_change, relative_text, signed
from stressim.workbench.tables import difference_dict
from stressim.workbench.telling import difference_text, sentence, wrapped_facts

if TYPE_CHECKING:
    from stressim.workbench.differences import Difference
    from stressim.workbench.effects import Effect, Effects
    from stressim.workbench.limits import Size

MOST_ROWS = 12
"""Rows in either direction; all of them are in JSON and CSV."""


def render(
    effects: Effects, *, elapsed: float | None = None, every: bool = False, robust: Sequence[str] = ()
) -> list[Line]:
    """Say effects in lines of at most 78 columns (a command alone on its line may be longer).

    Parameters
    ----------
    effects
        What to say.
    elapsed
        Seconds that it took, for the headline.
    every
        Whether every change that makes a difference is in the table.
    robust
        What is said of the first and the last under other assumptions.
    """
    facts = [
        f"{effects.base.label}: {len(effects.changes.playable)} single changes",
        *([f"keeping {keep_text(effects.keep)}"] if effects.keep else []),
        f"{effects.base.timing.word} timing",
        f"{effects.deals:,} deals each of the same cards",
        f"seed {effects.seed}",
        *([] if elapsed is None else [f"{elapsed:.1f} s"]),
    ]
    lines = [*wrapped_facts(facts), Line("")]
    for label, text in leading_sentences(effects):
        lines += sentence(label, text)
    for text in robust:
        lines += sentence("Robust?", text)
    table = list(_table(effects, every=every))
    lines += [Line(""), *table, *([Line("")] if table else []), *_rest(effects)]
    lines += _advice(effects, asked_robust=bool(robust))
    return lines


def leading_sentences(effects: Effects) -> list[tuple[str, str]]:
    """Say which change has the fewest and which the most, among those that keep what is to be kept."""
    name = effects.on.name
    said = []
    for label, found in (("Fewest", effects.ranked[:1]), ("Most", effects.ranked[::-1][:1])):
        wanted = "fewer" if label == "Fewest" else "more"
        found = tuple(effect for effect in found if effect.differences[name].verdict == wanted)
        kept = f" that keeps {keep_text(effects.keep)}" if effects.keep else ""
        if not found:
            said.append((label, f"No single change{kept} makes for {wanted} {name}."))
            continue
        text = difference_text(found[0].differences[name]).removeprefix(f"{wanted}: ")
        said.append((label, f"{found[0].change}: {text}"))
    return said


def keep_text(keep: Sequence[Size | ChangeClaim]) -> str:
    """Write limits as they are given."""
    return joined([limit_text(limit) for limit in keep])


def limit_text(limit: Size | ChangeClaim) -> str:
    """Write one limit as it is given."""
    if isinstance(limit, ChangeClaim):
        return limit.text
    return f"{limit.metric.name}=±{limit.number:g}{limit.unit}"


def _beside(effects: Effects) -> str:
    """Name of the metric in the last column."""
    limited = [(limit.size if isinstance(limit, ChangeClaim) else limit).metric.name for limit in effects.keep]
    known = [metric.name for metric in effects.metrics if metric.name != effects.on.name]
    return next((name for name in [*limited, *known] if name in known), "")


class _Columns:
    """The table of changes: numbers in columns that fit them, and before them all of a change's name."""

    _LEAST = (6, 7, 14, 5)  # widths; tables of most games are alike then

    def __init__(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        # A metric's name is broken at its underscores rather than cut.
        self._heads = [re.findall(r"[^_]+_?", head) for head in heads]
        known = [*zip(*rows, strict=True)] if rows else [()] * len(heads)
        self._widths = [
            max([least, *map(len, pieces), *map(len, cells)])
            for least, pieces, cells in zip(self._LEAST, self._heads, known, strict=True)
        ]
        self._room = WIDTH - 2 - len(self._numbers([""] * len(heads)))

    def _numbers(self, cells: Sequence[str]) -> str:
        value, relative, interval, beside = self._widths
        return f" {cells[0]:>{value}} {cells[1]:>{relative}}  {cells[2]:{interval}} {cells[3]:>{beside}}"

    def heading(self) -> Iterator[Line]:
        """Write the head, broken names from the bottom up."""
        height = max(map(len, self._heads))
        padded = [[""] * (height - len(pieces)) + pieces for pieces in self._heads]
        for depth, cells in enumerate(zip(*padded, strict=True), 1):
            name = "change" if depth == height else ""
            yield Line(f"  {name:{self._room}}{self._numbers(cells)}".rstrip(), "heading")

    def row(self, change: str, cells: Sequence[str]) -> Iterator[Line]:
        """Write a change; one without room for its name stands on two lines, broken at its equals sign."""
        name = f" {change}"
        if len(name) > self._room:
            option, equals, value = change.partition("=")
            yield Line(f"   {option}{equals}", "row")
            name = f"   {value}"
        yield Line(f"  {name:{self._room}}{self._numbers(cells)}".rstrip(), "row")


def _table(effects: Effects, *, every: bool) -> Iterator[Line]:
    name, beside = effects.on.name, _beside(effects)
    short = {"length_s": "length", "deadlocked": "deadl."}.get(beside, beside)
    interval = confidence_text(effects.look.confidence).removesuffix(" interval")
    down = [effect for effect in effects.ranked if effect.differences[name].difference < 0]
    up = [effect for effect in effects.ranked if effect.differences[name].difference > 0][::-1]
    shown = {word: found if every else found[:MOST_ROWS] for word, found in (("fewer", down), ("more", up))}
    if not (down or up):
        return
    cells = {effect.change: _cells(effect, name, beside) for found in shown.values() for effect in found}
    columns = _Columns([name, "in %", interval, short], list(cells.values()))
    yield from columns.heading()
    for word, found in (("fewer", down), ("more", up)):
        if not found:
            continue
        yield Line(f"  {word}", "heading")
        for effect in shown[word]:
            yield from columns.row(effect.change, cells[effect.change])
        if len(found) > MOST_ROWS and not every:
            yield Line(f"   and {len(found) - MOST_ROWS} more (--all, or --format csv)")


def _cells(effect: Effect, name: str, beside: str) -> tuple[str, str, str, str]:
    one, other = effect.differences[name], effect.differences.get(beside)
    last = "" if other is None or other.relative is None else percent_change(other.relative).replace(" ", "")
    return number_text(one, one.value), relative_text(one), _relative_interval(one), last


def _relative_interval(one: Difference) -> str:
    if one.relative_low is None or one.relative_high is None:
        return change_and_interval(one)[1]
    decimals = 0 if abs(one.relative or 0) >= 0.095 else 1
    return f"{signed(100 * one.relative_low, decimals)} to {signed(100 * one.relative_high, decimals)}"


def _rest(effects: Effects) -> Iterator[Line]:
    """Say what is not in the table, and why."""
    name = effects.on.name
    broken = [effect.change for effect in effects.all if not effect.kept]
    same = [effect.change for effect in effects.all if effect.kept and effect.differences[name].same_in_all]
    open_ones = [
        effect.change
        for effect in effects.all
        if effect.kept and effect.differences[name].verdict == NO_DIFFERENCE and effect.change not in same
    ]
    for label, found in (
        (f"Do not keep {keep_text(effects.keep) if effects.keep else ''}", broken),
        ("No difference found", open_ones),
        (f"The same {name} in every deal", same),
        ("Do not combine with these rules", list(effects.changes.impossible)),
    ):
        if found:
            text = f"{label} ({len(found)}): {', '.join(found)}."
            for part in textwrap.wrap(text, WIDTH - 2, break_on_hyphens=False, subsequent_indent="  "):
                yield Line(f"  {part}")
    yield Line("")


def _advice(effects: Effects, *, asked_robust: bool) -> Iterator[Line]:
    tested = sum(effect.differences[effects.on.name].p is not None for effect in effects.all)
    text = (
        "Each option is changed once and alone. Differences are paired, deal by deal; verdicts on "
        f"{effects.on.name} are corrected for {tested} changes (Holm)."
    )
    for part in textwrap.wrap(text, WIDTH - 2, break_on_hyphens=False):
        yield Line(f"  {part}")
    call = effects_command(effects)
    if effects.base.timing.word != "uniform" and not asked_robust:
        yield from command_lines("Rests on guessed reaction times; whether it hangs on them:", f"{call} --robust")
    robust = " --robust" if asked_robust else ""
    yield from command_lines("Again:", f"{call}{robust} --deals {effects.deals} --seed {effects.seed}")


def effects_command(effects: Effects) -> str:
    """Return the command that gives the effects, without deals and seed."""
    given = effects.base.given.invocation(1, 1).line("effects", counts=False)
    words = [given, "--on", effects.on.name]
    for limit in effects.keep:
        words += ["--keep", shlex.quote(limit_text(limit))]
    if effects.look.confidence != USUAL_CONFIDENCE:
        words += ["--confidence", f"{effects.look.confidence:g}"]
    return " ".join(words)


def effects_dict(effects: Effects) -> dict[str, Any]:
    """Return the JSON object of effects."""
    unusual = {} if effects.look.confidence == USUAL_CONFIDENCE else {"confidence": effects.look.confidence}
    return {
        **effects.manifest,
        **unusual,
        "on": effects.on.name,
        "keep": [limit_text(limit) for limit in effects.keep],
        "effects": [
            {
                "change": effect.change,
                "kept": effect.kept,
                "differences": {name: difference_dict(one) for name, one in effect.differences.items()},
            }
            for effect in effects.all
        ],
        "alike": list(effects.changes.alike),
        "impossible": effects.changes.impossible,
    }


def records(effects: Effects) -> list[dict[str, Any]]:
    """Return one record for each change and metric; keys name the units, a share is a number from 0 to 1."""
    interval = confidence_text(effects.look.confidence)
    return [
        {
            "change": effect.change,
            "metric": one.metric.name,
            "base [unit]": one.reference,
            "changed [unit]": one.value,
            "difference [unit]": one.difference,
            f"low [unit, {interval}]": one.low,
            f"high [unit, {interval}]": one.high,
            "relative [of base]": one.relative,
            f"relative low [of base, {interval}]": one.relative_low,
            f"relative high [of base, {interval}]": one.relative_high,
            "unit": one.metric.unit,
            "verdict": one.verdict,
            "p": one.p,
            "corrected p": one.corrected_p,
            "kept": effect.kept,
            "n [deals]": effects.deals,
        }
        for effect in effects.all
        for one in effect.differences.values()
    ]


def to_markdown(effects: Effects) -> str:
    """Return a table in markdown, with numbers as people read them."""
    name = effects.on.name
    facts = f"{effects.base.timing.word} timing, {effects.deals:,} deals each of the same cards, seed {effects.seed}"
    lines = [
        f"**{escaped(effects.base.label)}**, every option changed once: {facts}",
        "",
        f"| change | {name} | difference | {confidence_text(effects.look.confidence)} | relative | verdict |",
        "| :-- | --: | --: | :-- | --: | :-- |",
    ]
    for effect in effects.all:
        lines.append(effect_row(effect, name))
    return "\n".join(lines) + "\n"


def effect_row(effect: Effect, name: str) -> str:
    """Return a row of a markdown table."""
    one = effect.differences[name]
    change, interval = change_and_interval(one)
    return (
        f"| {escaped(effect.change)} | {number_text(one, one.value)} | {change} | {interval} | {relative_text(one)} | "
        f"{one.verdict} |"
    )


def base_text(effects: Effects) -> str:
    """Write the base's number."""
    one = effects.all[0].differences[effects.on.name]
    return fixed(one.reference, 2) if one.reference < 100 else fixed(one.reference, 0)
