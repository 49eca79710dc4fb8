"""Nothing that decides a deal hangs on a player's number."""

import numpy as np
import pytest
from checks import Check, failing, fairness
from playing import LIMIT, PRESETS, TIMINGS, column, mean, metrics_of, rows_of

DEALS = 30_000

# Options that look at "the two piles" or at "the other player": each must look from both seats alike.
ONE_SIDED = (
    "swedish pile_view=absolute stress_pickup=left",
    "swedish stress_pickup=one one_pile=smaller",
    "swedish under_order=other_first",
    "swedish restart_target=any_pile late_card=penalty illegal_card=penalty",
    "swedish restart_empty_stock=opponent_gives giver_with_one_card=from_row",
    "swedish card_in_air_at_slap=lands stress_tie=random win_check_before_stress=false",
    "german restart_consent=unilateral refill_policy=after_each_play",
    "speed restart_target=any_pile side_pile_reuse=turned_over multi_card_play=run one_card_at_a_time=false",
    "spit round_end=none move_to_empty=false",
    "swedish restart_source=own_row false_call_penalty=one_card slap_target=both_hands",
    "german-jokers joker_mode=anything restart_both_empty=take_right_pile_shuffle",
)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("rules", [*PRESETS, *ONE_SIDED])
def test_fairness__equal_players_win_alike(rules: str, timing: str) -> None:
    assert not failing([fairness(rules, timing, DEALS)])


PAIRS = (
    ("swedish", "1=expert", "2=senior", "human"),
    ("swedish", "1.speed=1.1", "2.seat_distance_cm=7", "human"),
    ("jass", "1.card_choice=hunt_stress", "2.person_sd=true", "human"),
    ("german", "1.decline=0.3", "2.p_false_slap=0.02", "human"),
    ("norwegian", "1.merge=when_needed", "2.refill=when_needed", "human"),
    ("swedish stress_pickup=one", "1.pile_choice=left", "2.pile_choice=smaller", "uniform"),
)


@pytest.mark.parametrize(("rules", "one", "two", "timing"), PAIRS)
def test_fairness__exchanged_players_exchange_results(rules: str, one: str, two: str, timing: str) -> None:
    name, *sets = rules.split()
    here = rows_of(name, DEALS, sets=sets, players=[one, two], timing=timing)
    there_players = ["2" + one[1:], "1" + two[1:]]
    there = rows_of(name, DEALS, sets=sets, players=there_players, timing=timing, seed=2)
    exchanged = metrics_of(there, clock=timing == "human")
    exchanged["win_1"], exchanged["win_2"] = exchanged["win_2"], exchanged["win_1"]
    found = metrics_of(here, clock=timing == "human")
    del found["win_skew"]
    assert not failing([Check(metric, value, exchanged[metric]) for metric, value in found.items()])


def test_fairness__a_better_player_wins_more() -> None:
    """Without this the exchange above could hold because players made no difference."""
    rows = rows_of("swedish", DEALS, players=["1=expert", "2=senior"], timing="human")
    assert mean(column(rows, "win_1") - column(rows, "win_2")).estimate > 0.2


@pytest.mark.parametrize("timing", TIMINGS)
def test_fairness__deals_are_no_copies(timing: str) -> None:
    """Neither of other deals nor of the same deals of another seed."""
    rows = rows_of("swedish", 4000, timing=timing)
    again = rows_of("swedish", 4000, timing=timing, seed=2)
    moves = column(rows, "moves") - column(rows, "moves").mean()
    for other in (column(again, "moves"), np.roll(column(rows, "moves"), 1), np.roll(column(rows, "moves"), 2)):
        correlation = np.corrcoef(moves, other)[0, 1]
        assert abs(correlation) * np.sqrt(len(moves)) < LIMIT
