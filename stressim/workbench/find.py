"""Find the most extreme deals of a run."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError
from stressim.intervals import six_digits
from stressim.metrics import Metric, Rate
from stressim.workbench.compare import known_metrics
from stressim.workbench.pairs import parts_of_rows, scale_of
from stressim.workbench.together import SHARD, check_run, count_deals, play_rows

if TYPE_CHECKING:
    import pandas as pd

    from stressim.workbench.variants import Variant

MOST_FOUND = 1000


@dataclass(frozen=True, kw_only=True)
class FoundDeal:
    """One deal.

    Parameters
    ----------
    deal
        Its number.
    value
        Its value of the metric.
    ending
        The outcome, and the winner's number.
    length
        Seconds, or moves without a clock.
    """

    deal: int
    value: float
    ending: str
    length: float


@dataclass(frozen=True, kw_only=True, repr=False)
class Found:
    """The most extreme deals of a run.

    Parameters
    ----------
    variant
        What was played.
    metric
        By which number.
    most
        Whether its largest values were looked for; otherwise the smallest.
    top, asked
        How many were asked for, of how many deals.
    deals, seed
        Among which deals.
    found
        The deals, the most extreme first; of equal ones the earlier first. Of a metric that is yes or no in a deal, the
        first that have it, or that lack it.
    n_having
        Of such a metric, how many deals have it; otherwise None.
    stopped
        Whether Ctrl-C ended it.
    """

    variant: Variant
    metric: Metric
    most: bool
    top: int
    asked: int
    deals: int
    seed: int
    found: tuple[FoundDeal, ...]
    n_having: int | None = None
    stopped: bool = False

    def __repr__(self) -> str:
        """Say what was looked for: all that was played would fill a page of a notebook."""
        which = "most" if self.most else "least"
        return (
            f"<{self.variant.rules.heading}: {len(self.found)} deals with {which} {self.metric.name} of "
            f"{self.deals:,}, {self.variant.timing.word} timing, seed {self.seed}>"
        )

    @property
    def again(self) -> str:
        """The command that finds them again."""
        words = f"--{'most' if self.most else 'least'} {self.metric.name} --top {self.top}"
        head, deals, rest = self.variant.given.invocation(self.asked, self.seed).line("find").partition(" --deals ")
        return f"{head} {words}{deals}{rest}"

    def replay(self, deal: FoundDeal) -> str:
        """Return the command that shows a deal."""
        line = self.variant.given.invocation(1, self.seed).line("replay", counts=False)
        return f"{line} --seed {self.seed} --deal {deal.deal}"

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """One record for each deal."""
        clock = self.variant.timing.word != "uniform"
        return [
            {
                "deal": one.deal,
                f"{self.metric.name} [{self.metric.unit}]": one.value,
                "ending": one.ending,
                "length [s]" if clock else "length [moves]": one.length,
                "replay": self.replay(one),
            }
            for one in self.found
        ]

    @property
    def frame(self) -> pd.DataFrame:
        """The records as a pandas table."""
        import pandas as pd

        return pd.DataFrame.from_records(self.records)


def find_deals(
    variant: Variant,
    metric: str,
    *,
    most: bool = True,
    top: int = 5,
    deals: int = 100_000,
    seed: int = 1,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Found:
    """Play deals and keep those with the largest or smallest values of a metric.

    Parameters
    ----------
    variant
        What is played.
    metric
        Name of the number; a deal in which it has nothing to rest on, such as ``dead_time`` without a winner, does
        not count.
    most
        Whether the largest values are wanted; otherwise the smallest.
    top
        How many deals to keep.
    deals, seed, jobs
        As for ``simulate``.
    progress
        Called with the number of deals looked at.

    Raises
    ------
    InputError
        If the metric is unknown or a number out of range.
    """
    jobs = check_run(deals, seed, jobs)
    if not 1 <= top <= MOST_FOUND:
        raise InputError(f"top = {top} is not possible: it must be a whole number from 1 to {MOST_FOUND}")
    option = "--most" if most else "--least"
    wanted = known_metrics([variant], [metric], option)[0]
    family, lowered, seats = variant.family, variant.lowered, len(variant.players)
    names = [column.name for column in family.columns]
    outcomes = [
        (names.index(one.of), one.name)
        for one in family.metrics
        if isinstance(one, Rate) and not one.among and (one.group == "outcomes")
    ]
    length, scale = (
        (names.index("moves"), 1) if variant.timing.word == "uniform" else (names.index("length_us"), 1_000_000)
    )

    def count(first: int, last: int) -> _Best:
        rows = play_rows(family, lowered, seed, first, last)
        part = parts_of_rows(family, [wanted], rows, seats)[wanted.name]
        by = scale_of(wanted, seats)
        sign = -1 if most else 1
        values = []
        for place in range(last - first):
            under = 1 if part.v is None else int(part.v[place])
            if under:
                values.append((sign * int(part.u[place]) / under / by, first + place))
        n_having = 0
        if isinstance(wanted, Rate):
            n_having = sum(key != 0 for key, _ in values)
            # There is nothing to rank: those that have it, or lack it, as they come.
            values = [one for one in values if (one[0] != 0) == most]
        kept = []
        for key, deal in heapq.nsmallest(top, values):
            row = rows[deal - first]
            ending = next((name for at, name in outcomes if row[at]), "")
            winner = next((seat for seat in range(1, seats + 1) if row[names.index(f"win_{seat}")]), 0)
            said = f"{ending} by player {winner}" if winner else ending
            kept.append((key, deal, said, six_digits(int(row[length]) / scale)))
        return _Best(last - first, top, tuple(kept), n_having)

    best, stopped = count_deals(
        count,
        deals,
        jobs,
        shard=SHARD,
        progress=None if progress is None else lambda so_far: progress(so_far.n_deals),
    )
    return Found(
        variant=variant,
        metric=wanted,
        most=most,
        top=top,
        asked=deals,
        deals=best.n_deals,
        n_having=best.n_having if isinstance(wanted, Rate) else None,
        seed=seed,
        found=tuple(
            FoundDeal(deal=deal, value=six_digits(-key if most else key), ending=ending, length=lasted)
            for key, deal, ending, lasted in best.kept
        ),
        stopped=stopped,
    )


@dataclass(frozen=True)
class _Best:
    n_deals: int
    top: int
    kept: tuple[tuple[float, int, str, float], ...]
    n_having: int

    def __add__(self, other: _Best) -> _Best:
        both = heapq.nsmallest(self.top, [*self.kept, *other.kept])
        return _Best(self.n_deals + other.n_deals, self.top, tuple(both), self.n_having + other.n_having)
