"""Hands at the centre: cards laid and taken, hands that come too late, and several hands on one card."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, next_32
from stressim.exchange.events import Kind
from stressim.exchange.kernel.hands import (
    ALL_TARGETS,
    FALSE_CALLING,
    GIVING,
    HOLDING,
    IMPROVING,
    OPENING,
    PUTTING_BACK,
    PUTTING_DOWN,
    REACHING,
    RESTING,
    SETTLING,
    TOUCHING,
    WAITING,
    act,
    bar_is_lifted,
    better_ranks,
    is_target,
    known_best,
    look,
    motor,
    motor_time,
    reach,
    settle_aim,
    take_another,
)
from stressim.exchange.kernel.judge import judge
from stressim.exchange.kernel.layout import (
    ACT,
    ARRIVE,
    BACK,
    BEST,
    CHOICES,
    COMMIT,
    CONTESTED_LOST,
    DEADLINES,
    FAR,
    FREE,
    GIVE,
    GOES_ROUND,
    GROUP,
    HAND,
    HAS_CHOICE,
    HEIGHT,
    HOPELESS,
    LEFT,
    LOOKS,
    MISSED,
    N_GIVE,
    N_TARGETS,
    NEEDS_ANY,
    NOW,
    PATIENCE,
    PLACES,
    PLAN,
    SETTLED_AT,
    SETTLING_UNTIL,
    TABLE_BEST,
    TABLE_TIME,
    TARGET,
    TO_LAY,
    TO_TAKE,
    TOUCH,
    UNDER_WAY,
    WON_TARGETS,
)
from stressim.exchange.kernel.moves import (
    NOBODY,
    ONE,
    SMALL,
    UNUSED,
    ZERO,
    begin_swap,
    bits_of,
    bunch_at,
    end_swap,
    in_centre,
    is_barred,
    lay_in_centre,
    log_event,
    lowest_rank,
    player_at,
    position_came_back,
    take_from_centre,
)
from stressim.exchange.rules import ContestedCard, DeadlockRule, FalseCallPenalty, SwapOrder, TakeBackOwn, TouchTie

# --- what the others see ----------------------------------------------------------------------------------------------


@kernel()
def wake_for_card(game, laid_by, rank):
    """A card has come to the centre: those whom it helps look again."""
    state = game.state
    bit = ONE << rank
    for player in range(game.rules.n_players):
        at = player_at(player)
        what = state[at + ACT]
        if player == laid_by or state[at + COMMIT] <= state[NOW] or state[at + HAND] < 0:
            if what == HOLDING and player != laid_by:
                _wake_holder(game, np.int64(player), rank)
            continue
        if what != WAITING and what != PUTTING_BACK and what != PUTTING_DOWN and what != REACHING:
            continue
        if state[at + PLAN] == IMPROVING:
            continue
        if (
            state[bunch_at(state[at + HAND]) + BEST] & bit != 0
            or state[at + NEEDS_ANY] == 1
            or (state[at + TABLE_BEST] & bit != 0 and known_best(game, player) & bit != 0)
        ):
            look(game, np.int64(player), max(state[NOW], state[at + FREE]))


@kernel()
def _wake_holder(game, player, rank):
    """A card has come to the centre while a player waits for one to end his swap with."""
    if game.state[player_at(player) + NEEDS_ANY] == 1 or (better_ranks(game, player) >> rank) & 1 == 1:
        take_another(game, player, ONE)


@kernel()
def _lacks_target(game, player):
    """Whether a card that a player wants has gone from the centre."""
    state = game.state
    at = player_at(player)
    gone = False
    for i in range(state[at + N_TARGETS]):
        gone = gone or in_centre(game, state[at + TARGET + (i & 3)]) < 0
    return gone


@kernel(inline=True)
def _notice_gone(game, player):
    """A card has gone from the centre: a player who wanted it and has not set off looks again."""
    state = game.state
    at = player_at(player)
    what = state[at + ACT]
    if (what != PUTTING_DOWN and what != REACHING) or not _lacks_target(game, player):
        return
    if state[at + COMMIT] > state[NOW]:
        look(game, player, max(state[NOW], state[at + FREE]))
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


# --- laying -----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def _count_look(game, player):
    game.row[LOOKS] += 1
    game.row[CHOICES] += game.state[player_at(player) + HAS_CHOICE]


@kernel()
def lay_cards(game, player, n):
    """Lay the first ``n`` cards that a player gives in the centre, and let the deal be judged after each."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    for i in range(n):
        lay_in_centre(game, player, hand, state[at + GIVE + (i & 3)], n - 1 - i)
        if state[at + TO_LAY] == 0 and state[at + TO_TAKE] == 0:
            _finish_swap(game, player)
        judge(game)


