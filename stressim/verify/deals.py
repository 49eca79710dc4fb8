"""Deals that are played, against what their rules alone decide: facts of the deal, seats, the referee."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stressim.exact.quantities import Quantity
from stressim.lowering import lower
from stressim.players.player import Player
from stressim.players.resolve import resolve_players
from stressim.rulesfile import LoadedRules, load_rules
from stressim.simulate import Result, simulate
from stressim.verify.checks import About, Check

FACTS, SEATS, REFEREE, SHUFFLES, RACES = "facts", "seats", "referee", "shuffles", "races"

_FAR_CM = 14
_LEAST_EXPECTED, _LEAST_LOGS = 3, 100  # fewer logs say nothing of a share, or of a mean
_OUTCOMES = ("won", "drawn", "deadlocked", "livelocked", "unfinished")


@dataclass(frozen=True)
class Table:
    """Rules and players who sit down to them.

    Parameters
    ----------
    rules
        A preset or file, then changed options: ``"swedish ace=low"``.
    timing
        ``human`` or ``uniform``.
    players
        As for ``--player``.
    """

    rules: str
    timing: str = "uniform"
    players: tuple[str, ...] = ()

    def own_seed(self, seed: int) -> int:
        """Return a seed for this table: deals of one seed are the same for all rules, and so would checks be."""
        return (zlib.crc32(str(self).encode()) << 32) ^ seed

    def __str__(self) -> str:
        players = f" {' '.join(self.players)}" if self.players else ""
        return f"{self.rules}{players} ({self.timing})"

    @property
    def loaded(self) -> LoadedRules:
        """The rules."""
        name, *sets = self.rules.split()
        return load_rules(name, sets)

    def seated(self, loaded: LoadedRules) -> tuple[Player, ...]:
        """The players."""
        return resolve_players(self.players, loaded.options.n_players, loaded.family.habits)

    def play(self, deals: int, seed: int, jobs: int | None) -> Result:
        """Play deals."""
        loaded = self.loaded
        return simulate(loaded, self.seated(loaded), self.timing, deals=deals, seed=self.own_seed(seed), jobs=jobs)


def deal_checks(table: Table, result: Result) -> Iterator[Check]:
    """Compare facts of the deals that were played, and whether every deal has one end."""
    about, tally, n = About(FACTS, str(table)), result.tally, result.deals
    for quantity in result.family.deal_facts.quantities(result.rules.options):
        if quantity.column and quantity.value is not None:
            yield _of_column(about, quantity, result)
    ends = sum(map(tally.sum_of, _OUTCOMES))
    yield about.exactly("deals with one end", n, ends, n)
    wins = sum(_wins(result))
    yield about.exactly("won deals with one winner", tally.sum_of("won"), wins, n)


def _wins(result: Result) -> list[int]:
    """Wins of each player; of partners, who win together, those of the first."""
    return [result.tally.sum_of(f"win_{seat}") for seat in range(1, result.rules.options.n_sides + 1)]


def _of_column(about: About, quantity: Quantity, result: Result) -> Check:
    tally, n = result.tally, result.deals
    total, expected = tally.sum_of(quantity.column), float(quantity.value or 0)
    if len(tally.counts_of(quantity.column)) <= 2 and quantity.unit == "of deals":
        return about.share(quantity.name, expected, total, n)
    return about.mean(quantity.name, expected, total, tally.squares_of(quantity.column), n)


def seat_checks(table: Table, result: Result) -> Iterator[Check]:
    """Compare how often equal players of different seats win."""
    wins = _wins(result)
    about = About(SEATS, str(table))
    n_won = sum(wins)
    if not n_won:
        return
    if len(wins) == 2:
        yield about.share("wins of seat 1", 0.5, wins[0], n_won)
    elif len(wins) > 2:
        yield about.uniform(f"wins of {len(wins)} seats", wins)


def log_checks(table: Table, n: int, seed: int) -> Iterator[Check]:
    """Let the referee judge ``n`` deals, and compare what their logs show of the deal."""
    loaded = table.loaded
    family, rules = loaded.family, loaded.options
    lowered = lower(rules, table.seated(loaded), table.timing)
    names = [column.name for column in family.columns]
    expected = {
        quantity.name: quantity
        for quantity in family.deal_facts.quantities(rules)
        if quantity.value is not None and not quantity.column
    }
    sums: dict[str, list[int]] = {}
    n_refused = n_differing = 0
    for log in family.log_deals(lowered, table.own_seed(seed), 0, n):
        try:
            verdict = family.referee.judge(rules, log.cards.tolist(), log.events.tolist(), uniform=lowered.uniform)
        except family.referee.Foul:
            n_refused += 1
        else:
            row = dict(zip(names, log.row.tolist(), strict=True))
            n_differing += any(row[name] != value for name, value in verdict.as_dict().items())
        for name, value in family.deal_facts.observed(rules, log.cards.tolist(), log.events.tolist()).items():
            total = sums.setdefault(name, [0, 0])
            total[0] += value
            total[1] += value * value
    about = About(REFEREE, str(table))
    yield about.exactly("deals that break a rule", 0, n_refused, n)
    yield about.exactly("deals counted otherwise", 0, n_differing, n)
    yield from _of_logs(About(FACTS, str(table)), expected, sums, n)


def _of_logs(
    about: About, expected: Mapping[str, Quantity], sums: Mapping[str, Sequence[int]], n: int
) -> Iterator[Check]:
    for name in [name for name in expected if name in sums]:
        total, squares = sums[name]
        value = float(expected[name].value or 0)
        if expected[name].unit.startswith("of "):
            if n * value * (1.0 - value) < _LEAST_EXPECTED:
                continue
            yield about.share(f"{name} (logs)", value, total, n)
        elif n >= _LEAST_LOGS:
            yield about.mean(f"{name} (logs)", value, total, squares, n)


def race_checks(rules: str, deals: int, n_logs: int, seed: int, jobs: int | None) -> Iterator[Check]:
    """Compare races of undisturbed hands with their integrals: how often they tie, and what a distance costs."""
    loaded = Table(rules).loaded
    undisturbed = loaded.family.races.undisturbed(loaded.options)
    if undisturbed is None:
        return
    changed = " ".join([rules, *undisturbed.rules])
    table = Table(changed, "human", undisturbed.players)
    result = table.play(deals, seed, jobs)
    about = About(RACES, rules)
    seated = table.seated(loaded)
    asked, drawn = (undisturbed.tie(seated, from_tables=from_tables) for from_tables in (False, True))
    yield about.near("ties: tables against what is asked", asked, drawn, 1e-3)
    ties, of = (result.tally.sum_of(column) for column in undisturbed.tie_columns)
    if drawn:
        yield about.martingale("ties", drawn, ties, of)
    else:
        yield about.exactly("ties", 0, ties, of)
    far = Table(changed, "human", (*undisturbed.players, f"2.seat_distance_cm={_FAR_CM}"))
    seated = far.seated(loaded)
    lowered = lower(far.loaded.options, seated, "human")
    firsts = [
        player
        for log in loaded.family.log_deals(lowered, far.own_seed(seed), 0, n_logs)
        for player in undisturbed.first_hands(log.events)
    ]
    expected = undisturbed.first(seated, from_tables=True)
    yield about.martingale(f"first hand, the other {_FAR_CM} cm farther", expected, firsts.count(0), len(firsts))


def shuffle_checks(table: Table, n: int, seed: int) -> Iterator[Check]:
    """Compare where cards come to lie with any place being as likely, and neighbours with strangers."""
    loaded = table.loaded
    lowered = lower(loaded.options, table.seated(loaded), table.timing)
    dealt = loaded.family.dealt_cards(lowered, table.own_seed(seed), 0, n)
    about = About(SHUFFLES, table.rules)
    for name, places in _packs(dealt):
        cards, order = np.unique(places, return_inverse=True)
        order = order.reshape(places.shape)
        m = len(cards)
        counts = np.zeros((m, m))
        np.add.at(counts, (np.broadcast_to(np.arange(m), places.shape), order), 1)
        # Rows and columns both sum to n, which takes (m - 1) / m off the usual statistic.
        statistic = float(((counts - n / m) ** 2).sum() / (n / m)) * (m - 1) / m
        yield about.statistic(f"places of {m} cards{name}", statistic, (m - 1) ** 2, n)
        rising = (order[:, 1:] > order[:, :-1]).sum(axis=1)
        # Rises of a random order: mean (m - 1) / 2, variance (m + 1) / 12 (Eulerian numbers).
        z = (float(rising.mean()) - (m - 1) / 2) / math.sqrt((m + 1) / 12 / n)
        yield about.normal(f"rises in {m} cards{name}", (m - 1) / 2, float(rising.mean()), n, z)


def _packs(dealt: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Packs that were shuffled together: each player's own deck, or all cards."""
    if dealt.ndim == 3 and len(np.unique(dealt[:, 0])) == dealt.shape[2]:
        for player in range(dealt.shape[1]):
            yield f" of player {player + 1}", dealt[:, player]
    else:
        yield "", dealt.reshape(len(dealt), -1)
