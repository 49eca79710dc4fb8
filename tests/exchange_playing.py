"""Play exchange deals for tests: a preset with changed options and players in, rows of columns out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import chi2, norm

from stressim.exchange.referee import judge
from stressim.exchange.rules import ExchangeRules
from stressim.family import family_named
from stressim.lowering import Lowered, lower
from stressim.players.resolve import resolve_players
from stressim.rulesfile import load_rules

FAMILY = family_named("exchange")
COLUMN = {column.name: index for index, column in enumerate(FAMILY.columns)}
TIMINGS = ("uniform", "human")
PRESETS = (
    "james-bond",
    "james-bond-multi",
    "james-bond-deadline",
    "james-bond-two-decks",
    "james-bond-teams",
    "james-bond-ranked",
    "james-bond-solo",
)
GREEDY = ("all=greedy",)


def lowered_of(rules: str, players: Sequence[str] = (), timing: str = "uniform") -> Lowered:
    """Lower ``"preset option=value …"`` and players."""
    name, *sets = rules.split()
    loaded = load_rules(name, sets=sets)
    options = loaded.options
    return lower(options, resolve_players(players, options.n_players, loaded.family.habits), timing)


def assert_judged_alike(rules: ExchangeRules, lowered: Lowered, seed: int, deal: int) -> np.ndarray:
    """Let the referee judge a deal's log, compare every number that the log implies, and return the deal's row."""
    log = FAMILY.log_deal(lowered, seed, deal)
    implied = judge(rules, log.cards.tolist(), log.events.tolist(), uniform=lowered.uniform).as_dict()

    assert {name: int(log.row[COLUMN[name]]) for name in implied} == implied
    row: np.ndarray = log.row
    return row


def rows_of(
    rules: str, n: int, *, players: Sequence[str] = (), timing: str = "uniform", seed: int = 1, first: int = 0
) -> np.ndarray:
    """Play ``n`` deals and return their rows, shape ``(n, columns)``."""
    rows = np.zeros((n, len(COLUMN)), np.int64)
    FAMILY.play_deals(lowered_of(rules, players, timing), seed, first, rows)
    return rows


def column(rows: np.ndarray, name: str) -> np.ndarray:
    """Return one column of rows."""
    return rows[:, COLUMN[name]]


def off(values: np.ndarray, expected: float) -> float:
    """Return how many standard errors the mean lies off what is expected; that of a share if values are flags."""
    values = np.asarray(values, np.float64)
    spread = np.sqrt(expected * (1 - expected)) if set(np.unique(values)) <= {0.0, 1.0} else values.std(ddof=1)
    return float((values.mean() - expected) / (spread / np.sqrt(len(values))))


def chi_square(counts: np.ndarray) -> float:
    """Return how far equal chances are off by chi-square, as the standard errors that are as unlikely."""
    counts = np.asarray(counts)
    expected = counts.sum() / len(counts)
    return float(norm.isf(chi2.sf(((counts - expected) ** 2 / expected).sum(), len(counts) - 1)))
