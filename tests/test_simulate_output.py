from __future__ import annotations

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from made_up_deals import NAMES, SHEDDING, made_up_result, made_up_rows, play_made_up_deals

from stressim import plots
from stressim.asserts import judge, parse
from stressim.errors import InputError
from stressim.intervals import wilson, z_value
from stressim.output import machine, terminal
from stressim.output.invocation import Invocation
from stressim.output.phrases import number_and_interval, share_text
from stressim.output.sparkline import histogram, length_metric, sparkline
from stressim.output.text import WIDTH, render
from stressim.players.resolve import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import Interrupted, simulate
from stressim.tally import Tally

SHEDDING_METRICS = {metric.name: metric for metric in SHEDDING.metrics}
SWEDISH = load_rules("swedish")
ADULTS = resolve_players((), 2, SHEDDING.habits)


@pytest.fixture(autouse=True)
def made_up_kernel(monkeypatch):
    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play_made_up_deals)


def text_of(result, **changes) -> str:
    asked = Invocation(rules=result.rules.name, timing=result.timing.word, deals=result.deals, seed=result.seed)
    return "\n".join(line.text for line in render(result, asked, **changes))


# ---- simulate


def test_simulate__counts_exactly_the_deals_that_were_asked_for():
    result = simulate(SWEDISH, ADULTS, deals=3001, seed=5, shard=250, jobs=2)
    assert result.tally == Tally.of_rows(SHEDDING, made_up_rows(3001, 5))


@pytest.mark.parametrize(("shard", "jobs"), [(1, 1), (7, 2), (256, 3), (100_000, 1)])
def test_simulate__shards_and_jobs_change_nothing(shard, jobs):
    expected = simulate(SWEDISH, ADULTS, deals=300)
    found = simulate(SWEDISH, ADULTS, deals=300, shard=shard, jobs=jobs)
    assert found.tally == expected.tally
    assert machine.to_json(found) == machine.to_json(expected)


def test_simulate__any_executor_plays_shards():
    with ThreadPoolExecutor(2) as pool:
        found = simulate(SWEDISH, ADULTS, deals=1000, shard=100, executor=pool)
        assert pool.submit(int, "3").result() == 3  # it is not ours to shut down
    assert found.tally == simulate(SWEDISH, ADULTS, deals=1000).tally


def test_simulate__interrupt_keeps_the_first_deals():
    def stop(tally):
        if tally.deals >= 600:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        simulate(SWEDISH, ADULTS, deals=5000, shard=100, jobs=2, progress=stop)
    kept = stopped.value.result
    assert 600 <= kept.deals < 5000
    assert kept.tally == simulate(SWEDISH, ADULTS, deals=kept.deals).tally


def test_simulate__interrupted_worker_leaves_no_gap(monkeypatch):
    def play(lowered, seed, first, rows):
        if first == 456:
            raise KeyboardInterrupt
        play_made_up_deals(lowered, seed, first, rows)

    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play)
    with pytest.raises(Interrupted) as stopped:
        simulate(SWEDISH, ADULTS, deals=5000, shard=100, jobs=3)
    assert stopped.value.result.deals == 456


def test_simulate__interrupt_before_anything_is_counted_is_an_ordinary_one(monkeypatch):
    def play(lowered, seed, first, rows):
        raise KeyboardInterrupt

    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play)
    with pytest.raises(KeyboardInterrupt) as stopped:
        simulate(SWEDISH, ADULTS, deals=10)
    assert not isinstance(stopped.value, Interrupted)


@pytest.mark.parametrize(
    "wrong", [{"deals": 0}, {"deals": 10**12 + 1}, {"seed": -1}, {"seed": 2**64}, {"jobs": 0}, {"confidence": 1.0}]
)
def test_simulate__numbers_out_of_range_are_refused(wrong):
    with pytest.raises(InputError, match=f"{next(iter(wrong))} = "):
        simulate(SWEDISH, ADULTS, **wrong)


def test_simulate__largest_seed_is_played():
    assert simulate(SWEDISH, ADULTS, deals=1, seed=2**64 - 1).deals == 1


# ---- text


def test_text__is_at_most_78_columns_wide():
    results = [
        made_up_result(),
        made_up_result(timing="uniform", sets=("ace=low", "row_slots=3", "stress_tie=random", "one_pile=smaller")),
        made_up_result(rows=made_up_rows(1_000_000, won=0.9996)[::1000]),
        made_up_result(1),
    ]
    for result in results:
        for line in text_of(result, elapsed=12.34).splitlines():
            assert len(line) <= WIDTH, line


