"""The numbers that follow from a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from stressim.exchange.choices import Ranking
from stressim.exchange.events import Outcome
from stressim.exchange.referee.table import Table, best_ranks, counted_ranks, given_bunches, height
from stressim.refereeing import AnyVerdict, Stretch, Stretches


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
    ranking: int = 0
    ranked: int = 0
    winner_us: int = 0
    place_1: int = 0
    place_2: int = 0
    place_3: int = 0
    place_4: int = 0
    place_5: int = 0
    place_6: int = 0
    place_7: int = 0
    place_8: int = 0
    place_9: int = 0
    place_10: int = 0
    place_11: int = 0
    place_12: int = 0
    last_1: int = 0
    last_2: int = 0
    last_3: int = 0
    last_4: int = 0
    last_5: int = 0
    last_6: int = 0
    last_7: int = 0
    last_8: int = 0
    last_9: int = 0
    last_10: int = 0
    last_11: int = 0
    last_12: int = 0
    stretches: tuple[Stretch, ...] = ()


class Score:
    """Keeps the count while a log is read.

    Parameters
    ----------
    table
        The table that the referee plays on, as it was dealt.
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
        self.leader: int | None = None
        self.furthest_behind = [0] * table.rules.n_players
        self.stall_since: int | None = None
        self.in_lock = False
        self.somebody_has_swapped = False
        self.taken = [0] * table.rules.n_players
        self.work: list[int] = []
        self.won_at: int | None = None  # when the first was done, where play goes on after that
        self.loser_bunches = 0  # complete ones of the others then
        self._first_deal()
        self.new_deal()

    @property
    def moves(self) -> int:
        """Moves so far."""
        return self.numbers["moves"]

    def _first_deal(self) -> None:
        given = given_bunches(self.table.rules)
        sides = [
            [bunch for number, bunch in enumerate(own) if (side, number) not in given]
            for side, own in enumerate(self.table.bunches_of_sides)
        ]
        bunches = [bunch for own in sides for bunch in own]
        first, centre = self.table.bunches[0][0], set(counted_ranks(self.table.centre))
        self.numbers["dealt_complete"] = int(any(height(bunch) == len(bunch) for bunch in bunches))
        self.numbers["paired_bunches"] = sum(height(bunch) >= 2 for bunch in bunches)
        self.numbers["pairless_1"] = int(all(height(bunch) < 2 for bunch in sides[0]))
        self.numbers["centre_helps_1"] = int(bool(best_ranks(first) & centre))
        self.numbers["centre_shares_1"] = int(bool(set(counted_ranks(first)) & centre))

    def new_deal(self) -> None:
        """Cards have been dealt: what the winner does is counted from here."""
        size = self.table.rules.bunch_size
        self.taken = [0 for _ in self.table.bunches]
        self.work = [sum(size - height(bunch) for bunch in player) for player in self.table.bunches]
        self.judge_lead()

    def swapped(self, before: int, after: int) -> None:
        """Judge a swap by the height of the bunch before and after it."""
        word = "swaps" if after > before else "churns" if after == before else "yields"
        self.numbers[word] += 1
        self.numbers["moves"] += 1

    def judge_lead(self) -> None:
        """Judge who leads: who has strictly fewest bunches that are not laid open."""
        if self.won_at is not None:
            return
        left = [self.table.remaining(player) for player in range(self.table.rules.n_sides)]
        for player, own in enumerate(left):
            others = left[:player] + left[player + 1 :]
            self.furthest_behind[player] = max(self.furthest_behind[player], own - min(others, default=own))
        if left.count(min(left)) == 1:
            leader = left.index(min(left))
            self.numbers["lead_changes"] += self.leader is not None and leader != self.leader
            self.leader = leader

    def placed(self, time: int) -> None:
        """A player has a place; what is counted of the winner is what it was when he had the first."""
        if self.won_at is None:
            self.won_at = time
            self.loser_bunches = self._bunches_of_others(self.table.placed[0])

    def _bunches_of_others(self, winner: int) -> int:
        rules = self.table.rules
        others = set(range(rules.n_sides)) - {rules.side_of(winner)}
        return sum(map(self.table.n_laid_open, others))

    def begin_lock(self, time: int) -> None:
        """Count a lock, unless one is going on."""
        if not self.in_lock:
            self.in_lock = True
            self.stretches.begin("lock", time)
            self.numbers["locks"] += 1
            self.numbers["locked"] = 1

    def end_lock(self, time: int) -> None:
        """End the running lock, if any."""
        self.in_lock = False
        self.stretches.end("lock", time)

    def begin_stall(self, time: int) -> None:
        """Count a stall, unless one is going on."""
        if self.stall_since is not None:
            return
        self.stall_since = time
        self.stretches.begin("stall", time)
        self.numbers["stalls"] += 1
        if not self.somebody_has_swapped:
            self.numbers["stalled_at_start"] = 1
        if not self.numbers["stalled"]:
            self.numbers["stalled"] = 1
            self.numbers["first_stall_us"] = 0 if self.uniform else time

    def end_stall(self, time: int) -> None:
        """End the running stall, if any."""
        if self.stall_since is not None:
            self.stretches.end("stall", time)
            if not self.uniform:
                self.numbers["stalled_us"] += time - self.stall_since
        self.stall_since = None

    def verdict(self, time: int, outcome: Outcome, winner: int) -> Verdict:
        """Close the count at the end of the deal."""
        self.end_lock(time)
        self.end_stall(time)
        numbers, table = self.numbers, self.table
        numbers[outcome.word] = 1
        if not self.uniform:
            numbers["length_us"] = time
        if outcome == Outcome.WON:
            rules = table.rules
            side = rules.side_of(winner)
            winners = range(side, rules.n_players, rules.n_sides)
            numbers.update({f"win_{player + 1}": 1 for player in winners})
            numbers["losers"] = rules.n_sides - 1
            won_before = self.won_at is not None
            numbers["loser_bunches"] = self.loser_bunches if won_before else self._bunches_of_others(winner)
            numbers["comeback"] = int(2 * self.furthest_behind[side] >= rules.bunches_each)
            numbers["winner_swapped_cards"] = sum(self.taken[player] for player in winners)
            numbers["ranking"] = int(rules.ranking != Ranking.NONE)
            self._places(time)
            numbers["winner_work"] = self.work[winner]
            ranks = counted_ranks(card for bunch in table.bunches[winner] for card in bunch)
            numbers["winner_ranks"] = sum(1 << rank for rank in ranks)
        return Verdict(**numbers, stretches=self.stretches.all())

    def _places(self, time: int) -> None:
        """Count the places if everybody has one."""
        numbers, table = self.numbers, self.table
        if len(table.placed) < table.rules.n_sides:
            return
        numbers["ranked"] = 1
        if not self.uniform:
            numbers["winner_us"] = time if self.won_at is None else self.won_at
        places = {table.rules.side_of(player): place for place, player in enumerate(table.placed, 1)}
        for player in range(table.rules.n_players):
            place = places[table.rules.side_of(player)]
            numbers[f"place_{player + 1}"] = place
            numbers[f"last_{player + 1}"] = int(place == len(places))
