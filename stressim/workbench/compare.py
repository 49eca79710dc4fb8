"""Compare rules or players on the same deals, with the same reflexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stressim._version import __version__
from stressim.errors import InputError
from stressim.estimates import is_known
from stressim.intervals import six_digits, wilson, z_value
from stressim.metrics import Metric
from stressim.simulate import Result, behaviour_of
from stressim.tally import Tally
from stressim.workbench.differences import NO_DIFFERENCE, Difference, Look, differences
from stressim.workbench.limits import Size, absolute_sizes, metric_named
from stressim.workbench.pairs import PairedSums
from stressim.workbench.together import SHARD, check_run, count_deals, play_rows
from stressim.workbench.variants import Variant, check_variants

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from stressim.family import Family

FindMetric = Callable[[str], Metric]
"""Returns a metric by its name."""

DECIDED_BY = "stalls"
"""The metric whose verdict a run waits for, if none is named."""

FIRST_LOOK = 1000
"""Deals before which nothing is decided: the tests stand on means of many differences."""

_UNTIL_SHARD = 2048  # small enough that little is played in vain
_BASELINE_PART = 10  # one deal in ten is played with other reflexes too
_BASELINE_LEAST = 2000


@dataclass(frozen=True, kw_only=True)
class Flips:
    """In how many deals something ends otherwise: with another outcome or another winner."""

    flips: int
    n_deals: int
    confidence: float

    @property
    def share(self) -> float:
        """Their share of deals."""
        return six_digits(self.flips / self.n_deals)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share."""
        low, high = wilson(self.flips, self.n_deals, z_value(self.confidence))
        assert low is not None
        assert high is not None
        return six_digits(low), six_digits(high)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Variants set against the first one, the reference.

    Parameters
    ----------
    variants
        The reference, then the others.
    seed, deals
        Which deals were played: those numbered 0 to ``deals - 1``, by all of them.
    look
        How differences are looked at.
    metrics
        Those compared.
    matter
        By metric, the change that is too small to matter.
    tallies
        Of the reference and each variant: all that was counted.
    sums
        Of pairs.
    baseline
        Deals of the reference that end otherwise when it is played with other reflexes.
    on
        Names of the metrics that were asked for; empty for all.
    asked
        How many deals were asked for.
    stopped
        Whether Ctrl-C ended it.
    """

    variants: tuple[Variant, ...]
    seed: int
    deals: int
    look: Look
    metrics: tuple[Metric, ...]
    matter: Mapping[str, Size] = field(default_factory=dict)
    tallies: tuple[Tally, ...] = field(repr=False)
    sums: PairedSums = field(repr=False)
    baseline: Flips
    on: tuple[str, ...] = ()
    asked: int
    stopped: bool = False

    def __repr__(self) -> str:
        """Say what was compared: all that was counted would fill pages of a notebook."""
        names = " against ".join(variant.rules.heading for variant in self.variants)
        return f"<{names}: {self.deals:,} deals each, seed {self.seed}>"

    @property
    def reference(self) -> Variant:
        """The variant that the others are compared with."""
        return self.variants[0]

    @property
    def family(self) -> Family:
        """The family of games."""
        return self.reference.family

    @property
    def confidence(self) -> float:
        """Of intervals and verdicts."""
        return self.look.confidence

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """What ``simulate`` says of the reference and each variant."""
        return tuple(
            Result(
                rules=variant.rules,
                players=variant.players,
                timing=variant.timing,
                seed=self.seed,
                tally=tally,
                confidence=self.confidence,
            )
            for variant, tally in zip(self.variants, self.tallies, strict=True)
        )

    @cached_property
    def differences(self) -> tuple[tuple[Difference, ...], ...]:
        """For each variant but the reference: every metric's difference."""
        return find_differences(self.metrics, self.sums, self.variants, self.look, self.matter)

    @property
    def n_tests(self) -> int:
        """How many comparisons the verdicts are corrected for."""
        return sum(one.p is not None for found in self.differences for one in found)

    @property
    def flips(self) -> tuple[Flips, ...]:
        """For each variant but the reference: deals that end otherwise than the reference's."""
        return tuple(Flips(flips=flips, n_deals=self.deals, confidence=self.confidence) for flips in self.sums.flips)

    def difference(self, metric: str, variant: int = 1) -> Difference:
        """Return one difference.

        Parameters
        ----------
        metric
            Its name.
        variant
            Number of the variant: 1 is the first after the reference.

        Raises
        ------
        InputError
            If it is not among those compared.
        """
        for one in self.differences[variant - 1]:
            if one.metric.name == metric:
                return one
        raise InputError(f"{metric!r} is not among the numbers compared")

    @property
    def frame(self) -> pd.DataFrame:
        """All differences as a pandas table, one row for each variant and metric."""
        import pandas as pd

        from stressim.workbench.tables import records

        return pd.DataFrame.from_records(records(self))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the differences as a forest plot, on axes of yours or on new ones."""
        from stressim.report.forest import draw_comparison, on_axes

        return on_axes(lambda axes: draw_comparison(axes, self), ax)

    @property
    def manifest(self) -> dict[str, Any]:
        """What was played, in plain values."""
        return {
            "variants": [
                {"label": variant.label, **_without_run(result.manifest)}
                for variant, result in zip(self.variants, self.results, strict=True)
            ],
            "timing": self.reference.timing.word,
            "seed": self.seed,
            "deals": self.deals,
            "behaviour": behaviour_of(self.family),
            "version": __version__,
        }


def compare_variants(
    variants: Sequence[Variant],
    *,
    deals: int = 100_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
    on: Sequence[str] = (),
    matter: Sequence[Size] = (),
    until_decided: bool = False,
    progress: Callable[[Tally], None] | None = None,
) -> Comparison:
    """Play the same deals by all variants and set them against the first.

    Parameters
    ----------
    variants
        The reference and at least one more.
    deals
        How many deals; with ``until_decided`` at most.
    seed, jobs
        As for ``simulate``.
    confidence
        Of intervals and verdicts.
    on
        Names of the metrics to compare; all if empty.
    matter
        Changes too small to matter.
    until_decided
        Whether to stop as soon as each metric in ``on`` (``stalls`` if empty) of each variant has a verdict. Intervals
        and verdicts then hold although one looks again and again, and are wider for it.
    progress
        Called with the reference's tally so far.

    Raises
    ------
    InputError
        If there is nothing to compare or a number is out of range.
    """
    if len(variants) < 2:
        raise InputError("there is nothing to compare: name two rule sets or more, or a change such as ace=low")
    check_variants(variants)
    jobs = check_run(deals, seed, jobs)
    z_value(confidence)
    metrics = known_metrics(variants, on)
    look = Look(confidence=confidence, any_time=until_decided)
    sizes = {size.metric.name: size for size in matter}
    family = variants[0].family
    n_players = [len(variant.players) for variant in variants]
    reflexes = variants[0].with_other_reflexes
    n_baseline = min(deals, max(_BASELINE_LEAST, deals // _BASELINE_PART))
    lowered = [variant.lowered for variant in variants]

    def count(first: int, last: int) -> _Counted:
        rows = [play_rows(family, one, seed, first, last) for one in lowered]
        flips, n_flips = 0, max(0, min(last, n_baseline) - first)
        if n_flips:
            other = play_rows(family, reflexes, seed, first, first + n_flips)
            flips = PairedSums.of_rows(family, (), [rows[0][:n_flips], other], [0, 0]).flips[0]
        return _Counted(
            tallies=tuple(Tally.of_rows(family, one) for one in rows),
            sums=PairedSums.of_rows(family, metrics, rows, n_players),
            baseline=(flips, n_flips),
        )

    watched = [metric.name for metric in metrics if metric.name in (on or (DECIDED_BY,))]

    def decided(counted: _Counted) -> bool:
        if counted.n_deals < FIRST_LOOK:
            return False
        found = find_differences(metrics, counted.sums, variants, look, sizes)
        verdicts = [one.verdict for one_of in found for one in one_of if one.metric.name in watched]
        return len(verdicts) == len(watched) * len(found) and NO_DIFFERENCE not in verdicts

    counted, stopped = count_deals(
        count,
        deals,
        jobs,
        shard=_UNTIL_SHARD if until_decided else SHARD,
        enough=decided if until_decided else None,
        progress=None if progress is None else lambda so_far: progress(so_far.tallies[0]),
    )
    return Comparison(
        variants=tuple(variants),
        seed=seed,
        deals=counted.n_deals,
        look=look,
        metrics=metrics,
        matter=sizes,
        tallies=counted.tallies,
        sums=counted.sums,
        baseline=Flips(flips=counted.baseline[0], n_deals=counted.baseline[1], confidence=confidence),
        on=tuple(on),
        asked=deals,
        stopped=stopped,
    )


def find_differences(
    metrics: Sequence[Metric],
    sums: PairedSums,
    variants: Sequence[Variant],
    look: Look,
    matter: Mapping[str, Size],
) -> tuple[tuple[Difference, ...], ...]:
    """Return all differences; sizes that matter are taken beside the reference's numbers."""
    n_players = [len(variant.players) for variant in variants]
    found = differences(metrics, sums, n_players, look)
    if not matter:
        return found
    references = {one.metric.name: one.reference for one_of in found for one in one_of}
    limits = absolute_sizes(matter, references)
    return differences(metrics, sums, n_players, Look(look.confidence, look.any_time, limits))


