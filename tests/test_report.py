from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from commanding import run_command

import stressim
from stressim.errors import InputError
from stressim.report import build
from stressim.report.study import read_study

REPORTS = Path(stressim.__file__).parents[1] / "reports"
QUESTION = """
title = "Trial"
deals = 300

[[question]]
name = "ace"
ask = "Ace <low> or round?"
kind = "compare"
variants = ["swedish", "ace=low"]
on = ["stalls", "won"]
answer = "{{ verdict('ace=low', 'stalls') }} & {{ change('ace=low', 'stalls') }}"
"""


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "reports" / "trial.toml"
    path.parent.mkdir()
    path.write_text(QUESTION)
    return path


def made_of(path, **given):
    study = read_study(path)
    return build.build(study, build.Places.of(study), **given)


def test_quick_study__the_committed_files_follow(monkeypatch, capsys):
    """What CI runs on every push: all kinds of questions, made again in memory."""
    status, out, _ = run_command(monkeypatch, capsys, "report", str(REPORTS / "quick.toml"), "--check")
    assert (status, out) == (0, "13 compared: all follow\n")


@pytest.mark.parametrize("name", sorted(path.stem for path in REPORTS.glob("*.toml")))
def test_studies__keys_and_hashes_are_those_of_the_manifest(name, monkeypatch, capsys):
    status, out, _ = run_command(monkeypatch, capsys, "report", str(REPORTS / f"{name}.toml"), "--check", "--fast")
    assert (status, out.splitlines()[-1].endswith("all follow")) == (0, True)


def test_build__is_the_same_bytes_for_any_jobs(study):
    assert made_of(study, jobs=1) == made_of(study, jobs=3)


def test_places__results_lie_beside_reports_or_beside_a_study_elsewhere(study, tmp_path, monkeypatch):
    assert build.Places.of(read_study(study)).results == tmp_path / "results" / "trial"
    monkeypatch.chdir(study.parent)
    assert build.Places.of(read_study(Path("trial.toml"))).results == tmp_path / "results" / "trial"
    elsewhere = tmp_path / "mine.toml"
    elsewhere.write_text(QUESTION)
    assert build.Places.of(read_study(elsewhere)).results == tmp_path / "results" / "mine"


def test_build__fills_in_the_answer_and_escapes_it(study):
    made = {path.name: content.decode() for path, content in made_of(study).items()}
    assert "**more & +" in made["trial.md"]
    assert "more &amp; +" in made["trial.html"]
    assert "Ace &lt;low&gt; or round?" in made["trial.html"]
    assert made["ace.csv"].startswith("variant,reference,metric,")
    assert set(json.loads(made["manifest.json"])["keys"]) == {"ace"}


def test_html_page__code_is_marked_as_such(study):
    study.write_text(QUESTION.replace('title = "Trial"', 'title = "Trial"\nintro = "Made by `a <b>`, not `c."'))
    page = {path.name: content.decode() for path, content in made_of(study).items()}["trial.html"]
    assert "<p>Made by `a &lt;b&gt;`, not `c.</p>" in page
    study.write_text(QUESTION.replace('title = "Trial"', 'title = "Trial"\nintro = "Made by `a <b>` & co."'))
    page = {path.name: content.decode() for path, content in made_of(study).items()}["trial.html"]
    assert "<p>Made by <code>a &lt;b&gt;</code> &amp; co.</p>" in page


