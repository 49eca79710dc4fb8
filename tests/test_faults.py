"""What people and programs get wrong, thousands of times: one clear sentence each, no traceback and no hang.

A table of what was tried is printed at the end of a test run.
"""

from __future__ import annotations

import json
import os
import random
import signal
import string
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_runfile import kept

from stressim import asserts, runfile, targets
from stressim.cli import cli
from stressim.errors import InputError
from stressim.family import family_named
from stressim.players import resolve_players
from stressim.report.study import read_study
from stressim.rulesfile import load_rules

SHEDDING = family_named("shedding")
ROOT = Path(__file__).parents[1]
RULES_FILES = [path.read_bytes() for path in sorted(ROOT.glob("stressim/*/presets/*.toml"))]
BAD_RULES = [path.read_bytes() for path in sorted((ROOT / "tests/bad_rules").glob("*.toml"))]
STUDY_FILES = [path.read_bytes() for path in sorted(ROOT.glob("reports/*.toml"))]
PLAYER_FILES = [path.read_bytes() for path in sorted(ROOT.glob("stressim/players/presets/*.toml"))]

# What breaks parsers: nesting, lengths, numbers out of every range, characters that are none, and keys that look like
# parts of a program.
HOSTILE = [
    b"[" * 3000, b"a = " + b"[" * 3000 + b"]" * 3000, b"a." * 3000 + b"b = 1", b"\xff\xfe", b"\x00", b"\xef\xbb\xbf",
    b"= 1", b"a = 1\na = 2", b'row_slots = "' + b"9" * 9000 + b'"', b"row_slots = " + b"9" * 9000, b"row_slots = 1e999",
    b"tie_window_ms = nan", b"tie_window_ms = -inf", b"ace = {}", b"ace = []", b"ace = 1979-05-27", b"extends = 3",
    b'extends = "../../../../etc/passwd"', b'extends = "/dev/zero"', b'extends = "/proc/self/environ"', b'family = ""',
    b'family = "os"', b'family = "__class__"', b'title = "' + "\u202e\u0007\u001b[31m".encode() + b'"',
    b'__class__ = "x"', b'ranks = "{0.__class__}"', b'deck_ranks = "' + b"A " * 9000 + b'"', b"deck_copies = 1000000",
    b"row_slots = 1000000", b"n_players = 0", b"n_jokers = -1", b'"" = ""', b"'''", b'"""', b"#" * 9000,
]  # fmt: skip


def mangled(chance: random.Random, texts: list[bytes]) -> bytes:
    """A real file with something wrong in it, or two of them mixed."""
    text = bytearray(chance.choice(texts))
    for _ in range(chance.choice((1, 1, 1, 2, 5, 30))):
        place = chance.randrange(len(text) + 1)
        length = chance.choice((1, 1, 2, 8, 60))
        kind = chance.randrange(7)
        if kind == 0:
            del text[place : place + length]
        elif kind == 1:
            text[place:place] = chance.choice(HOSTILE)
        elif kind == 2:
            text[place : place + length] = bytes(chance.randrange(256) for _ in range(length))
        elif kind == 3:
            text[place:place] = text[chance.randrange(len(text) + 1) :][:length]
        elif kind == 4:
            other = chance.choice(texts)
            text[place:] = other[chance.randrange(len(other) + 1) :]
        elif kind == 5:
            text[place : place + length] = chance.choice(string.printable).encode() * length
        else:
            text[place:place] = b"\n" + chance.choice(HOSTILE) + b"\n"
    return bytes(text)


def words(chance: random.Random) -> str:
    """Something typed wrongly after an option."""
    names = ["stalls", "stalled", "length_s", "ace", "row_slots", "1.speed", "2", "all.notice_base", "player", ""]
    signs = ["=", "<", ">=", "±", ".", ",", ":", "+", " ", "==", "%", "(", ")", "-"]
    values = ["low", "wrap", "9" * 400, "1e400", "nan", "-inf", "0", "-1", "fixed(", "lognormal(1,2)", "\udcff", "\x00"]
    values += ["exgaussian(1,2,3)", "empirical(/etc/passwd)", "empirical(/dev/zero)", "senior", "exprt", "٣", "½", "𝟗"]
    return "".join(chance.choice(chance.choice((names, signs, values))) for _ in range(chance.randrange(1, 7)))


