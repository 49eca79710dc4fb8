"""Rows of columns: one deal's row is kept in the record while it is played, and copied out afterwards."""

from __future__ import annotations

from stressim.compiled.jit import kernel


@kernel(inline=True)
def clear_row(game):
    """Set all columns to zero."""
    for column in range(game.row.shape[0]):
        game.row[column] = 0


@kernel(inline=True)
def keep_row(game, rows, i):
    """Copy the columns to row ``i`` of a shard."""
    for column in range(game.row.shape[0]):
        rows[i, column] = game.row[column]
