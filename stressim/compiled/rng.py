"""Random numbers: counter-based streams with keys, no state beyond one word.

A stream is one uint64 that grows by a constant; a draw is a mix of it (SplitMix64: Steele, Lea and Flood 2014,
OOPSLA; the mixing constants are Stafford's variant 13). A stream starts at a hash of (seed, deal, attempt, who), and
a player's starts anew at a hash of that and of (flip, own plays since it), so that two variants of a deal that come
to the same flip and play draw the same numbers there, whatever lay between.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SALT = np.uint64(0xD1342543DE82EF95)
_NO_STEP = np.uint64(0)
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)
_S32 = np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)

TABLE_INTERVALS_SHIFT = 24  # a table has 2**8 intervals, so 32 random bits leave 24 for the place within one
_PLACES = 31  # masks the number of a stream
_PLACE_MASK = (1 << TABLE_INTERVALS_SHIFT) - 1


@kernel(inline=True)
def mix(word):
    """Mix the bits of a uint64; a bijection."""
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@kernel(inline=True)
def stream_key(seed, deal, attempt, who):
    """Start of the stream of ``who`` (0: the table, 1 …: players) in a deal; all arguments uint64."""
    key = mix(seed + _SALT)
    key = mix((key ^ deal) * _GAMMA + _SALT)
    return mix(key + (attempt * np.uint64(64) + who) * _GAMMA)


@kernel(inline=True)
def rekeyed(key, flip, plays):
    """Start of a stream's part for a flip number and the own plays since it (int64)."""
    return mix(key ^ ((np.uint64(flip) << _S32) | np.uint64(plays)) * _GAMMA)


@kernel(inline=True)
def next_word(streams, who):
    """Draw 64 random bits (uint64) from stream ``who``."""
    who = who & _PLACES
    state = streams[who] + _GAMMA
    streams[who] = state
    return mix(state)


@kernel(inline=True)
def next_32(streams, who):
    """Draw 32 random bits as an int64 in ``[0, 2**32)``."""
    return np.int64(next_word(streams, who) >> _S32)


@kernel(inline=True)
def high_32(word):
    """First half of a drawn word as an int64."""
    return np.int64(word >> _S32)


@kernel(inline=True)
def low_32(word):
    """Second half of a drawn word as an int64."""
    return np.int64(word & _LOW_32)


@kernel(inline=True)
def below(streams, who, n):
    """Draw an int64 in ``[0, n)``; the bias is below ``n / 2**32``."""
    return (next_32(streams, who) * n) >> 32


@kernel(inline=True)
def below_if_several(streams, who, n):
    """Draw an int64 in ``[0, n)`` where ``n`` is above 1; 0 otherwise, and the stream stays. Without a branch."""
    who = who & _PLACES
    state = streams[who]
    word = mix(state + _GAMMA)
    streams[who] = state + (_GAMMA if n > 1 else _NO_STEP)
    return (np.int64(word >> _S32) * n) >> 32


@kernel(inline=True)
def sample(tables, who, row, bits):
    """Quantile of row ``row`` of a player's tables at 32 random bits: microseconds, int64."""
    interval = (bits >> TABLE_INTERVALS_SHIFT) & 255
    who = who & _PLACES
    left = np.int64(tables[who, row, interval])
    right = np.int64(tables[who, row, interval + 1])
    return left + (((right - left) * (bits & _PLACE_MASK)) >> TABLE_INTERVALS_SHIFT)
