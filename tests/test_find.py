from __future__ import annotations

import csv
import io
import json
import re
import shlex
from dataclasses import replace

import numpy as np
import pytest
from commanding import run_command

from stressim.errors import InputError
from stressim.lowering import lower
from stressim.pictures import INK, render
from stressim.report.timeline import timeline_figure, timeline_of
from stressim.workbench.find import find_deals
from stressim.workbench.pairs import parts_of_rows
from stressim.workbench.together import play_rows
from stressim.workbench.variants import Given, make_variant


def variant_of(rules="swedish", timing="human", **given):
    return make_variant(Given(rules=rules, timing=timing, **given))


@pytest.mark.parametrize(("metric", "most"), [("stalls", True), ("length_s", False), ("dead_time", True)])
def test_find__is_what_sorting_all_deals_gives(metric, most):
    variant = variant_of()
    found = find_deals(variant, metric, most=most, top=7, deals=900, jobs=2)
    rows = play_rows(variant.family, variant.lowered, 1, 0, 900)
    part = parts_of_rows(variant.family, [found.metric], rows, 2)[metric]
    among = np.flatnonzero(part.v) if part.v is not None else np.arange(900)
    values = part.u / (np.maximum(part.v, 1) if part.v is not None else 1)
    expected = sorted(among, key=lambda deal: (-values[deal] if most else values[deal], deal))[:7]
    assert [one.deal for one in found.found] == expected
    scale = found.metric.divisor
    assert [one.value for one in found.found] == pytest.approx([values[deal] / scale for deal in expected], rel=1e-5)


def test_find__threads_do_not_change_it():
    variant = variant_of("james-bond", "uniform")
    assert find_deals(variant, "stalls", deals=3000, jobs=1) == find_deals(variant, "stalls", deals=3000, jobs=3)


def test_find__says_how_each_deal_ended():
    found = find_deals(variant_of(), "deadlocked", top=2, deals=200)
    assert {one.ending for one in found.found} == {"deadlocked"}
    found = find_deals(variant_of(), "win_2", top=2, deals=200)
    assert {one.ending for one in found.found} == {"won by player 2"}


@pytest.mark.parametrize(("given", "said"), [({"metric": "stals"}, "did you mean"), ({"top": 0}, "from 1 to 1000")])
def test_find__refuses(given, said):
    with pytest.raises(InputError, match=said):
        find_deals(variant_of(), **{"metric": "stalls", "deals": 10, **given})


def test_find_command__its_replay_shows_that_deal(monkeypatch, capsys):
    given = ("find", "swedish", "--set", "ace=low", "--most", "stalls", "--deals", "300")
    status, out, _ = run_command(monkeypatch, capsys, *given, "--top", "2")
    assert status == 0
    told = json.loads(run_command(monkeypatch, capsys, *given, "--format", "json")[1])["found"][0]
    replay = run_command(monkeypatch, capsys, *shlex.split(told["replay"])[1:])[1]
    assert f"{told['stalls [per deal]']:.0f} stalls" in replay
    assert told["replay"] in out
    rows = list(csv.DictReader(io.StringIO(run_command(monkeypatch, capsys, *given, "--format", "csv")[1])))
    assert len(rows) == 5
    assert "| deal |" in run_command(monkeypatch, capsys, *given, "--format", "markdown")[1]
    assert run_command(monkeypatch, capsys, "find", "swedish")[0] == 2
    assert run_command(monkeypatch, capsys, "find", "swedish", "--most", "stalls", "--least", "won")[0] == 2


def timeline(rules, timing, deal=3, n_players=None):
    variant = variant_of(rules, timing, n_players=n_players)
    log = variant.family.log_deal(lower(variant.rules.options, variant.players, timing), 1, deal)
    names = [player.name for player in variant.players]
    told = timeline_of(
        variant.family,
        variant.rules.options,
        log.cards,
        log.events,
        players=names,
        title="deal",
        uniform=timing == "uniform",
    )
    columns = [column.name for column in variant.family.columns]
    return told, dict(zip(columns, log.row.tolist(), strict=True))


@pytest.mark.parametrize("timing", ["human", "uniform"])
@pytest.mark.parametrize("rules", ["swedish", "james-bond"])
@pytest.mark.parametrize("deal", range(5))
def test_timeline__has_every_stall_and_move_of_the_deal(rules, timing, deal):
    told, row = timeline(rules, timing, deal)
    assert len(told.stalls) == row["stalls"]
    assert len(told.locks) == row.get("locks", 0)
    assert sum(kind == "move" for _, _, kind, _ in told.marks) >= row["moves"]
    if timing == "human":
        assert sum(last - first for first, last in told.stalls) == pytest.approx(row["stalled_us"] / 1e6)
        assert sum(kind == "slap" for _, _, kind, _ in told.marks) >= row.get("stresses", 0)


