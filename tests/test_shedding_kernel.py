"""What every deal must satisfy, whatever the rules: for all presets and many settings, with and without a clock."""

from collections.abc import Iterator

import numpy as np
import pytest
from playing import COLUMN, FAMILY, PRESETS, TIMINGS, column, lowered_of, play, rows_of
from uniform_settings import CHANGED

from stressim.compiled import native
from stressim.compiled.native import JIT
from stressim.estimates import estimate_all
from stressim.rulesfile import load_rules
from stressim.shedding.choices import StartFlipEqual, WinCall
from stressim.shedding.events import Kind
from stressim.shedding.referee import Foul, judge
from stressim.shedding.rules import SheddingRules
from stressim.tally import Tally

FLAGS = [column.name for column in FAMILY.columns if column.unit == "flag"]
OUTCOMES = ["won", "drawn", "deadlocked", "livelocked", "unfinished"]
CLOCK_COLUMNS = ["length_us", "stalled_us", "first_stall_us"]
HUMAN_ONLY = ["stress_ties", "stress_missed", "false_calls", "late_cards", "aborted_cards", "illegal_cards", "restarts"]

# Rules that are slow to end: with two ranks every play makes the tops equal, and nobody can cancel that.
_TWO_RANKS = "swedish deck=custom deck_ranks=2 play_on_equal_tops=frozen"
ENDLESS = {"uniform": f"{_TWO_RANKS} deck_copies=12", "human": f"{_TWO_RANKS} deck_copies=16 row_slots=8"}
ENDLESS_PLAYERS = ["all.p_miss_stress=0"]
TINY = (
    "swedish deck=custom deck_ranks=2 deck_copies=2 row_slots=1",
    "swedish deck=custom deck_ranks=2 deck_copies=2 row_slots=1 refill_policy=none restart_both_empty=draw",
    "swedish deck=custom deck_ranks=3 deck_copies=2 row_slots=2 restart_both_empty=take_right_pile_shuffle",
    "swedish deck=custom deck_ranks=2 deck_copies=1 n_jokers=2 row_slots=1 joker_mode=anything",
    "german deck=custom deck_ranks=4 deck_copies=1 row_slots=3 merge_equal_ranks=always",
)


def broken(rows: np.ndarray, setting: str, *, clock: bool) -> Iterator[str]:
    """Name the facts that do not hold in some deal."""
    options = load_rules(setting.split()[0], sets=setting.split()[1:]).options
    assert isinstance(options, SheddingRules)
    of = {name: column(rows, name) for name in COLUMN}
    won, stresses, stalls = of["won"], of["stresses"], of["stalls"]
    facts = {
        "no value is negative": rows >= 0,
        "flags are 0 or 1": rows[:, [COLUMN[name] for name in FLAGS]] <= 1,
        "a deal ends in one way": sum(of[name] for name in OUTCOMES) == 1,
        "a won deal has one winner": of["win_1"] + of["win_2"] == won,
        "stalled: a stall or more": of["stalled"] == (stalls > 0),
        "stalled at the start: stalled": of["stalled_at_start"] <= of["stalled"],
        "choices: some of the looks": of["choices"] <= of["looks"],
        "looks: some of the moves": of["looks"] <= of["moves"],
        "stresses from flips: some of all": of["stress_from_flip"] <= stresses,
        "ties: some of all": of["stress_ties"] <= stresses,
        "winners without stock: some of all": of["slap_winner_without_stock"] <= stresses - of["stress_ties"],
        "nothing is picked up without stress": (of["picked_up"] > 0) <= (stresses > 0),
        "only the loser of a won deal has cards left": (of["loser_cards"] > 0) <= (won == 1),
        "comebacks: some of the won deals": of["comeback"] <= won,
        "last card equal: some of the won deals": of["last_card_equal"] <= won,
        "dead time: won deals only": (of["dead_ppm"] > 0) <= (won == 1),
        "dead time: no more than the length": of["dead_ppm"] <= 1_000_000,
        "deadlocked: a lock with both stocks empty": of["deadlocked"] <= of["both_stocks_empty"],
        "a lock with both stocks empty is a stall": of["both_stocks_empty"] <= of["stalled"],
        "nothing is dealt again": of["redeals"] == 0,
    }
    if options.win_call == WinCall.NONE or not clock:  # until he calls, the other one may get rid of his cards too
        facts["the loser of a won deal has cards left"] = (of["loser_cards"] > 0) == (won == 1)
    if options.start_flip_equal == StartFlipEqual.STRESS:  # equal tops are covered otherwise
        at_start = of["stalled_at_start"] + of["stress_at_first_flip"]
        facts["equal tops at the first flip: not stalled there"] = at_start <= 1
    if clock:
        facts |= {
            "time passes": (of["length_us"] > 0) | (of["moves"] == 0),
            "stalled time: no more than the length": of["stalled_us"] <= of["length_us"],
            "stalled time: stalled deals only": (of["stalled_us"] > 0) <= (of["stalled"] == 1),
            "the first stall begins before the end": of["first_stall_us"] <= of["length_us"],
            "the first stall: stalled deals only": (of["first_stall_us"] > 0) <= (of["stalled"] == 1),
        }
    else:
        facts |= {f"no clock: {name} is 0": of[name] == 0 for name in (*CLOCK_COLUMNS, *HUMAN_ONLY)}
        facts["every play is a look"] = of["looks"] == of["moves"]
    yield from (fact for fact, holds in facts.items() if not np.all(holds))


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("setting", PRESETS)
def test_kernel__counts_add_up(setting: str, timing: str) -> None:
    rows = rows_of(setting, 4000, timing=timing)
    assert list(broken(rows, setting, clock=timing == "human")) == []


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("preset", PRESETS)
def test_kernel__every_deal_of_a_preset_ends(preset: str, timing: str) -> None:
    rows = rows_of(preset, 4000, timing=timing, seed=2)
    assert not column(rows, "unfinished").any()
    assert not column(rows, "livelocked").any()


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("setting", [*CHANGED, *TINY])
def test_kernel__counts_add_up_under_other_rules(setting: str, timing: str) -> None:
    name, *sets = setting.split()
    rows = rows_of(name, 800, sets=sets, timing=timing)
    assert list(broken(rows, setting, clock=timing == "human")) == []


