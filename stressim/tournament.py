"""Tournaments of named players: knock-out, winner stays, round robin (B49, B50, U41).

Two players meet in matches under the rules' match format; where that is a single deal, a deal without a winner is
played again. Each pair of players has deals of its own, so that matches of one tournament do not depend on one another,
and uses them in order.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from stressim.errors import InputError
from stressim.intervals import NO_INTERVAL, Interval, six_digits, wilson, z_value
from stressim.lowering import TimingMode, lower
from stressim.matches import Begun, Finished, play_on, results_of
from stressim.matchrules import MatchFormat, MatchRules, MatchStop, Scoring, match_rules
from stressim.options import Choice
from stressim.players.player import Player
from stressim.rulesfile import LoadedRules

MAX_ENTRANTS = 64
MAX_TOURNAMENTS = 10**7
_DEALS = 2_048  # played at a time for a pair
_PAIR = 1 << 40  # numbers of deals that a pair has for itself
_BLOCKS = 50  # of games of winner stays, each long enough to forget how it began
_LEAST_BLOCK = 20
_MOST_DEALS = 100_000  # after so many that decide nothing two players come to no end

Meet = Callable[[int, int], Finished]
"""Plays the next match of two players, the lower number first; its champion is 0 for the first of them, 1 for the
other."""


class TournamentFormat(Choice):
    """How a tournament goes."""

    KNOCKOUT = 0, "who loses is out, and winners meet until one is left (S2:68)"
    WINNER_STAYS = 1, "the winner meets the one who has waited longest (S2:69)"
    ROUND_ROBIN = 2, "everybody meets everybody; most won matches win, and equal ones share it"


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What a player comes to in many tournaments; numbers are rounded to six significant digits.

    Parameters
    ----------
    wins
        Share of tournaments won, a shared one in parts; of winner stays: share of the games won.
    low, high
        Its interval: Wilson's for a knock-out, normal for a round robin, and for winner stays from the means of fifty
        blocks of games; None where there are too few.
    played
        Mean number of matches in a tournament; of winner stays: share of the games in which he plays.
    match_wins
        Share of his matches that he wins.
    """

    wins: float
    low: float | None
    high: float | None
    played: float
    match_wins: float | None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What comes of many tournaments.

    Parameters
    ----------
    standings
        One for each player.
    tournaments
        How many were played; of winner stays, how many games.
    deals, length_s
        Mean number of deals and of seconds of a tournament; of winner stays, of a game.
    """

    standings: tuple[Standing, ...]
    tournaments: int
    deals: float
    length_s: float


def n_entrants(texts: Sequence[str], form: TournamentFormat) -> int:
    """Return how many enter: as many as the highest number that is named, and as many as the form takes at least.

    Examples
    --------
    >>> n_entrants(["1=expert", "6.speed=1.1"], TournamentFormat.ROUND_ROBIN), n_entrants([], TournamentFormat.KNOCKOUT)
    (6, 4)
    """
    least = {TournamentFormat.KNOCKOUT: 4, TournamentFormat.WINNER_STAYS: 3, TournamentFormat.ROUND_ROBIN: 3}[form]
    named = [int(match[1]) for text in texts if (match := re.match(r"\s*(\d{1,4})\s*[.=]", text))]
    return max([least, *named])


def standings(players: Sequence[Player], found: Outcome) -> list[dict[str, Any]]:
    """Return one record for each player: his number and name, and what he comes to."""
    return [
        {
            "player": number,
            "name": player.label,
            "wins": standing.wins,
            "low": standing.low,
            "high": standing.high,
            "played": standing.played,
            "match_wins": standing.match_wins,
        }
        for number, (player, standing) in enumerate(zip(players, found.standings, strict=True), 1)
    ]


def playing(rules: LoadedRules, players: Sequence[Player], timing: TimingMode | str, seed: int) -> Meet:
    """Return what plays matches of these players.

    Parameters
    ----------
    rules
        A game for two.
    players
        Those who enter.
    timing, seed
        As for a run.

    Raises
    ------
    InputError
        If the game is not for two; when playing, if deal after deal decides no match.
    """
    if rules.options.n_players != 2:
        raise InputError("a tournament is played by two at a table: set n_players=2")
    if rules.options.n_sides != 2:
        raise InputError("a tournament is played by two against each other: set team_size=1")
    match = match_rules(rules.options) or MatchRules(
        form=MatchFormat(n=1, first_to=True), stop=MatchStop.DECIDED, scoring=Scoring.NONE, n_players=2
    )
    family = rules.family
    pairs = list(combinations(range(len(players)), 2))
    lowered = {pair: lower(rules.options, [players[seat] for seat in pair], timing) for pair in pairs}
    next_deal = {pair: place * _PAIR for place, pair in enumerate(pairs)}
    begun = dict.fromkeys(pairs, Begun())
    ready: dict[tuple[int, int], deque[Finished]] = {pair: deque() for pair in pairs}

    def meet(one: int, other: int) -> Finished:
        pair = one, other
        while not ready[pair]:
            rows = np.zeros((_DEALS, len(family.columns)), np.int64)
            family.play_deals(lowered[pair], seed, next_deal[pair], rows)
            next_deal[pair] += _DEALS
            found, begun[pair] = play_on(match, begun[pair], results_of(family, match, rows))
            ready[pair].extend(found)
            if begun[pair].n_deals > _MOST_DEALS:
                raise InputError(
                    f"players {one + 1} and {other + 1} come to no end: {begun[pair].n_deals:,} deals decide no match"
                )
        return ready[pair].popleft()

    return meet


class _Book:
    """Who has played and won how many matches, and how long they were."""

    def __init__(self, meet: Meet, n_players: int) -> None:
        self._meet = meet
        self.played = [0] * n_players
        self.won = [0] * n_players
        self.deals = 0
        self.length = 0

    def winner(self, one: int, other: int) -> int:
        """Let two players meet; return who has won."""
        pair = min(one, other), max(one, other)
        match = self._meet(*pair)
        winner = pair[match.champion]
        for player in pair:
            self.played[player] += 1
        self.won[winner] += 1
        self.deals += match.deals
        self.length += match.length
        return winner


def play(
    form: TournamentFormat,
    meet: Meet,
    n_players: int,
    n_tournaments: int,
    *,
    draw_seed: int | None = None,
    confidence: float = 0.95,
    progress: Callable[[int], None] | None = None,
) -> Outcome:
    """Play many tournaments.

    Parameters
    ----------
    form
        How they go.
    meet
        Plays matches.
    n_players
        How many enter: two or more; a power of two for a knock-out, three or more for winner stays.
    n_tournaments
        How many tournaments; of winner stays, how many games one after the other.
    draw_seed
        Seed of the lots that are drawn for the places of a knock-out; None for places in the players' order.
    confidence
        Of the intervals.
    progress
        Called with the number of tournaments, or games, that have been played.

    Raises
    ------
    InputError
        If the numbers do not go together.
    """
    _check(form, n_players, n_tournaments)
    told = progress or (lambda _: None)
    z = z_value(confidence)
    book = _Book(meet, n_players)
    wins = np.zeros((n_tournaments, n_players))
    lots = None if draw_seed is None else np.random.Generator(np.random.PCG64(draw_seed))
    if form == TournamentFormat.WINNER_STAYS:
        waiting = deque(range(2, n_players))
        first, second = 0, 1
        for game in range(n_tournaments):
            winner = book.winner(first, second)
            wins[game, winner] = 1
            waiting.append(second if winner == first else first)
            first, second = winner, waiting.popleft()
            told(game + 1)
    else:
        for number in range(n_tournaments):
            if form == TournamentFormat.KNOCKOUT:
                places = list(range(n_players)) if lots is None else lots.permutation(n_players).tolist()
                wins[number, _knock_out(book, places)] = 1
            else:
                best = _round_robin(book, n_players)
                wins[number, best] = 1 / len(best)
            told(number + 1)
    standings = []
    for player in range(n_players):
        if form == TournamentFormat.KNOCKOUT:
            low, high = wilson(round(wins[:, player].sum()), n_tournaments, z)
        else:
            low, high = _normal(wins[:, player], z, 1 if form == TournamentFormat.ROUND_ROBIN else _BLOCKS)
        played = book.played[player]
        standings.append(
            Standing(
                wins=six_digits(wins[:, player].sum() / n_tournaments),
                low=None if low is None else six_digits(low),
                high=None if high is None else six_digits(high),
                played=six_digits(played / n_tournaments),
                match_wins=six_digits(book.won[player] / played) if played else None,
            )
        )
    return Outcome(
        standings=tuple(standings),
        tournaments=n_tournaments,
        deals=six_digits(book.deals / n_tournaments),
        length_s=six_digits(book.length / n_tournaments / 1e6),
    )


def _normal(wins: np.ndarray, z: float, n_blocks: int) -> Interval:
    """Return a normal interval; games that follow from one another are taken together in blocks first."""
    if n_blocks > 1:
        size = len(wins) // n_blocks
        if size < _LEAST_BLOCK:
            return NO_INTERVAL
        wins = wins[: n_blocks * size].reshape(n_blocks, size).mean(axis=1)
    if len(wins) < 2:
        return NO_INTERVAL
    error = float(wins.std(ddof=1)) / len(wins) ** 0.5
    mean = float(wins.mean())
    return Interval(max(0.0, mean - z * error), min(1.0, mean + z * error))


def _knock_out(book: _Book, places: list[int]) -> int:
    while len(places) > 1:
        places = [book.winner(one, other) for one, other in zip(places[::2], places[1::2], strict=True)]
    return places[0]


def _round_robin(book: _Book, n_players: int) -> list[int]:
    wins = [0] * n_players
    for one, other in combinations(range(n_players), 2):
        wins[book.winner(one, other)] += 1
    return [player for player in range(n_players) if wins[player] == max(wins)]


def _check(form: TournamentFormat, n_players: int, n_tournaments: int) -> None:
    least = 3 if form == TournamentFormat.WINNER_STAYS else 2
    if not least <= n_players <= MAX_ENTRANTS:
        raise InputError(f"{n_players} players enter: {form.word} takes from {least} to {MAX_ENTRANTS}")
    if form == TournamentFormat.KNOCKOUT and n_players & (n_players - 1):
        raise InputError(f"{n_players} players enter: a knock-out comes out even with 2, 4, 8, 16, 32 or 64")
    if not 1 <= n_tournaments <= MAX_TOURNAMENTS:
        raise InputError(
            f"tournaments = {n_tournaments} is not possible: it must be a whole number from 1 to {MAX_TOURNAMENTS}"
        )
