"""The cards: which decks there are, what their ranks are called, and what number a card has.

A card is a number below 256: ``rank + 16 * copy``, with ranks counted from 0 in the order of :func:`ranks_of` and a
joker's rank 15. Every card of a game is another number.
"""

from __future__ import annotations

import functools

from stressim.options import Choice

MAX_RANKS = 15  # rank numbers fill four bits of a card beside the joker's
MAX_COPIES = 16  # and copies the other four
JOKER_RANK = 15
MAX_TEXT = 80  # characters of deck_ranks

STANDARD_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


class Deck(Choice):
    """Which cards are used (B1)."""

    FRENCH52 = 0, "52 cards, ace to king, four of each"
    JASS36 = 1, "36 cards, six to ace, four of each"
    SKAT32 = 2, "32 cards, seven to ace, four of each"
    DOPPELKOPF48 = 3, "48 cards, nine to ace, eight of each"
    CUSTOM = 4, "as deck_ranks and deck_copies say"


def card_number(rank: int, copy: int) -> int:
    """Return the number of a card.

    >>> card_number(0, 0), card_number(12, 3), card_number(JOKER_RANK, 1)
    (0, 60, 31)
    """
    return rank + 16 * copy


def check_deck(deck: Deck, text: str) -> None:
    """Refuse a deck whose ranks cannot be read.

    Raises
    ------
    ValueError
        If the ranks are missing, do not belong to the deck, or cannot be read.
    """
    if deck == Deck.CUSTOM and not text:
        raise ValueError(
            "deck=custom needs deck_ranks: a number such as 9, a range such as 6-A, or names such as '1 2 3'"
        )
    if deck != Deck.CUSTOM and text and len(text.strip()) <= MAX_TEXT:
        raise ValueError(f"deck_ranks={text!r} goes with deck=custom, but deck is {deck.word}")
    ranks_of(deck, text)


def check_copies(n_copies: int, options: str) -> None:
    """Refuse more cards of a rank than a card's number tells apart.

    Parameters
    ----------
    n_copies
        Cards of each rank on the table.
    options
        The options that decide it, as a sentence lists them.

    Raises
    ------
    ValueError
        If there are too many.
    """
    if n_copies > MAX_COPIES:
        raise ValueError(
            f"{n_copies} cards of each rank are on the table ({options} together), at most {MAX_COPIES} are possible"
        )


def copies_in_deck(deck: Deck, custom: int) -> int:
    """Return how many cards of each rank one deck has; ``custom`` is the number in a custom deck.

    >>> copies_in_deck(Deck.DOPPELKOPF48, 4), copies_in_deck(Deck.CUSTOM, 3)
    (8, 3)
    """
    if deck == Deck.CUSTOM:
        return custom
    return 8 if deck == Deck.DOPPELKOPF48 else 4


_DECK_RANGES = {Deck.FRENCH52: "A-K", Deck.JASS36: "6-A", Deck.SKAT32: "7-A", Deck.DOPPELKOPF48: "9-A"}


@functools.cache
def ranks_of(deck: Deck, text: str) -> tuple[str, ...]:
    """Return the names of a deck's ranks in rising order; an ace, if there is one, comes first.

    Raises
    ------
    ValueError
        If the text names no ranks; the text says why.

    Examples
    --------
    >>> ranks_of(Deck.JASS36, "")
    ('A', '6', '7', '8', '9', '10', 'J', 'Q', 'K')
    >>> ranks_of(Deck.CUSTOM, "0-3"), ranks_of(Deck.CUSTOM, "4"), ranks_of(Deck.CUSTOM, "7 8 x")
    (('0', '1', '2', '3'), ('A', '2', '3', '4'), ('7', '8', 'x'))
    """
    text = text.strip()
    if len(text) > MAX_TEXT:
        raise ValueError(f"deck_ranks has {len(text)} characters, at most {MAX_TEXT} are possible")
    text = _DECK_RANGES.get(deck, text)
    names = text.replace(",", " ").split()
    ends = [end.strip().upper() for end in text.split("-")]
    if len(ends) == 2 and all(len(end.split()) == 1 for end in ends):
        names = _rank_range(*ends)
    elif len(names) == 1 and text.isdecimal():
        # Beyond the 13 known names ranks are numbers; one more than possible is enough to be refused below.
        count = min(int(text), MAX_RANKS + 1)
        names = [str(n) for n in range(1, count + 1)] if count > len(STANDARD_RANKS) else list(STANDARD_RANKS[:count])
    if not 2 <= len(names) <= MAX_RANKS:
        raise ValueError(f"deck_ranks={text!r} must name 2 to {MAX_RANKS} ranks")
    for name in names:
        if len(name) > 4 or not name.isalnum():
            raise ValueError(f"deck_ranks={text!r} has the rank {name!r}: a name is 1 to 4 letters and digits")
    if len(set(names)) < len(names):
        raise ValueError(f"deck_ranks={text!r} names a rank twice")
    if "A" in names:
        names.remove("A")
        names.insert(0, "A")
    return tuple(names)


def _rank_range(first: str, last: str) -> list[str]:
    """Ranks from ``first`` to ``last``, an ace at either end."""
    ring = [*STANDARD_RANKS, "A"]
    if first in ring and last in ring:
        begin = ring.index(first)
        end = len(ring) - 1 if last == "A" else ring.index(last)
        if begin < end:
            return ring[begin : min(end + 1, begin + len(STANDARD_RANKS))]
    if first.isdecimal() and last.isdecimal() and len(first) < 4 and len(last) < 4 and int(first) < int(last):
        return [str(n) for n in range(int(first), min(int(last), int(first) + MAX_RANKS) + 1)]
    raise ValueError(f"deck_ranks='{first}-{last}' is no range; write it like 6-A, A-9 or 0-9")
