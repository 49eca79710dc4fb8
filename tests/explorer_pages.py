"""A small explorer for tests: two games, three choices, combinations that do not go together."""

from __future__ import annotations

from pathlib import Path

SMALL = """
title = "A <small> page"
intro = "Of two games & few deals."
deals = 400
numbers = ["stalls", "won", "win_skew", "deadlocked"]

[[game]]
rules = "swedish"
label = "Swedish"

[[game]]
rules = "german"
label = "German"

[[choice]]
name = "ace"
ask = "The ace"
change = "ace={}"
values = [{ name = "wrap", say = "joins king and two" }, { name = "low", say = "is the lowest card" }]

[[choice]]
name = "merging"
ask = "Equal cards"
values = [
  { name = "off", say = "stay apart", change = ["merge_equal_ranks=off"] },
  { name = "piles", say = "are merged", change = ["merge_equal_ranks=always", "pile_play=either"] },
]

[[choice]]
name = "speed"
ask = "Speed of player 1"
slider = true
change = "1.speed={}"
values = [
  { name = "0.8", say = "0.8 times" },
  { name = "1.0", say = "the same" },
  { name = "1.2", say = "1.2 times" },
]
"""
N_PLAYABLE, N_APART = 18, 6  # cards of the German game are laid one at a time, so piles are not laid whole


def small_study(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write the small study into a folder, with some texts replaced by others; return its path."""
    text = SMALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "small.toml"
    path.write_text(text)
    return path
