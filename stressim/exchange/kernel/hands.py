"""What one player does under the clock: look, choose cards, reach, wait, give way, put a bunch back, pick one up.

A plan is made from what lies in the centre when it is made; until its ``COMMIT`` the player still sees what changes
and plans anew. A look that finds nothing is no event of its own: the player is known to give way at a certain moment,
unless a card that lands before it helps him.
"""

from __future__ import annotations

import numpy as np

from stressim.compiled.clock import scaled
from stressim.compiled.jit import kernel
from stressim.compiled.rng import below, high_32, low_32, next_32, next_word, sample
from stressim.exchange.habits import (
    AtDeadline,
    ChurnTake,
    Concede,
    GrabMemory,
    NextBunch,
    OwnMemory,
    TargetChoice,
    WhenSnatched,
)
from stressim.exchange.kernel.layout import (
    ACT,
    AIM,
    ARRIVE,
    BACK,
    BEST,
    CENTRE,
    CENTRE_MASK,
    COGNITIVE,
    COMMIT,
    DEADLINES,
    FAR,
    GIVE,
    GROUP,
    HAND,
    HAS_CHOICE,
    HEIGHT,
    HELD,
    KNOWN_BEST,
    KNOWN_UNTIL,
    LAST_BUNCH,
    LAST_TAKEN,
    LEFT,
    LOWEST,
    MISSED,
    MOTOR,
    N_CENTRE,
    N_GIVE,
    N_HELD,
    N_TARGETS,
    NEEDS_ANY,
    NEXT,
    NOW,
    OPEN,
    PATIENCE,
    PLACES,
    PLAN,
    REMEMBERED,
    SEEN,
    SETTLING_UNTIL,
    START_HEIGHT,
    TABLE_BEST,
    TAKEN,
    TARGET,
    TIMES,
    TO_TAKE,
    TOUCH,
    WISH,
)
from stressim.exchange.kernel.moves import (
    NOBODY,
    ONE,
    SMALL,
    UONE,
    ZERO,
    bars_cards,
    bits_of,
    bunch_at,
    bunch_cards,
    first_bunch,
    held_of,
    is_barred,
    laid_before,
    lowest_rank,
    lowest_ranks,
    player_at,
    random_rank,
)
from stressim.exchange.rules import AfterSnatch, ContestedCard, SwapOrder, TakeBackOwn

# What a player has under way
RESTING = np.int64(0)  # nothing, for ever
PICKING_UP = np.int64(1)
PUTTING_BACK = np.int64(2)
WAITING = np.int64(3)
PUTTING_DOWN = np.int64(4)
REACHING = np.int64(5)
TOUCHING = np.int64(6)  # reaching, and will see at the touch that a card has gone
SETTLING = np.int64(7)  # several hands lie on a card
HOLDING = np.int64(8)  # waits for a card to end the swap with
GIVING = np.int64(9)  # has taken first, and lays
OPENING = np.int64(10)
CALLING = np.int64(11)
FALSE_CALLING = np.int64(12)

# Why a player swaps
NOTHING = np.int64(0)
IMPROVING = np.int64(1)
GIVING_WAY = np.int64(2)

# What a player will do when his patience is at an end
SWITCH = np.int64(1)
CHURN = np.int64(2)
YIELD = np.int64(3)
NEVER = np.int64(4)

ALL_TARGETS = np.int64(15)
_MOST_WAITS = 64  # times that a player decides to wait on before it becomes an event of its own


# --- times ----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def cognitive(game, player, time):
    """Scale a time of eyes and mind by the player's person factor."""
    return scaled(time, game.state[player_at(player) + COGNITIVE])


@kernel(inline=True)
def motor(game, player, time):
    """Scale a time of the hand by the player's person factor."""
    return scaled(time, game.state[player_at(player) + MOTOR])


@kernel()
def motor_time(game, player, which):
    """Draw the time of a movement; ``which`` is the row of the player's tables."""
    return motor(game, player, sample(game.tables, player, which, next_32(game.streams, 1 + player)))


@kernel()
def look_time(game, player, bits):
    """Time to look at all the cards in the centre."""
    own = game.players[player & PLACES]
    notice = sample(game.tables, player, own.notice_base, bits)
    return cognitive(game, player, notice + game.state[N_CENTRE] * own.scan_per_card_us)


