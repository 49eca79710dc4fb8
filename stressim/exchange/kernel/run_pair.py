"""The entry points for two players under the usual rules: these rules are constants, and so is whose turn it is."""

from __future__ import annotations

from stressim.compiled.jit import EntryPoint
from stressim.compiled.rows import clear_row, keep_row
from stressim.exchange.kernel import run
from stressim.exchange.kernel.human import begin_human
from stressim.exchange.kernel.layout import OUTCOME
from stressim.exchange.kernel.pair import next_event

run_uniform = run.run_uniform.kept_by(__name__)
run_deal = run.run_deal.kept_by(__name__)


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
