"""The entry points for two players under the usual rules: these rules are constants, and so is whose turn it is."""

from __future__ import annotations

from stressim.compiled.jit import EntryPoint
from stressim.compiled.rows import clear_row, keep_row
from stressim.exchange.kernel.ends import start_deal
from stressim.exchange.kernel.human import begin_human
from stressim.exchange.kernel.layout import OUTCOME
from stressim.exchange.kernel.pair import next_event
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
        begin_human(game, seed, first + i)
        while game.state[OUTCOME] < 0:
            next_event(game)
        keep_row(game, rows, i)


@EntryPoint
def run_deal(games, seed, deal):
    """Deal the cards of one deal, no more."""
    clear_row(games[0])
    start_deal(games[0], seed, deal)
