"""One deal as a picture: a lane for each player, the centre between them, stalls and locks shaded, slaps marked."""

from __future__ import annotations

import importlib
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from stressim.output.phrases import clock_mark
from stressim.pictures import BLUE, GREEN, GREY, INK, ORANGE, PALE, PAPER, PURPLE, VERMILLION, new_figure
from stressim.report.forest import TITLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from stressim.family import Family
    from stressim.options import Options

WIDTH = 7.6
MOST_STRIPS = 60
"""Strips that a picture has at most; a deal that lasts longer gets longer strips."""

_FACTS = 108  # characters of a line of facts
_SPAN_S = 20  # seconds in a strip: tops of piles can then be read one by one
_SPAN_MOVES = 30
_LANE = 0.26  # inches
_TOKEN = 0.13
_LEFT, _RIGHT = 0.95, 0.3
_NAME, _LONG_NAME = 14, 26
"""Characters of a name that fit the margin, and of a line of it where the margin is as wide as it gets."""
_LETTER = 0.068  # inches of a letter of size 8
_TINT = 0.25  # how much of its colour a lock has over the stall that it is a part of
_SUITS = "♠♥♦♣"


class _Style(NamedTuple):
    marker: str
    size: float
    colour: str
    filled: bool


_STYLES = {
    "move": _Style("o", 4.5, BLUE, True),
    "flip": _Style("|", 7, GREY, True),
    "miss": _Style("x", 4.5, GREY, True),
    "slap": _Style("*", 10, VERMILLION, True),
    "take": _Style("s", 6, VERMILLION, False),
    "done": _Style("D", 6, GREEN, True),
    "call": _Style("^", 6.5, PURPLE, True),
}


@dataclass(frozen=True, kw_only=True)
class Timeline:
    """What a picture of a deal shows.

    Parameters
    ----------
    title, facts, ending
        The deal, how it was played, and how it ended.
    clock
        Whether times are seconds; otherwise moves.
    start, end
        First and last time.
    players
        Their names, one lane each.
    marks
        Time, player, kind of mark and meaning.
    tops
        Time and what then lies on the centre, one text for each card that is seen.
    piles
        Whether those are tops of piles, each with its place; otherwise a heap.
    stalls, locks
        From and to.
    """

    title: str
    facts: str
    ending: str
    clock: bool
    start: float
    end: float
    players: tuple[str, ...]
    marks: tuple[tuple[float, int, str, str], ...]
    tops: tuple[tuple[float, tuple[str, ...]], ...]
    piles: bool
    stalls: tuple[tuple[float, float], ...]
    locks: tuple[tuple[float, float], ...] = ()


def timeline_of(
    family: Family,
    rules: Options,
    cards: Sequence[Sequence[int]],
    events: Sequence[Sequence[int]],
    *,
    players: Sequence[str],
    title: str,
    uniform: bool = False,
) -> Timeline:
    """Read a deal's log.

    Parameters
    ----------
    family, rules, cards, events, uniform
        As for :func:`stressim.replay.replay_text`.
    players
        Names of the players.
    title
        What the deal is called.

    Raises
    ------
    Exception
        The family's ``Foul`` if the referee refuses the log.
    """
    verdict = family.referee.judge(rules, cards, events, uniform=uniform)
    words = importlib.import_module(f"stressim.{family.name}.replay_words")
    scale = 1 if uniform else 1_000_000
    marks, tops = [], []
    moments: list[Any] = list(words.moments(rules, cards, events))
    shown: tuple[str, ...] = ()
    for moment in moments:
        time = moment.time / scale
        if moment.event in words.MARKS and "player" in moment.fields:
            kind, meaning = words.MARKS[moment.event]
            marks.append((time, moment.fields["player"] - 1, kind, meaning))
        now = tuple(token.rstrip(_SUITS) or token for text in moment.tops for token in text.split())
        if now != shown:
            tops.append((time, now))
            shown = now
    numbers = verdict.as_dict()
    return Timeline(
        title=title,
        facts=" · ".join(_many(numbers[f"{kind}s"], kind) for kind in ("move", *words.STRETCHES)),
        ending=moments[-1].sentence,
        clock=not uniform,
        start=0,
        end=moments[-1].time / scale,
        players=tuple(f"{seat} {name}" for seat, name in enumerate(players, start=1)),
        marks=tuple(marks),
        tops=tuple(tops),
        piles=len(moments[0].tops) > 1,
        stalls=tuple((first / scale, last / scale) for first, last in verdict.spans("stall")),
        locks=tuple((first / scale, last / scale) for first, last in verdict.spans("lock")),
    )


