"""The explorer's page in a real browser: how deals end, what lengths are of, bars, files of the user's, cut text."""

# Fixtures are named where they are asked for, and nowhere else.
# ruff: noqa: F401, F811

from __future__ import annotations

from pathlib import Path

import pytest
from explorer_browser import DESKTOP, PHONE, Page, driver, explored, page, spoilt
from explorer_pages import small_study

import stressim
from stressim.explorer.grid import make_grid
from stressim.explorer.page import explorer_page
from stressim.explorer.playing import Number
from stressim.explorer.study import read_explorer
from stressim.explorer.table import explore

REPORTS = Path(stressim.__file__).parents[1] / "reports"


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
    assert page.answer[1].endswith(": of all deals, deadlocked ones up to where they lock.")
    assert page.text("summary").startswith(f"{won / 4:.1f} of 100 won · ")


@pytest.mark.parametrize(
    ("endings", "ending", "which"),
    [
        ((400, 0, 0, 0, 0), "All deals have a winner.", "."),
        (
            (0, 0, 400, 0, 0),
            "No deal has a winner; in all nobody",
            ": of all deals, deadlocked ones up to where they lock.",
        ),
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
    none = f"{(400 - own.endings[0]) / 4:.1f} of 100 deals have no winner"
    said = f"This rule: {none}; shown are all deals, deadlocked ones up to"
    assert page.text("length-warning").startswith(said)
    assert page.text("stalls-warning").startswith(said)
    assert said in page.text("numbers-caption")
    assert page.run("return document.querySelectorAll('#slider-plot .this-cross').length") == 3
    assert page.text("slider-warning") == (
        "A cross: 1 of 100 deals or more have no winner there; the number is that of all deals, deadlocked ones up to "
        "where they lock."
    )

    page.select("number", 1)  # how many are won: says it itself
    assert page.run("return document.querySelectorAll('#slider-plot .this-cross').length") == 0
    assert page.text("slider-warning") == ""


def test_page__crosses_say_how_the_deals_end_that_nobody_wins(spoilt):
    page = spoilt(endings=(300, 60, 0, 0, 40))

    assert page.text("slider-warning").endswith(
        " of all deals, drawn ones too, deadlocked ones up to where they lock, stopped ones up to the limit."
    )


@pytest.mark.parametrize(
    ("stalled", "said", "short"),
    [
        (400, "All deals stall, ", "all stall"),
        (399, "99.8 of 100 deals stall, ", "99.8 of 100 stall"),
        (3, "1 in 133 deals stalls, ", "1 in 133 stall"),
        (0, "No deal stalls.", "none stall"),
    ],
)
def test_page__says_all_and_none_of_stalls_where_it_is_so(stalled, said, short, spoilt):
    page = spoilt(stalled=stalled)

    assert page.text("say-stalls").startswith(said)
    assert f" · {short} · " in page.text("summary")


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
