"""The entry points from Python: play a shard, or deal the cards of one deal."""

from __future__ import annotations

from stressim.compiled.jit import EntryPoint
from stressim.compiled.rows import clear_row, keep_row
from stressim.exchange.kernel.ends import start_deal
from stressim.exchange.kernel.human import play_human
from stressim.exchange.kernel.uniform import play_uniform


@EntryPoint
def run_uniform(games, rows, seed, first):
    """Play ``len(rows)`` deals from number ``first`` on without a clock."""
    game = games[0]
    for i in range(rows.shape[0]):
        clear_row(game)
        play_uniform(game, seed, first + i)
        keep_row(game, rows, i)


@EntryPoint
def run_human(games, rows, seed, first):
    """Play ``len(rows)`` deals from number ``first`` on with hands and eyes."""
    game = games[0]
    for i in range(rows.shape[0]):
        clear_row(game)
        play_human(game, seed, first + i)
        keep_row(game, rows, i)


@EntryPoint
def run_deal(games, seed, deal):
    """Deal the cards of one deal, no more."""
    clear_row(games[0])
    start_deal(games[0], seed, deal)
