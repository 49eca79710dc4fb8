"""Rules of the shedding game about the table: who plays, with how many piles, and with which cards.

Sources as in :mod:`stressim.shedding.rules`, which has all other rules.
"""

from __future__ import annotations

from stressim.decks import MAX_COPIES, Deck, copies_in_deck, ranks_of
from stressim.options import GameRules, option
from stressim.shedding.choices import Ace, DealMode, JokerMode
from stressim.shedding.limits import MAX_PILES, MAX_PLAYERS


class TableRules(GameRules):
    """Players, piles and cards, and what follows from them alone.

    Examples
    --------
    >>> table = TableRules(n_players=3)
    >>> table.n_piles, table.n_cards, table.cards_dealt
    (3, 156, 52)
    """

    n_players: int = option(2, "number of players", source="S2:10, S2:64, S2:70", tried=(), ge=2, le=MAX_PLAYERS)
    centre_piles: int = option(
        0,
        "piles in the centre; 0 one for each player, otherwise at least two",
        source="S1:11, S2:20, S2:70",
        unit="piles",
        tried=(2, 3, 4),
        ge=0,
        le=MAX_PILES,
    )

    # the cards
    deck: Deck = option("french52", "which deck is used", source="S2:9, S4:45, S4:66, S4:86")
    deck_ranks: str = option(
        "",
        "ranks of a custom deck: a number, a range such as 6-A, or names set apart by spaces",
        source="house rule",
        needs="deck=custom",
    )
    deck_copies: int = option(
        4,
        "cards of each rank in a custom deck",
        source="house rule",
        unit="cards",
        ge=1,
        le=MAX_COPIES,
        needs="deck=custom",
    )
    deal_mode: DealMode = option("split_one_deck", "how the cards are shared out", source="S2:17, S4:13, S2:70")
    n_decks: int = option(
        2,
        "decks shuffled together; used with deal_mode=split_combined",
        source="S2:70",
        unit="decks",
        ge=1,
        le=8,
        needs="deal_mode=split_combined",
    )
    n_jokers: int = option(
        0, "jokers in the game, all players together", source="S4:70", unit="cards", ge=0, le=MAX_COPIES
    )
    joker_mode: JokerMode = option("wild", "what a joker counts as", source="S4:70, U32", needs="n_jokers!=0")
    handicap_cards: int = option(
        0,
        "cards of each other stock that player 1 gets before the rows are laid out; below 0 each other player of his",
        source="house rule",
        unit="cards",
        ge=-127,
        le=127,
    )
    ace: Ace = option("wrap", "where the ace stands", source="S2:34, S3:19, S4:23", remedy=True)

    @property
    def handicap(self) -> str:
        """What makes equal players unequal; empty if nothing does."""
        return f"handicap_cards={self.handicap_cards}" if self.handicap_cards else ""

    @property
    def ranks(self) -> tuple[str, ...]:
        """Names of the deck's ranks in rising order; an ace, if there is one, comes first."""
        return ranks_of(self.deck, self.deck_ranks)

    @property
    def n_ranks(self) -> int:
        """Number of different ranks, jokers not counted."""
        return len(self.ranks)

    @property
    def n_copies(self) -> int:
        """Cards of each rank in one deck."""
        return copies_in_deck(self.deck, self.deck_copies)

    @property
    def own_decks(self) -> bool:
        """Whether each player has a deck of his own, as more than two have where two would share one (S2:70)."""
        shared = self.deal_mode == DealMode.SPLIT_ONE_DECK and self.n_players > 2
        return shared or self.deal_mode == DealMode.OWN_DECK_EACH

    @property
    def n_piles(self) -> int:
        """Piles in the centre."""
        return self.centre_piles or self.n_players

    @property
    def n_decks_total(self) -> int:
        """Decks on the table."""
        if self.own_decks:
            return self.n_players
        return self.n_decks if self.deal_mode == DealMode.SPLIT_COMBINED else 1

    @property
    def n_copies_total(self) -> int:
        """Cards of each rank on the table."""
        return self.n_copies * self.n_decks_total

    @property
    def n_cards(self) -> int:
        """Cards on the table, jokers included."""
        return self.n_copies_total * self.n_ranks + self.n_jokers

    @property
    def cards_dealt(self) -> int:
        """Each player's share: his own cards, those of the side pile on his right, and his first centre card."""
        return self.n_cards // self.n_players
