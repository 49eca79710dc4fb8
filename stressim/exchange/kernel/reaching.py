"""Hands at the centre: cards laid and taken, hands that come too late, and what the others see of it."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import unseen
from stressim.compiled.jit import kernel
from stressim.compiled.rng import next_32
from stressim.exchange.choices import ContestedCard, SwapOrder, TakeBackOwn
from stressim.exchange.events import Kind
from stressim.exchange.kernel.acts import (
    ALL_TARGETS,
    FALSE_CALLING,
    GIVING,
    HOLDING,
    IMPROVING,
    OPENING,
    PUTTING_BACK,
    PUTTING_DOWN,
    REACHING,
    TOUCHING,
    WAITING,
    act,
    motor,
    motor_time,
)
from stressim.exchange.kernel.bars import is_barred
from stressim.exchange.kernel.bunches import in_centre
from stressim.exchange.kernel.hands import better_ranks, look_again, take_another
from stressim.exchange.kernel.judge import judge, judge_swap
from stressim.exchange.kernel.layout import (
    ACT,
    BACK,
    BEST,
    CHOICES,
    COMMIT,
    CONTESTED_LOST,
    FREE,
    GIVE,
    HAND,
    HAS_CHOICE,
    HEIGHT,
    LEFT,
    LOOKS,
    MISSED,
    N_GIVE,
    N_TARGETS,
    NEEDS_ANY,
    NOW,
    PATIENCE,
    PLAN,
    TABLE_BEST,
    TARGET,
    TO_LAY,
    TO_TAKE,
    TOUCH,
    UNDER_WAY,
    WON_TARGETS,
)
from stressim.exchange.kernel.places import (
    ONE,
    UNUSED,
    ZERO,
    bit_of,
    bits_of,
    bunch_at,
    everybody,
    first_of,
    has_rank,
    log_event,
    others,
    player_at,
)
from stressim.exchange.kernel.plans import reach_out
from stressim.exchange.kernel.seeing import bar_is_lifted, known_best, settle_aim
from stressim.exchange.kernel.swaps import begin_swap, finish_swap, lay_in_centre, take_from_centre

_HEEDS_CARDS = (ONE << WAITING) | (ONE << PUTTING_BACK) | (ONE << PUTTING_DOWN) | (ONE << REACHING)  # acts, as bits
_SETS_OFF = (ONE << PUTTING_DOWN) | (ONE << REACHING)


@kernel()
def wake_for_card(game, laid_by, rank):
    """A card has come to the centre: those whom it helps look again."""
    _wake_for_card(game, laid_by, rank)


@kernel(inline=True)
def _wake_for_card(game, laid_by, rank):
    rest = others(game, laid_by) if laid_by >= 0 else everybody(game)
    while rest != 0:
        wake_player(game, first_of(rest), rank)
        rest &= rest - 1


@kernel(inline=True)
def wake_player(game, player, rank):
    """A card has come to the centre: a player whom it helps looks again, unless his hand is under way."""
    state = game.state
    at = player_at(player)
    bit = bit_of(rank)
    what = state[at + ACT]
    hand = state[at + HAND]
    waits = (_HEEDS_CARDS >> what) & np.int64(state[at + COMMIT] > state[NOW]) & np.int64(hand >= 0)
    waits = unseen(waits & np.int64(state[at + PLAN] != IMPROVING))
    helped = (state[bunch_at(hand) + BEST] & bit) | state[at + NEEDS_ANY]
    if waits & np.int64((helped | (state[at + TABLE_BEST] & bit)) != 0) != 0:
        if helped != 0 or known_best(game, player) & bit != 0:
            look_again(game, player, max(state[NOW], state[at + FREE]))
    elif what == HOLDING:
        _wake_holder(game, player, rank)


@kernel()
def _wake_holder(game, player, rank):
    """A card has come to the centre while a player waits for one to end his swap with."""
    if game.state[player_at(player) + NEEDS_ANY] == 1 or has_rank(better_ranks(game, player), rank):
        take_another(game, player, ONE)


@kernel(inline=True)
def lacks_target(game, player):
    """Whether a card that a player wants has gone from the centre."""
    state = game.state
    at = player_at(player)
    gone = False
    for i in range(state[at + N_TARGETS]):
        gone = gone or in_centre(game, state[at + TARGET + i]) < 0
    return gone


@kernel(inline=True)
def notice_gone(game, player):
    """A card has gone from the centre: a player who wanted it and has not set off looks again."""
    state = game.state
    at = player_at(player)
    what = state[at + ACT]
    if game.rules.swap_max_cards == 1:
        gone = np.int64(state[at + N_TARGETS] > 0) & np.int64(in_centre(game, state[at + TARGET]) < 0)
        if unseen(_SETS_OFF >> what) & unseen(gone) == 0:
            return
    elif (what != PUTTING_DOWN and what != REACHING) or not lacks_target(game, player):
        return
    if state[at + COMMIT] > state[NOW]:
        look_again(game, player, max(state[NOW], state[at + FREE]))
    elif what == REACHING and game.rules.contested_card != ContestedCard.FIRST_TOUCH:
        _hand_sees_gone(game, player)


@kernel()
def _hand_sees_gone(game, player):
    """A card has been brought into another hand: he who has touched it too loses it now, else at the touch."""
    state = game.state
    at = player_at(player)
    if state[at + TOUCH] > state[NOW]:
        act(game, player, TOUCHING, state[at + TOUCH])
        return
    miss_gone(game, player)
    if state[at + N_TARGETS] == 0:
        state[at + WON_TARGETS] = 0
        go_on(game, player)


@kernel(inline=True)
def count_look(game, player):
    """Count the look that a swap has come from."""
    game.row[LOOKS] += 1
    game.row[CHOICES] += game.state[player_at(player) + HAS_CHOICE]


@kernel(inline=True)
def _lay_cards(game, player, n):
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    for i in range(n):
        lay_in_centre(game, player, hand, state[at + GIVE + i], n - 1 - i)
        if state[at + TO_LAY] == 0 and state[at + TO_TAKE] == 0:
            finish_swap(game, player)
        judge_swap(game)


@kernel()
def lay_cards(game, player, n):
    """Lay the first ``n`` cards that a player gives in the centre, and let the deal be judged after each."""
    _lay_cards(game, player, n)


@kernel(inline=True)
def on_put_down(game, player):
    """A player's cards land in the centre, free for all; his hand goes on to the card he wants."""
    state = game.state
    at = player_at(player)
    n = state[at + N_GIVE]
    begin_swap(game, player, state[at + HAND], n, n, n)
    count_look(game, player)
    _lay_cards(game, player, n)
    for i in range(n):
        _wake_for_card(game, player, state[at + GIVE + i] & 15)
    state[at + WON_TARGETS] = ALL_TARGETS
    drop_barred(game, player)
    if game.rules.grab_equal_only == 0 and lacks_target(game, player):
        _forget_gone(game, player)
    if state[at + N_TARGETS] < n:
        take_another(game, player, ONE)
    else:
        reach_out(game, player, state[NOW])


