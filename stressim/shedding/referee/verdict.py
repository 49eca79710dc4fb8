"""The numbers that follow from a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from stressim.refereeing import AnyVerdict, Stretch, Stretches
from stressim.shedding.events import Outcome
from stressim.shedding.referee.table import Event, Table


@dataclass(frozen=True, kw_only=True)
class Verdict(AnyVerdict):
    """The result of a deal as far as a log shows it; names and meanings are those of the columns of the family.

    Beside them stand the stalls and locks, each with its times and rows of the log.
    """

    won: int = 0
    drawn: int = 0
    deadlocked: int = 0
    livelocked: int = 0
    unfinished: int = 0
    win_1: int = 0
    win_2: int = 0
    win_3: int = 0
    win_4: int = 0
    length_us: int = 0
    moves: int = 0
    stalls: int = 0
    stalled: int = 0
    stalled_at_start: int = 0
    stalled_us: int = 0
    first_stall_us: int = 0
    restarts: int = 0
    lead_changes: int = 0
    comeback: int = 0
    stresses: int = 0
    stress_at_first_flip: int = 0
    stress_from_flip: int = 0
    stress_ties: int = 0
    stress_missed: int = 0
    false_calls: int = 0
    late_cards: int = 0
    aborted_cards: int = 0
    illegal_cards: int = 0
    picked_up: int = 0
    loser_cards: int = 0
    losers: int = 0
    one_stock_empty: int = 0
    both_stocks_empty: int = 0
    slap_winner_without_stock: int = 0
    last_card_equal: int = 0
    side_piles_renewed: int = 0
    rounds: int = 0
    stretches: tuple[Stretch, ...] = ()


class Score:
    """Keeps the count while a log is read.

    Parameters
    ----------
    table
        The table that the referee plays on.
    uniform
        True if the log has no clock: times are then left at 0.
    row
        Returns the number of the row that was read last.
    """

    def __init__(self, table: Table, *, uniform: bool, row: Callable[[], int]) -> None:
        self.table = table
        self.uniform = uniform
        self.numbers: Counter[str] = Counter()
        self.stretches = Stretches(row)
        self.first_flip = 0
        self.leader: int | None = None
        self.furthest_behind = [0 for _ in table.players]
        self.stall_since: int | None = None
        self.stall_counted = False

    def landing(self) -> None:
        """Judge who leads: after a play, or after all flips of a restart."""
        left = [self.table.remaining(player) for player in self.table.players]
        for player in self.table.players:
            best_other = min(left[:player] + left[player + 1 :])
            self.furthest_behind[player] = max(self.furthest_behind[player], left[player] - best_other)
        if left.count(min(left)) == 1:
            leader = left.index(min(left))
            self.numbers["lead_changes"] += self.leader is not None and leader != self.leader
            self.leader = leader

    def watch_stall(self, time: int, *, nobody_can_move: bool) -> None:
        """Begin or end a stall. With equal tops it counts only once a restart shows that nobody has slapped."""
        if not nobody_can_move:
            self.end_stall(time)
            return
        if self.stall_since is None:
            self.stall_since = time
            self.stretches.begin("stall", time)
        if not self.table.tops_equal():
            self.count_stall()

    def count_stall(self) -> None:
        """Count the running stall if that has not been done."""
        if self.stall_since is None or self.stall_counted:
            return
        self.stall_counted = True
        self.numbers["stalls"] += 1
        if self.numbers["stalls"] == 1:
            self.numbers["stalled"] = 1
            if not self.uniform:
                self.numbers["first_stall_us"] = self.stall_since - self.first_flip

    def stress_is_off(self, slap: Event) -> None:
        """Equal tops call for nothing any more: a stall that they have hidden begins with the slap."""
        if self.stall_since is not None and not self.stall_counted:
            self.stall_since = slap.time
            self.stretches.begin("stall", slap.time, slap.row)

    def end_stall(self, time: int) -> None:
        """End the running stall, if any."""
        if self.stall_since is not None and self.stall_counted:
            self.stretches.end("stall", time)
            if not self.uniform:
                self.numbers["stalled_us"] += time - self.stall_since
        self.stretches.forget("stall")
        self.stall_since = None
        self.stall_counted = False

    def verdict(self, time: int, outcome: Outcome, winner: int, *, last_card_equal: bool) -> Verdict:
        """Close the count at the end of the deal."""
        self.end_stall(time)
        numbers = self.numbers
        numbers[outcome.word] = 1
        if not self.uniform:
            numbers["length_us"] = time - self.first_flip
        if outcome == Outcome.WON:
            numbers[f"win_{winner + 1}"] = 1
            numbers["losers"] = len(self.table.players) - 1
            numbers["loser_cards"] = sum(
                self.table.remaining(player) for player in self.table.players if player != winner
            )
            numbers["last_card_equal"] = int(last_card_equal)
            numbers["comeback"] = int(2 * self.furthest_behind[winner] >= self.table.rules.cards_each)
        return Verdict(**numbers, stretches=self.stretches.all())
