"""Ranks that are shared out among more bunches than they complete, so that a card is lacking for ever."""

from __future__ import annotations

from stressim.compiled.jit import kernel
from stressim.exchange.kernel.layout import BEST, CENTRE_COUNT, HOPELESS, OUT
from stressim.exchange.kernel.places import ZERO, bunch_at, first_bunch, held_of, player_at


@kernel(inline=True)
def ranks_can_be_split(game):
    """Whether more bunches than a rank completes can each have more than half of their cards of it."""
    size = game.rules.bunch_size
    copies = game.rules.n_copies_total
    return (copies // size + 1) * (size // 2 + 1) <= copies


@kernel()
def count_loose_cards(game):
    """In a lock where everybody gives way and nobody yields, note when nobody can win for lack of loose cards.

    Cards that are more than half of a bunch are never laid, so it can be completed only with loose ones of their rank:
    of the centre, and of bunches with no more than half of it. Each that a bunch takes is one less for all of them, so
    whose bunches need more of a rank than are loose will need more of it for ever.
    """
    rules = game.rules
    state = game.state
    for player in range(rules.n_players):
        if state[player_at(player) + OUT] == 0 and not _needs_too_many(game, player):
            return
    state[HOPELESS] = 1


@kernel()
def _needs_too_many(game, player):
    """Whether a player's unfinished bunches need more cards of some rank than are loose."""
    rules = game.rules
    state = game.state
    first = first_bunch(game, player)
    for rank in range(rules.n_ranks):
        loose = state[CENTRE_COUNT + rank]
        needed = ZERO
        for bunch in range(rules.n_bunches):
            held = held_of(game, bunch, rank)
            if state[bunch_at(bunch) + BEST] == 0 or state[player_at(bunch // rules.bunches_each) + OUT] == 1:
                continue
            if 2 * held <= rules.bunch_size:
                loose += held
            elif first <= bunch < first + rules.bunches_each:
                needed += rules.bunch_size - held
        if needed > loose:
            return True
    return False
