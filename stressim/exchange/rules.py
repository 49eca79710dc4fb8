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
wins when he calls (A22, A-U8), and the others are not ranked and score nothing (A24). A joker is a card of a rank of
its own: no text gives it a meaning, S0:9 only says that with two of them the cards do not come out even.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar, Self

from pydantic import model_validator

from stressim.decks import (
    JOKER_RANK,
    MAX_COPIES,
    Deck,
    card_number,
    check_deck,
    copies_in_deck,
    ranks_of,
)
from stressim.matchrules import MatchStop, match_format, match_option, match_stop_option
from stressim.options import Choice, Options, option

MAX_PLAYERS = 12
MAX_CENTRE = 24
MAX_BUNCH = 8
MAX_GRAB = 4
MAX_CARDS = 256  # all numbers that a card can have
MAX_BUNCHES = (MAX_CARDS - 1) // 2
MAX_BUNCHES_EACH = 62  # bits of a number


class SwapOrder(Choice):
    """Which comes first, giving a card or taking one (A11)."""

    PUT_DOWN_FIRST = 0, "lay a card in the centre first, then take one"
    TAKE_FIRST = 1, "take a card first, then lay one in the centre"
    SIMULTANEOUS = 2, "lay one and take one at the same moment; if the card wanted has gone, keep your own"


class TakeBackOwn(Choice):
    """When a player may take a card that he laid in the centre himself (A14, A-U3)."""

    FORBIDDEN = 0, "never again in this deal"
    ALLOWED_LATER = 1, "in a later swap, but not in the same one"
    ALLOWED = 2, "at any time, in the same swap too"


class AfterSnatch(Choice):
    """What a player must do whose wanted card has gone after he has laid his own (A-U2)."""

    MAY_WAIT = 0, "there is time to wait for a better card"
    TAKE_ANOTHER = 1, "it must be at once"


class ContestedCard(Choice):
    """Whose a card is when several players reach for it (A16)."""

    FIRST_TOUCH = 0, "the first to touch it has it"
    FIRST_IN_HAND = 1, "the first to bring it into his hand has it"
    RANDOM = 2, "a coin names one of those who touched it before anybody brought it into his hand"


class TouchTie(Choice):
    """What happens when nobody can say who was first at a card (A-U4)."""

    RANDOM = 0, "chance gives it to one of them"
    REDO = 1, "all let go, and the card stays"


class DeadlockRule(Choice):
    """The agreed way out when nobody gives way (A20, A-U1). Switching, churning and yielding are habits."""

    NONE = 0, "the text has no rule; the deal ends deadlocked when nobody gives way"
    SWAP_DEADLINE = 1, "a bunch in hand with which no card is swapped in time goes back on the table"
    REDEAL = 2, "when nobody has swapped a card for a while, the cards are dealt again"
    MOST_COMPLETE_WINS = (
        3,
        "when nobody has swapped a card for a while, most complete bunches win; equal numbers are a draw",
    )


class DeadlineReset(Choice):
    """What starts a player's time anew under a deadline (A21, A-U6)."""

    SWAP = 0, "a swap or a complete bunch; putting a bunch back by oneself does not help"
    SWAP_OR_SWITCH = 1, "a swap, a complete bunch, or picking up another bunch"


class WinTie(Choice):
    """What near-simultaneous calls mean (A23)."""

    REDEAL = 0, "the cards are dealt again"
    FIRST_COMPLETE = 1, "who laid open his last bunch first has won; the same moment is a draw"
    SHARED = 2, "the win is shared, so the deal is drawn"


class FalseCallPenalty(Choice):
    """What it costs to call before the last bunch is complete (A26, A-U9)."""

    NONE = 0, "nothing but the breath"
    TIME_LOSS = 1, "time: the call is withdrawn while the others play on"
    FORFEIT = 2, "the deal: he is out, and the last one left has won"


class CallWord(Choice):
    """The word that the winner calls (A28); it is the name of the game."""

    STRESS = 0, "Stress"
    JAMES_BOND = 1, "James Bond"
    ATLANTIS = 2, "Atlantis"
    CHANHASSEN = 3, "Chanhassen"
    LAENNEN_NOPEIN = 4, "Lännen nopein"


