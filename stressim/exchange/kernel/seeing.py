"""What a player sees in the centre and remembers of his bunches and of the others' takes."""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import nth_one, unseen
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, below_if_several
from stressim.exchange.choices import TakeBackOwn
from stressim.exchange.habits import Concede, GrabMemory, TargetChoice
from stressim.exchange.kernel.acts import ALL_TARGETS, SETTLING
from stressim.exchange.kernel.bars import bars_cards, is_barred, laid_before
from stressim.exchange.kernel.layout import (
    ACT,
    AIM,
    BEST,
    CENTRE,
    CENTRE_MASK,
    FAR,
    HAND,
    HEIGHT,
    KNOWN_BEST,
    KNOWN_UNTIL,
    LAST_TAKEN,
    N_CENTRE,
    N_TARGETS,
    NOW,
    REMEMBERED,
    SETTLING_UNTIL,
    TABLE_BEST,
    TAKEN,
    TARGET,
)
from stressim.exchange.kernel.places import (
    NOBODY,
    ZERO,
    bit_of,
    bits_of,
    bunch_at,
    first_bunch,
    first_of,
    has_rank,
    lowest_rank,
    player_at,
    random_rank,
    rivals,
)


@kernel()
def is_settling(game, card):
    """Whether hands lie on a card and it is open whose it is."""
    state = game.state
    for player in range(game.rules.n_players):
        at = player_at(player)
        if state[at + ACT] == SETTLING:
            for i in range(state[at + N_TARGETS]):
                if state[at + TARGET + i] == card:
                    return True
    return False


@kernel()
def is_target(game, player, card):
    """Whether a player wants a card already."""
    at = player_at(player)
    wanted = False
    for i in range(game.state[at + N_TARGETS]):
        wanted = wanted or game.state[at + TARGET + i] == card
    return wanted


@kernel()
def bar_is_lifted(game, player, won):
    """Whether taking those of the cards wanted that ``won`` has as bits lifts the bar on own cards (``forbidden``)."""
    state = game.state
    at = player_at(player)
    for i in range(state[N_CENTRE]):
        card = np.int64(game.cards[CENTRE + i])
        if not laid_before(game, player, card):
            taken = False
            for j in range(state[at + N_TARGETS]):
                taken = taken or (state[at + TARGET + (j & 3)] == card and (won >> j) & 1 == 1)
            if not taken:
                return False
    return True


@kernel(inline=True)
def _is_lifted(game, player):
    return game.rules.take_back_own == TakeBackOwn.FORBIDDEN and bar_is_lifted(game, player, ALL_TARGETS)


@kernel()
def free_cards(game, player, mask):
    """How many cards in the centre, of ranks of a mask, a player can go for besides those he wants already."""
    state = game.state
    lifted = _is_lifted(game, player)
    n = ZERO
    for i in range(state[N_CENTRE]):
        card = np.int64(game.cards[CENTRE + i])
        if has_rank(mask, card & 15) and _is_free(game, player, card, lifted):
            n += 1
    return n


@kernel()
def _is_free(game, player, card, lifted):
    if is_barred(game, player, card, lifted) or is_target(game, player, card):
        return False
    return not (game.state[SETTLING_UNTIL] > game.state[NOW] and is_settling(game, card))


@kernel()
def _free_ranks_by_card(game, player):
    lifted = _is_lifted(game, player)
    mask = ZERO
    for i in range(game.state[N_CENTRE]):
        card = np.int64(game.cards[CENTRE + i])
        if _is_free(game, player, card, lifted):
            mask |= bit_of(card & 15)
    return mask


@kernel(inline=True)
def free_ranks(game, player):
    """Mask of the ranks of the cards in the centre that a player can go for."""
    state = game.state
    if state[SETTLING_UNTIL] > state[NOW] or bars_cards(game, player) or state[player_at(player) + N_TARGETS] > 0:
        return _free_ranks_by_card(game, player)
    return state[CENTRE_MASK]


@kernel(inline=True)
def want_card(game, player, mask):
    """Add a card of the centre to those that a player wants: any free one of a mask's ranks. Returns its rank or -1."""
    state = game.state
    at = player_at(player)
    found = NOBODY
    if state[SETTLING_UNTIL] > state[NOW] or bars_cards(game, player) or state[at + N_TARGETS] > 0:
        found = _any_free(game, player, mask)
        if found < 0:
            return NOBODY
    else:
        fits = ZERO
        for i in range(state[N_CENTRE]):
            fits |= ((mask >> ((np.int64(game.cards[CENTRE + i]) & 15) << 2)) & 1) << i
        nth = below_if_several(game.streams, 1 + player, bits_of(fits))
        found = np.int64(game.cards[CENTRE + nth_one(np.uint64(fits), nth)])
    state[at + TARGET + (state[at + N_TARGETS] & 3)] = found
    state[at + N_TARGETS] += 1
    return found & 15


