"""The kernel once more in plain C plays the same deals, to the last column."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from stressim.lowering import lower
from stressim.players import resolve_players
from stressim.rulesfile import load_rules

SCRIPTS = Path(__file__).parents[1] / "scripts"
DEALS = 3000

RULES = (
    ("swedish",),
    ("swedish", "ace=low"),
    ("swedish", "tie_window_ms=200", "deck_copies=6"),
    ("swedish", "deck_copies=2"),
    ("german",),
    ("german", "late_card=stays_if_legal", "stock_location=table", "one_hand_only=false"),
    ("german", "restart_empty_stock=flip_alone", "pickup_placement=under_stock", "refill_policy=immediate"),
    ("german", "post_stress_empty_stock=as_restart", "deck_copies=2"),
)
PLAYERS = (
    (),
    ("1.speed=1.3", "2.seat_distance_cm=20", "all.person_sd=true"),
    ("all.refill=when_needed", "1.decline=0.3", "2.decline=0.3", "all.foresee_stress=0.5", "all.second_hand=true"),
    ("1.slap_pile=smaller", "2.slap_pile=random", "all.p_false_slap=0.1", "all.p_illegal_play=0.2"),
)


@pytest.fixture(scope="module")
def yardstick():
    sys.path.insert(0, str(SCRIPTS))
    try:
        yield importlib.import_module("benchmark.yardstick")
    finally:
        sys.path.remove(str(SCRIPTS))


@pytest.fixture(scope="module")
def built(yardstick, tmp_path_factory):
    compiler = yardstick.compiler()
    if compiler is None:
        pytest.skip("there is no C compiler here")
    return yardstick.Yardstick(tmp_path_factory.mktemp("yardstick"), compiler)


def lowered(preset, *changes, players=(), timing="human", reflexes=0):
    rules = load_rules(preset, changes)
    return rules.family, lower(
        rules.options, resolve_players(players, 2, rules.family.habits), timing, reflexes=reflexes
    )


def rows_of(play, family, what, first=0):
    rows = np.zeros((DEALS, len(family.columns)), dtype=np.int64)
    play(what, 5, first, rows)
    return rows


@pytest.mark.parametrize("timing", ["human", "uniform"])
@pytest.mark.parametrize("rules", RULES, ids=",".join)
def test_yardstick__plays_the_same_deals(built, rules, timing) -> None:
    family, what = lowered(*rules, timing=timing)

    assert np.array_equal(rows_of(built.play_deals, family, what), rows_of(family.play_deals, family, what))


@pytest.mark.parametrize("preset", ["swedish", "german"])
@pytest.mark.parametrize("players", PLAYERS[1:], ids=",".join)
def test_yardstick__plays_as_the_players_do(built, preset, players) -> None:
    family, what = lowered(preset, players=players)
    rows = rows_of(built.play_deals, family, what)

    assert np.array_equal(rows, rows_of(family.play_deals, family, what))
    assert not np.array_equal(rows, rows_of(family.play_deals, *lowered(preset)))


def test_yardstick__draws_other_reflexes_on_the_same_cards(built) -> None:
    family, what = lowered("swedish", reflexes=3)

    assert np.array_equal(rows_of(built.play_deals, family, what, 7), rows_of(family.play_deals, family, what, 7))


def test_yardstick__counts_events(built) -> None:
    family, what = lowered("swedish")
    rows = np.zeros((100, len(family.columns)), dtype=np.int64)
    n_events = built.play_deals(what, 1, 0, rows)
    moves = rows[:, [column.name for column in family.columns].index("moves")].sum()

    assert n_events > moves


@pytest.mark.parametrize(
    ("preset", "changes", "players"),
    [
        ("swedish", ["merge_equal_ranks=always"], []),
        ("swedish", ["row_slots=5"], []),
        ("swedish", ["stress_signal=shout", "slap_target=none", "n_jokers=2"], []),
        ("swedish", [], ["2.card_choice=random"]),
        ("james-bond", [], []),
    ],
)
def test_yardstick__refuses_what_it_does_not_know(built, yardstick, preset, changes, players) -> None:
    family, what = lowered(preset, *changes, players=players)

    with pytest.raises(yardstick.Unsuitable):
        built.play_deals(what, 1, 0, np.zeros((1, len(family.columns)), dtype=np.int64))
