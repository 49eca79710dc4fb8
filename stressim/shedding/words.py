"""What a result of the shedding game means, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressim.output.phrases import clock_time, fixed, of_100, one_in, percent, short
from stressim.shedding.rules import BothEmpty, SheddingRules, StressOn

if TYPE_CHECKING:
    from stressim.players.player import Player
    from stressim.simulate import Result


def sentences(result: Result) -> list[tuple[str, str]]:
    """Say what matters most about a result.

    Returns
    -------
    list of (str, str)
        A label and a text for each sentence; a label is empty where the one before it still holds.
    """
    rules = result.rules.options
    assert isinstance(rules, SheddingRules)
    said = [("Stalls", _stalls(result)), ("Length", _length(result))]
    if rules.stress_on != StressOn.NONE:
        said.append(("Stress", _stress(result)))
    said += [("Fairness", _fairness(result)), ("Ending", _ending(result, rules))]
    if result.estimates["deadlocked"].estimate and rules.restart_both_empty == BothEmpty.UNDEFINED:
        said.append(("", "What helps: --set restart_both_empty=take_right_pile_shuffle"))
    return said


def _stalls(result: Result) -> str:
    found = result.estimates
    if not found["stalled"].estimate:
        return "No deal stalls: somebody can always play."
    text = f"{_deals(found['stalled'].estimate, 'stall')}, {short(found['stalls'].estimate)} times a deal"
    return text + (f": {percent(found['stall_share'].estimate)} of the time." if "stall_share" in found else ".")


def _length(result: Result) -> str:
    if "length_s" in result.estimates:
        quantiles = result.estimates["length_s"].quantiles
        half, most = (clock_time(quantiles[q].estimate) for q in (0.5, 0.95))
        return f"Half of the deals are over in {half}; 19 of 20 in {most}."
    quantiles = result.estimates["moves"].quantiles
    half, most = (fixed(quantiles[q].estimate, 0) for q in (0.5, 0.95))
    return f"Half of the deals are over in {half} plays; 19 of 20 in {most}."


def _stress(result: Result) -> str:
    found = result.estimates
    if not found["stresses"].estimate:
        return "Nobody ever slaps."
    text = (
        f"{short(found['stresses'].estimate)} times a deal; it costs {short(found['cards_picked_up'].estimate)} cards"
    )
    ties = found["stress_ties"].estimate / found["stresses"].estimate
    return f"{text}, and {of_100(ties)} are ties." if ties else f"{text}."


def _fairness(result: Result) -> str:
    if "win_skew" not in result.estimates:
        return "No deal has a winner."
    skew = result.estimates["win_skew"]
    assert skew.low is not None
    assert skew.high is not None
    share, low, high = (fixed(100 * (1 + value) / 2, 1) for value in (skew.estimate, skew.low, skew.high))
    wins = f"{share} of 100 won deals ({low} to {high})"
    unclear = skew.low <= 0 <= skew.high
    one, two = result.players
    if _same(one, two):
        if unclear:
            return f"No seat advantage found: player 1 wins {wins}."
        chance = short(1 / (1 - result.confidence))
        return (
            f"Player 1 wins {wins}, although the players are equal. Chance alone does that in 1 of {chance} runs: "
            "another --seed shows whether it was."
        )
    names = f"player 1 ({one.name})", f"player 2 ({two.name})"
    if unclear:
        return f"No difference found between {names[0]} and {names[1]}: player 1 wins {wins}."
    first, second = names if skew.estimate > 0 else reversed(names)
    if skew.estimate < 0:
        share, low, high = (fixed(100 * (1 - value) / 2, 1) for value in (skew.estimate, skew.high, skew.low))
    return f"{first[0].upper()}{first[1:]} beats {second}: {share} of 100 won deals ({low} to {high})."


def _ending(result: Result, rules: SheddingRules) -> str:
    found = result.estimates
    won, dead = found["won"].estimate, found["deadlocked"].estimate
    text_ends = found["both_stocks_empty"].estimate if rules.restart_both_empty == BothEmpty.UNDEFINED else 0.0
    endings = [
        (min(dead, text_ends), "both stocks run out and the text has no rule"),
        (max(0.0, dead - text_ends), "nobody can move again and no rule helps"),
        (found["drawn"].estimate, "the rules make it a draw"),
        (found["livelocked"].estimate, "the same positions would come back for ever"),
        (found["unfinished"].estimate, "play was stopped at the limit of moves"),
    ]
    winner = f"{_deals(won, 'have')} a winner" if won else "No deal has a winner"
    return "; ".join([winner, *(f"{_in(share)} {why}" for share, why in endings if share)]) + "."


def _deals(share: float, verb: str) -> str:
    said = of_100(share)
    if said == one_in(share):
        return f"{said} deals {'has' if verb == 'have' else verb + 's'}"
    return f"{said[0].upper()}{said[1:]} deals {verb}"


def _in(share: float) -> str:
    said = of_100(share)
    return said.replace("1 in", "once in") + " deals" if said == one_in(share) else f"in {said}"


def _same(one: Player, two: Player) -> bool:
    """Whether two players do everything alike, whatever they are called."""
    cosmetic = {"name", "presets", "changed"}
    return one.model_dump(exclude=cosmetic) == two.model_dump(exclude=cosmetic)
