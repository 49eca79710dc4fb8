"""How a deal begins, is dealt again, and ends."""

from __future__ import annotations

import numpy as np

from stressim.compiled.cards import shuffle_cards
from stressim.compiled.jit import kernel
from stressim.compiled.rng import rekeyed, stream_key
from stressim.exchange.choices import Ranking
from stressim.exchange.events import JOKER_RANK, Kind, Outcome
from stressim.exchange.kernel.bars import BAR_WORDS
from stressim.exchange.kernel.bunches import add_to_bunch, add_to_centre, held_ranks, weigh_bunch
from stressim.exchange.kernel.counting import begin_stall, end_stall, judge_lead
from stressim.exchange.kernel.finish import count_loser_bunches, rank_players
from stressim.exchange.kernel.handicap import give_complete, open_given
from stressim.exchange.kernel.layout import (
    ATTEMPT,
    BARRED,
    BEST,
    BUNCH_BLOCK,
    CENTRE_COUNT,
    CENTRE_HELPS_1,
    CENTRE_MASK,
    CENTRE_SHARES_1,
    CLEARED_FROM,
    CLOSED,
    COMEBACK,
    DEAD_PPM,
    DEAL,
    DEALT_COMPLETE,
    FIRST_DONE,
    FIRST_DONE_AT,
    HAND_BEST,
    HEIGHT,
    HOPELESS,
    LAID_WORDS,
    LAST_BIT,
    LAST_TAKEN,
    LEAD_SINCE,
    LEADER,
    LEFT,
    LENGTH_US,
    LOGGING,
    LOSERS,
    MOST_BEHIND,
    N_CENTRE,
    N_IN,
    N_LAID,
    N_UNDER_WAY,
    N_UNFINISHED,
    NOW,
    OPEN,
    OPENED,
    OUT,
    OUTCOME,
    PAIRED_BUNCHES,
    PAIRLESS_1,
    PLAYER_BLOCK,
    PLAYERS,
    POSITIONS,
    POSITIONS_LIMIT,
    REDEALS,
    SEEN,
    STALL_SINCE,
    SWAPS_DONE,
    TABLE_BEST,
    TAKEN,
    TAKES,
    UNDER_WAY,
    UNFINISHED,
    WIN_1,
    WINNER,
    WINNER_RANKS,
    WINNER_SWAPPED_CARDS,
    WINNER_WORK,
    WON,
    WORK,
)
from stressim.exchange.kernel.places import (
    NOBODY,
    ONE,
    UNUSED,
    ZERO,
    bunch_at,
    first_bunch,
    has_rank,
    log_event,
    player_at,
)
from stressim.exchange.kernel.teams import seat_players


@kernel()
def _key_streams(game):
    """Start all streams for the present attempt at the deal."""
    state = game.state
    streams = game.streams
    n = game.rules.n_players + 1
    for who in range(n):
        key = stream_key(streams[(2 * n) & 31], np.uint64(state[DEAL]), np.uint64(state[ATTEMPT]), np.uint64(who))
        streams[(n + who) & 31] = key
        streams[who & 31] = rekeyed(key, state[ATTEMPT], ZERO)


@kernel()
def start_deal(game, seed, deal):
    """Clear the table and deal for the first time."""
    state = game.state
    for i in range(CLEARED_FROM, PLAYERS):
        state[i] = 0
    for i in range(PLAYERS, PLAYERS + game.rules.n_players * PLAYER_BLOCK):
        state[i] = 0
    state[LEADER] = -1
    state[OUTCOME] = -1
    state[WINNER] = -1
    state[FIRST_DONE] = -1
    state[STALL_SINCE] = -1
    state[DEAL] = deal
    seat_players(game)
    game.streams[(2 * game.rules.n_players + 2) & 31] = seed
    deal_cards(game)
    _note_the_deal(game)


