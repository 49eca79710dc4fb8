"""Explorer pages in a real browser: fixtures for the tests that look at them, and what a person does there.

Needs selenium, chromium and its driver (Debian: ``apt-get install chromium chromium-driver``). Test modules
import the fixtures that they ask for.
"""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from explorer_pages import small_study

from stressim.explorer.grid import make_grid
from stressim.explorer.page import explorer_page
from stressim.explorer.study import read_explorer
from stressim.explorer.table import explore

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
PHONE, DESKTOP = (360, 740), (1280, 900)


@pytest.fixture(scope="module")
def explored(driver, tmp_path_factory):
    """The small explorer, played; its page lies beside its study."""
    folder = tmp_path_factory.mktemp("browser")
    found = explore(make_grid(read_explorer(small_study(folder))), folder / "small.csv")
    (folder / "small.html").write_text(explorer_page(found, "small.csv"), encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    """A browser; without one the test is skipped."""
    pytest.importorskip("selenium", reason="selenium is not installed: pip install -e '.[test]'")
    if BROWSER is None or DRIVER is None:
        pytest.skip("there is no browser to look at pages with: apt-get install chromium chromium-driver")
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
    """The small explorer's page, opened; at the end the browser must have had nothing to complain of."""
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
