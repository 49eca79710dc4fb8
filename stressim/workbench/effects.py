"""Which single change of the rules moves a number most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stressim._version import __version__
from stressim.errors import InputError
from stressim.estimates import is_known
from stressim.intervals import z_value
from stressim.metrics import Metric
from stressim.simulate import behaviour_of
from stressim.workbench.changes import Changes, all_changes
from stressim.workbench.compare import known_metrics
from stressim.workbench.differences import Difference, Look, difference, judged
from stressim.workbench.pairs import PairedSums
from stressim.workbench.significance import holm
from stressim.workbench.together import check_run, count_deals, play_rows

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from stressim.workbench.limits import ChangeClaim, Size
    from stressim.workbench.variants import Variant

BESIDE = ("length_s", "moves", "won", "stalls")
"""Metrics that are kept beside the one that changes are ranked by; ``moves`` where there is no clock."""

_SHARD = 2048  # as many variants play each shard, so that Ctrl-C and progress do not wait


@dataclass(frozen=True, kw_only=True)
class Effect:
    """What one change does.

    Parameters
    ----------
    change
        As it is written: ``ace=low``.
    variant
        What it makes.
    differences
        By metric; that of the ranked one is corrected for all changes tried.
    kept
        Whether every limit that was to be kept is kept.
    """

    change: str
    variant: Variant = field(repr=False)
    differences: dict[str, Difference]
    kept: bool


@dataclass(frozen=True, kw_only=True)
class Effects:
    """What every single change of rules does to one number.

    Parameters
    ----------
    base
        The rules as they are.
    on
        The number by which changes are ranked.
    deals, seed, look
        How it was played and looked at.
    changes
        What was tried.
    keep
        Changes of other numbers that are allowed.
    metrics
        Those that were kept count of.
    sums
        Of pairs, by change.
    stopped
        Whether Ctrl-C ended it.
    """

    base: Variant
    on: Metric
    deals: int
    seed: int
    look: Look
    changes: Changes = field(repr=False)
    keep: tuple[Size | ChangeClaim, ...] = ()
    metrics: tuple[Metric, ...]
    sums: dict[str, PairedSums] = field(repr=False)
    stopped: bool = False

    def __repr__(self) -> str:
        """Say what was tried: all that was counted would fill pages of a notebook."""
        return (
            f"<{len(self.changes.playable)} changes of {self.base.rules.heading} ranked by {self.on.name}: "
            f"{self.deals:,} deals each, seed {self.seed}>"
        )

    @cached_property
    def all(self) -> tuple[Effect, ...]:
        """Every change that could be played, from the one with the fewest to the one with the most."""
        found = []
        for change, variant in self.changes.playable.items():
            sums = self.sums[change]
            seats = len(self.base.players), len(variant.players)
            by_metric = {}
            for metric in self.metrics:
                name = metric.name
                if is_known(metric, clock=True, n_players=min(seats)):
                    three = sums.own[0][name], sums.own[1][name], sums.cross[0][name]
                    one = difference(metric, three, sums.n_deals, seats, self.look)
                    if one is not None:
                        by_metric[name] = one
            found.append((change, variant, by_metric))
        of_all = [by_metric.get(self.on.name) for _, _, by_metric in found]
        corrected = holm([None if one is None else one.p for one in of_all])
        effects = []
        for (change, variant, by_metric), one, p in zip(found, of_all, corrected, strict=True):
            if one is not None:
                said = {name: judged(other, other.p, self.look) for name, other in by_metric.items()}
                said[self.on.name] = judged(replace(one, corrected_p=p), p, self.look)
                effects.append(Effect(change=change, variant=variant, differences=said, kept=self._keeps(said)))
        return tuple(sorted(effects, key=lambda effect: effect.differences[self.on.name].difference))

    def _keeps(self, differences: dict[str, Difference]) -> bool:
        return all(keeps(limit, differences) for limit in self.keep)

    @property
    def ranked(self) -> tuple[Effect, ...]:
        """Changes that make a difference and keep what is to be kept."""
        return tuple(
            effect
            for effect in self.all
            if effect.kept and effect.differences[self.on.name].verdict in ("more", "fewer")
        )

    @property
    def frame(self) -> pd.DataFrame:
        """All effects as a pandas table, one row for each change and metric."""
        import pandas as pd

        from stressim.workbench.effects_telling import records

        return pd.DataFrame.from_records(records(self))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a tornado: the largest effects in either direction, on axes of yours or on new ones."""
        from stressim.report.forest import draw_bars, on_axes
        from stressim.report.tornado import tornado_bars

        bars, axis = tornado_bars(self)
        return on_axes(lambda axes: draw_bars(axes, bars, axis), ax)

    @property
    def manifest(self) -> dict[str, Any]:
        """What was played, in plain values."""
        from stressim.players.resolve import describe_player

        return {
            "rules": self.base.rules.options.model_dump(mode="json"),
            "rules_hash": self.base.rules.rules_hash,
            "players": [describe_player(player) for player in self.base.players],
            "timing": self.base.timing.word,
            "seed": self.seed,
            "deals": self.deals,
            "behaviour": behaviour_of(self.base.family),
            "version": __version__,
        }


