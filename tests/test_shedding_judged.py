"""Kernel and referee, two descriptions of the rules, agree on random deals of random rules and habits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playing import COLUMN, PRESETS, TIMINGS, lowered_of
from strategies import shedding_rules

from stressim.family import family_named
from stressim.lowering import Lowered, lower
from stressim.options import Choice
from stressim.players.player import Player
from stressim.rulesfile import load_rules
from stressim.shedding.habits import SheddingHabits
from stressim.shedding.referee import judge
from stressim.shedding.rules import SheddingRules

FAMILY = family_named("shedding")
SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def shedding_habits(draw: st.DrawFn) -> SheddingHabits:
    """Draw any habits, often the usual ones."""
    chosen: dict[str, Any] = {}
    for name, field in SheddingHabits.model_fields.items():
        if draw(st.booleans()):
            kind = field.annotation
            if isinstance(kind, type) and issubclass(kind, Choice):
                chosen[name] = draw(st.sampled_from(list(kind)))
            elif kind is bool:
                chosen[name] = draw(st.booleans())
            else:
                chosen[name] = draw(st.sampled_from([0.0, 0.3, 1.0]))
    return SheddingHabits(**chosen)


def assert_judged_alike(rules: SheddingRules, lowered: Lowered, seed: int, deal: int, most: int = 20_000) -> None:
    """Let the referee judge a deal's log and compare every number that the log implies.

    A deal stopped at the limit has twenty thousand plays, which take the referee minutes, and proves nothing more; nor
    does one with more than ``most`` plays, stalls or stresses.
    """
    rows = np.zeros((1, len(COLUMN)), dtype=np.int64)
    FAMILY.play_deals(lowered, seed, deal, rows)
    if rows[0, COLUMN["unfinished"]] or max(rows[0, COLUMN[name]] for name in ("moves", "stalls", "stresses")) > most:
        return
    log = FAMILY.log_deal(lowered, seed, deal)
    verdict = judge(rules, log.cards.tolist(), log.events.tolist(), uniform=lowered.uniform)
    implied = verdict.as_dict()
    assert {name: int(log.row[COLUMN[name]]) for name in implied} == implied


@pytest.mark.parametrize("timing", TIMINGS)
@given(rules=shedding_rules(), habits=st.tuples(shedding_habits(), shedding_habits()), seed=st.integers(0, 2**64 - 1))
@settings(SLOW, max_examples=40)
def test_kernel__is_judged_alike_under_any_rules_and_habits(
    timing: str, rules: SheddingRules, habits: tuple[SheddingHabits, SheddingHabits], seed: int
) -> None:
    lowered = lower(rules, [Player(habits=own) for own in habits], timing)
    for deal in range(2):
        assert_judged_alike(rules, lowered, seed, deal)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("preset", PRESETS)
def test_kernel__is_judged_alike_under_presets(preset: str, timing: str) -> None:
    rules = load_rules(preset).options
    lowered = lowered_of(preset, timing=timing)
    for deal in range(12):
        assert_judged_alike(rules, lowered, 20, deal)


@pytest.mark.parametrize(
    ("deal", "sets"),
    [(80, ["multi_card_play=same_rank"]), (65, ["n_players=3"]), (4, ["n_players=4", "multi_card_play=same_rank"])],
)
def test_immediate_refills__are_not_put_off_by_a_penalty_card(deal: int, sets: list[str]) -> None:
    """Who gets a card under a stock that he has must fill his row up as soon as before."""
    sets = ["refill_policy=immediate", "false_call_penalty=one_card", *sets]
    rules = load_rules("swedish", sets=sets).options
    assert isinstance(rules, SheddingRules)
    habits = ["all.refill=when_needed", "all.foresee_stress=1"]
    assert_judged_alike(rules, lowered_of("swedish", sets, timing="human", players=habits), 5, deal)


@pytest.mark.parametrize("stress_first", [True, False])
@pytest.mark.parametrize("seed", [0, 64])
def test_last_card__on_a_stress_that_a_hand_on_its_way_still_answers(seed: int, stress_first: bool) -> None:
    """Where the stress comes before the win, that slap decides; else the deal is over, and nobody has slapped (U16)."""
    rules = SheddingRules(
        deck="custom", deck_ranks="A r2 r3", deck_copies=1, n_jokers=1, row_slots=1, multi_card_play="same_rank",
        refill_policy="immediate", start_flip="turn_from_stock", stress_signal="slap", slap_target="right_pile",
        slap_grace_ms=8.0, win_check_before_stress=not stress_first,
    )  # fmt: skip
    players = [Player(habits=SheddingHabits(refill="at_once", foresee_stress=1.0))] * 2
    assert_judged_alike(rules, lower(rules, players, "human"), seed, 1)


@pytest.mark.parametrize("timing", TIMINGS)
def test_pile_set_aside__while_the_other_is_shuffled_into_a_stock(timing: str) -> None:
    sets = ["stress_pickup=left", "other_pile_after_stress=set_aside", "pickup_placement=shuffle_into_stock"]
    rules = load_rules("swedish", sets=sets).options
    assert isinstance(rules, SheddingRules)
    for deal in range(12):
        assert_judged_alike(rules, lowered_of("swedish", sets, timing=timing), 5, deal)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("preset", ["swedish", "german-jokers", "norwegian"])
def test_log__is_of_the_deal_that_is_counted(preset: str, timing: str) -> None:
    lowered = lowered_of(preset, timing=timing)
    rows = np.zeros((5, len(COLUMN)), dtype=np.int64)
    FAMILY.play_deals(lowered, 3, 10, rows)
    logged = [FAMILY.log_deal(lowered, 3, 10 + i).row.tolist() for i in range(5)]
    assert logged == rows.tolist()