@kernel()
def deal_cards(game):
    """Shuffle and lay out bunches and centre (A1, A5, A6); players' empty hands are the caller's."""
    rules = game.rules
    state = game.state
    cards = game.cards
    size = rules.bunch_size
    _key_streams(game)
    n = ZERO
    n_ranked = rules.n_ranks * rules.n_copies_total - rules.cards_removed
    for rank in range(rules.n_ranks):
        for copy in range(rules.n_copies_total):
            if n < n_ranked:
                cards[n & 255] = rank + 16 * copy
                n += 1
    for joker in range(rules.n_jokers):
        cards[n & 255] = JOKER_RANK + 16 * joker
        n += 1
    shuffle_cards(cards, game.streams, n, ZERO)
    if rules.handicap_bunches > 0:
        give_complete(game, n)
    if rules.reflexes > 0:
        for who in range(rules.n_players + 1):
            key = rekeyed(game.streams[(rules.n_players + 1 + who) & 31], rules.reflexes, ZERO)
            game.streams[(rules.n_players + 1 + who) & 31] = key
            game.streams[who & 31] = rekeyed(key, state[ATTEMPT], ZERO)
    for rank in range(16):
        state[CENTRE_COUNT + rank] = 0
    state[N_CENTRE] = 0
    state[CENTRE_MASK] = 0
    state[N_UNDER_WAY] = 0
    state[N_UNFINISHED] = 0
    state[N_IN] = rules.n_sides
    state[HOPELESS] = 0
    state[POSITIONS] = 0
    state[POSITIONS_LIMIT] = 0
    for i in range(rules.n_players * LAID_WORDS):
        game.laid[i & BAR_WORDS] = np.uint64(0)
    for bunch in range(rules.n_bunches):
        at = bunch_at(bunch)
        for i in range(BUNCH_BLOCK):
            state[at + i] = 0
        game.counts[bunch] = np.uint64(0)
        for i in range(size):
            add_to_bunch(game, bunch, np.int64(cards[(bunch * size + i) & 255]))
        weigh_bunch(game, bunch)
    for i in range(rules.n_bunches * size, n):
        add_to_centre(game, np.int64(cards[i & 255]))
    for player in range(rules.n_players):
        at = player_at(player)
        state[at + LEFT] = rules.bunches_each
        state[at + LAST_TAKEN] = 0
        state[at + TAKEN] = 0
        state[at + UNDER_WAY] = 0
        state[at + N_LAID] = 0
        state[at + BARRED] = 0
        state[at + TAKES] = 0
        state[at + OPENED] = 0
        state[at + SWAPS_DONE] = 0
        state[at + OUT] = 0
        state[at + WORK] = 0
        state[at + UNFINISHED] = 0
        state[at + TABLE_BEST] = 0
        state[at + HAND_BEST] = 0
        state[at + LAST_BIT] = 0
        state[at + CLOSED] = (ONE << rules.bunches_each) - 1
        state[at + SEEN] = 0
        first = first_bunch(game, player)
        for bunch in range(first, first + rules.bunches_each):
            best = state[bunch_at(bunch) + BEST]
            state[at + WORK] += size - state[bunch_at(bunch) + HEIGHT]
            state[at + TABLE_BEST] |= best
            if best != 0:
                state[at + UNFINISHED] += 1
                state[N_UNFINISHED] += 1 if player < rules.n_sides else 0
    if rules.handicap_bunches > 0:
        open_given(game)
    judge_lead(game)


@kernel()
def _note_the_deal(game):
    """Write the facts that the first deal alone decides."""
    rules = game.rules
    state = game.state
    row = game.row
    row[PAIRLESS_1] = 1
    for bunch in range(rules.n_bunches):
        height = state[bunch_at(bunch) + HEIGHT]
        if state[bunch_at(bunch) + OPEN] == 1:
            continue  # given, not dealt
        if height == rules.bunch_size:
            row[DEALT_COMPLETE] = 1
        if height >= 2:
            row[PAIRED_BUNCHES] += 1
            if bunch < rules.bunches_each:
                row[PAIRLESS_1] = 0
    at = bunch_at(ZERO)
    # A complete bunch has a best rank too, though nothing can improve it.
    held = held_ranks(game.counts[0])
    best = state[at + BEST] | (held if state[at + HEIGHT] == rules.bunch_size else ZERO)
    row[CENTRE_HELPS_1] = 1 if best & state[CENTRE_MASK] != 0 else 0
    row[CENTRE_SHARES_1] = 1 if held & state[CENTRE_MASK] != 0 else 0


