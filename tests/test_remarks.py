"""What is said beside differences: lengths that dead deals cut short, waits, precision, and variants that are none."""

from __future__ import annotations

import json
import re
from unittest.mock import ANY

import numpy as np
import pytest
from commanding import run_command
from made_up_deals import NAMES, SHEDDING, made_up_rows

from stressim.lowering import Lowered
from stressim.workbench.compare import Comparison, compare_variants
from stressim.workbench.quantiles import quantile_differences
from stressim.workbench.remarks import idle_options, is_same_game, same_game_text, wait_texts
from stressim.workbench.sweep import read_axis, run_sweep
from stressim.workbench.sweep_telling import render as render_sweep
from stressim.workbench.tables import comparison_dict
from stressim.workbench.telling import render
from stressim.workbench.variants import Given, make_variant, read_variants

DEAD = ("won", "win_1", "win_2", "deadlocked")


@pytest.fixture
def made_up_kernel(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[int, int]]:
    """Deals of which all are won but so many of a hundred: dead ones and stopped ones, by the value of ace."""
    ends = {"wrap": (0, 0), "low": (0, 0), "high": (0, 0)}

    def play(lowered: Lowered, seed: int, first: int, rows: np.ndarray) -> None:
        rows[:] = made_up_rows(len(rows), seed, first, won=1.0)
        ace = int(lowered.rules["ace"][0])
        dead, stopped = list(ends.values())[ace]
        part = (first + np.arange(len(rows))) % 100
        for name in DEAD:
            rows[part < dead + stopped, NAMES.index(name)] = 0
        rows[part < dead, NAMES.index("deadlocked")] = 1
        is_stopped = (dead <= part) & (part < dead + stopped)
        rows[is_stopped, NAMES.index("unfinished")] = 1
        rows[is_stopped, NAMES.index("length_us")] = 9_000_000_000
        rows[is_stopped, NAMES.index("moves")] = 5000
        if ace:
            rows[:, NAMES.index("stalls")] += 1 + part % (1 + ace)

    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play)
    return ends


def told(found: Comparison) -> str:
    return " ".join(" ".join(line.text for line in render(found)).split())


def compared(*texts: str, deals: int = 2000) -> Comparison:
    return compare_variants(read_variants(["swedish", *texts]), deals=deals)


# --- lengths


def test_compare__lengths_of_dead_deals_are_said_to_end_there(made_up_kernel: dict[str, tuple[int, int]]) -> None:
    made_up_kernel["wrap"], made_up_kernel["low"] = (90, 0), (0, 2)
    said = told(compared("ace=low"))

    assert "Dead and stopped deals count up to where they end: 2 of 100 of ace=low and 90 of 100 of swedish." in said


def test_compare__a_few_dead_deals_are_no_matter(made_up_kernel: dict[str, tuple[int, int]]) -> None:
    made_up_kernel["wrap"], made_up_kernel["low"] = (4, 0), (3, 1)

    assert "count up to where they end" not in told(compared("ace=low"))


def test_compare__quantiles_among_stopped_deals_have_no_difference(made_up_kernel: dict[str, tuple[int, int]]) -> None:
    made_up_kernel["low"] = (0, 10)
    found = compared("ace=low")
    rows = {
        match[1]: match[2].split()
        for line in render(found)
        if (match := re.match(r"   ((?:length_s|moves), [\w.]+) +(.*)", line.text))
    }
    last = next(one for one in quantile_differences(found)[0] if (one.metric.name, one.share) == ("moves", 0.95))

    assert rows["moves, 0.95"][1:] == [">5,000", "not", "known"]
    assert rows["length_s, 0.95"][1:] == [">9,000", "not", "known"]
    assert "%" in rows["length_s, median"]
    assert (last.difference, last.low, last.high, last.relative) == (None, None, None, None)
    assert comparison_dict(found)["against_reference"][0]["quantiles"]["moves"]["0.95"]["value"] is None
    assert "After > stands what a quantile is more than" in told(found)
    made_up_kernel["low"] = (0, 0)
    assert ">" not in told(compared("ace=low"))


# --- the same game


@pytest.mark.parametrize(
    ("rules", "change", "same"),
    [
        ("swedish", "ace=wrap", True),
        ("swedish", "ace=low", False),
        ("swedish", "1.speed=1", True),
        ("swedish", "1.speed=1.1", False),
        ("james-bond", "call_word=atlantis", True),
        ("james-bond", "handicap_player=2", False),
    ],
)
def test_is_same_game__of_what_no_deal_can_tell_apart(rules: str, change: str, same: bool) -> None:
    reference, variant = read_variants([rules, change])

    assert is_same_game(variant, reference) == same


def test_compare__a_variant_that_is_none_takes_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("compare", "swedish", "ace=wrap", "--timing", "uniform", "--deals", "50")
    status, said, _ = run_command(monkeypatch, capsys, *asked)

    assert status == 0
    assert "ace=wrap is swedish itself: the same rules and players, so no deal can differ." in " ".join(said.split())
    assert "no difference found" not in said
    assert "deals needed to tell" not in said
    assert "--robust" not in said
    assert len(said.splitlines()) < 9


def test_compare__one_of_several_variants_may_be_none() -> None:
    said = told(compare_variants(read_variants(["swedish", "ace=wrap", "ace=low"], timing="uniform"), deals=300))

    assert said.count("the same rules and players, so no deal can differ.") == 1
    assert "ace=low, beside swedish stalls more: " in said


