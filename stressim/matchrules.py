"""How deals make a match: best of n, first to n, by wins or by points (B47, B48, A25)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stressim.metrics import Column, Mean, Metric, Rate
from stressim.options import Choice, GameRules, option

MOST_PLAYERS = 12

MOST = 99
"""Largest number of deals or wins in a match format."""

_FORM = re.compile(r"\s*(?:(single)|(best_of|first_to)\s*\(\s*(\d{1,4})\s*\))\s*")


class Scoring(Choice):
    """What a won deal counts in a match (B47, U37)."""

    NONE = 0, "one: deals are counted"
    LOSER_CARDS = 1, "as many points as the loser has cards left"


class MatchStop(Choice):
    """When a match of best_of(n) is over (U39)."""

    DECIDED = 0, "when nobody can overtake the first any more"
    ALL_DEALS = 1, "after n won deals, even if it is decided before"


@dataclass(frozen=True, kw_only=True)
class MatchFormat:
    """A match format.

    Parameters
    ----------
    n
        Of ``best_of(n)`` or ``first_to(n)``; 1 for a single deal.
    first_to
        Whether the first to reach ``n`` has won; otherwise who has most after ``n`` won deals.
    """

    n: int
    first_to: bool

    @property
    def is_single(self) -> bool:
        """Whether one deal is the match."""
        return self.n == 1


def match_format(text: str) -> MatchFormat:
    """Read a match format.

    Raises
    ------
    ValueError
        If there is no such format; the text says what is allowed.

    Examples
    --------
    >>> match_format("best_of(3)"), match_format("single").is_single
    (MatchFormat(n=3, first_to=False), True)
    """
    match = _FORM.fullmatch(text)
    n = int(match[3]) if match and match[3] else 1
    if match is None or not 1 <= n <= MOST:
        raise ValueError(
            f"match_format={text[:40]!r} must be single, best_of(n) or first_to(n) with n from 1 to {MOST}, "
            "such as best_of(3)"
        )
    return MatchFormat(n=n, first_to=match[2] == "first_to")


def match_option(*, source: str) -> Any:
    """Declare the option ``match_format``."""
    return option(
        "single", "how deals make a match: single, best_of(n) or first_to(n)", source=source, unit="", match=True
    )


def match_stop_option() -> Any:
    """Declare the option ``match_stop``."""
    return option(
        "decided", "when a match of best_of(n) is over", source="U39", match=True, needs="match_format!=single"
    )


@dataclass(frozen=True, kw_only=True)
class MatchRules:
    """How deals make a match.

    Parameters
    ----------
    form
        Best of, or first to, how many.
    stop
        When a match of best_of(n) is over.
    scoring
        What a won deal counts.
    n_players
        How many play.
    team_size
        Players of a team; one of each team sits after the other.
    """

    form: MatchFormat
    stop: MatchStop
    scoring: Scoring
    n_players: int
    team_size: int = 1

    @property
    def n_sides(self) -> int:
        """Players, or teams, that play against each other."""
        return self.n_players // self.team_size


def match_rules(options: GameRules) -> MatchRules | None:
    """Return how deals make a match under these rules, or None if each is for itself."""
    form = match_format(options.match_format)
    if form.is_single:
        return None
    return MatchRules(
        form=form,
        stop=getattr(options, "match_stop", MatchStop.DECIDED),
        scoring=getattr(options, "scoring", Scoring.NONE),
        n_players=options.n_players,
        team_size=options.n_players // options.n_sides,
    )


def match_sentences(options: GameRules) -> Iterator[str]:
    """Say how deals make a match, for the sheet on the table."""
    rules = match_rules(options)
    if rules is None:
        return
    counted = "points" if rules.scoring == Scoring.LOSER_CARDS else "won deals"
    if rules.scoring == Scoring.LOSER_CARDS:
        yield "Who wins a deal gets as many points as the loser has cards left."
    if rules.form.first_to:
        yield f"Who first has {rules.form.n} {counted} has won the match."
    else:
        decided = rules.stop == MatchStop.DECIDED and rules.scoring == Scoring.NONE
        yield (
            f"Who has most {counted} after {rules.form.n} won deals has won the match; equal ones play on. It is over "
            + ("as soon as nobody can overtake the first." if decided else "when all these deals have been played.")
        )
    yield "A deal that nobody wins is played again."


COLUMNS: tuple[Column, ...] = (
    *(
        Column(name=f"match_win_{player}", unit="flag", meaning=f"player {player} has won the match")
        for player in range(1, MOST_PLAYERS + 1)
    ),
    Column(name="match_deals", unit="deals", meaning="deals played in the match, those without a winner too"),
    Column(name="match_us", unit="us", meaning="time of all its deals", wide=True, bin_width=100_000),
)
"""What is counted of a match."""


def match_metrics(most_players: int) -> tuple[Metric, ...]:
    """Return the numbers that a family of so many players reports of its matches."""
    return (
        *(
            Rate(
                name=f"match_win_{player}",
                unit="of matches",
                meaning=f"Player {player} wins the match.",
                group="matches",
                of=f"match_win_{player}",
                needs_players=player,
                of_match=True,
            )
            for player in range(1, most_players + 1)
        ),
        Mean(
            name="match_deals",
            unit="deals per match",
            meaning="Deals played in a match; one without a winner is played again.",
            group="matches",
            of="match_deals",
            of_match=True,
        ),
        Mean(
            name="match_length_s",
            unit="s",
            meaning="Time of all deals of a match, without what lies between them.",
            group="matches",
            of="match_us",
            divisor=1_000_000,
            quantiles=True,
            clock=True,
            of_match=True,
        ),
    )
