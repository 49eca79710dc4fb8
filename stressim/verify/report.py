"""What a verification says: a line for each check, and what it comes to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from stressim._version import __version__
from stressim.intervals import six_digits
from stressim.output.text import Line
from stressim.verify.checks import Verdict


@dataclass(frozen=True, kw_only=True)
class Verification:
    """All checks of one run.

    Parameters
    ----------
    verdicts
        The checks and what became of them, in the order in which they were made.
    level
        Chance that anything fails although all is right.
    seed
        Of deals and draws.
    size
        ``quick``, ``full``, or the factor of the full one.
    """

    verdicts: tuple[Verdict, ...]
    level: float
    seed: int
    size: str

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """Checks that do not hold."""
        return tuple(verdict for verdict in self.verdicts if not verdict.passed)

    @property
    def z_values(self) -> list[float]:
        """Distances of all checks in which chance is involved, in standard errors."""
        return [verdict.check.z for verdict in self.verdicts if verdict.check.z is not None]


def line_of(verdict: Verdict) -> str:
    """Return the line of one check.

    Examples
    --------
    >>> from stressim.verify.checks import About, judge
    >>> line_of(judge([About("coins", "a penny").share("heads", 0.5, 52, 100)])[0])
    '   a penny: heads  value 0.5  estimate 0.52  z +0.40'
    """
    check = verdict.check
    distance = f"z {check.z:+.2f}" if check.z is not None else check.allowed
    mark = "  " if verdict.passed else "**"
    numbers = f"value {_number(check.value)}  estimate {_number(check.estimate)}"
    return f"{mark} {check.subject}: {check.name}  {numbers}  {distance}"


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e9 else f"{value:.6g}"


def render(verification: Verification, *, brief: bool = False) -> Iterator[Line]:
    """Say a verification, one line a check; ``brief`` leaves out those that hold."""
    told = [verdict for verdict in verification.verdicts if not (brief and verdict.passed)]
    for group, verdicts in groupby(told, key=lambda verdict: verdict.check.group):
        yield Line(group, "heading")
        for verdict in verdicts:
            yield Line(line_of(verdict), "row")
    if told:
        yield Line("")
    for text in summary(verification):
        yield Line(text)


def failing(n: int) -> str:
    """Say how many checks do not hold.

    Examples
    --------
    >>> failing(1), failing(2)
    ('1 does not hold', '2 do not hold')
    """
    return f"{n:,} does not hold" if n == 1 else f"{n:,} do not hold"


def summary(verification: Verification) -> list[str]:
    """Return what all comes to, in sentences."""
    z_values, n = verification.z_values, len(verification.verdicts)
    largest = max((abs(z) for z in z_values), default=0.0)
    said = [
        f"{n:,} checks, {len(z_values):,} of them by chance: the largest distance is {largest:.2f} standard errors.",
    ]
    if verification.failed:
        said.append(f"{failing(len(verification.failed))} (level {verification.level:g} for all together, Holm).")
    else:
        said.append(f"Every one holds (level {verification.level:g} for all together, Holm).")
    return said


def as_dict(verification: Verification) -> dict[str, Any]:
    """Return the JSON object."""
    return {
        "version": __version__,
        "seed": verification.seed,
        "size": verification.size,
        "level": verification.level,
        "failed": len(verification.failed),
        "checks": [_entry(verdict) for verdict in verification.verdicts],
    }


def _entry(verdict: Verdict) -> dict[str, Any]:
    check = verdict.check
    entry: dict[str, Any] = {
        "group": check.group,
        "subject": check.subject,
        "name": check.name,
        "value": six_digits(check.value),
        "estimate": six_digits(check.estimate),
        "n": check.n,
    }
    if check.z is None:
        return entry | {"allowed": check.allowed, "passed": verdict.passed}
    return entry | {
        "z": round(check.z, 3),
        "p": six_digits(check.p),
        "adjusted_p": six_digits(verdict.adjusted_p),
        "passed": verdict.passed,
    }


def to_json(verification: Verification) -> str:
    """Return the JSON object as text."""
    return json.dumps(as_dict(verification), indent=2, ensure_ascii=False) + "\n"