@kernel()
def draw_patience(game, player):
    """Draw how long a player waits before he gives way."""
    own = game.players[player & PLACES]
    time = sample(game.tables, player, own.patience, next_32(game.streams, 1 + player))
    return (time * own.patience_factor_x65536) >> 16


@kernel(inline=True)
def act(game, player, what, when):
    """Set what a player has under way and when that is done."""
    game.state[player_at(player) + ACT] = what
    game.state[(TIMES + player) & SMALL] = when


# --- what a player sees and remembers ---------------------------------------------------------------------------------


@kernel()
def is_settling(game, card):
    """Whether hands lie on a card and it is open whose it is."""
    state = game.state
    for player in range(game.rules.n_players):
        at = player_at(player)
        if state[at + ACT] == SETTLING:
            for i in range(state[at + N_TARGETS]):
                if state[at + TARGET + (i & 3)] == card:
                    return True
    return False


@kernel()
def is_target(game, player, card):
    """Whether a player wants a card already."""
    at = player_at(player)
    wanted = False
    for i in range(game.state[at + N_TARGETS]):
        wanted = wanted or game.state[at + TARGET + (i & 3)] == card
    return wanted


@kernel()
def bar_is_lifted(game, player, won):
    """Whether taking those of the cards wanted that ``won`` has as bits lifts the bar on own cards (``forbidden``)."""
    state = game.state
    at = player_at(player)
    for i in range(state[N_CENTRE]):
        card = np.int64(game.cards[(CENTRE + i) & SMALL])
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
        card = np.int64(game.cards[(CENTRE + i) & SMALL])
        if (mask >> (card & 15)) & 1 == 1 and _is_free(game, player, card, lifted):
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
        card = np.int64(game.cards[(CENTRE + i) & SMALL])
        if _is_free(game, player, card, lifted):
            mask |= ONE << (card & 15)
    return mask


@kernel(inline=True)
def free_ranks(game, player):
    """Mask of the ranks of the cards in the centre that a player can go for."""
    state = game.state
    if state[SETTLING_UNTIL] > state[NOW] or bars_cards(game, player) or state[player_at(player) + N_TARGETS] > 0:
        return _free_ranks_by_card(game, player)
    return state[CENTRE_MASK]


@kernel()
def want_card(game, player, mask):
    """Add a card of the centre to those that a player wants: any free one of a mask's ranks. Returns its rank or -1."""
    state = game.state
    at = player_at(player)
    simple = not (state[SETTLING_UNTIL] > state[NOW] or bars_cards(game, player) or state[at + N_TARGETS] > 0)
    lifted = not simple and _is_lifted(game, player)
    n = ZERO
    found = NOBODY
    for i in range(state[N_CENTRE]):
        card = np.int64(game.cards[(CENTRE + i) & SMALL])
        if (mask >> (card & 15)) & 1 == 1 and (simple or _is_free(game, player, card, lifted)):
            n += 1
            if n == 1 or below(game.streams, 1 + player, n) == 0:
                found = card
    if found < 0:
        return NOBODY
    state[at + TARGET + (state[at + N_TARGETS] & 3)] = found
    state[at + N_TARGETS] += 1
    return found & 15


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
        if state[here + REMEMBERED] > now and state[here + OPEN] == 0 and bunch != state[at + HAND]:
            best |= state[here + BEST]
            until = min(until, state[here + REMEMBERED])
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
def _seen_taken(game, player):
    """Mask of the ranks that a player has seen others take, as he remembers."""
    state = game.state
    memory = game.players[player & PLACES].grab_memory
    mask = ZERO
    for other in range(game.rules.n_players):
        if other != player:
            if memory == GrabMemory.LAST:
                mask |= state[player_at(other) + LAST_TAKEN]
            elif memory == GrabMemory.ALL:
                mask |= state[player_at(other) + TAKEN]
    return mask


@kernel()
def _undisputed(game, player, best):
    """Leave out the ranks of which another own bunch, as far as he remembers, has more; unless none is left."""
    state = game.state
    at = player_at(player)
    height = state[bunch_at(state[at + HAND]) + HEIGHT]
    disputed = ZERO
    first = first_bunch(game, player)
    for bunch in range(first, first + game.rules.bunches_each):
        here = bunch_at(bunch)
        if (
            state[here + REMEMBERED] > state[NOW]
            and state[here + OPEN] == 0
            and bunch != state[at + HAND]
            and state[here + HEIGHT] > height
        ):
            disputed |= state[here + BEST]
    rest = best & ~disputed
    return rest if rest != 0 else best


