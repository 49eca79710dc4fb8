"""The most that a table of the exchange game may have; kernels have room for as much."""

from __future__ import annotations

MAX_PLAYERS = 12
MAX_CENTRE = 24
MAX_BUNCH = 8
MAX_GRAB = 4
MAX_CARDS = 256  # all numbers that a card can have
MAX_BUNCHES = (MAX_CARDS - 1) // 2
MAX_BUNCHES_EACH = 62  # bits of a number
MAX_TEAM = 6