@pytest.fixture
def tried(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Iterator[list[str]]:
    """Collects how each input ended, for the table."""
    ended: list[str] = []
    yield ended
    record_property("faults", (len(ended), ended.count("refused")))


def end_of(call: Callable[[], object]) -> str:
    """How a call ends; anything but a result or a sentence fails the test."""
    try:
        call()
    except InputError as error:
        text = str(error)
        assert text
        assert "\n" not in text
        assert text.isprintable(), ascii(text)
        assert len(text) < 1000
        return "refused"
    return "accepted"


def test_faults__rules_files(tmp_path: Path, tried: list[str]) -> None:
    chance = random.Random(1)
    path = tmp_path / "rules.toml"
    for content in [*HOSTILE, *(mangled(chance, RULES_FILES + BAD_RULES) for _ in range(9_000))]:
        path.write_bytes(content)
        tried.append(end_of(lambda: load_rules(str(path))))
    assert tried.count("refused") > 5_000
    assert tried.count("accepted") > 100
    assert [path.name for path in tmp_path.iterdir()] == ["rules.toml"]


def test_faults__player_files(tmp_path: Path, tried: list[str]) -> None:
    chance = random.Random(2)
    path = tmp_path / "player.toml"
    habits = load_rules("swedish").family.habits
    for content in [*HOSTILE, *(mangled(chance, PLAYER_FILES) for _ in range(3_000))]:
        path.write_bytes(content)
        tried.append(end_of(lambda: resolve_players([f"1={path}"], 2, habits)))
    assert tried.count("refused") > 1_000


def test_faults__study_files(tmp_path: Path, tried: list[str]) -> None:
    chance = random.Random(6)
    path = tmp_path / "study.toml"
    for content in [*HOSTILE, *(mangled(chance, STUDY_FILES) for _ in range(2_000))]:
        path.write_bytes(content)
        tried.append(end_of(lambda: read_study(path)))
    assert tried.count("refused") > 500


def test_faults__run_files(tmp_path: Path, tried: list[str]) -> None:
    chance = random.Random(3)
    path = tmp_path / "a.run"
    whole = kept(path).encode()
    numbers = [b"-1", b"1e999", b"9" * 5000, b"null", b"[[[[", b'"\\ud800"', b"{}", b"0.5", b"NaN", b"true"]
    contents = [mangled(chance, [whole]) for _ in range(2_000)]
    for _ in range(2_000):
        # One value another, and the checksum made for it.
        content = json.loads(whole)
        part = chance.choice(
            [content["tally"], content["tally"]["sums"], content["tally"]["counts"], content["manifest"]]
        )
        part[chance.choice(list(part))] = chance.choice([None, -1, 10**40, 0.5, "x", [], {}, [[]], True, [-1], 2**63])
        content["sha256"] = runfile._checksum(content["manifest"], content["tally"], content["matches"])
        contents.append(json.dumps(content).encode())
    contents += [whole.replace(b'"n_deals":600', b'"n_deals":' + number) for number in numbers]
    for content in contents:
        path.write_bytes(content)
        tried.append(end_of(lambda: runfile.read(path)))
    assert tried.count("refused") > 3_000


def test_faults__words_on_the_command_line(tried: list[str]) -> None:
    chance = random.Random(4)
    habits = load_rules("swedish").family.habits
    for _ in range(4_000):
        text = words(chance)
        for call in (
            lambda text=text: load_rules("swedish", sets=(text,)),
            lambda text=text: resolve_players((text,), 2, habits),
            lambda text=text: asserts.parse(text, SHEDDING, clock=True),
            lambda text=text: targets.parse(text, SHEDDING, clock=True),
        ):
            tried.append(end_of(call))
    assert tried.count("refused") > 12_000


@pytest.mark.parametrize(
    "arguments",
    [
        ["--deals", "0"], ["--deals", "-1"], ["--deals", "1e18"], ["--deals", "10" * 40], ["--deals", "1.5"],
        ["--seed", "-1"], ["--seed", "1e20"], ["--jobs", "0"], ["--jobs", "1e6"], ["--players", "1000000"],
        ["--set", "row_slots=1000000"], ["--set", "deck=custom", "--set", "deck_ranks=1", "--set", "deck_copies=1"],
        ["--set", "deck=custom", "--set", "deck_ranks=1", "--set", "deck_copies=1000000"], ["--confidence", "1"],
        ["--confidence", "nan"], ["--player", "1.speed=0"], ["--player", "1.speed=1e300"], ["--player", "3=adult"],
        ["--max-time", "-1"], ["--until", "stalls=0"], ["--plot", "x.exe"], ["--scheduler", "no such place"],
    ],
)  # fmt: skip
def test_faults__absurd_numbers(arguments: list[str], tried: list[str]) -> None:
    found = CliRunner().invoke(cli, ["simulate", "swedish", *arguments], standalone_mode=False)
    assert isinstance(found.exception, InputError) or type(found.exception).__module__.startswith("click"), found
    assert len(str(found.exception)) < 400
    tried.append("refused")


def stressim(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "stressim", *arguments], capture_output=True, text=True, check=False, **options
    )


