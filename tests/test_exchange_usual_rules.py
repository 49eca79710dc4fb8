"""The kernel for two players under the usual rules of the exchange game plays as the one for all rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest
from exchange_playing import FAMILY, TIMINGS, lowered_of

from stressim.compiled.native import JIT
from stressim.exchange import play
from stressim.exchange.kernel import run, run_pair
from stressim.lowering import Lowered, lowered_numbers
from stressim.rulesfile import load_rules

DEALS = 1000
PLAYERS = (
    (),
    ("all=greedy",),
    ("1=greedy", "2=generous"),
    ("all=generous", "all.when_snatched=wait", "all.person_sd=true"),
    ("1=restless", "2=patient", "all.target_choice=random"),
    ("all.own_memory=perfect", "all.next_bunch=highest", "all.p_false_call=0.3"),
    ("all=generous", "all.switch_weight=0"),
    ("1=greedy", "1.switch_weight=0"),
    ("all=greedy", "2.switch_weight=0"),
)
Made = TypeVar("Made")
FREE = ("win_tie=shared", "after_snatch=take_another", "touch_tie=redo tie_window_ms=300", "call_tie_window_ms=500")


def rows(lowered: Lowered) -> np.ndarray:
    played = np.zeros((DEALS, len(FAMILY.columns)), dtype=np.int64)
    play.play_deals(lowered, 3, 0, played)
    return played


def both(lowered: Lowered, of_game: Callable[[Lowered], Made]) -> tuple[Made, Made]:
    """What a function makes of a game under the kernel of the usual rules, and of all rules."""
    assert play._kernels(lowered) == run_pair.__name__
    usual = of_game(lowered)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "USUAL", {"n_jokers": 99})
        assert play._kernels(lowered) == run.__name__
        return usual, of_game(lowered)


@pytest.mark.skipif(not JIT, reason="without compiling it takes too long")
@pytest.mark.parametrize("players", PLAYERS)
def test_usual_rules__play_as_among_all_rules_under_the_clock(players: tuple[str, ...]) -> None:
    usual, among_all = both(lowered_of("james-bond", players, "human"), rows)

    assert np.array_equal(usual, among_all)


@pytest.mark.skipif(not JIT, reason="without compiling it takes too long")
@pytest.mark.parametrize("changes", FREE)
def test_usual_rules__play_as_among_all_rules_where_free_ones_change(changes: str) -> None:
    usual, among_all = both(lowered_of(f"james-bond {changes}", ("all.seat_distance_cm=5",), "human"), rows)

    assert np.array_equal(usual, among_all)


@pytest.mark.skipif(not JIT, reason="without compiling it takes too long")
def test_usual_rules__play_as_among_all_rules_without_a_clock() -> None:
    usual, among_all = both(lowered_of("james-bond", (), "uniform"), rows)

    assert np.array_equal(usual, among_all)


@pytest.mark.parametrize("timing", TIMINGS)
def test_usual_rules__have_the_log_that_they_have_among_all_rules(timing: str) -> None:
    def log(lowered: Lowered) -> list[list[int]]:
        return [event.tolist() for deal in play.log_deals(lowered, 5, 0, 3) for event in deal.events]

    usual, among_all = both(lowered_of("james-bond", (), timing), log)

    assert usual == among_all


@pytest.mark.parametrize("name", sorted(play.USUAL))
def test_usual_rules__any_other_value_is_not_usual(name: str) -> None:
    lowered = lowered_of("james-bond", (), "human")
    assert play._kernels(lowered) == run_pair.__name__

    lowered.rules[name][0] += 1

    assert play._kernels(lowered) == run.__name__


def test_usual_rules__are_those_of_the_preset() -> None:
    numbers = lowered_numbers(load_rules("james-bond").options)

    assert {name: numbers[name] for name in play.USUAL} == {name: int(value) for name, value in play.USUAL.items()}


@pytest.mark.parametrize(
    ("preset", "kernels"),
    [("james-bond", "run_pair"), ("james-bond-multi", "run"), ("james-bond-solo", "run"), ("james-bond-teams", "run")],
)
def test_kernels_of__names_the_module_that_plays(preset: str, kernels: str) -> None:
    rules = load_rules(preset)

    assert FAMILY.kernels_of(rules.options) == f"stressim.exchange.kernel.{kernels}"
    assert play._kernels(lowered_of(preset, (), "human")) == FAMILY.kernels_of(rules.options)


def test_rows_of_tables__are_the_same_for_all_players_and_rules() -> None:
    """The kernel of the usual rules has them as constants."""
    found = {
        tuple(int(row) for name in play._ROWS for row in lowered.players[name])
        for lowered in (lowered_of("james-bond", players, "human") for players in PLAYERS)
    }

    assert len(found) == 1
