"""Cards as both games handle them: a deck is laid out and shuffled in the bytes of ``cards``."""

from __future__ import annotations

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_word


@kernel()
def shuffle_cards(cards, streams, n, who):
    """Shuffle the first ``n`` cards with stream ``who``: Fisher and Yates, two swaps for each drawn word.

    All of it, so that equal deals stay equal under other rules.
    """
    i = n - 1
    while i > 0:
        word = next_word(streams, who)
        j = (high_32(word) * (i + 1)) >> 32
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
        i -= 1
        if i > 0:
            j = (low_32(word) * (i + 1)) >> 32
            card = cards[i]
            cards[i] = cards[j]
            cards[j] = card
            i -= 1