@kernel()
def _any_free(game, player, mask):
    """A free card of a mask's ranks by chance, where some cards may not be free; -1 if there is none."""
    lifted = _is_lifted(game, player)
    n = ZERO
    found = NOBODY
    for i in range(game.state[N_CENTRE]):
        card = np.int64(game.cards[CENTRE + i])
        if has_rank(mask, card & 15) and _is_free(game, player, card, lifted):
            n += 1
            if n == 1 or below(game.streams, 1 + player, n) == 0:
                found = card
    return found


@kernel()
def _recall(game, player):
    """Go through what a player remembers of his bunches on the table."""
    state = game.state
    at = player_at(player)
    now = state[NOW]
    best = ZERO
    until = FAR
    first = first_bunch(game, player)
    for bunch in range(first, first + game.rules.bunches_each):
        here = bunch_at(bunch)
        remembered = state[here + REMEMBERED]
        forgotten = unseen((remembered - now - 1) >> 63)  # all ones or none: chance decides it, so there is no branch
        best |= state[here + BEST] & ~forgotten
        until = min(until, remembered | (forgotten & FAR))
    state[at + KNOWN_BEST] = best
    state[at + KNOWN_UNTIL] = until


@kernel(inline=True)
def known_best(game, player):
    """Mask of the best ranks of a player's bunches on the table, as he remembers."""
    state = game.state
    at = player_at(player)
    if state[at + KNOWN_UNTIL] <= state[NOW]:
        _recall(game, player)
    return state[at + KNOWN_BEST]


@kernel(inline=True)
def seen_taken(game, player):
    """Mask of the ranks that a player has seen others take, as he remembers."""
    state = game.state
    memory = game.players[player].grab_memory
    mask = ZERO
    rest = rivals(game, player)
    while rest != 0:
        at = player_at(first_of(rest))
        rest &= rest - 1
        if memory == GrabMemory.LAST:
            mask |= state[at + LAST_TAKEN]
        elif memory == GrabMemory.ALL:
            mask |= state[at + TAKEN]
    return mask


@kernel(inline=True)
def _undisputed(game, player, best):
    """Leave out the ranks of which another own bunch, as far as he remembers, has more; unless none is left."""
    state = game.state
    at = player_at(player)
    now = state[NOW]
    height = state[bunch_at(state[at + HAND]) + HEIGHT]
    disputed = ZERO
    first = first_bunch(game, player)
    for bunch in range(first, first + game.rules.bunches_each):
        here = bunch_at(bunch)
        disputes = unseen(((now - state[here + REMEMBERED]) & (height - state[here + HEIGHT])) >> 63)
        disputed |= state[here + BEST] & disputes
    rest = best & ~disputed
    return rest if rest != 0 else best


@kernel(inline=True)
def accepted(game, player, best):
    """Which of the best ranks of the bunch in hand a player goes for while his patience lasts."""
    if best & (best - 1) != 0:
        conceding = game.players[player].concede == Concede.LOWER
        if conceding and game.state[player_at(player) + TABLE_BEST] & best != 0:
            best = _undisputed(game, player, best)
        aim = game.state[player_at(player) + AIM]
        if aim >= 0 and has_rank(best, aim):
            best = bit_of(aim)
    return best


@kernel(inline=True)
def settle_aim(game, player, picked_up):
    """Settle the bunch in hand on a rank by habit, after it was picked up or a swap was made."""
    state = game.state
    at = player_at(player)
    own = game.players[player]
    here = bunch_at(state[at + HAND])
    best = state[here + BEST]
    aim = NOBODY if picked_up == 1 else state[at + AIM]
    if best & (best - 1) == 0:
        settled = np.int64(best != 0) & np.int64(state[here + HEIGHT] >= own.commit_at)
        aim = (lowest_rank(best) + 1) * unseen(settled) - 1
    elif aim < 0 or not has_rank(best, aim):
        aim = NOBODY
        if own.target_choice == TargetChoice.RANDOM:
            aim = random_rank(game, 1 + player, best)
    state[at + AIM] = aim
