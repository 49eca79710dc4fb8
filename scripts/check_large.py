#!/usr/bin/env python3
"""Hold the kernels against everything known exactly or published, with many deals.

    python scripts/check_large.py                 everything, about two hours on two cores
    python scripts/check_large.py uniform start   some of it
    python scripts/check_large.py --scale 0.01    everything with a hundredth of the deals

Each line is one check: what was found, what was expected, and their distance in standard errors. The status is 1 if a
distance is above four or a deal differs where it must not. The tests run the same checks with fewer deals.

Parts: uniform (published values, 1,000,000 deals each), model (the plain model's stored values, 1,000,000), start
(exact probabilities of the first position, 4,000,000), fairness (equal players, 10,000,000 of every preset and timing),
tables (equal players at tables of three and four, 10,000,000), plain (compiled against plain Python, 300 deals of every
preset and timing), fresh (kernels compiled anew, 300); and of the exchange game: facts (what the deal alone decides,
4,000,000), locks (greedy players who never stall, 1,000,000), ranks (sets of ranks that winners complete, 1,000,000),
seats (equal players and teams, 10,000,000 of seven tables and both timings), places (equal players' places, 10,000,000
of three tables and both timings), given (ranks of a handicap, 1,000,000), race (two players for one card, 20,000
deals).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from checks import (
    SHEDDING_TABLES,
    UNIFORM_ROWS,
    Check,
    against_model,
    equal_seats_win,
    fairness,
    published_uniform,
    start,
)
from exchange_checks import (
    BUNCHES,
    NEVER_STALL,
    PLACES,
    TABLES,
    deal_facts,
    given_ranks,
    nearer_player,
    never_stall,
    places,
    seats,
    winner_ranks,
)
from playing import PRESETS, TIMINGS
from test_shedding_determinism import freshly_compiled, plain_and_compiled
from test_shedding_exact_start import START
from uniform_settings import SETTINGS


def uniform(scale: float) -> Iterator[Check]:
    for rules in UNIFORM_ROWS:
        yield from published_uniform(rules, many(1_000_000, scale))


def model(scale: float) -> Iterator[Check]:
    for setting in SETTINGS:
        yield from against_model(setting, many(1_000_000, scale))


def first_position(scale: float) -> Iterator[Check]:
    for rules in START:
        yield from start(rules, many(4_000_000, scale))


def equal_players(scale: float) -> Iterator[Check]:
    for timing in TIMINGS:
        for preset in PRESETS:
            yield fairness(preset, timing, many(10_000_000, scale))


def tables(scale: float) -> Iterator[Check]:
    for timing in TIMINGS:
        for setting in SHEDDING_TABLES:
            yield equal_seats_win(setting, timing, many(10_000_000, scale))


def facts(scale: float) -> Iterator[Check]:
    for n_players in BUNCHES:
        yield from deal_facts(n_players, many(4_000_000, scale))


def locks(scale: float) -> Iterator[Check]:
    for n_players in NEVER_STALL:
        yield never_stall(n_players, many(1_000_000, scale))


def ranks(scale: float) -> Iterator[Check]:
    for n_players in (2, 3, 4):
        yield winner_ranks(n_players, many(1_000_000, scale))


def equal_seats(scale: float) -> Iterator[Check]:
    for timing in TIMINGS:
        for table in TABLES:
            yield seats(table, timing, many(10_000_000, scale))


def all_places(scale: float) -> Iterator[Check]:
    for timing in TIMINGS:
        for table in PLACES:
            yield from places(table, timing, many(10_000_000, scale))


def given(scale: float) -> Iterator[Check]:
    yield given_ranks(many(1_000_000, scale))


def race(scale: float) -> Iterator[Check]:
    yield nearer_player(many(20_000, scale))


def plain(scale: float) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield from plain_and_compiled(Path(folder), many(300, scale))


def fresh(scale: float) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield from freshly_compiled(Path(folder), many(300, scale))


CHECKED: dict[str, Callable[[float], Iterator[Check]]] = {
    "uniform": uniform,
    "model": model,
    "start": first_position,
    "fairness": equal_players,
    "tables": tables,
    "facts": facts,
    "locks": locks,
    "ranks": ranks,
    "seats": equal_seats,
    "places": all_places,
    "given": given,
    "race": race,
}
COMPARED: dict[str, Callable[[float], Iterator[str]]] = {"plain": plain, "fresh": fresh}


def many(deals: int, scale: float) -> int:
    return max(1, round(deals * scale))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help="which parts; all if none is named")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the deals")
    arguments = parser.parse_args()
    parts = arguments.parts or [*CHECKED, *COMPARED]
    if unknown := set(parts) - set(CHECKED) - set(COMPARED):
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    n_failed = 0
    for part in parts:
        if part in CHECKED:
            for check in CHECKED[part](arguments.scale):
                print(check, flush=True)
                n_failed += not check.holds
        else:
            found = list(COMPARED[part](arguments.scale))
            print(f"{'** ' if found else '   '}{part}: {len(found)} values differ", *found[:20], sep="\n", flush=True)
            n_failed += bool(found)
    print(f"{n_failed} checks failed" if n_failed else "every check holds")
    return int(n_failed > 0)


if __name__ == "__main__":
    sys.exit(main())
