"""What every exchange deal must satisfy, whatever the rules: both timing modes, and the referee's judgement of each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from exchange_playing import (
    COLUMN,
    FAMILY,
    GREEDY,
    PRESETS,
    TIMINGS,
    assert_judged_alike,
    column,
    lowered_of,
    rows_of,
)
from exchange_strategies import exchange_habits, exchange_rules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import stressim
from stressim.compiled.deals import MOST_EVENTS_LOGGED
from stressim.compiled.native import JIT, codes_in_use
from stressim.exchange.events import Field, Kind
from stressim.exchange.rules import ExchangeRules
from stressim.lowering import lower
from stressim.players.player import Player
from stressim.rulesfile import load_rules

OUTCOMES = ["won", "drawn", "deadlocked", "livelocked", "unfinished"]
DEALS = 300
SETTINGS = (
    *PRESETS,
    "james-bond n_players=1",
    "james-bond n_players=12",
    "james-bond n_decks=2 n_players=5",
    "james-bond swap_order=take_first take_back_own=forbidden",
    "james-bond swap_order=simultaneous contested_card=random",
    "james-bond n_players=4 contested_card=first_in_hand touch_tie=redo tie_window_ms=300",
    "james-bond-multi n_players=6 grab_equal_only=true tie_window_ms=300",
    "james-bond deadlock_rule=redeal deadlock_wait_s=20",
    "james-bond deadlock_rule=most_complete_wins deadlock_wait_s=5",
    "james-bond false_call_penalty=forfeit n_players=3",
    "james-bond deck=custom deck_ranks=3 win_tie=first_complete",
    "james-bond deck=custom deck_ranks=13 deck_copies=5 bunch_size=5 centre_cards=5 swap_max_cards=4",
    "james-bond n_players=4 swap_max_cards=4",
    "james-bond n_players=6 team_size=3 take_back_own=forbidden deadlock_rule=swap_deadline swap_deadline_s=2",
    "james-bond n_players=6 team_size=2 ranking=all swap_max_cards=2 swap_order=simultaneous",
    "james-bond n_players=3 ranking=all_but_one false_call_penalty=forfeit",
    "james-bond n_players=4 ranking=all deadlock_rule=redeal deadlock_wait_s=10",
    "james-bond handicap_bunches=3 handicap_player=2 win_tie=first_complete",
    "james-bond n_decks=2 n_players=5 handicap_bunches=2 deadlock_rule=redeal deadlock_wait_s=5",
)


def options_of(rules: str) -> ExchangeRules:
    name, *sets = rules.split()
    options = load_rules(name, sets=sets).options
    assert isinstance(options, ExchangeRules)
    return options


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("rules", SETTINGS)
def test_deals__obey_every_law(rules: str, timing: str) -> None:
    rows = rows_of(rules, DEALS, timing=timing, seed=8)
    of = {name: column(rows, name) for name in COLUMN}
    team_size = options_of(rules).team_size
    laws = {
        "nothing is negative": rows >= 0,
        "a deal ends in one way": sum(of[name] for name in OUTCOMES) == 1,
        "a won deal has one winner": sum(of[f"win_{seat}"] for seat in range(1, 13)) == team_size * of["won"],
        "moves are swaps, churns and yields": of["swaps"] + of["churns"] + of["yields"] == of["moves"],
        "a lock is no more than a stall": (of["locks"] > 0) <= (of["stalls"] > 0),
        "moves come from looks": of["looks"] >= of["moves"],
        "choices are looks": of["choices"] <= of["looks"],
        "stalled: a stall or more": of["stalled"] == (of["stalls"] > 0),
        "locked: a lock or more": of["locked"] == (of["locks"] > 0),
        "deadlocked: in a lock, for these players leave their bunches": of["deadlocked"] <= of["locked"],
        "stalled time is a part": of["stalled_us"] <= of["length_us"],
        "only losers of won deals count": (of["losers"] > 0) <= (of["won"] == 1),
        "only a winner has ranks": (of["winner_ranks"] > 0) == (of["won"] == 1),
    }
    if "forfeit" not in rules and "most_complete" not in rules:
        laws["a winner takes what he lacks"] = of["winner_swapped_cards"] >= of["winner_work"]
    if timing == "uniform":
        laws["no clock"] = of["length_us"] + of["stalled_us"] + of["first_stall_us"] == 0
        laws["stalls are locks"] = of["stalls"] == of["locks"]
        laws["no hands"] = of["switches"] + of["contested_lost"] + of["deadlines"] + of["false_calls"] == 0

    assert [law for law, holds in laws.items() if not np.all(holds)] == []


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("rules", SETTINGS)
def test_kernel__is_judged_alike(rules: str, timing: str) -> None:
    for players in ((), GREEDY, ("all=generous", "all.when_snatched=wait", "all.person_sd=true")):
        lowered = lowered_of(rules, players, timing)
        for deal in range(3):
            assert_judged_alike(options_of(rules), lowered, 9, deal)


@pytest.mark.parametrize("timing", TIMINGS)
@given(rules=exchange_rules(), data=st.data(), seed=st.integers(0, 2**64 - 1))
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_kernel__is_judged_alike_under_any_rules_and_habits(
    timing: str, rules: ExchangeRules, data: st.DataObject, seed: int
) -> None:
    players = [
        Player(habits=data.draw(exchange_habits()), seat_distance_cm=data.draw(st.sampled_from([0.0, 14.0])))
        for _ in range(rules.n_players)
    ]
    assert_judged_alike(rules, lower(rules, players, timing), seed, 0)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("rules", SETTINGS)
def test_cards__are_conserved(rules: str, timing: str) -> None:
    """Follow the cards through the log: every row moves one from where it lies."""
    options = options_of(rules)
    log = FAMILY.log_deal(lowered_of(rules, (), timing), 5, 2)
    size = options.bunch_size
    bunches = [set(log.cards[first : first + size]) for first in range(0, options.n_bunches * size, size)]
    centre = set(log.cards[options.n_bunches * size :])

    assert sorted(log.cards) == sorted(options.cards)
    for event in log.events:
        kind, player, bunch, card = event[Field.KIND], event[Field.PLAYER], event[Field.BUNCH], event[Field.CARD]
        if kind == Kind.REDEAL:
            break
        held = bunches[options.side_of(player) * options.bunches_each + bunch]
        if kind == Kind.PUT_DOWN:
            held.remove(card)
            centre.add(card)
        elif kind == Kind.TAKE:
            centre.remove(card)
            held.add(card)
        elif kind == Kind.COMPLETE:
            assert len(held) == size
            assert len({own % 16 for own in held}) == 1
    assert sorted(set().union(centre, *bunches)) == sorted(options.cards)


@pytest.mark.parametrize("timing", TIMINGS)
def test_log__belongs_to_the_deal_that_is_played(timing: str) -> None:
    lowered = lowered_of("james-bond n_players=4", (), timing)
    rows = rows_of("james-bond n_players=4", 5, timing=timing, seed=3, first=20)

    assert all((FAMILY.log_deal(lowered, 3, 20 + deal).row == rows[deal]).all() for deal in range(5))


@pytest.mark.parametrize("timing", TIMINGS)
def test_deal__hangs_on_its_number_alone(timing: str) -> None:
    together = rows_of("james-bond n_players=3", 50, timing=timing, seed=4)
    apart = [rows_of("james-bond n_players=3", 10, timing=timing, seed=4, first=first) for first in range(0, 50, 10)]

    assert (together == np.concatenate(apart)).all()
    assert len(np.unique(together, axis=0)) == 50
    assert (together != rows_of("james-bond n_players=3", 50, timing=timing, seed=5)).any()


def test_log__of_thousands_of_redeals_is_whole() -> None:
    lowered = lowered_of("james-bond deadlock_rule=redeal deadlock_wait_s=0.1", (), "human")
    log = FAMILY.log_deal(lowered, 3, 0)

    assert len(log.events) > 2 * MOST_EVENTS_LOGGED
    assert (np.diff(log.events[:, Field.TIME]) >= 0).all()
    assert (log.events[:, Field.KIND] == Kind.REDEAL).sum() == log.row[COLUMN["redeals"]]
    assert log.events[-1, Field.KIND] == Kind.END


PLAY_IN_CHILD = """
import sys
import numpy as np
from exchange_playing import TIMINGS, rows_of
from test_exchange_kernel import SETTINGS
rows = [rows_of(rules, 2, timing=timing, seed=5, first=70) for rules in SETTINGS for timing in TIMINGS]
np.save(sys.argv[1], np.array(rows))
"""


@pytest.mark.skipif(not JIT, reason="compares compiled kernels with plain Python")
def test_plain_python__plays_the_same_deals(tmp_path: Path) -> None:
    path = tmp_path / "rows.npy"
    places = os.pathsep.join([str(Path(stressim.__file__).parents[1]), str(Path(__file__).parent)])
    child = subprocess.run(
        [sys.executable, "-c", PLAY_IN_CHILD, str(path)],
        env={**os.environ, "PYTHONPATH": places, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        check=False,
    )

    assert child.returncode == 0, child.stderr.decode()
    own = [rows_of(rules, 2, timing=timing, seed=5, first=70) for rules in SETTINGS for timing in TIMINGS]
    assert (np.load(path) == np.array(own)).all()


@pytest.mark.skipif(not JIT, reason="plain Python compiles nothing")
def test_kernels__are_compiled_once_for_the_usual_rules_and_once_for_all_others() -> None:
    from stressim.exchange.kernel import run, run_pair

    def compiled() -> list[int]:
        return [
            codes_in_use(module.__name__, name) for module in (run, run_pair) for name in ("run_human", "run_uniform")
        ]

    for rules in ("james-bond", "james-bond-multi"):
        for timing in TIMINGS:
            rows_of(rules, 1, timing=timing)
    once = compiled()
    for rules in SETTINGS:
        for timing in TIMINGS:
            rows_of(rules, 1, timing=timing)

    assert all(once)
    assert compiled() == once


def test_greedy__deadlocks_the_moment_that_nothing_can_change() -> None:
    rows = rows_of("james-bond", 300, players=GREEDY, timing="human")
    locked = column(rows, "deadlocked") == 1
    log = FAMILY.log_deal(lowered_of("james-bond", GREEDY, "human"), 1, int(np.flatnonzero(locked)[0]))

    assert locked.mean() > 0.8
    assert (column(rows, "locks")[locked] >= 1).all()
    assert log.events[-2][Field.TIME] == log.events[-1][Field.TIME]


@pytest.mark.parametrize("habit", ["own_memory=fading", "own_memory=perfect", "grab_memory=all", "hold_back=false"])
def test_greedy_beside_sensible__win_or_go_round_for_ever(habit: str) -> None:
    """What the one holds on to may leave the other nothing but to swap the same few cards for ever."""
    rows = rows_of("james-bond", 400, players=["1=greedy", f"2.{habit}"], timing="human")

    assert (column(rows, "won") + column(rows, "livelocked")).all()
    assert column(rows, "livelocked").any()
    assert (column(rows, "livelocked") <= column(rows, "locked")).all()


def test_greedy_beside_generous__who_only_mends_his_last_bunch_goes_round_for_ever() -> None:
    """He yields a card of a bunch that lacks one, and takes it back: what he lacks, the other never lays."""
    players = ("1=greedy", "2=generous")
    rows = rows_of("james-bond", 3, players=players, timing="human", first=449)
    log = FAMILY.log_deal(lowered_of("james-bond", players, "human"), 1, 450)
    swaps = log.events[log.events[:, Field.KIND] == Kind.TAKE]

    assert column(rows, "livelocked").tolist() == [0, 1, 0]
    assert log.row[COLUMN["yields"]] > 0
    assert set(swaps[-20:, Field.PLAYER]) == {1}


def test_generous__yield_where_sensible_players_do_not() -> None:
    generous = rows_of("james-bond", 200, players=["all=generous"], timing="human")
    sensible = rows_of("james-bond", 200, players=["all=sensible"], timing="human")

    assert column(generous, "yields").mean() > 20 * column(sensible, "yields").mean()
