from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from commanding import run_command
from explorer_pages import N_APART, N_PLAYABLE, small_study

from stressim.errors import InputError
from stressim.explorer import table as module
from stressim.explorer.grid import make_grid
from stressim.explorer.packing import Packed, unpack
from stressim.explorer.page import columns_of, explorer_page, page_data
from stressim.explorer.playing import WIDTHS, _binned, scaled
from stressim.explorer.study import read_explorer
from stressim.explorer.table import explore, read_rows
from stressim.outcomes import Outcome


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The small explorer, played, and its table's path."""
    folder = tmp_path_factory.mktemp("explorer")
    path = folder / "small.csv"
    return explore(make_grid(read_explorer(small_study(folder))), path, jobs=2), path


@pytest.fixture
def counted(monkeypatch):
    """The combinations that are played, one by one."""
    played = []

    def play(variant, *rest, **named):
        played.append(variant.label)
        return real(variant, *rest, **named)

    real = module.play_combination
    monkeypatch.setattr(module, "play_combination", play)
    return played


def row_of(explored, game, *values):
    wanted = tuple(
        [value.name for value in choice.values].index(name)
        for choice, name in zip(explored.grid.study.choices, values, strict=True)
    )
    combination = next(one for one in explored.grid.playable if (one.game, one.values) == (game, wanted))
    return explored.played[combination.key]


@pytest.mark.parametrize(
    ("game", "values", "command"),
    [
        (0, ("wrap", "off", "1.0"), ("swedish",)),
        (1, ("low", "off", "1.2"), ("german", "--set", "ace=low", "--player", "1.speed=1.2")),
        (
            0,
            ("wrap", "piles", "0.8"),
            ("swedish", "--set", "merge_equal_ranks=always", "--set", "pile_play=either", "--player", "1.speed=0.8"),
        ),
    ],
)
def test_explore__numbers_are_those_of_simulate(game, values, command, made, monkeypatch, capsys):
    explored, _ = made
    status, out, _ = run_command(
        monkeypatch, capsys, "simulate", *command, "--deals", "400", "--seed", "1", "--format", "json"
    )
    found = json.loads(out)["metrics"]
    row = row_of(explored, game, *values)

    assert status == 0
    for metric, number in zip(explored.grid.metrics, row.numbers, strict=True):
        expected = tuple(scaled(metric, found[metric.name][part]) for part in ("estimate", "low", "high"))
        assert number[:3] == expected, metric.name
    assert row.median == round(found["length_s"]["quantiles"]["0.5"])
    assert row.most == round(found["length_s"]["quantiles"]["0.95"])
    for outcome, count in zip(Outcome, row.endings, strict=True):
        assert count == round(400 * found[outcome.word]["estimate"])
    assert row.stalled == round(400 * found["stalled"]["estimate"])
    assert 1000 - row.stalls[0] == pytest.approx(1000 * found["stalled"]["estimate"], abs=0.5)


@pytest.mark.parametrize(
    ("stalls", "width", "shares"),
    [
        ([0] * 990 + [24] * 10, 1, [990] * 24),
        ([0] * 989 + [24] * 11, 5, [989] * 4 + [1000] * 20),
        ([7] * 500 + [118] * 500, 5, [0] + [500] * 22 + [1000]),
        ([100] * 300 + [400] * 600 + [9000] * 100, 1000, [900] * 9 + [1000] * 15),
    ],
)
def test_binned__bars_are_as_wide_as_the_deals_ask_for(stalls, width, shares):
    found, at_most = _binned(np.bincount(stalls), len(stalls))

    assert (found, list(at_most)) == (width, shares)


def test_widths__two_rules_can_share_their_bins():
    assert all(wider % narrower == 0 for narrower, wider in itertools.pairwise(WIDTHS))


def test_explore__changes_are_those_of_compare(made, monkeypatch, capsys):
    explored, _ = made
    arguments = ("compare", "german", "german ace=low 1.speed=0.8", "--deals", "400", "--seed", "1", "--format", "json")
    _, out, _ = run_command(monkeypatch, capsys, *arguments)
    found = json.loads(out)["against_reference"][0]["differences"]
    row = row_of(explored, 1, "low", "off", "0.8")

    for metric, number in zip(explored.grid.metrics, row.numbers, strict=True):
        expected = tuple(scaled(metric, found[metric.name][part]) for part in ("difference", "low", "high"))
        assert number[3:] == expected, metric.name


def test_explore__a_game_as_it_is_differs_by_nothing_from_itself(made):
    own = row_of(made[0], 0, "wrap", "off", "1.0")

    assert {number[3:] for number in own.numbers} == {(0, 0, 0)}


def test_explore__is_the_same_for_any_jobs(made, tmp_path):
    explored, _ = made

    assert explore(explored.grid, tmp_path / "one.csv", jobs=1).rows == explored.rows


