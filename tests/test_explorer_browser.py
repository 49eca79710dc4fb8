"""The explorer's page in a real browser: each control, links, pins, themes, a phone, and numbers against ``simulate``.

Needs selenium, chromium and its driver (Debian: ``apt-get install chromium chromium-driver``).
"""

from __future__ import annotations

import itertools
import json
import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from commanding import run_command
from explorer_pages import small_study

import stressim
from stressim.explorer.grid import make_grid
from stressim.explorer.page import explorer_page
from stressim.explorer.playing import Number, scaled
from stressim.explorer.study import read_explorer
from stressim.explorer.table import explore
from stressim.output.phrases import fixed, is_share

selenium = pytest.importorskip("selenium", reason="selenium is not installed: pip install -e '.[test]'")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    BROWSER is None or DRIVER is None,
    reason="there is no browser to look at pages with: apt-get install chromium chromium-driver",
)

REPORTS = Path(stressim.__file__).parents[1] / "reports"
PHONE, DESKTOP = (360, 740), (1280, 900)


@pytest.fixture(scope="module")
def explored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    found = explore(make_grid(read_explorer(small_study(folder))), folder / "small.csv")
    (folder / "small.html").write_text(explorer_page(found, "small.csv"), encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    profile = tmp_path_factory.mktemp("profile")
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--disable-background-networking",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield found
    found.quit()


class Page:
    """What a person does with the page, and what stands there."""

    def __init__(self, driver, url):
        self.driver = driver
        self.url = url

    def open(self, fragment=""):
        # Another fragment alone would not load the page again.
        self.driver.get("about:blank")
        self.driver.get(self.url + fragment)
        return self

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent", name)

    def texts(self, *names):
        return [self.text(name) for name in names]

    @property
    def answer(self):
        return self.texts("say-stalls", "say-length", "say-fairness")

    @property
    def fragment(self):
        return self.run("return location.hash")

    @property
    def table(self):
        return self.run(
            "return [...document.querySelectorAll('#numbers tbody tr')].map("
            "(row) => [...row.cells].map((cell) => cell.firstChild ? cell.firstChild.textContent : ''))"
        )

    @property
    def differences(self):
        """Of each number the difference and its interval."""
        return self.run(
            "return [...document.querySelectorAll('#numbers tbody tr')].map("
            "(row) => [...row.cells[4].childNodes].slice(0, 2).map((node) => node.textContent))"
        )

    def marks(self, figure):
        """The words of a picture's axis."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", figure)

    def radio(self, name, value):
        return self.driver.find_element("css selector", f'input[name="{name}"][value="{value}"]')

    def choose(self, name, value):
        self.radio(name, value).click()

    def press(self, name):
        self.driver.find_element("id", name).click()

    def select(self, name, value):
        self.driver.find_element("css selector", f'#{name} option[value="{value}"]').click()

    def type(self, name, text):
        found = self.driver.find_element("id", name)
        found.clear()
        found.send_keys(text)

    def slide(self, steps):
        from selenium.webdriver.common.keys import Keys

        key = Keys.ARROW_RIGHT if steps > 0 else Keys.ARROW_LEFT
        self.driver.find_element("id", "slider").send_keys(key * abs(steps))

    def screen(self, size, *, dark=False):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]},
        )
        width, height = size
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )


@pytest.fixture
def page(driver, explored):
    shown = Page(driver, (explored.grid.study.path.parent / "small.html").as_uri())
    shown.screen(DESKTOP)
    driver.get_log("browser")
    driver.get_log("performance")
    yield shown.open()
    complaints = [entry["message"] for entry in driver.get_log("browser")]
    assert complaints == []


@pytest.fixture
def spoilt(driver, explored, tmp_path):
    """Open a page on which a combination, the Swedish game as it is if none is named, has come to something else."""

    def opened(values=(0, 0, 1), **given):
        key = next(one.key for one in explored.grid.playable if (one.game, one.values) == (0, values))
        played = {**explored.played, key: replace(explored.played[key], **given)}
        (tmp_path / "spoilt.html").write_text(
            explorer_page(replace(explored, played=played), "small.csv"), encoding="utf-8"
        )
        page = Page(driver, (tmp_path / "spoilt.html").as_uri())
        page.screen(DESKTOP)
        return page.open()

    return opened


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


def row_shown(explored, game, *values):
    """What was played of a combination, and its place among them."""
    combination = next(one for one in explored.grid.playable if (one.game, one.values) == (game, values))
    return explored.played[combination.key]


def test_page__says_first_how_deals_end(page, explored):
    own = row_shown(explored, 0, 0, 0, 1)
    won, dead = own.endings[0], own.endings[2]
    assert 0 < dead < won
    assert page.marks("#answer strong")[0] == "Ending"
    assert page.text("say-ending") == (
        f"{won / 4:.1f} of 100 deals have a winner; in {dead / 4:.1f} of 100 nobody can move again and no rule helps "
        "(deadlocked)."
    )
    assert page.answer[1].endswith(": of all deals, dead ones up to where they lock.")
    assert page.text("summary").startswith(f"{won / 4:.1f} of 100 won · ")


@pytest.mark.parametrize(
    ("endings", "ending", "which"),
    [
        ((400, 0, 0, 0, 0), "All deals have a winner.", "."),
        ((0, 0, 400, 0, 0), "No deal has a winner; in all nobody", ": of all deals, dead ones up to where they lock."),
        (
            (398, 2, 0, 0, 0),
            "99.5 of 100 deals have a winner; once in 200 deals a rule",
            ": of all deals, drawn ones too.",
        ),
        ((3, 0, 0, 397, 0), "1 in 133 deals has a winner; in 99.3 of 100 the same", "where they come round again."),
        (
            (300, 0, 0, 0, 100),
            "75.0 of 100 deals have a winner; in 25.0 of 100 the deal is stopped",
            "up to the limit.",
        ),
    ],
)
def test_page__says_of_which_deals_lengths_are(endings, ending, which, spoilt, explored):
    page = spoilt(endings=endings)

    assert page.text("say-ending").startswith(ending)
    assert page.answer[1].endswith(f"\u00a0s{which}" if which == "." else which)


def test_page__pictures_say_of_a_rule_that_deals_have_no_winner(page, explored):
    own = row_shown(explored, 0, 0, 0, 1)
    said = (
        f"This rule: {(400 - own.endings[0]) / 4:.1f} of 100 deals have no winner; shown are all deals, dead ones up to"
    )
    assert page.text("length-warning").startswith(said)
    assert page.text("stalls-warning").startswith(said)
    assert said in page.text("numbers-caption")
    assert page.run("return document.querySelectorAll('#slider-plot .this-cross').length") == 3
    assert page.text("slider-warning").startswith("A cross: 1 of 100 deals or more have no winner there")

    page.select("number", 1)  # how many are won: says it itself
    assert page.run("return document.querySelectorAll('#slider-plot .this-cross').length") == 0
    assert page.text("slider-warning") == ""


def test_page__pictures_warn_of_no_rule_whose_deals_are_won(spoilt):
    page = spoilt(endings=(400, 0, 0, 0, 0))

    assert [page.text(f"{name}-warning") for name in ("length", "stalls")] == ["", ""]
    assert page.run("return document.querySelectorAll('#slider-plot .this-cross').length") == 2  # not at this place


def test_page__bars_are_as_wide_as_the_deals_ask_for(spoilt):
    page = spoilt(stalls_width=20, stalls=tuple(min(1000, 50 * k) for k in range(1, 25)))
    assert page.marks("#stalls-plot text.quiet")[-1] == "stalls in a deal, 20 numbers to a bar"
    labels = [int(said.replace("+", "")) for said in page.marks("#stalls-plot text.quiet")[:-1] if "%" not in said]
    assert labels[0] == 0
    assert 380 <= labels[-1] <= 400
    assert all(label % 20 == 0 for label in labels)

    page.type("stalls-at", "90")
    for how, said in (
        ("at-least", "75.0 of 100 deals (100 or more, counted in steps of 20)"),
        ("at-most", "20.0 of 100 deals (up to 79, counted in steps of 20)"),
        ("exactly", "5.0 of 100 deals (80 to 99, counted in steps of 20)"),
    ):
        page.select("stalls-how", how)
        assert page.text("stalls-says") == said
    # Beside a rule whose deals are counted one by one, both are shown in the wider bars.
    page.choose("ace", 1)
    assert page.marks("#stalls-plot text.quiet")[-1] == "stalls in a deal, 20 numbers to a bar"


def test_page__the_table_fits_beside_the_choices(spoilt, explored):
    long = Number(134_780, 128_950, 140_610, 134_780, 128_950, 140_610)
    page = spoilt((1, 0, 1), numbers=(long,) * len(explored.grid.metrics))
    page.screen((1200, 900))
    page.choose("ace", 1)

    assert page.differences[0] == ["+1,347.80", "+1,289.50 to +1,406.10"]
    assert page.run("const e = document.querySelector('.wide'); return e.scrollWidth <= e.clientWidth")


def test_page__a_game_from_a_file_is_called_so(driver, tmp_path):
    (tmp_path / "kitchen.toml").write_text('extends = "german"\n')
    study = small_study(tmp_path, ("deals = 400", "deals = 20"), ('rules = "german"', 'rules = "kitchen.toml"'))
    found = explore(make_grid(read_explorer(study)), tmp_path / "small.csv")
    (tmp_path / "small.html").write_text(explorer_page(found, "small.csv"), encoding="utf-8")
    page = Page(driver, (tmp_path / "small.html").as_uri())
    page.screen(DESKTOP)
    page.open("#game=German&ace=low&merging=off&speed=1.0")

    assert page.text("own-says") == "marks what the game's own file says."
    assert page.text("reset") == "Back to the file's rules"
    assert page.driver.find_element("id", "command-where").is_displayed()
    assert page.text("head-pinned") == "the file's rule"
    page.press("reset")
    assert page.text("set-beside") == "German as the file has it · 20 deals"
    page.choose("game", 0)
    assert page.text("set-beside") == "Swedish as the text has it · 20 deals"
    assert not page.driver.find_element("id", "command-where").is_displayed()


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


@pytest.mark.parametrize(
    ("path", "size", "what"),
    [
        *((path, PHONE, ".wide, pre") for path in sorted((REPORTS / "explorer").glob("atlas-*.html"))),
        # A table of many columns may be moved to and fro; a command must be seen as a whole.
        *((path, DESKTOP, "pre") for path in sorted(REPORTS.glob("*.html"))),
        (REPORTS / "james-bond.html", DESKTOP, ".wide"),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else str(value),
)
def test_shipped_pages__tables_and_commands_are_whole(path, size, what, driver):
    page = Page(driver, path.as_uri())
    page.screen(size)
    page.open()
    page.run("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    cut = page.run(
        "return [...document.querySelectorAll(arguments[0])].filter((e) => e.scrollWidth > e.clientWidth + 1)"
        ".map((e) => e.textContent.trim().slice(0, 60))",
        what,
    )

    assert cut == []
    assert page.run("return document.documentElement.scrollWidth") <= size[0]


def test_page__words_of_pictures_are_whole_on_a_phone(driver, tmp_path):
    ask = "Speed of player 1, which is a long question to be asked below a picture"
    study = small_study(tmp_path, ("deals = 400", "deals = 20"), ("Speed of player 1", ask))
    found = explore(make_grid(read_explorer(study)), tmp_path / "small.csv")
    (tmp_path / "small.html").write_text(explorer_page(found, "small.csv"), encoding="utf-8")
    page = Page(driver, (tmp_path / "small.html").as_uri())
    page.screen(PHONE)
    page.open("#game=Swedish&ace=low&merging=off&speed=1.0")
    page.run("document.querySelector('#slider-plot').scrollIntoView()")
    cut = page.run(
        "return [...document.querySelectorAll('figure text')].filter((e) => { const r = e.getBoundingClientRect();"
        "return r.left < 0 || r.right > innerWidth; }).map((e) => e.textContent)"
    )

    assert cut == []
    assert " ".join(page.marks("#slider-plot text")).count("below a picture") == 1


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
