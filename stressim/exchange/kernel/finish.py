"""Places, where play goes on after the first has won (``ranking``)."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.exchange.choices import Ranking
from stressim.exchange.events import Outcome
from stressim.exchange.kernel.layout import (
    FIRST_DONE,
    FIRST_DONE_AT,
    HAND_BEST,
    LAST_1,
    LOSER_BUNCHES,
    N_IN,
    N_PLACED,
    NOW,
    OPENED,
    OUT,
    PLACE,
    PLACE_1,
    RANKED,
    RANKING,
    TABLE_BEST,
    WINNER_US,
)
from stressim.exchange.kernel.places import player_at


@kernel()
def count_loser_bunches(game, winner):
    """Count the complete bunches of all but the winner."""
    n_sides = game.rules.n_sides
    game.row[LOSER_BUNCHES] = 0
    for side in range(n_sides):
        if side != winner % n_sides:
            game.row[LOSER_BUNCHES] += game.state[player_at(side) + OPENED]


@kernel()
def take_place(game, player):
    """Give a player, and his team, the next place; he does nothing more in this deal."""
    state = game.state
    n_sides = game.rules.n_sides
    if state[FIRST_DONE] < 0:
        state[FIRST_DONE] = player
        state[FIRST_DONE_AT] = state[NOW]
        count_loser_bunches(game, player)
    state[N_PLACED] += 1
    state[N_IN] -= 1
    for mate in range(player % n_sides, game.rules.n_players, n_sides):
        at = player_at(mate)
        state[at + PLACE] = state[N_PLACED]
        state[at + OUT] = 1
        state[at + HAND_BEST] = 0
        state[at + TABLE_BEST] = 0


@kernel()
def all_are_ranked(game):
    """Whether the places that are asked for have been taken, or nobody is left to play against."""
    state = game.state
    forfeits = game.rules.n_sides - state[N_IN] - state[N_PLACED]
    return state[N_IN] == 0 or (state[N_IN] == 1 and (game.rules.ranking == Ranking.ALL_BUT_ONE or forfeits > 0))


@kernel()
def rank_players(game, outcome):
    """At the end, give the one who is left the next place, and write the places if everybody has one."""
    rules = game.rules
    state = game.state
    row = game.row
    if outcome != Outcome.WON:
        row[LOSER_BUNCHES] = 0
        return
    row[RANKING] = 1
    if state[N_IN] == 1:
        for player in range(rules.n_sides):
            if state[player_at(player) + OUT] == 0:
                take_place(game, np.int64(player))
                break
    if state[N_PLACED] < rules.n_sides:
        return
    row[RANKED] = 1
    row[WINNER_US] = state[FIRST_DONE_AT]
    for player in range(rules.n_players):
        place = state[player_at(player) + PLACE]
        row[PLACE_1 + player] = place
        row[LAST_1 + player] = 1 if place == rules.n_sides else 0