def known_metrics(variants: Sequence[Variant], on: Sequence[str] = (), option: str = "--on") -> tuple[Metric, ...]:
    """Return the metrics that all variants have, or those of them that are named.

    Raises
    ------
    InputError
        If one that is named is unknown.
    """
    family = variants[0].family
    clock = variants[0].timing.word != "uniform"
    n_players = min(len(variant.players) for variant in variants)
    if on:
        named = [metric_named(name, family, clock=clock, n_players=n_players, option=option) for name in on]
        return tuple(dict.fromkeys(named))
    return tuple(metric for metric in family.metrics if is_known(metric, clock=clock, n_players=n_players))


@dataclass(frozen=True, kw_only=True)
class _Counted:
    tallies: tuple[Tally, ...]
    sums: PairedSums
    baseline: tuple[int, int]

    @property
    def n_deals(self) -> int:
        return self.sums.n_deals

    def __add__(self, other: _Counted) -> _Counted:
        return _Counted(
            tallies=tuple(mine + theirs for mine, theirs in zip(self.tallies, other.tallies, strict=True)),
            sums=self.sums + other.sums,
            baseline=(self.baseline[0] + other.baseline[0], self.baseline[1] + other.baseline[1]),
        )


def _without_run(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a manifest says of the variant alone: what all share stands once for all."""
    return {name: value for name, value in manifest.items() if name in ("rules", "rules_hash", "players")}
