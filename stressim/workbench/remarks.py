"""What is said beside differences: what lengths count, how long rules wait, and what is the same game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressim.optiontext import idle_text
from stressim.output.phrases import of_100
from stressim.players.time_options import declared
from stressim.rulesfile import differences as changed_options
from stressim.workbench.phrases import difference_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stressim.simulate import Result
    from stressim.workbench.differences import Difference
    from stressim.workbench.variants import Variant

LENGTHS = ("length_s", "moves")
"""Metrics that say how long a deal is, the one with a clock first."""

SEVERAL_TIMES = 3
"""From so many times the length on, deals are said to be several times as long."""

_FEW_PER_CENT = 0.05  # of deals that end early: below, lengths are hardly touched
_EARLY = ("deadlocked", "livelocked", "unfinished")


def is_same_game(variant: Variant, reference: Variant) -> bool:
    """Whether a variant has the rules and players of the reference, so that no deal can differ."""
    one, other = variant.lowered, reference.lowered
    return (
        one.uniform == other.uniform
        and one.rules.tobytes() == other.rules.tobytes()
        and one.players.tobytes() == other.players.tobytes()
        and one.tables.tobytes() == other.tables.tobytes()
    )


def same_game_text(variant: Variant, reference: Variant) -> str:
    """Say that a variant is the same game as the reference."""
    if variant.rules.options == reference.rules.options:
        return f"{variant.label} is {reference.label} itself: the same rules and players, so no deal can differ."
    return f"{variant.label} differs from {reference.label} in words alone, so no deal can differ."


def idle_options(variant: Variant, reference: Variant) -> dict[str, str]:
    """Return in which options a variant differs, if none of them does anything; by option, the condition that lacks.

    Empty where something else differs as well, or nothing does.

    Examples
    --------
    >>> from stressim.workbench.variants import read_variants
    >>> reference, *others = read_variants(["james-bond", "swap_deadline_s=3", "swap_deadline_s=3 ranking=all"])
    >>> [idle_options(variant, reference) for variant in others]
    [{'swap_deadline_s': 'deadlock_rule=swap_deadline'}, {}]
    """
    one, other = variant.lowered, reference.lowered
    if one.players.tobytes() != other.players.tobytes() or one.tables.tobytes() != other.tables.tobytes():
        return {}
    here, there = variant.rules.options, reference.rules.options
    found = {}
    for name in changed_options(there, here):
        about = declared(type(here).model_fields[name])
        if about.get("cosmetic") or about.get("match"):
            continue
        conditions = [options.lacking(name, clock=not one.uniform) for options in (here, there)]
        if not all(conditions):
            return {}
        found[name] = conditions[0]
    return found


def no_difference_text(variant: Variant, reference: Variant) -> str:
    """Say why no deal of a variant can differ from the reference's; empty where one can."""
    if idle := idle_options(variant, reference):
        return f"{variant.label} changes nothing: {idle_text(idle)}."
    return same_game_text(variant, reference) if is_same_game(variant, reference) else ""


def wait_texts(variants: Sequence[Variant]) -> list[str]:
    """Say of each rule that waits for a time how long that is and whether it is a guess, each once."""
    if variants and variants[0].timing.word == "uniform":
        return []
    said = [variant.family.words.wait_text(variant.rules.options) for variant in variants]
    return [text for text in dict.fromkeys(said) if text]


def early_ends_text(reference: tuple[str, Result], variant: tuple[str, Result]) -> str:
    """Say that lengths of dead deals are lengths up to there; empty where hardly any deal is dead."""
    shares = [
        (label, sum(result.estimates[name].estimate for name in _EARLY if name in result.estimates))
        for label, result in (variant, reference)
    ]
    if max(share for _, share in shares) <= _FEW_PER_CENT:
        return ""
    many = " and ".join(f"{of_100(share)} of {label}" for label, share in shares)
    return f"Dead and stopped deals count up to where they end: {many}."


def length_of(differences: Mapping[str, Difference]) -> Difference | None:
    """Return what happens to the length of deals; None if it was not counted."""
    return next((differences[name] for name in LENGTHS if name in differences), None)


def is_several_times(one: Difference | None) -> bool:
    """Whether deals are several times as long as the reference's."""
    return one is not None and one.verdict == "more" and one.value >= SEVERAL_TIMES * one.reference > 0


def times_text(one: Difference) -> str:
    """Say how many times as long deals are.

    The numbers are those of all deals together, whether they come to an end or not.
    """
    times = one.value / one.reference
    return f"deals are {times:.0f} times as long" if times >= 9.5 else f"deals are {times:.1f} times as long"


def length_text(differences: Mapping[str, Difference], decimals: Mapping[str, int] | None = None) -> str:
    """Say what happens to the length: ``length_s 118 against 84 s, +34 (+28 to +40), +41 %``; empty if not counted."""
    one = length_of(differences)
    if one is None:
        return ""
    name = one.metric.name
    if one.same_in_all:
        return f"{name} the same in every deal"
    text = f"{name} {difference_text(one, (decimals or {}).get(name)).partition(': ')[2].rstrip('.')}"
    return f"{text}: {times_text(one)}" if is_several_times(one) else text


def counted_text(differences: Mapping[str, Difference]) -> str:
    """Say that deals without a winner count up to where they end, where there are more than a few; otherwise empty."""
    won = differences.get("won")
    if won is None or min(won.reference, won.value) >= 1 - _FEW_PER_CENT:
        return ""
    return "Deals that nobody wins count up to where they end."