@kernel()
def on_given(game, player):
    """A player who has taken first lays his cards."""
    state = game.state
    at = player_at(player)
    n = state[at + N_GIVE]
    lay_cards(game, player, n)
    for i in range(n):
        wake_for_card(game, player, state[at + GIVE + i] & 15)
    state[at + FREE] = state[NOW]
    _after_swap(game, player)


@kernel()
def _forget_gone(game, player):
    """Drop the cards that have gone from those wanted. Returns how many those are."""
    state = game.state
    at = player_at(player)
    n_left = ZERO
    n = state[at + N_TARGETS]
    for i in range(n):
        card = state[at + TARGET + i]
        if in_centre(game, card) >= 0:
            state[at + TARGET + (n_left & 3)] = card
            n_left += 1
    state[at + N_TARGETS] = n_left
    return n - n_left


@kernel(inline=True)
def drop_barred(game, player):
    """Drop the cards from those wanted that have become barred for the player since he set off (A14, ``forbidden``)."""
    if game.rules.take_back_own == TakeBackOwn.FORBIDDEN:
        _drop_barred(game, player)


@kernel()
def _drop_barred(game, player):
    state = game.state
    at = player_at(player)
    lifted = bar_is_lifted(game, player, state[at + WON_TARGETS])
    n_left = ZERO
    won = ZERO
    for i in range(state[at + N_TARGETS]):
        card = state[at + TARGET + i]
        if in_centre(game, card) < 0 or not is_barred(game, player, card, lifted):
            won |= ((state[at + WON_TARGETS] >> i) & 1) << n_left
            state[at + TARGET + (n_left & 3)] = card
            n_left += 1
    state[at + N_TARGETS] = n_left
    state[at + WON_TARGETS] = won


