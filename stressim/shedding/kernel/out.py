"""Who has no cards left under the clock, and whether he has won (B45, B46, U23, U38)."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.shedding.choices import WinCall
from stressim.shedding.events import Kind, Outcome
from stressim.shedding.kernel.ends import end_deal, end_if_out, players_out
from stressim.shedding.kernel.hands import CALLING, motor_time
from stressim.shedding.kernel.layout import ACT, ACT_TIME, FIRST_OUT, NOW, PLACES, WINDOW
from stressim.shedding.kernel.places import UNUSED, log_event, n_players, player_at, remaining
from stressim.shedding.kernel.table import CLOSED, slap_pending


@kernel()
def check_out(game):
    """Has somebody got rid of all cards? He has won, must call, or must see a stress through (B45, B46, U23, U38)."""
    rules = game.rules
    players = game.players
    state = game.state
    if state[FIRST_OUT] > 0 and remaining(game, state[FIRST_OUT] - 1) > 0:
        state[FIRST_OUT] = 0  # he has lost the stress
    out = players_out(game)
    if out < 0:
        return
    if rules.win_call == WinCall.REQUIRED:
        for player in range(n_players(game)):
            at = player_at(player)
            if remaining(game, np.int64(player)) == 0 and state[at + ACT] != CALLING:
                state[at + ACT] = CALLING
                state[at + ACT_TIME] = state[NOW] + motor_time(game, np.int64(player), players[player & PLACES].call)
    elif rules.win_check_before_stress == 1 or state[WINDOW] == CLOSED or not slap_pending(game):
        end_if_out(game)
    elif out < n_players(game):
        state[FIRST_OUT] = out + 1


@kernel()
def end_if_out_after_slap(game):
    """After a pickup a player who still has no cards has won; one who must call does so now."""
    rules = game.rules
    state = game.state
    if rules.win_call == WinCall.REQUIRED:
        for player in range(n_players(game)):
            at = player_at(player)
            if state[at + ACT] == CALLING:
                state[NOW] = max(state[NOW], state[at + ACT_TIME])
                log_event(game, Kind.CALL, np.int64(player), UNUSED, UNUSED, UNUSED, UNUSED)
                end_deal(game, Outcome.WON, np.int64(player))
                return
    else:
        end_if_out(game)
