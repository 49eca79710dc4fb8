"""Rules of the exchange game: which cards come out even, what does not combine, and what a kernel is told."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import Any

import pytest
from pydantic import ValidationError

from stressim.decks import JOKER_RANK
from stressim.errors import InputError
from stressim.exchange.limits import MAX_PLAYERS
from stressim.exchange.rules import ExchangeRules
from stressim.rulesfile import load_rules

SMALL = {"deck": "custom", "deck_ranks": "3", "deck_copies": 2, "bunch_size": 2, "centre_cards": 2}


def refused(**options: Any) -> str:
    with pytest.raises(ValidationError) as error:
        ExchangeRules(**options)
    assert error.value.error_count() == 1
    return str(error.value.errors()[0]["ctx"]["error"])


def comes_out(**options: Any) -> dict[int, int]:
    """Player counts that come out even, with the bunches of each player."""
    found = {}
    for n_players in range(1, MAX_PLAYERS + 1):
        with contextlib.suppress(ValidationError):
            found[n_players] = ExchangeRules(n_players=n_players, **options).bunches_each
    return found


# The table of decks, open cards and the player counts that come out even.
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {1: 12, 2: 6, 3: 4, 4: 3, 6: 2, 12: 1}),
        ({"n_decks": 2}, {1: 25, 5: 5}),
        ({"n_decks": 2, "centre_cards": 8}, {1: 24, 2: 12, 3: 8, 4: 6, 6: 4, 8: 3, 12: 2}),
        ({"n_decks": 3}, {1: 38, 2: 19}),
        ({"n_decks": 3, "centre_cards": 12}, {1: 36, 2: 18, 3: 12, 4: 9, 6: 6, 9: 4, 12: 3}),
    ],
)
def test_A5_bunches__player_counts_that_come_out_even(options: dict[str, Any], expected: dict[int, int]) -> None:
    assert comes_out(**options) == expected


@pytest.mark.parametrize(("n_players", "cards_removed"), [(5, 0), (6, 4), (7, 16), (8, 4)])
def test_A5_bunches__cards_removed_make_two_decks_come_out(n_players: int, cards_removed: int) -> None:
    with_fewer = [n for n in range(cards_removed) if n_players in comes_out(n_decks=2, cards_removed=n)]

    assert n_players in comes_out(n_decks=2, cards_removed=cards_removed)
    assert with_fewer == []


@pytest.mark.parametrize(
    ("options", "ways"),
    [
        ({"n_players": 5}, "n_players=4 or n_players=6 or cards_removed=8 would"),
        ({"n_players": 7}, "n_players=6 or n_players=12 or cards_removed=20 would"),
        ({"n_jokers": 2}, "cards_removed=2 would"),
        ({"n_decks": 2, "n_players": 6}, "n_players=5 or cards_removed=4 would"),
        ({"n_players": 3, "cards_removed": 5}, "cards_removed=0 or cards_removed=12 would"),
        ({"cards_removed": 60}, "cards_removed=40 would"),
        ({"deck": "custom", "deck_ranks": "2", "deck_copies": 4, "centre_cards": 3}, "more cards are needed"),
    ],
)
def test_A5_bunches__a_count_that_does_not_come_out_names_the_nearest_that_do(
    options: dict[str, Any], ways: str
) -> None:
    assert refused(**options).endswith(f"; {ways}")


def test_A5_bunches__what_is_named_does_come_out() -> None:
    for n_players in range(1, MAX_PLAYERS + 1):
        for n_decks in (1, 2, 3):
            try:
                ExchangeRules(n_players=n_players, n_decks=n_decks)
            except ValidationError as error:
                said = str(error.errors()[0]["ctx"]["error"]).rpartition("; ")[2].removesuffix(" would")
                for way in said.split(" or "):
                    name, _, number = way.partition("=")
                    given = {"n_players": n_players, "n_decks": n_decks} | {name: int(number)}
                    assert ExchangeRules(**given).bunches_each > 0


def test_A1_cards__each_is_another_number_and_removed_ones_are_whole_ranks() -> None:
    rules = ExchangeRules(n_decks=2, n_players=7, cards_removed=16)
    ranks = Counter(card % 16 for card in rules.cards)

    assert len(set(rules.cards)) == len(rules.cards) == rules.n_cards == 88
    assert ranks == dict.fromkeys(range(11), 8)


def test_A1_jokers__are_one_more_rank_and_stay_when_cards_are_removed() -> None:
    rules = ExchangeRules(n_jokers=4, cards_removed=4)
    ranks = Counter(card % 16 for card in rules.cards)

    assert ranks == {**dict.fromkeys(range(12), 4), JOKER_RANK: 4}


def test_bunches__one_player_has_no_more_than_can_be_told_apart() -> None:
    cards = {"n_players": 1, "deck": "custom", "deck_copies": 16, "bunch_size": 2, "centre_cards": 4}

    assert ExchangeRules(**cards, deck_ranks="8").bunches_each == 62
    assert refused(**cards, deck_ranks="9").startswith("a player has 70 bunches of bunch_size=2, at most 62")


def test_bunches__small_decks_are_possible() -> None:
    rules = ExchangeRules(**SMALL)

    assert (rules.n_cards, rules.n_bunches, rules.bunches_each) == (6, 2, 1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"deck": "custom", "deck_ranks": "13", "deck_copies": 3, "centre_cards": 3}, "there are only 3 (deck"),
        ({"deck": "custom", "deck_ranks": "4", "deck_copies": 7, "n_players": 1}, "a player has 6 bunches of"),
        ({"swap_max_cards": 3, "centre_cards": 2, "cards_removed": 2}, "is more than centre_cards=2 allows"),
        ({**SMALL, "swap_max_cards": 3, "centre_cards": 4}, "is more than bunch_size=2 allows"),
        ({"grab_equal_only": True}, "grab_equal_only=true needs swap_max_cards=2 or more"),
        ({"n_decks": 5}, "20 cards of each rank"),
        ({"deck_ranks": "9"}, "goes with deck=custom"),
        ({"deck": "custom"}, "deck=custom needs deck_ranks"),
    ],
)
def test_rules__what_does_not_combine_is_said_in_a_sentence(options: dict[str, Any], says: str) -> None:
    said = refused(**options)

    assert says in said
    assert "\n" not in said


def test_rules__kernel_is_told_how_many_bunches_there_are() -> None:
    extra = ExchangeRules(n_players=4).lowered_extra

    assert extra == {
        "n_ranks": 13,
        "n_copies_total": 4,
        "n_cards": 52,
        "n_bunches": 12,
        "bunches_each": 3,
        "n_sides": 4,
        "plain_swaps": 1,
    }


@pytest.mark.parametrize(
    ("options", "plain"),
    [
        ({}, True),
        ({"take_back_own": "allowed"}, True),
        ({"take_back_own": "forbidden"}, False),
        ({"swap_max_cards": 2}, False),
        ({"swap_order": "take_first"}, False),
        ({"swap_order": "simultaneous"}, False),
    ],
)
def test_rules__plain_swaps_lay_one_card_and_bar_no_other(options: dict[str, Any], plain: bool) -> None:
    assert ExchangeRules(**options).plain_swaps is plain


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("n_players=13", "n_players = '13' must be a whole number from 1 to 12"),
        ("n_players=0", "must be a whole number from 1 to 12"),
        ("swap_max_cards=5", "must be a whole number from 1 to 4"),
        ("swap_deadline_s=0", "must be a number from 0.1 to 1000"),
        ("deadlock_rule=redael", "did you mean 'redeal'"),
        ("deadlock=redeal", "did you mean 'deadlock_rule'"),
        ("ace=low", "'ace' is no option"),
    ],
)
def test_load_rules__bad_change_of_james_bond(text: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        load_rules("james-bond", [text])

    assert says in str(error.value)


def test_load_rules__players_choose_the_bunches_of_the_text() -> None:
    each = {n: load_rules("james-bond", n_players=n).options.lowered_extra["bunches_each"] for n in (2, 3, 4)}

    assert each == {2: 6, 3: 4, 4: 3}


def test_load_rules__players_that_do_not_come_out() -> None:
    with pytest.raises(InputError, match=r"^james-bond with --players 5: n_players=5 does not come out even: "):
        load_rules("james-bond", n_players=5)


def test_load_rules__presets_of_two_families_do_not_extend_each_other(tmp_path: Any) -> None:
    path = tmp_path / "mixed.toml"
    path.write_text('family = "shedding"\nextends = "james-bond"\n')

    with pytest.raises(InputError, match="family = 'shedding' does not go with extends: that is exchange"):
        load_rules(path)
