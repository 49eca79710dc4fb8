"""The exchange game without a clock: at every step one of all improving swaps, drawn by player and then by swap.

In a loop: players whose bunches are all complete have won; a swap improves a bunch when the card taken has one of its
best ranks. A player is drawn among those who have such a swap, then one of his pairs of an unfinished bunch and a card
of the centre; the card given is drawn among the bunch's cards of lowest count of other ranks. When nobody has one, it
is a stall: players who give way swap a card of lowest count of any unfinished bunch against any card of the centre;
otherwise the rule for deadlocks applies. Chance comes from the table's stream alone. Time is the number of moves.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.instructions import nth_one
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, below_if_several
from stressim.exchange.choices import DeadlockRule, Ranking, SwapOrder, WinTie
from stressim.exchange.events import Outcome, Reason
from stressim.exchange.kernel.bars import all_laid_before, bars_cards, is_barred, open_ranks
from stressim.exchange.kernel.bunches import held_ranks, lowest_ranks
from stressim.exchange.kernel.counting import begin_lock, end_stall, note_what_is_watched, watch_lock
from stressim.exchange.kernel.ends import deal_again, end_deal, most_complete_wins, start_deal
from stressim.exchange.kernel.finish import all_are_ranked, take_place
from stressim.exchange.kernel.layout import (
    BEST,
    CENTRE,
    CENTRE_MASK,
    CHOICES,
    CLOSED,
    FIRST_DONE,
    FIRST_STALL_US,
    GIVES_WAY,
    HEIGHT,
    LENGTH_US,
    LOOKS,
    MOVES,
    N_CENTRE,
    N_HELD,
    N_UNFINISHED,
    NOW,
    OPEN,
    OUT,
    OUTCOME,
    REDEALS,
    STALLED_US,
    UNFINISHED,
    WATCHED,
    WINNER_US,
)
from stressim.exchange.kernel.places import (
    NOBODY,
    ONE,
    ZERO,
    bit_of,
    bits_of,
    bunch_at,
    bunch_cards,
    first_bunch,
    has_rank,
    player_at,
    remaining,
)
from stressim.exchange.kernel.swaps import begin_swap, end_swap, lay_in_centre, lay_open, take_from_centre
from stressim.exchange.kernel.teams import share_ways

MOST_MOVES = 20_000


@kernel()
def play_uniform(game, seed, deal):
    """Play one deal; ``row`` must hold zeros."""
    state = game.state
    row = game.row
    start_deal(game, seed, deal)
    for player in range(game.rules.n_players):
        state[player_at(player) + GIVES_WAY] = game.players[player].gives_way
    note_what_is_watched(game)
    if game.rules.team_size > 1:
        share_ways(game)
    _open_dealt(game)
    while state[OUTCOME] < 0:
        done = _who_is_done(game)
        if done >= 0 and done < game.rules.n_players:
            if game.rules.ranking != Ranking.NONE:
                take_place(game, done)
                if not all_are_ranked(game):
                    continue
            end_deal(game, Outcome.WON, done)
            continue
        if row[MOVES] >= MOST_MOVES or row[REDEALS] >= MOST_MOVES:
            end_deal(game, Outcome.UNFINISHED, NOBODY)
            continue
        if done >= 0:
            # Several at once, which only a deal can do, are near-simultaneous calls (A23).
            if game.rules.win_tie == WinTie.REDEAL:
                _deal_again(game, Reason.WIN_TIE)
            else:
                end_deal(game, Outcome.DRAWN, NOBODY)
            continue
        player = _improver(game)
        if player >= 0:
            end_stall(game)
            _improve(game, player)
            continue
        if state[N_UNFINISHED] > 0:
            begin_lock(game)
        if _giving_way(game) != 0:
            if state[WATCHED] != 0 and watch_lock(game, False):
                end_deal(game, Outcome.LIVELOCKED, NOBODY)
            else:
                _churn(game)
        elif game.rules.deadlock_rule == DeadlockRule.REDEAL and state[FIRST_DONE] < 0:
            _deal_again(game, Reason.DEADLOCK)
        elif game.rules.deadlock_rule == DeadlockRule.MOST_COMPLETE_WINS:
            most_complete_wins(game)
        else:
            end_deal(game, Outcome.DEADLOCKED, NOBODY)
    for column in (LENGTH_US, STALLED_US, FIRST_STALL_US, WINNER_US):  # there is no clock
        row[column] = 0


@kernel()
def _deal_again(game, reason):
    deal_again(game, np.int64(reason))
    _open_dealt(game)


@kernel()
def _open_dealt(game):
    """Lay open the bunches that were dealt complete, player by player."""
    rules = game.rules
    state = game.state
    for player in range(rules.n_sides):
        first = first_bunch(game, player)
        for bunch in range(first, first + rules.bunches_each):
            if state[bunch_at(bunch) + HEIGHT] == rules.bunch_size and state[bunch_at(bunch) + OPEN] == 0:
                lay_open(game, np.int64(player), np.int64(bunch))


@kernel(inline=True)
def _who_is_done(game):
    """The player who has laid open everything and has no place, ``n_players`` if several have, -1 if nobody has."""
    found = NOBODY
    for player in range(game.rules.n_sides):
        if remaining(game, player) == 0 and game.state[player_at(player) + OUT] == 0:
            found = np.int64(player) if found < 0 else game.rules.n_players
    return found


@kernel(inline=True)
def _drawn(game, mask):
    """Place of one of a mask's ones, each as likely."""
    return nth_one(np.uint64(mask), below(game.streams, ZERO, bits_of(mask)))


