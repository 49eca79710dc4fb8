"""Three and four at a table, with as many piles as agreed (B51, U42)."""

from __future__ import annotations

from typing import Any

import pytest
from checks import SHEDDING_TABLES, equal_seats_win, failing
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import FAMILY, LIMIT, TIMINGS, column, exactly, lowered_of, mean, rows_of
from shedding_logs import Log, accepted, refused
from strategies import rules_of_many
from test_shedding_judged import SLOW, assert_judged_alike, shedding_habits

from stressim.errors import InputError
from stressim.lowering import lower
from stressim.players.player import Player
from stressim.rulesfile import load_rules
from stressim.shedding.events import Kind, Outcome, Reason
from stressim.shedding.habits import SheddingHabits
from stressim.shedding.referee.flips_of_many import flips_wanted
from stressim.shedding.referee.table import Table
from stressim.shedding.replay_words import moments
from stressim.shedding.rules import SheddingRules

DEALS = 2500
SMALL = {"deck": "custom", "deck_copies": 1, "row_slots": 2, "ace": "low", "n_players": 3}


def deep(deck: int = 8, **options: Any) -> dict[str, Any]:
    return {**SMALL, "deck_ranks": str(deck), **options}


# kernel and referee


@pytest.mark.parametrize("timing", TIMINGS)
@given(rules=rules_of_many(), habits=st.tuples(*[shedding_habits()] * 4), seed=st.integers(0, 2**64 - 1))
@settings(SLOW, max_examples=40)
def test_tables__are_judged_alike_under_any_rules_and_habits(
    timing: str, rules: SheddingRules, habits: tuple[SheddingHabits, ...], seed: int
) -> None:
    lowered = lower(rules, [Player(habits=own) for own in habits[: rules.n_players]], timing)
    assert_judged_alike(rules, lowered, seed, 0, most=150)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("setting", SHEDDING_TABLES)
def test_tables__are_judged_alike(setting: str, timing: str) -> None:
    name, *sets = setting.split()
    rules = load_rules(name, sets=sets).options
    assert isinstance(rules, SheddingRules)
    for deal in range(3):
        assert_judged_alike(rules, lowered_of(name, sets, timing=timing), 20, deal, most=1500)


@pytest.mark.parametrize("deal", [6, 11, 31, 40])
def test_immediate_refills__count_cards_that_land_after_a_slap(deal: int) -> None:
    """Who has laid two cards with a slot empty must fill up, also where the second was on its way at the slap (U24)."""
    sets = ("n_players=3", "refill_policy=immediate", "card_in_air_at_slap=lands")
    rules = load_rules("swedish", sets=sets).options
    assert isinstance(rules, SheddingRules)
    lowered = lowered_of("swedish", sets, timing="human", players=["all.refill=when_needed"])
    assert_judged_alike(rules, lowered, 5, deal, most=1500)


def test_tie__replayed_when_nobody_has_a_card_to_flip_is_a_stress_again() -> None:
    sets = ("n_players=4", "deck=jass36", "deal_mode=split_combined", "n_decks=1", "row_slots=8")
    sets += (
        "multi_card_play=same_rank",
        "stress_tie=replay_flip",
        "play_on_equal_tops=frozen",
        "slap_target=right_pile",
    )
    rules = load_rules("swedish", sets=sets).options
    assert isinstance(rules, SheddingRules)
    habits = [SheddingHabits(foresee_stress=1.0, announce_stop=0.3, grasp_ahead=seat == 0) for seat in range(4)]
    lowered = lower(rules, [Player(habits=own) for own in habits], "human")
    events = FAMILY.log_deal(lowered, 0, 0).events
    (at,) = [row for row in range(len(events) - 1) if list(events[row : row + 2, 1]) == [Kind.RESTART, Kind.SLAP]]

    assert events[at, 6] == Reason.STRESS
    assert_judged_alike(rules, lowered, 0, 0)


# fairness


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("setting", SHEDDING_TABLES)
def test_tables__equal_players_win_alike(setting: str, timing: str) -> None:
    assert not failing([equal_seats_win(setting, timing, DEALS)])


