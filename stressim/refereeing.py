"""What the referees of all families share: the foul, and reading a log row by row."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, NoReturn, Protocol, TypeVar

from stressim.options import Choice
from stressim.outcomes import Outcome


class Foul(Exception):
    """A log breaks a rule.

    Parameters
    ----------
    index
        Number of the event, from 0; the number of events where one is missing at the end, -1 for the deal itself.
    rule
        The rule: its letter and number and the option that names it, such as ``A14 take_back_own``.
    sentence
        What is wrong, for people.
    """

    def __init__(self, index: int, rule: str, sentence: str) -> None:
        super().__init__(f"event {index}: {sentence} ({rule})")
        self.index = index
        self.rule = rule
        self.sentence = sentence


class AnyEvent(Protocol):
    """What an event of every family has: its place in the log, its time, kind and number."""

    @property
    def row(self) -> int: ...  # noqa: D102

    @property
    def time(self) -> int: ...  # noqa: D102

    @property
    def kind(self) -> Any: ...  # noqa: D102

    @property
    def number(self) -> int: ...  # noqa: D102


EventT = TypeVar("EventT", bound=AnyEvent)


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """A part of a deal in which nobody can go on.

    It lasts from after one row of the log until after another; row -1 is the deal itself.

    Parameters
    ----------
    kind
        ``"stall"`` or ``"lock"``.
    start, end
        Times of the log: microseconds, or moves without a clock.
    start_row, end_row
        The rows after which it begins and ends.
    """

    kind: str
    start: int
    end: int
    start_row: int
    end_row: int


class Stretches:
    """The stalls and locks of a deal while its log is read.

    Parameters
    ----------
    row
        Returns the number of the row that was read last, -1 before the first.
    """

    def __init__(self, row: Callable[[], int]) -> None:
        self._row = row
        self._running: dict[str, tuple[int, int]] = {}
        self._over: list[Stretch] = []

    def begin(self, kind: str, time: int, row: int | None = None) -> None:
        """Begin a stretch after a row, the last one if it is not given; one that is not over begins anew."""
        self._running[kind] = time, self._row() if row is None else row

    def forget(self, kind: str) -> None:
        """Drop the running stretch: it was none."""
        self._running.pop(kind, None)

    def end(self, kind: str, time: int) -> None:
        """End the running stretch of this kind, if any."""
        if kind in self._running:
            start, row = self._running.pop(kind)
            self._over.append(Stretch(kind=kind, start=start, end=time, start_row=row, end_row=self._row()))

    def all(self) -> tuple[Stretch, ...]:
        """All that are over, in the order in which they began; a stall stands before the lock that it begins with."""
        return tuple(sorted(self._over, key=lambda one: (one.start_row, one.kind != "stall", one.end_row)))


class AnyVerdict:
    """What the verdicts of all families share: numbers, and the times at which nobody could go on."""

    stretches: tuple[Stretch, ...]

    @property
    def stall_spans(self) -> tuple[tuple[int, int], ...]:
        """From when to when the deal stalled."""
        return self.spans("stall")

    def spans(self, kind: str) -> tuple[tuple[int, int], ...]:
        """From when to when there was a stall or a lock."""
        return tuple((one.start, one.end) for one in self.stretches if one.kind == kind)

    def as_dict(self) -> dict[str, int]:
        """Return all numbers by name."""
        return {name: number for name, number in vars(self).items() if name != "stretches"}


class Stopped(Exception):
    """The deal was stopped at the limit of plays or events, at this row and time."""

    def __init__(self, row: int, time: int) -> None:
        super().__init__("stopped")
        self.row = row
        self.time = time


@dataclass(frozen=True, kw_only=True)
class LogForm(Generic[EventT]):
    """What a well-formed row of a family's log looks like.

    Parameters
    ----------
    event
        Makes an event of the row's place and its columns, the kind among them as a member of ``kinds``.
    fields
        The columns; the first two are time and kind.
    kinds
        Kinds of events, with a member ``END`` whose number is the outcome.
    needed
        For each kind the names of the fields that it must have beside time and kind.
    optional
        For each kind the names of the fields that it may have too; all others are -1. None if anything may stand there.
    """

    event: Callable[..., EventT]
    fields: type[IntEnum]
    kinds: type[Choice]
    needed: Mapping[Any, str]
    optional: Mapping[Any, str] | None = None


class LogReader(Generic[EventT]):
    """A log with a place in it: one event after the other, each well formed, times never falling.

    Parameters
    ----------
    form
        What rows look like.
    rows
        The log.
    limits
        How many there are of what a field counts, such as ``{"player": 2}``. A field that a kind does not need may
        also be -1.
    deck
        The cards of the game.
    """

    def __init__(
        self,
        form: LogForm[EventT],
        rows: Sequence[Sequence[int]],
        *,
        limits: Mapping[str, int],
        deck: Container[int],
    ) -> None:
        self.form = form
        self.rows = [tuple(int(value) for value in row) for row in rows]
        self.limits = limits
        self.deck = deck
        self.names = [field.name.lower() for field in form.fields]
        self.index = 0
        self.time: int | None = None

    def peek(self) -> EventT:
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
        if event.kind.name == "END" and event.number == Outcome.UNFINISHED:
            raise Stopped(event.row, event.time)
        return event

    def next_kind(self) -> Any:
        """Kind of the next event, None if there is none; for what may or may not follow."""
        return self._event(self.rows[self.index]).kind if self.index < len(self.rows) else None

    def take(self) -> EventT:
        """Return the next event and move on."""
        event = self.peek()
        self.index += 1
        self.time = event.time
        return event

    def put_back(self, event: EventT) -> None:
        """Make an event that was taken the next one again."""
        self.index = event.row

    def expect(self, kind: Choice, rule: str, sentence: str) -> EventT:
        """Return the next event, which must be of this kind, and move on."""
        event = self.peek()
        if event.kind != kind:
            self.refuse(event, rule, f"{sentence}, not {event.kind.name}")
        return self.take()

    def nothing_after(self, row: int, rule: str) -> None:
        """Refuse anything after the row that ends the deal, which is then the last that was read."""
        self.index = row + 1
        if len(self.rows) > row + 1:
            raise Foul(row + 1, rule, "the deal is over")

    def refuse(self, event: EventT, rule: str, sentence: str) -> NoReturn:
        """Refuse an event."""
        raise Foul(event.row, rule, sentence)

    def _event(self, row: tuple[int, ...]) -> EventT:
        if len(row) != len(self.names):
            sentence = f"a row has {len(self.names)} numbers, this one has {len(row)}"
            raise Foul(self.index, "form of the log", sentence)
        time, code, *others = row
        try:
            kind = self.form.kinds(code)
        except ValueError:
            raise Foul(self.index, "form of the log", f"{code} is no kind of event") from None
        event = self.form.event(self.index, time, kind, *others)
        needed = self.form.needed[kind].split()
        for name, limit in self.limits.items():
            value = getattr(event, name)
            if not (name not in needed and value == -1) and not 0 <= value < limit:
                self.refuse(event, "form of the log", f"{name} {value} of {kind.name} does not exist")
        if self.form.optional is not None:
            used = [*needed, *self.form.optional.get(kind, "").split()]
            for name, value in zip(self.names[2:], others, strict=True):
                if name not in used and value != -1:
                    self.refuse(event, "form of the log", f"{kind.name} has no {name}, it is -1")
        card = others[self.names.index("card") - 2]
        if "card" in needed and card not in self.deck:
            self.refuse(event, "form of the log", f"card {card} of {kind.name} is none of the game")
        return event
