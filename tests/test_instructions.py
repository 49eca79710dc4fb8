from __future__ import annotations

import numba
import numpy as np
import pytest

from stressim.compiled import instructions
from stressim.compiled.instructions import BLOCK, SUIT, copy_block, count_ones, lay_out_suit, lowest_one, nth_one

WORDS = [1, 2, 3, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0x0001_0001_0001_0001, 0x8000_4000_0000_0001]
WORDS += [int(word) for word in np.random.default_rng(1).integers(1, 2**64, 200, dtype=np.uint64)]


def places_of(word: int) -> list[int]:
    return [place for place in range(64) if word >> place & 1]


@pytest.mark.parametrize("deposits", [True, False])
def test_nth_one__is_the_place_of_each_one(deposits, monkeypatch):
    if deposits and not instructions._deposits_bits():
        pytest.skip("this processor has no such instruction")
    monkeypatch.setattr(instructions, "_DEPOSITS", deposits)

    @numba.njit
    def found(word, nth):
        return nth_one(word, nth)

    for word in WORDS:
        places = places_of(word)
        assert [found(np.uint64(word), np.int64(nth)) for nth in range(len(places))] == places


def test_count_ones_and_lowest_one__are_those_of_the_word():
    @numba.njit
    def found(word):
        return count_ones(word), lowest_one(word)

    for word in WORDS:
        assert found(np.uint64(word)) == (len(places_of(word)), places_of(word)[0])
    assert found(np.uint64(0)) == (0, 64)


@pytest.mark.parametrize(("to", "origin"), [(100, 0), (8, 0), (0, 8), (3, 3)])
def test_copy_block__reads_all_before_it_writes(to, origin):
    @numba.njit
    def copy(cards, to, origin):
        copy_block(cards, to, origin)

    cards = np.arange(200, dtype=np.uint8)
    expected = cards.copy()
    expected[to : to + BLOCK] = cards[origin : origin + BLOCK]
    copy(cards, to, origin)
    assert cards.tolist() == expected.tolist()


@pytest.mark.parametrize("copy", [0, 3, 15])
def test_lay_out_suit__has_each_rank_once(copy):
    @numba.njit
    def lay(cards, place, copy):
        lay_out_suit(cards, place, copy)

    cards = np.zeros(SUIT + 2, dtype=np.uint8)
    lay(cards, 1, copy)
    assert cards.tolist() == [0, *(rank + 16 * copy for rank in range(SUIT)), 0]