def test_build__the_figure_names_the_data_it_shows(study):
    made = {path.name: content for path, content in made_of(study).items()}
    assert build._digest(made["ace.csv"]).encode() in made["trial-ace.svg"]


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.tags, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.links += [value for name, value in attrs if name in ("href", "src", "xlink:href")]
        if tag not in ("meta", "br", "img", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.links += [value for name, value in attrs if name in ("href", "src", "xlink:href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("path", sorted(REPORTS.glob("*.html")), ids=lambda path: path.stem)
def test_html__needs_nothing_beside_it_and_can_be_read_aloud(path):
    text = path.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    # Links lead to places of the page; names of XML are no addresses.
    assert all(link.startswith("#") for link in page.links)
    places = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(places) == len(set(places))
    assert {link[1:] for link in page.links} <= set(places)
    assert "script" not in {tag for tag, _ in page.tags}
    assert not re.search(r"url\((?!#)|@import", text)
    tables = [tag for tag, _ in page.tags if tag == "table"]
    assert len(tables) == sum(tag == "caption" for tag, _ in page.tags) > 0
    assert all(attrs.get("scope") in ("col", "row") for tag, attrs in page.tags if tag == "th")
    pictures = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert all(attrs["role"] == "img" for attrs in pictures)
    assert "color-scheme: light dark" in text
    assert 'name="viewport"' in text


# --- checks


def test_check__names_what_moved_in_standard_errors(study, monkeypatch, capsys):
    given = ("report", str(study))
    assert run_command(monkeypatch, capsys, *given)[0] == 0
    assert run_command(monkeypatch, capsys, *given, "--check")[1] == "5 compared: all follow\n"
    table = study.parents[1] / "results" / "trial" / "ace.csv"
    rows = table.read_text().splitlines()
    cells = rows[1].split(",")
    half = (float(cells[8]) - float(cells[7])) / 2 / 1.959964 if '"' not in rows[1] else 0
    cells[5] = f"{float(cells[5]) - 3 * half:.6g}"
    table.write_text("\n".join([rows[0], ",".join(cells), *rows[2:]]) + "\n")
    status, out, _ = run_command(monkeypatch, capsys, *given, "--check")
    assert status == 1
    assert "results/trial/ace.csv:2" in out
    assert f"stressim report {study} updates them" in out
    assert run_command(monkeypatch, capsys, *given)[0] == 0
    assert run_command(monkeypatch, capsys, *given, "--check")[0] == 0


def test_check__a_moved_estimate_is_measured_in_its_standard_errors():
    head = "metric,difference [unit],low [unit],high [unit]\n"
    (moved,) = build._moved_table(
        "x.csv", (head + "stalls,1.0,0.02,1.98\n").encode(), (head + "stalls,2.0,1,3\n").encode()
    )
    assert (moved.committed, moved.now) == ("1.0", "2.0")
    assert moved.errors == pytest.approx(2.0, rel=1e-3)
    assert "+2.0 standard errors" in str(moved)


def test_check__fast_sees_another_rule_and_another_file(study, monkeypatch, capsys):
    given = ("report", str(study))
    run_command(monkeypatch, capsys, *given)
    fast = (*given, "--check", "--fast")
    assert run_command(monkeypatch, capsys, *fast)[0] == 0
    study.write_text(QUESTION.replace("ace=low", "ace=high").replace("('ace=low'", "('ace=high'"))
    status, out, _ = run_command(monkeypatch, capsys, *fast)
    assert status == 1
    assert "question ace" in out
    study.write_text(QUESTION)
    (study.parent / "trial.md").write_text("changed")
    assert "reports/trial.md" in run_command(monkeypatch, capsys, *fast)[1]


def test_check__under_another_matplotlib_pictures_are_compared_by_their_data(study, monkeypatch, capsys):
    given = ("report", str(study))
    run_command(monkeypatch, capsys, *given)
    picture = study.parent / "figures" / "trial-ace.svg"
    picture.write_text(picture.read_text().replace("<title>", "<title>drawn otherwise: "))
    assert run_command(monkeypatch, capsys, *given, "--check")[0] == 1
    monkeypatch.setattr(build, "matplotlib_minor", lambda: "4.0")
    assert run_command(monkeypatch, capsys, *given, "--check")[:2] == (0, "4 compared: all follow\n")
    picture.write_text(picture.read_text().replace("data ", "data 0"))
    assert run_command(monkeypatch, capsys, *given, "--check")[0] == 1


def test_check__without_committed_files_is_an_error(study, monkeypatch, capsys):
    status, _, err = run_command(monkeypatch, capsys, "report", str(study), "--check")
    assert status == 2
    assert "nothing to compare with" in err


# --- study files


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "compare"', 'kind = "compete"', "did you mean 'compare'"),
        ('on = ["stalls", "won"]', 'onn = ["stalls"]', "did you mean 'on'"),
        ('on = ["stalls", "won"]', "on = 3", "must be a list of texts"),
        ('on = ["stalls", "won"]', 'on = ["stals"]', "did you mean 'stalls'"),
        ("deals = 300", 'deals = "many"', "must be a whole number"),
        ('variants = ["swedish", "ace=low"]', "variants = []", "needs variants"),
        ('name = "ace"', 'name = "Ace!"', "small letters"),
        ("[[question]]", "[question]", "has no [[question]]"),
        ("verdict('ace=low'", "verdict('ace=lo'", "names 'ace=lo'"),
        ("verdict('ace=low', ", "verdicts('ace=low', ", "cannot be filled in"),
        ('title = "Trial"', "", "title must be text"),
        ('title = "Trial"', "title = 'Trial", "no valid TOML"),
    ],
)
def test_study__refuses_with_one_sentence(study, old, new, said):
    assert old in QUESTION
    study.write_text(QUESTION.replace(old, new))
    with pytest.raises(InputError, match=re.escape(said)):
        made_of(study)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('on = ["stalls", "won"]', 'on = ["stals"]', "on: 'stals' is no metric; did you mean 'stalls'?"),
        ('on = ["stalls", "won"]', 'figure = "stals"', "figure: 'stals' is no metric; did you mean 'stalls'?"),
        (
            'on = ["stalls", "won"]',
            'on = ["stalls"]\ntiming = "uniform"\nfigure = "length_s"',
            "figure: length_s needs a clock",
        ),
        ('"swedish", "ace', '"swedis", "ace', "'swedis' is no preset and no file; did you mean 'swedish'?"),
        ('"ace=low"', '"ace=lo"', "ace=lo: ace = 'lo' must be"),
        ("verdict('ace=low', ", "verdict('ace=lo', ", "its text names 'ace=lo'"),
        ('on = ["stalls", "won"]', 'players = ["2=senio"]', "2=senio: 'senio' is no preset"),
        ('on = ["stalls", "won"]', 'timing = "unifor"', "timing 'unifor' must be"),
    ],
)
def test_report_command__errors_name_the_study_and_the_question(study, old, new, said, monkeypatch, capsys):
    assert old in QUESTION
    study.write_text(QUESTION.replace(old, new))
    status, _, err = run_command(monkeypatch, capsys, "report", str(study))
    assert status == 2
    assert err.startswith(f"stressim: study {str(study)!r}, question 1 (ace): {said}")
    assert sorted(path.name for path in study.parent.iterdir()) == ["trial.toml"]


