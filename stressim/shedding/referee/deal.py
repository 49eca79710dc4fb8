"""A deal under judgement: where the cards lie, what has been seen, and what a landing changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stressim.shedding.choices import JokerMode, PlayOnEqualTops, StressOn, TakenCard, WinCall
from stressim.shedding.events import Kind
from stressim.shedding.referee.logreader import read_log
from stressim.shedding.referee.table import Event, Position, Table, is_joker
from stressim.shedding.referee.verdict import Score
from stressim.shedding.rules import SheddingRules


@dataclass
class Window:
    """Equal tops that call for a slap."""

    from_flip: bool
    piles: frozenset[int] = frozenset()
    closed_at: int | None = None
    closed_by_flip: bool = False


class Deal:
    """One deal under judgement: the position and what the rules remember about it."""

    def __init__(
        self, rules: SheddingRules, cards: Sequence[Sequence[int]], events: Sequence[Sequence[int]], *, uniform: bool
    ) -> None:
        self.rules = rules
        self.uniform = uniform
        self.table = Table.dealt(rules, cards)
        self.everything = self.table.all_cards()
        self.log = read_log(self.table, events)
        self.score = Score(self.table, uniform=uniform, row=lambda: self.log.index - 1)
        self.view: int | None = None
        self.owed: list[list[int]] = [[] for _ in cards]  # own plays since each slot that waits for a card fell empty
        self.pairs_seen = [0 for _ in cards]  # own plays since equal ranks that must be merged lay in the row
        self.window: Window | None = None  # open
        self.last_window: Window | None = None  # the last one that was covered before a slap
        self.settling = False  # a hand has come down and the stress is not yet settled
        self.declined: set[int] = set()
        self.announced: set[tuple[int, int, int]] = set()  # player, card, pile
        self.emptied: list[int | None] = [None for _ in cards]  # event after which a player had no cards
        self.emptied_equal = [False for _ in cards]  # whether the tops were equal then
        self.to_shuffle: list[int] = []  # players whose new stock has not been listed
        self.called: int | None = None
        self.losers_who_changed_nothing: set[int] = set()  # whose lost stress led back to the same stress
        self.endless_position: Position | None = None  # the position after the latest stress

    def apply(self, event: Event) -> None:
        """Carry out an event and see that no card is lost."""
        self.table.apply(event)
        if event.kind not in (Kind.STOCK, Kind.SIDE) and self.table.all_cards() != self.everything:
            self.log.refuse(event, "conservation of cards", "a card is lost or found")

    def see_what_comes_back(self, before: Position, loser: int) -> None:
        """Note whether a lost stress has led to the very stress that it was, with no chance but who loses it."""
        named_by_chance = self.rules.joker_mode == JokerMode.NAMED and any(
            is_joker(card) for pile in self.table.piles for card in pile
        )
        if before != self.endless_position or named_by_chance:
            self.losers_who_changed_nothing.clear()
        self.endless_position = self.table.position()
        if before == self.endless_position and self.window is not None and not any(self.table.stocks):
            self.losers_who_changed_nothing.add(loser)
        else:
            self.losers_who_changed_nothing.clear()

    def require(self, condition: bool, event: Event, rule: str, sentence: str) -> None:
        """Refuse the event unless the condition holds."""
        if not condition:
            self.log.refuse(event, rule, sentence)

    def is_top_of_slot(self, event: Event, player: int) -> None:
        """Refuse an event whose card is not the top of the slot in the player's row."""
        slot = self.table.rows[player][event.slot]
        self.require(
            bool(slot) and slot[-1] == event.card and (player, event.slot) not in self.table.hidden,
            event,
            "B7 row_slots",
            f"{self.table.name(event.card)} is not the face-up top of slot {event.slot + 1} of player {player + 1}",
        )

    def is_top_of_side_pile(self, event: Event, player: int) -> None:
        """Refuse an event whose card is not the top of the side pile on the player's right."""
        side = self.table.sides[player]
        self.require(
            bool(side) and side[0] == event.card,
            event,
            "B27 restart_source",
            f"{self.table.name(event.card)} is not the top card of the side pile on player {player + 1}'s right",
        )

    def is_top_of_stock(self, event: Event, player: int) -> None:
        """Refuse an event whose card is not the top of the player's stock."""
        stock = self.table.stocks[player]
        self.require(
            bool(stock) and stock[0] == event.card,
            event,
            "B13 stock",
            f"{self.table.name(event.card)} is not the top card of player {player + 1}'s stock",
        )

    def may_change_hands(self, event: Event) -> None:
        """Refuse an event whose card is not one of the stock that may change hands (U30)."""
        stock = self.table.stocks[event.player]
        there = 0 <= event.number < len(stock) and stock[event.number] == event.card
        self.require(there, event, "B13 stock", f"{self.table.name(event.card)} does not lie there in the stock")
        top = self.rules.taken_card != TakenCard.TOP or event.number == 0
        self.require(top, event, "U30 taken_card", "the top card changes hands")

    def stock_may_be_gone(self) -> None:
        """Without a stock no slot waits for a card."""
        for player in self.table.players:
            if not self.table.stocks[player]:
                self.owed[player] = []

    def stock_gained(self, player: int) -> None:
        """Who gains stock owes a card for each empty slot; counting starts anew."""
        self.owed[player] = [0] * self.table.empty_slots(player)

    def landed(self, time: int, piles: Sequence[int], *, from_flip: bool, barred: bool = False) -> None:
        """Cards have landed on these piles: judge the tops, the players' cards, the lead and the stall.

        A flip for which nobody has a card leaves the tops as they are: if they are equal, the stress is on again (U20).
        """
        if piles or from_flip:
            if self.window is not None and (from_flip or self.window.piles & set(piles)):
                self.score.numbers["stress_missed"] += 1
                self.window.closed_at = time
                self.window.closed_by_flip = from_flip
                self.last_window = self.window
                self.window = None
            self.announced.clear()
            self.declined.clear()
            made = self._made_equal(None if from_flip else piles)
            if made and not barred and self.window is None:
                self.window = Window(from_flip=from_flip, piles=made)
            elif made and not barred and self.window is not None:
                self.window.piles |= made
        self.see_who_is_empty()
        self.score.landing()
        if from_flip:
            self.settling = False
            self.score.end_stall(time)
        self.watch_stall(time)

    def _made_equal(self, landed: Sequence[int] | None) -> frozenset[int]:
        """Piles that are a stress, or those that are so with one on which a card has just landed."""
        if self.rules.stress_on == StressOn.NONE:
            return frozenset()
        if landed is None:
            return self.table.equal_piles()
        return frozenset().union(*(self.table.equal_piles(pile) for pile in landed))

    def see_who_is_empty(self) -> None:
        """Note when a player runs out of cards, and whether the tops were equal then."""
        for player in self.table.players:
            if self.table.remaining(player):
                self.emptied[player] = None
            elif self.emptied[player] is None:
                self.emptied[player] = self.log.index
                self.emptied_equal[player] = self.table.tops_equal()

    def play_is_frozen(self) -> bool:
        """Whether no card may be laid because the tops are equal (U16)."""
        return self.window is not None and self.rules.play_on_equal_tops == PlayOnEqualTops.FROZEN and not self.uniform

    def nobody_can_move(self) -> bool:
        """Whether nobody has a legal play, a refill or a merge to make."""
        table = self.table
        if any(table.can_refill(player) or table.can_merge(player) for player in table.players):
            return False
        if any(table.can_turn(player) or table.can_move(player) for player in table.players):
            return False
        return not any(table.can_play(player) for player in table.players)

    def watch_stall(self, time: int) -> None:
        """Begin or end a stall. A player without cards, or row, is done: nothing stalls then, nor amid a stress."""
        if self.settling:
            return
        somebody_is_done = any(emptied is not None for emptied in self.emptied) or self.table.emptied_row() is not None
        self.score.watch_stall(time, nobody_can_move=self.nobody_can_move() and not somebody_is_done)

    def somebody_has_won(self) -> bool:
        """Whether a player has no cards and need not call."""
        return self.rules.win_call == WinCall.NONE and any(emptied is not None for emptied in self.emptied)

    def locked_without_card(self) -> bool:
        """Whether nobody can move and there is no card to flip (B31)."""
        return not self.table.can_flip() and self.nobody_can_move()

    def count_lock(self) -> None:
        """Count a lock with both stocks empty."""
        self.score.numbers["both_stocks_empty"] = 1
        self.score.count_stall()
