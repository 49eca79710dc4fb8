from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "regenerate.py"

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the README's commands are run by bash")


@pytest.fixture(scope="module")
def regenerate():
    spec = importlib.util.spec_from_file_location("regenerate", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["regenerate"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["regenerate"]


def readme(folder: Path, *blocks: str) -> Path:
    path = folder / "README.md"
    path.write_text("\n\n".join(("# Title", *blocks)) + "\n", encoding="utf-8")
    return path


def console(*lines: str) -> str:
    return "\n".join(("```console", *lines, "```"))


def test_regenerate__check_accepts_what_follows(regenerate, tmp_path, capsys):
    readme(tmp_path, console("$ echo one", "one", "$ echo two", "two"), "```sh\nrm -rf nothing\n```")
    assert regenerate.main(["--check"], tmp_path) == 0
    assert capsys.readouterr().out == "2 outputs and pictures compared: all follow\n"


def test_regenerate__check_names_the_line_that_moved_and_writes_nothing(regenerate, tmp_path, capsys):
    path = readme(tmp_path, console("$ printf 'a\\nb\\n'", "a", "c"))
    before = path.read_text()
    assert regenerate.main(["--check"], tmp_path) == 1
    said = capsys.readouterr().out
    assert "README.md:6\n  committed  c\n  now        b\n" in said
    assert path.read_text().splitlines()[5] == "c"
    assert path.read_text() == before


def test_regenerate__writes_what_then_follows(regenerate, tmp_path):
    path = readme(tmp_path, console("$ echo new", "old", "", "old"), "between", console("$ echo more"))
    assert regenerate.main([], tmp_path) == 0
    expected = f"# Title\n\n{console('$ echo new', 'new')}\n\nbetween\n\n{console('$ echo more', 'more')}\n"
    assert path.read_text() == expected
    assert regenerate.main(["--check"], tmp_path) == 0


def test_regenerate__seconds_may_differ_and_nothing_else(regenerate, tmp_path):
    readme(tmp_path, console("$ echo 'rules · seed 1 · 12.3 s'", "rules · seed 1 · 0.4 s"))
    assert regenerate.main(["--check"], tmp_path) == 0
    readme(tmp_path, console("$ echo 'rules · seed 1 · 0.4 s'", "rules · seed 1 ·", "12.3 s"))
    assert regenerate.main(["--check"], tmp_path) == 0
    readme(tmp_path, console("$ echo 'rules · seed 2 · 0.4 s'", "rules · seed 1 · 0.4 s"))
    assert regenerate.main(["--check"], tmp_path) == 1


def test_regenerate__left_out_paragraphs_stay_left_out(regenerate, tmp_path):
    path = readme(tmp_path, console("$ printf 'a\\na\\n\\nb\\n\\nc\\n'", "x", "", "…", "", "y"))
    assert regenerate.main([], tmp_path) == 0
    assert "\na\na\n\n…\n\nc\n```" in path.read_text()


def test_regenerate__files_of_the_readme_are_there(regenerate, tmp_path):
    readme(tmp_path, "```toml\n# mine.toml\nace = 1\n```", console("$ cat mine.toml", "# mine.toml", "ace = 1"))
    assert regenerate.main(["--check"], tmp_path) == 0


def test_regenerate__pictures_are_compared_and_written(regenerate, tmp_path):
    shown = "![x](reports/figures/x.svg)"
    readme(tmp_path, shown, console("$ echo picture > reports/figures/x.svg"))
    assert regenerate.main(["--check"], tmp_path) == 1
    assert not (tmp_path / "reports").exists()
    assert regenerate.main([], tmp_path) == 0
    assert (tmp_path / "reports/figures/x.svg").read_text() == "picture\n"
    assert regenerate.main(["--check"], tmp_path) == 0


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ((), "nothing was compared"),
        ((console("$ false"),), "README.md:4: false: status 1"),
        ((console("$ no-such-command"),), "status 127"),
        ((console("$ no-such-command", "$ echo $?"),), "status 127"),
        ((console("output", "$ true"),), "begins with a command"),
        (("```console\n$ true",), "not closed"),
        (("![x](reports/figures/x.svg)", console("$ true")), "no command in it draws that"),
    ],
)
def test_regenerate__what_cannot_be_run_is_status_2(regenerate, tmp_path, capsys, blocks, said):
    readme(tmp_path, *blocks)
    assert regenerate.main(["--check"], tmp_path) == 2
    assert said in capsys.readouterr().err


def test_regenerate__a_status_that_is_shown_is_no_failure(regenerate, tmp_path):
    readme(tmp_path, console("$ (exit 1)", "$ echo $?", "1"))
    assert regenerate.main(["--check"], tmp_path) == 0
    readme(tmp_path, console("$ (exit 1)", "$ echo $?", "2"))
    assert regenerate.main(["--check"], tmp_path) == 1


def test_regenerate__without_readme_is_status_2(regenerate, tmp_path, capsys):
    assert regenerate.main([], tmp_path) == 2
    assert "README.md" in capsys.readouterr().err
