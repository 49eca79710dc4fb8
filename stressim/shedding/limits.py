"""The most that a table of the shedding game may have; kernels have room for as much."""

from __future__ import annotations

MAX_PLAYERS = 4
MAX_PILES = 8
MAX_SLOTS = 8
