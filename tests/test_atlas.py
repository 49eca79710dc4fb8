from __future__ import annotations

import csv
import json

import pytest
from commanding import run_command

from stressim.errors import InputError
from stressim.explorer.atlas import make_atlas
from stressim.explorer.atlas_page import atlas_page, share_and_interval
from stressim.workbench.variants import Given, make_variant


@pytest.fixture(scope="module")
def norwegian():
    return make_atlas(make_variant(Given(rules="norwegian")), deals=3000, logged=200, jobs=2)


def found(atlas, name):
    return next(one for one in atlas.found if one.way.name == name)


def test_atlas__shares_of_columns_are_those_of_simulate(norwegian, monkeypatch, capsys):
    _, out, _ = run_command(monkeypatch, capsys, "simulate", "norwegian", "--deals", "3000", "--format", "json")
    metrics = json.loads(out)["metrics"]

    for way, metric in (
        ("lock", "stalled"),
        ("stuck_as_dealt", "stalled_at_start"),
        ("one_stock_out", "one_stock_empty"),
        ("both_stocks_out", "both_stocks_empty"),
        ("deadlocked", "deadlocked"),
        ("cap", "unfinished"),
    ):
        one, expected = found(norwegian, way), metrics[metric]
        assert (one.share, one.low, one.high) == (expected["estimate"], expected["low"], expected["high"])


def test_atlas__an_example_shows_what_it_is_an_example_of(norwegian):
    variant = norwegian.variant
    rules = variant.rules.options
    names = [column.name for column in variant.family.columns]
    shown = [one for one in norwegian.found if one.example is not None]
    assert len(shown) >= 5
    for one in shown:
        log = variant.family.log_deal(variant.lowered, norwegian.seed, one.example.deal)
        if one.way.columns is not None:
            assert one.way.columns({name: log.row[k : k + 1] for k, name in enumerate(names)}).all()
        else:
            assert one.way.log(rules, log.cards.tolist(), log.events.tolist()) == one.example.time


def test_atlas__is_the_same_for_any_jobs(norwegian):
    again = make_atlas(norwegian.variant, deals=3000, logged=200, jobs=1)

    assert again.records == norwegian.records


def test_atlas__examples_are_the_shortest_deals(norwegian, monkeypatch, capsys):
    _, out, _ = run_command(
        monkeypatch,
        capsys,
        "find",
        "norwegian",
        "--least",
        "moves",
        "--deals",
        "3000",
        "--top",
        "1",
        "--format",
        "json",
    )
    shortest = json.loads(out)["found"][0]["deal"]
    stalled = found(norwegian, "lock").example.deal
    moves = [column.name for column in norwegian.variant.family.columns].index("moves")

    def moves_of(deal):
        return int(norwegian.variant.family.log_deal(norwegian.variant.lowered, 1, deal).row[moves])

    assert moves_of(shortest) <= moves_of(stalled) <= moves_of(found(norwegian, "both_stocks_out").example.deal)


def test_share_and_interval__says_what_was_never_seen(norwegian):
    assert share_and_interval(found(norwegian, "cap")) == ("0 of 3,000", "up to 0.13 %")
    assert share_and_interval(found(norwegian, "side_piles_out")) == ("not in the rules", "")


def test_atlas_page__draws_each_example_once_and_needs_nothing_beside_it(norwegian):
    page = atlas_page(norwegian)
    deals = {one.example.deal for one in norwegian.found if one.example is not None}

    assert page.count("<figure") == page.count('role="img"') == len(deals)
    assert "<script" not in page
    for one in norwegian.found:
        assert f'<section id="{one.way.name}">' in page
    assert "stressim atlas norwegian --deals 3000 --seed 1 --logged 200" in page


def test_atlas_command__writes_page_and_table(tmp_path, monkeypatch, capsys):
    page = tmp_path / "atlas.html"
    arguments = ("atlas", "james-bond", "--players", "4", "--deals", "400", "--logged", "40", "--format", "csv")
    status, out, _ = run_command(monkeypatch, capsys, *arguments, "-o", str(page))
    rows = list(csv.DictReader(out.splitlines()))

    assert status == 0
    assert (tmp_path / "atlas.csv").read_text() == out
    assert [row["way"] for row in rows][2:5] == ["full_lock", "two_want_one_rank", "hoarding"]
    assert {row["looked at [deals]"] for row in rows if row["counted in"] == "logs"} == {"40"}
    assert "How deals of james-bond n_players=4 get stuck" in page.read_text()


def test_atlas__logs_no_deal_that_is_not_counted():
    atlas = make_atlas(make_variant(Given(rules="norwegian", timing="uniform")), deals=300, logged=5000)
    assert (atlas.deals, atlas.logged) == (300, 300)
    assert all(found.example is None or found.example.deal < 300 for found in atlas.found)


def test_atlas_command__prints_lines_that_fit(monkeypatch, capsys):
    status, out, _ = run_command(monkeypatch, capsys, "atlas", "swedish", "--deals", "300", "--logged", "30")

    assert status == 0
    assert max(map(len, out.splitlines())) <= 78
    assert "Flip after flip" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--logged", "0"), "logged = 0 is not possible"),
        (("-o", "atlas.svg"), "a page's suffix must be .html, not '.svg'"),
        (("-o", "none/atlas.html"), "there is no folder"),
        (("--format", "yaml"), "--format 'yaml' is not known"),
    ],
)
def test_atlas_command__refuses(arguments, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    status, out, complaint = run_command(monkeypatch, capsys, "atlas", "swedish", *arguments)

    assert (status, out, said in complaint) == (2, "", True)
    assert list(tmp_path.iterdir()) == []


def test_make_atlas__stopped_keeps_what_has_been_counted(norwegian):
    def stop(done):
        if done > 3100:  # after the columns of 3,000 deals and the logs of some
            raise KeyboardInterrupt

    stopped = make_atlas(norwegian.variant, deals=3000, logged=1000, progress=stop)

    assert (stopped.stopped, stopped.deals, stopped.logged) == (True, 3000, 200)
    assert stopped.records == norwegian.records


def test_make_atlas__says_when_a_deal_is_too_long_for_its_log(norwegian, monkeypatch):
    def log_deals(lowered, seed, first, n):
        raise OverflowError("deal 0 has 200000 events; a log holds 131072")
        yield

    monkeypatch.setitem(norwegian.variant.family.__dict__, "log_deals", log_deals)
    with pytest.raises(InputError) as caught:
        make_atlas(norwegian.variant, deals=100, logged=10)
    assert "is too long for its log" in str(caught.value)
