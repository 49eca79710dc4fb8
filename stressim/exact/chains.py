"""Games of few positions solved whole: every position, every choice, absorption by a sparse linear solve.

A game is written as a procedure that plays on from a position to the next one and asks a :class:`Chance` whenever
something is drawn. The procedure is run once for every way that chance can fall (:func:`branches`), so the chain has
exactly the moves that the procedure makes; with another chance the same procedure plays one deal at random.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from stressim.exact.quantities import TooCostlyError

MOST_POSITIONS = 60_000
"""Positions of a game that is solved: a minute or two."""

_LEFT_OVER = 1e-8  # what the sum of all ends may lack of one by rounding

ENDLESS = "endless"
"""Where the game goes on for ever: positions from which no end can be reached."""


class Chance(Protocol):
    """What decides where the rules leave something to chance."""

    def pick(self, weights: Sequence[int]) -> int:
        """Return a place in ``weights``, each as likely as its weight says; weights are not negative."""
        ...


class _Scripted:
    """Chance that follows a script and then takes the first way there is."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.taken: list[tuple[int, list[int]]] = []  # choice made, and later ones that are left
        self.probability = 1.0

    def pick(self, weights: Sequence[int]) -> int:
        """Return the place that the script names, or the first possible one."""
        possible = [place for place, weight in enumerate(weights) if weight > 0]
        if len(possible) == 1:
            return possible[0]
        depth = len(self.taken)
        chosen = self.script[depth] if depth < len(self.script) else possible[0]
        self.taken.append((chosen, possible[possible.index(chosen) + 1 :]))
        self.probability *= weights[chosen] / sum(weights)
        return chosen

    def next_script(self) -> list[int] | None:
        """Return the script of the next way, None if there is none."""
        for depth in range(len(self.taken) - 1, -1, -1):
            if self.taken[depth][1]:
                return [choice for choice, _ in self.taken[:depth]] + [self.taken[depth][1][0]]
        return None


T = TypeVar("T")


def branches(procedure: Callable[[Chance], T]) -> Iterator[tuple[float, T]]:
    """Run a procedure for every way that chance can fall; pairs of a probability and what it returns.

    Examples
    --------
    >>> sorted(branches(lambda chance: chance.pick([1, 1]) + chance.pick([3, 0, 1])))
    [(0.125, 2), (0.125, 3), (0.375, 0), (0.375, 1)]
    """
    script: list[int] | None = []
    while script is not None:
        chance = _Scripted(script)
        result = procedure(chance)
        yield chance.probability, result
        script = chance.next_script()


StateT = TypeVar("StateT", bound=Hashable)


@dataclass(frozen=True)
class Step(Generic[StateT]):
    """What came of playing on from a position.

    Parameters
    ----------
    state
        The next position; None at the end.
    outcome
        How the game ended; empty while it goes on.
    counts
        What was counted on the way, or is expected of it.
    flags
        What happened on the way that is only told once of a game.
    """

    state: StateT | None
    outcome: str = ""
    counts: Mapping[str, float] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()


class Game(Protocol[StateT]):
    """A game that can be played on from any position."""

    def begin(self, chance: Chance) -> Step[StateT]:
        """Deal, and return the first position."""
        ...

    def play_on(self, state: StateT, chance: Chance) -> Step[StateT]:
        """Play on to the next position."""
        ...


@dataclass(frozen=True, kw_only=True)
class Solved:
    """A game solved whole.

    Parameters
    ----------
    outcomes
        Probability of each end, :data:`ENDLESS` among them where it is above zero.
    counts
        Expected number of what is counted; empty where the game may be endless.
    flags
        Probability that something happens at least once; empty where the game may be endless.
    n_positions
        Positions that can occur.
    """

    outcomes: dict[str, float]
    counts: dict[str, float]
    flags: dict[str, float]
    n_positions: int


def solve(game: Game[Any], *, most: int = MOST_POSITIONS) -> Solved:
    """Find every position of a game and solve for its ends and counts.

    Raises
    ------
    TooCostlyError
        If there are more than ``most`` positions.
    """
    chain = _explore(game, most)
    return chain.solve()


Solver = Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]


def _rounded(value: float) -> float:
    """Round off what a solve by floating numbers leaves: certain things are certain."""
    return round(float(value), 10)