def test_tables__a_player_who_sits_nearer_wins_more() -> None:
    far = ["1.seat_distance_cm=10", "3.seat_distance_cm=10"]
    rows = rows_of("swedish", DEALS, sets=["n_players=3"], players=far, timing="human")
    assert column(rows, "win_2").mean() > 0.43


# rules


def _stress(**options: Any) -> Log:
    """Three players; the tops are 7, 7 and 2."""
    return Log(deep(**options), "3 5 7 A 8", "3 5 7 A 8", "4 6 2 A 8").start().wait(0.5)


def _all_slap(log: Log) -> Log:
    """Player 1 slaps first and player 3 last."""
    return log.slap(0, 0).wait(0.1).slap(1, 0).wait(0.1).slap(2, 1).wait(3)


def test_U42_stress_share__the_slowest_takes_the_equal_piles() -> None:
    log = _all_slap(_stress()).take(2, 1, 0).wait(2).restart(Reason.STRESS, 0, 1, 2)
    verdict = accepted(log)
    assert (verdict.stresses, verdict.picked_up, verdict.stress_ties) == (1, 2, 0)


def test_U42_stress_share__nobody_else_takes_them() -> None:
    refused(_all_slap(_stress()).take(1, 1), "B36 stress_pickup")
    refused(_all_slap(_stress()).take(2, 2), "B36 stress_pickup")


def test_U42_stress_share__all_but_the_fastest_share_them() -> None:
    rules = {"stress_share": "all_but_first"}
    log = _all_slap(_stress(**rules)).take(2, 1).take(1, 0).wait(2).restart(Reason.STRESS, 0, 1, 2)
    assert accepted(log).picked_up == 2
    refused(_all_slap(_stress(**rules)).take(2, 1).take(0, 0), "B36 stress_pickup")


def test_B36_stress_pickup__all_piles() -> None:
    log = _all_slap(_stress(stress_pickup="all")).take(2, 2, 1, 0).wait(2).restart(Reason.STRESS, 0, 1, 2)
    assert accepted(log).picked_up == 3


def test_B36_stress_pickup__left_is_the_leftmost_of_the_equal_ones() -> None:
    log = _all_slap(_stress(stress_pickup="left")).take(2, 0).wait(2).restart(Reason.STRESS, 0, 1, 2)
    assert accepted(log).picked_up == 1
    refused(_all_slap(_stress(stress_pickup="left")).take(2, 1), "B36 stress_pickup")


def test_B35_stress_loser__every_player_slaps() -> None:
    refused(_stress().slap(0, 0).wait(0.1).slap(1, 0).wait(3).take(2, 1), "B35 stress_loser")


def test_B34_slap_target__is_one_of_the_equal_piles() -> None:
    refused(_stress().slap(0, 2), "B34 slap_target")
    refused(_stress(slap_target="right_pile").slap(2, 0), "B34 slap_target")


def test_B41_stress_tie__of_the_last_two_each_takes_what_is_on_his_right() -> None:
    log = _stress().slap(0, 0).wait(0.1).slap(1, 0).wait(0.02).slap(2, 1).wait(3).take(1, 1).take(2, 2)
    verdict = accepted(log.wait(2).restart(Reason.STRESS, 0, 1, 2))
    assert (verdict.stress_ties, verdict.picked_up) == (1, 2)


def test_B41_stress_tie__of_the_first_two_settles_nothing() -> None:
    log = _stress().slap(0, 0).wait(0.02).slap(1, 0).wait(0.1).slap(2, 1).wait(3)
    verdict = accepted(log.take(2, 1, 0).wait(2).restart(Reason.STRESS, 0, 1, 2))
    assert verdict.stress_ties == 0


def test_U16_play_on_equal_tops__a_card_on_another_pile_ends_no_stress() -> None:
    log = _all_slap(_stress().play(0, "3", 2)).take(2, 1, 0).wait(2).restart(Reason.STRESS, 0, 1, 2)
    assert accepted(log).stresses == 1
    covered = _stress().play(2, "6", 1).wait(0.3).slap(0, 0)
    assert accepted(covered).false_calls == 1


def test_B51_stress_pairs__neighbours_only() -> None:
    stocks = ("3 5 7 A", "3 5 2 A", "3 5 7 A", "4 6 8 A")
    assert accepted(Log(deep(n_players=4), *stocks).start()).stress_at_first_flip == 1
    assert accepted(Log(deep(n_players=4, stress_pairs="neighbours"), *stocks).start()).stress_at_first_flip == 0