@pytest.mark.parametrize("timing", TIMINGS)
def test_kernel__unfinished_deals_are_counted(timing: str) -> None:
    name, *sets = ENDLESS[timing].split()
    rows = rows_of(name, 100, sets=sets, players=ENDLESS_PLAYERS, timing=timing)
    assert list(broken(rows, ENDLESS[timing], clock=timing == "human")) == []
    unfinished = int(column(rows, "unfinished").sum())
    assert 0 < unfinished < len(rows)
    found = estimate_all(FAMILY, Tally.of_rows(FAMILY, rows), clock=timing == "human")
    assert found["unfinished"].estimate == pytest.approx(unfinished / len(rows))
    assert sum(found[name].estimate for name in OUTCOMES) == pytest.approx(1)


@pytest.mark.parametrize(
    "setting",
    [
        "swedish stress_pickup=one one_pile=smaller",
        "swedish pile_view=absolute stress_pickup=left",
        "swedish deck=custom deck_ranks=3 deck_copies=2 row_slots=2 refill_policy=none",
    ],
)
def test_kernel__a_stress_that_comes_back_for_ever_is_livelocked(setting: str) -> None:
    """The same two cards are equal again after every stress, whoever loses it: the referee sees that, too."""
    name, *sets = setting.split()
    rows = rows_of(name, 20_000, sets=sets)
    livelocked = np.flatnonzero(column(rows, "livelocked"))
    assert len(livelocked) > 0
    assert not column(rows, "unfinished").any()
    rules = load_rules(name, sets=sets).options
    assert isinstance(rules, SheddingRules)
    for deal in livelocked[:20]:
        log = FAMILY.log_deal(lowered_of(name, sets=sets, timing="uniform"), 1, int(deal))
        events = log.events.tolist()
        assert judge(rules, log.cards.tolist(), events, uniform=True).livelocked == 1
        # Before the last stress nothing was shown yet for one of the losers.
        before_last = [row for row, event in enumerate(events) if event[1] == Kind.RESTART][-2]
        last_stress = next(row for row in range(before_last, len(events)) if events[row][1] == Kind.TAKE)
        with pytest.raises(Foul, match="not shown that this position comes back"):
            judge(rules, log.cards.tolist(), [*events[:last_stress], events[-1]], uniform=True)


def test_kernel__every_column_is_used() -> None:
    """Apart from what this family cannot have, no column stays 0."""
    seen = np.zeros(len(COLUMN), dtype=bool)
    for timing in TIMINGS:
        for setting in ("swedish", "swedish restart_both_empty=draw", "german restart_trigger=locked_or_declined"):
            name, *sets = setting.split()
            seen |= rows_of(name, 3000, sets=sets, players=["all.decline=0.5"], timing=timing).any(axis=0)
    name, *sets = ENDLESS["uniform"].split()
    seen |= rows_of(name, 100, sets=sets).any(axis=0)
    seen |= rows_of("swedish", 3000, sets=["stress_pickup=one", "one_pile=smaller"]).any(axis=0)
    seen |= rows_of("speed", 100).any(axis=0) | rows_of("spit", 100).any(axis=0)
    seen |= rows_of("swedish", 30, sets=["n_players=4"]).any(axis=0)
    assert [name for name, index in COLUMN.items() if not seen[index]] == ["redeals"]


@pytest.mark.parametrize("timing", TIMINGS)
def test_kernel__rows_are_written_afresh(timing: str) -> None:
    """What an array held before, and how many deals are played at once, leave no trace."""
    lowered = lowered_of("norwegian", timing=timing)
    expected = play(lowered, 50)
    rows = np.full_like(expected, 7)
    FAMILY.play_deals(lowered, 1, 0, rows)
    assert np.array_equal(rows, expected)
    one_by_one = np.concatenate([play(lowered, 1, first=deal) for deal in range(50)])
    assert np.array_equal(one_by_one, expected)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("preset", PRESETS)
def test_kernel__a_logged_deal_is_the_played_one(preset: str, timing: str) -> None:
    lowered = lowered_of(preset, timing=timing)
    rows = play(lowered, 20)
    assert all(np.array_equal(FAMILY.log_deal(lowered, 1, deal).row, rows[deal]) for deal in range(20))


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_kernel__compiled_once_for_usual_rules_and_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "_LOADED", {})  # whatever other tests have played
    for timing in TIMINGS:
        for setting in [*PRESETS, *TINY]:
            name, *sets = setting.split()
            rows_of(name, 2, sets=sets, timing=timing, players=["1=expert", "2=senior+hunter"])
    modules = ("stressim.shedding.kernel.run", "stressim.shedding.kernel.run_usual")

    assert [native.codes_in_use(module, f"run_{timing}") for module in modules for timing in TIMINGS] == [1, 1, 1, 1]
