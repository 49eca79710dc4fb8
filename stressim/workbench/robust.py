"""Whether a conclusion hangs on how people are assumed to move.

A conclusion is repeated without a clock, where no assumption about people is left, and with each guess about times and
errors halved and doubled for all players. It is robust if its verdict stays the same in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stressim.lowering import TimingMode
from stressim.players.distributions import Distribution
from stressim.players.timing import timing_fields
from stressim.workbench.differences import NO_DIFFERENCE, Difference, Look
from stressim.workbench.pairs import PairedSums
from stressim.workbench.telling import leading
from stressim.workbench.together import check_run, count_deals, play_rows
from stressim.workbench.variants import Variant

if TYPE_CHECKING:
    from stressim.metrics import Metric
    from stressim.workbench.compare import Comparison
    from stressim.workbench.effects import Effects
    from stressim.workbench.limits import Size

ROBUST, DEPENDS = "robust", "depends on timing"

_FACTORS = {"halved": 0.5, "doubled": 2.0}


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One other assumption: what it is called, and the variants under it."""

    name: str
    variants: tuple[Variant, ...]


@dataclass(frozen=True, kw_only=True)
class Flip:
    """A setting in which the verdict is another one."""

    setting: str
    verdict: str
    difference: float


@dataclass(frozen=True, kw_only=True)
class Conclusion:
    """A verdict and what becomes of it under other assumptions.

    Parameters
    ----------
    variant
        Which variant's, beside the reference.
    metric
        Of which number.
    verdict
        As first found.
    flips
        Settings that lead to another one.
    lowest, highest
        Smallest and largest difference over all settings, in the metric's unit.
    n_settings
        In how many settings it could be repeated: numbers that need a clock have none under uniform timing.
    """

    variant: str
    metric: Metric
    verdict: str
    flips: tuple[Flip, ...]
    lowest: float
    highest: float
    n_settings: int

    @property
    def mark(self) -> str:
        """``robust`` or ``depends on timing``."""
        return DEPENDS if self.flips else ROBUST


def settings_of(variants: Sequence[Variant]) -> tuple[Setting, ...]:
    """Return the other assumptions under which a conclusion is repeated."""
    found = [
        Setting(
            name="uniform timing",
            variants=tuple(replace(variant, timing=TimingMode.UNIFORM) for variant in variants),
        )
    ]
    known = timing_fields(variants[0].family.name)
    guesses = [
        name for name in known if any(name in player.guesses for variant in variants for player in variant.players)
    ]
    for name in guesses:
        for word, factor in _FACTORS.items():
            scaled = tuple(_scaled(variant, name, factor) for variant in variants)
            found.append(Setting(name=f"{name} {word}", variants=scaled))
    return tuple(found)


def _scaled(variant: Variant, name: str, factor: float) -> Variant:
    players = []
    for player in variant.players:
        value: Any = getattr(player.timing, name)
        scaled = value.scaled(factor) if isinstance(value, Distribution) else value * factor
        # A value that the user gave is no guess of ours.
        update = {} if name in player.changed else {name: scaled}
        players.append(player.model_copy(update={"timing": player.timing.model_copy(update=update)}))
    return replace(variant, players=tuple(players))