@kernel(inline=True)
def on_put_down(game, player):
    """A player's cards land in the centre, free for all; his hand goes on to the card he wants."""
    state = game.state
    at = player_at(player)
    n = state[at + N_GIVE]
    begin_swap(game, player, state[at + HAND], n, n, n)
    _count_look(game, player)
    lay_cards(game, player, n)
    for i in range(n):
        wake_for_card(game, player, state[at + GIVE + (i & 3)] & 15)
    state[at + WON_TARGETS] = ALL_TARGETS
    drop_barred(game, player)
    if game.rules.grab_equal_only == 0 and _lacks_target(game, player):
        _forget_gone(game, player)
    if state[at + N_TARGETS] < n:
        take_another(game, player, ONE)
    else:
        reach(game, player, state[NOW])


@kernel()
def on_given(game, player):
    """A player who has taken first lays his cards."""
    state = game.state
    at = player_at(player)
    n = state[at + N_GIVE]
    lay_cards(game, player, n)
    for i in range(n):
        wake_for_card(game, player, state[at + GIVE + (i & 3)] & 15)
    state[at + FREE] = state[NOW]
    after_swap(game, player)


@kernel()
def _forget_gone(game, player):
    """Drop the cards that have gone from those wanted. Returns how many those are."""
    state = game.state
    at = player_at(player)
    n_left = ZERO
    n = state[at + N_TARGETS]
    for i in range(n):
        card = state[at + TARGET + (i & 3)]
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
        card = state[at + TARGET + (i & 3)]
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
        card = state[at + TARGET + (i & 3)]
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


# --- taking -----------------------------------------------------------------------------------------------------------


@kernel()
def _finish_swap(game, player):
    """A swap is done: it is counted, and clocks that run from the last swap begin anew."""
    rules = game.rules
    state = game.state
    end_swap(game, player, state[player_at(player) + HAND])
    restart_clocks(game, player)
    if state[HOPELESS] == 1 and rules.false_call_penalty != FalseCallPenalty.FORFEIT:
        rule = rules.deadlock_rule
        if rule != DeadlockRule.REDEAL and rule != DeadlockRule.MOST_COMPLETE_WINS and position_came_back(game):
            state[GOES_ROUND] = 1


@kernel(inline=True)
def restart_clocks(game, player):
    """After a swap or a complete bunch the player's deadline and the table's wait begin anew."""
    rules = game.rules
    state = game.state
    if rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE:
        state[(DEADLINES + player) & SMALL] = state[NOW] + rules.swap_deadline_us
    elif rules.deadlock_rule != DeadlockRule.NONE:
        state[TABLE_TIME] = state[NOW] + rules.deadlock_wait_us


@kernel()
def _take_won(game, player, won):
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
        _count_look(game, player)
        state[at + N_GIVE] = n_won
        if rules.swap_order == SwapOrder.SIMULTANEOUS:
            lay_cards(game, player, n_won)
        else:
            further = n_won
    for i in range(state[at + N_TARGETS]):
        if (won >> i) & 1 == 1:
            card = state[at + TARGET + (i & 3)]
            take_from_centre(game, player, hand, card, state[at + TO_TAKE] - 1 + further)
            if state[at + TO_TAKE] == 0 and state[at + TO_LAY] == 0:
                _finish_swap(game, player)
            judge(game)
    state[at + FREE] = max(state[NOW], state[at + TOUCH] + state[at + BACK])


@kernel()
def _miss_rest(game, player, won):
    """Note the cards wanted that are not the player's; then he wants none."""
    state = game.state
    at = player_at(player)
    for i in range(state[at + N_TARGETS]):
        if (won >> i) & 1 == 0:
            _miss(game, player, state[at + TARGET + (i & 3)])
    state[at + N_TARGETS] = 0


@kernel()
def _tell_others(game, player):
    """Let the others see what a player has taken and, in the same moment, laid."""
    state = game.state
    at = player_at(player)
    for other in range(game.rules.n_players):
        if other != player:
            _notice_gone(game, np.int64(other))
    if game.rules.swap_order == SwapOrder.SIMULTANEOUS and state[at + WON_TARGETS] != 0:
        for i in range(state[at + N_GIVE]):
            wake_for_card(game, player, state[at + GIVE + (i & 3)] & 15)


@kernel()
def go_on(game, player):
    """After a hand has taken or missed its cards: end the swap, go for others, lay in return, or look again."""
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    if state[at + UNDER_WAY] == 0:
        if state[at + WON_TARGETS] != 0:
            after_swap(game, player)
        else:
            look(game, player, state[NOW])
    elif state[at + TO_TAKE] > 0:
        take_another(game, player, ONE)
    else:
        further = (state[at + TO_LAY] - 1) * own.further_card_us + own.seat_us
        laid = motor_time(game, player, own.put_down_card) + motor(game, player, further)
        state[at + COMMIT] = state[NOW]
        act(game, player, GIVING, state[at + FREE] + laid)


