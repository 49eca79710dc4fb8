"""Checks of many exchange deals against exact numbers; ``scripts/check_large.py`` makes them large."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import TypeVar

import numpy as np
from checks import Check
from exchange_playing import FAMILY, GREEDY, chi_square, column, lowered_of
from playing import Value, exactly

from stressim.exchange.events import Field, Kind
from stressim.lowering import Lowered

_SHARD = 1 << 15
Total = TypeVar("Total")

# What the deal alone decides, one deck; by the number of players where it hangs on that.
BUNCHES = {2: 6, 3: 4, 4: 3, 6: 2}  # each player's
PAIR = 1349 / 4165
COMPLETE = 0.000576035
CENTRE_HELPS = 59028974 / 112559125
CENTRE_SHARES = 215676506 / 337677375
PAIRLESS = {
    2: 199265881749092499456 / 2018818875153994038125,
    3: 0.211702,
    4: 86423204864 / 277818432325,
    6: 10312896 / 22511825,
}

NEVER_STALL = {2: 0.06280, 3: 0.10160, 4: 0.14853, 6: 0.28778}
"""Share of deals of greedy players that never stall, under uniform timing; counted from 4,000,000 deals."""
_N_NEVER_STALL = 4_000_000

TABLES = (
    *(f"james-bond n_players={n_players}" for n_players in BUNCHES),
    "james-bond n_decks=2 centre_cards=4 n_players=5",
    "james-bond-teams",
    "james-bond n_players=6 team_size=2",
)
PLACES = ("james-bond-ranked", "james-bond n_players=4 ranking=all", "james-bond n_players=6 team_size=2 ranking=all")


def sums_of(
    rules: str,
    deals: int,
    of_rows: Callable[[np.ndarray], Total],
    *,
    players: Sequence[str] = (),
    timing: str = "uniform",
    seed: int = 1,
) -> list[Total]:
    """Play deals in threads, a part at a time, and return what a function makes of each part's rows."""
    lowered = lowered_of(rules, players, timing)

    def part(first: int) -> Total:
        rows = np.zeros((min(_SHARD, deals - first), len(FAMILY.columns)), np.int64)
        FAMILY.play_deals(lowered, seed, first, rows)
        return of_rows(rows)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(part, range(0, deals, _SHARD)))


def deal_facts(n_players: int, deals: int) -> Iterator[Check]:
    """Compare what the deal alone decides; greedy players, who are done sooner, are dealt the same cards."""
    names = ("dealt_complete", "paired_bunches", "pairless_1", "centre_helps_1", "centre_shares_1")
    expected = (COMPLETE, 12 * PAIR, PAIRLESS[n_players], CENTRE_HELPS, CENTRE_SHARES)
    rules = f"james-bond n_players={n_players}"

    def moments(rows: np.ndarray) -> np.ndarray:
        values = np.array([column(rows, name) for name in names], np.float64)
        return np.array([values.sum(axis=1), (values**2).sum(axis=1)])

    sums, squares = np.sum(sums_of(rules, deals, moments, players=GREEDY, seed=10 + n_players), axis=0)
    for name, value, total, square in zip(names, expected, sums, squares, strict=True):
        mean = total / deals
        spread = value * (1 - value) if name != "paired_bunches" else square / deals - mean**2
        yield Check(f"{rules}: {name}", Value(mean, math.sqrt(spread / deals)), exactly(value))


def never_stall(n_players: int, deals: int) -> Check:
    """Compare the share of deals of greedy players that never stall, without a clock."""
    rules = f"james-bond n_players={n_players}"
    n_stalled = sum(sums_of(rules, deals, lambda rows: int(column(rows, "stalled").sum()), players=GREEDY, seed=2))
    value = NEVER_STALL[n_players]
    spread = value * (1 - value)
    found = Value(1 - n_stalled / deals, math.sqrt(spread / deals))
    return Check(f"{rules} all=greedy: never_stall", found, Value(value, math.sqrt(spread / _N_NEVER_STALL)))


def winner_ranks(n_players: int, deals: int) -> Check:
    """Compare how often each set of ranks is the winner's, by chi-square over all sets."""
    rules = f"james-bond n_players={n_players}"

    def counts(rows: np.ndarray) -> np.ndarray:
        return np.bincount(column(rows, "winner_ranks")[column(rows, "won") == 1], minlength=1 << 13)

    total = np.sum(sums_of(rules, deals, counts, seed=6), axis=0)
    won = total[total > 0]
    n_sets = comb(13, BUNCHES[n_players])
    # A set that never came up, or one of another size, would leave another number of sets.
    far = 0.0 if len(won) == n_sets or deals < 20 * n_sets else math.inf
    return Check(f"{rules}: winner_ranks, {len(won)} sets", Value(chi_square(won) + far, 1.0), exactly(0))


