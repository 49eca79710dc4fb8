from __future__ import annotations

import re
from pathlib import Path

import pytest
from explorer_pages import N_APART, N_PLAYABLE, small_study

import stressim
from stressim.errors import InputError
from stressim.explorer.grid import arguments_of, make_grid
from stressim.explorer.study import read_explorer
from stressim.workbench.variants import Given, make_variant

PAGES = Path(stressim.__file__).parents[1] / "reports" / "explorer"


def read_small(folder, *changes):
    return read_explorer(small_study(folder, *changes))


def test_read_explorer__a_choice_gives_its_change_to_values_without_one(tmp_path):
    ace, merging, speed = read_small(tmp_path).choices

    assert [value.changes for value in ace.values] == [("ace=wrap",), ("ace=low",)]
    assert merging.values[1].changes == ("merge_equal_ranks=always", "pile_play=either")
    assert arguments_of(speed.values[0]) == {"sets": [], "players": ["1.speed=0.8"]}


def test_read_explorer__the_slider_comes_last_wherever_it_stands(tmp_path):
    study = read_small(
        tmp_path, ('ask = "The ace"', 'ask = "The ace"\nslider = true'), ('slider = true\nchange = "1', 'change = "1')
    )

    assert [choice.name for choice in study.choices] == ["merging", "speed", "ace"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("deals = 400", "deals = 1", "deals = 1 must be a whole number from 2 to 1,000,000"),
        ("deals = 400", "deal = 400", "'deal' is no key: it must be title"),
        ('title = "A <small> page"', "title = 3", "title must be text"),
        ('numbers = ["stalls", "won", "win_skew", "deadlocked"]', "", "numbers must name at least one metric"),
        ('"win_skew"', '"won"', "two numbers are 'won'"),
        ('label = "German"', 'label = "Swedish"', "two games have the label 'Swedish'"),
        ('name = "merging"', 'name = "ace"', "two choices have the name 'ace'"),
        ('name = "merging"', 'name = "stalls"', "is a word of the page's links"),
        ('name = "merging"', 'name = "mer ging"', "must be letters, digits"),
        ('name = "0.8"', 'name = "1.2"', "two values have the name '1.2'"),
        ("slider = true", "", "one choice must be the slider (slider = true), not none"),
        ("slider = true", "slider = 1", "slider = 1 must be true or false"),
        ('ask = "The ace"', 'ask = "The ace"\nslider = true', "one choice must be the slider (slider = true), not 2"),
        ('change = "ace={}"', 'change = "ace"', "must be text with one {}"),
        ('change = "ace={}"', "", "change must be a list such as ['ace=low']"),
        (', { name = "low", say = "is the lowest card" }', "", "values must be two or more"),
    ],
)
def test_read_explorer__says_what_cannot_be_used(old, new, said, tmp_path):
    with pytest.raises(InputError) as caught:
        read_small(tmp_path, (old, new))
    assert said in str(caught.value)


def test_make_grid__tells_what_goes_together_and_why_the_rest_does_not(tmp_path):
    grid = make_grid(read_small(tmp_path))
    apart = [one for one in grid.combinations if one.reason]

    assert (len(grid.playable), len(apart)) == (N_PLAYABLE, N_APART)
    assert {(one.game, one.values[1]) for one in apart} == {(1, 1)}
    assert {one.reason for one in apart} == {
        "pile_play=either with merge_equal_ranks=always needs one_card_at_a_time=false"
    }


def test_make_grid__a_games_own_values_change_nothing(tmp_path):
    grid = make_grid(read_small(tmp_path))

    assert grid.bases == ((0, 0, 1), (0, 0, 1))
    for game, base in enumerate(grid.bases):
        own = next(one for one in grid.playable if (one.game, one.values) == (game, base))
        assert make_variant(own.given).label == grid.study.games[game].rules