def test_same_game__words_alone_may_differ() -> None:
    reference, variant = read_variants(["james-bond", "call_word=atlantis"])

    assert same_game_text(variant, reference) == (
        "call_word=atlantis differs from james-bond in words alone, so no deal can differ."
    )


@pytest.mark.parametrize(
    ("rules", "change", "timing", "lacking"),
    [
        ("james-bond", "swap_deadline_s=3", "human", {"swap_deadline_s": "deadlock_rule=swap_deadline"}),
        ("james-bond", "swap_deadline_s=3 call_word=atlantis 1.speed=1", "human", {"swap_deadline_s": ANY}),
        ("james-bond", "swap_deadline_s=3 1.speed=2", "human", {}),
        ("james-bond", "swap_deadline_s=3 deadlock_rule=swap_deadline", "human", {}),
        ("james-bond deadlock_rule=swap_deadline", "swap_deadline_s=3 deadlock_rule=none", "human", {}),
        ("james-bond deadlock_rule=swap_deadline", "swap_deadline_s=3", "human", {}),
        ("james-bond deadlock_rule=swap_deadline", "swap_deadline_s=3", "uniform", {"swap_deadline_s": "timing=human"}),
        ("swedish", "stress_share=all_but_first", "human", {"stress_share": "n_players!=2"}),
        ("swedish", "ace=wrap", "human", {}),
    ],
)
def test_idle_options__are_those_that_lack_what_they_need(
    rules: str, change: str, timing: str, lacking: dict[str, str]
) -> None:
    reference, variant = read_variants([rules, change], timing=timing)

    assert idle_options(variant, reference) == lacking


@pytest.mark.parametrize("form", ["text", "json"])
def test_compare__an_option_that_does_nothing_takes_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    asked = ("compare", "james-bond", "swap_deadline_s=3", "--timing", "uniform", "--deals", "50", "--format", form)
    status, said, _ = run_command(monkeypatch, capsys, *asked)

    assert status == 0
    if form == "json":
        told = json.loads(said)
        assert [variant["rules"]["swap_deadline_s"] for variant in told["variants"]] == [5, 3]
        found = told["against_reference"][0]["differences"].values()
        assert {(one["difference"], one["verdict"]) for one in found} == {(0, "no difference found")}
    else:
        sentence = "swap_deadline_s=3 changes nothing: swap_deadline_s counts only with timing=human."
        assert sentence in " ".join(said.split())
        assert len(said.splitlines()) < 9


def test_compare__a_change_that_never_comes_to_bear_takes_one_sentence() -> None:
    """Nobody declines to play, so that it does not matter who must agree."""
    given = read_variants(["german", "restart_consent=unilateral"])
    said = told(compare_variants(given, deals=40))

    assert idle_options(given[1], given[0]) == {}
    assert (
        "restart_consent=unilateral changes nothing here: not one of 40 deals ends otherwise than with german, or "
        "differs in anything that is counted."
    ) in said
    assert "no difference found" not in said
    assert "Differences are paired" not in said
    assert "--robust" in said  # slower players might feel it
    on = told(compare_variants(given, deals=40, on=("moves",)))
    assert "than with german, or differs in moves." in on


def test_sweep__says_of_an_option_that_does_nothing_without_what() -> None:
    given = Given(rules="james-bond", timing="uniform")
    points = run_sweep(given, [read_axis("touch_tie=random,redo")], deals=20)
    said = " ".join(" ".join(line.text for line in render_sweep(points)).split())

    assert " touch_tie counts only with timing=human. " in said


# --- one precision


def test_compare__the_references_number_is_written_alike_everywhere(
    made_up_kernel: dict[str, tuple[int, int]],
) -> None:
    """Beside one variant the number of stalls is known to a hundredth, beside the other to a tenth."""
    variants = read_variants(["swedish", "ace=low", "ace=high"])
    made_up_kernel["high"] = (0, 60)
    lines = [line.text for line in render(compare_variants(variants, deals=3000))]
    stated = [match[1] for line in lines if (match := re.search(r"length_s +more: \S+ against (\S+) s", line))]
    rows = [line.split()[1] for line in lines if re.match(r"   length_s  ", line)]

    assert len(rows) == 2
    assert len({*rows, *stated}) == 1


# --- waits


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([], []),
        (["deadlock_rule=redeal"], ["deadlock_rule=redeal applies after 10 s (deadlock_wait_s, a guess) without a"]),
        (
            ["deadlock_rule=most_complete_wins", "deadlock_wait_s=30"],
            ["deadlock_rule=most_complete_wins applies after 30 s (deadlock_wait_s) without a"],
        ),
        (
            ["deadlock_rule=swap_deadline"],
            ["deadlock_rule=swap_deadline sends a bunch back after 5 s (swap_deadline_s) without a"],
        ),
    ],
)
def test_wait_texts__say_how_long_and_whether_it_is_a_guess(changes: list[str], said: list[str]) -> None:
    variant = make_variant(Given(rules="james-bond").changed(changes))

    assert wait_texts([variant, variant]) == [f"{text} swap." for text in said]
    assert wait_texts([make_variant(Given(rules="james-bond", timing="uniform").changed(changes))]) == []


def test_compare__says_how_long_a_rule_waits() -> None:
    said = told(compare_variants(read_variants(["james-bond", "deadlock_rule=most_complete_wins"]), deals=40))

    assert "deadlock_rule=most_complete_wins applies after 10 s (deadlock_wait_s, a guess) without a swap." in said