def test_study__a_sweep_draws_a_number_that_it_has(study):
    study.write_text(
        QUESTION.partition("[[question]]")[0]
        + """
[[question]]
name = "ace"
ask = "Ace low or round?"
kind = "sweep"
rules = "swedish"
vary = ["ace=low,wrap"]
on = ["stalls"]
figure = "won"
answer = "No."
"""
    )
    with pytest.raises(InputError, match="figure = 'won' must be one of those in on: stalls"):
        made_of(study)


def test_build__all_questions_are_looked_at_before_one_is_played(study, monkeypatch):
    late = QUESTION.partition("[[question]]")[2].replace('"ace"', '"late"').replace('"stalls"', '"stals"')
    study.write_text(f"{QUESTION}\n[[question]]{late}")
    played = []
    with pytest.raises(InputError, match=r"question 2 \(late\): on: 'stals'"):
        made_of(study, progress=played.append)
    assert played == []


def test_build__paths_begin_at_the_study_and_nowhere_else(study, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (elsewhere / "here.toml").write_text('extends = "swedish"\n')
    (tmp_path / "kitchen.toml").write_text('extends = "swedish"\n')
    (study.parent / "slow.toml").write_text("speed = 0.9\n")
    study.write_text(QUESTION.replace('"swedish"', '"../kitchen.toml"') + 'players = ["2=slow.toml"]\n')
    made = {path.name: content.decode() for path, content in made_of(study).items()}
    assert "stressim compare ../kitchen.toml ace=low --player 2=slow.toml" in made["trial.md"]
    assert "paths of rules begin at the study's folder" in " ".join(made["trial.md"].split())
    study.write_text(QUESTION.replace('"swedish"', '"here.toml"'))
    with pytest.raises(InputError, match=r"'here\.toml' does not exist"):
        made_of(study)


def test_report_command__refuses_a_study_that_is_not_there(monkeypatch, capsys):
    status, _, err = run_command(monkeypatch, capsys, "report", "nowhere.toml")
    assert status == 2
    assert len(err.splitlines()) == 1
    assert run_command(monkeypatch, capsys, "report", "nowhere.toml", "--fast")[0] == 2


@pytest.mark.parametrize(("ci", "said"), [("true", "ace …"), ("", "")])
def test_report_command__tells_each_question_where_somebody_reads_along(study, ci, said, monkeypatch, capsys):
    monkeypatch.setenv("CI", ci)
    status, _, err = run_command(monkeypatch, capsys, "report", str(study))
    assert (status, err.strip()) == (0, said)
