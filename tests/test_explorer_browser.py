"""The explorer's page in a real browser: controls, links, pins, themes, a phone, and numbers against ``simulate``."""

# Fixtures are named where they are asked for, and nowhere else.
# ruff: noqa: F401, F811

from __future__ import annotations

import itertools
import json
import shlex

import pytest
from commanding import run_command
from explorer_browser import DESKTOP, PHONE, driver, explored, page

from stressim.explorer.playing import scaled
from stressim.output.phrases import fixed, is_share


def simulated(monkeypatch, capsys, command):
    """Run the command that the page shows; return its metrics."""
    status, out, complaint = run_command(monkeypatch, capsys, *shlex.split(command)[1:], "--format", "json")
    assert (status, complaint) == (0, "")
    return json.loads(out)["metrics"]


def shown_number(metric, number):
    """A number as the page writes it."""
    units = scaled(metric, number)
    decimals = 1 if is_share(metric) or metric.name == "length_s" else 2
    return fixed(units / 10**decimals, decimals)


def check_numbers(page, explored, metrics):
    """Hold the page's table and sentences against what ``simulate`` has found."""
    for metric, cells in zip(explored.grid.metrics, page.table, strict=True):
        found, mark = metrics[metric.name], "\u00a0%" if is_share(metric) else ""
        low, high = (shown_number(metric, found[part]) for part in ("low", "high"))
        expected = [metric.name, shown_number(metric, found["estimate"]) + mark, f"{low} to {high}{mark}"]
        assert cells[:3] == expected
    for seconds in (found["quantiles"][share] for found in [metrics["length_s"]] for share in ("0.5", "0.95")):
        minutes, rest = divmod(round(seconds), 60)
        assert f"{minutes}\u00a0min {rest:02d}\u00a0s" in page.answer[1]


def test_page__numbers_are_those_of_the_command_that_it_shows(page, explored, monkeypatch, capsys):
    assert page.text("command") == "stressim simulate swedish --deals 400 --seed 1"
    check_numbers(page, explored, simulated(monkeypatch, capsys, page.text("command")))

    page.choose("game", 1)
    page.choose("ace", 1)
    page.slide(1)
    command = "stressim simulate german --set ace=low --player 1.speed=1.2 --deals 400 --seed 1"
    assert page.text("command") == command
    metrics = simulated(monkeypatch, capsys, command)
    check_numbers(page, explored, metrics)
    share = 50 * (1 + metrics["win_skew"]["estimate"])
    assert page.answer[2].startswith(f"Player 1 beats player 2: {share:.1f} of 100 won deals")


def test_page__each_control_changes_the_answer_and_the_link(page):
    seen = [(page.fragment, tuple(page.answer))]
    for do in (
        lambda: page.choose("ace", 1),
        lambda: page.choose("merging", 1),
        lambda: page.slide(-1),
        lambda: page.press("reset"),
        lambda: page.choose("game", 1),
    ):
        do()
        seen.append((page.fragment, tuple(page.answer)))

    assert [fragment for fragment, _ in seen].count(seen[0][0]) == 2  # once more by "Back to the text's rules"
    assert seen[4] == seen[0]
    assert len(set(seen)) == len(seen) - 1
    assert all(one != two for (_, one), (_, two) in itertools.pairwise(seen))


def test_page__a_link_shows_what_was_shown(page):
    page.choose("ace", 1)
    page.slide(-1)
    page.press("pin")
    page.choose("game", 1)
    page.select("number", 1)
    page.select("length-how", "at-least")
    page.type("length-at", "130")
    page.select("stalls-how", "exactly")
    page.type("stalls-at", "5")
    parts = ("command", "numbers-caption", "length-says", "stalls-says", "slider-says", "slider-plot", "length-plot")
    for said in ("number=won", "length=at-least.130", "stalls=exactly.5", "a=Swedish"):
        assert said in page.fragment
    before = [page.fragment, page.answer, page.table, *page.texts(*parts)]
    page.open(page.fragment)

    assert [page.fragment, page.answer, page.table, *page.texts(*parts)] == before


def test_page__a_link_to_something_else_says_so_and_shows_the_text(page):
    page.open("#game=Swedish&ace=middle&merging=off&speed=1.0")

    assert page.text("done") == "The link names something that this page does not have."
    assert page.text("command") == "stressim simulate swedish --deals 400 --seed 1"


def test_page__a_changed_link_in_the_same_tab_is_followed(page):
    page.run("location.hash = '#game=German&ace=low&merging=off&speed=1.0'")
    page.driver.execute_async_script("setTimeout(arguments[0], 50)")

    assert page.text("command") == "stressim simulate german --set ace=low --deals 400 --seed 1"


def test_page__differences_are_paired_beside_the_text_and_unpaired_beside_another(page, explored):
    page.choose("ace", 1)
    assert page.text("head-difference") == "difference (paired)"
    stalls = explored.grid.metrics[0]
    combination = next(one for one in explored.grid.playable if (one.game, one.values) == (0, (1, 0, 1)))
    number = explored.played[combination.key].numbers[0]
    low, high = (f"{units / 100:+.2f}" for units in (number.change_low, number.change_high))
    assert page.table[0][0] == stalls.name
    assert page.differences[0] == [f"{number.change / 100:+.2f}", f"{low} to {high}"]

    page.press("pin")
    assert {cells[4] for cells in page.table} == {""}  # beside itself nothing differs
    page.press("reset")
    assert page.text("head-difference") == "difference (paired)"
    low, high = (f"{-units / 100:+.2f}" for units in (number.change_high, number.change_low))
    assert page.differences[0] == [f"{-number.change / 100:+.2f}", f"{low} to {high}"]

    page.choose("merging", 1)
    assert page.text("head-difference") == "difference (unpaired)"
    assert "unpaired" in page.text("numbers-caption")
    page.press("unpin")
    assert page.text("head-difference") == "difference (paired)"
    assert page.text("head-pinned") == "the text's rule"


