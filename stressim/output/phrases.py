"""Numbers as people say them.

Examples
--------
>>> of_100(0.941), of_100(0.501, decimals=1), of_100(0.0003)
('94 of 100', '50.1 of 100', '1 in 3,333')
>>> clock_time(131.4), clock_time(245), clock_time(42.6)
('2 min 11 s', '4 min 05 s', '43 s')
"""

from __future__ import annotations

from collections.abc import Callable

from stressim.estimates import Estimate, Quantile
from stressim.metrics import Mean, Metric, Rate, Skew

RARE = 0.01
"""Shares below this are also said as ``1 in N``."""

_MOST_DECIMALS = 4


def is_share(metric: Metric) -> bool:
    """Whether a metric is a part of something, shown in per cent."""
    return metric.unit.startswith("of ")


def is_part(metric: Metric) -> bool:
    """Whether a metric is a share that cannot be below nought; an advantage, which can, is none."""
    return is_share(metric) and not isinstance(metric, Skew)


def of_100(share: float, decimals: int = 0) -> str:
    """Say a share: ``94 of 100``, ``1 in 3,226``, ``all``, ``none``."""
    if share <= 0:
        return "none"
    if share >= 1:
        return "all"
    if share < RARE:
        return one_in(share)
    # What rounds to a hundred of a hundred is not all of them.
    if float(f"{100 * share:.{decimals}f}") >= 100:
        return f"{share_text(share, 1)} of 100" if share < 0.9995 else "more than 99.9 of 100"
    return f"{share_text(share, decimals)} of 100"


def one_in(share: float) -> str:
    """Say a small share as ``1 in 3,226``."""
    return f"1 in {grouped(1 / share)}"


def grouped(number: float) -> str:
    """Write a number of things with commas, three digits of it if it is large.

    >>> grouped(3226.2), grouped(1234567.0)
    ('3,226', '1,230,000')
    """
    if number >= 100_000:
        number = float(f"{number:.3g}")
    return f"{number:,.0f}"


