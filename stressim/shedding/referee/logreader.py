"""Reading a log row by row: one event after the other, each well formed, times never falling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from stressim.shedding.events import N_FIELDS, Kind, Outcome
from stressim.shedding.referee.table import Event, Table, full_deck
from stressim.shedding.referee.verdict import Foul

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
}


class Stopped(Exception):
    """The deal was stopped at the limit of plays or events."""

    def __init__(self, event: Event) -> None:
        super().__init__("stopped")
        self.event = event


class LogReader:
    """A log with a place in it.

    Parameters
    ----------
    table
        The table on which the events happen; used for the number of slots and the names of cards.
    rows
        The log.
    """

    def __init__(self, table: Table, rows: Sequence[Sequence[int]]) -> None:
        self.table = table
        self.rows = [tuple(int(value) for value in row) for row in rows]
        self.index = 0
        self.time: int | None = None
        self.deck = full_deck(table.rules)

    def peek(self) -> Event:
        """Return the next event without moving on.

        Raises
        ------
        Foul
            If there is none, it is ill formed, or its time lies before that of the last one.
        Stopped
            If the deal was stopped here.
        """
        if self.index >= len(self.rows):
            raise Foul(len(self.rows), "end of the log", "the log stops before the deal is over")
        event = self._event(self.rows[self.index])
        if self.time is not None and event.time < self.time:
            self.refuse(event, "time", "this happens before the event that stands above it")
        if event.kind == Kind.END and event.number == Outcome.UNFINISHED:
            raise Stopped(event)
        return event

    def next_kind(self) -> Kind | None:
        """Kind of the next event, None if there is none; for what may or may not follow."""
        return self._event(self.rows[self.index]).kind if self.index < len(self.rows) else None

    def take(self) -> Event:
        """Return the next event and move on."""
        event = self.peek()
        self.index += 1
        self.time = event.time
        return event

    def put_back(self, event: Event) -> None:
        """Make an event that was taken the next one again."""
        self.index = event.row

    def expect(self, kind: Kind, rule: str, sentence: str) -> Event:
        """Return the next event, which must be of this kind, and move on."""
        event = self.peek()
        if event.kind != kind:
            self.refuse(event, rule, f"{sentence}, not {event.kind.name}")
        return self.take()

    def refuse(self, event: Event, rule: str, sentence: str) -> NoReturn:
        """Refuse an event."""
        raise Foul(event.row, rule, sentence)

    def _event(self, row: tuple[int, ...]) -> Event:
        if len(row) != N_FIELDS:
            raise Foul(self.index, "form of the log", f"a row has {N_FIELDS} numbers, this one has {len(row)}")
        time, code, player, pile, slot, card, number = row
        try:
            kind = Kind(code)
        except ValueError:
            raise Foul(self.index, "form of the log", f"{code} is no kind of event") from None
        event = Event(self.index, time, kind, player, pile, slot, card, number)
        limits = {"player": 2, "pile": 2, "slot": self.table.rules.row_slots}
        needed = _NEEDED[kind].split()
        for name, limit in limits.items():
            value = getattr(event, name)
            if not (name not in needed and value == -1) and not 0 <= value < limit:
                self.refuse(event, "form of the log", f"{name} {value} of {kind.name} does not exist")
        if "card" in needed and card not in self.deck:
            self.refuse(event, "form of the log", f"card {card} of {kind.name} is none of the game")
        return event
