from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from commanding import run_command
from made_up_deals import SHEDDING, play_made_up_deals

from stressim.errors import InputError
from stressim.pictures import render
from stressim.report.grid import sweep_figure
from stressim.workbench import sweep_files
from stressim.workbench.sweep import read_axis, run_sweep
from stressim.workbench.variants import Given

SWEDISH = Given(rules="swedish")


@pytest.fixture
def played(monkeypatch):
    """A made-up kernel, and the list of first deals that it was asked for."""
    calls = []

    def play(lowered, seed, first, rows):
        calls.append(first)
        play_made_up_deals(lowered, seed, first, rows)

    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play)
    return calls


def axes(*texts):
    return [read_axis(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("ace=wrap, low", ("wrap", "low")),
        ("1.speed=0.8:1.2:0.05", ("0.80", "0.85", "0.90", "0.95", "1.00", "1.05", "1.10", "1.15", "1.20")),
        ("row_slots=3:5:1,8", ("3", "4", "5", "8")),
        ("1.countdown=fixed(900),normal(350,60)", ("fixed(900)", "normal(350,60)")),
    ],
)
def test_read_axis__values(text, values):
    assert read_axis(text).values == values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ace", "cannot be read"),
        ("=3", "cannot be read"),
        ("ace=wrap,,low", "is empty"),
        ("ace=low,low", "given twice"),
        ("1.speed=0.8:1.2", "a range has a step, too, as in 0.8:1.2:0.1"),
        ("row_slots=2:6", "as in 2:6:1"),
        ("row_slots=5:3:1", "from 5 to 3"),
        ("row_slots=1:2:0", "from 1 to 2 by 0"),
        ("tie_window_ms=0:1:0.000001", "more than 10,000"),
    ],
)
def test_read_axis__refuses(text, said):
    with pytest.raises(InputError, match=said):
        read_axis(text)


def test_sweep__a_point_is_what_simulate_says(played):
    from stressim.simulate import simulate

    found = run_sweep(SWEDISH, axes("ace=wrap,low", "2.speed=1,1.5"), deals=300, on=["stalls", "length_s"])
    assert [point.values for point in found.points] == [("wrap", "1"), ("wrap", "1.5"), ("low", "1"), ("low", "1.5")]
    variant = found.points[3].variant
    assert (variant.rules.options.ace.word, variant.players[1].speed) == ("low", 1.5)
    estimates = simulate(variant.rules, variant.players, deals=300).estimates
    assert found.estimate(3, "stalls")["estimate [unit]"] == estimates["stalls"].estimate
    quantiles = [record["quantile"] for record in found.records[3] if record["metric"] == "length_s"]
    assert quantiles == ["", *map(str, estimates["length_s"].quantiles)]


def test_sweep__resumes_where_it_stopped(played, tmp_path):
    path = tmp_path / "table.csv"
    given = {"deals": 200, "out": path}
    whole = run_sweep(SWEDISH, axes("row_slots=3,4,5"), deals=200)
    run_sweep(SWEDISH, axes("row_slots=3,4"), **given)
    played.clear()
    found = run_sweep(SWEDISH, axes("row_slots=3,4,5"), **given)
    assert (played, found.n_resumed) == ([0], 2)
    assert found.table == whole.table
    assert path.read_text() == sweep_files.to_csv(whole.table)
    played.clear()
    assert run_sweep(SWEDISH, axes("row_slots=3,4,5"), **given).table == whole.table
    assert played == []


@pytest.mark.parametrize("changed", [{"seed": 2}, {"deals": 201}])
def test_sweep__plays_again_what_another_run_would_give(played, tmp_path, changed):
    path = tmp_path / "table.csv"
    run_sweep(SWEDISH, axes("row_slots=3,4"), deals=200, out=path)
    assert run_sweep(SWEDISH, axes("row_slots=3,4"), **{"deals": 200, "out": path, **changed}).n_resumed == 0


def test_sweep__more_metrics_than_the_file_has_are_played_again(played, tmp_path):
    path = tmp_path / "table.csv"
    run_sweep(SWEDISH, axes("row_slots=3,4"), deals=200, on=["stalls"], out=path)
    found = run_sweep(SWEDISH, axes("row_slots=3,4"), deals=200, on=["stalls", "won"], out=path)
    assert (found.n_resumed, {record["metric"] for record in found.table}) == (0, {"stalls", "won"})


