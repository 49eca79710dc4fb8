"""The entry points from Python: play a shard, or deal the cards of one deal."""

from __future__ import annotations

from stressim.compiled.jit import EntryPoint
from stressim.compiled.rows import clear_row, keep_row
from stressim.exchange.kernel.acts import PICKING_UP, PUTTING_DOWN, REACHING
from stressim.exchange.kernel.changing import on_picked_up
from stressim.exchange.kernel.contest import on_arrival
from stressim.exchange.kernel.ends import start_deal
from stressim.exchange.kernel.human import act_of, begin_human, look_and_end, next_clock, on_rare
from stressim.exchange.kernel.layout import OUTCOME
from stressim.exchange.kernel.reaching import on_put_down
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
        # Event by event. In a function of its own all this would be translated once more (an eighth of all the time).
        while game.state[OUTCOME] < 0:
            who = next_clock(game)
            what = act_of(game, who)
            if what == PUTTING_DOWN:
                on_put_down(game, who)
            elif what == REACHING:
                on_arrival(game, who)
            elif what == PICKING_UP:
                on_picked_up(game, who)
            else:
                on_rare(game, who, what)
            look_and_end(game)
        keep_row(game, rows, i)


@EntryPoint
def run_deal(games, seed, deal):
    """Deal the cards of one deal, no more."""
    clear_row(games[0])
    start_deal(games[0], seed, deal)
