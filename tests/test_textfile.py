"""What is said of TOML that cannot be read."""

from __future__ import annotations

import pytest

from stressim.errors import InputError
from stressim.textfile import parse_toml


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ace = low", 'me.toml, line 1: ace = low is a word, and words stand in quotation marks: ace = "low"'),
        ('title = "a"\r\nace=low  # as ours\r\n', 'line 2: ace = low is a word, .*: ace = "low"'),
        ("match_format = best_of(3)", r'match_format = "best_of\(3\)"'),
        ("deck = take right", 'deck = "take right"'),
        # A word that begins like one that TOML knows.
        ("stress_on = none", 'stress_on = "none"'),
        ("a = false_x", 'a = "false_x"'),
        ("a = infinite", 'a = "infinite"'),
        ("person_sd = True", "line 1: person_sd = True must be written in small letters: person_sd = true"),
    ],
)
def test_parse_toml__word_without_quotation_marks_is_shown_with_them(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        parse_toml(text, shown="me.toml", kind="rules file")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["ace = ", 'ace = "low', "ace low", "a = [low]", "a = 1 2", "a = 3x", "= low", "a = 'x\n"]
)
def test_parse_toml__other_mistakes_are_said_with_their_place(text: str) -> None:
    with pytest.raises(InputError, match=r"^me\.toml is no valid TOML: .*(line \d|end of document)"):
        parse_toml(text, shown="me.toml", kind="rules file")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\na = 2", "line 2: a is given twice"),
        ("a = true\nb = 1\na = true\n", "line 3: a is given twice"),
        ('ace = "low"\n"ace" = "high"\n', "line 2: ace is given twice"),
    ],
)
def test_parse_toml__a_name_given_twice_is_named(text: str, said: str) -> None:
    with pytest.raises(InputError, match=f"^me.toml, {said}$"):
        parse_toml(text, shown="me.toml", kind="rules file")
