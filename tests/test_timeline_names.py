"""Names in the picture of a deal are whole, however long they are."""

from __future__ import annotations

import pytest
from commanding import run_command
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from stressim.pictures import fixed_style
from stressim.report.timeline import WIDTH, Timeline, lane_names, timeline_figure

INCH = 72.0


def timeline(players: tuple[str, ...], title: str = "deal") -> Timeline:
    return Timeline(
        title=title,
        facts="3 moves",
        ending="Player 1 has won.",
        clock=True,
        start=0,
        end=30,
        players=players,
        marks=((1.0, 0, "move", "card laid"),),
        tops=((0, ("7", "K")),),
        piles=True,
        stalls=(),
    )


def width_of(text: str, size: float) -> float:
    """Inches that a text takes."""
    lines = [TextPath((0, 0), line, size=size, prop=FontProperties(family="DejaVu Sans")) for line in text.split("\n")]
    return max(float(line.get_extents().width) for line in lines) / INCH


@pytest.mark.parametrize(
    "names",
    [
        ("1 adult", "2 senior"),
        ("1 adult", "2 senior+first-seen"),
        ("1 senior+first-seen age=33 flip=normal(350,60)", "2 child-12+planner speed=1.1 p_miss_stress=0.2"),
        ("1 players/of-the-summer-before-last/the-quickest-of-all-of-them.toml", "2 adult"),
    ],
)
def test_lane_names__fit_the_margin_and_are_whole_somewhere(names):
    found = lane_names(names)
    assert max(width_of(lane, found.size) for lane in found.lanes) <= found.left - 6 / INCH
    for name, lane in zip(names, found.lanes, strict=True):
        assert lane.count("\n") <= 1
        assert (name in found.cut) == lane.endswith("…")
        assert name in found.cut or "".join(lane.split()) == "".join(name.split())
    with fixed_style("deal"):
        drawn = timeline_figure(timeline(names))
    said = [text.get_text() for text in drawn.texts]
    assert [text for text in said if text in found.cut] == list(found.cut)
    assert {text.get_text() for text in drawn.axes[0].texts} >= set(found.lanes)
    box = drawn.axes[0].get_position()
    assert box.x0 * WIDTH == pytest.approx(found.left)
    assert box.x1 * WIDTH == pytest.approx(WIDTH - 0.3)


def test_lane_names__short_ones_leave_the_margin_as_it_is():
    assert lane_names(["1 adult", "2 adult+greedy"]).left == lane_names(["1", "2"]).left
    assert lane_names(["1 adult", "2 adult+sensible"]).left > lane_names(["1", "2"]).left


def test_timeline_figure__says_a_long_title_to_its_end():
    title = " ".join(f"option_{number}=value" for number in range(20))
    with fixed_style("deal"):
        drawn = timeline_figure(timeline(("1 adult", "2 adult"), title))
    assert " ".join(text.get_text() for text in drawn.texts).startswith(f"{title} 3 moves · ")
    heights = [text.get_position()[1] for text in drawn.texts]
    assert heights == sorted(heights, reverse=True)
    assert drawn.axes[0].get_position().y1 < heights[-1] < heights[0] < 1


def test_replay__plot_names_players_with_what_is_changed(monkeypatch, capsys, tmp_path):
    path = tmp_path / "deal.svg"
    given = ("--player", "1.speed=1.1", "--player", "2=senior+first-seen", "--timing", "uniform")
    assert run_command(monkeypatch, capsys, "replay", "swedish", *given, "--plot", str(path))[0] == 0
    said = path.read_text(encoding="utf-8")
    assert ">1 adult speed=1.1<" in said
    assert ">2 senior+first-seen<" in said
