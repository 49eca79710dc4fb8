"""The two entry points from Python: play a shard."""

from __future__ import annotations

from stressim.compiled.jit import EntryPoint, kernel
from stressim.shedding.kernel.human import play_human
from stressim.shedding.kernel.moves import prepare_masks
from stressim.shedding.kernel.uniform import play_uniform


@EntryPoint
@kernel()
def run_uniform(games, rows, seed, first):  # type: ignore[no-untyped-def]
    """Play ``len(rows)`` deals from number ``first`` on without a clock."""
    game = games[0]
    prepare_masks(game)
    for i in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            game.row[column] = 0
        play_uniform(game, seed, first + i)
        for column in range(rows.shape[1]):
            rows[i, column] = game.row[column]


@EntryPoint
@kernel()
def run_human(games, rows, seed, first):  # type: ignore[no-untyped-def]
    """Play ``len(rows)`` deals from number ``first`` on with hands and eyes."""
    game = games[0]
    prepare_masks(game)
    for i in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            game.row[column] = 0
        play_human(game, seed, first + i)
        for column in range(rows.shape[1]):
            rows[i, column] = game.row[column]