@kernel(inline=True)
def on_arrival(game, player):
    """A hand comes to the cards it wants, or brings them home: they are the player's, gone, or contested."""
    state = game.state
    at = player_at(player)
    state[at + WON_TARGETS] = ALL_TARGETS
    n = state[at + N_TARGETS]
    drop_barred(game, player)
    if state[at + N_TARGETS] < n and state[at + UNDER_WAY] > 0:
        take_another(game, player, ONE)
        return
    if _has_rival(game, player):
        _gather_hands(game, player)
        return
    won = ZERO
    for i in range(state[at + N_TARGETS]):
        if in_centre(game, state[at + TARGET + (i & 3)]) >= 0:
            won |= ONE << i
    state[at + WON_TARGETS] = won
    _take_won(game, player, won)
    _miss_rest(game, player, won)
    if won != 0:
        _tell_others(game, player)
    go_on(game, player)


@kernel()
def on_touch(game, player):
    """A hand that was to bring cards home sees at the touch that one has gone."""
    state = game.state
    at = player_at(player)
    miss_gone(game, player)
    if state[at + GROUP] != 0:
        act(game, player, SETTLING, state[at + SETTLED_AT])
    elif state[at + N_TARGETS] > 0:
        act(game, player, REACHING, state[at + ARRIVE])
    else:
        state[at + WON_TARGETS] = 0
        go_on(game, player)


# --- several hands on one card ----------------------------------------------------------------------------------------


@kernel()
def _shares_target(game, player, other):
    """Whether two players want one card."""
    state = game.state
    at = player_at(other)
    shared = False
    for i in range(state[at + N_TARGETS]):
        shared = shared or is_target(game, player, state[at + TARGET + (i & 3)])
    return shared


@kernel()
def _hand_is_out(game, player):
    """Whether a player's hand is on its way to cards or on them."""
    state = game.state
    at = player_at(player)
    what = state[at + ACT]
    return what == SETTLING or (what in (REACHING, TOUCHING) and state[at + COMMIT] <= state[NOW])


@kernel()
def _close_enough(game, player, first):
    """Whether a hand came as early as the first at a card, as far as anybody can tell."""
    rules = game.rules
    at = player_at(player)
    if rules.contested_card == ContestedCard.RANDOM:
        return game.state[at + TOUCH] <= game.state[NOW]
    return game.state[at + ARRIVE] - first < rules.tie_window_us or game.state[at + ARRIVE] == first


@kernel(inline=True)
def _has_rival(game, player):
    """Whether another hand has as good a claim to a card that this one has come for."""
    found = False
    for other in range(game.rules.n_players):
        if other != player and _hand_is_out(game, other):
            close = game.state[player_at(other) + ACT] == SETTLING or _close_enough(game, other, game.state[NOW])
            found = found or (close and _shares_target(game, player, np.int64(other)))
    return found


@kernel()
def _first_at(game, card):
    """When the first of the hands that are out comes to a card."""
    state = game.state
    first = FAR
    for player in range(game.rules.n_players):
        if _hand_is_out(game, player) and is_target(game, np.int64(player), card):
            first = min(first, state[player_at(player) + ARRIVE])
    return first


@kernel()
def _belongs(game, player, other):
    """Whether a hand must be settled with that of a player who is being settled."""
    state = game.state
    if state[player_at(other) + ACT] == SETTLING:
        return _shares_target(game, player, other)
    at = player_at(player)
    for i in range(state[at + N_TARGETS]):
        card = state[at + TARGET + (i & 3)]
        if is_target(game, other, card):
            first = _first_at(game, card)
            if _close_enough(game, other, first) and _close_enough(game, player, first):
                return True
    return False


@kernel()
def _gather_hands(game, player):
    """Put together all hands that must be settled with one that arrives, and settle them when the last is there."""
    state = game.state
    n_players = game.rules.n_players
    group = player + 1
    until = state[NOW]
    inside = ONE << player
    grown = True
    while grown:
        grown = False
        for member in range(n_players):
            if (inside >> member) & 1 == 0:
                continue
            for other in range(n_players):
                if (inside >> other) & 1 == 1 or not _hand_is_out(game, other):
                    continue
                if _belongs(game, np.int64(member), np.int64(other)):
                    inside |= ONE << other
                    grown = True
    for member in range(n_players):
        at = player_at(member)
        if (inside >> member) & 1 == 1:
            if game.rules.contested_card != ContestedCard.RANDOM:
                until = max(until, state[at + ARRIVE])
            if state[at + ACT] == SETTLING:
                until = max(until, state[at + SETTLED_AT])
    for member in range(n_players):
        at = player_at(member)
        if (inside >> member) & 1 == 1:
            state[at + GROUP] = group
            state[at + SETTLED_AT] = until
            if state[at + ACT] != TOUCHING or state[at + TOUCH] >= until:
                act(game, np.int64(member), SETTLING, until)
    state[SETTLING_UNTIL] = max(state[SETTLING_UNTIL], until)
    if until == state[NOW]:
        settle(game, group)


