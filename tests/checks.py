"""Checks of many deals against known numbers; tests make them small, ``scripts/check_large.py`` makes them large."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from exact_start import Start, exact_start
from exchange_playing import chi_square
from playing import LIMIT, Value, exactly, lowered_of, metrics_of, rows_of, totals_of
from uniform_settings import read_reference

from stressim.rulesfile import load_rules
from stressim.shedding.rules import SheddingRules

N_REFERENCE = 10_000_000


@dataclass(frozen=True)
class Check:
    """An estimate beside what it should be."""

    name: str
    found: Value
    expected: Value
    limit: float = LIMIT

    @property
    def z(self) -> float:
        return self.found.z(self.expected)

    @property
    def holds(self) -> bool:
        return abs(self.z) <= self.limit

    def __str__(self) -> str:
        return (
            f"{'   ' if self.holds else '** '}{self.name}: {self.found.estimate:.6g} ± {self.found.error:.2g}, "
            f"expected {self.expected.estimate:.6g} ± {self.expected.error:.2g}, z = {self.z:+.2f}"
        )


def failing(checks: Iterator[Check] | Sequence[Check]) -> list[str]:
    """Return the checks that do not hold, in words."""
    return [str(check) for check in checks if not check.holds]


# --- the uniform model as published: 10,000,000 deals of each row ---------------------------------------------------

_TAKE = "restart_both_empty=take_right_pile_shuffle"

UNIFORM_COLUMNS = (
    "moves", "stalls", "stresses", "stress_from_flip", "cards_picked_up", "loser_cards", "one_stock_empty",
    "both_stocks_empty", "slap_winner_without_stock", "last_card_equal",
)  # fmt: skip

UNIFORM_ROWS: dict[str, tuple[float, tuple[str, ...]]] = {
    # rules: error of the plays, cells as published
    f"swedish ace=low {_TAKE}": (
        0.018,
        ("83.184", "15.307", "3.0153", ".8890", "16.276", "21.171", ".9149", ".4292", ".5021", ".0408"),
    ),
    f"swedish {_TAKE}": (
        0.011,
        ("66.335", "6.683", "2.3327", ".5268", "15.794", "20.058", ".7597", ".2621", ".3076", ".0261"),
    ),
    f"swedish-merge merge_equal_ranks=always pickup_placement=under_stock restart_empty_stock=flip_alone {_TAKE}": (
        0.012,
        ("73.287", "5.281", "2.3659", ".4404", "10.310", "12.436", ".7251", ".4049", ".3714", ".0244"),
    ),
    "norwegian ace=wrap pile_play=whole": (
        0.009,
        ("55.443", "5.221", "1.7955", ".4573", "17.198", "19.673", ".7931", ".3287", ".2843", ".0254"),
    ),
    f"german {_TAKE}": (
        0.023,
        ("134.933", "21.603", "5.9942", "2.0244", "23.588", "61.134", ".9182", ".0736", ".4045", ".0406"),
    ),
    f"jass {_TAKE}": (
        0.006,
        ("41.958", "1.2101", "2.2842", ".3865", "10.906", "13.709", ".4891", ".1069", ".3741", ".0415"),
    ),
    f"skat {_TAKE}": (
        0.005,
        ("33.891", "1.2482", "2.3247", ".4478", "9.495", "12.911", ".4437", ".0615", ".3179", ".0532"),
    ),
}  # fmt: skip


def published_uniform(rules: str, deals: int) -> list[Check]:
    """Compare a row of the published values of uniform timing."""
    error_of_moves, cells = UNIFORM_ROWS[rules]
    name, *sets = rules.split()
    found = metrics_of(rows_of(name, deals, sets=sets))
    checks = []
    for metric, cell in zip(UNIFORM_COLUMNS, cells, strict=True):
        rounding = 10.0 ** -len(cell.partition(".")[2]) / math.sqrt(12)
        error = error_of_moves if metric == "moves" else found[metric].error * math.sqrt(deals / N_REFERENCE)
        checks.append(Check(f"{rules}: {metric}", found[metric], Value(float(cell), math.hypot(rounding, error))))
    return checks


def against_model(setting: str, deals: int) -> list[Check]:
    """Compare a setting under uniform timing with the plain model."""
    name, *sets = setting.split()
    found = metrics_of(rows_of(name, deals, sets=sets))
    expected = read_reference()[setting]
    return [Check(f"{setting}: {metric}", found[metric], expected[metric]) for metric in expected if metric in found]


# --- the start ------------------------------------------------------------------------------------------------------


def start(rules: str, deals: int, timing: str = "uniform") -> list[Check]:
    """Compare the first position with its exact probabilities."""
    name, *sets = rules.split()
    options = load_rules(name, sets=sets).options
    assert isinstance(options, SheddingRules)
    exact: Start = exact_start(options)
    expected: dict[str, Fraction] = {"stress_at_first_flip": exact.equal, "stalled_at_start": exact.stalled}
    totals = totals_of(name, deals, list(expected), sets=sets, timing=timing)
    checks = []
    for metric, share in expected.items():
        # The error that the exact probability has, so that a rare event counted 0 times has one too.
        error = math.sqrt(share * (1 - share) / deals)
        found = Value(totals[metric] / deals, error)
        checks.append(Check(f"{rules} ({timing}): {metric}", found, exactly(float(share))))
    return checks


# --- fairness -------------------------------------------------------------------------------------------------------


def fairness(rules: str, timing: str, deals: int) -> Check:
    """Compare the two seats of equal players."""
    name, *sets = rules.split()
    totals = totals_of(name, deals, ["won", "win_1", "win_2"], sets=sets, timing=timing)
    skew = (totals["win_1"] - totals["win_2"]) / totals["won"]
    found = Value(skew, math.sqrt((1 - skew * skew) / totals["won"]))
    return Check(f"{rules} ({timing}): win_skew", found, exactly(0))


SHEDDING_TABLES = (
    "swedish n_players=3",
    "swedish n_players=4",
    "swedish n_players=3 centre_piles=2",
    "swedish n_players=4 centre_piles=3 stress_pairs=neighbours",
    "swedish centre_piles=3",
    "swedish n_players=4 stress_pairs=all stress_pickup=all",
    "swedish n_players=3 stress_share=all_but_first stress_tie=random",
    "norwegian n_players=3",
    "german n_players=3",
    "jass n_players=3 deal_mode=split_combined n_decks=1",
    "german-jokers n_players=3 n_jokers=3",
    "swedish-merge centre_piles=4 stress_pairs=neighbours restart_empty_stock=opponent_gives",
    "swedish n_players=3 restart_source=own_row late_card=penalty",
    "swedish n_players=3 pile_view=absolute slap_target=right_pile stress_pickup=left",
)


def equal_seats_win(rules: str, timing: str, deals: int) -> Check:
    """Compare how often each seat of equal players wins, by chi-square over all seats."""
    name, *sets = rules.split()
    n_players = int(lowered_of(name, sets).rules["n_players"][0])
    seats = [f"win_{seat}" for seat in range(1, n_players + 1)]
    totals = totals_of(name, deals, seats, sets=sets, timing=timing)
    wins = np.array([totals[seat] for seat in seats])
    return Check(f"{rules} ({timing}): seats {wins.tolist()}", Value(chi_square(wins), 1.0), exactly(0))