@kernel(inline=True)
def accepted(game, player, best):
    """Which of the best ranks of the bunch in hand a player goes for while his patience lasts."""
    if best & (best - 1) != 0:
        conceding = game.players[player & PLACES].concede == Concede.LOWER
        if conceding and game.state[player_at(player) + TABLE_BEST] & best != 0:
            best = _undisputed(game, player, best)
        aim = game.state[player_at(player) + AIM]
        if aim >= 0 and (best >> aim) & 1 == 1:
            best = ONE << aim
    return best


@kernel()
def settle_aim(game, player, picked_up):
    """Settle the bunch in hand on a rank by habit, after it was picked up or a swap was made."""
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    here = bunch_at(state[at + HAND])
    best = state[here + BEST]
    aim = NOBODY if picked_up == 1 else state[at + AIM]
    if best & (best - 1) == 0:
        aim = lowest_rank(best) if best != 0 and state[here + HEIGHT] >= own.commit_at else NOBODY
    elif aim < 0 or (best >> aim) & 1 == 0:
        aim = NOBODY
        if own.target_choice == TargetChoice.RANDOM:
            aim = random_rank(game, 1 + player, best)
    state[at + AIM] = aim


# --- which cards to give ----------------------------------------------------------------------------------------------


@kernel(inline=True)
def _preferred(game, player, ranks):
    """One of some ranks to give a card of: by habit one that own bunches do not want, nor others; then by chance."""
    own = game.players[player & PLACES]
    if ranks & (ranks - 1) == 0:
        return lowest_rank(ranks)
    if own.keep_for_others == 1 and game.state[player_at(player) + TABLE_BEST] & ranks != 0:
        rest = ranks & ~known_best(game, player)
        ranks = rest if rest != 0 else ranks
    if own.hold_back == 1 and ranks & (ranks - 1) != 0:
        rest = ranks & ~_seen_taken(game, player)
        ranks = rest if rest != 0 else ranks
    return random_rank(game, 1 + player, ranks)


@kernel()
def give_card(game, player, rank):
    """Add a card of a rank in hand to those that a player will lay; there must be one."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    first = bunch_cards(hand)
    n_give = state[at + N_GIVE]
    for i in range(state[bunch_at(hand) + N_HELD]):
        card = np.int64(game.cards[first + (i & 15)])
        fresh = card & 15 == rank
        for j in range(n_give):
            fresh = fresh and state[at + GIVE + (j & 3)] != card
        if fresh:
            state[at + GIVE + (n_give & 3)] = card
            state[at + N_GIVE] = n_give + 1
            return


@kernel()
def _give_unneeded(game, player, kept):
    """Add a card of lowest count, of ranks outside the mask ``kept``, to those he will lay; false if there is none."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    lowest = ZERO
    if state[at + N_GIVE] == 0:
        lowest = state[bunch_at(hand) + LOWEST] & ~kept
    if lowest == 0:
        counts = game.counts[hand & 127]
        for i in range(state[at + N_GIVE]):
            counts -= UONE << np.uint64((state[at + GIVE + (i & 3)] & 15) << 2)
        lowest = lowest_ranks(counts, state[bunch_at(hand) + HELD] & ~kept)
    if lowest == 0:
        return False
    give_card(game, player, _preferred(game, player, lowest))
    return True


# --- plans ------------------------------------------------------------------------------------------------------------


@kernel()
def reach(game, player, begin):
    """Send a hand to the cards wanted."""
    state = game.state
    rules = game.rules
    at = player_at(player)
    own = game.players[player & PLACES]
    word = next_word(game.streams, 1 + player)
    further = (state[at + N_TARGETS] - 1) * own.further_card_us
    touch = sample(game.tables, player, own.take_card_touch, high_32(word))
    if rules.swap_order == SwapOrder.SIMULTANEOUS:
        laid = sample(game.tables, player, own.put_down_card, next_32(game.streams, 1 + player))
        touch = max(touch, laid)
    state[at + TOUCH] = begin + motor(game, player, touch + further + own.seat_us)
    state[at + BACK] = motor(game, player, sample(game.tables, player, own.take_card_return, low_32(word)))
    state[at + ARRIVE] = state[at + TOUCH]
    if rules.contested_card != ContestedCard.FIRST_TOUCH:
        state[at + ARRIVE] += state[at + BACK]
    state[at + GROUP] = 0
    act(game, player, REACHING, state[at + ARRIVE])