def seats(rules: str, timing: str, deals: int) -> Check:
    """Compare how often each seat of equal players wins, by chi-square over all seats, or teams."""
    n_players = int(lowered_of(rules).rules["n_sides"][0])

    def counts(rows: np.ndarray) -> np.ndarray:
        return np.array([column(rows, f"win_{seat}").sum() for seat in range(1, n_players + 1)])

    total = np.sum(sums_of(rules, deals, counts, timing=timing, seed=12), axis=0)
    return Check(f"{rules} ({timing}): seats {total.tolist()}", Value(chi_square(total), 1.0), exactly(0))


def places(rules: str, timing: str, deals: int) -> Iterator[Check]:
    """Compare how often each seat of equal players has each place, by chi-square over all seats."""
    n_sides = int(lowered_of(rules).rules["n_sides"][0])
    wanted = np.arange(1, n_sides + 1)

    def counts(rows: np.ndarray) -> np.ndarray:
        found = np.array([column(rows, f"place_{seat}") for seat in wanted])
        return np.asarray((found[:, :, None] == wanted).sum(axis=1))

    total = np.sum(sums_of(rules, deals, counts, timing=timing, seed=13), axis=0)
    for place in wanted:
        had = total[:, place - 1]
        yield Check(f"{rules} ({timing}): place {place} {had.tolist()}", Value(chi_square(had), 1.0), exactly(0))


def given_ranks(deals: int) -> Check:
    """Compare how often each rank is given as a handicap, by chi-square over all pairs of ranks."""
    cards = FAMILY.dealt_cards(lowered_of("james-bond handicap_bunches=2 handicap_player=2"), 14, 0, deals)
    first, second = (np.sort(cards[:, [40, 44]] % 16, axis=1)).T
    counts = np.bincount(first * 13 + second, minlength=169)
    return Check(f"handicap_bunches=2: ranks of {deals} deals", Value(chi_square(counts[counts > 0]), 1.0), exactly(0))


FAR_CM = 14.0
_WAITING = 2_000_000  # us without a row of his: a player whose looks take less than that is waiting


@functools.cache
def _race() -> Lowered:
    """Rules and players of a race: the first two never give way and look for a fixed time, the third feeds them."""
    waiting = "switch_weight=0 churn_weight=0 stay_with_bunch=1 notice_base=fixed(300) scan_per_card=0 p_false_call=0"
    players = [f"{seat}.{habit}" for seat in (1, 2) for habit in waiting.split()]
    players += [f"2.seat_distance_cm={FAR_CM}", "3.patience=fixed(300)", "3.switch_weight=1"]
    rules = "james-bond n_players=3 deck=custom deck_ranks=5 deck_copies=8 swap_order=take_first tie_window_ms=0"
    return lowered_of(rules, players, "human")


def contests(deal: int) -> list[bool]:
    """Of the races of two waiting players for a card that a third one lays, say whether the first player won each."""
    log = FAMILY.log_deal(_race(), 7, deal)
    found = []
    last = [0, 0, 0]  # when each player did something last
    laid: dict[int, int] = {}  # cards that player 3 laid while the others waited
    for event in log.events[:400]:
        time, kind, player, card = (int(event[field]) for field in (Field.TIME, Field.KIND, Field.PLAYER, Field.CARD))
        if kind == Kind.PUT_DOWN and player == 2:
            laid = {card: time} if min(time - last[0], time - last[1]) > _WAITING else {}
        elif kind == Kind.MISS and card in laid and player < 2:
            found.append(player == 1)
        if kind in (Kind.PICK_UP, Kind.TAKE, Kind.MISS, Kind.PUT_DOWN, Kind.COMPLETE):
            last[player] = time
    return found


def nearer_player(deals: int) -> Check:
    """Compare how often the nearer of two gets the card that both reach for, with the integral over their times."""
    found = np.array([won for deal in range(deals) for won in contests(deal)])
    # Two lognormal times of mean 250 and deviation 50 ms, the second from 98 ms further away.
    rng = np.random.default_rng(1)
    variance = np.log(1 + (50 / 250) ** 2)
    times = rng.lognormal(np.log(250) - variance / 2, np.sqrt(variance), (2, 4_000_000))
    expected = float((times[0] < times[1] + FAR_CM * 7).mean())
    spread = expected * (1 - expected)
    return Check(
        f"nearer by {FAR_CM:g} cm, {len(found)} races: gets the card",
        Value(found.mean(), math.sqrt(spread / len(found))),
        Value(expected, math.sqrt(spread / times.shape[1])),
    )
