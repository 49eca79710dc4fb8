"""No kernel counts an index from the end of an array: compiled, it would read what lies before the array."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import stressim

PLAYED = (
    "swedish",
    "german",
    "german-jokers n_jokers=6 joker_mode=named",
    "swedish-merge multi_card_play=run pile_play=whole",
    "swedish row_slots=8 multi_card_play=same_rank stack_target=either",
    "swedish restart_source=own_row win_call=required card_in_air_at_slap=lands",
    "swedish false_call_penalty=one_card late_card=penalty handicap_cards=-3 pile_view=absolute",
    "spit",
    "speed",
    "swedish n_players=3",
    "german n_players=4 centre_piles=6 stress_pairs=neighbours",
    "james-bond",
)

PLAY_WITH_CARE = """
import importlib
import sys

import numpy as np

from stressim.lowering import lower
from stressim.players import resolve_players
from stressim.rulesfile import load_rules


class Careful:
    def __init__(self, array):
        self.array = array
        self.shape = array.shape

    def checked(self, place):
        if any(number < 0 for number in (place if isinstance(place, tuple) else (place,))):
            raise IndexError(f"{place} counts from the end")
        return place

    def __getitem__(self, place):
        found = self.array[self.checked(place)]
        return Game(found) if "state" in (getattr(found, "dtype", np.dtype(int)).names or ()) else found

    def __setitem__(self, place, value):
        self.array[self.checked(place)] = value


class Game:
    def __init__(self, record):
        for name in record.dtype.names:
            value = getattr(record, name)
            setattr(self, name, Careful(value) if getattr(value, "shape", ()) else value)


for text in sys.argv[1:]:
    preset, *changes = text.split()
    rules = load_rules(preset, changes)
    play = importlib.import_module(rules.family.play_deals.__module__)
    make_game = play.make_game
    play.make_game = lambda *given, **named: Careful(make_game(*given, **named))
    for timing in ("human", "uniform"):
        lowered = lower(
            rules.options, resolve_players((), rules.options.n_players, rules.family.habits), timing
        )
        rows = np.zeros((3, len(rules.family.columns)), np.int64)
        try:
            play.play_deals(lowered, 5, 0, rows)
        except IndexError as error:
            sys.exit(f"{text} {timing}: {error}")
        assert rows[:, :5].sum() == 3
    play.make_game = make_game
print("all from the front")
"""


@pytest.mark.parametrize("half", range(2))
def test_indices__count_from_the_front(half: int) -> None:
    child = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAY_WITH_CARE, *PLAYED[half::2]],
        env={**os.environ, "PYTHONPATH": str(Path(stressim.__file__).parents[1]), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert child.stdout == "all from the front\n", child.stderr
