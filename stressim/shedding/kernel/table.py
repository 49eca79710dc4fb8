"""What the table as a whole does under the clock: stop, count down, flip."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import high_32, low_32, next_32, next_word, sample
from stressim.shedding.choices import PickupPlacement, PostStressEmptyStock
from stressim.shedding.kernel.flip_sources import hands_over, short_rule, stocks_left
from stressim.shedding.kernel.hands import CALLING, WAITING, motor
from stressim.shedding.kernel.layout import (
    ACT,
    ACT_TIME,
    AHEAD,
    CREDIT,
    DECLINED,
    FAR,
    FREE,
    NOTICE,
    NOW,
    PAIR,
    PLACES,
    SEARCH_END,
    SLAP,
    STOCK_SIZE,
    STUCK,
    TABLE_ACT,
    TABLE_TIME,
)
from stressim.shedding.kernel.places import ONE, ZERO, is_pair, n_players, player_at, remaining
from stressim.shedding.kernel.seats import next_with_stock

# What the table has under way
IDLE = np.int64(0)
FLIP = np.int64(1)
RECOGNISE_EMPTY = np.int64(2)

# Is there a stress to be slapped?
CLOSED = np.int64(0)
OPEN = np.int64(1)
ENDED = np.int64(2)  # covered, but a hand that still counts is on its way


@kernel(inline=True)
def table_off(game):
    """Call off what the table was about to do."""
    state = game.state
    state[TABLE_ACT] = IDLE
    state[TABLE_TIME] = FAR


@kernel()
def stop_all(game):
    """Stop play: hands go back, slaps are over. A winner who still has to call goes on if he has no cards."""
    state = game.state
    for player in range(n_players(game)):
        at = player_at(player)
        if state[at + ACT] != CALLING or remaining(game, np.int64(player)) > 0:
            state[at + ACT] = WAITING
            state[at + ACT_TIME] = FAR
        state[at + STUCK] = FAR
        state[at + DECLINED] = 0
        state[at + NOTICE] = FAR
        state[at + SLAP] = FAR
        state[at + SEARCH_END] = 0
        state[at + FREE] = state[NOW]
        state[at + AHEAD] = 0
        state[at + CREDIT] = 0
    table_off(game)


@kernel()
def pickup_time(game, player, shuffled):
    """Draw the time for a player to take up piles."""
    rules = game.rules
    players = game.players
    tables = game.tables
    streams = game.streams
    which = players[player & PLACES].pickup_under
    if shuffled or rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
        which = players[player & PLACES].pickup_shuffled
    return motor(game, player, sample(tables, player, which, next_32(streams, 1 + player)))


@kernel()
def flip_delay(game, reason):
    """Draw the time from agreement to the landing of the later card: count-down, hand-over if needed, flip."""
    players = game.players
    tables = game.tables
    state = game.state
    streams = game.streams
    countdown = ZERO
    turn = ZERO
    for player in range(n_players(game)):
        word = next_word(streams, 1 + player)
        countdown = max(countdown, sample(tables, player, players[player & PLACES].countdown, high_32(word)))
        turn = max(turn, motor(game, player, sample(tables, player, players[player & PLACES].flip, low_32(word))))
    delay = countdown + turn
    if not is_pair(game):
        return delay + _time_to_hand_over(game, reason)
    has_0 = state[player_at(ZERO) + STOCK_SIZE] > 0
    has_1 = state[player_at(ONE) + STOCK_SIZE] > 0
    if has_0 != has_1 and hands_over(game, reason):
        hand = ZERO if has_0 else ONE
        if short_rule(game, reason) == PostStressEmptyStock.TAKE_FROM_OPPONENT:
            hand = 1 - hand
        delay += motor(game, hand, sample(tables, hand, players[hand & PLACES].give_card, next_32(streams, 1 + hand)))
    return delay


@kernel(beyond=PAIR, otherwise=ZERO)
def _time_to_hand_over(game, reason):
    """Draw how long it takes until each of many players without a stock card has got one, if they get any."""
    if stocks_left(game) == 0 or not hands_over(game, reason):
        return ZERO
    time = ZERO
    for player in range(n_players(game)):
        if game.state[player_at(player) + STOCK_SIZE] == 0:
            hand = np.int64(player)
            if short_rule(game, reason) != PostStressEmptyStock.TAKE_FROM_OPPONENT:
                hand = next_with_stock(game, np.int64(player), ONE)
            bits = next_32(game.streams, 1 + hand)
            time = max(time, motor(game, hand, sample(game.tables, hand, game.players[hand & PLACES].give_card, bits)))
    return time


@kernel(inline=True)
def slap_pending(game):
    """Whether a hand is going to come down."""
    state = game.state
    for player in range(n_players(game)):
        if state[player_at(player) + SLAP] < FAR:
            return True
    return False