@kernel(inline=True)
def _takeable(game, player, ranks, barring, lifted):
    """The cards of the centre, as bits by their places, that have a rank of a mask and are not barred for a player."""
    mask = ZERO
    for i in range(game.state[N_CENTRE]):
        card = np.int64(game.cards[CENTRE + i])
        free = has_rank(ranks, card & 15)
        if barring:
            free = free and not is_barred(game, player, card, lifted)
        mask |= np.int64(free) << i
    return mask


@kernel(inline=True)
def _can_improve(game, player):
    """Whether a player has an improving swap."""
    ranks = open_ranks(game, player)
    first = first_bunch(game, player)
    best = ZERO
    for bunch in range(first, first + game.rules.bunches_each):
        best |= game.state[bunch_at(bunch) + BEST]
    return best & ranks != 0


@kernel(inline=True)
def _improver(game):
    """A player who has an improving swap, each as likely; -1 if nobody has."""
    able = ZERO
    for player in range(game.rules.n_players):
        able |= np.int64(_can_improve(game, player)) << player
    if able == 0:
        return NOBODY
    return nth_one(np.uint64(able), below_if_several(game.streams, ZERO, bits_of(able)))


@kernel(inline=True)
def _improve(game, player):
    """Make one of a player's improving swaps."""
    state = game.state
    ranks = open_ranks(game, player)
    barring = bars_cards(game, player)
    lifted = barring and all_laid_before(game, player)
    first = first_bunch(game, player)
    n_pairs = ZERO
    n_choices = ZERO
    for bunch in range(first, first + game.rules.bunches_each):
        best = state[bunch_at(bunch) + BEST] & ranks
        if best != 0:
            n_choices += bits_of(best)
            n_pairs += bits_of(_takeable(game, player, best, barring, lifted))
    game.row[LOOKS] += 1
    game.row[CHOICES] += 1 if n_choices > 1 else 0
    nth = below(game.streams, ZERO, n_pairs)
    for bunch in range(first, first + game.rules.bunches_each):
        best = state[bunch_at(bunch) + BEST] & ranks
        if best == 0:
            continue
        takeable = _takeable(game, player, best, barring, lifted)
        if nth < bits_of(takeable):
            taken = np.int64(game.cards[CENTRE + nth_one(np.uint64(takeable), nth)])
            given = _card_to_give(game, np.int64(bunch), taken & 15)
            _swap(game, player, np.int64(bunch), given, taken)
            return
        nth -= bits_of(takeable)


@kernel(inline=True)
def _card_to_give(game, bunch, taken):
    """A card of a bunch, each as likely among those of lowest count of ranks other than ``taken`` (-1: any rank)."""
    state = game.state
    cards = game.cards
    at = bunch_at(bunch)
    first = bunch_cards(bunch)
    held = held_ranks(game.counts[bunch])
    lowest = lowest_ranks(game.counts[bunch], held if taken < 0 else held & ~bit_of(taken))
    fewest = ZERO
    for i in range(state[at + N_HELD]):
        fewest |= np.int64(has_rank(lowest, np.int64(cards[first + i]) & 15)) << i
    return np.int64(cards[first + _drawn(game, fewest)])


@kernel()
def _swap(game, player, bunch, given, taken):
    """Swap one card, in the order that the rules ask for, and lay the bunch open if that completes it."""
    rules = game.rules
    state = game.state
    state[NOW] += 1
    begin_swap(game, player, bunch, ONE, ONE, ONE)
    if rules.swap_order == SwapOrder.TAKE_FIRST:
        take_from_centre(game, player, bunch, taken, ONE)
        lay_in_centre(game, player, bunch, given, ZERO)
    else:
        lay_in_centre(game, player, bunch, given, ZERO)
        take_from_centre(game, player, bunch, taken, ZERO)
    end_swap(game, player, bunch)
    if state[bunch_at(bunch) + HEIGHT] == rules.bunch_size:
        lay_open(game, player, bunch)


@kernel(inline=True)
def _giving_way(game):
    """The players, as bits, who swap cards that they do not need."""
    mask = ZERO
    for player in range(game.rules.n_players):
        at = player_at(player)
        mask |= np.int64(game.state[at + GIVES_WAY] == 1 and game.state[at + UNFINISHED] > 0) << player
    return mask


@kernel()
def _churn(game):
    """Swap a card that is not needed: any player who gives way, any unfinished bunch, any card of the centre."""
    state = game.state
    player = _drawn(game, _giving_way(game))
    bunch = first_bunch(game, player) + _drawn(game, state[player_at(player) + CLOSED])
    given = _card_to_give(game, bunch, NOBODY)
    barring = bars_cards(game, player)
    lifted = barring and all_laid_before(game, player)
    takeable = _takeable(game, player, state[CENTRE_MASK], barring, lifted)
    game.row[LOOKS] += 1
    game.row[CHOICES] += 1
    _swap(game, player, bunch, given, np.int64(game.cards[CENTRE + _drawn(game, takeable)]))
