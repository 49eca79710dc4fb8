"""What a well-formed row of a shedding log looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stressim.refereeing import LogForm, LogReader
from stressim.shedding.events import Field, Kind
from stressim.shedding.referee.table import Event, Table, full_deck

# Fields that an event of each kind must have, beside time and kind.
_NEEDED = {
    Kind.DRAW: "player slot card",
    Kind.MERGE: "player slot number",
    Kind.FLIP: "player pile card",
    Kind.FLIP_FROM_ROW: "player pile slot card",
    Kind.GIVE: "player card number",
    Kind.RESTART: "number",
    Kind.PLAY: "player pile slot card number",
    Kind.PLAY_ALSO: "player pile slot card number",
    Kind.NAME: "player number",
    Kind.LATE: "player pile slot card",
    Kind.ILLEGAL: "player pile slot card",
    Kind.ABORT: "player",
    Kind.PENALTY: "player card",
    Kind.DECLINE: "player",
    Kind.SLAP: "player",
    Kind.ANNOUNCE: "player card",
    Kind.TAKE: "player pile number",
    Kind.STOCK: "player card number",
    Kind.SET_ASIDE: "pile",
    Kind.VIEW: "player",
    Kind.CALL: "player",
    Kind.END: "number",
    Kind.HANDICAP: "player card",
    Kind.FLIP_SIDE: "player pile card",
    Kind.RENEW: "pile number",
    Kind.SIDE: "pile card number",
    Kind.TURN: "player slot card",
    Kind.MOVE: "player slot card number",
    Kind.GATHER: "player number",
    Kind.SEAT: "player pile",
}

_FORM = LogForm(event=Event, fields=Field, kinds=Kind, needed=_NEEDED)


class _ManyReader(LogReader[Event]):
    """A log of a table where not two play with two piles: the pile of an event between two is a player, or a pile."""

    def __init__(self, form: LogForm[Event], rows: Sequence[Sequence[int]], n_piles: int, **limits: Any) -> None:
        super().__init__(form, rows, **limits)
        self.n_piles = n_piles

    def _event(self, row: tuple[int, ...]) -> Event:
        event = super()._event(row)
        if event.kind in (Kind.GIVE, Kind.PENALTY, Kind.HANDICAP):
            if event.pile in (-1, event.player) or event.pile >= self.limits["player"]:
                self.refuse(event, "form of the log", f"{event.kind.name} needs another player, not {event.pile}")
        elif event.pile >= self.n_piles:
            self.refuse(event, "form of the log", f"pile {event.pile} of {event.kind.name} does not exist")
        return event


def read_log(table: Table, rows: Sequence[Sequence[int]]) -> LogReader[Event]:
    """Return a log with a place in it.

    Parameters
    ----------
    table
        The table on which the events happen; used for the number of slots and the names of cards.
    rows
        The log.
    """
    limits = {"player": len(table.players), "pile": len(table.centre), "slot": table.rules.row_slots}
    if not table.is_pair:
        # In events between two players the pile is the other one's number.
        limits["pile"] = max(limits["pile"], limits["player"])
        return _ManyReader(_FORM, rows, len(table.centre), limits=limits, deck=frozenset(full_deck(table.rules)))
    return LogReader(_FORM, rows, limits=limits, deck=frozenset(full_deck(table.rules)))
