"""What is asked when hands come down: on which pile, how close, what lands meanwhile; and play that goes on."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, next_32
from stressim.shedding.choices import (
    SlapTarget,
    WinCall,
)
from stressim.shedding.kernel.ends import end_if_out, judge_lead, players_out
from stressim.shedding.kernel.hands import CALLING, PLAYING, WAITING, lay_planned, start_look
from stressim.shedding.kernel.layout import (
    ACT,
    ACT_TIME,
    CARRY,
    FAR,
    FREE,
    GRACE_UNTIL,
    LAST_EQUAL,
    MOVES,
    NOTICE,
    NOW,
    PAIR,
    PILE,
    PILE_FITS,
    PLACES,
    RANK,
    SHORT_PLAYS,
    STRESS_PILES,
    WINDOW,
)
from stressim.shedding.kernel.pickups import (
    chosen_pile,
    right_pile,
)
from stressim.shedding.kernel.piles import tops_equal
from stressim.shedding.kernel.places import NOBODY, ONE, UNUSED, ZERO, is_pair, n_players, pile_at, player_at
from stressim.shedding.kernel.rows import can_refill
from stressim.shedding.kernel.seats import chosen_of, piles_with_cards, rightmost
from stressim.shedding.kernel.table import ENDED, OPEN, stop_all
from stressim.shedding.kernel.windows import by_shout


@kernel()
def slapped_pile(game, player):
    """Where the hand comes down (B34, U45); -1 over both or for a shout."""
    rules = game.rules
    players = game.players
    if by_shout(game):
        return UNUSED
    if not is_pair(game):
        return _slapped_of_many(game, player)
    if rules.slap_target == SlapTarget.RIGHT_PILE:
        return right_pile(game, player)
    if rules.slap_target == SlapTarget.ANY_PILE:
        return chosen_pile(game, player, players[player & PLACES].slap_pile)
    return UNUSED


@kernel(inline=True)
def tie_window(game, pile, other_pile):
    """How close two slaps must be to be undecided (U20, U50)."""
    rules = game.rules
    if by_shout(game):
        return rules.tie_window_us
    if rules.slap_target == SlapTarget.BOTH_PILES:
        return ZERO
    if pile == other_pile:
        return rules.tie_window_same_pile_us
    return rules.tie_window_us


@kernel()
def go_on(game, begin):
    """An undecided slap without consequence: everybody looks at the table anew."""
    rules = game.rules
    state = game.state
    stop_all(game)
    if rules.win_call != WinCall.REQUIRED and players_out(game) >= 0:
        state[NOW] = begin
        end_if_out(game)
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + ACT] != CALLING:
            state[at + FREE] = begin
            start_look(game, np.int64(player), begin)


@kernel(inline=True)
def _comes_before(game, n):
    """Whether the lot puts the last of ``n`` things at one moment before the others."""
    if is_pair(game):
        return next_32(game.streams, ZERO) & 1 == 1
    return below(game.streams, ZERO, n) == 0


@kernel()
def land_in_air(game):
    """Cards on their way when the hand came down are laid if they fit, the nearest first (U24)."""
    state = game.state
    row = game.row
    now = state[NOW]
    for _ in range(n_players(game)):
        next_player = NOBODY
        soonest = FAR
        n_tied = ONE
        for player in range(n_players(game)):
            at = player_at(player)
            time = state[at + ACT_TIME]
            if state[at + ACT] == PLAYING and state[at + CARRY] <= now and state[at + NOTICE] > now and time <= soonest:
                n_tied = n_tied + 1 if time == soonest else ONE
                if n_tied == 1 or _comes_before(game, n_tied):
                    next_player = np.int64(player)
                soonest = time
        if next_player < 0:
            return
        at = player_at(next_player)
        pile = state[at + PILE]
        state[at + ACT] = WAITING
        if (state[pile_at(pile) + PILE_FITS] >> state[at + RANK]) & 1 == 1:
            row[MOVES] += 1
            state[at + SHORT_PLAYS] += np.int64(can_refill(game, next_player))
            lay_planned(game, next_player)
            state[at + LAST_EQUAL] = 1 if tops_equal(game) else 0
            judge_lead(game)


@kernel(beyond=PAIR, otherwise=ZERO)
def _slapped_of_many(game, player):
    """:func:`slapped_pile` among many piles: one of those that are the stress, or any when it is a false call."""
    rules = game.rules
    state = game.state
    mask = piles_with_cards(game)
    if slap_counts(game):
        mask = state[STRESS_PILES]
    if rules.slap_target == SlapTarget.RIGHT_PILE:
        return rightmost(game, player, mask)
    if rules.slap_target == SlapTarget.ANY_PILE:
        return chosen_of(game, player, game.players[player & PLACES].slap_pile, mask)
    return UNUSED


@kernel(inline=True)
def slap_counts(game):
    """Whether a hand that comes down now answers a stress."""
    state = game.state
    return state[WINDOW] == OPEN or (state[WINDOW] == ENDED and state[NOW] <= state[GRACE_UNTIL])
