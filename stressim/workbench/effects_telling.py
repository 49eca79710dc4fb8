"""Effects as people and programs read them."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from stressim.output.machine import USUAL_CONFIDENCE
from stressim.output.phrases import confidence_text, escaped, fixed, is_share, joined
from stressim.output.text import WIDTH, Line, command_lines
from stressim.workbench.differences import NO_DIFFERENCE
from stressim.workbench.limits import ChangeClaim
from stressim.workbench.phrases import (
    change_and_interval,
    difference_text,
    number_text,
    relative_text,
    shared_decimals,
    signed,
)
from stressim.workbench.remarks import LENGTHS, counted_text, length_text, wait_texts
from stressim.workbench.tables import difference_dict
from stressim.workbench.telling import paragraph, sentence, wrapped_facts

if TYPE_CHECKING:
    from stressim.workbench.differences import Difference
    from stressim.workbench.effects import Effect, Effects
    from stressim.workbench.limits import Size

MOST_ROWS = 12
"""Rows in either direction; all of them are in JSON and CSV."""

_MOST_WAITS = 3

MOST_REASONS = 6
"""Reasons why changes do not combine; all of them are in JSON."""


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
        Whether every change is named: in the table if it makes a difference.
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
    lines += [Line(""), *table, *([Line("")] if table else []), *_rest(effects, every=every)]
    lines += _advice(effects, asked_robust=bool(robust))
    return lines


def leading_sentences(effects: Effects) -> list[tuple[str, str]]:
    """Say which change has the fewest and which the most, among those that keep what is to be kept.

    What either does to the length stands beside it: a change that mends one number may make deals endless.
    """
    name = effects.on.name
    decimals = _decimals(effects)
    said = []
    for label, found in (("Fewest", effects.ranked[:1]), ("Most", effects.ranked[::-1][:1])):
        wanted = "fewer" if label == "Fewest" else "more"
        found = tuple(effect for effect in found if effect.differences[name].verdict == wanted)
        kept = f" that keeps {keep_text(effects.keep)}" if effects.keep else ""
        if not found:
            said.append((label, f"No single change{kept} makes for {wanted} {name}."))
            continue
        differences = found[0].differences
        text = difference_text(differences[name], decimals[name]).removeprefix(f"{wanted}: ")
        if name not in LENGTHS and (length := length_text(differences, decimals)):
            text = f"{text.rstrip('.')}; {length}."
        said.append((label, f"{found[0].change}: {text}"))
    return said


def _decimals(effects: Effects) -> dict[str, int]:
    """Return how many decimals numbers have wherever the base's stands beside them."""
    return shared_decimals(one for effect in _ends(effects) for one in effect.differences.values())


def _ends(effects: Effects) -> tuple[Effect, ...]:
    """The changes with the fewest and the most."""
    return (*effects.ranked[:1], *effects.ranked[-1:])


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
        # Broken where a line of the head ends, and a metric's name at its underscores rather than cut.
        self._heads = [re.findall(r"[^_\n]+_?", head) for head in heads]
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
    unit = "pp" if is_share(effects.on) else "%"
    of = [f"{short}\nin {'pp' if is_share(metric) else '%'}" for metric in effects.metrics if metric.name == beside]
    columns = _Columns([name, f"in {unit}", f"{interval}", *(of or [""])], list(cells.values()))
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
    change = change_and_interval(one)[0] if is_share(one.metric) else relative_text(one)
    return number_text(one, one.value), change, _relative_interval(one), "" if other is None else _change(other)


def _change(one: Difference) -> str:
    """Write a change alone: of a share in percentage points, otherwise in per cent of the base's number."""
    if one.same_in_all:
        return "0"
    return change_and_interval(one)[0] if is_share(one.metric) else relative_text(one)


def _relative_interval(one: Difference) -> str:
    if is_share(one.metric) or one.relative_low is None or one.relative_high is None:
        return change_and_interval(one)[1]
    decimals = 0 if abs(one.relative or 0) >= 0.095 else 1
    return f"{signed(100 * one.relative_low, decimals)} to {signed(100 * one.relative_high, decimals)}"