def test_text__says_seed_deals_players_timing_and_the_command():
    said = text_of(made_up_result(2000, sets=("ace=low",), players=("2=senior",)), elapsed=0.4)
    headline = said.splitlines()[0]
    assert headline == "swedish with ace=low · adult against senior, human timing · 2,000 deals ·"
    assert said.splitlines()[1] == "seed 1 · 0.4 s"
    assert "stressim simulate swedish --deals 2000 --seed 1" in said


def test_text__names_guessed_times_only_where_there_are_times():
    assert "guessed reaction times" in text_of(made_up_result())
    uniform = text_of(made_up_result(timing="uniform"))
    assert "guessed" not in uniform
    assert "length_s" not in uniform


def flat(result) -> str:
    return " ".join(text_of(result).split())


def test_text__fairness_speaks_of_seats_only_between_equal_players():
    rows = made_up_rows(4000)
    assert "No seat advantage found: player 1 wins" in flat(made_up_result(rows=rows))
    assert "No difference found between player 1 (adult) and player 2 (senior)" in flat(
        made_up_result(rows=rows, players=("2=senior",))
    )
    names = [column.name for column in SHEDDING.columns]
    rows[:, names.index("win_1")] = rows[:, names.index("won")]
    rows[:, names.index("win_2")] = 0
    assert "Player 1 (adult) beats player 2 (senior): 100 of 100" in flat(
        made_up_result(rows=rows, players=("2=senior",))
    )
    assert "although the players are equal, and chance hardly does that" in flat(made_up_result(rows=rows))
    handicapped = flat(made_up_result(rows=rows, sets=("handicap_cards=3",)))
    assert "With the handicap (handicap_cards=3) player 1 wins 100 of 100" in handicapped
    first, second = names.index("win_1"), names.index("win_2")
    rows[:, [first, second]] = rows[:, [second, first]]
    assert "Player 2 (senior) beats player 1 (adult): 100 of 100" in flat(
        made_up_result(rows=rows, players=("2=senior",))
    )


def test_text__deals_that_are_dead_and_deals_without_end_are_both_said():
    rows = made_up_rows(2000)
    names = [column.name for column in SHEDDING.columns]
    is_endless = rows[:, names.index("won")] == 1
    is_endless &= is_endless.cumsum() <= 100
    for name, value in (("won", 0), ("win_1", 0), ("win_2", 0), ("livelocked", 1)):
        rows[is_endless, names.index(name)] = value
    said = flat(made_up_result(rows=rows))
    assert "both stocks run out and the text has no rule; in 5 of 100 the same positions would come back for" in said


def test_text__players_who_differ_in_name_only_are_equal():
    said = flat(made_up_result(players=("2.speed=1",)))
    assert "No seat advantage found" in said


def test_text__rare_events_are_also_said_as_one_in():
    rows = made_up_rows(10_000)
    names = [column.name for column in SHEDDING.columns]
    rows[:3, names.index("stress_at_first_flip")] = 1
    said = text_of(made_up_result(rows=rows))
    (line,) = (line for line in said.splitlines() if line.strip().startswith("stress_at_first_flip"))
    assert "1 in 3,333 deals" in line


@pytest.mark.parametrize(("seen", "n"), [(1, 2000), (3, 50_000), (1, 1_000_000), (1, 30_000_000)])
def test_text__small_shares_keep_two_figures_within_78_columns(seen, n):
    result = made_up_result()
    low, high = wilson(seen, n, z_value(0.95))
    few = replace(result.estimates["drawn"], estimate=seen / n, low=low, high=high, n=n)
    result.__dict__["estimates"] = {**result.estimates, "drawn": few}
    lines = text_of(result).splitlines()
    (line,) = (line for line in lines if line.startswith("    drawn"))
    number = line.split()[1]
    assert float(number) == float(f"{100 * seen / n:.1e}")
    assert len(number.replace(".", "").lstrip("0")) == 2
    assert max(len(line) for line in lines if "stressim" not in line) <= WIDTH


@pytest.mark.parametrize("share", [0.0005, 0.00949, 0.0099, 0.00000123, 0.99999, 0.99951, 1999 / 2000])
def test_share_text__is_neither_rounded_up_nor_away(share):
    said = float(share_text(share, 0))
    assert said == pytest.approx(100 * share, rel=0.05)
    assert 0 < said < 100


def test_share_text__of_sums_that_should_come_out_even():
    assert share_text(1 / 3 + 2 / 3 - 1e-16, 1) == "100"
    assert share_text(0.1 + 0.2 - 0.3, 1) == "0.0"
    assert share_text(-0.0005, 1) == "-0.1"


