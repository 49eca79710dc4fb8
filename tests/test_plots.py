from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from made_up_deals import SHEDDING, made_up_result, made_up_rows

from stressim import pictures, plots
from stressim.errors import InputError
from stressim.output.sparkline import length_metric


@pytest.fixture(scope="module")
def result():
    return made_up_result(3000)


@pytest.mark.parametrize(
    ("suffix", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("SVG", b"<svg")]
)
def test_save__writes_the_kind_that_the_suffix_names(result, tmp_path, suffix, start):
    path = tmp_path / f"picture.{suffix}"
    plots.save(result, path)
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]


def test_render__svg_is_the_same_bytes_each_time_and_has_a_title(result):
    once = plots.render(result, "svg")
    assert once == plots.render(made_up_result(3000), "svg")
    root = ET.fromstring(once)
    assert root.get("role") == "img"
    assert root[0].text == "swedish"
    assert b"<dc:date>" not in once


def test_render__says_rules_deals_players_and_timing():
    said = "".join(
        ET.fromstring(plots.render(made_up_result(sets=("ace=low",), players=("2=senior",)), "svg")).itertext()
    )
    for text in ("swedish with ace=low", "2,000 deals", "adult against senior", "human timing", "median", "guessed"):
        assert text in said


def test_render__follows_the_readers_theme(result):
    svg = pictures.render(lambda: plots.figure(result), "svg", title="t").decode()
    assert "prefers-color-scheme:dark" in svg
    assert not re.findall(r"(?:fill|stroke): #\w+", svg)


def test_render__uniform_timing_shows_plays_and_no_times():
    said = "".join(ET.fromstring(plots.render(made_up_result(timing="uniform"), "svg")).itertext())
    assert "Length in plays" in said
    assert "minutes" not in said
    assert "guessed" not in said


def test_render__leaves_the_users_own_style_alone(result):
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    plots.render(result, "svg")
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("n", [1, 2, 30])
def test_render__few_deals_can_be_drawn(n):
    assert plots.render(made_up_result(n), "svg")


def test_render__deals_that_are_all_alike_can_be_drawn():
    rows = np.repeat(made_up_rows(1), 50, axis=0)
    assert plots.render(made_up_result(rows=rows), "svg")
    assert plots.render(made_up_result(rows=np.zeros_like(rows), timing="uniform"), "svg")


def test_dot_values__stand_for_twentieths_of_the_deals(result):
    dots = plots.dot_values(result, length_metric(result))
    lengths = sorted(made_up_rows(3000)[:, [column.name for column in SHEDDING.columns].index("length_us")] / 1e6)
    assert len(dots) == 20
    for place, dot in enumerate(dots):
        assert dot == pytest.approx(lengths[75 + 150 * place - 1], abs=0.006)


def test_panels__texts_do_not_overlap_and_stay_inside():
    result = made_up_result(3000, sets=("ace=low", "row_slots=3"), players=("2=senior",))
    with pictures.fixed_style("salt"):
        drawn = plots.figure(result)
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        canvas = FigureCanvasAgg(drawn)
        canvas.draw()
        renderer = canvas.get_renderer()
        texts = list(drawn.texts)
        for axes in drawn.axes:
            texts += [*axes.texts, *axes.get_xticklabels(), *axes.get_yticklabels(), axes.xaxis.label]
        boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts if text.get_text()]
        width, height = canvas.get_width_height()
    assert len(boxes) > 20
    for index, (text, box) in enumerate(boxes):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= width, text
        assert box.y1 <= height, text
        for other, other_box in boxes[index + 1 :]:
            assert not box.overlaps(other_box), (text, other)


@pytest.mark.parametrize("name", ["picture.gif", "picture", "no/such/folder.svg"])
def test_check_path__refuses_what_cannot_be_written(tmp_path, name):
    with pytest.raises(InputError, match="--plot"):
        pictures.check_path(tmp_path / name)


def test_check_path__refuses_folders_and_devices(tmp_path):
    folder = tmp_path / "picture.svg"
    folder.mkdir()
    with pytest.raises(InputError, match="no ordinary file"):
        pictures.check_path(folder)


def test_save__failure_leaves_the_old_picture_and_nothing_else(result, tmp_path, monkeypatch):
    path = tmp_path / "picture.svg"
    path.write_text("old")

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(InputError, match="No space left"):
        plots.save(result, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
