"""Tornado plots: the largest effects of single changes in either direction, from the base."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressim.output.phrases import confidence_text, is_share
from stressim.report.forest import GAP, Bar, forest_figure
from stressim.workbench.phrases import change_and_interval, number_text, percent_change

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from stressim.workbench.differences import Difference
    from stressim.workbench.effects import Effects

MOST_EACH = 12
"""Bars in either direction."""


def tornado_figure(effects: Effects, title: str = "") -> Figure:
    """Draw effects as a tornado under a title; if it is empty, under what they are effects on."""
    bars, axis = tornado_bars(effects)
    n_clear = len(effects.ranked)
    facts = (
        f"{effects.deals:,} deals each of the same cards · {effects.base.timing.word} timing · seed {effects.seed} · "
        f"{len(bars)} of {n_clear} effects"
    )
    note = (
        f"Dots are changes, lines their {confidence_text(effects.look.confidence)}s. Each option is changed once and "
        f"alone; {len(effects.all)} changes were tried, and the differences shown are corrected for that (Holm)."
    )
    title = title or f"{effects.base.label}: which single change moves {effects.on.name}"
    return forest_figure(title, facts, axis, bars, note)


def tornado_bars(effects: Effects) -> tuple[list[Bar], str]:
    """Return the largest effects in either direction, and what their axis means."""
    name = effects.on.name
    down = [effect for effect in effects.ranked if effect.differences[name].difference < 0][:MOST_EACH]
    up = [effect for effect in effects.ranked if effect.differences[name].difference > 0][::-1][:MOST_EACH]
    in_percent = all(effect.differences[name].relative_low is not None for effect in [*down, *up])
    bars = [_bar(effect.change, effect.differences[name], in_percent=in_percent) for effect in [*up, *down[::-1]]]
    if in_percent:
        return bars, f"change of {name} in per cent of {effects.base.label}"
    return bars, f"change of {name}, {'percentage points' if is_share(effects.on) else effects.on.unit}"


def _bar(change: str, one: Difference, *, in_percent: bool) -> Bar:
    if in_percent and one.relative is not None and one.relative_low is not None and one.relative_high is not None:
        said = f"{number_text(one, one.value)}{GAP}{percent_change(one.relative)}"
        return Bar(change, 100 * one.relative, 100 * one.relative_low, 100 * one.relative_high, said, True)
    scale = 100 if is_share(one.metric) else 1
    low, high = one.low or 0.0, one.high or 0.0
    said = f"{number_text(one, one.value)}{GAP}({change_and_interval(one)[0]})"
    return Bar(change, scale * one.difference, scale * low, scale * high, said, True)