@pytest.mark.parametrize(("rules", "timing"), [("swedish", "human"), ("james-bond", "human"), ("swedish", "uniform")])
def test_timeline_figure__has_a_lane_for_each_player_and_says_how_it_ended(rules, timing):
    told, _ = timeline(rules, timing)
    said = render(lambda: timeline_figure(told), "svg", title="deal", name="deal").decode()
    for text in ("1 adult", "2 adult", "stall", told.ending):
        assert text in said
    assert said == render(lambda: timeline_figure(told), "svg", title="deal", name="deal").decode()


def test_timeline_figure__shades_locks_otherwise_than_stalls():
    told, row = timeline("james-bond", "human", 6)
    assert row["locks"] == 2
    said = render(lambda: timeline_figure(told), "svg", title="deal", name="deal").decode()
    without = render(lambda: timeline_figure(replace(told, locks=())), "svg", title="deal", name="deal").decode()
    assert "2 locks" in said
    assert (">lock<" in said, ">lock<" in without) == (True, False)
    assert said.count("var(--orange)") > 2 * len(told.locks)
    assert without.count("<text") == said.count("<text") - 1


@pytest.mark.parametrize("n_players", [2, 3])
def test_timeline_figure__the_last_card_stands_beside_the_line_at_the_end(n_players):
    told, _ = timeline("swedish", "human", 16 if n_players == 2 else 1, n_players)
    last = timeline_figure(told).axes[-2]
    (line,) = (line for line in last.lines if list(line.get_xdata()) == [told.end, told.end])
    beside = [text for text in last.texts if text.get_ha() == "left"]
    assert line.get_color() == INK
    assert [text.xy[0] for text in beside] == [told.end] * len(beside)
    assert beside
    assert all(text.get_position()[0] > 0 for text in beside)


def test_replay__plot_draws_the_deal(monkeypatch, capsys, tmp_path):
    path = tmp_path / "deal.svg"
    status, out, _ = run_command(monkeypatch, capsys, "replay", "swedish", "--deal", "4", "--plot", str(path))
    assert status == 0
    assert "swedish, deal 4 of seed 1" in path.read_text(encoding="utf-8")
    assert out.startswith("swedish")
    assert run_command(monkeypatch, capsys, "replay", "swedish", "--plot", "x.gif")[0] == 2


@pytest.mark.parametrize(("option", "said"), [("--most", "yes"), ("--least", "no")])
def test_find__a_yes_or_no_number_has_nothing_to_rank(monkeypatch, capsys, option, said):
    given = ("find", "swedish", option, "won", "--timing", "uniform", "--deals", "300", "--top", "4")
    out = run_command(monkeypatch, capsys, *given)[1]
    variant = variant_of(timing="uniform")
    won = play_rows(variant.family, variant.lowered, 1, 0, 300)[:, 0]
    assert f"nothing to rank: {won.sum()} of 300 deals have it" in " ".join(out.split())
    rows = [line.split()[:2] for line in out.splitlines() if re.match(r" +\d+ +(?:yes|no) ", line)]
    assert rows == [[str(deal), said] for deal in np.flatnonzero(won == (said == "yes"))[:4]]
    told = json.loads(run_command(monkeypatch, capsys, *given, "--format", "json")[1])
    assert told["deals_having_it"] == won.sum()


def test_find__says_a_sensible_precision_and_how_to_find_them_again(monkeypatch, capsys):
    given = ("find", "swedish", "--least", "length_s", "--deals", "300", "--top", "2")
    out = run_command(monkeypatch, capsys, *given)[1]
    values = re.findall(r"^ +[\d,]+ +([\d.]+) +\d+ s", out, re.MULTILINE)
    assert len(values) == 2
    assert all(re.fullmatch(r"\d+\.\d", value) for value in values)
    again = shlex.split(out.partition("Again:")[2])
    assert again[0] == "stressim"
    without_time = re.compile(r" · [\d.]+ s$", re.MULTILINE)
    assert without_time.sub("", run_command(monkeypatch, capsys, *again[1:])[1]) == without_time.sub("", out)