@dataclass
class _Chain:
    """Transitions of all positions, the beginning as the last one."""

    size: int
    moves: dict[tuple[int, int], float]
    ends: dict[tuple[int, str], float]
    counts: dict[tuple[int, str], float]
    flagged: dict[tuple[int, str], float]  # probability that the next step raises a flag
    unflagged: dict[str, dict[tuple[int, int], float]]  # what is to be taken off the moves because it raises a flag

    def solve(self) -> Solved:
        """Solve for ends, counts and flags from the beginning."""
        places = np.full(self.size, -1)
        kept = np.flatnonzero(self._reaching_an_end())
        places[kept] = np.arange(len(kept))
        start = int(places[self.size - 1])
        n_positions = self.size - 1
        if start < 0:
            return Solved(outcomes={ENDLESS: 1.0}, counts={}, flags={}, n_positions=n_positions)
        visits = self._solver(places, {})

        def expected(numbers: Mapping[tuple[int, str], float], name: str, solver: Solver = visits) -> float:
            return _rounded(solver(self._vector(numbers, name, places))[start])

        outcomes = {name: expected(self.ends, name) for name in sorted({name for _, name in self.ends})}
        endless = _rounded(1.0 - sum(outcomes.values()))
        if endless > _LEFT_OVER:
            return Solved(outcomes={**outcomes, ENDLESS: endless}, counts={}, flags={}, n_positions=n_positions)
        counts = {name: expected(self.counts, name) for name in sorted({name for _, name in self.counts})}
        flags = {}
        for name in sorted({name for _, name in self.flagged}):
            taken_off = self.unflagged.get(name, {})
            flags[name] = expected(self.flagged, name, self._solver(places, taken_off) if taken_off else visits)
        return Solved(outcomes=outcomes, counts=counts, flags=flags, n_positions=n_positions)

    def _vector(
        self, numbers: Mapping[tuple[int, str], float], name: str, places: npt.NDArray[Any]
    ) -> npt.NDArray[Any]:
        found = np.zeros(int(places.max()) + 1)
        for (state, other), value in numbers.items():
            if other == name and places[state] >= 0:
                found[places[state]] += value
        return found

    def _solver(self, places: npt.NDArray[Any], taken_off: Mapping[tuple[int, int], float]) -> Solver:
        """Return what solves ``(I - P) x = b`` for the moves less those taken off."""
        from scipy import sparse
        from scipy.sparse import linalg

        n = int(places.max()) + 1
        entries = [
            (places[i], places[j], -(value - taken_off.get((i, j), 0.0)))
            for (i, j), value in self.moves.items()
            if places[i] >= 0 and places[j] >= 0
        ]
        rows, columns, values = (np.array(part) for part in zip(*entries, strict=True)) if entries else ([], [], [])
        matrix = sparse.csc_matrix((values, (rows, columns)), shape=(n, n)) + sparse.identity(n, format="csc")
        factors = linalg.splu(matrix.tocsc())
        found: Solver = factors.solve
        return found

    def _reaching_an_end(self) -> npt.NDArray[np.bool_]:
        before: dict[int, list[int]] = {}
        for i, j in self.moves:
            before.setdefault(j, []).append(i)
        found = np.zeros(self.size, bool)
        waiting = deque({state for state, _ in self.ends})
        found[list(waiting)] = True
        while waiting:
            for state in before.get(waiting.popleft(), ()):
                if not found[state]:
                    found[state] = True
                    waiting.append(state)
        return found


def _explore(game: Game[Any], most: int) -> _Chain:
    numbers: dict[Hashable, int] = {}
    waiting: deque[Any] = deque()
    moves: defaultdict[tuple[int, int], float] = defaultdict(float)
    ends: defaultdict[tuple[int, str], float] = defaultdict(float)
    counts: defaultdict[tuple[int, str], float] = defaultdict(float)
    flagged: defaultdict[tuple[int, str], float] = defaultdict(float)
    unflagged: dict[str, defaultdict[tuple[int, int], float]] = {}

    def number_of(state: Hashable) -> int:
        if state not in numbers:
            if len(numbers) == most:
                raise TooCostlyError(f"the game has more than {most:,} positions")
            numbers[state] = len(numbers)
            waiting.append(state)
        return numbers[state]

    def note(place: int, found: Iterator[tuple[float, Step[Any]]]) -> None:
        for chance, step in found:
            for name, value in step.counts.items():
                counts[place, name] += chance * value
            for name in step.flags:
                flagged[place, name] += chance
            if step.state is None:
                ends[place, step.outcome] += chance
                continue
            after = number_of(step.state)
            moves[place, after] += chance
            for name in step.flags:
                unflagged.setdefault(name, defaultdict(float))[place, after] += chance

    first = -1
    note(first, branches(game.begin))
    while waiting:
        state = waiting.popleft()
        note(numbers[state], branches(lambda chance, state=state: game.play_on(state, chance)))  # type: ignore[misc]
    last = len(numbers)

    def moved(table: Mapping[tuple[int, Any], float]) -> dict[tuple[int, Any], float]:
        return {(last if place == first else place, other): value for (place, other), value in table.items()}

    return _Chain(
        size=last + 1,
        moves=moved(moves),
        ends=moved(ends),
        counts=moved(counts),
        flagged=moved(flagged),
        unflagged={name: moved(table) for name, table in unflagged.items()},
    )
