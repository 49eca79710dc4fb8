"""The stall atlas: every way in which a deal does not simply go on, how often, and one deal of each to look at.

What the columns of deals tell is counted in all of them. What only a log tells is counted in the first few thousand,
so that its interval is wider. The example is the shortest deal in which it happens, because that is easiest to follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from stressim.errors import InputError
from stressim.intervals import six_digits, wilson, z_value
from stressim.workbench.together import SHARD, check_run, count_deals, play_rows

if TYPE_CHECKING:
    from stressim.ways import Way
    from stressim.workbench.variants import Variant

MOST_LOGGED = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Example:
    """A deal in which it happens.

    Parameters
    ----------
    deal
        Its number.
    time
        When it first happens, in microseconds or moves; None if only the deal's columns have been looked at.
    """

    deal: int
    time: int | None = None


@dataclass(frozen=True, kw_only=True)
class Found:
    """How often one way is taken.

    Parameters
    ----------
    way
        Which.
    possible
        Whether the rules can lead to it.
    count, deals
        In how many deals of how many.
    share, low, high
        The share of deals and its interval, six digits each.
    example
        A deal in which it happens; None if it never did.
    """

    way: Way
    possible: bool
    count: int
    deals: int
    share: float
    low: float
    high: float
    example: Example | None


@dataclass(frozen=True, kw_only=True)
class Atlas:
    """All ways of a game.

    Parameters
    ----------
    variant
        What was played.
    seed
        Of the deals.
    deals, logged
        How many were counted by their columns, and how many by their logs.
    confidence
        Of the intervals.
    found
        One for each way, in the family's order.
    stopped
        Whether Ctrl-C ended it.
    """

    variant: Variant
    seed: int
    deals: int
    logged: int
    confidence: float = 0.95
    found: tuple[Found, ...]
    stopped: bool = False

    def replay(self, example: Example) -> str:
        """Return the command that shows an example."""
        line = self.variant.given.invocation(1, self.seed).line("replay", counts=False)
        return f"{line} --seed {self.seed} --deal {example.deal}"

    @property
    def records(self) -> list[dict[str, Any]]:
        """One record for each way."""
        interval = f"{100 * self.confidence:.6g} % interval"
        return [
            {
                "way": one.way.name,
                "title": one.way.title,
                "possible": one.possible,
                "share [of deals]": one.share if one.possible else None,
                f"low [of deals, {interval}]": one.low if one.possible else None,
                f"high [of deals, {interval}]": one.high if one.possible else None,
                "seen [deals]": one.count,
                "looked at [deals]": one.deals,
                "counted in": "columns" if one.way.columns is not None else "logs",
                "example [deal]": None if one.example is None else one.example.deal,
                "replay": "" if one.example is None else self.replay(one.example),
            }
            for one in self.found
        ]


@dataclass(frozen=True)
class _Seen:
    """By the name of a way: in how many deals, and the shortest of those (moves, number)."""

    n_deals: int
    counts: Mapping[str, int] = field(default_factory=dict)
    shortest: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def __add__(self, other: _Seen) -> _Seen:
        shortest = dict(self.shortest)
        for name, deal in other.shortest.items():
            shortest[name] = min(deal, shortest.get(name, deal))
        counts = {
            name: self.counts.get(name, 0) + other.counts.get(name, 0) for name in {**self.counts, **other.counts}
        }
        return _Seen(self.n_deals + other.n_deals, counts, shortest)


def make_atlas(
    variant: Variant,
    *,
    deals: int = 100_000,
    logged: int = 5_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
    progress: Callable[[int], None] | None = None,
) -> Atlas:
    """Count the ways of a game.

    Parameters
    ----------
    variant
        What is played.
    deals
        How many deals are counted by their columns.
    logged
        How many of them are counted by their logs, too, for what columns do not tell; all if there are fewer.
    seed, jobs, confidence
        As for ``simulate``.
    progress
        Called with the number of deals done, of both kinds together.

    Raises
    ------
    InputError
        If a number is out of range, or a deal is too long to be logged.
    """
    jobs = check_run(deals, seed, jobs)
    if not 1 <= logged <= MOST_LOGGED:
        raise InputError(f"logged = {logged} is not possible: it must be a whole number from 1 to {MOST_LOGGED:,}")
    logged = min(logged, deals)
    z = z_value(confidence)
    rules = variant.rules.options
    ways = variant.family.ways
    possible = [way for way in ways if way.possible(rules)]
    seen, stopped = _in_columns(variant, possible, deals, seed, jobs, progress)
    in_logs = _Seen(0)
    times: dict[tuple[str, int], int] = {}
    if not stopped:
        in_logs, times, stopped = _in_logs(variant, possible, logged, seed, progress, seen.n_deals)
    found = []
    for way in ways:
        where = seen if way.columns is not None else in_logs
        count = where.counts.get(way.name, 0)
        low, high = wilson(count, where.n_deals, z)
        example = None
        if way.name in where.shortest:
            deal = where.shortest[way.name][1]
            example = Example(deal=deal, time=times.get((way.name, deal)))
        found.append(
            Found(
                way=way,
                possible=way in possible,
                count=count,
                deals=where.n_deals,
                share=six_digits(count / where.n_deals) if where.n_deals else 0.0,
                low=six_digits(low or 0.0),
                high=six_digits(1.0 if high is None else high),
                example=example,
            )
        )
    return Atlas(
        variant=variant,
        seed=seed,
        deals=seen.n_deals,
        logged=in_logs.n_deals,
        confidence=confidence,
        found=tuple(found),
        stopped=stopped,
    )


def _in_columns(
    variant: Variant,
    ways: Sequence[Way],
    deals: int,
    seed: int,
    jobs: int,
    progress: Callable[[int], None] | None,
) -> tuple[_Seen, bool]:
    family, lowered = variant.family, variant.lowered
    names = [column.name for column in family.columns]
    moves = names.index("moves")

    def count(first: int, last: int) -> _Seen:
        rows = play_rows(family, lowered, seed, first, last)
        columns = dict(zip(names, rows.T, strict=True))
        counts, shortest = {}, {}
        for way in ways:
            if way.columns is None:
                continue
            deals_seen = np.flatnonzero(way.columns(columns))
            counts[way.name] = len(deals_seen)
            if len(deals_seen):
                best = deals_seen[np.argmin(rows[deals_seen, moves])]
                shortest[way.name] = int(rows[best, moves]), first + int(best)
        return _Seen(last - first, counts, shortest)

    def tell(so_far: _Seen) -> None:
        if progress is not None:
            progress(so_far.n_deals)

    return count_deals(count, deals, jobs, shard=SHARD, progress=tell)


def _in_logs(
    variant: Variant,
    ways: Sequence[Way],
    logged: int,
    seed: int,
    progress: Callable[[int], None] | None,
    done: int,
) -> tuple[_Seen, dict[tuple[str, int], int], bool]:
    """Count in logs; return as well when it first happened, by way and deal, and whether Ctrl-C ended it."""
    family, rules = variant.family, variant.rules.options
    moves = [column.name for column in family.columns].index("moves")
    looked_for = [(way.name, way.log) for way in ways if way.log is not None]
    counts: dict[str, int] = {}
    shortest: dict[str, tuple[int, int]] = {}
    times: dict[tuple[str, int], int] = {}
    n = 0
    try:
        if looked_for:
            for deal, log in enumerate(family.log_deals(variant.lowered, seed, 0, logged)):
                events = log.events.tolist()
                for name, seen in looked_for:
                    time = seen(rules, log.cards.tolist(), events)
                    if time is None:
                        continue
                    counts[name] = counts.get(name, 0) + 1
                    this = int(log.row[moves]), deal
                    if this < shortest.get(name, (this[0] + 1, 0)):
                        shortest[name] = this
                        times[name, deal] = time
                n = deal + 1
                if progress is not None and n % 100 == 0:
                    progress(done + n)
    except OverflowError as error:
        raise InputError(f"deal {n} is too long for its log: {error}; give fewer --logged deals") from None
    except KeyboardInterrupt:
        return _Seen(n, counts, shortest), times, True
    return _Seen(n, counts, shortest), times, False
