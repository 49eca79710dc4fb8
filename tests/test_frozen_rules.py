"""Kernels for the usual rules alone play as those for all rules."""

from __future__ import annotations

import numpy as np
import pytest

from stressim.compiled.frozen import frozen_mark
from stressim.compiled.native import JIT
from stressim.lowering import lower
from stressim.players import resolve_players
from stressim.presets import preset_names
from stressim.rulesfile import load_rules
from stressim.shedding import play

DEALS = 2000


def lowered(preset, *changes, timing="human"):
    rules = load_rules(preset, changes)
    return lower(rules.options, resolve_players((), 2, rules.family.habits), timing)


def rows(what, seed=3):
    played = np.zeros((DEALS, len(play.COLUMNS)), dtype=np.int64)
    play.play_deals(what, seed, 0, played)
    return played


def is_usual(what) -> bool:
    return frozen_mark(play.USUAL) in play._game(what).dtype["rules"].names


@pytest.mark.skipif(not JIT, reason="without compiling there is one kernel")
@pytest.mark.parametrize("timing", ["human", "uniform"])
@pytest.mark.parametrize("preset", ["swedish", "german"])
def test_usual_rules__play_as_among_all_rules(monkeypatch, preset, timing) -> None:
    what = lowered(preset, timing=timing)
    of_the_usual = rows(what)
    assert is_usual(what)
    monkeypatch.setattr(play, "USUAL", {"n_jokers": 99})
    assert not is_usual(what)

    assert np.array_equal(of_the_usual, rows(what))


@pytest.mark.skipif(not JIT, reason="without compiling there is one kernel")
def test_unusual_rules__between_usual_ones_are_played_by_their_own_kernel() -> None:
    usual, unusual = lowered("swedish"), lowered("swedish", "win_call=required")
    before = rows(usual)

    assert not np.array_equal(rows(unusual), before)
    assert np.array_equal(rows(usual), before)


@pytest.mark.parametrize(("name", "value"), sorted(play.USUAL.items()))
def test_usual_rules__are_the_lowered_rules_of_presets(name, value) -> None:
    """Each is an option's lowered name, and the value that most shedding presets have."""
    loaded = [load_rules(preset) for preset in preset_names()]
    values = [int(lowered(rules.name).rules[name][0]) for rules in loaded if rules.family.name == "shedding"]

    assert 2 * values.count(int(value)) > len(values)


def test_usual_rules__any_other_value_is_not_usual() -> None:
    what = lowered("swedish")
    assert is_usual(what)
    for name, value in play.USUAL.items():
        what.rules[name][0] = value + 1
        assert not is_usual(what)
        what.rules[name][0] = value


def test_frozen_mark__tells_values_apart() -> None:
    marks = {frozen_mark(values) for values in ({}, {"a": 1}, {"a": 2}, {"b": 1}, {"a": 1, "b": 1})}

    assert len(marks) == 5
    assert frozen_mark({"a": 1, "b": 2}) == frozen_mark({"b": 2, "a": True})