@pytest.mark.parametrize("after", [0.0, 0.15, 0.4, 0.8, 1.3, 2.0])
def test_faults__ctrl_c_in_every_phase(after: float, tmp_path: Path, tried: list[str]) -> None:
    """While it imports, reads, compiles or loads, plays, and draws: status 130 and one sentence, or a whole result."""
    process = subprocess.Popen(
        [sys.executable, "-m", "stressim", "simulate", "swedish", "--deals", "1e9", "--out", str(tmp_path / "a.run")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=60)
    # Before the first line of ours runs, it is Python that ends.
    assert "Traceback" not in said or after < 0.1
    if "Traceback" not in said and process.returncode != -signal.SIGINT:
        assert process.returncode == 130
        assert said.startswith("stressim: stopped")
        assert said.count("\n") == 1
        assert (printed != "") == (tmp_path / "a.run").exists()
    assert not [path for path in tmp_path.iterdir() if path.name != "a.run"]
    tried.append("refused")


@pytest.mark.parametrize("command", [["rules", "list"], ["metrics", "list"], ["replay", "swedish", "--deal", "3"]])
def test_faults__a_reader_that_goes(command: list[str]) -> None:
    shell = f"{sys.executable} -m stressim {' '.join(command)} | head -1"
    found = subprocess.run(["bash", "-c", f"set -o pipefail; {shell}"], capture_output=True, text=True, check=False)
    assert found.stderr == ""
    assert found.returncode == 0


def test_faults__no_home_and_a_package_that_is_read_only(tmp_path: Path) -> None:
    """Compiled code goes where it can, and where it can go nowhere the run goes on without."""
    nowhere = {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent", "PATH": os.environ["PATH"]}
    found = stressim("rules", "check", "swedish", env=nowhere)
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_faults__a_full_disk() -> None:
    with Path("/dev/full").open("w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "stressim", "simulate", "swedish", "--timing", "uniform", "--deals", "500"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert found.returncode == 2
    assert found.stderr == ("stressim: the result could not be written to standard output: No space left on device\n")


def test_faults__a_clock_that_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wall-clock time back or forth changes nothing: lengths of runs come from a clock that only rises."""
    chance = random.Random(5)
    monkeypatch.setattr(time, "time", lambda: chance.uniform(-1e12, 1e12))
    arguments = ["simulate", "swedish", "--timing", "uniform", "--deals", "2000", "--max-time", "60"]
    found = CliRunner().invoke(cli, [*arguments, "--format", "json"], standalone_mode=False)
    assert json.loads(found.stdout)["deals"] == 2000


def test_faults__a_rules_file_names_no_other_file(tmp_path: Path) -> None:
    """``extends`` reads rules of the package or beside the file, and what is read there is never shown."""
    secret = tmp_path / "secret.txt"
    secret.write_text("password = 'hunter2'\n")
    folder = tmp_path / "rules"
    folder.mkdir()
    for name in (str(secret), "../secret.txt", "../secret", f"file://{secret}"):
        (folder / "a.toml").write_text(f'extends = "{name}"\n')
        with pytest.raises(InputError) as refused:
            load_rules(str(folder / "a.toml"))
        assert "hunter2" not in str(refused.value)
