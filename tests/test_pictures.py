from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from stressim.errors import InputError
from stressim.files import write_whole
from stressim.pictures import COLOURS, INK, cleaned, render, save, variables
from stressim.report.forest import Bar, draw_bars, forest_figure, heading_bar, tick_step

BARS = [
    heading_bar("a variant"),
    Bar("stalls", 12.5, 10.0, 15.0, "4.70 → 5.00", True),
    Bar("won", -1, -3, 1, "0 %", False),
]


def draw():
    return forest_figure("A title", "facts", "change in per cent", BARS, "a note")


def test_render__is_the_same_bytes_each_time_and_other_names_for_another_figure():
    once = render(draw, "svg", title="A title", name="one").decode()
    assert once == render(draw, "svg", title="A title", name="one").decode()
    other = render(draw, "svg", title="A title", name="other").decode()
    names = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (once, other)]
    assert names[0]
    assert not names[0] & names[1]


def test_render__follows_the_readers_theme():
    svg = render(draw, "svg", title="A title", name="one").decode()
    assert "prefers-color-scheme:dark" in svg
    assert "var(--ink)" in svg
    assert not [name for name, (stand_in, _, _) in COLOURS.items() if stand_in in svg.replace(variables("light"), "")]
    # A colour that is not among ours would be the same in both themes.
    assert set(re.findall(r"(?:fill|stroke): (#\w+)", svg)) == set()


def test_colours__can_be_read_in_both_themes():
    def brightness(colour):
        red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for theme in (1, 2):
        paper = brightness(COLOURS["paper"][theme])
        for name, colours in COLOURS.items():
            if name not in ("paper", "pale"):
                one = brightness(colours[theme])
                contrast = (max(one, paper) + 0.05) / (min(one, paper) + 0.05)
                assert contrast >= 4.5, (name, theme, contrast)


def test_cleaned__keeps_what_is_said_and_rounds_what_is_drawn():
    svg = (
        '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg width="1pt" viewBox="0 0 72 36">\n <metadata>today</metadata>\n'
        f' <style>*{{stroke:red}}</style><g id="axes_1"><path d="M 1.23456 -0.0001" style="fill: {INK}"/>'
        "<text>4.700 and -0.001</text></g></svg>"
    )
    found = cleaned(svg, title="a <b> & c", description="data")
    root = ET.fromstring(found)
    assert (root.get("role"), root.get("width"), root[0].text, root[1].text) == ("img", "96", "a <b> & c", "data")
    for gone in ("xml version", "DOCTYPE", "today", "stroke:red", "axes_1"):
        assert gone not in found
    assert 'd="M 1.23 0"' in found
    assert "4.700 and -0.001" in found
    assert "fill: var(--ink)" in found


def test_forest__says_every_row_and_draws_a_zero_line():
    said = "".join(ET.fromstring(render(draw, "svg", title="t", name="n")).itertext())
    for text in (
        "A title",
        "facts",
        "a variant",
        "stalls",
        "4.70 → 5.00",
        "won",
        "change in per cent",
        "a note",
        "+10",
    ):
        assert text in said


def test_forest__an_interval_is_drawn_from_end_to_end():
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    draw_bars(axes, BARS, "change")
    spans = [tuple(line.get_xdata()) for line in axes.get_lines() if len(line.get_xdata()) == 2]
    assert (10.0, 15.0) in spans
    assert (-3, 1) in spans
    assert axes.get_xlim()[0] < -3 < 15 < axes.get_xlim()[1]


@pytest.mark.parametrize("spread", [0.0004, 0.07, 1.3, 60, 12_345])
def test_tick_step__makes_no_crowd(spread):
    assert spread / tick_step(spread) <= 6


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_save__writes_what_the_suffix_names(tmp_path, suffix):
    path = tmp_path / f"picture.{suffix}"
    save(draw, path, title="t")
    assert path.read_bytes()[:4] in (b"<svg", b"\x89PNG", b"%PDF")
    assert list(tmp_path.iterdir()) == [path]


def test_write_whole__a_folder_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="could not be written"):
        write_whole(tmp_path / "nowhere" / "x.svg", b"")
