"""One deal for a person to follow, or for a program to read: what the referee saw, event by event."""

from __future__ import annotations

import json
import textwrap
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from stressim.family import Family
from stressim.options import Options
from stressim.refereeing import Stretch
from stressim.telling import Moment

WIDTH = 78
_TIME = 9
_TOPS = 13


def replay_text(
    family: Family,
    rules: Options,
    cards: Sequence[Sequence[int]],
    events: Sequence[Sequence[int]],
    *,
    uniform: bool = False,
    ascii_only: bool = False,
) -> str:
    """Write a deal in lines of at most 78 columns.

    Each event is a line with its time (under uniform timing the number of plays so far), a sentence and the tops of the
    centre piles. Under it stand the rows with the sizes of the stocks whenever they have changed. Lines between the
    events say where stalls and locks begin and end.

    Parameters
    ----------
    family
        The family of games.
    rules
        The rules that were played.
    cards, events
        The deal and its log.
    uniform
        Whether the log has no clock.
    ascii_only
        Whether only ASCII characters may be used.

    Raises
    ------
    Exception
        The family's ``Foul`` if the referee refuses the log.
    """
    verdict = family.referee.judge(rules, cards, events, uniform=uniform)
    words = family.replay_words
    lines: list[str] = []
    opening = words.opening(rules, cards, ascii_only=ascii_only)
    moments = list(words.moments(rules, cards, events, ascii_only=ascii_only))
    told = _with_stretches(opening, moments, verdict.stretches, words.STRETCHES, uniform=uniform)
    shown: tuple[str, ...] = ()
    for index, moment in enumerate(told):
        if moment.sentence:
            lines += _event_lines(
                _when(moment.time, uniform=uniform), moment.sentence, " ".join(f"{top:6}" for top in moment.tops)
            )
        # Rows are shown once for all that happens at the same moment.
        last_of_moment = index + 1 == len(told) or told[index + 1].time != moment.time
        if last_of_moment and moment.table != shown:
            shown = moment.table
            lines += _table_lines(shown)
    return "\n".join([*lines, "", *words.closing(rules, verdict.as_dict())]) + "\n"


def replay_json(
    family: Family,
    rules: Options,
    cards: Sequence[Sequence[int]],
    events: Sequence[Sequence[int]],
    *,
    uniform: bool = False,
    ascii_only: bool = False,
) -> dict[str, Any]:
    """Return a deal as data: its events with the table after each, and the referee's verdict.

    See :func:`replay_text` for the parameters. Times are in seconds (``time_s``) or, under uniform timing, in plays
    (``plays``).
    """
    verdict = family.referee.judge(rules, cards, events, uniform=uniform)
    told = []
    for moment in family.replay_words.moments(rules, cards, events, ascii_only=ascii_only):
        time = {"plays": moment.time} if uniform else {"time_s": moment.time / 1_000_000}
        text = {"text": moment.sentence} if moment.sentence else {}
        told.append(
            {**time, "event": moment.event, **moment.fields, **text, "tops": moment.tops, "players": moment.table}
        )
    scale, unit = (1, "plays") if uniform else (1_000_000, "s")
    spans = {
        f"{kind}s": [{f"from_{unit}": start / scale, f"to_{unit}": end / scale} for start, end in verdict.spans(kind)]
        for kind in family.replay_words.STRETCHES
    }
    return {"events": told, **spans, "verdict": verdict.as_dict()}


def to_json(deal: dict[str, Any], *, ascii_only: bool = False) -> str:
    """Write :func:`replay_json`'s data, with whatever the caller has added, as text: one event a line."""
    events = deal["events"]
    rest = {key: value for key, value in deal.items() if key != "events"}
    listed = ",\n".join("    " + json.dumps(event, ensure_ascii=ascii_only) for event in events)
    head = json.dumps(rest, ensure_ascii=ascii_only, indent=2)[:-2]
    return f'{head},\n  "events": [\n{listed}\n  ]\n}}\n'


def _with_stretches(
    opening: Sequence[Moment],
    moments: Sequence[Moment],
    stretches: Sequence[Stretch],
    meanings: Mapping[str, str],
    *,
    uniform: bool,
) -> list[Moment]:
    """Put a line where each stall and lock begins and ends; what the end of the deal ends, or is, stands before it."""
    last = len(moments) - 1
    after: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    begun: Counter[str] = Counter()
    ends: list[tuple[Stretch, str]] = []
    for one in stretches:
        begun[one.kind] += 1
        name = f"{one.kind.capitalize()} {begun[one.kind]}"
        after[min(one.start_row, last - 1)].append((one.start, f"{name} begins: {meanings[one.kind]}."))
        ends.append((one, name))
    # Ends stand before what begins after the same row; of those that end together the last to begin ends first.
    for one, name in ends:
        lasted = "" if uniform else f" {(one.end - one.start) / 1_000_000:.1f} s"
        if one.end_row >= last:
            after[last - 1].append((one.end, f"{name} lasts to the end{',' if lasted else ''}{lasted}."))
        else:
            after[one.end_row].insert(0, (one.end, f"{name} ends{' after' if lasted else ''}{lasted}."))
    told = list(opening)
    for row in range(-1, last + 1):
        at = moments[row] if row >= 0 else None
        if at is not None:
            told.append(at)
        table = at or (opening[-1] if opening else moments[0])
        told += [replace(table, time=time, event="stretch", sentence=sentence) for time, sentence in after[row]]
    return told


def _when(time: int, *, uniform: bool) -> str:
    """Time as ``m:ss.mmm`` or the number of plays so far.

    >>> _when(131_245_678, uniform=False), _when(12, uniform=True)
    (' 2:11.246', '       12')
    """
    if uniform:
        return f"{time:{_TIME}d}"
    milliseconds = (time + 500) // 1000
    return f"{milliseconds // 60_000}:{milliseconds // 1000 % 60:02d}.{milliseconds % 1000:03d}".rjust(_TIME)


def _event_lines(when: str, sentence: str, tops: str) -> list[str]:
    """Time, sentence and tops; a long sentence goes on in the next line."""
    room = WIDTH - len(when) - 4 - max(len(tops), _TOPS)
    first, *more = textwrap.wrap(sentence, room)
    return [f"{when}  {first:{room}}  {tops}".rstrip(), *(f"{'':{len(when)}}    {line}" for line in more)]


def _table_lines(table: Sequence[str]) -> list[str]:
    """The rows, beside each other if they fit."""
    rows = [f"{player}: {row}" for player, row in enumerate(table, start=1)]
    indent = " " * (_TIME + 4)
    together = indent + "   ".join(rows)
    if len(together) <= WIDTH:
        return [together]
    return [
        line
        for row in rows
        for line in textwrap.wrap(row, WIDTH, initial_indent=indent, subsequent_indent=indent + "   ")
    ]