@kernel()
def deal_again(game, reason):
    """Gather the cards in and deal them again; time and counts go on."""
    rules = game.rules
    state = game.state
    end_stall(game)
    log_event(game, Kind.REDEAL, NOBODY, UNUSED, UNUSED, reason)
    game.row[REDEALS] += 1
    state[ATTEMPT] += 1
    deal_cards(game)
    if state[LOGGING] > 0:
        n = ZERO
        for player in range(rules.n_sides):
            first = first_bunch(game, player)
            for bunch in range(first, first + rules.bunches_each):
                for _ in range(rules.bunch_size):
                    card = np.int64(game.cards[n & 255])
                    log_event(game, Kind.DEAL, player, bunch, card, UNUSED)
                    n += 1
        for i in range(n, rules.n_cards):
            log_event(game, Kind.DEAL, NOBODY, UNUSED, np.int64(game.cards[i & 255]), UNUSED)


@kernel()
def end_deal(game, outcome, winner):
    """Write how the deal ended; lengths in the clock's unit, microseconds or moves."""
    rules = game.rules
    state = game.state
    row = game.row
    end_stall(game)
    outcome = np.int64(outcome)
    if state[FIRST_DONE] >= 0 and outcome != Outcome.UNFINISHED:  # he has won, whatever becomes of the others
        outcome = np.int64(Outcome.WON)
        winner = state[FIRST_DONE]
    state[OUTCOME] = outcome
    state[WINNER] = winner
    row[WON + outcome] = 1
    row[LENGTH_US] = state[NOW]
    if outcome == Outcome.WON:
        side = winner % rules.n_sides
        at = player_at(side)
        row[LOSERS] = rules.n_sides - 1
        won_at = state[FIRST_DONE_AT]
        if state[FIRST_DONE] < 0:
            won_at = state[NOW]
            count_loser_bunches(game, winner)
        if 2 * state[at + MOST_BEHIND] >= rules.bunches_each:
            row[COMEBACK] = 1
        if won_at > 0 and state[at + LEAD_SINCE] >= 0:
            row[DEAD_PPM] = 1_000_000 - (1_000_000 * state[at + LEAD_SINCE]) // won_at
        for player in range(side, rules.n_players, rules.n_sides):
            row[WIN_1 + player] = 1
            row[WINNER_SWAPPED_CARDS] += state[player_at(player) + TAKES]
        row[WINNER_WORK] = state[at + WORK]
        first = first_bunch(game, winner)
        for bunch in range(first, first + rules.bunches_each):
            held = held_ranks(game.counts[bunch])
            for rank in range(16):
                row[WINNER_RANKS] |= np.int64(has_rank(held, rank)) << rank
    if rules.ranking != Ranking.NONE:
        rank_players(game, outcome)
    log_event(game, Kind.END, winner, UNUSED, UNUSED, outcome)


@kernel()
def end_in_deadlock(game):
    """End a deal that can change no more, which is a stall although a hand may be empty; a won deal is only over."""
    if game.state[FIRST_DONE] < 0:
        begin_stall(game)
    end_deal(game, Outcome.DEADLOCKED, NOBODY)


@kernel()
def most_complete_wins(game):
    """End the deal by counting the bunches laid open by those who are not out; equal numbers are a draw."""
    state = game.state
    most = NOBODY
    winner = NOBODY
    for player in range(game.rules.n_sides):
        at = player_at(player)
        opened = state[at + OPENED]
        if state[at + OUT] == 1:
            continue
        if opened > most:
            most = opened
            winner = np.int64(player)
        elif opened == most:
            winner = NOBODY
    end_deal(game, Outcome.DRAWN if winner < 0 else Outcome.WON, winner)
