"""Players who never leave their bunch (``switch_weight=0``): deals come to an end when nothing can change, or in vain.

Nobody comes to the bunches on the table then, so what lies there neither helps nor keeps a deal alive.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from random import Random

import numpy as np
import pytest
from exchange_playing import COLUMN, FAMILY, assert_judged_alike, column, lowered_of, rows_of
from exchange_strategies import exchange_habits, exchange_rules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from staying_table import Ahead, TooMany

from stressim.exchange.events import Field, Kind
from stressim.exchange.habits import ExchangeHabits
from stressim.exchange.rules import ExchangeRules
from stressim.lowering import lower
from stressim.players.player import Player
from stressim.rulesfile import load_rules

TABLES = (2, 3, 4)
ALL_STAY = "all.switch_weight=0"
SETTINGS = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def share(rows: np.ndarray, *outcomes: str) -> float:
    """Share of the deals with one of these outcomes."""
    return float(np.mean(sum(column(rows, outcome) for outcome in outcomes)))


@pytest.mark.parametrize("n_players", TABLES)
def test_switch_weight__none_of_players_who_only_improve_ends_every_deal_deadlocked(n_players: int) -> None:
    rules = f"james-bond n_players={n_players}"
    rows = rows_of(rules, 300, players=["all=greedy", ALL_STAY], timing="human")
    log = FAMILY.log_deal(lowered_of(rules, ["all=greedy", ALL_STAY], "human"), 1, 0)

    assert share(rows, "deadlocked") == 1
    assert column(rows, "stalls").min() >= 1
    assert share(rows, "locked") < 0.1
    assert log.events[-2][Field.TIME] == log.events[-1][Field.TIME]


@pytest.mark.parametrize("n_players", TABLES)
def test_switch_weight__none_of_one_who_only_improves_leaves_the_others_to_lock(n_players: int) -> None:
    rows = rows_of(
        f"james-bond n_players={n_players}", 300, players=["all=greedy", "1.switch_weight=0"], timing="human"
    )

    assert share(rows, "deadlocked", "won") == 1
    assert share(rows, "deadlocked") > 0.9


@pytest.mark.parametrize("habits", ["sensible", "restless", "generous"])
@pytest.mark.parametrize("n_players", TABLES)
def test_switch_weight__none_of_players_who_give_way_goes_round_in_vain(n_players: int, habits: str) -> None:
    """Four cards of a rank hardly ever lie in the centre and in as many bunches as there are players."""
    rows = rows_of(f"james-bond n_players={n_players}", 300, players=[f"all={habits}", ALL_STAY], timing="human")

    assert share(rows, "livelocked", "won") == 1
    assert share(rows, "livelocked") > 0.95


@pytest.mark.parametrize("habits", ["sensible", "restless", "generous"])
def test_switch_weight__none_of_one_player_lets_the_others_win(habits: str) -> None:
    rows = rows_of("james-bond n_players=4", 300, players=[f"all={habits}", "1.switch_weight=0"], timing="human")

    assert share(rows, "livelocked", "won") == 1
    assert 0.7 < share(rows, "won") < 1
    assert share(rows, "win_1") < 0.6 * share(rows, "win_2", "win_3", "win_4") / 3


def test_switch_weight__none_among_partners_ends_too() -> None:
    rows = rows_of("james-bond-teams", 200, players=["all=greedy", ALL_STAY], timing="human")
    giving = rows_of("james-bond-teams", 200, players=[ALL_STAY], timing="human")

    assert share(rows, "deadlocked") == 1
    assert share(giving, "livelocked") > 0.95


def test_switch_weight__none_of_a_partner_does_not_keep_the_other_from_switching() -> None:
    rows = rows_of("james-bond-teams", 100, players=["1.switch_weight=0", "2.switch_weight=0"], timing="human")

    assert share(rows, "won") == 1


@pytest.mark.parametrize(
    ("rule", "ends"), [("redeal", "unfinished"), ("most_complete_wins", "drawn"), ("swap_deadline", "deadlocked")]
)
def test_deadlock_rule__helps_those_who_never_leave_a_bunch(rule: str, ends: str) -> None:
    """Cards are dealt again for ever; or nobody has a complete bunch; or all leave their bunches, and it is a lock."""
    rows = rows_of(f"james-bond deadlock_rule={rule}", 40, players=["all=greedy", ALL_STAY], timing="human")

    assert share(rows, ends) > 0.8
    assert share(rows, ends, "won") == 1
    assert (column(rows, "deadlocked") <= column(rows, "locked")).all()


def test_ranking__goes_on_until_those_who_never_leave_a_bunch_are_stuck() -> None:
    table = "james-bond n_players=6 ranking=all"
    rules = load_rules("james-bond", sets=table.split()[1:]).options
    players = ("all=greedy", "2.switch_weight=0", "3.switch_weight=0")
    rows = rows_of(table, 400, players=players, timing="human")
    stuck = np.flatnonzero(column(rows, "won") > column(rows, "ranked"))

    assert share(rows, "won", "deadlocked") == 1
    assert stuck.size > 20
    for deal in stuck[:3]:
        assert_judged_alike(rules, lowered_of(table, players, "human"), 1, int(deal))


@SETTINGS
@given(rules=exchange_rules(), data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_kernel__is_judged_alike_where_somebody_never_switches(
    rules: ExchangeRules, data: st.DataObject, seed: int
) -> None:
    habits = _habits_of_some_who_stay(rules, data)
    lowered = lower(rules, [Player(habits=own) for own in habits], "human")
    for deal in range(2):
        row = assert_judged_alike(rules, lowered, seed, deal)
        no_lock = row[COLUMN["deadlocked"]] == 1 and row[COLUMN["locked"]] == 0
        assert not no_lock or any(own.switch_weight == 0 for own in habits)


def _habits_of_some_who_stay(rules: ExchangeRules, data: st.DataObject) -> list[ExchangeHabits]:
    habits = [data.draw(exchange_habits()) for _ in range(rules.n_players)]
    stay = data.draw(st.sets(st.integers(0, rules.n_players - 1), min_size=1))
    return [own.model_copy(update={"switch_weight": 0.0}) if who in stay else own for who, own in enumerate(habits)]


def _small_table(rng: Random) -> tuple[ExchangeRules, list[ExchangeHabits]]:
    """Few cards, so that every way on can be tried, and habits that do not tell ranks apart."""
    while True:
        n_players, size, each = rng.choice([2, 2, 3]), rng.choice([2, 3, 4, 4]), rng.choice([1, 2, 3])
        copies, ranks = rng.choice([size, size + 1]), rng.choice([3, 4, 5, 6])
        centre = ranks * copies - n_players * each * size
        if 1 <= centre <= 6 and ranks * (copies // size) >= each:
            break
    rules = ExchangeRules(
        n_players=n_players,
        deck="custom",
        deck_ranks=str(ranks),
        deck_copies=copies,
        bunch_size=size,
        centre_cards=centre,
        take_back_own=rng.choice(["allowed", "allowed_later"]),
    )
    while True:
        habits = [
            ExchangeHabits(
                hold_back=False,
                keep_for_others=False,
                switch_weight=rng.choice([0, 0, 3]),
                churn_weight=rng.choice([0, 1]),
                yield_weight=rng.choice([0, 0, 1]),
                when_snatched=rng.choice(["wait", "take_another"]),
                patience_factor=0.1,
            )
            for _ in range(n_players)
        ]
        # One who alone gives way and yields mends what he has broken up: that hangs on what he remembers.
        mends = any(own.yield_weight for own in habits) and sum(own.gives_way for own in habits) == 1
        if any(own.switch_weight == 0 for own in habits) and not mends:
            return rules, habits


@pytest.mark.parametrize("seed", range(4))
def test_ending__is_no_guess_where_somebody_never_switches(seed: int) -> None:
    """Nothing can happen any more after a deadlock; nobody can win, and cards go round, where it is a livelock."""
    rng = Random(seed)
    n_tried = Counter[str]()
    for _ in range(200):
        rules, habits = _small_table(rng)
        lowered = lower(rules, [Player(habits=own) for own in habits], "human")
        rows = np.zeros((40, len(FAMILY.columns)), np.int64)
        FAMILY.play_deals(lowered, seed, 0, rows)
        for deal in np.flatnonzero(column(rows, "deadlocked"))[:4]:
            ahead = Ahead(rules, habits, FAMILY.log_deal(lowered, seed, int(deal)))
            assert list(ahead.moves(ahead.start)) == []
            n_tried["deadlocked"] += 1
        for deal in np.flatnonzero(column(rows, "livelocked"))[:4]:
            ahead = Ahead(rules, habits, FAMILY.log_deal(lowered, seed, int(deal)))
            assert list(ahead.moves(ahead.start)) != []
            with contextlib.suppress(TooMany):
                assert not ahead.can_be_won(most=2000)
                n_tried["livelocked"] += 1

    assert min(n_tried[outcome] for outcome in ("deadlocked", "livelocked")) > 30, n_tried


def test_ahead__sees_what_can_be_won() -> None:
    """Before its last swap a deal that is won could be won, whatever the players' habits."""
    habits = [ExchangeHabits(switch_weight=0.0), ExchangeHabits(switch_weight=0.0)]
    rules = ExchangeRules(deck="custom", deck_ranks="3", deck_copies=3, bunch_size=3, centre_cards=3)
    lowered = lower(rules, [Player(habits=own) for own in habits], "human")
    logs = [FAMILY.log_deal(lowered, 1, deal) for deal in range(20)]
    won = [log for log in logs if log.row[COLUMN["won"]] and log.row[COLUMN["moves"]] > 2]

    assert won
    for log in won:
        before = type(log)(cards=log.cards, events=_until_two_swaps_before_the_end(log.events), row=log.row)
        assert Ahead(rules, habits, before).can_be_won(most=100_000)


def _until_two_swaps_before_the_end(events: np.ndarray) -> np.ndarray:
    takes = np.flatnonzero(events[:, Field.KIND] == Kind.TAKE)
    return events[: takes[-2] + 1]
