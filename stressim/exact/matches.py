"""Matches and tournaments of games that one player wins with a known probability, in rational arithmetic."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb

from stressim.matchrules import match_format

MATCH_FORMATS = ("single", "best_of(3)", "best_of(5)", "first_to(5)")
"""Match formats of the texts (S0:55, S2:48, S4:49)."""

EQUAL = Fraction(1, 2)


def wins_of(form: str) -> int | None:
    """Return how many wins a match of two asks for, None where equal ones play on.

    Examples
    --------
    >>> [wins_of(form) for form in (*MATCH_FORMATS, "best_of(4)")]
    [1, 2, 3, 5, None]
    """
    read = match_format(form)
    if read.first_to:
        return read.n
    return None if read.n % 2 == 0 else (read.n + 1) // 2


def match_win(wins: int, p: Fraction) -> Fraction:
    """Return the probability to be the first with this many wins, who wins each game with probability ``p``.

    Examples
    --------
    >>> match_win(2, Fraction(3, 5)), match_win(5, Fraction(3, 5))
    (Fraction(81, 125), Fraction(286497, 390625))
    """
    return sum((comb(wins - 1 + lost, lost) * p**wins * (1 - p) ** lost for lost in range(wins)), Fraction(0))


def match_games(wins: int, p: Fraction) -> Fraction:
    """Return the expected number of games until one of two players has this many wins.

    Examples
    --------
    >>> match_games(2, EQUAL), match_games(3, EQUAL)
    (Fraction(5, 2), Fraction(33, 8))
    """
    return sum(
        (
            (wins + lost) * comb(wins - 1 + lost, lost) * (p**wins * (1 - p) ** lost + (1 - p) ** wins * p**lost)
            for lost in range(wins)
        ),
        Fraction(0),
    )


def bradley_terry(strength: Fraction, other: Fraction) -> Fraction:
    """Return the probability that a player beats another: his share of both strengths.

    >>> bradley_terry(Fraction(3), Fraction(1))
    Fraction(3, 4)
    """
    return strength / (strength + other)


def knock_out(strengths: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return each player's probability to win a knock-out of four or any other power of two (S2:68).

    Parameters
    ----------
    strengths
        Bradley–Terry strengths in the order of seats: the first meets the second, the third the fourth.

    Examples
    --------
    >>> knock_out([Fraction(s) for s in (4, 3, 2, 1)])
    (Fraction(128, 315), Fraction(39, 140), Fraction(76, 315), Fraction(31, 420))
    """
    n = len(strengths)
    if n == 1:
        return (Fraction(1),)
    if n % 2:
        raise ValueError(f"a knock-out needs a power of two of players, not {n}")
    half = n // 2
    sides = strengths[:half], strengths[half:]
    reaching = knock_out(sides[0]), knock_out(sides[1])
    return tuple(
        reaching[side][place]
        * sum(
            chance * bradley_terry(strength, other)
            for chance, other in zip(reaching[1 - side], sides[1 - side], strict=True)
        )
        for side in (0, 1)
        for place, strength in enumerate(sides[side])
    )


def knock_out_drawn(strengths: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the same where seats are drawn by lot.

    Examples
    --------
    >>> knock_out_drawn([Fraction(s) for s in (4, 3, 2, 1)])[0]
    Fraction(2068, 4725)
    """
    orders = list(itertools.permutations(range(len(strengths))))
    total = [Fraction(0)] * len(strengths)
    for order in orders:
        for player, chance in zip(order, knock_out([strengths[player] for player in order]), strict=True):
            total[player] += chance / len(orders)
    return tuple(total)


def winner_stays(strengths: Sequence[Fraction]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return the long-run shares of games won and of games played when the winner meets who waited (S2:69).

    Parameters
    ----------
    strengths
        Bradley–Terry strengths of three players.

    Returns
    -------
    tuple
        For each player his share of all wins and the share of games in which he plays.

    Examples
    --------
    >>> winner_stays([Fraction(s) for s in (3, 2, 1)])[0]
    (Fraction(1, 2), Fraction(3, 4))
    """
    if len(strengths) != 3:
        raise ValueError(f"winner stays is played by three, not by {len(strengths)}")
    # The state is who waits. He comes in next, and who lost waits then.
    beats = {(i, j): bradley_terry(strengths[i], strengths[j]) for i in range(3) for j in range(3) if i != j}

    @cache
    def others(waiting: int) -> tuple[int, int]:
        first, second = (player for player in range(3) if player != waiting)
        return first, second

    waits = _stationary([[_waits_next(i, j, others(i), beats) for j in range(3)] for i in range(3)])
    found = []
    for player in range(3):
        wins = sum(
            waits[waiting] * beats[player, next(p for p in others(waiting) if p != player)]
            for waiting in range(3)
            if waiting != player
        )
        found.append((Fraction(wins), 1 - waits[player]))
    return tuple(found)


def _waits_next(
    waiting: int, following: int, playing: tuple[int, int], beats: dict[tuple[int, int], Fraction]
) -> Fraction:
    """Chance that ``following`` loses the game that is played while ``waiting`` waits, and so waits next."""
    if following == waiting:
        return Fraction(0)
    winner = next(player for player in playing if player != following)
    return beats[winner, following]


def _stationary(chances: list[list[Fraction]]) -> list[Fraction]:
    """Return the stationary law of three states: by the minors of the matrix (Markov chain tree theorem)."""
    n = len(chances)
    laplacian = [[(Fraction(1) if i == j else Fraction(0)) - chances[i][j] for j in range(n)] for i in range(n)]
    weights = []
    for state in range(n):
        a, b = (row for row in range(n) if row != state)
        weights.append(laplacian[a][a] * laplacian[b][b] - laplacian[a][b] * laplacian[b][a])
    return [weight / sum(weights) for weight in weights]
