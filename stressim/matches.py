"""Matches made of the deals of a run: one after the other, in the order of the deals' numbers.

A deal without a winner counts for nobody and is played again: it makes a match longer and decides nothing. As deals do
not depend on one another, neither do matches. The last match of a run is seldom finished and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

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
        Seat of each deal's winner from 0 on, of partners the first, or -1; int64, shape ``(deals,)``.
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
    for seat in range(rules.n_sides):
        winners[rows[:, place[f"win_{seat + 1}"]] == 1] = seat
    points = np.ones(len(rows), np.int64)
    if rules.scoring == Scoring.LOSER_CARDS:
        points = rows[:, place["loser_cards"]].copy()
    return Results(winners=winners, points=points, lengths=rows[:, place["length_us"]].copy())


@dataclass(frozen=True, kw_only=True)
class Begun:
    """A match that is not finished.

    Parameters
    ----------
    score
        Points of each player; empty before the first deal.
    n_won, n_deals, length
        Won deals, all deals and their time.
    """

    score: tuple[int, ...] = ()
    n_won: int = 0
    n_deals: int = 0
    length: int = 0


class Finished(NamedTuple):
    """A match: the seat of who has won it, its deals and their time."""

    champion: int
    deals: int
    length: int


def play_on(rules: MatchRules, begun: Begun, results: Results) -> tuple[list[Finished], Begun]:
    """Return the matches that these deals finish, and the one that they begin."""
    score = list(begun.score) or [0] * rules.n_players
    n_won, n_deals, length = begun.n_won, begun.n_deals, begun.length
    found = []
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
            found.append(Finished(champion, n_deals, length))
            score, n_won, n_deals, length = [0] * rules.n_players, 0, 0, 0
    return found, Begun(score=tuple(score), n_won=n_won, n_deals=n_deals, length=length)


@dataclass(frozen=True, kw_only=True, eq=False)
class Matches:
    """The matches of the deals so far.

    Parameters
    ----------
    rules
        How deals make a match.
    tally
        The finished ones.
    begun
        The one that is not.
    """

    rules: MatchRules
    tally: Tally = field(default_factory=lambda: Tally.empty(BOOK))
    begun: Begun = Begun()

    def after(self, results: Results) -> Matches:
        """Return the matches after further deals, which must be those that follow."""
        found, begun = play_on(self.rules, self.begun, results)
        rows = np.zeros((len(found), len(COLUMNS)), np.int64)
        for row, match in zip(rows, found, strict=True):
            row[match.champion : self.rules.n_players : self.rules.n_sides] = 1
            row[-2:] = match.deals, match.length
        return replace(self, tally=self.tally + Tally.of_rows(BOOK, rows), begun=begun)


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