def test_page__what_does_not_go_together_is_disabled_with_the_reason(page):
    page.choose("merging", 1)
    assert page.radio("merging", 1).is_selected()
    page.choose("game", 1)  # where they cannot stay merged

    assert not page.radio("merging", 1).is_enabled()
    assert page.radio("merging", 0).is_selected()
    assert page.text("done").startswith("Those choices do not go together in this game")
    assert "needs one_card_at_a_time=false" in page.text("why-1")
    page.choose("game", 0)
    assert page.radio("merging", 1).is_enabled()
    assert page.text("why-1") == ""


def test_page__counts_deals_at_least_at_most_and_exactly(page, explored):
    row = explored.played[explored.grid.playable[1].key]  # the Swedish game as it is: the middle of three speeds
    page.select("length-how", "at-most")
    page.type("length-at", str(row.dots[6]))
    assert page.text("length-says") == f"about {sum(dot <= row.dots[6] for dot in row.dots)} of 20 deals"
    assert page.run("return document.querySelectorAll('#length-plot circle.this').length") == sum(
        dot <= row.dots[6] for dot in row.dots
    )
    page.select("length-how", "at-least")
    assert page.text("length-says") == f"about {sum(dot >= row.dots[6] for dot in row.dots)} of 20 deals"

    page.type("stalls-at", "4")
    below, at_most = (5 * round(row.stalls[k] / 5) for k in (3, 4))  # the page has them to half of one in a hundred
    for how, thousandths in (("at-least", 1000 - below), ("at-most", at_most), ("exactly", at_most - below)):
        page.select("stalls-how", how)
        assert page.text("stalls-says") == f"{thousandths / 10:.1f} of 100 deals"


def test_page__copy_link_gives_the_link(page):
    page.press("copy")
    page.driver.execute_async_script("setTimeout(arguments[0], 100)")

    if page.text("done") == "Copy the marked link.":
        assert page.run("return document.getElementById('link').value") == page.run("return location.href")
    else:
        assert page.text("done") == "The link is copied."


def test_page__the_keyboard_alone_reaches_and_works_every_control(page):
    from selenium.webdriver.common.keys import Keys

    reached = []
    for _ in range(40):
        page.driver.switch_to.active_element.send_keys(Keys.TAB)
        focus = page.run("const e = document.activeElement; return e.id || e.name || e.tagName")
        if focus in reached and focus != "BODY":
            break
        reached.append(focus)
    assert [name for name in reached if name in ("game", "ace", "merging", "slider", "pin", "copy", "number")] == [
        "game",
        "ace",
        "merging",
        "slider",
        "pin",
        "copy",
        "number",
    ]
    page.radio("ace", 0).send_keys(Keys.ARROW_RIGHT)
    assert "--set ace=low" in page.text("command")


def test_page__speaks_to_a_screen_reader(page):
    unnamed = page.run(
        "return [...document.querySelectorAll('input:not([type=hidden]), select, button')]"
        ".filter((e) => !e.labels?.length && !e.textContent.trim()).map((e) => e.outerHTML)"
    )
    assert unnamed == []
    assert page.run("return document.getElementById('answer').getAttribute('aria-live')") == "polite"
    assert page.run("return [...document.querySelectorAll('svg')].every((s) => s.querySelector('title').textContent)")
    page.slide(1)
    assert page.run("return document.getElementById('slider').getAttribute('aria-valuetext')") == "1.2 times"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_page__is_readable_in_both_themes_and_on_a_phone(size, dark, page):
    page.screen(size, dark=dark)
    page.driver.execute_async_script("setTimeout(arguments[0], 100)")
    ground, ink = page.run(
        "const s = getComputedStyle(document.body); return [s.backgroundColor, s.color].map((c) => "
        "c.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3)"
    )

    assert (ground < 60, ink > 200) == (dark, dark)
    assert abs(ground - ink) > 150
    assert page.run("return document.documentElement.scrollWidth") <= size[0]
    assert page.run(
        "return [...document.querySelectorAll('figure svg')].every((s) => "
        "s.getBoundingClientRect().right <= innerWidth)"
    )


def test_page__asks_nobody_for_anything(page):
    page.choose("ace", 1)
    page.press("pin")
    page.press("copy")
    messages = [json.loads(entry["message"])["message"] for entry in page.driver.get_log("performance")]
    asked = {
        message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"
    }

    assert page.url in {url.partition("#")[0] for url in asked}
    assert {url.partition(":")[0] for url in asked} <= {"file", "data", "about"}


def test_page__without_script_points_to_the_table(page):
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.open()
        shown = page.driver.find_element("css selector", "noscript a")
        assert shown.get_attribute("href").endswith("/small.csv")
        assert not page.driver.find_element("id", "explorer").is_displayed()
    finally:
        page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