def clock_time(seconds: float) -> str:
    """Say a time: ``43 s``, ``2 min 11 s``, ``1 h 02 min``."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    if whole >= 60:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole} s"


def clock_mark(seconds: float) -> str:
    """Write a time on a scale: ``2:11``.

    >>> clock_mark(131.4), clock_mark(3725)
    ('2:11', '1:02:05')
    """
    whole = round(seconds)
    hours = f"{whole // 3600}:{whole % 3600 // 60:02d}" if whole >= 3600 else f"{whole // 60}"
    return f"{hours}:{whole % 60:02d}"


def short(number: float) -> str:
    """Say a number with two digits, or all of its whole ones.

    >>> short(6.713), short(16.64), short(0.0312), short(1234.5), short(2.0)
    ('6.7', '17', '0.031', '1,234', '2.0')
    """
    if number >= 10:
        return f"{number:,.0f}"
    return fixed(number, 1 - exponent(number)) if number else "0"


def exponent(number: float) -> int:
    """Return the decimal exponent of a number's first digit (no logarithm: the same on every machine).

    >>> exponent(0.02), exponent(9.99), exponent(150.0)
    (-2, 0, 2)
    """
    return int(f"{number:e}".partition("e")[2])


def fixed(number: float, decimals: int) -> str:
    """Write a number with this many decimals and commas; minus nought is nought.

    >>> fixed(-0.0001, 2), fixed(12345.678, 1)
    ('0.00', '12,345.7')
    """
    text = f"{number:,.{max(0, decimals)}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text


def decimals_of(low: float | None, high: float | None, estimate: float) -> int:
    """Return how many decimals a number deserves: as many as its interval leaves one uncertain digit.

    >>> decimals_of(6.69, 6.73, 6.71), decimals_of(None, None, 131.2), decimals_of(40_000.0, 50_000.0, 45_000.0)
    (2, 0, 0)
    """
    if low is not None and high is not None and high > low:
        return min(_MOST_DECIMALS, max(0, -exponent((high - low) / 2.4)))
    return min(_MOST_DECIMALS, max(0, 2 - exponent(estimate))) if estimate else 0


def share_decimals(share: float, decimals: int) -> int:
    """Return how many decimals a share in per cent has that should have ``decimals``.

    Below one per cent it has two significant figures at least: chance leaves most of a small share, and 0.05 % is
    neither 0.1 % nor nothing. What is not all is never rounded to 100 %.

    >>> share_decimals(0.0005, 1), share_decimals(0.5, 1), share_decimals(0.99996, 1)
    (3, 1, 3)
    """
    number = _percent(share)
    if 0 < number < 1:
        return max(decimals, 1 - exponent(number))
    while 99 < number < 100 and float(f"{number:.{decimals}f}") >= 100:
        decimals += 1
    return decimals


def share_text(share: float, decimals: int) -> str:
    """Write a share in per cent, without the mark: everywhere by the rule of :func:`share_decimals`.

    >>> share_text(0.0005, 1), share_text(0.5031, 1), share_text(0.99996, 1), share_text(1, 1), share_text(0, 1)
    ('0.050', '50.3', '99.996', '100', '0.0')
    """
    number = _percent(share)
    return "100" if number == 100 else fixed(number, share_decimals(share, decimals))


def _percent(share: float) -> float:
    """The share in per cent, without what is left of sums that should come out even."""
    return round(100 * share, 9)


def number_and_interval(
    metric: Metric, estimate: float, low: float | None, high: float | None, *, decimals: int | None = None
) -> tuple[str, str]:
    """Write a number and its interval to the digits that the interval deserves, shares in per cent.

    The limits of a share have as many decimals as the share itself.

    >>> from stressim.metrics import Rate
    >>> rate = Rate(name="stalled", unit="of deals", meaning="", group="", of="stalled")
    >>> number_and_interval(rate, 0.9409, 0.9394, 0.9423)
    ('94.1 %', '93.9 to 94.2 %')
    >>> number_and_interval(rate, 0.0005, 0.00009, 0.0028)
    ('0.050 %', '0.009 to 0.280 %')
    """
    share = estimate if is_part(metric) else None
    scale, mark = (100, " %") if is_share(metric) else (1, "")
    estimate, low, high = scale * estimate, low and scale * low, high and scale * high
    if decimals is None:
        decimals = decimals_of(low, high, estimate)
    if share is not None:
        decimals = share_decimals(share, decimals)

    def said(number: float) -> str:
        return "100" if mark and number == 100 else fixed(number, decimals)

    if low is None:
        return said(estimate) + mark, "too few deals"
    if high is None:
        return said(estimate) + mark, f"{said(low)}{mark} or more"
    return said(estimate) + mark, f"{said(low)} to {said(high)}{mark}"


def quantile_and_interval(metric: Metric, quantile: Quantile) -> tuple[str, str]:
    """Write a quantile and its interval; what is only known to be more than a number has the mark of it.

    >>> from stressim.metrics import Mean
    >>> length = Mean(name="length_s", unit="s", meaning="", group="", of="length_us", divisor=1_000_000)
    >>> quantile_and_interval(length, Quantile(estimate=None, low=98.2, high=None, more_than=102.4))
    ('>102', '98 or more')
    """
    whole = 0 if isinstance(metric, Mean) and metric.divisor == 1 else None
    # Without an upper limit, as many digits as a number without limits has.
    decimals = decimals_of(None, None, quantile.at_least) if whole is None and quantile.high is None else whole
    number, interval = number_and_interval(metric, quantile.at_least, quantile.low, quantile.high, decimals=decimals)
    return ("" if quantile.estimate is not None else ">") + number, interval


def bounded_mark(quantile: Quantile, mark: Callable[[float], str]) -> str:
    """Write a quantile on a scale: ``2:11``, or ``more than 2:54:45`` where no more is known.

    >>> bounded_mark(Quantile(estimate=None, low=None, high=None, more_than=10_485.75), clock_mark)
    'more than 2:54:46'
    """
    return ("" if quantile.estimate is not None else "more than ") + mark(quantile.at_least)


def unit_text(estimate: Estimate) -> str:
    """Say a metric's unit; for rare events how rare they are.

    >>> from stressim.metrics import Rate
    >>> rate = Rate(name="drawn", unit="of won deals", meaning="", group="", of="drawn")
    >>> unit_text(Estimate(metric=rate, estimate=0.00031, low=0.0002, high=0.0004, n=10_000))
    '1 in 3,226 wins'
    """
    metric = estimate.metric
    counted = isinstance(metric, Rate) or metric.unit == "per deal"
    if counted and 0 < estimate.estimate < RARE:
        things = {"of won deals": "wins", "of deals": "deals", "per deal": "deals"}.get(metric.unit, metric.unit)
        return f"{one_in(estimate.estimate)} {things}"
    return metric.unit


def unit_word(metric: Metric) -> str:
    """Return the thing that a metric counts: ``plays`` of ``plays per deal``.

    >>> from stressim.metrics import Mean
    >>> unit_word(Mean(name="moves", unit="plays per deal", meaning="", group="", of="moves"))
    'plays'
    """
    return metric.unit.partition(" ")[0]


def confidence_text(confidence: float) -> str:
    """Name an interval: ``95 % interval``.

    >>> confidence_text(0.95), confidence_text(0.999)
    ('95 % interval', '99.9 % interval')
    """
    return f"{100 * confidence:.6g} % interval"


def joined(things: list[str]) -> str:
    """Join things with commas and ``and``.

    >>> joined(["a", "b", "c"]), joined(["a"])
    ('a, b and c', 'a')
    """
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def percent(share: float, decimals: int | None = None) -> str:
    """Say a share in per cent, with two digits unless there are to be more.

    >>> percent(0.181), percent(0.0123), percent(0.9996), percent(0.93784, 1)
    ('18 %', '1.2 %', '99.96 %', '93.8 %')
    """
    if decimals is None:
        decimals = max(0, 1 - exponent(100 * share)) if share else 0
    return f"{share_text(share, decimals)} %"


def escaped(text: str) -> str:
    r"""Write a text so that markdown leaves it as it is.

    >>> print(escaped("row_slots=3"))
    row\_slots=3
    """
    return "".join(f"\\{character}" if character in "\\|*_`[]<" else character for character in text)