def test_sweep__ctrl_c_keeps_the_points_played(played, tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    calls = []

    def play(lowered, seed, first, rows):
        calls.append(first)
        if len(calls) == 4:
            raise KeyboardInterrupt
        play_made_up_deals(lowered, seed, first, rows)

    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play)
    with pytest.raises(KeyboardInterrupt):
        run_sweep(SWEDISH, axes("row_slots=3,4,5,6"), deals=200, out=path)
    assert run_sweep(SWEDISH, axes("row_slots=3,4,5,6"), deals=200, out=path).n_resumed == 3


def test_sweep__refuses_a_file_that_is_none_of_its_tables(played, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="no table of this sweep"):
        run_sweep(SWEDISH, axes("row_slots=3,4"), deals=200, out=path)
    assert path.read_text() == "a,b\n1,2\n"


def test_sweep__a_combination_that_cannot_be_played_is_named_before_anything_is(played):
    with pytest.raises(InputError, match="--vary ace=low, row_slots=9: row_slots"):
        run_sweep(SWEDISH, axes("ace=low,wrap", "row_slots=4,9"), deals=200)
    assert played == []


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_sweep__either_table_is_taken_up_where_it_stopped_and_holds_the_same(played, tmp_path, suffix):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    path, whole = tmp_path / f"table{suffix}", run_sweep(SWEDISH, axes("row_slots=3,4,5"), deals=200)
    run_sweep(SWEDISH, axes("row_slots=3,4"), deals=200, out=path)
    found = run_sweep(SWEDISH, axes("row_slots=3,4,5"), deals=200, out=path)
    again = run_sweep(SWEDISH, axes("row_slots=3,4,5"), deals=200, out=path)

    assert (found.n_resumed, again.n_resumed) == (2, 3)
    assert list(again.table) == list(found.table) == list(whole.table)


