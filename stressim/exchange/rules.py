"""Every rule of the exchange game that differs from table to table.

Source: S0, a Norwegian text on the game known as James Bond; the number behind the colon is its line. ``U`` numbers
name the cases that it leaves open; the default is the reading that most tables would call natural. ``A`` numbers are
those of the rules that it states.

Rules with one value everywhere are no options: ranks have no order and suits mean nothing (A3); bunches are not looked
at before the start (A7), which is given by "ready, steady, go" (A8); everybody plays at once; one bunch is in hand at
a time (A9) and goes face down on the table before another is picked up (A10); a card laid in the centre is free the
moment it lies there (A-U14); nobody hides cards, or holds more than a bunch has but for the moment that
``swap_order=take_first`` asks for (A13, A15); a bunch is complete when all its cards have one rank (A17), is laid open
at once where all see it (A18, A-U10), even if it was dealt so (A-U7), and is never touched again (A19); two bunches of
a player may have the same rank where there are cards enough (A-U13); the player who has laid open all his bunches
wins when he calls (A22, A-U8), and the others score nothing (A24). A joker is a card of a rank of
its own: no text gives it a meaning, S0:9 only says that with two of them the cards do not come out even.

Partners (``team_size``) own their bunches together, and the numbers of bunches count for the team. Each holds one at a
time, so a pair views two; no bunch is in two hands, and a player for whom none is left looks on. One of each team sits
after the other: of two pairs, players 1 and 3 play against 2 and 4.
"""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import model_validator

from stressim.decks import (
    JOKER_RANK,
    MAX_COPIES,
    Deck,
    card_number,
    copies_in_deck,
    ranks_of,
)
from stressim.exchange.choices import (
    AfterSnatch,
    CallWord,
    ContestedCard,
    DeadlineReset,
    DeadlockRule,
    FalseCallPenalty,
    Ranking,
    SwapOrder,
    TakeBackOwn,
    TouchTie,
    WinTie,
)
from stressim.exchange.combining import check_combination
from stressim.exchange.limits import MAX_BUNCH, MAX_BUNCHES_EACH, MAX_CARDS, MAX_CENTRE, MAX_GRAB, MAX_PLAYERS, MAX_TEAM
from stressim.matchrules import MatchStop, match_option, match_stop_option
from stressim.options import GameRules, option