@kernel()
def start_swap(game, player, why, commit):
    """Set the hand off at ``commit`` for the cards that are wanted and given."""
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    state[at + PLAN] = why
    state[at + COMMIT] = commit
    if game.rules.swap_order == SwapOrder.PUT_DOWN_FIRST:
        laid = sample(game.tables, player, own.put_down_card, next_32(game.streams, 1 + player))
        further = (state[at + N_GIVE] - 1) * own.further_card_us
        act(game, player, PUTTING_DOWN, commit + motor(game, player, laid + further + own.seat_us))
    else:
        reach(game, player, commit)


@kernel()
def _plan_grab(game, player, wanted):
    """Want several cards at once where that helps more (A12), and plan what to lay for them."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    here = bunch_at(hand)
    most = ZERO
    ranks = ZERO
    rest = wanted
    while rest != 0:
        rank = lowest_rank(rest)
        rest &= rest - 1
        n = min(rules.swap_max_cards, rules.bunch_size - state[here + HEIGHT], free_cards(game, player, ONE << rank))
        if n > most:
            most = n
            ranks = ZERO
        if n == most:
            ranks |= ONE << rank
    kept = ONE << want_card(game, player, ranks)
    for _ in range(most - 1):
        want_card(game, player, kept)
    for _ in range(most):
        _give_unneeded(game, player, kept)
    # With hands to spare, a card of a second rank makes a second pair, if cards are left to give for it.
    if rules.grab_equal_only == 0:
        while state[at + N_TARGETS] < rules.swap_max_cards:
            given = ZERO
            for i in range(state[at + N_GIVE]):
                given |= ONE << (state[at + GIVE + (i & 3)] & 15)
            others = state[here + HELD] & ~kept & ~given & free_ranks(game, player)
            if others == 0 or bits_of(state[here + HELD] & ~kept & ~given) < 2:
                return
            kept |= ONE << want_card(game, player, others)
            _give_unneeded(game, player, kept | given)


@kernel()
def plan_improving(game, player, wanted, commit):
    """Plan to take a card of one of the ranks ``wanted``, which lie in the centre."""
    state = game.state
    at = player_at(player)
    state[at + HAS_CHOICE] = 1 if wanted & (wanted - 1) != 0 else 0
    if game.rules.swap_max_cards > 1 and game.players[player & PLACES].grab_several == 1:
        _plan_grab(game, player, wanted)
    else:
        rank = want_card(game, player, wanted)
        _give_unneeded(game, player, ONE << rank)
    start_swap(game, player, IMPROVING, commit)


@kernel(inline=True)
def _plan_giving_way(game, player, wish, commit):
    """Plan to swap a card that is not needed, or one that is hoped for, against any card."""
    state = game.state
    at = player_at(player)
    if wish == YIELD:
        give_card(game, player, lowest_rank(state[bunch_at(state[at + HAND]) + BEST]))
    else:
        _give_unneeded(game, player, ZERO)
    ranks = free_ranks(game, player)
    rest = ranks & ~(ONE << (state[at + GIVE] & 15))
    ranks = rest if rest != 0 else ranks
    state[at + HAS_CHOICE] = 1 if ranks & (ranks - 1) != 0 else 0
    if game.players[player & PLACES].churn_take == ChurnTake.OWN_BUNCHES and state[at + TABLE_BEST] & ranks != 0:
        rest = ranks & known_best(game, player)
        ranks = rest if rest != 0 else ranks
    want_card(game, player, ranks)
    start_swap(game, player, GIVING_WAY, commit)


@kernel(inline=True)
def _choose_wish(game, player, end):
    """Decide until when a player waits and what he does then, by the weights of what is possible."""
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    here = bunch_at(state[at + HAND])
    best = state[here + BEST]
    switching = own.switch_weight_x65536 if state[at + LEFT] > 1 else ZERO
    yielding = own.yield_weight_x65536 if best & (best - 1) == 0 and state[here + HEIGHT] > 1 else ZERO
    waiting = own.wait_weight_x65536
    total = switching + own.churn_weight_x65536 + yielding + waiting
    until = end + draw_patience(game, player)
    state[at + WISH] = NOTHING
    if total == waiting:
        state[at + WISH] = NEVER
        state[at + PATIENCE] = until
        return
    for _ in range(_MOST_WAITS):
        drawn = (next_32(game.streams, 1 + player) * total) >> 32
        if drawn >= waiting:
            drawn -= waiting
            state[at + WISH] = SWITCH if drawn < switching else (YIELD if drawn < switching + yielding else CHURN)
            break
        until += draw_patience(game, player)
    state[at + PATIENCE] = until


@kernel(inline=True)
def give_way(game, player, end, relaxed):
    """Plan what follows a look that found nothing: wait, and then give way.

    ``relaxed`` are ranks that would improve the bunch but that it is not settled on; they will do when patience ends.
    """
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    if state[at + PATIENCE] == 0:
        _choose_wish(game, player, end)
    commit = max(end, state[at + PATIENCE])
    wish = state[at + WISH]
    deadline = state[(DEADLINES + player) & SMALL]
    if deadline < FAR and own.at_deadline == AtDeadline.CHURN:
        last = max(end, deadline - own.deadline_margin_us)
        if last < commit:
            commit = last
            wish = CHURN
    if relaxed != 0:
        plan_improving(game, player, relaxed, commit)
    elif wish == SWITCH:
        put_back(game, player, commit)
    elif wish == NOTHING:
        state[(TIMES + player) & SMALL] = commit
    elif wish != NEVER:
        _plan_giving_way(game, player, wish, commit)


@kernel()
def put_back(game, player, commit):
    """Plan to put the bunch in hand back."""
    own = game.players[player & PLACES]
    game.state[player_at(player) + COMMIT] = commit
    act(game, player, PUTTING_BACK, commit + motor_time(game, player, own.put_back_bunch))


@kernel()
def look(game, player, begin):
    """Let a player with an unfinished bunch decide what he does next, with eyes and hands free from ``begin`` on."""
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    act(game, player, WAITING, FAR)
    state[at + COMMIT] = FAR
    state[at + PLAN] = NOTHING
    state[at + NEEDS_ANY] = 0
    state[at + N_TARGETS] = 0
    state[at + N_GIVE] = 0
    free = free_ranks(game, player)
    if free == 0:
        state[at + NEEDS_ANY] = 1
        if state[SETTLING_UNTIL] > state[NOW]:
            state[(TIMES + player) & SMALL] = state[SETTLING_UNTIL]
        return
    word = next_word(game.streams, 1 + player)
    end = begin + look_time(game, player, high_32(word))
    best = state[bunch_at(state[at + HAND]) + BEST]
    wanted = accepted(game, player, best) & free
    if wanted != 0:
        plan_improving(game, player, wanted, end)
        return
    end += cognitive(game, player, own.decide_no_use_us)
    helped = state[at + TABLE_BEST] & free
    if helped != 0 and low_32(word) >= own.stay_with_bunch and known_best(game, player) & helped != 0:
        put_back(game, player, end)
        return
    give_way(game, player, end, best & free)


@kernel()
def take_another(game, player, may_wait):
    """Choose what to take instead of cards that have gone, with own cards laid already (A-U2)."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    here = bunch_at(state[at + HAND])
    state[at + NEEDS_ANY] = 0
    state[at + COMMIT] = state[NOW]
    end = state[NOW] + look_time(game, player, next_32(game.streams, 1 + player))
    n_free = bits_of(free_ranks(game, player))
    better = ZERO
    if n_free > 0:
        better = better_ranks(game, player)
    if (
        better == 0
        and may_wait == 1
        and state[at + N_TARGETS] == 0
        and rules.after_snatch == AfterSnatch.MAY_WAIT
        and own.when_snatched == WhenSnatched.WAIT
    ):
        act(game, player, HOLDING, end + draw_patience(game, player))
        return
    if rules.grab_equal_only == 1 and state[at + MISSED] == 0:
        better = _only_equal(game, player, better)
    while state[at + N_TARGETS] < state[at + TO_TAKE] and better >= 0:
        free = free_ranks(game, player)
        if free == 0:
            break
        ranks = better & free
        if ranks == 0:
            ranks = state[here + BEST] & free
        if ranks == 0:
            ranks = state[here + HELD] & free
        if ranks == 0:
            ranks = known_best(game, player) & free
        if ranks == 0:
            ranks = free
        better = ONE << want_card(game, player, ranks)
    if state[at + N_TARGETS] < state[at + TO_TAKE]:
        state[at + N_TARGETS] = 0
        state[at + NEEDS_ANY] = 1
        act(game, player, HOLDING, state[SETTLING_UNTIL] if state[SETTLING_UNTIL] > state[NOW] else FAR)
        return
    reach(game, player, end)


