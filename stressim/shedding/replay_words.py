"""A logged deal of the shedding game for people: a sentence for each event, and the table after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stressim.shedding.choices import (
    BothEmpty,
    RestartSource,
    RoundEnd,
    RowPiles,
    SidePileReuse,
    SlapTarget,
    StartFlip,
    StartSignal,
    StressLoser,
    StressSignal,
)
from stressim.shedding.events import Kind, Outcome, Reason
from stressim.shedding.referee.table import Event, Table
from stressim.shedding.rules import SheddingRules
from stressim.telling import Moment, Namer, ending

_REASONS = {
    Reason.START: "The deal begins",
    Reason.REFLIP: "The first cards were equal and are covered",
    Reason.LOCKED: "Nobody can play",
    Reason.DECLINED: "A restart is wanted",
    Reason.STRESS: "The stress is settled",
    Reason.FALSE_CALL: "The false call is punished",
    Reason.BOTH_EMPTY: "Both have a stock again",
    Reason.ROUND: "A new round",
    Reason.RENEWED: "The side piles are full again",
}
_SIGNALS = {
    StartSignal.AGREED_SIGN: "on the agreed sign",
    StartSignal.COUNT_1_2_3: "on three",
    StartSignal.COUNT_3_2_1: "at the end of the count-down",
    StartSignal.COMMAND: "on the command",
}
_DEADLOCKED = "Nobody can move and no rule helps: deadlocked."

MARKS = {
    "play": ("move", "card laid"),
    "play_also": ("move", "card laid"),
    "flip": ("flip", "new card flipped"),
    "flip_from_row": ("flip", "new card flipped"),
    "late": ("miss", "too late, taken back or refused"),
    "abort": ("miss", "too late, taken back or refused"),
    "illegal": ("miss", "too late, taken back or refused"),
    "slap": ("slap", "slap"),
    "take": ("take", "pile taken up"),
    "call": ("call", "call"),
}
"""How a picture marks events: the kind of mark and what it means; events without one are not drawn."""

STRETCHES = {"stall": "nobody can play"}
"""What is so while nobody can go on, by the kind of stretch."""


def opening(rules: SheddingRules, cards: Sequence[Sequence[int]], *, ascii_only: bool = False) -> tuple[Moment, ...]:
    """Tell what comes before the first event: nothing, because the log begins with the rows that are laid out."""
    return ()


def moments(
    rules: SheddingRules, cards: Sequence[Sequence[int]], events: Sequence[Sequence[int]], *, ascii_only: bool = False
) -> Iterator[Moment]:
    """Tell a log that the referee has accepted.

    Parameters
    ----------
    rules
        The rules that were played.
    cards
        The dealt stocks.
    events
        The log.
    ascii_only
        Write suits as letters.
    """
    table = Table.dealt(rules, cards)
    teller = _Teller(table, ascii_only=ascii_only)
    before: Kind | None = None
    for index, row in enumerate(events):
        time, code, *rest = (int(value) for value in row)
        event = Event(index, time, Kind(code), *rest)
        sentence = "" if before == event.kind == Kind.STOCK or event.kind == Kind.SIDE else teller.sentence(event)
        table.apply(event)
        before = event.kind
        yield Moment(
            time=time,
            event=event.kind.word,
            fields=teller.said(event),
            sentence=sentence,
            tops=tuple(teller.card(pile[-1]) if pile else "-" for pile in table.piles),
            table=tuple(teller.row(player) for player in range(len(table.stocks))),
        )


class _Teller(Namer):
    """Says what is about to happen on a table."""

    def __init__(self, table: Table, *, ascii_only: bool) -> None:
        super().__init__(table.rules.ranks, ascii_only=ascii_only)
        self.table = table
        self.rules = table.rules

    def row(self, player: int) -> str:
        """Row and stock: ``5 7x2 ? - +22`` is a seven on a card, one face down, an empty slot and 22 of stock."""
        slots = []
        for place, slot in enumerate(self.table.rows[player]):
            many = f"x{len(slot)}" if len(slot) > 1 else ""
            top = "?" if (player, place) in self.table.hidden else self.rank(slot[-1]) if slot else "-"
            slots.append(f"{top}{many}")
        return f"{' '.join(slots)} +{len(self.table.stocks[player])}"

    def top(self, pile: int) -> str:
        cards = self.table.piles[pile]
        return f"the {self.card(cards[-1])}" if cards else "an empty place"

    def said(self, event: Event) -> dict[str, Any]:
        """What the event says, for machines."""
        between_two = event.kind in (Kind.GIVE, Kind.PENALTY, Kind.HANDICAP) and not self.table.is_pair
        said = self.fields(event, ("player", "slot") if between_two else ("player", "pile", "slot"))
        if between_two:
            said["other_player"] = event.pile + 1
        if event.kind == Kind.RESTART:
            said["reason"] = Reason(event.number).word
        elif event.kind == Kind.END:
            said["outcome"] = Outcome(event.number).word
        elif event.kind == Kind.NAME:
            said["rank"] = self.rules.ranks[event.number]
        elif event.kind == Kind.MERGE:
            said["onto_slot"] = event.number + 1
        elif event.kind in (Kind.GIVE, Kind.STOCK, Kind.SIDE):
            said["depth"] = event.number
        elif event.number >= 0:
            said["cards"] = event.number
        return said

    def sentence(self, event: Event) -> str:
        """Say an event that is about to be carried out."""
        who, card, kind = f"Player {event.player + 1}", self.card(event.card) if event.card >= 0 else "", event.kind
        if kind in (Kind.PLAY, Kind.PLAY_ALSO):
            many = f" ({event.number} cards)" if event.number > 1 else ""
            verb = "lays" if kind == Kind.PLAY else "also lays"
            return f"{who} {verb} {card}{many} on {self.top(event.pile)}."
        if kind == Kind.DRAW:
            if self.rules.row_piles == RowPiles.GROWING:
                return f"{who} lays a card face down in place {event.slot + 1}."
            return f"{who} draws {card}."
        if kind == Kind.MERGE:
            top = self.table.rows[event.player][event.number][-1]
            return f"{who} puts equal cards together on {self.card(top)}."
        if kind in (Kind.FLIP, Kind.FLIP_FROM_ROW):
            return (
                f"{who} brings {card} {'from his row ' if kind == Kind.FLIP_FROM_ROW else ''}to pile {event.pile + 1}."
            )
        if kind == Kind.FLIP_SIDE:
            return f"{who} turns {card} of his side pile onto pile {event.pile + 1}."
        if kind == Kind.GIVE:
            to = "" if self.table.is_pair else f" to player {event.pile + 1}"
            return f"{who} hands over a card of his stock{to}."
        if kind == Kind.RESTART:
            return self._restart(Reason(event.number))
        if kind == Kind.TAKE:
            n = event.number
            return f"{who} takes up pile {event.pile + 1} with {n} card{'s' if n != 1 else ''}."
        if kind == Kind.STOCK:
            return f"{who} shuffles his stock of {len(self.table.stocks[event.player])}."
        if kind == Kind.SLAP:
            return self._slap(event, who)
        if kind == Kind.END:
            return ending(Outcome(event.number), who, _DEADLOCKED, self._why_drawn())
        return self._rarely(event, who, card)

    def _rarely(self, event: Event, who: str, card: str) -> str:
        other = f"player {self._other(event) + 1}"
        on = f"on {self.top(event.pile)}" if event.pile >= 0 else ""
        reused = "shuffled" if self.rules.side_pile_reuse == SidePileReuse.SHUFFLED else "turned over"
        return {
            Kind.LATE: f"{who} comes too late with {card}; it goes back.",
            Kind.ILLEGAL: f"{who} lays {card} {on}: it does not fit and goes back.",
            Kind.ABORT: f"{who} sees the pile change and keeps {card}." if card else f"{who} keeps his card.",
            Kind.PENALTY: f"{who} gets a card of {other}'s stock.",
            Kind.DECLINE: f"{who} wants a restart although he could play.",
            Kind.ANNOUNCE: f"{who} points at {other}'s {card}: it would be stress.",
            Kind.NAME: f"{who} names the joker {self.rules.ranks[event.number] if event.number >= 0 else ''}.",
            Kind.TURN: f"{who} turns up {card}.",
            Kind.MOVE: f"{who} moves {card} to an empty place.",
            Kind.GATHER: f"{who} takes up the {event.number} cards of his row.",
            Kind.RENEW: f"Pile {event.pile + 1} is {reused} and becomes a side pile of {event.number}.",
            Kind.SET_ASIDE: f"Pile {event.pile + 1} leaves the game.",
            Kind.VIEW: f"Left and right are as {who.lower()} sees them.",
            Kind.CALL: f"{who} calls that he has won.",
            Kind.HANDICAP: f"{who} gets a card of {other}'s stock as his handicap.",
            Kind.SEAT: f"On the right of {who.lower()} lies pile {event.pile + 1}.",
        }[event.kind]

    def _why_drawn(self) -> str:
        """What makes it a draw if the deal is drawn as the table is now (B31, B44, U4)."""
        left = [self.table.remaining(player) for player in self.table.players]
        if left.count(0) > 1:
            return f"{'Both' if self.table.is_pair else 'Several'} ran out of cards at once"
        reuse, rule = self.rules.side_pile_reuse, self.rules.restart_both_empty
        if self.rules.restart_source == RestartSource.SIDE_PILES and reuse != SidePileReuse.NEVER:
            return f"No card of the centre would ever fit, as side piles (side_pile_reuse={reuse.word}) or not"
        locked = f"Nobody can play, {'both' if self.table.is_pair else 'all'} stocks are empty"
        why = {
            BothEmpty.DRAW: "and the rules end it there",
            BothEmpty.FEWEST_CARDS_WINS: (
                f"and {'both have' if self.table.is_pair else 'several have the fewest cards,'} {min(left)} "
                f"{'card' if min(left) == 1 else 'cards'}"
            ),
            BothEmpty.TAKE_RIGHT_PILE_SHUFFLE: "and the piles, taken up, would bring the same again",
        }.get(rule)
        return f"{locked}, {why} (restart_both_empty={rule.word})" if why else ""

    def _other(self, event: Event) -> int:
        """The other player of an event between two: who holds the card, or of more than two whom the event names."""
        if event.kind == Kind.ANNOUNCE:
            shown = (player for player in self.table.players if event.card in self.table.shown(player))
            return next(shown, event.player)
        return self.table.other(event)

    def _restart(self, reason: Reason) -> str:
        signal = _SIGNALS[self.rules.start_signal]
        if reason != Reason.START:
            return f"{_REASONS[reason]}: new cards {signal}."
        if self.rules.restart_source == RestartSource.SIDE_PILES:
            return f"{_REASONS[reason]}: the cards beside the side piles are turned {signal}."
        if self.rules.start_flip == StartFlip.PLACE_TOGETHER:
            return f"{_REASONS[reason]}: each lays a card {signal}."
        return f"{_REASONS[reason]}: each turns a card of his stock {signal}."

    def _slap(self, event: Event, who: str) -> str:
        if self.rules.round_end == RoundEnd.SLAP_SMALLER_PILE:
            return f"{who} slaps pile {event.pile + 1}."
        if self.rules.stress_signal == StressSignal.SHOUT:
            return f"{who} shouts stress."
        verb = "slaps" if self.rules.stress_signal == StressSignal.SLAP else "shouts stress and slaps"
        if self.rules.slap_target == SlapTarget.BOTH_PILES:
            return f"{who} {verb} over {'both' if self.table.is_pair else 'the'} piles."
        if self.rules.slap_target == SlapTarget.BOTH_HANDS:
            return f"{who} {verb} {'both piles' if self.table.is_pair else 'two piles'}, a hand on each."
        return f"{who} {verb}{f' pile {event.pile + 1}' if event.pile >= 0 else ''}."


def closing(rules: SheddingRules, verdict: dict[str, int]) -> list[str]:
    """Say in a few lines what a deal came to.

    Parameters
    ----------
    rules
        The rules that were played.
    verdict
        The numbers that the referee has found.
    """
    n = verdict
    slaps = f"{n['stresses']} stresses ({n['picked_up']} cards taken up), {n['false_calls']} false calls,"
    back = (
        f"{n['late_cards']} late cards, {n['aborted_cards']} taken back on the way, {n['illegal_cards']} did not fit."
    )
    lines = [f"{n['moves']} plays, {n['stalls']} stalls, {slaps}", back]
    if verdict["stresses"]:
        forgot = " or forgot to call" if rules.stress_loser == StressLoser.SLOWER_OR_FORGOT else ""
        slower = "slower" if rules.n_players == 2 else "too slow"
        lines.append(f"Who took cards up was {slower}{forgot}.")
    return lines
