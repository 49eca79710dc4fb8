"""The random streams: uniform words, and no likeness between streams that lie side by side."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from stressim.compiled.deals import PROBES
from stressim.compiled.native import call_kernel
from stressim.verify.checks import About, Check

GROUP = "streams"
Words = npt.NDArray[np.uint64]

_FIELDS = ("seed", "deal", "attempt", "who", "flip", "plays")
_N_STREAMS = 13  # of a deal: the table and at most twelve players
_UPPER_LIMITS = (2, 13, 32, 36, 48, 52, 104, 255)


def stream_checks(n: int, seed: int) -> Iterator[Check]:
    """Check the streams with ``n`` words each time."""
    words = np.empty(n, np.uint64)
    call_kernel(PROBES, "successive_words", np.array([seed], np.uint64), words)
    yield from _uniform(About(GROUP, "one after the other"), words)
    for field in ("seed", "deal", "attempt", "flip", "plays"):
        yield from _uniform(About(GROUP, f"by {field}"), first_of_each(field, n, seed))
    for field in ("seed", "deal"):
        yield from _uniform(About(GROUP, f"by {field}, every 2^32"), first_of_each(field, n, seed, 1 << 32))
    yield _between_players(n // _N_STREAMS, seed)
    for limit in _UPPER_LIMITS:
        numbers = np.empty(n, np.int64)
        call_kernel(PROBES, "numbers_below", np.array([seed + limit], np.uint64), np.int64(limit), numbers)
        yield About(GROUP, "whole numbers").uniform(f"below {limit}", list(np.bincount(numbers, minlength=limit)))


def first_of_each(field: str, n: int, seed: int, step: int = 1) -> Words:
    """Return the first words of streams that differ in one thing, counted up in steps."""
    places = np.zeros((n, len(_FIELDS)), np.uint64)
    places[:, 0] = seed
    places[:, _FIELDS.index(field)] += np.arange(n, dtype=np.uint64) * np.uint64(step)
    return _first(places)


def _first(places: npt.NDArray[np.uint64]) -> Words:
    words = np.empty(len(places), np.uint64)
    call_kernel(PROBES, "first_words", np.zeros(1, np.uint64), places, words)
    return words


def _uniform(about: About, words: Words) -> Iterator[Check]:
    n = len(words)
    for name, shift in (("highest byte", 56), ("middle byte", 32), ("lowest byte", 0)):
        bytes_ = (words >> np.uint64(shift)).astype(np.int64) & 255
        yield about.uniform(name, list(np.bincount(bytes_, minlength=256)))
    # Two neighbours differ in half of their bits, each bit by itself.
    changed = words[1:] ^ words[:-1]
    counts = np.array([int(((changed >> np.uint64(bit)) & np.uint64(1)).sum()) for bit in range(64)], np.float64)
    # Neighbouring differences share a word but are independent bits all the same.
    half, spread = (n - 1) / 2, (n - 1) / 4
    yield about.statistic("bits that differ", float(((counts - half) ** 2 / spread).sum()), 64, n)
    high, low = (words >> np.uint64(32)).astype(np.float64), (words & np.uint64(0xFFFFFFFF)).astype(np.float64)
    for name, first, second in (("neighbours", high[1:], high[:-1]), ("halves of a word", high, low)):
        yield about.correlation(f"correlation of {name}", first, second)
    yield about.exactly("words that come twice", 0, n - len(np.unique(words)), n)


def _between_players(n: int, seed: int) -> Check:
    """Streams of table and players of one deal: all pairs differ in half of their bits."""
    places = np.zeros((_N_STREAMS * n, len(_FIELDS)), np.uint64)
    places[:, 0] = seed
    places[:, 1] = np.repeat(np.arange(n), _N_STREAMS)
    places[:, 3] = np.tile(np.arange(_N_STREAMS), n)
    words = _first(places).reshape(n, _N_STREAMS)
    pairs = list(itertools.combinations(range(_N_STREAMS), 2))
    differing = sum(int(np.bitwise_count(words[:, a] ^ words[:, b]).sum()) for a, b in pairs)
    return About(GROUP, "by who").share("bits that differ", 0.5, differing, n * 64 * len(pairs))
