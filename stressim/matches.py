"""Matches made of the deals of a run: one after the other, in the order of the deals' numbers.

A deal without a winner counts for nobody and is played again: it makes a match longer and decides nothing. As deals do
not depend on one another, neither do matches. The last match of a run is seldom finished and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from stressim.family import Family
from stressim.matchrules import COLUMNS, MatchRules, MatchStop, Scoring
from stressim.metrics import Column, Metric
from stressim.tally import Tally

NOBODY = -1


@dataclass(frozen=True, kw_only=True)
class Book:
    """What is counted of matches; to the tally it is what a family is for deals."""

    name: str = "matches"
    columns: tuple[Column, ...] = COLUMNS
    metrics: tuple[Metric, ...] = ()


BOOK = Book()


@dataclass(frozen=True, kw_only=True, eq=False)
class Results:
    """What matches need of deals, in the order of the deals' numbers.

    Parameters
    ----------
    winners
        Seat of each deal's winner from 0 on, or -1; int64, shape ``(deals,)``.
    points
        What the deal is worth.
    lengths
        Microseconds, or 0 without a clock.
    """

    winners: NDArray[np.int64]
    points: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @classmethod
    def joined(cls, parts: Sequence[Results]) -> Results:
        """Return the results of deals that follow one another."""
        return cls(
            winners=np.concatenate([part.winners for part in parts]),
            points=np.concatenate([part.points for part in parts]),
            lengths=np.concatenate([part.lengths for part in parts]),
        )


def results_of(family: Family, rules: MatchRules, rows: NDArray[np.int64]) -> Results:
    """Read off rows of deals what matches need."""
    place = {column.name: index for index, column in enumerate(family.columns)}
    winners = np.full(len(rows), NOBODY, np.int64)
    for seat in range(rules.n_players):
        winners[rows[:, place[f"win_{seat + 1}"]] == 1] = seat
    points = np.ones(len(rows), np.int64)
    if rules.scoring == Scoring.LOSER_CARDS:
        points = rows[:, place["loser_cards"]].copy()
    return Results(winners=winners, points=points, lengths=rows[:, place["length_us"]].copy())


@dataclass(frozen=True, kw_only=True, eq=False)
class Matches:
    """The matches of the deals so far.

    Parameters
    ----------
    rules
        How deals make a match.
    tally
        The finished ones.
    score
        Points of each player in the match that has begun.
    n_won, n_deals, length
        Its won deals, all its deals and their time.
    """

    rules: MatchRules
    tally: Tally = field(default_factory=lambda: Tally.empty(BOOK))
    score: tuple[int, ...] = ()
    n_won: int = 0
    n_deals: int = 0
    length: int = 0

    def after(self, results: Results) -> Matches:
        """Return the matches after further deals, which must be those that follow."""
        rules = self.rules
        score = list(self.score) or [0] * rules.n_players
        n_won, n_deals, length = self.n_won, self.n_deals, self.length
        found: list[tuple[int, int, int]] = []
        for winner, points, time in zip(
            results.winners.tolist(), results.points.tolist(), results.lengths.tolist(), strict=True
        ):
            n_deals += 1
            length += time
            if winner == NOBODY:
                continue
            score[winner] += points
            n_won += 1
            champion = _champion(rules, score, n_won, winner)
            if champion != NOBODY:
                found.append((champion, n_deals, length))
                score, n_won, n_deals, length = [0] * rules.n_players, 0, 0, 0
        rows = np.zeros((len(found), len(COLUMNS)), np.int64)
        for row, (champion, deals, time) in zip(rows, found, strict=True):
            row[champion] = 1
            row[-2:] = deals, time
        return replace(
            self,
            tally=self.tally + Tally.of_rows(BOOK, rows),
            score=tuple(score),
            n_won=n_won,
            n_deals=n_deals,
            length=length,
        )


def _champion(rules: MatchRules, score: list[int], n_won: int, winner: int) -> int:
    """Who has won the match after this deal, or -1.

    Only the winner of the latest deal can just have come to ``n``; who has most after ``n`` won deals may be another
    one where points are counted. Equal ones play on until somebody is ahead (A-U11).
    """
    form = rules.form
    if form.first_to:
        return winner if score[winner] >= form.n else NOBODY
    best = max(score)
    leader = score.index(best)
    if n_won >= form.n:
        return leader if score.count(best) == 1 else NOBODY
    decided = rules.scoring == Scoring.NONE and rules.stop == MatchStop.DECIDED
    second = max(points for player, points in enumerate(score) if player != leader) if len(score) > 1 else 0
    return leader if decided and best > second + form.n - n_won else NOBODY


def begun(matches: Matches) -> dict[str, object]:
    """Return the match that has begun as numbers and lists; its tally is kept apart."""
    return {
        "score": list(matches.score),
        "n_won": matches.n_won,
        "n_deals": matches.n_deals,
        "length": matches.length,
    }
