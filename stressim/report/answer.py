"""What came of a question: numbers, a table, a figure, and what its texts may call."""

from __future__ import annotations

import hashlib
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError, one_of, said_at
from stressim.output.phrases import joined, number_and_interval
from stressim.presets import is_preset
from stressim.simulate import behaviour_of
from stressim.workbench.limits import metric_named
from stressim.workbench.robust import Conclusion, conclusion_text
from stressim.workbench.variants import Given, Variant, make_variant, read_variants

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from stressim.estimates import Estimate
    from stressim.report.study import Question


CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table for a page: a caption, column heads, and rows of text whose first cell names the row."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came of a question.

    Parameters
    ----------
    question
        The question.
    records
        Its numbers, for a CSV.
    table
        Its table on pages.
    draw
        Draws its figure; None without one.
    commands
        Command lines that show the same.
    facts
        How it was played.
    calls
        What its texts may call, by name.
    remarks
        Sentences that follow from the run and not from the study's texts: robust or not.
    """

    question: Question
    records: list[dict[str, Any]]
    table: Table
    draw: Callable[[], Figure] | None
    commands: tuple[str, ...]
    facts: str
    calls: Mapping[str, Callable[..., str]] = field(repr=False)
    remarks: tuple[str, ...] = ()


def variants_of(question: Question) -> tuple[Variant, ...]:
    """Return what a question plays; for a sweep the points, for effects the base.

    Raises
    ------
    InputError
        If something in it cannot be used.
    """
    if question.kind in ("compare", "luck"):
        return _read(question, question.texts("variants"))
    if question.kind == "rules":
        # Of any family: they are not compared deal by deal.
        return tuple(_read(question, [text])[0] for text in question.texts("variants"))
    return (make_variant(given_of(question)),)


def _read(question: Question, texts: Sequence[str]) -> tuple[Variant, ...]:
    return read_variants(
        texts, sets=question.sets, players=question.players, timing=question.timing, folder=question.folder
    )


def check_question(question: Question) -> None:
    """Refuse what can be seen to be wrong before anything is played.

    Raises
    ------
    InputError
        If rules or players cannot be used, or there is no number of a name that is given.
    """
    with said_at(question.place):
        variants = variants_of(question)
        drawn = [question.figure] if question.figure not in ("", "none") else []
        for key, names in (("on", question.texts("on")), ("show", question.texts("show")), ("figure", drawn)):
            for name in names:
                _check_number(name, variants, key, any_players=question.kind == "sweep")
        if question.kind == "sweep" and drawn and question.texts("on") and drawn[0] not in question.texts("on"):
            raise InputError(f"figure = {drawn[0]!r} must be one of those in on: {one_of(question.texts('on'))}")


def _check_number(name: str, variants: Sequence[Variant], key: str, *, any_players: bool) -> None:
    """Refuse a name that is a number of none of the variants."""
    refusals = []
    for variant in variants:
        clock = variant.timing.word != "uniform"
        n_players = sys.maxsize if any_players else len(variant.players)
        try:
            metric_named(name, variant.family, clock=clock, n_players=n_players, option=key)
        except InputError as error:
            refusals.append(error)
    if len(refusals) == len(variants):
        raise refusals[0]


def names_files(question: Question) -> bool:
    """Whether rules are files of the user's, so that commands hold in the study's folder alone."""
    texts = [*question.texts("variants"), question.given.get("rules", "")]
    words = [text if (question.folder / text).is_file() else text.partition(" ")[0] for text in texts if text]
    return any(not is_preset(word) and (question.folder / word).is_file() for word in words)


def key_of(question: Question, seed: int) -> str:
    """Return sixteen digits that stand for all that decides a question's numbers, without playing."""
    parts: list[bytes] = []
    for variant in variants_of(question):
        lowered = variant.lowered
        parts += [lowered.rules.tobytes(), lowered.players.tobytes(), lowered.tables.tobytes()]
        parts.append(f"{variant.family.name} {variant.timing.word} {behaviour_of(variant.family)}".encode())
    own = sorted((key, str(value)) for key, value in question.given.items())
    parts.append(f"{question.kind} {question.deals} {seed} {own} {question.sets} {question.players}".encode())
    return hashlib.sha256(b"|".join(parts)).hexdigest()[:16]


def given_of(question: Question) -> Given:
    """Return what a sweep or effects are asked of."""
    return Given(
        rules=question.given["rules"],
        sets=question.sets,
        players=question.players,
        timing=question.timing,
        folder=question.folder,
    )


def facts_of(question: Question, seed: int) -> str:
    """Say how a question was played."""
    return f"{question.timing.capitalize()} timing, {question.deals:,} deals each of the same cards, seed {seed}"


def simulate_command(variant: Variant, question: Question, seed: int) -> str:
    """Return the command that simulates a variant of a question."""
    return variant.given.invocation(question.deals, seed).line("simulate")


def unit_of(unit: str) -> str:
    """Say a metric's unit as a column's head has it, shares in per cent."""
    return f"% {unit}" if unit.startswith("of ") else unit


def estimate_text(estimate: Estimate | None) -> str:
    """Write an estimate with its interval; a dash where there is none."""
    if estimate is None:
        return "–"
    number, interval = number_and_interval(estimate.metric, estimate.estimate, estimate.low, estimate.high)
    return f"{number} ({interval.removesuffix(' %')})"


def named_one(named: Mapping[str, Any], label: str, question: Question) -> Any:
    """Return what a text names.

    Raises
    ------
    InputError
        If there is no such thing.
    """
    if label not in named:
        raise InputError(f"its text names {label!r}, which is none of {', '.join(named)}")
    return named[label]


def figure_of(question: Question, draw: Callable[[], Figure]) -> Callable[[], Figure] | None:
    """Return what draws a question's figure, unless it wants none."""
    return None if question.figure == "none" else draw


def remarks_of(conclusions: Sequence[Conclusion]) -> tuple[str, ...]:
    """Say which verdicts are robust in one sentence, and of each that is not what it depends on."""
    firm = [one for one in conclusions if not one.flips]
    said = []
    if firm:
        named = joined([f"{one.variant} ({one.metric.name} {one.verdict})" for one in firm])
        others = max(one.n_settings for one in firm)
        said.append(f"Robust, the same in up to {others} other settings: {named}.")
    return (*said, *(f"{one.variant}, {conclusion_text(one)}" for one in conclusions if one.flips))


def compare_command(question: Question, seed: int) -> str:
    """Return the command that compares a question's variants."""
    words = ["stressim", "compare", *question.texts("variants")]
    return _with_run(words, question, seed, [("--on", name) for name in question.texts("on")])


def _with_run(words: list[str], question: Question, seed: int, options: Sequence[tuple[str, str]]) -> str:
    pairs = [("--set", change) for change in question.sets] + [("--player", change) for change in question.players]
    if question.timing != "human":
        pairs.append(("--timing", question.timing))
    for name, value in (*pairs, *options):
        words += [name, value]
    return shlex.join([*words, "--deals", str(question.deals), "--seed", str(seed)])