@kernel()
def _only_equal(game, player, better):
    """One rank for a whole grab, by preference of the mask ``better``; -1 if no rank has cards enough."""
    state = game.state
    at = player_at(player)
    state[at + N_TARGETS] = 0
    enough = ZERO
    rest = free_ranks(game, player)
    while rest != 0:
        rank = lowest_rank(rest)
        rest &= rest - 1
        if free_cards(game, player, ONE << rank) >= state[at + TO_TAKE]:
            enough |= ONE << rank
    if enough == 0:
        return NOBODY
    if better & enough != 0:
        enough &= better
    return ONE << random_rank(game, 1 + player, enough)


@kernel()
def better_ranks(game, player):
    """Mask of the free ranks with which a swap under way would leave the bunch higher than it was."""
    state = game.state
    at = player_at(player)
    hand = state[at + HAND]
    n_open = state[at + TO_TAKE] - state[at + N_TARGETS]
    better = ZERO
    rest = free_ranks(game, player)
    while rest != 0:
        rank = lowest_rank(rest)
        rest &= rest - 1
        height = held_of(game, hand, rank)
        for i in range(state[at + N_TARGETS]):
            height += 1 if state[at + TARGET + (i & 3)] & 15 == rank else 0
        if height + min(n_open, free_cards(game, player, ONE << rank)) > state[at + START_HEIGHT]:
            better |= ONE << rank
    return better


