"""Running until a number is known well enough."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from stressim.cli import cli
from stressim.errors import InputError
from stressim.family import family_named
from stressim.players import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import simulate
from stressim.targets import looks, parse

SHEDDING = family_named("shedding")
RULES = load_rules("swedish")
ADULTS = resolve_players((), 2, RULES.family.habits)


def simulated(*arguments: str) -> tuple[int, dict[str, object], str]:
    found = CliRunner().invoke(
        cli, ["simulate", "swedish", "--timing", "uniform", "--format", "json", *arguments], standalone_mode=False
    )
    if found.exception:
        raise found.exception
    return found.return_value, json.loads(found.stdout), found.stderr


@pytest.mark.parametrize(
    ("text", "width", "relative"),
    [
        ("stalls=±0.5%", 0.005, True),
        ("stalls=0.5%", 0.005, True),
        ("stalls = +/-0.02", 0.02, False),
        ("length_s.median=±0.5", 0.5, False),
        ("won=+-1e-3", 0.001, False),
    ],
)
def test_target__is_read(text: str, width: float, relative: bool) -> None:
    target = parse(text, SHEDDING, clock=True)
    assert (target.width, target.relative) == (width, relative)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("stalls", "cannot be read"),
        ("stalls=", "cannot be read"),
        ("stals=1%", "did you mean 'stalls'"),
        ("stalls=0", "no number above 0"),
        ("stalls=-1", "no number above 0"),
        ("stalls=nan%", "no number above 0"),
        ("stalls.median=1", "no part"),
        ("length_s.high=1", "no part"),
    ],
)
def test_target__that_cannot_be_read_is_refused(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse(text, SHEDDING, clock=True)


def test_target__without_a_clock_has_no_length() -> None:
    with pytest.raises(InputError, match="needs a clock"):
        parse("length_s=1", SHEDDING, clock=False)


def test_looks__grow_and_end() -> None:
    found = list(looks(10**9))
    assert found[0] == 1000
    assert found == sorted(set(found))
    assert all(later <= earlier * 1.2 + 1000 for earlier, later in pairwise(found))
    assert list(looks(10)) == [10]


def test_until__ends_at_the_first_look_that_is_narrow_enough() -> None:
    target = parse("stalls=±2%", SHEDDING, clock=False)
    found = simulate(RULES, ADULTS, "uniform", deals=10**6, until=target)
    half_width = target.half_width(found.estimates)
    assert half_width is not None
    assert half_width <= 0.02
    earlier = [look for look in looks(10**6) if look < found.deals]
    before = simulate(RULES, ADULTS, "uniform", deals=earlier[-1])
    assert not target.is_reached(before.tally, before.estimates)


@pytest.mark.parametrize(("jobs", "shard"), [(1, 16_384), (3, 100), (2, 777)])
def test_until__is_the_same_for_any_jobs_and_shards(jobs: int, shard: int) -> None:
    target = parse("stalls=±2%", SHEDDING, clock=False)
    found = simulate(RULES, ADULTS, "uniform", deals=10**6, until=target, jobs=jobs, shard=shard)
    assert found.tally == simulate(RULES, ADULTS, "uniform", deals=10**6, until=target).tally


@pytest.mark.parametrize("held", [500, 1000, 1001, 2500])
def test_until__goes_on_from_a_run_file_to_the_same_look(held: int) -> None:
    target = parse("stalls=±2%", SHEDDING, clock=False)
    start = simulate(RULES, ADULTS, "uniform", deals=held).tally
    found = simulate(RULES, ADULTS, "uniform", deals=10**6, until=target, start=start)
    assert found.tally == simulate(RULES, ADULTS, "uniform", deals=10**6, until=target).tally


def test_until__asks_for_enough_deals_and_events() -> None:
    """A rate of nearly 1 and a wide target: a thousand deals, and twenty that are otherwise."""
    always = parse("stalled=±50%", SHEDDING, clock=False)
    found = simulate(RULES, ADULTS, "uniform", deals=10**6, until=always)
    stalled = found.tally.sum_of("stalled")
    assert found.deals >= 1000
    assert found.deals - stalled >= 20


def test_until__says_what_it_found_and_whether_that_is_enough(tmp_path: Path) -> None:
    status, found, said = simulated("--until", "stalls=±2%", "--out", str(tmp_path / "a.run"))
    assert status == 0
    assert said.startswith("stressim: stalls is known to ±1.")
    assert found["deals"] in looks(10**6)
    status, found, said = simulated("--until", "stalls=±0.01%", "--max-deals", "2000")
    assert (status, found["deals"]) == (1, 2000)
    assert said.endswith("after 2,000 deals, not to ±0.01%\n")


def test_max_time__ends_a_run_with_what_is_counted() -> None:
    status, found, said = simulated("--deals", "1e11", "--max-time", "0.2")
    assert status == 0
    assert 0 < found["deals"] < 10**11  # type: ignore[operator]
    assert said == f"stressim: the time was up after {found['deals']:,} of 100,000,000,000 deals\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--until", "stalls=1%", "--deals", "10"], "exclude each other"),
        (["--max-deals", "10"], "bounds a run with --until"),
        (["--max-time", "0"], "seconds above 0"),
        (["--max-time", "nan"], "seconds above 0"),
        (["--until", "stalls=1%", "--max-deals", "0"], "max-deals = 0 is not possible"),
    ],
)
def test_bounds__that_make_no_sense_are_refused(arguments: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        simulated(*arguments)


def test_until__intervals_hold_what_they_promise() -> None:
    """Stopping at a width does not spoil the interval: 95 % of many runs hold the long-run mean."""
    target = parse("stalls=±3%", SHEDDING, clock=False)
    truth = simulate(RULES, ADULTS, "uniform", deals=1_000_000, seed=99).estimates["stalls"].estimate
    held = 0
    n = 400
    for seed in range(100, 100 + n):
        found = simulate(RULES, ADULTS, "uniform", deals=10**6, until=target, seed=seed, jobs=1).estimates["stalls"]
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert abs(held / n - 0.95) < 4 * (0.95 * 0.05 / n) ** 0.5
