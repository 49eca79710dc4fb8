"""Counting rows: what a tally wants of the columns, in one pass over a shard."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import EntryPoint


@EntryPoint
def count_rows(rows, narrow, counts, beyond, apart, values):
    """Count how often each value of some columns occurs, and copy some columns out.

    ``rows`` is int64, shape ``(deals, columns)``. Row ``k`` of ``counts`` (int64, zeros before) receives how often each
    value below its length occurs in column ``narrow[k]``, and ``beyond[k]`` (int64, zeros before) 1 if others do. Row
    ``k`` of ``values`` receives column ``apart[k]``.
    """
    width = np.uint64(counts.shape[1])
    for i in range(rows.shape[0]):
        for k in range(narrow.shape[0]):
            value = rows[i, narrow[k]]
            if np.uint64(value) < width:  # without a sign a negative number is the largest of all
                counts[k, value] += 1
            else:
                beyond[k] = 1
        for k in range(apart.shape[0]):
            values[k, i] = rows[i, apart[k]]