class ExchangeRules(Options):
    """Rules of the exchange game.

    Examples
    --------
    >>> rules = ExchangeRules(n_players=3)
    >>> rules.bunches_each, rules.n_bunches, rules.n_cards, len(rules.cards)
    (4, 12, 52, 52)
    """

    family: ClassVar[str] = "exchange"

    n_players: int = option(2, "number of players", source="S0:5, S0:76", ge=1, le=MAX_PLAYERS)

    # the cards
    deck: Deck = option("french52", "which deck is used", source="S0:9")
    deck_ranks: str = option(
        "", "ranks of a custom deck: a number, a range such as 6-A, or names set apart by spaces", source="house rule"
    )
    deck_copies: int = option(
        4, "cards of each rank in a custom deck", source="house rule", unit="cards", ge=1, le=MAX_COPIES
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
    grab_equal_only: bool = option(False, "whether cards taken in one grab must have one rank", source="S0:74, A-U5")
    take_back_own: TakeBackOwn = option(
        "allowed_later", "when a player may take back a card of his own", source="S0:31, A-U3", remedy=True
    )
    after_snatch: AfterSnatch = option(
        "may_wait", "a player has laid a card and the one he wanted has gone", source="S0:33, A-U2", remedy=True
    )
    contested_card: ContestedCard = option(
        "first_touch", "whose a card is that several reach for", source="S0:33, S0:37", remedy=True
    )
    touch_tie: TouchTie = option("random", "several touch a card at once", source="A-U4")
    tie_window_ms: float = option(
        8.0,
        "hands closer than this at one card came at once; the lower hand shows",
        source="guess",
        unit="ms",
        ge=0,
        le=10_000,
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
    )
    deadline_reset: DeadlineReset = option("swap", "what starts that time anew", source="S0:49, A-U6", remedy=True)
    deadlock_wait_s: float = option(
        10.0,
        "time without a swap after which redeal or most_complete_wins applies",
        source="guess",
        unit="s",
        ge=0.1,
        le=1000,
    )

    # the end
    win_tie: WinTie = option("redeal", "two players call nearly at once", source="S0:53", remedy=True)
    call_tie_window_ms: float = option(
        30.0, "calls closer than this came at once", source="timing: 20-60 ms", unit="ms", ge=0, le=10_000
    )
    false_call_penalty: FalseCallPenalty = option("time_loss", "what a false call costs", source="S0:70, A-U9")
    announce_bunch: bool = option(
        False, "whether players say it when a bunch is complete", source="S0:75", cosmetic=True
    )
    call_word: CallWord = option("stress", "the word that the winner calls", source="S0:77, S0:80", cosmetic=True)

    # matches
    match_format: str = match_option(source="S0:55, S0:78")
    match_stop: MatchStop = match_stop_option()

    @model_validator(mode="after")
    def _combines(self) -> Self:
        check_deck(self.deck, self.deck_ranks)
        match_format(self.match_format)
        if self.n_copies_total > MAX_COPIES:
            raise ValueError(
                f"{self.n_copies_total} cards of each rank are on the table (deck, deck_copies and n_decks together), "
                f"at most {MAX_COPIES} are possible"
            )
        for name, limit in (("bunch_size", self.bunch_size), ("centre_cards", self.centre_cards)):
            if self.swap_max_cards > limit:
                raise ValueError(f"swap_max_cards={self.swap_max_cards} is more than {name}={limit} allows")
        if self.grab_equal_only and self.swap_max_cards == 1:
            raise ValueError("grab_equal_only=true needs swap_max_cards=2 or more")
        if max(self.n_copies_total, self.n_jokers) < self.bunch_size:
            raise ValueError(
                f"bunch_size={self.bunch_size} needs as many cards of a rank, but there are only {self.n_copies_total} "
                "(deck, deck_copies and n_decks together)"
            )
        self._comes_out_even()
        if self.bunches_each > MAX_BUNCHES_EACH:
            raise ValueError(
                f"a player has {self.bunches_each} bunches of bunch_size={self.bunch_size}, at most {MAX_BUNCHES_EACH} "
                "are possible; change n_players or bunch_size"
            )
        complete = sum(number // self.bunch_size for number in self._copies_of_ranks.values())
        if complete < self.bunches_each:
            raise ValueError(
                f"nobody could win: a player has {_counted(self.bunches_each, 'bunch', 'bunches')} of "
                f"bunch_size={self.bunch_size}, but the cards make only {complete} complete ones; change deck_copies, "
                "bunch_size or n_players"
            )
        return self

    def _comes_out_even(self) -> None:
        """Refuse cards that do not make as many bunches for every player (S0:76), and name the nearest that do."""
        dealt = self.n_cards - self.centre_cards
        each = self.bunch_size * self.n_players
        if dealt >= each and dealt % each == 0:
            return
        players = [
            n for n in range(1, MAX_PLAYERS + 1) if dealt >= self.bunch_size * n and dealt % (self.bunch_size * n) == 0
        ]
        removed = [
            n
            for n in range(self.n_cards_full - self.centre_cards - each + 1)
            if (self.n_cards_full - self.centre_cards - n) % each == 0
        ]
        ways = [f"n_players={n}" for n in _nearest(self.n_players, players)]
        ways += [f"cards_removed={n}" for n in _nearest(self.cards_removed, removed)]
        raise ValueError(
            f"n_players={self.n_players} does not come out even: beside {self.centre_cards} open cards {max(0, dealt)} "
            f"are left, which do not make as many bunches of {self.bunch_size} for each player; "
            f"{' or '.join(ways) + ' would' if ways else 'more cards are needed'}"
        )

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
    def _copies_of_ranks(self) -> Counter[int]:
        return Counter(card % 16 for card in self.cards)

    @property
    def n_bunches(self) -> int:
        """Bunches of all players together."""
        return (self.n_cards - self.centre_cards) // self.bunch_size

    @property
    def bunches_each(self) -> int:
        """Bunches of each player (A5)."""
        return self.n_bunches // self.n_players

    @property
    def lowered_extra(self) -> dict[str, int]:
        """Facts about the cards that a kernel needs beside the options themselves."""
        return {
            "n_ranks": self.n_ranks,
            "n_copies_total": self.n_copies_total,
            "n_cards": self.n_cards,
            "n_bunches": self.n_bunches,
            "bunches_each": self.bunches_each,
        }


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _nearest(given: int, possible: list[int]) -> list[int]:
    """The next number below and the next one above that are possible."""
    return [*[n for n in possible if n < given][-1:], *[n for n in possible if n > given][:1]]
