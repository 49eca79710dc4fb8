"""What a run reports: columns (one integer per deal) and metrics (numbers estimated from them).

A family declares both once, in its ``columns.py``. Tally, estimates, tables, plots, ``--assert``, ``stressim metrics``
and the JSON output read those declarations; no metric is named a second time.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Column:
    """One integer that a kernel writes for every deal.

    Parameters
    ----------
    name
        Name in the row of a deal.
    unit
        ``flag`` (0 or 1), ``us``, ``ppm`` (parts per million), ``cards`` …
    meaning
        One sentence.
    wide
        True for times and other large values: the tally keeps exact sums, and counts in bins of ``bin_width`` when
        that is set, instead of counts per value.
    bin_width
        Width of a bin in the column's unit; 0 keeps sums only.
    """

    name: str
    unit: str
    meaning: str
    wide: bool = False
    bin_width: int = 0


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A number estimated from columns. Use one of the subclasses.

    Parameters
    ----------
    name
        The name users see; a contract.
    unit
        Unit of the printed number.
    meaning
        One sentence.
    group
        Heading in tables: ``outcomes``, ``winning``, ``length``, ``stalls``, ``flow``, ``stress`` …
    clock
        True if the metric needs a clock; absent under uniform timing.
    needs_players
        Absent with fewer players than this.
    of_match
        True if it is counted for each match instead of each deal; absent without a match format.
    """

    name: str
    unit: str
    meaning: str
    group: str
    clock: bool = False
    needs_players: int = 0
    of_match: bool = False


@dataclass(frozen=True, kw_only=True)
class Rate(Metric):
    """Share of deals in which flag ``of`` is set, among those in which flag ``among`` is set (all if empty).

    Absent when no deal is among them.
    """

    of: str
    among: str = ""


@dataclass(frozen=True, kw_only=True)
class Mean(Metric):
    """Mean over deals of column ``of`` divided by ``divisor``; with sd and quantiles if ``quantiles``."""

    of: str
    divisor: int = 1
    quantiles: bool = False


@dataclass(frozen=True, kw_only=True)
class Ratio(Metric):
    """Sum of column ``of`` over sum of column ``per``, divided by ``divisor``; absent when the latter is 0.

    With a flag as ``per`` this is the mean over the flagged deals (``of`` is 0 in the others).
    """

    of: str
    per: str
    divisor: int = 1


@dataclass(frozen=True, kw_only=True)
class Skew(Metric):
    """Share of ``among`` deals with flag ``of`` set minus the mean share of the flags ``others``.

    Of ``others`` there are as many as a game of the family can have beside the first player; those of seats at which
    nobody plays are left out. Absent when no deal is among them. Its interval follows from the Wilson interval of the
    share of ``of``, stretched for more than two players.
    """

    of: str
    others: tuple[str, ...] = field(default=())
    among: str = "won"