def test_B51_stress_pairs__all() -> None:
    rules = deep(stress_pairs="all")
    assert accepted(Log(rules, "3 5 7", "3 5 7", "4 6 2").start()).stress_at_first_flip == 0
    assert accepted(Log(rules, "3 5 7", "3 5 7", "4 6 7").start()).stress_at_first_flip == 1


def test_B24_late_card__penalty_comes_from_the_nearest_on_the_left() -> None:
    def late() -> Log:
        return Log(deep(late_card="penalty"), "3 5 7 A 8", "3 6 4 A 8", "4 6 2 A 8").start().wait(1).late(0, "3", 0)

    accepted(late().penalty(0, 1))
    refused(late().penalty(0, 2), "B24 late_card")


def test_B30_restart_empty_stock__neighbours_fill_empty_places() -> None:
    table = Table(SheddingRules(n_players=3), [[], [1, 2], [3]], [[], [], []], piles=[[], [], [9]])
    assert flips_wanted(table, fill=True) == [(1, 1), (1, 0), (2, 2)]
    assert flips_wanted(table, fill=False) == [(1, 1), (2, 2)]


@pytest.mark.parametrize(
    ("n_players", "centre_piles", "right", "own"),
    [
        (3, 0, [0, 1, 2], [[0], [1], [2]]),
        (2, 4, [0, 2], [[0, 1], [2, 3]]),
        (3, 2, [0, 1, 1], [[0], [1], [1]]),
        (3, 4, [3, 0, 2], [[3], [0, 1], [2]]),
    ],
)
def test_B51_centre_piles__are_shared_out_round_the_table(
    n_players: int, centre_piles: int, right: list[int], own: list[list[int]]
) -> None:
    rules = SheddingRules(n_players=n_players, centre_piles=centre_piles)
    table = Table(rules, [[] for _ in right], [[] for _ in right], right=right)
    assert [table.own_piles(player) for player in table.players] == own
    if (n_players, centre_piles) in ((3, 0), (2, 4)):
        assert Table(rules, [[] for _ in right], [[] for _ in right]).right == right


def test_B44_end__first_out_wins() -> None:
    log = Log(deep(deck=3, restart_both_empty="fewest_cards_wins"), "2 A 3", "A 3 2", "2 3 A").start().wait(1)
    log.play(0, "2", 0).wait(1).play(0, "A", 0)
    verdict = accepted(log.end(Outcome.WON, 0))
    assert (verdict.win_1, verdict.losers, verdict.loser_cards) == (1, 2, 4)


# the handicap


def _handicap(n: int, *hands: tuple[int, int]) -> Log:
    """Cards that go from one player's stock under another's, then the rows and the first flip."""
    log = Log(deep(handicap_cards=n), "8 7 6 5 4 3 2 A", "A 3 5 7 2 4 6 8", "2 4 6 8 A 3 5 7")
    for giver, receiver in hands:
        log.add(Kind.HANDICAP, receiver, giver, card=log.table.stocks[giver][0])
    return log.start()


def test_B2_handicap__player_1_gets_cards_of_each_of_the_others() -> None:
    log = _handicap(2, (1, 0), (1, 0), (2, 0), (2, 0))
    accepted(log)
    assert [log.table.remaining(player) for player in range(3)] == [8 + 4 - 1, 8 - 2 - 1, 8 - 2 - 1]
    refused(_handicap(1, (1, 0)), "B2 handicap_cards", event=1)
    refused(_handicap(1, (1, 0), (1, 0)), "B2 handicap_cards", event=1)
    refused(_handicap(1, (1, 2), (2, 0)), "B2 handicap_cards", event=0)


def test_B2_handicap__each_of_the_others_gets_cards_of_player_1() -> None:
    log = _handicap(-2, (0, 1), (0, 1), (0, 2), (0, 2))
    accepted(log)
    assert [log.table.remaining(player) for player in range(3)] == [8 - 4 - 1, 8 + 2 - 1, 8 + 2 - 1]
    refused(_handicap(-1, (1, 0), (2, 0)), "B2 handicap_cards", event=0)


