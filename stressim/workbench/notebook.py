"""The public functions: everything the command line does, for notebooks and scripts.

Rules, players and changes are given as they are on the command line; what comes back are objects with pandas tables
(``.frame``) and pictures (``.plot(ax=None)``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from stressim.errors import InputError
from stressim.optiontext import clean
from stressim.simulate import Result
from stressim.simulate import simulate as simulate_rules
from stressim.workbench.arguments import Changes, changes_of, given_of, named_as_arguments, word_of
from stressim.workbench.compare import Comparison, compare_variants
from stressim.workbench.effects import Effects, find_effects
from stressim.workbench.find import Found, find_deals
from stressim.workbench.limits import Size, read_limit
from stressim.workbench.sweep import Axis, Sweep, read_axis, run_sweep
from stressim.workbench.variants import make_variant, read_variants

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True, repr=False)
class Simulation(Result):
    """What :func:`simulate` returns: a result with a table and a picture."""

    @property
    def frame(self) -> pd.DataFrame:
        """Every number with its interval, one row for each metric and quantile."""
        from stressim.output.machine import frame

        return frame(self)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how long deals are, on axes of yours or on new ones."""
        from stressim.report.forest import on_axes
        from stressim.report.lengths import draw_lengths

        return on_axes(lambda axes: draw_lengths(axes, self), ax)


@named_as_arguments
def simulate(
    rules: str | Path,
    *,
    sets: Changes = (),
    players: Changes = (),
    n_players: int | None = None,
    timing: str = "human",
    deals: int = 100_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
) -> Simulation:
    """Play many deals and count them.

    Parameters
    ----------
    rules
        A preset's name or the path of a rules file.
    sets
        Changes of rules: ``{"ace": "low"}`` or ``["ace=low"]``.
    players
        Changes of players: ``{"2": "senior", "1.speed": 1.1}`` or ``["2=senior"]``.
    n_players
        Number of players.
    timing
        ``human`` or ``uniform``.
    deals, seed, jobs, confidence
        As on the command line.

    Raises
    ------
    InputError
        If something given cannot be used.

    Examples
    --------
    >>> import stressim
    >>> found = stressim.simulate("swedish", sets={"ace": "low"}, deals=2000)
    >>> found.estimates["stalls"].estimate > 7
    True
    >>> list(found.frame.columns)[:3]
    ['metric', 'quantile', 'estimate [unit]']
    """
    variant = make_variant(given_of(rules, sets, players, n_players, timing))
    result = simulate_rules(
        variant.rules, variant.players, variant.timing, deals=deals, seed=seed, jobs=jobs, confidence=confidence
    )
    return Simulation(**{field.name: getattr(result, field.name) for field in fields(Result)})


@named_as_arguments
def compare(
    *variants: str | Path | Sequence[str | Path],
    sets: Changes = (),
    players: Changes = (),
    n_players: int | None = None,
    timing: str = "human",
    deals: int = 100_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
    on: Sequence[str] = (),
    matter: Changes = (),
    until_decided: bool = False,
) -> Comparison:
    """Set rules or players against the first ones, on the same deals.

    Parameters
    ----------
    variants
        Rules first, then other rules or changes: ``"swedish", "ace=low", "norwegian 2=senior"``. A list of them is
        taken as if they were given one by one.
    sets, players, n_players, timing
        Common to all, as for :func:`simulate`.
    deals, seed, jobs, confidence
        As on the command line.
    on
        Compare these metrics only.
    matter
        Changes too small to matter: ``{"stalls": "2%"}``.
    until_decided
        Stop as soon as each metric in ``on`` (``stalls`` if empty) has a verdict.

    Raises
    ------
    InputError
        If something given cannot be used.

    Examples
    --------
    >>> import stressim
    >>> found = stressim.compare("swedish", "ace=low", deals=2000)
    >>> found.difference("stalls").verdict
    'more'
    >>> stressim.compare("swedish", "swedish ace=wrap", deals=500).difference("stalls").difference
    0.0
    """
    common = given_of("", sets, players, n_players, timing)
    read = read_variants(
        [str(one) for given in variants for one in ([given] if isinstance(given, str | Path) else given)],
        sets=common.sets,
        n_players=n_players,
        players=common.players,
        timing=timing,
    )
    limits = [read_limit(text, read[0], "matter") for text in changes_of(matter)]
    return compare_variants(
        read,
        deals=deals,
        seed=seed,
        jobs=jobs,
        confidence=confidence,
        on=on,
        matter=[limit for limit in limits if isinstance(limit, Size)],
        until_decided=until_decided,
    )


