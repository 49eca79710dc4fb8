"""Entry points that draw as the kernels draw, so that streams and tables can be checked by themselves."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import EntryPoint
from stressim.compiled.rng import below, next_32, next_word, rekeyed, sample, stream_key


@EntryPoint
def first_words(streams, places, words):
    """Draw the first word of many streams.

    ``places`` is an uint64 array, shape ``(n, 6)``: seed, deal, attempt, who, flip and own plays; ``words`` receives
    the words, uint64, shape ``(n,)``; ``streams`` is room for one stream.
    """
    for i in range(words.shape[0]):
        key = stream_key(places[i, 0], places[i, 1], places[i, 2], places[i, 3])
        streams[0] = rekeyed(key, np.int64(places[i, 4]), np.int64(places[i, 5]))
        words[i] = next_word(streams, 0)


@EntryPoint
def successive_words(streams, words):
    """Draw words one after the other from the stream that stands in ``streams[0]``."""
    for i in range(words.shape[0]):
        words[i] = next_word(streams, 0)


@EntryPoint
def numbers_below(streams, n, numbers):
    """Draw whole numbers from 0 to before ``n`` (int64) into ``numbers`` (int64) from stream 0."""
    for i in range(numbers.shape[0]):
        numbers[i] = below(streams, 0, n)


@EntryPoint
def times_drawn(streams, tables, row, times):
    """Draw from row ``row`` of the first player's tables into ``times`` (int64) from stream 0."""
    for i in range(times.shape[0]):
        times[i] = sample(tables, 0, row, next_32(streams, 0))
