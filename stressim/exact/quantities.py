"""One number that is known exactly, or the reason why it is left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

MOST_STATES = 100_000
"""States that a recursion may visit: a few seconds. A limit of work, so that the answer of given rules does not hang on
the computer."""


class TooCostlyError(Exception):
    """A number needs more work than is spent on it; the text says how much that would be."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A number that the rules alone decide.

    Parameters
    ----------
    name
        Name in JSON and CSV.
    group
        Heading in the text.
    meaning
        One sentence.
    unit
        ``of deals`` for a probability, otherwise what is counted.
    value
        The number; a fraction where it was counted, a float where it was integrated, None where it is left out.
    reason
        Why it is left out; empty otherwise.
    accuracy
        Bound of the error of an integral; 0 for a fraction.
    column
        The kernel's column of which this is the mean over deals; empty if there is none.

    Examples
    --------
    >>> Quantity(name="a", group="g", meaning="An example.", unit="of deals", value=Fraction(1, 17)).decimal
    '0.05882352941'
    """

    name: str
    group: str
    meaning: str
    unit: str
    value: Fraction | float | None
    reason: str = ""
    accuracy: float = 0.0
    column: str = ""

    @property
    def fraction(self) -> str:
        """The value as a fraction of whole numbers; empty where it is none."""
        return str(self.value) if isinstance(self.value, Fraction) else ""

    @property
    def decimal(self) -> str:
        """The value to ten significant digits, of an integral to those that its accuracy allows."""
        if self.value is None:
            return ""
        if not self.accuracy:
            return f"{float(self.value):.10g}"
        return f"{float(self.value):.{min(8, int(-math.log10(self.accuracy)))}f}"


@dataclass
class Work:
    """Counts the states that a recursion visits.

    Examples
    --------
    >>> work = Work(most=1)
    >>> work.step()
    >>> work.step()
    Traceback (most recent call last):
    stressim.exact.quantities.TooCostlyError: more than 1 positions would have to be counted
    """

    most: int = MOST_STATES
    done: int = field(default=0)

    def step(self) -> None:
        """Count one more.

        Raises
        ------
        TooCostlyError
            If that is too many.
        """
        self.done += 1
        if self.done > self.most:
            raise TooCostlyError(f"more than {self.most:,} positions would have to be counted")


class Collector:
    """Gathers quantities and turns what cannot be counted into a reason.

    Parameters
    ----------
    group
        Heading of what is added next.
    """

    def __init__(self, group: str = "") -> None:
        self.group = group
        self.found: list[Quantity] = []

    def add(
        self,
        name: str,
        meaning: str,
        unit: str,
        value: Callable[[], Fraction | int] | Fraction | int,
        *,
        column: str = "",
    ) -> None:
        """Add a number, or what computes it."""
        reason = ""
        found: Fraction | None = None
        try:
            found = Fraction(value() if callable(value) else value)
        except TooCostlyError as error:
            reason = str(error)
        self._keep(name, meaning, unit, found, reason, column)

    def leave_out(self, name: str, meaning: str, unit: str, reason: str, *, column: str = "") -> None:
        """Say why a number is left out."""
        self._keep(name, meaning, unit, None, reason, column)

    def _keep(self, name: str, meaning: str, unit: str, value: Fraction | None, reason: str, column: str) -> None:
        self.found.append(
            Quantity(name=name, group=self.group, meaning=meaning, unit=unit, value=value, reason=reason, column=column)
        )

    @contextmanager
    def under(self, group: str) -> Iterator[None]:
        """Add what follows under another heading."""
        before, self.group = self.group, group
        yield
        self.group = before
