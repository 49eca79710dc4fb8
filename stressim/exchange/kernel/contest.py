"""Several hands on one card: whose it is, and when that is settled."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.compiled.rng import below
from stressim.exchange.choices import ContestedCard, TouchTie
from stressim.exchange.kernel.acts import ALL_TARGETS, REACHING, RESTING, SETTLING, TOUCHING, act
from stressim.exchange.kernel.bunches import in_centre
from stressim.exchange.kernel.hands import take_another
from stressim.exchange.kernel.layout import (
    ACT,
    ARRIVE,
    COMMIT,
    FAR,
    GROUP,
    N_TARGETS,
    NOW,
    SETTLED_AT,
    SETTLING_UNTIL,
    TARGET,
    TOUCH,
    UNDER_WAY,
    WON_TARGETS,
)
from stressim.exchange.kernel.places import NOBODY, ONE, ZERO, bit_of, first_of, lowest_rank, others, player_at
from stressim.exchange.kernel.reaching import (
    after_swap,
    drop_barred,
    go_on,
    miss_gone,
    miss_rest,
    take_settled,
    take_won,
    tell_others,
    wake_for_card,
)
from stressim.exchange.kernel.seeing import is_target


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
    if has_rival(game, player):
        gather_hands(game, player)
        return
    won = ZERO
    for i in range(state[at + N_TARGETS]):
        if in_centre(game, state[at + TARGET + i]) >= 0:
            won |= ONE << i
    state[at + WON_TARGETS] = won
    take_won(game, player, won)
    if won != (ONE << state[at + N_TARGETS]) - 1:
        miss_rest(game, player, won)
    state[at + N_TARGETS] = 0
    if won != 0:
        tell_others(game, player)
    if won != 0 and state[at + UNDER_WAY] == 0:
        after_swap(game, player)
    else:
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


@kernel()
def _shares_target(game, player, other):
    """Whether two players want one card."""
    state = game.state
    at = player_at(other)
    shared = False
    for i in range(state[at + N_TARGETS]):
        shared = shared or is_target(game, player, state[at + TARGET + i])
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
def has_rival(game, player):
    """Whether another hand has as good a claim to a card that this one has come for."""
    found = False
    rest = others(game, player)
    while rest != 0:
        other = first_of(rest)
        rest &= rest - 1
        if _hand_is_out(game, other):
            close = game.state[player_at(other) + ACT] == SETTLING or _close_enough(game, other, game.state[NOW])
            found = found or (close and _shares_target(game, player, other))
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
        card = state[at + TARGET + i]
        if is_target(game, other, card):
            first = _first_at(game, card)
            if _close_enough(game, other, first) and _close_enough(game, player, first):
                return True
    return False


@kernel()
def gather_hands(game, player):
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
                _give_to_one(game, group, state[at + TARGET + i])
    members = ZERO
    for player in range(n_players):
        at = player_at(player)
        if state[at + GROUP] == group and state[at + ACT] == SETTLING:
            members |= ONE << player
            act(game, np.int64(player), RESTING, FAR)
            state[at + GROUP] = 0
            drop_barred(game, np.int64(player))
            take_settled(game, np.int64(player), state[at + WON_TARGETS])
    redone = ZERO
    for player in range(n_players):
        if (members >> player) & 1 == 1:
            at = player_at(player)
            for i in range(state[at + N_TARGETS]):
                card = state[at + TARGET + i]
                if in_centre(game, card) >= 0:
                    redone |= bit_of(card & 15)
            miss_rest(game, np.int64(player), state[at + WON_TARGETS])
    state[SETTLING_UNTIL] = _last_settling(game)
    for player in range(n_players):
        if (members >> player) & 1 == 1:
            tell_others(game, np.int64(player))
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
                if state[at + TARGET + i] == card:
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
                if state[at + TARGET + i] == card:
                    n += 1
                    if n == 1 or below(game.streams, ZERO, n) == 0:
                        winner = np.int64(player)
                        bit = ONE << i
    if n > 1 and rules.touch_tie == TouchTie.REDO and rules.contested_card != ContestedCard.RANDOM:
        return
    if winner >= 0:
        state[player_at(winner) + WON_TARGETS] |= bit