def test_number_and_interval__an_advantage_is_no_share_and_has_the_digits_of_its_interval():
    skew = SHEDDING_METRICS["win_skew"]
    assert number_and_interval(skew, 0.0002, -0.007, 0.0074) == ("0.0 %", "-0.7 to 0.7 %")


def test_text__what_never_happened_takes_one_sentence():
    said = text_of(made_up_result())
    assert "Not once in 2,000 deals: drawn, livelocked" in said
    assert not any(line.strip().startswith("livelocked  ") for line in said.splitlines())


def test_text__few_deals_say_how_many_would_do():
    assert "Few deals: about" in text_of(made_up_result(300))
    assert "Few deals" not in text_of(made_up_result(20_000))


def test_text__is_ascii_where_asked(monkeypatch):
    assert terminal.is_plain(io.TextIOWrapper(io.BytesIO(), encoding="ascii"), {})
    assert terminal.is_plain(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), {"NO_COLOR": "1"})
    assert terminal.is_plain(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), {"TERM": "dumb"})
    assert not terminal.is_plain(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), {"TERM": "xterm"})
    said = terminal.to_ascii(text_of(made_up_result()))
    assert said.isascii()
    assert "?" not in said


def test_sparkline__draws_deals_that_are_longer_than_any_bin():
    rows = made_up_rows(50)
    rows[:, [column.name for column in SHEDDING.columns].index("length_us")] = 100_000 * 1_000_000

    assert "█" in sparkline(made_up_result(rows=rows))[0]


def test_sparkline__holds_the_deals_between_its_ends_and_points_at_the_median():
    result = made_up_result(5000)
    drawn = histogram(result, length_metric(result), steps=40)
    assert 0.97 * 5000 <= drawn.counts.sum() <= 5000
    bars, mark = sparkline(result)
    place = len(mark) - len(mark.lstrip())
    start = bars.index("0:") + bars[bars.index("0:") :].index(" ") + 1
    step = drawn.edges[1] - drawn.edges[0]
    median = result.estimates["length_s"].quantiles[0.5].estimate
    assert drawn.edges[0] + (place - start) * step <= median <= drawn.edges[0] + (place - start + 1) * step


def test_sparkline__says_how_many_of_the_deals_are_shown():
    assert sparkline(made_up_result(10))[1].endswith("; all deals are shown")
    assert sparkline(made_up_result(20_000))[1].endswith("; 98 of 100 deals are shown")


def test_sparkline__fits_where_most_deals_are_long():
    rows = made_up_rows(500)
    rows[:, NAMES.index("length_us")] = 100_000_000_000
    rows[:40, NAMES.index("length_us")] = 1_000_000
    bars, mark = sparkline(made_up_result(rows=rows))
    assert mark.endswith("; median more than 2:54:46 ^")
    assert mark.index("^") == max(place for place, block in enumerate(bars) if block == "█")
    assert len(mark) <= WIDTH - 2


# ---- deals that were stopped


def stopped_result(n: int, stopped: int, **changes):
    """Deals of which some were stopped; those are the longest."""
    rows = made_up_rows(n)
    for name in ("won", "win_1", "win_2", "deadlocked"):
        rows[:stopped, NAMES.index(name)] = 0
    rows[:stopped, NAMES.index("unfinished")] = 1
    rows[:stopped, NAMES.index("moves")] = 5000
    rows[:stopped, NAMES.index("length_us")] = 9_000_000_000
    return made_up_result(rows=rows, **changes)


def test_text__a_length_among_stopped_deals_is_more_than_a_number():
    said = flat(stopped_result(2000, 200))
    assert "Half of the deals are over in 1 min" in said
    assert "; it takes more than 2 h 30 min until 19 of 20 are. " in said
    assert "0.95 >9,000 9,000 or more s " in said
    assert "0.95 >5,000 5,000 or more plays " in said
    assert "It takes more than 2 h 30 min until half of the deals are over. " in flat(stopped_result(2000, 1200))
    assert "; 19 of 20 in " in flat(stopped_result(2000, 20))
    assert ">" not in flat(stopped_result(2000, 20))


def test_json_and_csv__a_length_among_stopped_deals_is_unknown():
    result = stopped_result(2000, 200)
    length = json.loads(machine.to_json(result))["metrics"]["length_s"]
    assert length["quantiles"]["0.95"] is None
    assert length["quantile_intervals"]["0.95"] == [9000, None]
    assert length["quantiles"]["0.75"] < 1000
    rows = list(csv.DictReader(io.StringIO(machine.to_csv(result))))
    (row,) = (row for row in rows if (row["metric"], row["quantile"]) == ("length_s", "0.95"))
    assert row["estimate [unit]"] == row["high [unit, 95 % interval]"] == ""
    assert float(row["low [unit, 95 % interval]"]) == 9000
    assert "| length_s 0.95 quantile | >9,000 | 9,000 or more | s |" in machine.to_markdown(result)