def _many(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


@dataclass(frozen=True, kw_only=True)
class LaneNames:
    """How names of players stand before their lanes.

    Parameters
    ----------
    left
        Inches of the margin.
    size
        Of the letters.
    lanes
        For each player one line or two.
    cut
        Whole names of those that two lines do not hold.
    """

    left: float
    size: float
    lanes: tuple[str, ...]
    cut: tuple[str, ...]


def lane_names(names: Sequence[str]) -> LaneNames:
    r"""Make room for names: a wider margin first, then two lines, then ``…`` and the whole name elsewhere.

    Examples
    --------
    >>> lane_names(["1 adult", "2 senior+first-seen"]).lanes
    ('1 adult', '2 senior+first-seen')
    >>> lane_names(["1 adult", "2 senior+first-seen speed=1.1"]).lanes
    ('1 adult', '2 senior+first-seen\nspeed=1.1')
    """
    longest = max(map(len, names))
    if longest <= _LONG_NAME:
        return LaneNames(left=_LEFT + _LETTER * max(0, longest - _NAME), size=8, lanes=tuple(names), cut=())
    broken = [_in_lines(name) for name in names]
    return LaneNames(
        left=_LEFT + _LETTER * (_LONG_NAME - _NAME),
        size=7,
        lanes=tuple("\n".join(lines[:2] if len(lines) <= 2 else [lines[0], f"{lines[1]}…"]) for lines in broken),
        cut=tuple(name for name, lines in zip(names, broken, strict=True) if len(lines) > 2),
    )


def _in_lines(name: str) -> list[str]:
    """Break a name after what joins its parts, and within them only where one is longer than a line."""
    lines = [""]
    for part in re.findall(rf"[^ +/]{{1,{_LONG_NAME - 1}}}[ +/]*|[ +/]+", name):
        if len(lines[-1]) + len(part.rstrip()) > _LONG_NAME:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def timeline_figure(timeline: Timeline) -> Figure:
    """Draw a deal in strips of equal time, one below the other."""
    span = float(_SPAN_S if timeline.clock else _SPAN_MOVES)
    while (timeline.end - timeline.start) / span > MOST_STRIPS:
        span *= 2
    n_strips = max(1, int(-(-(timeline.end - timeline.start) // span)))
    most_tops = max(len(tokens) for _, tokens in timeline.tops)
    above = -(-len(timeline.players) // 2)
    strip = _LANE * len(timeline.players) + _TOKEN * most_tops + 0.2
    key = list(dict.fromkeys((kind, meaning) for _, _, kind, meaning in timeline.marks))
    titles = textwrap.wrap(timeline.title, TITLE)
    names = lane_names(timeline.players)
    facts = [f"{timeline.facts} · {timeline.ending}", *names.cut]
    facts = [line for fact in facts for line in textwrap.wrap(fact, _FACTS, subsequent_indent="  ")]
    above_strips = 0.36 + 0.24 * len(titles) + 0.19 * len(facts)
    height = above_strips + n_strips * (strip + 0.3) + 0.52
    drawn = new_figure(WIDTH, height)
    for row, text in enumerate(titles):
        drawn.text(0.3 / WIDTH, 1 - (0.36 + 0.24 * row) / height, text, size=13, weight="bold", va="baseline")
    for row, text in enumerate(facts):
        down = 0.36 + 0.24 * len(titles) + 0.19 * row
        drawn.text(0.3 / WIDTH, 1 - down / height, text, size=9, color=GREY, va="baseline")
    top = height - above_strips
    for k in range(n_strips):
        bottom = top - (k + 1) * strip - k * 0.3
        box = (names.left / WIDTH, bottom / height, (WIDTH - names.left - _RIGHT) / WIDTH, strip / height)
        first = timeline.start + k * span
        # Lanes are measured in inches, so that text between them has the room it needs.
        axes = drawn.add_axes(box)
        axes.set(xlim=(first, first + span), ylim=(0, strip))
        _draw_strip(axes, timeline, names, first, first + span, strip, above, most_tops)
    shaded = [name for name, spans in (("stall", timeline.stalls), ("lock", timeline.locks)) if spans]
    _draw_key(drawn.add_axes((0, 0, 1, 0.5 / height)), key, shaded)
    return drawn


def _lane_of(player: int, n_players: int, above: int, strip: float, middle: float) -> float:
    """Height of a player's lane: the first half of the players sit above the centre."""
    if player < above:
        return strip - 0.1 - _LANE * (player + 0.5)
    return strip - 0.1 - _LANE * above - middle - _LANE * (player - above + 0.5)


def _draw_strip(
    axes: Axes,
    timeline: Timeline,
    names: LaneNames,
    first: float,
    last: float,
    strip: float,
    above: int,
    most_tops: int,
) -> None:
    n_players, middle = len(timeline.players), _TOKEN * most_tops
    for spine in ("top", "right", "left"):
        axes.spines[spine].set_visible(False)
    axes.spines["bottom"].set_color(PALE)
    axes.set_yticks([])
    for start, end in _inside(timeline.stalls, first, last):
        # A line as pale as paper tells two stalls that follow one another apart.
        axes.axvspan(start, end, facecolor=PALE, edgecolor=PAPER, linewidth=1)
    for start, end in _inside(timeline.locks, first, last):
        # The bars above and below tell a lock from a stall without colour.
        axes.axvspan(start, end, facecolor=ORANGE, alpha=_TINT, linewidth=0)
        for y in (0, strip):
            axes.plot([start, end], [y, y], color=ORANGE, linewidth=3, solid_capstyle="butt", clip_on=False, zorder=2)
    over = min(last, timeline.end)
    for player, name in enumerate(names.lanes):
        y = _lane_of(player, n_players, above, strip, middle)
        axes.plot([first, over], [y, y], color=GREY, linewidth=0.5, zorder=1)
        axes.annotate(
            name,
            (first, y),
            # Two lines stand half above the lane.
            xytext=(-6, -7 if "\n" in name else -3),
            textcoords="offset points",
            ha="right",
            va="bottom" if "\n" in name else "baseline",
            size=names.size,
            linespacing=1.0,
            annotation_clip=False,
        )
    for time, player, kind, _ in timeline.marks:
        if first <= time < last or (time == timeline.end == last):
            y = _lane_of(player, n_players, above, strip, middle)
            _mark(axes, time, y, kind)
    _draw_tops(axes, timeline, first, last, strip - 0.1 - _LANE * above, WIDTH - names.left - _RIGHT)
    if first <= timeline.end <= last:
        axes.axvline(timeline.end, color=INK, linewidth=1.2)
    step = (last - first) / (4 if timeline.clock else 6)
    ticks = [first + step * k for k in range(int((last - first) / step) + 1)]
    axes.set_xticks(ticks, [clock_mark(tick) if timeline.clock else f"{tick:.0f}" for tick in ticks])
    axes.tick_params(length=2, labelsize=7, labelcolor=GREY, pad=1)


def _inside(spans: Sequence[tuple[float, float]], first: float, last: float) -> list[tuple[float, float]]:
    """The parts of spans that a strip shows; none is too narrow to be seen."""
    narrow = (last - first) / 400
    return [
        (max(start, first), min(max(end, start + narrow), last)) for start, end in spans if end > first and start < last
    ]


def _mark(axes: Axes, x: float, y: float, kind: str) -> None:
    style = _STYLES[kind]
    axes.plot(
        [x],
        [y],
        linestyle="none",
        marker=style.marker,
        markersize=style.size,
        color=style.colour,
        markerfacecolor=style.colour if style.filled else "none",
        markeredgewidth=1.2 if style.marker in "x|s" else 0,
        clip_on=False,
        zorder=3,
    )


def _draw_tops(axes: Axes, timeline: Timeline, first: float, last: float, top: float, width: float) -> None:
    """Write what lies on the centre: of each pile the top when it changes, of a heap all of it."""
    inch = (last - first) / width
    before: tuple[str, ...] = ()
    for at, (time, tokens) in enumerate(timeline.tops):
        # Of changes that follow at once, as when a card is laid and another taken, the last one stands.
        after = timeline.tops[at + 1][0] - time if at + 1 < len(timeline.tops) else last
        if after == 0:
            continue
        follows = after < 0.15 * inch
        for place, token in enumerate(tokens):
            same = place < len(before) and before[place] == token
            if not first <= time < last or token == "-" or (same if timeline.piles else follows):
                continue
            # The line at the end would strike out what comes with it, which stands beside it.
            at_the_end = timeline.end - time < 0.06 * inch
            axes.annotate(
                token,
                (timeline.end if at_the_end else time, top - _TOKEN * (place + 1)),
                xytext=(4 if at_the_end else 0, 2),
                textcoords="offset points",
                ha="left" if at_the_end else "center",
                va="baseline",
                size=7,
                annotation_clip=False,
            )
        before = tokens


def _draw_key(axes: Axes, key: Sequence[tuple[str, str]], shaded: Sequence[str]) -> None:
    from matplotlib.patches import Rectangle

    axes.set(xlim=(0, WIDTH), ylim=(0, 0.5))
    axes.axis("off")
    x, y = 0.35, 0.32
    meanings: dict[str, str] = {}
    for kind, meaning in key:
        meanings.setdefault(meaning, kind)
    entries = [*meanings.items(), *((name, "") for name in shaded)]
    for meaning, kind in entries:
        room = 0.28 + 0.068 * len(meaning)
        if x + room > WIDTH - 0.2:
            x, y = 0.35, y - 0.18
        if kind:
            _mark(axes, x, y, kind)
        else:
            axes.add_patch(Rectangle((x - 0.07, y - 0.06), 0.14, 0.12, color=PALE, linewidth=0))
            if meaning == "lock":
                axes.add_patch(Rectangle((x - 0.07, y - 0.06), 0.14, 0.12, color=ORANGE, alpha=_TINT, linewidth=0))
                for edge in (y - 0.06, y + 0.06):
                    axes.plot([x - 0.07, x + 0.07], [edge, edge], color=ORANGE, linewidth=2, solid_capstyle="butt")
        axes.annotate(meaning, (x, y), xytext=(8, -3), textcoords="offset points", va="baseline", size=8)
        x += room