# --- bunches ----------------------------------------------------------------------------------------------------------


@kernel()
def pick_up(game, player, begin):
    """Choose by habit which bunch to pick up next, ties by chance, and go for it."""
    rules = game.rules
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    habit = own.next_bunch
    remembers = own.own_memory != OwnMemory.NONE
    now = state[NOW]
    centre = state[CENTRE_MASK]
    n_each = rules.bunches_each
    last = state[at + LAST_BUNCH]
    barred = last if state[at + LEFT] > 1 else NOBODY
    first = first_bunch(game, player)
    chosen = first
    most = np.int64(-1000)
    n = ZERO
    bits = ZERO
    for bunch in range(first, first + n_each):
        here = bunch_at(bunch)
        if state[here + OPEN] == 1 or bunch == barred:
            continue
        score = ZERO
        known = state[here + REMEMBERED] > now
        if habit == NextBunch.HELPED:
            if known:
                score = np.int64(2) if state[here + BEST] & centre != 0 else ZERO
            elif state[here + SEEN] == 0 and remembers:
                score = ONE
        elif habit == NextBunch.HIGHEST:
            score = state[here + HEIGHT] if known else ZERO
        elif habit == NextBunch.IN_ORDER:
            score = first - bunch if bunch > last else first - bunch - n_each
        if score < most:
            continue
        if score > most:
            most = score
            n = ZERO
        # One draw serves a few ties: what it leaves of a fraction is as good as another draw.
        if n & 7 == 0:
            bits = next_32(game.streams, 1 + player)
        n += 1
        bits = (bits & 0xFFFFFFFF) * n
        if bits >> 32 == 0:
            chosen = bunch
    state[at + NEXT] = chosen
    act(game, player, PICKING_UP, begin + motor_time(game, player, own.pickup_bunch))


@kernel()
def leave_bunch(game, player):
    """Lay the bunch in hand, which is not complete, face down on the table, and keep it in mind by habit."""
    state = game.state
    at = player_at(player)
    own = game.players[player & PLACES]
    here = bunch_at(state[at + HAND])
    state[at + TABLE_BEST] |= state[here + BEST]
    state[here + REMEMBERED] = 0
    if own.own_memory == OwnMemory.PERFECT:
        state[here + REMEMBERED] = FAR
    elif own.own_memory == OwnMemory.FADING:
        drawn = sample(game.tables, player, own.hazard, next_32(game.streams, 1 + player))
        state[here + REMEMBERED] = state[NOW] + ((drawn * own.memory_fade_us) >> 24)
    state[at + LAST_BUNCH] = state[at + HAND]
    state[at + HAND] = -1
    state[at + KNOWN_UNTIL] = 0
    state[at + N_TARGETS] = 0
    state[at + N_GIVE] = 0
