"""Differences as people say them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressim.output.phrases import decimals_of, fixed, is_part, is_share, share_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stressim.metrics import Metric
    from stressim.workbench.differences import Difference


def signed(number: float, decimals: int) -> str:
    """Write a number with its sign; nought has none.

    Examples
    --------
    >>> signed(3.02, 1), signed(-0.5, 2), signed(0.001, 1)
    ('+3.0', '-0.50', '0.0')
    """
    text = fixed(number, decimals)
    return text if number <= 0 or float(text.replace(",", "")) == 0 else f"+{text}"


def change_and_interval(one: Difference) -> tuple[str, str]:
    """Write a difference and its interval to the digits that the interval deserves; shares in percentage points."""
    if one.same_in_all:
        return "0", "the same in all"
    return change_text(one.metric, one.difference, one.low, one.high)


def change_text(metric: Metric, difference: float, low: float | None, high: float | None) -> tuple[str, str]:
    """Write a change of a metric and its interval.

    Examples
    --------
    >>> from stressim.metrics import Rate
    >>> rate = Rate(name="won", unit="of deals", meaning="", group="", of="won")
    >>> change_text(rate, -0.12855, -0.1325, -0.1246)
    ('-12.9 pp', '-13.2 to -12.5')
    """
    scale, mark = (100, " pp") if is_share(metric) else (1, "")
    difference, low, high = scale * difference, low and scale * low, high and scale * high
    decimals = decimals_of(low, high, abs(difference))
    if low is None or high is None:
        return signed(difference, decimals) + mark, "too few deals"
    return signed(difference, decimals) + mark, f"{signed(low, decimals)} to {signed(high, decimals)}"


def number_text(one: Difference, number: float, decimals: int | None = None) -> str:
    """Write the reference's or the variant's number, to the digits that their difference deserves or to those given."""
    scale, mark = (100, " %") if is_share(one.metric) else (1, "")
    if decimals is None:
        decimals = _deserved(one, number)
    return (share_text(number, decimals) if is_part(one.metric) else fixed(scale * number, decimals)) + mark


def _deserved(one: Difference, number: float) -> int:
    scale = 100 if is_share(one.metric) else 1
    low, high = (limit if limit is None else scale * limit for limit in (one.low, one.high))
    return decimals_of(low, high, abs(scale * number))


def shared_decimals(differences: Iterable[Difference]) -> dict[str, int]:
    """Return how many decimals the numbers of each metric have in one answer: as many as its best known one deserves.

    The reference's number stands beside that of every variant; it is written alike each time.
    """
    found: dict[str, int] = {}
    alike: dict[str, int] = {}
    for one in differences:
        # What is the same in every deal has no interval, and no say in how well the number is known.
        known = alike if one.same_in_all else found
        known[one.metric.name] = max(known.get(one.metric.name, 0), _deserved(one, one.reference))
    return alike | found


def difference_text(one: Difference, decimals: int | None = None) -> str:
    """Say one difference: the verdict, both numbers, the difference with its interval.

    Shares are said in per cent and their differences in percentage points; ``decimals`` are those of both numbers.
    """
    if one.same_in_all:
        return "the same in every deal."
    change, interval = change_and_interval(one)
    both = f"{number_text(one, one.value, decimals)} against {number_text(one, one.reference, decimals)}"
    if not is_share(one.metric):
        both += f" {one.metric.unit}"
    relative = f", {relative_text(one)}" if one.relative is not None else ""
    return f"{one.verdict}: {both}, {change} ({interval}){relative}.".replace(" %", "\xa0%").replace(" pp", "\xa0pp")


def from_to_text(one: Difference) -> str:
    """Write the reference's number and the variant's, the unit once."""
    return f"{number_text(one, one.reference).removesuffix(' %')} → {number_text(one, one.value)}"


def relative_text(one: Difference) -> str:
    """Write a difference in per cent of the reference."""
    return "" if one.relative is None or one.same_in_all else percent_change(one.relative)


def percent_change(relative: float) -> str:
    """Write a change in per cent.

    Examples
    --------
    >>> percent_change(0.6352), percent_change(-0.0049), percent_change(11.2)
    ('+64 %', '-0.5 %', '+1,120 %')
    """
    return f"{signed(100 * relative, 0 if abs(relative) >= 0.095 else 1)} %"