def keeps(limit: Size | ChangeClaim, differences: dict[str, Difference]) -> bool:
    """Whether a change keeps a limit: a size in either direction (``length_s=±10%``), or a claim (``won>-1pp``)."""
    from stressim.workbench.limits import ChangeClaim

    metric = (limit.size if isinstance(limit, ChangeClaim) else limit).metric
    one = differences.get(metric.name)
    if one is None:
        return False
    if isinstance(limit, ChangeClaim):
        return limit.holds(one)
    return abs(one.difference) <= limit.absolute(one.reference)


def find_effects(
    base: Variant,
    *,
    on: str = "stalls",
    keep: Sequence[Size | ChangeClaim] = (),
    changes: Changes | None = None,
    deals: int = 10_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
    progress: Callable[[int], None] | None = None,
) -> Effects:
    """Change every option once to every other value that combines, and play the same deals.

    Parameters
    ----------
    base
        The rules as they are.
    on
        The metric that changes are ranked by.
    keep
        How much other numbers may change.
    changes
        What is tried; every single change if nothing is given.
    deals
        How many deals each change is played for.
    seed, jobs, confidence
        As for ``simulate``.
    progress
        Called with the number of deals counted.

    Raises
    ------
    InputError
        If a number is out of range or the metric unknown.
    """
    from stressim.workbench.limits import ChangeClaim

    jobs = check_run(deals, seed, jobs)
    z_value(confidence)
    ranked = known_metrics([base], [on])[0]
    limited = [(limit.size if isinstance(limit, ChangeClaim) else limit).metric for limit in keep]
    beside = [metric for metric in known_metrics([base]) if metric.name in BESIDE]
    if any(metric.name == "length_s" for metric in beside):
        beside = [metric for metric in beside if metric.name != "moves"]
    metrics = tuple(dict.fromkeys([ranked, *limited, *beside]))
    changes = changes or all_changes(base)
    if not changes.playable:
        raise InputError(f"{base.label}: no option can be changed")
    family = base.family
    lowered = base.lowered
    others = {change: (variant.lowered, len(variant.players)) for change, variant in changes.playable.items()}

    def count(first: int, last: int) -> _Counted:
        rows = play_rows(family, lowered, seed, first, last)
        sums = {}
        # One variant after the other: the rows of a hundred at once would not fit.
        for change, (other, seats) in others.items():
            theirs = play_rows(family, other, seed, first, last)
            sums[change] = PairedSums.of_rows(family, metrics, [rows, theirs], [len(base.players), seats])
        return _Counted(sums)

    counted, stopped = count_deals(
        count,
        deals,
        jobs,
        shard=_SHARD,
        progress=None if progress is None else lambda so_far: progress(so_far.n_deals),
    )
    return Effects(
        base=base,
        on=ranked,
        deals=counted.n_deals,
        seed=seed,
        look=Look(confidence),
        changes=changes,
        keep=tuple(keep),
        metrics=metrics,
        sums=counted.sums,
        stopped=stopped,
    )


@dataclass(frozen=True)
class _Counted:
    sums: dict[str, PairedSums]

    @property
    def n_deals(self) -> int:
        return next(iter(self.sums.values())).n_deals

    def __add__(self, other: _Counted) -> _Counted:
        return _Counted({change: sums + other.sums[change] for change, sums in self.sums.items()})
