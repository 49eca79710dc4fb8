"""Every option, habit and time that is not cosmetic changes something; a cosmetic one changes words only."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from option_differences import HABITS, HANDLES, NOT_FOR_THIS_GAME, RULES, TIMES, Places
from playing import FAMILY, lowered_of, play

from stressim.lowering import Lowered
from stressim.options import Choice
from stressim.players import player
from stressim.players.timing import Timing, declared
from stressim.replay import replay_text
from stressim.rulesfile import load_rules
from stressim.shedding.habits import SheddingHabits
from stressim.shedding.rules import SheddingRules

DEALS = 3000
TIMING_WORDS = ("uniform", "human")


def cases(table: dict[str, Places]) -> list[tuple[str, str, str]]:
    return [(name, value, place) for name, places in table.items() for value, place in places.items()]


def lowered_at(place: str, change: str = "", seat: str = "") -> Lowered:
    """Lower a place of the table; a rule's or, with ``seat``, a player's change may be added."""
    words = place.split()
    timing = next((word for word in words if word in TIMING_WORDS), "human")
    # "!name": the value cannot stand alone, so this option changes along with it.
    left_out = {word[1:] for word in words if word.startswith("!") and not change}
    given = [word for word in words if "=" in word and word.partition("=")[0] not in left_out]
    sets = [word for word in given if "." not in word.partition("=")[0]]
    players = [word for word in given if "." in word.partition("=")[0]]
    if change:
        (players if seat else sets).append(f"{seat}.{change}" if seat else change)
    return lowered_of("swedish", sets, players, timing)


def differ(one: Lowered, other: Lowered) -> bool:
    """Whether some column of some deal differs."""
    for first in range(0, DEALS, 500):
        if not np.array_equal(play(one, 500, first=first), play(other, 500, first=first)):
            return True
    return False


@pytest.mark.parametrize(("name", "value", "place"), cases(RULES))
def test_rule__changes_deals(name: str, value: str, place: str) -> None:
    assert differ(lowered_at(place), lowered_at(place, f"{name}={value}"))


@pytest.mark.parametrize(("name", "value", "place"), cases(HABITS))
def test_habit__changes_deals(name: str, value: str, place: str) -> None:
    assert differ(lowered_at(place), lowered_at(place, f"{name}={value}", seat="1"))


@pytest.mark.parametrize(("name", "value", "place"), cases(TIMES))
def test_time__changes_deals(name: str, value: str, place: str) -> None:
    assert differ(lowered_at(place), lowered_at(place, f"{name}={value}", seat="2"))


@pytest.mark.parametrize(("name", "value", "place"), cases(HANDLES))
def test_handle__changes_deals(name: str, value: str, place: str) -> None:
    assert differ(lowered_at(place), lowered_at(place, f"{name}={value}", seat="1"))


@pytest.mark.parametrize("setting", ["german-stack", "norwegian", "jass"])
def test_uniform__players_are_all_alike(setting: str) -> None:
    """Without a clock only the choice of a pile is left to a player, and these rules leave none."""
    players = ["1=expert+hunter", "2=child-8", "2.pile_choice=left", "all.decline=0.5", "all.merged_play=single"]
    assert not differ(lowered_of(setting), lowered_of(setting, players=players))


def several(table: dict[str, Places]) -> list[str]:
    return [name for name, places in table.items() if len(places) > 1]


@pytest.mark.parametrize("name", several(RULES))
def test_rule__values_differ_from_one_another(name: str) -> None:
    for (one, place), (other, other_place) in combinations(RULES[name].items(), 2):
        if "!" in place + other_place:
            continue
        here = " ".join(dict.fromkeys(f"{place} {other_place}".split()))
        assert differ(lowered_at(here, f"{name}={one}"), lowered_at(here, f"{name}={other}")), f"{one} is {other}"


@pytest.mark.parametrize("name", several(HABITS))
def test_habit__values_differ_from_one_another(name: str) -> None:
    for (one, place), (other, _) in combinations(HABITS[name].items(), 2):
        assert differ(lowered_at(place, f"{name}={one}", "1"), lowered_at(place, f"{name}={other}", "1")), (
            f"{one} is {other}"
        )


# --- nothing is left out --------------------------------------------------------------------------------------------


def marked(model: type, mark: str) -> set[str]:
    return {name for name, field in model.model_fields.items() if declared(field).get(mark)}  # type: ignore[attr-defined]


def cosmetic(model: type) -> set[str]:
    return marked(model, "cosmetic")


def test_table__has_every_rule() -> None:
    """Apart from the number of players, which is two, and from what deals are made into."""
    others = {"n_players"} | cosmetic(SheddingRules) | marked(SheddingRules, "match")
    assert set(RULES) | others == set(SheddingRules.model_fields)
    assert not set(RULES) & cosmetic(SheddingRules)


def test_table__has_every_habit_time_and_handle() -> None:
    assert set(HABITS) == set(SheddingHabits.model_fields)
    assert set(TIMES) | NOT_FOR_THIS_GAME == set(Timing.model_fields)
    assert not set(TIMES) & NOT_FOR_THIS_GAME
    assert set(HANDLES) == set(player.HANDLES)


def test_table__has_every_value_of_a_choice() -> None:
    """The default is what the others are compared with, so it needs no entry."""
    for model, table in ((SheddingRules, RULES), (SheddingHabits, HABITS)):
        for name, places in table.items():
            kind = model.model_fields[name].annotation
            if isinstance(kind, type) and issubclass(kind, Choice):
                default = getattr(model(), name).word
                assert set(kind.words()) - set(places) == {default}, name


# --- what changes words only ----------------------------------------------------------------------------------------


def replayed(change: str, timing: str) -> tuple[list[np.ndarray], list[str]]:
    loaded = load_rules("swedish", sets=[change])
    lowered = lowered_of("swedish", [change], ["all.p_miss_stress=0.5"], timing)
    logs = [FAMILY.log_deal(lowered, 2, deal) for deal in range(10)]
    texts = [
        replay_text(FAMILY, loaded.options, log.cards.tolist(), log.events.tolist(), uniform=timing == "uniform")
        for log in logs
    ]
    return [part for log in logs for part in (log.cards, log.events, log.row)], texts


@pytest.mark.parametrize("name", sorted(cosmetic(SheddingRules)))
def test_cosmetic_rule__changes_words_only(name: str) -> None:
    kind = SheddingRules.model_fields[name].annotation
    assert isinstance(kind, type)
    assert issubclass(kind, Choice)
    expected, default_texts = replayed(f"{name}={kind.words()[0]}", "human")
    said = {tuple(default_texts)}
    for word in kind.words()[1:]:
        found, texts = replayed(f"{name}={word}", "human")
        assert all(np.array_equal(*pair) for pair in zip(found, expected, strict=True))
        said.add(tuple(texts))
    assert len(said) == len(kind.words()), "each value has words of its own"