@kernel()
def settle(game, group):
    """Say whose each card is that the hands of a group have come for, and let them have it."""
    rules = game.rules
    state = game.state
    n_players = rules.n_players
    for player in range(n_players):
        at = player_at(player)
        if state[at + GROUP] == group and state[at + ACT] == SETTLING:
            state[at + WON_TARGETS] = 0
    for player in range(n_players):
        at = player_at(player)
        if state[at + GROUP] == group and state[at + ACT] == SETTLING:
            for i in range(state[at + N_TARGETS]):
                _give_to_one(game, group, state[at + TARGET + (i & 3)])
    members = ZERO
    for player in range(n_players):
        at = player_at(player)
        if state[at + GROUP] == group and state[at + ACT] == SETTLING:
            members |= ONE << player
            act(game, np.int64(player), RESTING, FAR)
            state[at + GROUP] = 0
            drop_barred(game, np.int64(player))
            _take_won(game, np.int64(player), state[at + WON_TARGETS])
    redone = ZERO
    for player in range(n_players):
        if (members >> player) & 1 == 1:
            at = player_at(player)
            for i in range(state[at + N_TARGETS]):
                card = state[at + TARGET + (i & 3)]
                if in_centre(game, card) >= 0:
                    redone |= ONE << (card & 15)
            _miss_rest(game, np.int64(player), state[at + WON_TARGETS])
    state[SETTLING_UNTIL] = _last_settling(game)
    for player in range(n_players):
        if (members >> player) & 1 == 1:
            _tell_others(game, np.int64(player))
    for player in range(n_players):
        if (members >> player) & 1 == 1:
            go_on(game, np.int64(player))
    while redone != 0:  # cards that were let go lie there for others again
        wake_for_card(game, NOBODY, lowest_rank(redone))
        redone &= redone - 1


@kernel()
def _last_settling(game):
    """Until when the last of the hands that lie on cards is there."""
    state = game.state
    until = ZERO
    for player in range(game.rules.n_players):
        at = player_at(player)
        if state[at + ACT] == SETTLING:
            until = max(until, state[at + SETTLED_AT])
    return until


@kernel()
def _give_to_one(game, group, card):
    """Give a card to one of a group's hands that came as early as the first (A16, A-U4), once."""
    rules = game.rules
    state = game.state
    first = FAR
    for player in range(rules.n_players):
        at = player_at(player)
        if state[at + GROUP] == group and state[at + ACT] == SETTLING:
            for i in range(state[at + N_TARGETS]):
                if state[at + TARGET + (i & 3)] == card:
                    if (state[at + WON_TARGETS] >> i) & 1 == 1:
                        return
                    first = min(first, state[at + ARRIVE])
    if in_centre(game, card) < 0:
        return
    n = ZERO
    winner = NOBODY
    bit = ZERO
    for player in range(rules.n_players):
        at = player_at(player)
        if state[at + GROUP] == group and state[at + ACT] == SETTLING and _close_enough(game, player, first):
            for i in range(state[at + N_TARGETS]):
                if state[at + TARGET + (i & 3)] == card:
                    n += 1
                    if n == 1 or below(game.streams, ZERO, n) == 0:
                        winner = np.int64(player)
                        bit = ONE << i
    if n > 1 and rules.touch_tie == TouchTie.REDO and rules.contested_card != ContestedCard.RANDOM:
        return
    if winner >= 0:
        state[player_at(winner) + WON_TARGETS] |= bit


@kernel()
def after_swap(game, player):
    """A swap is done and the hand is on its way back: lay the bunch open, call too early, or look on."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    height = state[bunch_at(state[at + HAND]) + HEIGHT]
    state[at + N_TARGETS] = 0
    state[at + PATIENCE] = 0
    if height == rules.bunch_size:
        act(game, player, OPENING, state[at + FREE] + motor_time(game, player, own.lay_complete_bunch))
        return
    settle_aim(game, player, ZERO)
    if (
        height == rules.bunch_size - 1
        and state[at + LEFT] == 1
        and next_32(game.streams, 1 + player) < own.p_false_call
    ):
        act(game, player, FALSE_CALLING, state[at + FREE] + motor_time(game, player, own.call))
        return
    look(game, player, state[at + FREE])
