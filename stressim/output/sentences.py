"""Sentences that are the same for every family of games."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

from stressim.output.phrases import RARE, clock_time, fixed, of_100, one_in, percent, share_text, short, unit_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stressim.estimates import Estimate
    from stressim.players.player import Player
    from stressim.simulate import Result

_EARLY = {"deadlocked": "up to where they lock", "livelocked": "up to where they come round again"}
"""Where deals end that would have gone on for ever, by the outcome."""


def stalls(result: Result, never: str) -> str:
    """Say how often deals stall; ``never`` is what it means that none does."""
    found = result.estimates
    if not found["stalled"].estimate:
        return f"No deal stalls: {never}."
    text = f"{deals_that(found['stalled'].estimate, 'stall')}, {short(found['stalls'].estimate)} times a deal"
    return text + (f": {percent(found['stall_share'].estimate)} of the time." if "stall_share" in found else ".")


def length(result: Result) -> str:
    """Say how long deals are, and up to where those count that never come to an end."""
    return f"{_length_alone(result)}{_early_ends(result)}"


def _length_alone(result: Result) -> str:
    if not is_known(result, 0.5):
        return f"It takes {length_at(result, 0.5)} until half of the deals are over."
    half = f"Half of the deals are over in {length_at(result, 0.5)}"
    if not is_known(result, 0.95):
        return f"{half}; it takes {length_at(result, 0.95)} until 19 of 20 are."
    return f"{half}; 19 of 20 in {length_at(result, 0.95)}."


def _early_ends(result: Result) -> str:
    # Fewer than 1 of 100, even if all were the longest, move what 19 of 20 take no further than to 96 of 100.
    found = [name for name in _EARLY if result.estimates[name].estimate >= RARE]
    if not found:
        return ""
    first, *more = found
    text = f" {first.capitalize()} deals count {_EARLY[first]}"
    return "".join([text, *(f", {name} ones {_EARLY[name]}" for name in more), "."])


def length_at(result: Result, share: float) -> str:
    """Say a quantile of the lengths: a time, or a number of moves where there is no clock."""
    quantile = _length(result).quantiles[share]
    text = clock_time(quantile.at_least)
    if "length_s" not in result.estimates:
        text = f"{fixed(quantile.at_least, 0)} {unit_word(_length(result).metric)}"
    return text if quantile.estimate is not None else f"more than {text}"


def is_known(result: Result, share: float) -> bool:
    """Whether a quantile of the lengths lies among deals that were played to their end."""
    return _length(result).quantiles[share].estimate is not None


def _length(result: Result) -> Estimate:
    return result.estimates.get("length_s") or result.estimates["moves"]


def matches(result: Result) -> str:
    """Say who wins matches and how long they are; empty where each deal is for itself."""
    if result.matches is None:
        return ""
    form = result.rules.options.match_format
    if not result.matches.tally.n_deals:
        return f"Not one match {form} came to its end."
    found = result.estimates
    n_players = len(result.players)
    wins = [found[f"match_win_{seat}"].estimate for seat in range(1, n_players + 1)]
    best = wins.index(max(wins)) if not all_alike(result.players) else 0
    text = f"Player {best + 1} wins {of_100(wins[best], decimals=int(wins[best] < 0.1))} matches {form}"
    text += f"; one takes {short(found['match_deals'].estimate)} deals"
    if "match_length_s" in found and (half := found["match_length_s"].quantiles[0.5].estimate) is not None:
        text += f", half of them are over in {clock_time(half)}"
    return f"{text}."


def fairness(result: Result) -> str:
    """Say whether a seat or a player wins more often than the others."""
    if "win_skew" not in result.estimates:
        return "No deal has a winner."
    if not all_alike(result.players):
        return _two_compared(result) if len(result.players) == 2 else _best_and_worst(result)
    share, low, high, skew = _share_of_first(result)
    wins = f"{share} of 100 won deals ({low} to {high})"
    equal = f"; an equal share is {short(100 / len(result.players))}" if len(result.players) > 2 else ""
    if handicap := result.rules.options.handicap:
        return f"With the handicap ({handicap}) player 1 wins {wins}{equal}."
    if skew == 0:
        return f"No seat advantage found: player 1 wins {wins}{equal}."
    if _is_beyond_chance(result):
        return f"Player 1 wins {wins}, although the players are equal, and chance hardly does that."
    chance = short(1 / (1 - result.confidence))
    return (
        f"Player 1 wins {wins}, although the players are equal. Chance alone does that in 1 of {chance} runs: "
        "another --seed shows whether it was."
    )


def _is_beyond_chance(result: Result) -> bool:
    """Whether player 1's advantage is more than four standard errors."""
    skew = result.estimates["win_skew"]
    assert skew.low is not None
    assert skew.high is not None
    errors = NormalDist().inv_cdf((1 + result.confidence) / 2)
    return abs(skew.estimate) > 4 * (skew.high - skew.low) / 2 / errors


