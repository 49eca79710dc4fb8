"""Everything that can be wrong with rules is one sentence on stderr and status 2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stressim.__main__ import main
from stressim.errors import InputError
from stressim.rulesfile import MAX_CHAIN, load_rules
from stressim.workbench.variants import Given

BAD_RULES = sorted((Path(__file__).parent / "bad_rules").glob("*.toml"))

# A change of the preset swedish, and what must be said about it.
BAD_SETS = [
    ("", "must be OPTION=VALUE"),
    ("ace", "--set ace: must be OPTION=VALUE"),
    ("=low", "must be OPTION=VALUE"),
    ("ace=", "ace = '' must be wrap, low or high"),
    ("ace=lw", "did you mean 'low'"),
    ("ace=low=high", "ace = 'low=high' must be"),
    ("ace=l\now", "ace = 'l\\now' must be"),
    ("ace\n=lw", "ace = 'lw' must be"),
    ("ace=\udcff", "ace = '\\udcff' must be"),
    ("ace=1", "ace = '1' must be"),
    ("row_slot=3", "did you mean 'row_slots'"),
    ("Row_Slots=3", "did you mean 'row_slots'"),
    ("x" * 9000 + "=3", "is no option"),
    ("row_slots=three", "row_slots = 'three' must be a whole number from 1 to 8"),
    ("row_slots=3.0", "row_slots = '3.0' must be a whole number"),
    ("row_slots=1e0", "row_slots = '1e0' must be a whole number"),
    ("row_slots=true", "row_slots = 'true' must be a whole number"),
    ("row_slots=0x3", "row_slots = '0x3' must be a whole number"),
    ("row-slots=0", "row_slots = '0' must be a whole number from 1 to 8"),
    ("row_slots=" + "9" * 5000, "must be a whole number from 1 to 8"),
    ("n_jokers=-2", "n_jokers = '-2' must be a whole number from 0 to 16"),
    ("n_players=5", "n_players = '5' must be a whole number from 2 to 4"),
    ("tie_window_ms=nan", "tie_window_ms = 'nan' must be a number from 0 to 10000"),
    ("tie_window_ms=-inf", "tie_window_ms = '-inf' must be a number"),
    ("tie_window_ms=-1", "tie_window_ms = '-1' must be a number"),
    ("tie_window_ms=1e400", "tie_window_ms = '1e400' must be a number"),
    ("tie_window_ms=30,5", "tie_window_ms = '30,5' must be a number"),
    ("merge_mandatory=maybe", "merge_mandatory = 'maybe' must be true or false"),
    ("merge_mandatory=1", "merge_mandatory = '1' must be true or false"),
    ("family=shedding", "family is no option"),
    ("title=Ours", "title is no option"),
    ("extends=german", "extends is no option"),
    ("deck=tarot", "deck = 'tarot' must be french52, jass36, skat32, doppelkopf48 or custom"),
    ("deck=custom", "swedish with --set deck=custom: deck=custom needs deck_ranks"),
    ("deck_ranks=9", "deck_ranks='9' goes with deck=custom"),
    ("n_jokers=1", "53 cards do not come out even"),
    ("stress_signal=shout", "stress_signal=shout and slap_target=any_pile do not go together"),
]


def sentence(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the console entry; check the form of its complaint, and return it."""
    before = sorted(Path.cwd().rglob("*"))
    monkeypatch.setattr(sys, "argv", ["stressim", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert ended.value.code == 2
    assert out == ""
    assert err.startswith("stressim: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert len(err) < 700
    assert err[:-1].isprintable()
    assert sorted(Path.cwd().rglob("*")) == before
    return err


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("path", BAD_RULES, ids=lambda path: path.stem)
def test_rules_check__bad_file_is_one_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    says = first.removeprefix("# says: ").split(" | ")

    err = sentence(["rules", "check", str(path)], monkeypatch, capsys)

    assert first.startswith("# says: ")
    assert [part for part in says if part not in err] == []
    assert path.name in err


@pytest.mark.parametrize(("text", "says"), BAD_SETS, ids=[repr(text[:30]) for text, _ in BAD_SETS])
def test_rules_show__bad_change_is_one_sentence(
    text: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    err = sentence(["rules", "show", "swedish", "--set", text], monkeypatch, capsys)

    assert says in err
    assert "--set" in err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "names no family"),
        (b"\x89PNG\r\n\x1a\n\0\0", "is no UTF-8 text (byte 1)"),
        (b"family\0 = 1", "is a binary file"),
        ('title = "Vår"'.encode("latin-1"), "is no UTF-8 text (byte 11)"),
        ('family = "shedding"'.encode("utf-16"), "is no UTF-8 text (byte 1)"),
        (b"#" * 1_000_001, "is larger than 1,000,000 bytes"),
    ],
    ids=["empty", "picture", "null", "latin-1", "utf-16", "large"],
)
def test_rules_check__bad_bytes_are_one_sentence(
    content: bytes, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "house.toml").write_bytes(content)

    assert says in sentence(["rules", "check", "house.toml"], monkeypatch, capsys)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("swedisch", "'swedisch' is no preset and no file; did you mean 'swedish'"),
        ("qqqq", "'qqqq' is no preset and no file: presets are doppelkopf, german"),
        ("house.toml", "'house.toml' does not exist"),
        ("swedish.toml", "'swedish.toml' does not exist; did you mean 'swedish'"),
        ("no/such/house", "'no/such/house' does not exist"),
        (".", "'.' is a folder"),
        ("", "no rules are named"),
        (os.devnull, "is no ordinary file"),
        ("x" * 9000, "cannot be read"),
        ("line\nbreak", "'line\\nbreak' is no preset"),
    ],
)
def test_rules_check__missing_file_is_one_sentence(
    given: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in sentence(["rules", "check", given], monkeypatch, capsys)


def test_rules_check__pipe_is_refused_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert "is no ordinary file" in sentence(["rules", "check", "pipe"], monkeypatch, capsys)


def test_load_rules__chain_of_files_too_long(tmp_path: Path) -> None:
    (tmp_path / "0.toml").write_text('family = "shedding"\n')
    for number in range(1, MAX_CHAIN + 1):
        (tmp_path / f"{number}.toml").write_text(f'extends = "{number - 1}.toml"\n')

    assert load_rules(tmp_path / f"{MAX_CHAIN - 1}.toml").changed == {}
    with pytest.raises(InputError, match=f"chain of more than {MAX_CHAIN} files"):
        load_rules(tmp_path / f"{MAX_CHAIN}.toml")


def test_load_rules__a_file_whose_name_has_a_line_break(tmp_path: Path) -> None:
    path = tmp_path / "a\nb.toml"
    path.write_text("ace = 3\n")

    with pytest.raises(InputError) as refused:
        load_rules(path)

    assert "\n" not in str(refused.value)


def test_load_rules__number_of_players_not_possible() -> None:
    with pytest.raises(InputError, match=r"^--players 5: n_players = '5' must be a whole number from 2 to 4$"):
        load_rules("swedish", n_players=5)


def test_load_rules__the_extended_file_is_blamed_for_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('family = "shedding"\nace = "lw"\n')
    (tmp_path / "house.toml").write_text('extends = "base.toml"\nace = "low"\n')

    with pytest.raises(InputError) as refused:
        load_rules(tmp_path / "house.toml")

    assert str(refused.value).startswith(f"{tmp_path / 'base.toml'}: ace = 'lw' must be")


def test_load_rules__file_is_blamed_for_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('extends = "german"\nn_jokers = 1\n')

    with pytest.raises(InputError) as refused:
        load_rules(path, sets=["ace=low"])

    assert str(refused.value).startswith(f"{path}: n_jokers=1 ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rules", "show", "swedish", "row_slot"], "did you mean 'row_slots'"),
        (["rules", "show", "swedish", "ace", "--words"], "leave out --long and names of options"),
        (["rules", "show", "swedish", "--long", "--words"], "leave out --long and names of options"),
        (["rules", "show"], "Missing argument 'RULES'"),
        (["rules", "shw"], "No such command 'shw'"),
        (["rules", "diff", "swedish", "germn"], "did you mean 'german'"),
        (["rules", "schema", "sheding"], "did you mean 'shedding'"),
    ],
)
def test_rules_commands__bad_arguments_are_one_sentence(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in sentence(arguments, monkeypatch, capsys)


def test_console_script__bad_rules_end_with_status_2() -> None:
    bad = BAD_RULES[0]

    run = subprocess.run(
        [sys.executable, "-m", "stressim", "rules", "check", str(bad)], capture_output=True, text=True, check=False
    )

    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("stressim: ")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "swedish"],
        ["compare", "swedish", "norwegian"],
        ["find", "swedish", "--most", "stalls"],
        ["replay", "swedish"],
        ["tournament", "swedish"],
        ["exact", "swedish"],
        ["rules", "show", "swedish"],
    ],
)
def test_set__one_option_twice_is_one_sentence(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    err = sentence([*arguments, "--set", "row-slots=3", "--set", "row_slots=5"], monkeypatch, capsys)
    assert "row_slots is given twice, as row-slots=3 and as row_slots=5" in err


def test_set__twice_in_one_variant_is_refused_and_a_variant_replaces_what_is_common(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    err = sentence(["compare", "swedish", "ace=low ace=high"], monkeypatch, capsys)
    assert "'ace=low ace=high': ace is given twice" in err
    changed = Given(rules="swedish", sets=("ace=low", "row_slots=3")).changed(["ace=high", "2=senior"])
    assert (changed.sets, changed.players) == (("row_slots=3", "ace=high"), ("2=senior",))


def test_players__given_as_a_change_too_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    err = sentence(["simulate", "swedish", "--players", "3", "--set", "n_players=4"], monkeypatch, capsys)
    assert "--players 3 and --set n_players=4 say the same thing" in err
