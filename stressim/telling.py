"""What the replays of all families share: a moment of a deal, names of cards, and how a deal ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stressim.cardnames import card_name
from stressim.outcomes import Outcome

_ENDS = {
    Outcome.LIVELOCKED: "The same positions would come back for ever: livelocked.",
    Outcome.UNFINISHED: "The deal is stopped here, unfinished.",
}


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One event and what lies on the table after it.

    Parameters
    ----------
    time
        Microseconds, or moves under uniform timing.
    event
        Name of the event in lower case.
    fields
        What the log says: player and places counted from 1, card by name, number; only what the event uses.
    sentence
        The event for people; empty where an earlier sentence has said it.
    tops
        What lies open in the middle as text: the tops of the piles (``-`` for an empty place), or all in one.
    table
        What each player has, as text.
    """

    time: int
    event: str
    fields: dict[str, Any]
    sentence: str
    tops: tuple[str, ...]
    table: tuple[str, ...]


class Namer:
    """Names cards.

    Parameters
    ----------
    ranks
        Names of the ranks.
    ascii_only
        Write suits as letters.
    """

    def __init__(self, ranks: Sequence[str], *, ascii_only: bool) -> None:
        self.ranks = ranks
        self.ascii_only = ascii_only

    def card(self, card: int) -> str:
        """Return the card's name."""
        return card_name(self.ranks, card, ascii_only=self.ascii_only)

    def rank(self, card: int) -> str:
        """Return the card's name without its suit, which means nothing."""
        name = card_name(self.ranks, card, ascii_only=True)
        return "joker" if name == "joker" else name[:-1]

    def fields(self, event: Any, places: Sequence[str]) -> dict[str, Any]:
        """Return what an event says of these places and of its card; what it does not use is left out."""
        said = {name: getattr(event, name) + 1 for name in places if getattr(event, name) >= 0}
        return said | {"card": self.card(event.card)} if event.card >= 0 else said


def ending(outcome: Outcome, winner: str, deadlocked: str, why_drawn: str) -> str:
    """Say how a deal ended.

    Parameters
    ----------
    outcome
        How.
    winner
        Who has won, if anybody has.
    deadlocked
        The family's sentence for a deadlock.
    why_drawn
        What makes it a draw, if it is one, with the rule that says so; empty if nothing does.

    Examples
    --------
    >>> ending(Outcome.DRAWN, "", "", "Both have 3 cards"), ending(Outcome.DRAWN, "", "", "")
    ('Both have 3 cards: the deal is drawn.', 'The deal is drawn.')
    """
    if outcome == Outcome.WON:
        return f"{winner} has won."
    if outcome == Outcome.DRAWN:
        return f"{why_drawn}: the deal is drawn." if why_drawn else "The deal is drawn."
    return deadlocked if outcome == Outcome.DEADLOCKED else _ENDS[outcome]
