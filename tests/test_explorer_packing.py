from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressim.explorer.packing import Packed, pack, unpack

INTEGERS = st.integers(-(2**29), 2**29)


@given(st.lists(INTEGERS | st.integers(-5, 5), max_size=60), st.lists(st.integers(1, 80), min_size=1, max_size=3))
def test_pack__unpack_gives_it_back(numbers, lags):
    packed = pack(numbers, lags)

    assert unpack(packed, len(numbers)) == numbers
    assert packed.lag in lags


def test_pack__takes_the_lag_that_repeats():
    assert pack([5, 900, 77, 5, 900, 78, 5, 901, 77] * 20, lags=[1, 3]).lag == 3


def test_pack__of_equal_numbers_is_a_bit_each():
    assert pack([0] * 600, lags=[1]) == Packed(1, 0, "A" * 100)


def test_pack__refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="too large"):
        pack([2**40], lags=[1])
