from __future__ import annotations

import subprocess
import sys

import pytest

import stressim


@pytest.mark.parametrize("name", stressim.__all__)
def test_public_names__are_there_and_explained(name):
    assert name in dir(stressim)
    assert name == "__version__" or getattr(stressim, name).__doc__


def test_public_names__cost_nothing_until_they_are_used():
    code = (
        "import sys, stressim; heavy = {'numpy', 'numba', 'pandas', 'matplotlib', 'pydantic'} & set(sys.modules);"
        "import stressim.simulate; assert callable(stressim.simulate) and stressim.simulate.__module__ != 'stressim';"
        "print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_public_names__an_unknown_one_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'simulated'"):
        _ = stressim.simulated


def test_results__draw_on_axes_of_the_user():
    from matplotlib.figure import Figure

    axes = Figure().subplots(2, 2).ravel()
    found = stressim.simulate("swedish", deals=300)
    assert found.plot(axes[0]) is axes[0]
    compared = stressim.compare("swedish", "ace=low", deals=300)
    swept = stressim.sweep("swedish", {"ace": ["wrap", "low"]}, deals=100)
    changed = stressim.effects("swedish", on="won", timing="uniform", deals=30)
    for place, one in enumerate((compared, swept, changed), start=1):
        assert one.plot(axes[place]) is axes[place]
        assert axes[place].get_xlabel()
    assert len(found.frame) > 30
    assert [repr(each) for each in (found, compared, swept)] == [
        "<swedish: 300 deals, human timing, seed 1>",
        "<swedish against swedish with ace=low: 300 deals each, seed 1>",
        "<swedish by ace: 2 points, 100 deals each, seed 1>",
    ]
    assert repr(changed).endswith(" changes of swedish ranked by won: 30 deals each, seed 1>")


def test_changes__are_given_as_mappings_or_texts():
    given = {"deals": 50, "timing": "uniform"}
    one = stressim.simulate("swedish", sets={"ace": "low", "merge_mandatory": True}, players={"2": "hunter"}, **given)
    other = stressim.simulate("swedish", sets=["ace=low", "merge_mandatory=true"], players=["2=hunter"], **given)
    assert one.estimates == other.estimates
    assert one.players[1].name == "adult+hunter"


def test_compare__sizes_that_do_not_matter():
    found = stressim.compare("swedish", "tie_window_ms=29", deals=2000, on=["stalls"], matter={"stalls": "20%"})
    assert found.difference("stalls").verdict == "too small to matter"


def test_find__wants_one_of_most_and_least():
    with pytest.raises(stressim.InputError, match="one of them"):
        stressim.find("swedish", deals=10)
