"""A logged deal of the exchange game for people: a sentence for each event, and the table after it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from stressim.exchange.choices import DeadlockRule, FalseCallPenalty, Ranking, WinTie
from stressim.exchange.events import Kind, Outcome, Reason
from stressim.exchange.referee.table import Event, Table, best_ranks, counted_ranks
from stressim.exchange.rules import ExchangeRules
from stressim.telling import Moment, Namer, ending

_REASONS = {
    Reason.WIN_TIE: "Players were done at once",
    Reason.DEADLOCK: "Nobody has swapped a card for a while",
}
_PENALTIES = {
    FalseCallPenalty.NONE: "",
    FalseCallPenalty.TIME_LOSS: " and takes it back",
    FalseCallPenalty.FORFEIT: " and is out",
}
_LOCKED = "No card of the centre helps anybody, and nobody gives way: deadlocked."
_STUCK = "No card of the centre helps a bunch in hand, and nobody leaves his or gives way: deadlocked."
_MOST_BESIDE = 30  # columns that the centre may take beside a sentence

MARKS = {
    "take": ("move", "card swapped"),
    "miss": ("miss", "card gone before he came"),
    "pick_up": ("flip", "bunch picked up"),
    "complete": ("done", "bunch laid open"),
    "deadline": ("take", "time for a swap ran out"),
    "call": ("call", "call"),
    "false_call": ("call", "call"),
}
"""How a picture marks events: the kind of mark and what it means; events without one are not drawn."""

STRETCHES = {
    "stall": "the centre helps no bunch in hand",
    "lock": "the centre helps no bunch at all",
}
"""What is so while nobody can go on, by the kind of stretch."""


def opening(rules: ExchangeRules, cards: Sequence[int], *, ascii_only: bool = False) -> tuple[Moment, ...]:
    """Tell what comes before the first event: the deal, which has no rows in a log, and the signal.

    See :func:`moments` for the parameters.
    """
    table = Table.dealt(rules, cards)
    teller = _Teller(table, ascii_only=ascii_only)
    if rules.n_sides == 1:
        who = "the team has" if rules.team_size > 1 else "player 1 has"
    else:
        who = "each team has" if rules.team_size > 1 else "each player has"
    bunches = _many(rules.bunches_each, "bunch", "bunches")
    lie = f"{_many(rules.centre_cards, 'card')} {'lies' if rules.centre_cards == 1 else 'lie'} open in the centre"
    said = (
        f"{lie}, and {who} {bunches} of {rules.bunch_size}, face down.",
        "Ready, steady, go: the deal begins.",
    )
    shown = tuple(teller.row(player) for player in range(rules.n_players))
    return tuple(
        Moment(time=0, event="start", fields={}, sentence=sentence, tops=(teller.centre(),), table=shown)
        for sentence in said
    )


def moments(
    rules: ExchangeRules, cards: Sequence[int], events: Sequence[Sequence[int]], *, ascii_only: bool = False
) -> Iterator[Moment]:
    """Tell a log that the referee has accepted.

    Parameters
    ----------
    rules
        The rules that were played.
    cards
        The dealt cards: the bunches, player by player, then the centre.
    events
        The log.
    ascii_only
        Write suits as letters.
    """
    table = Table.dealt(rules, cards)
    teller = _Teller(table, ascii_only=ascii_only)
    for index, row in enumerate(events):
        time, code, *rest = (int(value) for value in row)
        event = Event(index, time, Kind(code), *rest)
        sentence = teller.sentence(event)
        table.apply(event)
        yield Moment(
            time=time,
            event=event.kind.word,
            fields=teller.said(event),
            sentence=sentence,
            tops=(teller.centre(),),
            table=tuple(teller.row(player) for player in range(rules.n_players)),
        )


class _Teller(Namer):
    """Says what is about to happen on a table."""

    def __init__(self, table: Table, *, ascii_only: bool) -> None:
        super().__init__(table.rules.ranks, ascii_only=ascii_only)
        self.table = table
        self.rules = table.rules

    def centre(self) -> str:
        """The ranks in the centre as they lie, or counted, as far as there is room for them."""
        cards = self.table.centre
        lying = " ".join(map(self.rank, cards))
        if len(lying) <= _MOST_BESIDE:
            return lying
        counts = sorted(counted_ranks(cards).items())
        counted = " ".join(f"{self.rank(rank)}{f'x{count}' if count > 1 else ''}" for rank, count in counts)
        return counted if len(counted) <= _MOST_BESIDE else f"{len(cards)} open cards"

    def row(self, player: int) -> str:
        """A player's bunches: ``[4 4 7 K] / 2 3 9 9 / A open`` is one in hand, one on the table, one laid open.

        Of partners each has the one in his hand, and the first all that nobody holds.
        """
        told = []
        elsewhere = self.table.held_by_partner(player)
        for bunch, cards in enumerate(self.table.bunches[player]):
            if bunch in elsewhere or (player >= self.rules.n_sides and self.table.in_hand[player] != bunch):
                continue
            ranks = " ".join(self.rank(card) for card in sorted(cards, key=lambda card: card % 16))
            if self.table.laid_open[player][bunch]:
                ranks = f"{self.rank(cards[0])} open"
            told.append(f"[{ranks}]" if self.table.in_hand[player] == bunch else ranks)
        return " / ".join(told) + (" (out)" if player in self.table.out else "")

    def is_helped(self) -> bool:
        """Whether a card of the centre is of a rank of which an unfinished bunch holds most."""
        lying = set(counted_ranks(self.table.centre))
        return any(
            lying & best_ranks(self.table.bunches[player][bunch])
            for player in self.table.players
            for bunch in self.table.unfinished(player)
        )

    def said(self, event: Event) -> dict[str, Any]:
        """What the event says, for machines."""
        said = self.fields(event, ("player", "bunch"))
        if event.kind == Kind.REDEAL:
            said["reason"] = Reason(event.number).word
        elif event.kind == Kind.END:
            said["outcome"] = Outcome(event.number).word
        elif event.number >= 0:
            said["more"] = event.number
        return said

    def sentence(self, event: Event) -> str:
        """Say an event that is about to be carried out; the cards of a new deal stand in the table alone."""
        if event.kind == Kind.DEAL:
            return ""
        if event.kind == Kind.REDEAL:
            return f"{_REASONS[Reason(event.number)]}: the cards are dealt again."
        who = f"Player {event.player + 1}"
        if event.kind == Kind.END:
            return ending(Outcome(event.number), who, _STUCK if self.is_helped() else _LOCKED, self._why_drawn())
        return f"{who} {self._does(event)}."

    def _why_drawn(self) -> str:
        """What makes it a draw if the deal is drawn as the table is now (A20, A23, A26)."""
        sides, rules = self.table.sides, self.rules
        if not sides:
            return f"Nobody is left in the deal (false_call_penalty={rules.false_call_penalty.word})"
        if sum(not self.table.remaining(side) for side in sides) > 1:
            why = "and nobody was first" if rules.win_tie == WinTie.FIRST_COMPLETE else "and share the win"
            return f"{_REASONS[Reason.WIN_TIE]}, {why} (win_tie={rules.win_tie.word})"
        if rules.deadlock_rule != DeadlockRule.MOST_COMPLETE_WINS:
            return ""
        most = max(map(self.table.n_laid_open, sides))
        *best, last = (str(side + 1) for side in sides if self.table.n_laid_open(side) == most)
        who = f"{'the teams of players' if rules.team_size > 1 else 'players'} {', '.join(best)} and {last}"
        each = _many(most, "open bunch", "open bunches")
        return f"{_REASONS[Reason.DEADLOCK]}, and {who} have {each} each (deadlock_rule={rules.deadlock_rule.word})"

    def _does(self, event: Event) -> str:
        kind, bunch = event.kind, f"bunch {event.bunch + 1}"
        cards = self.table.bunches[event.player][event.bunch] if event.bunch >= 0 else []
        if kind == Kind.PICK_UP:
            return f"picks up {bunch}: {' '.join(map(self.card, cards))}"
        if kind == Kind.PUT_BACK:
            return f"puts {bunch} back, face down"
        if kind == Kind.PUT_DOWN:
            return f"lays {self.card(event.card)} of {bunch} in the centre"
        if kind == Kind.TAKE:
            return f"takes {self.card(event.card)} for {bunch}"
        if kind == Kind.MISS:
            if event.card in self.table.centre:
                return f"touches {self.card(event.card)} at once with another and lets go"
            return f"comes too late for {self.card(event.card)}"
        if kind == Kind.COMPLETE:
            says = "says it and " if self.rules.announce_bunch else ""
            return f"{says}lays open {bunch}: {' '.join(map(self.card, cards))}"
        if kind == Kind.DEADLINE:
            return f"has swapped no card in {self.rules.swap_deadline_s:g} s and puts {bunch} back"
        if kind == Kind.FALSE_CALL:
            return f"calls {self._call_word()} with a card lacking{_PENALTIES[self.rules.false_call_penalty]}"
        if self.rules.ranking != Ranking.NONE:
            return f"calls {self._call_word()} and has place {len(self.table.placed) + 1}"
        return f"calls {self._call_word()}"

    def _call_word(self) -> str:
        word = self.rules.call_word.meaning
        if self.ascii_only:
            word = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode()
        return f'"{word}"'


def closing(rules: ExchangeRules, verdict: dict[str, int]) -> list[str]:
    """Say in a few lines what a deal came to.

    Parameters
    ----------
    rules
        The rules that were played.
    verdict
        The numbers that the referee has found.
    """
    n = verdict
    kinds = ", ".join(_many(n[f"{word}s"], word) for word in ("swap", "churn", "yield"))
    back, lost = _many(n["switches"], "bunch", "bunches"), _many(n["contested_lost"], "card")
    lines = [
        f"{_many(n['moves'], 'move')}: {kinds}; {back} put back.",
        f"{_many(n['stalls'], 'stall')}, {_many(n['locks'], 'lock')}; {lost} lost to quicker hands.",
    ]
    more = [
        _many(n[name], what)
        for name, what in (("deadlines", "missed deadline"), ("false_calls", "false call"), ("redeals", "new deal"))
        if n[name]
    ]
    if more:
        lines.append(f"{', '.join(more)}.")
    if n["won"] and rules.n_sides > 1:
        when = "have" if rules.ranking == Ranking.NONE else "had then"
        lines.append(f"The others {when} laid open {_many(n['loser_bunches'], 'bunch', 'bunches')}.")
    if n["ranked"] and rules.n_sides > 1:
        places = sorted((n[f"place_{side}"], side) for side in range(1, rules.n_sides + 1))
        who = "team of player" if rules.team_size > 1 else "player"
        lines.append(f"Places: {', '.join(f'{place} {who} {side}' for place, side in places)}.")
    return lines


def _many(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