@named_as_arguments
def sweep(
    rules: str | Path,
    vary: Mapping[str, Iterable[object] | str] | Iterable[str],
    *,
    sets: Changes = (),
    players: Changes = (),
    n_players: int | None = None,
    timing: str = "human",
    deals: int = 20_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
    on: Sequence[str] = (),
    out: str | Path | None = None,
) -> Sweep:
    """Vary options and players over a grid; every combination plays the same cards.

    Parameters
    ----------
    rules, sets, players, n_players, timing
        What is varied, as for :func:`simulate`.
    vary
        ``{"ace": ["wrap", "low"], "1.speed": "0.8:1.2:0.05"}`` or ``["ace=wrap,low"]``.
    deals, seed, jobs, confidence
        Of each combination.
    on
        Keep these metrics only.
    out
        A .csv or .parquet for the table; points that it holds are not played again.

    Raises
    ------
    InputError
        If something given cannot be used.

    Examples
    --------
    >>> import stressim
    >>> found = stressim.sweep("swedish", {"row_slots": range(3, 6)}, deals=1000, on=["stalls"])
    >>> stalls = found.frame["estimate [unit]"]
    >>> bool(stalls.is_monotonic_decreasing)
    True
    """
    axes = (
        [
            read_axis(f"{name}={values}") if isinstance(values, str) else _axis(name, values)
            for name, values in vary.items()
        ]
        if isinstance(vary, Mapping)
        else [read_axis(text) for text in vary]
    )
    return run_sweep(
        given_of(rules, sets, players, n_players, timing),
        axes,
        deals=deals,
        seed=seed,
        jobs=jobs,
        confidence=confidence,
        on=on,
        out=None if out is None else Path(out),
    )


@named_as_arguments
def effects(
    rules: str | Path,
    *,
    on: str = "stalls",
    keep: Changes = (),
    sets: Changes = (),
    players: Changes = (),
    n_players: int | None = None,
    timing: str = "human",
    deals: int = 10_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
) -> Effects:
    """Change every option once and rank what it does to a number.

    Parameters
    ----------
    rules, sets, players, n_players, timing
        The rules as they are, as for :func:`simulate`.
    on
        The metric to rank by.
    keep
        How much other numbers may change: ``{"length_s": "10%"}`` or ``["won>-1pp"]``.
    deals, seed, jobs, confidence
        Of each change.

    Raises
    ------
    InputError
        If something given cannot be used.

    Examples
    --------
    >>> import stressim
    >>> found = stressim.effects("swedish", keep={"length_s": "±10%"}, deals=300)
    >>> "row_slots=5" in [effect.change for effect in found.ranked]
    True
    """
    base = make_variant(given_of(rules, sets, players, n_players, timing))
    return find_effects(
        base,
        on=on,
        keep=[read_limit(text, base, "keep") for text in changes_of(keep)],
        deals=deals,
        seed=seed,
        jobs=jobs,
        confidence=confidence,
    )


@named_as_arguments
def find(
    rules: str | Path,
    *,
    most: str = "",
    least: str = "",
    top: int = 5,
    sets: Changes = (),
    players: Changes = (),
    n_players: int | None = None,
    timing: str = "human",
    deals: int = 100_000,
    seed: int = 1,
    jobs: int | None = None,
) -> Found:
    """Find the most extreme deals.

    Parameters
    ----------
    rules, sets, players, n_players, timing
        What is played, as for :func:`simulate`.
    most, least
        Name of a metric, one of the two.
    top
        How many deals.
    deals, seed, jobs
        Among which.

    Raises
    ------
    InputError
        If something given cannot be used.

    Examples
    --------
    >>> import stressim
    >>> found = stressim.find("swedish", most="stalls", deals=2000, top=1)
    >>> found.replay(found.found[0])
    'stressim replay swedish --seed 1 --deal 133'
    """
    if bool(most) == bool(least):
        raise InputError("say which number: most or least, one of them")
    variant = make_variant(given_of(rules, sets, players, n_players, timing))
    return find_deals(variant, most or least, most=bool(most), top=top, deals=deals, seed=seed, jobs=jobs)


def _axis(name: str, values: Iterable[object]) -> Axis:
    found = tuple(word_of(value) for value in values)
    if not found:
        raise InputError(f"--vary {clean(name)}: no value is given")
    return Axis(name=name, values=found)
