"""What cards are called: a rank and the suit that a copy stands for."""

from __future__ import annotations

from collections.abc import Sequence

from stressim.decks import JOKER_RANK

SUITS = "♠♥♦♣"
ASCII_SUITS = "shdc"


def card_name(ranks: Sequence[str], card: int, *, ascii_only: bool = False) -> str:
    """Name of a card: its rank and the suit that its copy stands for.

    Parameters
    ----------
    ranks
        Names of the ranks.
    card
        The card's number.
    ascii_only
        Whether suits are letters.

    Examples
    --------
    >>> ranks = ["A", "2", "3"]
    >>> card_name(ranks, 1), card_name(ranks, 2 + 16 * 3, ascii_only=True), card_name(ranks, 15)
    ('2♠', '3c', 'joker')
    """
    rank, copy = card % 16, card // 16
    if rank == JOKER_RANK:
        return "joker"
    return ranks[rank] + (ASCII_SUITS if ascii_only else SUITS)[copy % 4]