def _share_of_first(result: Result) -> tuple[str, str, str, int]:
    """Player 1's share of a hundred won deals with its limits, and the sign of his advantage; 0 if none is clear."""
    skew, n = result.estimates["win_skew"], len(result.players)
    assert skew.low is not None
    assert skew.high is not None
    # His share less the mean of the others' is the skew, and all shares sum to 1.
    share, low, high = (share_text((1 + (n - 1) * value) / n, 1) for value in (skew.estimate, skew.low, skew.high))
    return share, low, high, 0 if skew.low <= 0 <= skew.high else 1 if skew.estimate > 0 else -1


def _two_compared(result: Result) -> str:
    share, low, high, sign = _share_of_first(result)
    one, two = result.players
    names = f"player 1 ({one.label})", f"player 2 ({two.label})"
    if not sign:
        wins = f"player 1 wins {share} of 100 won deals ({low} to {high})"
        return f"No difference found between {names[0]} and {names[1]}: {wins}."
    first, second = names if sign > 0 else reversed(names)
    if sign < 0:
        skew = result.estimates["win_skew"]
        assert skew.low is not None
        assert skew.high is not None
        share, low, high = (share_text((1 - value) / 2, 1) for value in (skew.estimate, skew.high, skew.low))
    return f"{first[0].upper()}{first[1:]} beats {second}: {share} of 100 won deals ({low} to {high})."


def _best_and_worst(result: Result) -> str:
    rates = [result.estimates[f"win_{seat}"] for seat in range(1, len(result.players) + 1)]
    best = max(range(len(rates)), key=lambda seat: rates[seat].estimate)
    worst = min(range(len(rates)), key=lambda seat: rates[seat].estimate)

    def said(seat: int) -> str:
        low, high = (share_text(limit or 0, 1) for limit in (rates[seat].low, rates[seat].high))
        return f"{share_text(rates[seat].estimate, 1)} of 100 deals ({low} to {high})"

    return (
        f"Player {best + 1} ({result.players[best].label}) wins most, {said(best)}; "
        f"player {worst + 1} ({result.players[worst].label}) least, {said(worst)}."
    )


def endings(result: Result, others: Iterable[tuple[float, str]]) -> str:
    """Say how deals end: with a winner, or as ``others`` say, shares with what they mean."""
    won = result.estimates["won"].estimate
    winner = f"{deals_that(won, 'have')} a winner" if won else "No deal has a winner"
    return "; ".join([winner, *(f"{in_deals(share)} {why}" for share, why in others if share)]) + "."


def deals_that(share: float, verb: str) -> str:
    """Say how many deals do something.

    >>> deals_that(0.941, "stall"), deals_that(0.0003, "have")
    ('94 of 100 deals stall', '1 in 3,333 deals has')
    """
    said = of_100(share)
    if said == one_in(share):
        return f"{said} deals {'has' if verb == 'have' else verb + 's'}"
    return f"{said[0].upper()}{said[1:]} deals {verb}"


def in_deals(share: float) -> str:
    """Say in how many deals something happens.

    >>> in_deals(0.26), in_deals(0.0003)
    ('in 26 of 100', 'once in 3,333 deals')
    """
    said = of_100(share)
    return said.replace("1 in", "once in") + " deals" if said == one_in(share) else f"in {said}"


def against(players: Sequence[Player]) -> str:
    """Name those who play, each with the values that he was given one by one.

    Examples
    --------
    >>> from stressim.players.resolve import resolve_players
    >>> from stressim.shedding.habits import SheddingHabits
    >>> against(resolve_players(["1.speed=1.1"], 2, SheddingHabits))
    'adult speed=1.1 against adult'
    >>> against(resolve_players(["all=senior"], 3, SheddingHabits))
    '3 players (senior)'
    """
    names = [player.label for player in players]
    if len(names) > 2 and len(set(names)) == 1:
        return f"{len(names)} players ({names[0]})"
    return " against ".join(names)


def all_alike(players: Iterable[Player]) -> bool:
    """Whether all players do everything alike, whatever they are called."""
    cosmetic = {"name", "presets", "changed"}
    first, *others = (player.model_dump(exclude=cosmetic) for player in players)
    return all(other == first for other in others)
