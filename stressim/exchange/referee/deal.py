"""A deal under judgement: where the cards lie, which swaps are under way, and what must happen by when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from stressim.exchange.choices import TakeBackOwn
from stressim.exchange.referee.table import LOG_FORM, Event, Table
from stressim.exchange.referee.verdict import Score
from stressim.exchange.rules import ExchangeRules
from stressim.refereeing import LogReader


@dataclass
class Swap:
    """A swap under way."""

    bunch: int
    time: int  # of its first row
    before: int  # height of the bunch before it
    to_lay: int
    to_take: int
    laid: list[int] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    laid_at: int = -1
    taken_at: int = -1
    missed: bool = False


@dataclass
class LetGo:
    """A card that several hands touched at once and that stays in the centre (touch_tie=redo)."""

    row: int  # of the first hand that missed it
    time: int
    players: set[int]


class Deal:
    """One deal under judgement: the position and what the rules remember about it."""

    def __init__(
        self, rules: ExchangeRules, cards: Sequence[int], events: Sequence[Sequence[int]], *, uniform: bool
    ) -> None:
        self.rules = rules
        self.uniform = uniform
        self.table = Table.dealt(rules, cards)
        self.everything = self.table.all_cards()
        limits = {"player": rules.n_players, "bunch": rules.bunches_each}
        self.log = LogReader(LOG_FORM, events, limits=limits, deck=frozenset(self.everything))
        self.score = Score(self.table, uniform=uniform, row=lambda: self.log.index - 1)
        self.have_put_back: set[int] = set()  # sides one of whom has put an unfinished bunch back
        self.begin(0)

    def begin(self, time: int) -> None:
        """Cards have been dealt: hands are empty, clocks and waits begin anew."""
        players = range(self.rules.n_players)
        self.swaps: list[Swap | None] = [None for _ in players]
        self.swapped_at = [-1 for _ in players]  # end of each player's last swap
        self.put_down: list[set[int]] = [set() for _ in players]  # cards that each has laid in the centre
        self.taken_by: dict[int, int] = {}  # who has last taken each card from the centre
        self.clocks: list[int | None] = [None for _ in players]  # when each player's time for a swap started
        self.done_at: list[int] = [-1 for _ in players]  # each player's last COMPLETE
        self.quiet_since = time
        self.calls: list[int] = []  # players who have called
        self.called_at = -1  # time of the first call
        self.last_call_at = -1
        self.let_go: dict[int, LetGo] = {}  # by card
        self.positions: list[tuple[object, ...]] = [self.position()]

    # what holds for any event

    def require(self, condition: bool, event: Event, rule: str, sentence: str) -> None:
        """Refuse the event unless the condition holds."""
        if not condition:
            self.log.refuse(event, rule, sentence)

    def apply(self, event: Event) -> None:
        """Carry out an event and see that no card is lost."""
        self.table.apply(event)
        if self.table.all_cards() != self.everything:
            self.log.refuse(event, "conservation of cards", "a card is lost or found")

    def has_clock(self, event: Event) -> None:
        """Refuse what the uniform model does not know."""
        self.require(not self.uniform, event, "uniform timing", f"there is no {event.kind.name} without a clock")

    def may_act(self, event: Event) -> None:
        """Refuse an event of a player who is out or done."""
        done = event.player in self.table.done
        self.require(not done, event, "A24 ranking", f"player {event.player + 1} has his place and does nothing more")
        gone = event.player in self.table.out
        self.require(not gone, event, "A26 false_call_penalty", f"player {event.player + 1} is out of this deal")

    def is_free_to_act(self, event: Event) -> None:
        """Refuse an event of a player who is out, or who must first end his swap."""
        self.may_act(event)
        under_way = self.swaps[event.player] is not None
        self.require(not under_way, event, "A13 swap", f"player {event.player + 1} must end his swap first")

    def is_in_hand(self, event: Event) -> None:
        """Refuse an event with a bunch that the player does not hold; without a clock any unfinished bunch will do."""
        if self.uniform:
            is_open = self.table.laid_open[event.player][event.bunch]
            self.require(not is_open, event, "A19 complete bunch", "this bunch is laid open and not touched again")
        else:
            held = self.table.in_hand[event.player] == event.bunch
            sentence = f"player {event.player + 1} does not hold bunch {event.bunch + 1}"
            self.require(held, event, "A9 bunch in hand", sentence)

    # barred cards

    def is_barred(self, player: int, card: int, swap: Swap | None) -> bool:
        """Whether the player may not take this card of the centre (A14, A-U3), in this swap or in a new one."""
        policy = self.rules.take_back_own
        if policy == TakeBackOwn.ALLOWED:
            return False
        if swap is not None and card in swap.laid:
            return True
        own = self.put_down[player]
        if policy == TakeBackOwn.ALLOWED_LATER or card not in own:
            return False
        return any(other not in own for other in self.table.centre if other != card)

    def takeable(self, player: int, swap: Swap | None) -> list[int]:
        """Cards of the centre that are not barred for the player."""
        return [card for card in self.table.centre if not self.is_barred(player, card, swap)]

    # the end of the deal

    def done(self) -> list[int]:
        """Players who have laid open all their bunches and have no place yet; of partners the first."""
        return [player for player in self.table.sides if not self.table.remaining(player)]

    def remember(self) -> None:
        """Keep the position after a swap or a complete bunch, to know when it comes back."""
        self.positions.append(self.position())

    def position(self) -> tuple[object, ...]:
        """What lies where by rank, and which bunches are laid open."""
        return (self.table.ranks_lying(), tuple(tuple(player) for player in self.table.laid_open))
