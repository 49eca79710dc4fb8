"""``stressim verify``: checks that hold hold, checks that do not are seen, and all of them share one level."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import signal
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from stressim.cli import cli
from stressim.errors import InputError
from stressim.shedding import deal_facts
from stressim.verify import deals, plot, report, streams, times
from stressim.verify.checks import About, Check, binomial_z, judge
from stressim.verify.deals import Table
from stressim.verify.making import made
from stressim.verify.plan import GROUPS, QUICK, Step, plan

ABOUT = About("facts", "example")
SMALL = dataclasses.replace(QUICK, deals=4_000, human_deals=1_000, seats=4_000)


def failing(checks: list[Check]) -> list[str]:
    return [report.line_of(verdict) for verdict in judge(checks) if not verdict.passed]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["verify", *arguments], catch_exceptions=False, standalone_mode=False)
    return int(result.return_value or 0), result.output


# --- one check ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "p"), [(20, 0.3), (1000, 0.01), (10**5, 0.5)])
def test_binomial_z__is_a_standard_normal(n: int, p: float) -> None:
    counts = np.arange(stats.binom.ppf(1e-9, n, p), stats.binom.isf(1e-9, n, p) + 1)
    chances = stats.binom.pmf(counts, n, p)
    z = np.array([binomial_z(int(count), n, p) for count in counts])

    assert np.all(np.diff(z) > 0)
    assert chances @ z == pytest.approx(0, abs=0.02)
    assert chances @ z**2 == pytest.approx(1, abs=0.06)


def test_binomial_z__beyond_what_floats_hold() -> None:
    assert binomial_z(10**6, 2 * 10**6, 0.1) > 1000
    assert ABOUT.share("hits", 0.1, 10**6, 2 * 10**6).z == 99


def test_share__of_what_is_certain_has_no_chance() -> None:
    assert ABOUT.share("hits", 0.0, 0, 100).right
    assert not ABOUT.share("hits", 0.0, 1, 100).right
    assert ABOUT.share("hits", 1.0, 100, 100).z is None


def test_mean__distance_in_standard_errors() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0])
    check = ABOUT.mean("mean", 2.0, values.sum(), (values**2).sum(), 4)

    assert check.z == pytest.approx((2.5 - 2.0) / (values.std(ddof=1) / 2))


def test_mean__of_equal_values_must_be_exact() -> None:
    assert ABOUT.mean("mean", 3.0, 30, 90, 10).right
    assert not ABOUT.mean("mean", 3.1, 30, 90, 10).right


def test_chi_square__is_as_unlikely_as_its_law_says() -> None:
    check = ABOUT.uniform("die", [10, 10, 10, 10, 10, 40])

    assert stats.norm.sf(check.z) == pytest.approx(stats.chi2.sf(50, 5))
    assert ABOUT.uniform("die", [10] * 6).z < -3  # too good to be true


def test_kolmogorov__sees_a_shifted_law() -> None:
    rng = np.random.default_rng(1)
    assert abs(ABOUT.kolmogorov("law", rng.random(20_000)).z) < 4
    assert ABOUT.kolmogorov("law", rng.random(20_000) ** 1.05).z > 4


def test_judge__is_holms_correction() -> None:
    """The smallest of m chances counts m times, the next one m - 1 times, and none less than one before it."""
    z = [4.0, 2.0, 0.5, -4.2]
    checks = [ABOUT.normal(str(each), 0, 0, 1, each) for each in z]
    p = [2 * stats.norm.sf(abs(each)) for each in z]
    adjusted = [verdict.adjusted_p for verdict in judge(checks)]

    assert adjusted == pytest.approx([max(3 * p[0], 4 * p[3]), 2 * p[1], p[2], 4 * p[3]])
    assert [verdict.passed for verdict in judge(checks)] == [False, True, True, False]
    assert [verdict.passed for verdict in judge(checks, level=1e-6)] == [True] * 4


def test_judge__many_checks_seldom_fail_by_chance() -> None:
    rng = np.random.default_rng(2)
    failed = sum(
        any(not verdict.passed for verdict in judge([ABOUT.normal("", 0, 0, 1, z) for z in rng.normal(size=50)], 0.2))
        for _ in range(200)
    )

    assert 0.1 < failed / 200 < 0.3


# --- streams, tables, draws -----------------------------------------------------------------------------------------


def test_streams__hold() -> None:
    assert failing(list(streams.stream_checks(50_000, 3))) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda words: words & ~np.uint64(1),  # the lowest bit is lost
        lambda words: np.sort(words),  # in rising order
        lambda words: np.repeat(words[::2], 2),  # each word twice
        lambda words: words & np.uint64(0xFFFFFFFF) | (words << np.uint64(32)),  # halves alike
    ],
)
def test_streams__what_is_not_random_is_seen(spoil) -> None:
    good = np.random.default_rng(1).integers(0, 2**64, 20_000, dtype=np.uint64)

    assert failing(list(streams._uniform(ABOUT, good))) == []
    assert failing(list(streams._uniform(ABOUT, spoil(good)))) != []


def test_streams__that_hang_on_less_than_all_are_seen(monkeypatch) -> None:
    monkeypatch.setattr(streams, "first_of_each", lambda field, n, seed, step=1: np.full(n, 12345, np.uint64))

    assert len(failing([check for check in streams.stream_checks(5_000, 1) if check.subject.startswith("by")])) > 20


def test_tables__hold_what_players_ask_for() -> None:
    checks = list(times.table_checks())

    assert failing(checks) == []
    assert {check.subject for check in checks} >= {"adult", "senior", "child-8"}
    assert {check.name for check in checks} >= {"slap_move mean", "patience sd", "hazard mean"}


def test_draws__hold_and_are_not_empty() -> None:
    checks = list(times.draw_checks(20_000, 5))

    assert failing(checks) == []
    assert len(checks) > 20


def test_draws__a_wrong_table_is_seen() -> None:
    knots = np.linspace(0, 256_000, 257).astype(np.int32)
    drawn = (np.random.default_rng(1).random(20_000) * 256_000).astype(np.int64)

    assert abs(ABOUT.kolmogorov("law", times.levels_of(knots, drawn)).z) < 4
    assert ABOUT.kolmogorov("law", times.levels_of(knots + np.int32(8000), drawn)).z > 4


def test_draws__what_lies_in_one_point_is_neither_held_against_them_nor_passed_over() -> None:
    knots = np.linspace(0, 256_000, 257).astype(np.int32)
    knots[100:140] = knots[100]
    rng = np.random.default_rng(2)
    levels = rng.random(40_000)
    drawn = np.interp(levels, np.linspace(0, 1, 257), knots).astype(np.int64)
    fewer = drawn[(drawn != knots[100]) | (rng.random(len(drawn)) < 0.8)]

    assert abs(ABOUT.kolmogorov("law", times.levels_of(knots, drawn)).z) < 4
    assert ABOUT.kolmogorov("law", times.levels_of(knots, fewer)).z > 4


# --- deals ----------------------------------------------------------------------------------------------------------

TABLES = (
    Table("swedish"),
    Table("norwegian", "human"),
    Table("swedish n_jokers=2"),
    Table("james-bond n_players=3"),
    Table("james-bond deck=custom deck_ranks=3", "human"),
)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_deals__hold(table: Table) -> None:
    result = table.play(3_000, 2, 1)
    checks = [*deals.deal_checks(table, result), *deals.seat_checks(table, result)]

    assert failing(checks) == []
    assert {check.group for check in checks} == {"facts", "seats"}


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_logs__hold(table: Table) -> None:
    checks = list(deals.log_checks(table, 120, 2))

    assert failing(checks) == []
    assert sum(check.name.endswith("(logs)") for check in checks) >= 3


@pytest.mark.parametrize("rules", ["swedish", "german", "james-bond", "skat deck=custom deck_ranks=8 deck_copies=3"])
def test_shuffles__hold(rules: str) -> None:
    assert failing(list(deals.shuffle_checks(Table(rules), 1_500, 4))) == []


def test_shuffles__a_card_that_likes_its_place_is_seen(monkeypatch) -> None:
    rng = np.random.default_rng(1)
    dealt = np.array([rng.permutation(52) for _ in range(2_000)])
    lazy = np.where(rng.random(2_000) < 0.1, 0, dealt[:, 0])
    swapped = dealt.copy()
    for row, wanted in enumerate(lazy):
        place = int(np.flatnonzero(dealt[row] == wanted)[0])
        swapped[row, [0, place]] = dealt[row, [place, 0]]
    family = Table("james-bond").loaded.family
    for cards, fails in ((dealt, False), (swapped, True)):
        monkeypatch.setitem(family.__dict__, "dealt_cards", lambda *_, cards=cards: cards)
        assert bool(failing(list(deals.shuffle_checks(Table("james-bond"), 2_000, 1)))) == fails


def test_deals__a_wrong_probability_is_seen(monkeypatch) -> None:
    table = Table("swedish")
    result = table.play(20_000, 1, 1)
    known = deal_facts.quantities(result.rules.options)
    wrong = tuple(
        dataclasses.replace(each, value=Fraction(1, 13)) if each.name == "first_flip_equal" else each for each in known
    )
    monkeypatch.setattr(deal_facts, "quantities", lambda rules: wrong)

    assert [line.split(":")[1].split()[0] for line in failing(list(deals.deal_checks(table, result)))] == [
        "first_flip_equal"
    ]


def test_seats__a_seat_that_wins_more_is_seen() -> None:
    unequal = Table("swedish", "human", ("1.speed=1.1",))

    assert failing(list(deals.seat_checks(unequal, unequal.play(4_000, 1, 1)))) != []


@pytest.mark.parametrize("rules", ["swedish", "german", "german-beat", "norwegian"])
def test_races__tie_as_often_as_integrated(rules: str) -> None:
    checks = list(deals.race_checks(rules, 3_000, 100, 1, 1))

    assert failing(checks) == []
    assert len(checks) == 3


def test_races__another_tie_window_is_seen(monkeypatch) -> None:
    from stressim.shedding import races

    monkeypatch.setattr(races, "tie_windows", lambda rules: [("slap_tie", "", 25.0)])
    assert failing(list(deals.race_checks("swedish", 10_000, 10, 1, 1))) != []


def test_races__there_are_none_without_stress() -> None:
    assert list(deals.race_checks("spit-bicycle", 10, 10, 1, 1)) == []
    assert list(deals.race_checks("james-bond", 10, 10, 1, 1)) == []


# --- plan, report, command ------------------------------------------------------------------------------------------


def test_plan__covers_every_preset_and_group() -> None:
    from stressim.presets import preset_names

    steps = plan(QUICK)
    assert {group for step in steps for group in step.groups} == set(GROUPS)
    for preset in preset_names():
        for timing in ("uniform", "human"):
            assert any(step.title == f"deals of {preset} ({timing})" for step in steps)


def test_plan__of_some_rules_and_groups() -> None:
    steps = plan(SMALL, rules=["swedish ace=low"], only=["seats"])

    assert [step.title for step in steps] == ["deals of swedish ace=low (uniform)", "deals of swedish ace=low (human)"]
    assert {check.group for step in steps for check in step.checks(["seats"])} == {"seats"}


def test_made__in_processes_as_alone() -> None:
    steps = plan(SMALL, rules=["swedish", "james-bond"], only=["referee", "shuffles"])
    done: list[int] = []

    assert sum(step.plain for step in steps) == len(steps) == 6
    assert made(steps, ["referee"], 2, done.append) == made(steps, ["referee"], 1)
    assert done == [1, 2, 3, 4, 5, 6]


def end_this_process() -> Iterator[Check]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield from ()


def test_made__a_lost_process_is_told() -> None:
    steps = [Step(title="", groups=frozenset(), make=end_this_process, plain=True)] * 3

    with pytest.raises(InputError, match="ended from outside"):
        made(steps, [], 2)


def test_own_seed__differs_between_tables_and_seeds() -> None:
    seeds = {table.own_seed(seed) for table in TABLES for seed in (1, 2)}
    assert len(seeds) == 2 * len(TABLES)
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_command__prints_a_line_a_check_and_the_sum() -> None:
    status, text = run("--quick", "--only", "tables", "--only", "draws")

    assert status == 0
    assert "   adult: slap_move mean  value 220  estimate 220  within 0.2%" in text
    assert "Every one holds" in text
    assert text.startswith("tables\n")
    assert "\ndraws\n" in text


def test_command__status_1_if_one_fails(monkeypatch) -> None:
    monkeypatch.setattr(times, "TOLERANCE", 1e-9)
    status, text = run("--quick", "--only", "tables", "--brief")

    assert status == 1
    assert "\n** " in text
    assert "do not hold" in text


def test_command__json(tmp_path) -> None:
    status, text = run(
        "--quick", "--only", "draws", "--seed", "7", "--format", "json", "--plot", str(tmp_path / "z.svg")
    )
    found = json.loads(text)

    assert status == found["failed"] == 0
    assert found["seed"] == 7
    assert all({"value", "estimate", "passed"} <= check.keys() for check in found["checks"])
    assert any(check.get("z") for check in found["checks"])
    assert (tmp_path / "z.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--only", "seat"), "did you mean 'seats'"),
        (("--format", "csv"), "must be text or json"),
        (("--level", "0"), "between 0 and 1"),
        (("--plot", "z.bmp", "--quick"), "suffix must be"),
        (("swedisch",), "swedish"),
        (("swedish ace=middle",), "must be"),
    ],
)
def test_command__bad_input(arguments: tuple[str, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        run(*arguments)


def test_plot__same_bytes_and_says_what_failed() -> None:
    rng = np.random.default_rng(3)
    checks = [ABOUT.normal("", 0, 0, 1, z) for z in (*rng.normal(size=200), 7.0)]
    found = report.Verification(verdicts=tuple(judge(checks)), level=0.01, seed=1, size="quick")
    svg = plot.render(found, "svg").decode()

    assert plot.render(found, "svg").decode() == svg
    assert "1 does not hold (crosses)" in svg
    assert "201 checks against exact values" in svg
    assert math.isclose(max(found.z_values), 7.0)