def test_B2_handicap__replay_names_who_gives() -> None:
    log = _handicap(-1, (0, 1), (0, 2)).end()
    told = [moment.sentence for moment in moments(log.rules, log.cards, log.events)]
    assert told[:2] == [f"Player {player} gets a card of player 1's stock as his handicap." for player in (2, 3)]


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("setting", ["n_players=3", "n_players=4 centre_piles=6", "n_players=2 centre_piles=3"])
def test_B2_handicap__is_judged_alike(setting: str, timing: str) -> None:
    for cards in (3, -3):
        sets = [*setting.split(), f"handicap_cards={cards}"]
        rules = load_rules("swedish", sets=sets).options
        assert isinstance(rules, SheddingRules)
        assert_judged_alike(rules, lowered_of("swedish", sets, timing=timing), 20, 0, most=1500)


@pytest.mark.parametrize("timing", TIMINGS)
def test_B2_handicap__costs_player_1_wins_and_leaves_the_others_alike(timing: str) -> None:
    rows = rows_of("swedish", DEALS, sets=["n_players=3", "handicap_cards=8"], timing=timing)
    eased = rows_of("swedish", DEALS, sets=["n_players=3", "handicap_cards=-8"], timing=timing)
    wins, others = column(rows, "win_1"), (column(rows, "win_2"), column(rows, "win_3"))
    assert mean(column(eased, "win_1") - wins).estimate > 0.1
    assert abs(mean(others[0] - others[1]).z(exactly(0))) < LIMIT


# what does not go together


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ("handicap_cards=48", "handicap_cards=48 is too many"),
        ("handicap_cards=-24", "so at most 23 for each of 2 players"),
        ("restart_target=any_pile", "needs restart_target=own_pile"),
        ("giver_with_one_card=give_anyway", "needs giver_with_one_card=flip_alone"),
        ("restart_source=side_piles stress_on=none", "restart_source=side_piles"),
        ("row_piles=growing stress_on=none refill_policy=none", "needs row_piles=single"),
        ("n_jokers=2", "must be a multiple of 3"),
        ("deal_mode=split_combined n_decks=1", "do not come out even for n_players=3"),
        ("deck=doppelkopf48", "at most 16"),
        ("centre_piles=1", "centre_piles=1"),
        ("centre_piles=9", "centre_piles"),
    ],
)
def test_tables__what_needs_two_is_refused_in_one_sentence(changes: str, says: str) -> None:
    with pytest.raises(InputError) as refusal:
        load_rules("swedish", sets=["n_players=3", *changes.split()])
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)


# what is compiled


def test_tables__are_played_by_kernels_of_their_own() -> None:
    kernels = [FAMILY.kernels_of(load_rules("swedish", sets=[change]).options) for change in ("n_players=2", "ace=low")]
    others = [
        FAMILY.kernels_of(load_rules("swedish", sets=[change]).options) for change in ("n_players=3", "centre_piles=3")
    ]
    assert set(kernels) == {"stressim.shedding.kernel.run_usual"}
    assert set(others) == {"stressim.shedding.kernel.run_many"}


# what is known exactly


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize(
    "setting",
    [
        "swedish n_players=3",
        "swedish n_players=4 stress_pairs=neighbours ace=low",
        "swedish n_players=4 centre_piles=2",
        "skat n_players=3 deal_mode=split_combined n_decks=3",
        "swedish n_players=3 centre_piles=4 stress_pairs=all deck=custom deck_ranks=5",
        "swedish centre_piles=3 equal_rank_playable=true",
    ],
)
def test_tables__first_position_is_as_counted(setting: str, timing: str) -> None:
    from stressim.shedding.deal_facts import quantities

    name, *sets = setting.split()
    rules = load_rules(name, sets=sets).options
    assert isinstance(rules, SheddingRules)
    known = {quantity.column: quantity.value for quantity in quantities(rules) if quantity.column}
    assert set(known) == {"stress_at_first_flip", "stalled_at_start"}
    rows = rows_of(name, 4000, sets=sets, timing=timing)
    for name, share in known.items():
        assert share is not None
        error = (share * (1 - share) / len(rows)) ** 0.5
        assert abs(column(rows, name).mean() - share) <= LIMIT * error
