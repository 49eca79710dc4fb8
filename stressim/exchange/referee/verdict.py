"""The numbers that follow from a log."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

from stressim.exchange.events import Outcome
from stressim.exchange.referee.table import Table, best_ranks, counted_ranks, height


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The result of a deal as far as a log shows it; names and meanings are those of the columns of the family.

    Beside them stand the times from and to which the deal stalled, in microseconds of the log (moves without a clock).
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
    win_5: int = 0
    win_6: int = 0
    win_7: int = 0
    win_8: int = 0
    win_9: int = 0
    win_10: int = 0
    win_11: int = 0
    win_12: int = 0
    length_us: int = 0
    moves: int = 0
    stalls: int = 0
    stalled: int = 0
    stalled_at_start: int = 0
    stalled_us: int = 0
    first_stall_us: int = 0
    locks: int = 0
    locked: int = 0
    redeals: int = 0
    lead_changes: int = 0
    comeback: int = 0
    swaps: int = 0
    churns: int = 0
    yields: int = 0
    switches: int = 0
    contested_lost: int = 0
    deadlines: int = 0
    false_calls: int = 0
    loser_bunches: int = 0
    losers: int = 0
    dealt_complete: int = 0
    paired_bunches: int = 0
    pairless_1: int = 0
    centre_helps_1: int = 0
    centre_shares_1: int = 0
    winner_swapped_cards: int = 0
    winner_work: int = 0
    winner_ranks: int = 0
    stall_spans: tuple[tuple[int, int], ...] = ()

    def as_dict(self) -> dict[str, int]:
        """Return all numbers by name."""
        return {name: number for name, number in asdict(self).items() if name != "stall_spans"}


class Score:
    """Keeps the count while a log is read.

    Parameters
    ----------
    table
        The table that the referee plays on, as it was dealt.
    uniform
        True if the log has no clock: times are then left at 0.
    """

    def __init__(self, table: Table, *, uniform: bool) -> None:
        self.table = table
        self.uniform = uniform
        self.numbers: Counter[str] = Counter()
        self.stall_spans: list[tuple[int, int]] = []
        self.leader: int | None = None
        self.furthest_behind = [0] * table.rules.n_players
        self.stall_since: int | None = None
        self.in_lock = False
        self.somebody_has_swapped = False
        self.taken = [0] * table.rules.n_players
        self.work: list[int] = []
        self._first_deal()
        self.new_deal()

    @property
    def moves(self) -> int:
        """Moves so far."""
        return self.numbers["moves"]

    def _first_deal(self) -> None:
        bunches = [bunch for player in self.table.bunches for bunch in player]
        first, centre = self.table.bunches[0][0], set(counted_ranks(self.table.centre))
        self.numbers["dealt_complete"] = int(any(height(bunch) == len(bunch) for bunch in bunches))
        self.numbers["paired_bunches"] = sum(height(bunch) >= 2 for bunch in bunches)
        self.numbers["pairless_1"] = int(all(height(bunch) < 2 for bunch in self.table.bunches[0]))
        self.numbers["centre_helps_1"] = int(bool(best_ranks(first) & centre))
        self.numbers["centre_shares_1"] = int(bool(set(counted_ranks(first)) & centre))

    def new_deal(self) -> None:
        """Cards have been dealt: what the winner does is counted from here."""
        size = self.table.rules.bunch_size
        self.taken = [0 for _ in self.table.bunches]
        self.work = [sum(size - height(bunch) for bunch in player) for player in self.table.bunches]

    def swapped(self, before: int, after: int) -> None:
        """Judge a swap by the height of the bunch before and after it."""
        word = "swaps" if after > before else "churns" if after == before else "yields"
        self.numbers[word] += 1
        self.numbers["moves"] += 1

    def judge_lead(self) -> None:
        """Judge who leads: who has strictly fewest bunches that are not laid open."""
        left = [self.table.remaining(player) for player in range(self.table.rules.n_players)]
        for player, own in enumerate(left):
            others = left[:player] + left[player + 1 :]
            self.furthest_behind[player] = max(self.furthest_behind[player], own - min(others, default=own))
        if left.count(min(left)) == 1:
            leader = left.index(min(left))
            self.numbers["lead_changes"] += self.leader is not None and leader != self.leader
            self.leader = leader

    def begin_lock(self) -> None:
        """Count a lock."""
        if not self.in_lock:
            self.in_lock = True
            self.numbers["locks"] += 1
            self.numbers["locked"] = 1

    def begin_stall(self, time: int) -> None:
        """Count a stall, unless one is going on."""
        if self.stall_since is not None:
            return
        self.stall_since = time
        self.numbers["stalls"] += 1
        if not self.somebody_has_swapped:
            self.numbers["stalled_at_start"] = 1
        if not self.numbers["stalled"]:
            self.numbers["stalled"] = 1
            self.numbers["first_stall_us"] = 0 if self.uniform else time

    def end_stall(self, time: int) -> None:
        """End the running stall, if any."""
        if self.stall_since is not None:
            self.stall_spans.append((self.stall_since, time))
            if not self.uniform:
                self.numbers["stalled_us"] += time - self.stall_since
        self.stall_since = None

    def verdict(self, time: int, outcome: Outcome, winner: int) -> Verdict:
        """Close the count at the end of the deal."""
        self.end_stall(time)
        numbers, table = self.numbers, self.table
        numbers[outcome.word] = 1
        if not self.uniform:
            numbers["length_us"] = time
        if outcome == Outcome.WON:
            others = [player for player in range(table.rules.n_players) if player != winner]
            numbers[f"win_{winner + 1}"] = 1
            numbers["losers"] = len(others)
            numbers["loser_bunches"] = sum(table.n_laid_open(player) for player in others)
            numbers["comeback"] = int(2 * self.furthest_behind[winner] >= table.rules.bunches_each)
            numbers["winner_swapped_cards"] = self.taken[winner]
            numbers["winner_work"] = self.work[winner]
            ranks = counted_ranks(card for bunch in table.bunches[winner] for card in bunch)
            numbers["winner_ranks"] = sum(1 << rank for rank in ranks)
        return Verdict(**numbers, stall_spans=tuple(self.stall_spans))