def test_assert__of_a_length_among_stopped_deals_does_not_hold():
    claim = parse("length_s.0.95<10000", SHEDDING, clock=True)
    assert str(judge(claim, stopped_result(2000, 200).estimates)) == (
        "FAIL  length_s.0.95<10000  (there is no number to tell from)"
    )
    assert judge(claim, stopped_result(2000, 20).estimates).passed


def test_picture__a_length_among_stopped_deals_is_more_than_a_number():
    texts = [text.get_text() for axes in plots.figure(stopped_result(2000, 200)).axes for text in axes.texts]
    assert any(text.endswith("until 19 of 20 are over, more than 2:30:00") for text in texts)


# ---- json, csv, markdown


def test_json__has_the_keys_of_the_contract():
    said = json.loads(machine.to_json(made_up_result(sets=("ace=low",), players=("2=senior",))))
    assert list(said) == [
        "rules",
        "rules_hash",
        "players",
        "timing",
        "seed",
        "deals",
        "behaviour",
        "version",
        "metrics",
    ]
    assert said["rules"]["ace"] == "low"
    assert set(said["rules"]) == set(SHEDDING.rules.model_fields)
    assert SHEDDING.rules(**said["rules"]).ace.word == "low"
    assert [player["name"] for player in said["players"]] == ["adult", "senior"]
    assert set(said["metrics"]["stalls"]) == {"estimate", "low", "high", "unit"}
    assert said["metrics"]["stalls"]["unit"] == "per deal"
    length = said["metrics"]["length_s"]
    assert set(length["quantiles"]) == {"0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99"}
    low, high = length["quantile_intervals"]["0.5"]
    assert low < length["quantiles"]["0.5"] < high


def test_json__floats_have_six_digits_and_absent_metrics_are_absent():
    said = json.loads(machine.to_json(made_up_result(3000, timing="uniform")))
    assert not {"length_s", "stall_share", "first_stall_s"} & set(said["metrics"])

    def floats(value):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            return [number for part in value for number in floats(part)]
        return [value] if isinstance(value, float) else []

    numbers = floats(said["metrics"])
    assert len(numbers) > 50
    assert all(number == float(f"{number:.6g}") for number in numbers)


def test_json__another_confidence_is_named():
    assert json.loads(machine.to_json(made_up_result(confidence=0.9)))["confidence"] == 0.9


def test_csv__has_one_row_for_each_metric_and_quantile_and_units_in_the_header():
    result = made_up_result()
    text = machine.to_csv(result)
    assert "\r" not in text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["metric"] for row in rows if not row["quantile"]] == list(result.estimates)
    assert sum(row["metric"] == "length_s" for row in rows) == 8
    assert text.startswith('metric,quantile,estimate [unit],"low [unit, 95 % interval]",')
    (won,) = (row for row in rows if row["metric"] == "won")
    assert float(won["estimate [unit]"]) == result.estimates["won"].estimate


def test_frame__is_the_csv_as_a_pandas_table():
    import pandas as pd

    result = made_up_result()
    read = pd.read_csv(io.StringIO(machine.to_csv(result)), keep_default_na=False, na_values={"sd [unit]": [""]})
    assert machine.frame(result)["estimate [unit]"].tolist() == read["estimate [unit]"].tolist()


def test_markdown__is_a_table_with_escaped_names():
    lines = machine.to_markdown(made_up_result(sets=("row_slots=3",))).splitlines()
    assert lines[0].startswith("**swedish with row\\_slots=3**: adult against adult")
    assert all(line.count("|") == 5 for line in lines[2:])
    assert any(line.startswith("| length_s 0.95 quantile |") for line in lines)


@pytest.mark.parametrize("timing", ["uniform", "human"])
def test_simulate__real_deals_are_the_same_for_any_shards_and_jobs(monkeypatch, timing):
    monkeypatch.delitem(SHEDDING.__dict__, "play_deals")
    found = simulate(SWEDISH, ADULTS, timing, deals=1500, seed=3, shard=101, jobs=2)
    assert found.tally == simulate(SWEDISH, ADULTS, timing, deals=1500, seed=3, jobs=1).tally
    outcomes = ("won", "drawn", "deadlocked", "livelocked", "unfinished")
    assert sum(found.tally.sum_of(name) for name in outcomes) == 1500
    assert len(render(found, Invocation(rules="swedish", deals=1500, seed=3))) > 40