def test_make_grid__keys_differ_where_deals_do(tmp_path):
    keys = [one.key for one in make_grid(read_small(tmp_path)).playable]
    again = [one.key for one in make_grid(read_small(tmp_path)).playable]
    other_deals = [one.key for one in make_grid(read_small(tmp_path, ("deals = 400", "deals = 401"))).playable]

    assert keys == again
    assert len({*keys, *other_deals}) == 2 * N_PLAYABLE


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('rules = "german"', 'rules = "james-bond"', "all games must be of one family"),
        ('rules = "german"', 'rules = "germa"', "did you mean 'german'?"),
        ('"stalls", "won"', '"stall", "won"', "did you mean 'stalls'?"),
        ('change = "ace={}"', 'change = "aces={}"', "choice ace: no value leaves 'Swedish' as it is"),
        ('name = "low", say', 'name = "lower", say', "choice ace, value lower: "),
        ('rules = "swedish"', 'rules = "norwegian"', "choice merging"),
    ],
)
def test_make_grid__says_what_cannot_be_played(old, new, said, tmp_path):
    changes = [(old, new)]
    if "norwegian" in new:  # whose equal cards are merged, which no value leaves as it is
        changes.append(("merge_equal_ranks=always", "merge_equal_ranks=at_deal"))
    with pytest.raises(InputError) as caught:
        make_grid(read_small(tmp_path, *changes))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('rules = "german"', 'rules = "germa"', "small.toml', game German: 'germa' is no preset"),
        ('rules = "german"', 'rules = "kitchen.toml"', "small.toml', game German: 'kitchen.toml' does not exist"),
        ('"stalls", "won"', '"stall", "won"', "small.toml': numbers: 'stall' is no metric"),
        ('name = "low", say', 'name = "lower", say', "small.toml', choice ace, value lower: "),
    ],
)
def test_make_grid__errors_name_the_study_and_what_in_it(old, new, said, tmp_path):
    with pytest.raises(InputError) as caught:
        make_grid(read_small(tmp_path, (old, new)))
    assert said in str(caught.value)


def test_make_grid__paths_begin_at_the_study_and_nowhere_else(tmp_path, monkeypatch):
    kitchen = 'extends = "german"\nrow_slots = 3\n'
    (tmp_path / "studies").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "kitchen.toml").write_text(kitchen)
    (tmp_path / "elsewhere" / "here.toml").write_text(kitchen)
    (tmp_path / "studies" / "slow.toml").write_text("age = 70\n")
    monkeypatch.chdir(tmp_path / "elsewhere")
    study = small_study(
        tmp_path / "studies", ('rules = "german"', 'rules = "../kitchen.toml"\nplayers = ["all=slow.toml"]')
    )

    base = make_grid(read_explorer(study)).base(1)
    assert (base.rules.options.row_slots, [player.age for player in base.players]) == (3, [70, 70])
    study.write_text(study.read_text().replace("../kitchen.toml", "here.toml"))
    with pytest.raises(InputError, match=r"'here\.toml' does not exist"):
        make_grid(read_explorer(study))


@pytest.mark.parametrize("name", sorted(path.stem for path in PAGES.glob("*.toml")))
def test_shipped_studies__labels_show_every_number_that_is_not_the_games_own(name):
    study = read_explorer(PAGES / f"{name}.toml")
    own = make_variant(Given(rules=study.games[0].rules)).rules.options
    checked = 0
    for choice in study.choices:
        for value in choice.values:
            for option, _, number in (change.partition("=") for change in arguments_of(value)["sets"]):
                if re.fullmatch(r"[\d.]+", number) and float(number) != getattr(own, option):
                    checked += 1
                    assert re.search(rf"\b{number}\b", value.say), f"{choice.name} {value.name}: {option}={number}"

    assert checked


@pytest.mark.parametrize("name", sorted(path.stem for path in PAGES.glob("*.toml")))
def test_shipped_studies__have_a_thousand_combinations_a_game_or_so(name):
    study = read_explorer(PAGES / f"{name}.toml")
    n = 1
    for choice in study.choices:
        n *= len(choice.values)

    assert 1000 <= n <= 2000