@kernel()
def miss_gone(game, player):
    """Note for each card wanted that has gone that the hand came too late, and drop it."""
    state = game.state
    at = player_at(player)
    for i in range(state[at + N_TARGETS]):
        card = state[at + TARGET + i]
        if in_centre(game, card) < 0:
            _miss(game, player, card)
    _forget_gone(game, player)


@kernel()
def _miss(game, player, card):
    at = player_at(player)
    game.row[CONTESTED_LOST] += 1
    game.state[at + MISSED] = 1
    log_event(game, Kind.MISS, player, game.state[at + HAND], card, UNUSED)
    judge(game)


@kernel()
def take_settled(game, player, won):
    """Take the cards that are the player's after several hands had come for them."""
    take_won(game, player, won)


@kernel(inline=True)
def take_won(game, player, won):
    """Take those of the cards wanted that are the player's, bit by bit of ``won``."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    n_won = bits_of(won)
    if n_won == 0:
        return
    further = ZERO  # numbers of the rows count cards to be laid, too
    if rules.swap_order != SwapOrder.PUT_DOWN_FIRST:
        begin_swap(game, player, hand, n_won, n_won, n_won)
        count_look(game, player)
        state[at + N_GIVE] = n_won
        if rules.swap_order == SwapOrder.SIMULTANEOUS:
            lay_cards(game, player, n_won)
        else:
            further = n_won
    for i in range(state[at + N_TARGETS]):
        if (won >> i) & 1 == 1:
            card = state[at + TARGET + i]
            take_from_centre(game, player, hand, card, state[at + TO_TAKE] - 1 + further)
            if state[at + TO_TAKE] == 0 and state[at + TO_LAY] == 0:
                finish_swap(game, player)
            judge_swap(game)
    state[at + FREE] = max(state[NOW], state[at + TOUCH] + state[at + BACK])


@kernel()
def miss_rest(game, player, won):
    """Note the cards wanted that are not the player's; then he wants none."""
    state = game.state
    at = player_at(player)
    for i in range(state[at + N_TARGETS]):
        if (won >> i) & 1 == 0:
            _miss(game, player, state[at + TARGET + i])
    state[at + N_TARGETS] = 0


@kernel(inline=True)
def tell_others(game, player):
    """Let the others see what a player has taken and, in the same moment, laid."""
    state = game.state
    at = player_at(player)
    rest = others(game, player)
    while rest != 0:
        notice_gone(game, first_of(rest))
        rest &= rest - 1
    if game.rules.swap_order == SwapOrder.SIMULTANEOUS and state[at + WON_TARGETS] != 0:
        for i in range(state[at + N_GIVE]):
            wake_for_card(game, player, state[at + GIVE + i] & 15)


@kernel()
def go_on(game, player):
    """After a hand has taken or missed its cards: end the swap, go for others, lay in return, or look again."""
    state = game.state
    at = player_at(player)
    own = game.players[player]
    if state[at + UNDER_WAY] == 0:
        if state[at + WON_TARGETS] != 0:
            _after_swap(game, player)
        else:
            look_again(game, player, state[NOW])
    elif state[at + TO_TAKE] > 0:
        take_another(game, player, ONE)
    else:
        further = (state[at + TO_LAY] - 1) * own.further_card_us + own.seat_us
        laid = motor_time(game, player, own.put_down_card) + motor(game, player, further)
        state[at + COMMIT] = state[NOW]
        act(game, player, GIVING, state[at + FREE] + laid)


@kernel()
def _after_swap(game, player):
    after_swap(game, player)


@kernel(inline=True)
def after_swap(game, player):
    """A swap is done and the hand is on its way back: lay the bunch open, call too early, or look on."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player]
    height = state[bunch_at(state[at + HAND]) + HEIGHT]
    state[at + N_TARGETS] = 0
    state[at + PATIENCE] = 0
    if height == rules.bunch_size:
        act(game, player, OPENING, state[at + FREE] + motor_time(game, player, own.lay_complete_bunch))
        return
    settle_aim(game, player, ZERO)
    if (
        state[at + LEFT] == 1
        and height == rules.bunch_size - 1
        and next_32(game.streams, 1 + player) < own.p_false_call
    ):
        act(game, player, FALSE_CALLING, state[at + FREE] + motor_time(game, player, own.call))
        return
    look_again(game, player, state[at + FREE])
