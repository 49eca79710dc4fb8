"""Whole numbers on the command line, however they are written."""

from __future__ import annotations

import pytest

from stressim.commands.inputs import WholeNumber
from stressim.errors import InputError


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ("1.5e3", 1500),
        ("1500.0", 1500),
        ("2.", 2),
        ("1e6", 1_000_000),
        ("12000e-3", 12),
        ("1_000", 1000),
        ("1,500,000", 1_500_000),
        ("-3", -3),
        ("1.234567890123456789e18", 1_234_567_890_123_456_789),
    ],
)
def test_whole_number__takes_every_number_that_is_whole(given: str, number: int) -> None:
    assert WholeNumber().convert(given, None, None) == number


@pytest.mark.parametrize("given", ["1.5", "1.5e0", "1e-3", "many", "1,5e3", "1,50", "", "e3", "0x10", "1e999"])
def test_whole_number__refuses_others_in_one_sentence(given: str) -> None:
    with pytest.raises(InputError, match=r"is no whole number$"):
        WholeNumber().convert(given, None, None)