def _rest(effects: Effects, *, every: bool) -> Iterator[Line]:
    """Say what is not in the table, and why."""
    name = effects.on.name
    idle = [*effects.changes.alike, *(effect.change for effect in effects.all if _is_idle(effect))]
    broken = [effect.change for effect in effects.all if not effect.kept]
    rest = [effect for effect in effects.all if effect.kept and effect.change not in idle]
    same = [effect.change for effect in rest if effect.differences[name].same_in_all]
    open_ones = [
        effect.change
        for effect in rest
        if effect.differences[name].verdict == NO_DIFFERENCE and effect.change not in same
    ]
    for label, found in (
        (f"Do not keep {keep_text(effects.keep) if effects.keep else ''}", broken),
        ("No difference found", open_ones),
        (f"The same {name} in every deal", same),
    ):
        if found:
            yield from _hanging(f"{label} ({len(found)}): {', '.join(found)}.")
    if idle:
        counted = joined([metric.name for metric in effects.metrics])
        named = ", ".join(joined_values(idle)) if every else "--all names them"
        yield from _hanging(f"The same {counted} in every deal ({len(idle)}): {named}.")
    yield from _impossible(effects, every=every)
    yield Line("")


def _is_idle(effect: Effect) -> bool:
    """Whether nothing that was counted differs in any deal: the rule is of no use with the others."""
    return all(one.same_in_all for one in effect.differences.values())


def _impossible(effects: Effects, *, every: bool) -> Iterator[Line]:
    """Say which changes do not combine with the other rules, and of each kind why."""
    kinds: dict[str, list[str]] = {}
    reasons: dict[str, str] = {}
    for change, sentence_ in effects.changes.impossible.items():
        reason = _reason(sentence_, change)
        kind = re.sub(r"\d+|(?<==)\w+", "", reason)
        kinds.setdefault(kind, []).append(change)
        reasons.setdefault(kind, reason)
    if not kinds:
        return
    yield Line(f"  Do not combine with these rules ({len(effects.changes.impossible)}):")
    # One more takes no more room than to say that there is one.
    shown = list(kinds) if every or len(kinds) == MOST_REASONS + 1 else list(kinds)[:MOST_REASONS]
    for kind in shown:
        changes = ", ".join(joined_values(kinds[kind]))
        named = reasons[kind].startswith(f"{changes} ")
        yield from _hanging(f"{'' if named else f'{changes}: '}{reasons[kind]}.", 4)
    if len(kinds) > len(shown):
        left = sum(len(kinds[kind]) for kind in kinds if kind not in shown)
        yield Line(f"    and {left} more (--all, or --format json)")


def _reason(text: str, change: str) -> str:
    """Return the first clause of why a change does not combine: what is wrong, without what would help."""
    return re.split(r"[:;] ", text.partition(f"--set {change}: ")[2] or text)[0]


def joined_values(changes: Sequence[str]) -> list[str]:
    """Put the values of one option together, as ``--vary`` takes them.

    >>> joined_values(["deck=skat32", "n_decks=2", "n_decks=4"])
    ['deck=skat32', 'n_decks=2,4']
    """
    values: dict[str, list[str]] = {}
    for change in changes:
        option, _, value = change.partition("=")
        values.setdefault(option, []).append(value)
    return [f"{option}={','.join(of)}" for option, of in values.items()]


def _hanging(text: str, indent: int = 2) -> Iterator[Line]:
    for part in textwrap.wrap(text, WIDTH - indent, break_on_hyphens=False, subsequent_indent="  "):
        yield Line(" " * indent + part)


def _advice(effects: Effects, *, asked_robust: bool) -> Iterator[Line]:
    tested = sum(effect.differences[effects.on.name].p is not None for effect in effects.all)
    text = (
        "Each option is changed once and alone. Differences are paired, deal by deal; verdicts on "
        f"{effects.on.name} are corrected for {tested} changes (Holm)."
    )
    counted = next(filter(None, (counted_text(effect.differences) for effect in _ends(effects))), "")
    yield from paragraph(f"{text} {counted}".rstrip())
    told = [effects.base, *(effect.variant for effect in (*_ends(effects), *effects.ranked))]
    for wait in wait_texts(told)[:_MOST_WAITS]:
        yield from paragraph(wait)
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