def test_sweep__a_truncated_parquet_file_is_refused_and_left_alone(played, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "table.parquet"
    run_sweep(SWEDISH, axes("row_slots=3,4"), deals=200, out=path)
    path.write_bytes(path.read_bytes()[:-20])
    cut = path.read_bytes()
    with pytest.raises(InputError, match="cannot be read"):
        run_sweep(SWEDISH, axes("row_slots=3,4"), deals=200, out=path)
    assert path.read_bytes() == cut


def test_check_out__parquet_needs_pyarrow(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match="pip install pyarrow"):
        sweep_files.check_out(tmp_path / "table.parquet")


@pytest.mark.parametrize(
    "texts",
    [
        ("1.speed=0.8:1.2:0.2",),
        ("ace=wrap,low",),
        ("1.speed=0.8:1.2:0.2", "ace=wrap,low"),
        ("1.speed=0.8:1.4:0.1", "2.speed=0.8:1.4:0.1"),
    ],
)
def test_sweep_figure__names_what_it_shows(played, texts):
    found = run_sweep(SWEDISH, axes(*texts), deals=100, on=["won"])
    said = render(lambda: sweep_figure(found, "won"), "svg", title="won", name="won").decode()
    assert f"won over {' and '.join(text.partition('=')[0] for text in texts)}" in said
    assert said.count(texts[0].partition("=")[0]) > 1
    assert found.plot().get_xlabel().startswith("1.speed" if "speed" in texts[0] else "ace")


def test_draw_sweep__values_far_apart_do_not_squeeze_each_other(played):
    """Where one value is many times another, each step of the axis is a factor."""
    found = run_sweep(SWEDISH, axes("row_slots=3,4"), deals=100, on=["length_s"])
    assert found.plot().get_yscale() == "linear"
    far = tuple(
        {name: 100 * value if isinstance(value, float) else value for name, value in record.items()}
        for record in found.records[1]
    )
    apart = replace(found, records=(found.records[0], far))
    axis = apart.plot()
    assert axis.get_yscale() == "log"
    assert len(axis.get_yticks()) >= 3


def test_sweep_command__formats_and_refusals(played, monkeypatch, capsys, tmp_path):
    given = ("sweep", "swedish", "--vary", "ace=wrap,low", "--deals", "200")
    status, out, _ = run_command(monkeypatch, capsys, *given, "--out", str(tmp_path / "t.csv"))
    assert status == 0
    assert "stalls     " in out
    assert "at each of them." in out  # every variant has the same numbers here
    again = out.splitlines()[-1].replace("Again:", "").split()
    assert run_command(monkeypatch, capsys, *again[1:])[1].splitlines()[2:] == out.splitlines()[2:]
    told = json.loads(run_command(monkeypatch, capsys, *given, "--format", "json")[1])
    assert [point["values"] for point in told["points"]] == [{"ace": "wrap"}, {"ace": "low"}]
    assert run_command(monkeypatch, capsys, *given, "--format", "csv")[1].startswith("ace,metric,quantile,")
    assert "| ace | won |" in run_command(monkeypatch, capsys, *given, "--format", "markdown")[1]
    for bad, said in ((("--out", "t.txt"), ".csv or .parquet"), (("--vary", "ace=high"), "given twice")):
        status, _, err = run_command(monkeypatch, capsys, *given, *bad)
        assert status == 2
        assert said in err


@pytest.mark.parametrize(
    ("text", "hint"),
    [("row_slots=3-6", "3:6:1"), ("row_slots=3..6", "3:6:1"), ("1.speed=0.8-1.2", "0.8:1.2:0.1")],
)
def test_sweep__a_range_written_otherwise_is_shown_as_it_must_be(text, hint):
    with pytest.raises(InputError, match=f"a range is written with its step, {hint}$"):
        run_sweep(Given(rules="swedish"), [read_axis(text)], deals=10)


def test_sweep__a_range_of_ranks_is_a_value():
    found = run_sweep(
        Given(rules="swedish", sets=("deck=custom", "deck_ranks=9"), timing="uniform"),
        [read_axis("deck_ranks=6-A")],
        deals=10,
    )
    assert found.points[0].values == ("6-A",)


def test_sweep__text_has_units_and_says_which_point_is_the_base(monkeypatch, capsys):
    asked = ("sweep", "swedish", "--vary", "ace=wrap,low", "--timing", "uniform", "--deals", "100")
    said = " ".join(run_command(monkeypatch, capsys, *asked)[1].split())
    assert re.search(r"moves from [\d.]+ plays per deal at ace=\w+ to [\d.]+ plays per deal at ace=", said)
    assert re.search(r"won from \d+ % at ace=\w+ to \d+ % at", said)
    assert "ace=wrap is swedish as it is." in said
    said = run_command(monkeypatch, capsys, *asked[:3], "ace=low,high", *asked[4:])[1]
    assert "as it is" not in said


def test_sweep__text_says_how_long_rules_wait(monkeypatch, capsys):
    asked = ("sweep", "james-bond", "--deals", "20", "--vary")
    said = " ".join(run_command(monkeypatch, capsys, *asked, "deadlock_rule=none,most_complete_wins")[1].split())
    assert "deadlock_rule=most_complete_wins applies after 10 s (deadlock_wait_s, a guess) without a swap." in said
    asked = (*asked[:2], "--set", "deadlock_rule=most_complete_wins", *asked[2:])
    said = " ".join(run_command(monkeypatch, capsys, *asked, "deadlock_wait_s=5,10,30")[1].split())
    assert "applies after" not in said
    assert "Of the values of deadlock_wait_s, that of the rules themselves is a guess." in said
    said = " ".join(run_command(monkeypatch, capsys, *asked, "deadlock_wait_s=5,30")[1].split())
    assert "guess" not in said


def test_sweep__text_names_the_numbers_that_its_table_has_no_room_for(monkeypatch, capsys):
    asked = ("sweep", "swedish", "--vary", "ace=wrap,low", "--deals", "20")
    said = " ".join(run_command(monkeypatch, capsys, *asked)[1].split())
    assert "No room here for stalls: --format csv has every number." in said
    said = run_command(monkeypatch, capsys, *asked, "--on", "won")[1]
    assert "No room" not in said


def test_sweep__text_of_a_number_that_does_not_change_names_no_points(monkeypatch, capsys):
    asked = ("sweep", "james-bond", "--vary", "deadlock_wait_s=10,30", "--on", "locks", "--deals", "20")
    said = " ".join(run_command(monkeypatch, capsys, *asked)[1].split())
    assert re.search(r"locks [\d.]+ per deal at each of them\.", said)
