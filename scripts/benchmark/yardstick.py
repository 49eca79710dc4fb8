"""The yardstick: the shedding kernel in plain C, for the rules that ``swedish`` and ``german`` use.

It plays the same deals from the same streams as the compiled kernels, to the last column, and so says how fast this
machine can play them.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stressim.lowering import Lowered

SOURCES = Path(__file__).parent / "yardstick"
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=c11", "-O3", "-march=native", "-shared", "-fPIC")

# Rules that the C knows with more than one value, by their numbers; every other rule must be as in the preset swedish.
_CHOICES = {
    "deal_mode": (0, 1),
    "ace": (0, 1),
    "refill_policy": (0, 1),
    "stock_location": (0, 1),
    "late_card": (0, 1),
    "one_hand_only": (0, 1),
    "one_card_at_a_time": (0, 1),
    "restart_trigger": (0, 1),
    "restart_empty_stock": (0, 2),
    "post_stress_empty_stock": (0, 3),
    "pickup_placement": (0, 1),
}
_SIGNALS = ((2, 1), (1, 3))  # stress_signal and slap_target: either pile is slapped, or a shout is enough
_NUMBERS = {
    *("n_ranks", "n_copies_total", "n_cards", "cards_each", "cards_dealt", "deck", "deck_copies", "n_decks"),
    *("tie_window_us", "tie_window_same_pile_us", "reflexes", "has_ace", "own_decks", "side_pile_cards", "taken_card"),
}
_MOST_CARDS = 256


class Unsuitable(ValueError):
    """The yardstick does not know these rules or habits."""


def compiler() -> str | None:
    """Return the path of a C compiler, or None if there is none."""
    return next((path for name in COMPILERS if (path := shutil.which(name))), None)


def compiler_version(path: str) -> str:
    """Return the first line of what a compiler says of itself."""
    said = subprocess.run([path, "--version"], check=True, capture_output=True, text=True).stdout
    return said.splitlines()[0]


class Yardstick:
    """The compiled C.

    Parameters
    ----------
    folder
        Where the library is built.
    path
        A C compiler.

    Attributes
    ----------
    compile_s
        Seconds that the compiler took.
    """

    def __init__(self, folder: Path, path: str) -> None:
        library = folder / "yardstick.so"
        begin = time.perf_counter()
        subprocess.run([path, *FLAGS, "-o", library, SOURCES / "yardstick.c", "-lm"], check=True)
        self.compile_s = time.perf_counter() - begin
        self._play = ctypes.CDLL(str(library)).play_deals
        self._play.restype = ctypes.c_int64
        source = (SOURCES / "game.h").read_text(encoding="utf-8")
        self._rules, self._person, row = (_fields(source, name) for name in ("rules", "person", "row"))
        self.n_columns = sum(int(re.sub(r"\D", "", name) or 1) for name in row)

    def play_deals(self, lowered: Lowered, seed: int, first: int, rows: npt.NDArray[np.int64]) -> int:
        """Play deals as :func:`stressim.shedding.play.play_deals` does.

        Returns
        -------
        int
            How many events there were; without a clock, plays and flips.

        Raises
        ------
        Unsuitable
            If rules or habits are not among those that the C knows.
        """
        check(lowered)
        if rows.shape[1] != self.n_columns or not rows.flags.c_contiguous:
            raise Unsuitable(f"rows of {rows.shape[1]} columns; the C writes {self.n_columns}")
        rules = _copied(lowered.rules, self._rules)
        players = _copied(lowered.players, self._person)
        tables = np.ascontiguousarray(lowered.tables)
        n_events: int = self._play(
            rules.ctypes.data_as(ctypes.c_void_p),
            players.ctypes.data_as(ctypes.c_void_p),
            tables.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_int64(tables.shape[1]),
            ctypes.c_int64(lowered.uniform),
            ctypes.c_uint64(seed),
            ctypes.c_uint64(first),
            ctypes.c_int64(len(rows)),
            rows.ctypes.data_as(ctypes.c_void_p),
        )
        return n_events


def check(lowered: Lowered) -> None:
    """Refuse rules and habits that the C does not know.

    Raises
    ------
    Unsuitable
        Which names the first of them.
    """
    usual = _usual()
    names = lowered.rules.dtype.names or ()
    if names != usual.rules.dtype.names:
        raise Unsuitable("rules of another family")
    rules = {name: int(lowered.rules[name][0]) for name in names}
    if (rules.pop("stress_signal"), rules.pop("slap_target")) not in _SIGNALS:
        raise Unsuitable("stress_signal and slap_target together")
    if rules["n_cards"] > _MOST_CARDS or rules["n_ranks"] > 13:
        raise Unsuitable("n_cards or n_ranks")
    for name, value in rules.items():
        if name not in _NUMBERS and value not in _CHOICES.get(name, (int(usual.rules[name][0]),)):
            raise Unsuitable(f"{name}={value}")
    if (lowered.players["card_choice"] != usual.players["card_choice"][0]).any():
        raise Unsuitable("card_choice")


def _usual() -> Lowered:
    from stressim.lowering import lower
    from stressim.players import resolve_players
    from stressim.rulesfile import load_rules

    rules = load_rules("swedish")
    return lower(rules.options, resolve_players((), 2, rules.family.habits))


def _fields(source: str, struct: str) -> list[str]:
    """Names of the int64 fields of a struct, in order."""
    found = re.search(rf"struct {struct} {{(.*?)}};", source, re.DOTALL)
    assert found, f"game.h declares no struct {struct}"
    body = re.sub(r"/\*.*?\*/", "", found[1], flags=re.DOTALL)
    return [name.strip() for line in re.findall(r"int64_t ([^;]*);", body) for name in line.split(",")]


def _copied(record: np.ndarray, names: list[str]) -> npt.NDArray[np.int64]:
    """Copy the named fields of a lowered record to an array with one row for each element."""
    return np.ascontiguousarray(np.stack([record[name] for name in names], axis=1).astype(np.int64))