def repeat(
    comparison: Comparison,
    *,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[Conclusion, ...]:
    """Repeat the main verdicts of a comparison under other assumptions.

    Parameters
    ----------
    comparison
        What was found. Of all metrics the leading ones are repeated, otherwise those that were asked for.
    jobs
        Threads.
    progress
        Called with the number of settings done.
    """
    wanted = [
        (place, one)
        for place, found in enumerate(comparison.differences)
        for one in (found if comparison.on else leading(found))
    ]
    return repeat_verdicts(
        comparison.variants,
        wanted,
        deals=comparison.deals,
        seed=comparison.seed,
        confidence=comparison.confidence,
        matter=comparison.matter,
        jobs=jobs,
        progress=progress,
    )


def repeat_verdicts(
    variants: Sequence[Variant],
    wanted: Sequence[tuple[int, Difference]],
    *,
    deals: int,
    seed: int,
    confidence: float,
    matter: Mapping[str, Size] | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[Conclusion, ...]:
    """Repeat verdicts under other assumptions.

    Parameters
    ----------
    variants
        The reference and the others.
    wanted
        For each verdict the place of its variant, from 0 for the first after the reference, and the difference.
    deals, seed, confidence, matter
        As they were found with.
    jobs, progress
        As for :func:`repeat`.
    """
    from stressim.workbench.compare import find_differences

    jobs = check_run(deals, seed, jobs)
    settings = settings_of(variants)
    metrics = tuple(dict.fromkeys(one.metric for _, one in wanted))
    repeated: list[tuple[str, dict[tuple[int, str, bool], Difference]]] = []
    for done, setting in enumerate(settings, start=1):
        known = tuple(metric for metric in metrics if not (metric.clock and setting.variants[0].lowered.uniform))
        sums = _pairs(setting.variants, known, deals, seed, jobs)
        by_place: dict[tuple[int, str, bool], Difference] = {}
        # What was no difference is asked more strictly for being asked so often; what was one must be found again.
        for strict, level in ((False, confidence), (True, 1 - (1 - confidence) / len(settings))):
            found = find_differences(known, sums, setting.variants, Look(level), matter or {})
            by_place |= {(place, one.metric.name, strict): one for place, of in enumerate(found) for one in of}
        repeated.append((setting.name, by_place))
        if progress is not None:
            progress(done)
    conclusions = []
    for place, first in wanted:
        key = (place, first.metric.name, first.verdict == NO_DIFFERENCE)
        others = [(name, by_place[key]) for name, by_place in repeated if key in by_place]
        values = [first.difference, *(one.difference for _, one in others)]
        conclusions.append(
            Conclusion(
                variant=variants[place + 1].label,
                metric=first.metric,
                verdict=first.verdict,
                flips=tuple(
                    Flip(setting=name, verdict=one.verdict, difference=one.difference)
                    for name, one in others
                    if one.verdict != first.verdict
                ),
                lowest=min(values),
                highest=max(values),
                n_settings=len(others),
            )
        )
    return tuple(conclusions)


def repeat_effects(effects: Effects, *, jobs: int | None = None) -> tuple[Conclusion, ...]:
    """Repeat what the first and the last of ranked changes do, under other assumptions."""
    ends = dict.fromkeys(effect.change for effect in (*effects.ranked[:1], *effects.ranked[-1:]))
    chosen = [effect for effect in effects.ranked if effect.change in ends]
    if not chosen:
        return ()
    name = effects.on.name
    return repeat_verdicts(
        [effects.base, *(effect.variant for effect in chosen)],
        [(place, effect.differences[name]) for place, effect in enumerate(chosen)],
        deals=effects.deals,
        seed=effects.seed,
        confidence=effects.look.confidence,
        jobs=jobs,
    )


def _pairs(variants: Sequence[Variant], metrics: Sequence[Metric], deals: int, seed: int, jobs: int) -> PairedSums:
    family = variants[0].family
    lowered = [variant.lowered for variant in variants]
    n_players = [len(variant.players) for variant in variants]

    def count(first: int, last: int) -> PairedSums:
        rows = [play_rows(family, one, seed, first, last) for one in lowered]
        return PairedSums.of_rows(family, metrics, rows, n_players)

    sums, stopped = count_deals(count, deals, jobs)
    if stopped:
        raise KeyboardInterrupt
    return sums


def conclusion_text(conclusion: Conclusion) -> str:
    """Say a conclusion and what becomes of it."""
    from stressim.workbench.phrases import change_text

    low, high = (change_text(conclusion.metric, value, None, None)[0] for value in _ends(conclusion))
    start = f"{conclusion.metric.name} {conclusion.verdict}: {conclusion.mark}"
    span = f"the difference goes from {low} to {high}"
    if not conclusion.flips:
        return f"{start}, the same in {conclusion.n_settings} other settings; {span}."
    named = "; ".join(f"{flip.verdict} with {flip.setting}" for flip in conclusion.flips)
    return f"{start}: {named}. Over {conclusion.n_settings} settings {span}."


def _ends(conclusion: Conclusion) -> tuple[float, float]:
    return conclusion.lowest, conclusion.highest


def conclusions_list(conclusions: Sequence[Conclusion]) -> list[dict[str, Any]]:
    """Return conclusions in plain values."""
    return [
        {
            "variant": one.variant,
            "metric": one.metric.name,
            "verdict": one.verdict,
            "mark": one.mark,
            "settings": one.n_settings,
            "lowest": one.lowest,
            "highest": one.highest,
            "flips": [
                {"setting": flip.setting, "verdict": flip.verdict, "difference": flip.difference} for flip in one.flips
            ],
        }
        for one in conclusions
    ]
