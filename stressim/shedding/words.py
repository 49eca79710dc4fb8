"""What a result of the shedding game means, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressim.output.phrases import of_100, short
from stressim.output.sentences import endings, fairness, length, stalls
from stressim.shedding.choices import BothEmpty, StressOn
from stressim.shedding.rules import SheddingRules

if TYPE_CHECKING:
    from stressim.simulate import Result


def wait_text(rules: SheddingRules) -> str:
    """Say how long a rule in force waits, and whether that is a guess; empty without such a rule."""
    return ""


def guessed_wait(rules: SheddingRules) -> str:
    """Return the option with the time that a rule in force waits, if that is a guess; otherwise an empty text."""
    return ""


def sentences(result: Result) -> list[tuple[str, str]]:
    """Say what matters most about a result.

    Returns
    -------
    list of (str, str)
        A label and a text for each sentence; a label is empty where the one before it still holds.
    """
    rules = result.rules.options
    assert isinstance(rules, SheddingRules)
    said = [("Stalls", stalls(result, "somebody can always play")), ("Length", length(result))]
    if rules.stress_on != StressOn.NONE:
        said.append(("Stress", _stress(result)))
    said += [("Fairness", fairness(result)), ("Ending", _ending(result, rules))]
    return said


def _stress(result: Result) -> str:
    found = result.estimates
    if not found["stresses"].estimate:
        return "Nobody ever slaps."
    text = (
        f"{short(found['stresses'].estimate)} times a deal; it costs {short(found['cards_picked_up'].estimate)} cards"
    )
    ties = found["stress_ties"].estimate / found["stresses"].estimate
    return f"{text}, and {of_100(ties)} are ties." if ties else f"{text}."


def _ending(result: Result, rules: SheddingRules) -> str:
    found = result.estimates
    dead = found["deadlocked"].estimate
    stocks = "both stocks" if rules.n_players == 2 else "all stocks"
    text_ends = found["both_stocks_empty"].estimate if rules.restart_both_empty == BothEmpty.UNDEFINED else 0.0
    return endings(
        result,
        [
            (min(dead, text_ends), f"{stocks} run out and the text has no rule"),
            (max(0.0, dead - text_ends), "nobody can move again and no rule helps"),
            (found["drawn"].estimate, "the rules make it a draw"),
            (found["livelocked"].estimate, "the same positions would come back for ever"),
            (found["unfinished"].estimate, "play was stopped at the limit of moves"),
        ],
    )