def test_explore__plays_nothing_that_the_table_has(made, counted):
    explored, path = made
    before = path.read_bytes()
    again = explore(explored.grid, path)

    assert (again.rows, again.n_resumed, counted) == (explored.rows, N_PLAYABLE, [])
    assert path.read_bytes() == before


def test_explore__goes_on_where_it_was_stopped(made, tmp_path, monkeypatch, counted):
    explored, _ = made
    path = tmp_path / "small.csv"

    def stop(done):
        if done == 5:
            raise KeyboardInterrupt

    stopped = explore(explored.grid, path, progress=stop)
    assert (stopped.stopped, len(read_rows(path, explored.grid))) == (True, 5)
    counted.clear()
    went_on = explore(explored.grid, path)

    assert (went_on.stopped, went_on.n_resumed, len(counted)) == (False, 5, N_PLAYABLE - 5)
    assert went_on.rows == explored.rows


def test_explore__a_run_that_ends_early_loses_nothing_of_the_table(made, tmp_path):
    explored, whole = made
    path = tmp_path / "small.csv"
    path.write_bytes(whole.read_bytes())

    def stop(done):
        raise KeyboardInterrupt

    explore(explored.grid, path, progress=stop)

    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda text: "a,b\n1,2\n", "is no table of an explorer"),
        (lambda text: text.replace("German,wrap", "German,wrap,1"), "is damaged"),
        (lambda text: text[: len(text) // 2], "is damaged"),
    ],
)
def test_read_rows__refuses_what_is_no_table(spoil, said, made, tmp_path):
    explored, whole = made
    path = tmp_path / "small.csv"
    path.write_text(spoil(whole.read_text()))

    with pytest.raises(InputError) as caught:
        read_rows(path, explored.grid)
    assert said in str(caught.value)


def test_page__carries_the_table_packed_column_by_column(made):
    explored, _ = made
    data = page_data(explored)
    unpacked = [unpack(Packed(*column), N_PLAYABLE) for column in data["columns"]]

    assert unpacked == columns_of(explored)
    assert unpack(Packed(*data["broken"]), N_PLAYABLE + N_APART).count(0) == N_PLAYABLE


def test_page__needs_nothing_from_anywhere_and_escapes_what_it_says(made):
    page = explorer_page(made[0], "small.csv")

    assert "http://www.w3.org/2000/svg" in page
    assert page.count("http") == 2  # the name of SVG, and http-equiv
    assert "A &lt;small&gt; page" in page
    assert "<small>" not in page.split("<script>")[0]
    assert '<a href="small.csv">' in page.split("<noscript>")[1].split("</noscript>")[0]


def test_explorer_command__makes_page_and_table_and_checks_them(tmp_path, monkeypatch, capsys):
    study, page = small_study(tmp_path), tmp_path / "page.html"
    status, out, _ = run_command(monkeypatch, capsys, "explorer", str(study), "-o", str(page))
    assert (status, page.is_file(), (tmp_path / "page.csv").is_file()) == (0, True, True)
    assert "18 combinations of 400 deals" in out
    assert "6 more do not go together" in out

    assert run_command(monkeypatch, capsys, "explorer", str(study), "-o", str(page), "--check")[:2] == (
        0,
        "18 combinations and the page: all follow\n",
    )
    page.write_text(page.read_text().replace("German", "Germane"))
    assert run_command(monkeypatch, capsys, "explorer", str(study), "-o", str(page), "--check")[0] == 1
    small_study(tmp_path, ('name = "0.8"', 'name = "0.7"'))
    status, out, _ = run_command(monkeypatch, capsys, "explorer", str(study), "-o", str(page), "--check")
    assert (status, out.endswith("6 of 18 combinations no longer follow or are not there\n")) == (1, True)


@pytest.mark.parametrize(
    ("out", "said"),
    [("page.txt", "a page's suffix must be .html, not '.txt'"), ("none/page.html", "there is no folder")],
)
def test_explorer_command__refuses_a_place_for_no_page(out, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    status, _, complaint = run_command(monkeypatch, capsys, "explorer", str(small_study(tmp_path)), "-o", out)

    assert (status, said in complaint) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.toml"]


def test_page_data__says_where_a_games_rules_stand(tmp_path):
    (tmp_path / "kitchen.toml").write_text('extends = "german"\ntitle = "Kitchen"\n')
    study = small_study(
        tmp_path,
        ("deals = 400", "deals = 20"),
        ('rules = "german"', 'rules = "kitchen.toml"'),
        (
            '[[choice]]\nname = "ace"',
            '[[game]]\nrules = "swedish"\nlabel = "Slow"\nplayers = ["2=senior"]\n\n[[choice]]\nname = "ace"',
        ),
    )
    data = page_data(explore(make_grid(read_explorer(study)), tmp_path / "small.csv"))

    assert [game["own"] for game in data["games"]] == ["text", "file", "study"]