class ExchangeRules(GameRules):
    """Rules of the exchange game.

    Examples
    --------
    >>> rules = ExchangeRules(n_players=3)
    >>> rules.bunches_each, rules.n_bunches, rules.n_cards, len(rules.cards)
    (4, 12, 52, 52)
    """

    family: ClassVar[str] = "exchange"

    n_players: int = option(2, "number of players", source="S0:5, S0:76", tried=(), ge=1, le=MAX_PLAYERS)
    team_size: int = option(
        1,
        "players of a team, who share their bunches and hold one each",
        source="house rule elsewhere",
        unit="players",
        tried=(),
        ge=1,
        le=MAX_TEAM,
    )

    # the cards
    deck: Deck = option("french52", "which deck is used", source="S0:9")
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
    n_decks: int = option(1, "decks shuffled together", source="S0:76", unit="decks", ge=1, le=8)
    n_jokers: int = option(
        0, "jokers in the game; they are one more rank", source="S0:9", unit="cards", ge=0, le=MAX_COPIES
    )
    cards_removed: int = option(
        0,
        "cards left out of the game: all of the last rank, then of the one before it",
        source="S0:76",
        unit="cards",
        ge=0,
        le=MAX_CARDS,
    )
    centre_cards: int = option(4, "open cards in the centre", source="S0:13, A-U12", unit="cards", ge=1, le=MAX_CENTRE)
    bunch_size: int = option(4, "cards in a bunch", source="S0:13", unit="cards", ge=2, le=MAX_BUNCH)

    handicap_bunches: int = option(
        0,
        "bunches that one player is given complete and open at the deal, of ranks that chance names",
        source="house rule, guess",
        unit="bunches",
        ge=0,
        le=MAX_BUNCHES_EACH,
    )
    handicap_player: int = option(
        1,
        "who is given them; used with handicap_bunches",
        source="house rule",
        unit="player",
        ge=1,
        le=MAX_PLAYERS,
        needs="handicap_bunches!=0",
    )

    # swapping
    swap_order: SwapOrder = option("put_down_first", "which comes first, giving or taking", source="S0:27")
    swap_max_cards: int = option(
        1,
        "most cards that may be swapped in one grab",
        source="S0:29, S0:74, A-U5",
        unit="cards",
        ge=1,
        le=MAX_GRAB,
        remedy=True,
    )
    grab_equal_only: bool = option(
        False, "whether cards taken in one grab must have one rank", source="S0:74, A-U5", needs="swap_max_cards!=1"
    )
    take_back_own: TakeBackOwn = option(
        "allowed_later", "when a player may take back a card of his own", source="S0:31, A-U3", remedy=True
    )
    after_snatch: AfterSnatch = option(
        "may_wait",
        "a player has laid a card and the one he wanted has gone",
        source="S0:33, A-U2",
        remedy=True,
        clock=True,
    )
    contested_card: ContestedCard = option(
        "first_touch", "whose a card is that several reach for", source="S0:33, S0:37", remedy=True, clock=True
    )
    touch_tie: TouchTie = option("random", "several touch a card at once", source="A-U4", clock=True)
    tie_window_ms: float = option(
        8.0,
        "hands closer than this at one card came at once; the lower hand shows",
        source="guess",
        unit="ms",
        ge=0,
        le=10_000,
        clock=True,
    )

    # when nothing fits
    deadlock_rule: DeadlockRule = option(
        "none", "the agreed way out of a deadlock", source="S0:45, S0:49, A-U1", remedy=True
    )
    swap_deadline_s: float = option(
        5.0,
        "time in which a player must swap a card; used with deadlock_rule=swap_deadline",
        source="S0:49",
        unit="s",
        ge=0.1,
        le=1000,
        needs="deadlock_rule=swap_deadline",
        clock=True,
    )
    deadline_reset: DeadlineReset = option(
        "swap",
        "what starts that time anew",
        source="S0:49, A-U6",
        remedy=True,
        needs="deadlock_rule=swap_deadline",
        clock=True,
    )
    deadlock_wait_s: float = option(
        10.0,
        "time without a swap after which redeal or most_complete_wins applies",
        source="guess",
        unit="s",
        ge=0.1,
        le=1000,
        needs="deadlock_rule=redeal|most_complete_wins",
        clock=True,
    )

    # the end
    ranking: Ranking = option(
        "none", "whether play goes on after the first has won", source="S0:53, house rule elsewhere"
    )
    win_tie: WinTie = option("redeal", "two players call nearly at once", source="S0:53", remedy=True)
    call_tie_window_ms: float = option(
        30.0, "calls closer than this came at once", source="timing: 20-60 ms", unit="ms", ge=0, le=10_000, clock=True
    )
    false_call_penalty: FalseCallPenalty = option(
        "time_loss", "what a false call costs", source="S0:70, A-U9", clock=True
    )
    announce_bunch: bool = option(
        False, "whether players say it when a bunch is complete", source="S0:75", cosmetic=True
    )
    call_word: CallWord = option("stress", "the word that the winner calls", source="S0:77, S0:80", cosmetic=True)

    # matches
    match_format: str = match_option(source="S0:55, S0:78")
    match_stop: MatchStop = match_stop_option()

    @model_validator(mode="after")
    def _combines(self) -> Self:
        check_combination(self)
        return self

    @property
    def ranks(self) -> tuple[str, ...]:
        """Names of the deck's ranks; their order means nothing in this game."""
        return ranks_of(self.deck, self.deck_ranks)

    @property
    def n_ranks(self) -> int:
        """Number of different ranks, jokers not counted."""
        return len(self.ranks)

    @property
    def n_copies_total(self) -> int:
        """Cards of each rank before any are removed."""
        return copies_in_deck(self.deck, self.deck_copies) * self.n_decks

    @property
    def n_cards_full(self) -> int:
        """Cards before any are removed, jokers included."""
        return self.n_copies_total * self.n_ranks + self.n_jokers

    @property
    def n_cards(self) -> int:
        """Cards in the game, jokers included."""
        return self.n_cards_full - self.cards_removed

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards in the game, rank by rank; removed are the last ones before the jokers.

        Examples
        --------
        >>> ExchangeRules(deck="custom", deck_ranks="3", deck_copies=2, bunch_size=2, centre_cards=2).cards
        (0, 16, 1, 17, 2, 18)
        """
        ranked = [card_number(rank, copy) for rank in range(self.n_ranks) for copy in range(self.n_copies_total)]
        kept = ranked[: max(0, len(ranked) - self.cards_removed)]
        return (*kept, *(card_number(JOKER_RANK, copy) for copy in range(self.n_jokers)))

    @property
    def n_bunches(self) -> int:
        """Bunches of all players together."""
        return (self.n_cards - self.centre_cards) // self.bunch_size

    @property
    def handicap(self) -> str:
        """What makes equal players unequal; empty if nothing does."""
        if not self.handicap_bunches:
            return ""
        return f"handicap_bunches={self.handicap_bunches}, handicap_player={self.handicap_player}"

    @property
    def n_sides(self) -> int:
        """Players, or teams of them, that play against each other."""
        return self.n_players // self.team_size

    @property
    def bunches_each(self) -> int:
        """Bunches of each player, or of each team (A5)."""
        return self.n_bunches // self.n_sides

    @property
    def plain_swaps(self) -> bool:
        """Whether swaps are of one card, laid first, and bar no card but that one, as in most games."""
        barred_for_good = self.take_back_own == TakeBackOwn.FORBIDDEN
        return self.swap_max_cards == 1 and self.swap_order == SwapOrder.PUT_DOWN_FIRST and not barred_for_good

    def side_of(self, player: int) -> int:
        """Side of a player, both counted from 0; one player of each team sits after the other."""
        return player % self.n_sides

    @property
    def lowered_extra(self) -> dict[str, int]:
        """Facts about the cards that a kernel needs beside the options themselves."""
        return {
            "n_ranks": self.n_ranks,
            "n_copies_total": self.n_copies_total,
            "n_cards": self.n_cards,
            "n_bunches": self.n_bunches,
            "bunches_each": self.bunches_each,
            "n_sides": self.n_sides,
            "plain_swaps": int(self.plain_swaps),
        }
