"""One deal for a person to follow, or for a program to read: what the referee saw, event by event."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import Any

from stressim.family import Family
from stressim.options import Options

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
    centre piles. Under it stand the rows with the sizes of the stocks whenever they have changed.

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
    told = list(words.moments(rules, cards, events, ascii_only=ascii_only))
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
    return {"events": told, "verdict": verdict.as_dict()}


def to_json(deal: dict[str, Any], *, ascii_only: bool = False) -> str:
    """Write :func:`replay_json`'s data, with whatever the caller has added, as text: one event a line."""
    events = deal["events"]
    rest = {key: value for key, value in deal.items() if key != "events"}
    listed = ",\n".join("    " + json.dumps(event, ensure_ascii=ascii_only) for event in events)
    head = json.dumps(rest, ensure_ascii=ascii_only, indent=2)[:-2]
    return f'{head},\n  "events": [\n{listed}\n  ]\n}}\n'


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
