/* One deal's state and what both timing modes do with it: deal, draw, lay, flip, take up, end.
 *
 * Only the options that the presets `swedish` and `german` use are here; yardstick.py refuses others.
 */
#ifndef GAME_H
#define GAME_H

#include <stddef.h>
#include <string.h>

#include "streams.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

enum { N = 2, ROW = 4, STACK = 256, BLOCK = 32 };
#define FAR ((int64_t)1 << 62)

/* The choices, numbered as in stressim/shedding/choices.py and habits.py. */
enum { SPLIT_ONE_DECK, OWN_DECK_EACH };
enum { ACE_WRAP, ACE_LOW };
enum { OPTIONAL_ANY_TIME, IMMEDIATE };
enum { STOCK_ON_TABLE, STOCK_IN_HAND };
enum { STAYS_IF_LEGAL, TAKE_BACK };
enum { LOCKED, LOCKED_OR_DECLINED };
enum { SHORT_FLIP_ALONE = 0, SHORT_TAKE = 2 };
enum { AFTER_STRESS_AS_RESTART = 0, AFTER_STRESS_TAKE = 3 };
enum { SIGNAL_SHOUT = 1, SIGNAL_SHOUT_AND_SLAP = 2 };
enum { UNDER_STOCK, SHUFFLE_INTO_STOCK };
enum { AT_ONCE, WHEN_NEEDED };
enum { RIGHT, LEFT, SMALLER, EITHER };

enum outcome { WON, DRAWN, DEADLOCKED, LIVELOCKED, UNFINISHED, PLAYING_ON = -1 };
enum reason { START, NOBODY_COULD, DECLINED, AFTER_STRESS };

/* Fields of the lowered rules and of a lowered player, as yardstick.py copies them. */
struct rules {
    int64_t deal_mode, ace, n_ranks, n_copies_total, cards_each, refill_policy, stock_location, late_card;
    int64_t one_hand_only, one_card_at_a_time, restart_trigger, restart_empty_stock, post_stress_empty_stock;
    int64_t stress_signal, pickup_placement, tie_window_us, tie_window_same_pile_us, reflexes;
};

struct person {
    int64_t refill, slap_pile, decline, foresee_stress, second_hand, grasp_ahead;
    int64_t scan_per_card_us, scan_absent_factor_x65536, choice_cost_us, abort_window_us, busy_penalty_us;
    int64_t anticipation_gain_us, p_miss_stress, seat_us, persons_differ;
    int64_t false_slap_hazard, false_slap_hazard_adjacent, illegal_play_hazard;
    /* numbers of tables */
    int64_t notice_base, stuck_agreement, reach_grasp, carry_to_land, late_card_return, abort_return;
    int64_t illegal_card_return, refill_from_hand, refill_from_table, give_card, countdown, flip;
    int64_t pickup_shuffled, pickup_under, stress_notice, slap_move, false_call_recovery, call, hazard;
    int64_t person_common_cognitive, person_own_cognitive, person_common_motor, person_own_motor;
};

/* A deal's row; the order is that of the columns. It has a win for each of the four who may sit at a table. */
struct row {
    int64_t ended[5], win[4], length_us, moves, stalls, stalled, stalled_at_start, stalled_us, first_stall_us;
    int64_t restarts, redeals, lead_changes, comeback, dead_ppm, looks, choices, stresses, stress_at_first_flip;
    int64_t stress_from_flip, stress_ties, stress_missed, false_calls, late_cards, aborted_cards, illegal_cards;
    int64_t picked_up, loser_cards, losers, one_stock_empty, both_stocks_empty;
    int64_t slap_winner_without_stock, last_card_equal, side_piles_renewed, rounds;
};

enum act { WAITING, PLAYING, REFILLING };

struct player {
    int64_t act_time, slap, notice, stuck, free, commit, search_end, credit;
    int64_t look; /* 1 + from when on he looks anew once the event is over; 0: he does not */
    int64_t false_left, illegal_left, cognitive, motor;
    uint64_t lanes; /* a row: the rank of a slot's card is one bit among sixteen */
    uint64_t stream, key;
    const int32_t *tables;
    uint32_t empty; /* the empty slots, a bit each */
    enum act act;
    int head, stock_size, row_cards, most_behind, last_equal, plays, short_plays;
    int slot, pile, rank, version;
    bool illegal, has_choice, ahead, declined, just_flipped;
    uint8_t row[ROW];
    uint8_t stock[STACK]; /* a ring */
};

struct pile {
    int size, rank, version; /* rank -1: empty */
    uint32_t fits;           /* mask of the ranks that may be laid on it */
    uint8_t cards[STACK + BLOCK];
};

enum table_act { IDLE, FLIP, RECOGNISE_EMPTY };
enum window { CLOSED, OPEN, ENDED };

struct game {
    struct rules rules;
    struct person persons[N];
    uint32_t fits[16];
    struct player players[N];
    struct pile piles[N];
    int64_t now, stall_since, table_time, grace_until, lead_from;
    uint64_t stream, key;
    enum table_act table_act;
    enum window window;
    enum outcome outcome;
    enum reason reason;
    int flips, events, slap_winner, comes_back;
    int lead, last_lead; /* 1: the first player leads or led last, -1: the second, 0: neither */
    bool window_from_flip;
    bool clock; /* without one the players draw nothing */
    struct row row;
};

static inline int64_t sampled(const struct player *p, int64_t table, uint32_t bits)
{
    return sample(p->tables + table * N_KNOTS, bits);
}

static inline int remaining(const struct player *p) { return p->stock_size + p->row_cards; }

/* Place of the nth one, counted from 0, of a word that has more ones. */
static inline int nth_one(uint64_t word, int nth)
{
#ifdef __BMI2__
    return (int)_tzcnt_u64(_pdep_u64((uint64_t)1 << nth, word));
#else
    for (; nth > 0; nth--)
        word &= word - 1;
    return __builtin_ctzll(word);
#endif
}

static inline uint64_t spread(uint32_t mask) { return mask * 0x0001000100010001u; }

static inline uint32_t row_mask(const struct player *p)
{
    uint64_t lanes = p->lanes | p->lanes >> 32;
    return (uint32_t)((lanes | lanes >> 16) & 0xFFFF);
}

static inline bool tops_equal(const struct game *g)
{
    return g->piles[0].rank >= 0 && g->piles[0].rank == g->piles[1].rank;
}

/* --- cards ------------------------------------------------------------------------------------------------------ */

static inline int pop_stock(struct player *p)
{
    int card = p->stock[p->head];
    p->head = (p->head + 1) & (STACK - 1);
    p->stock_size--;
    return card;
}

static inline void append_stock(struct player *p, int card)
{
    p->stock[(p->head + p->stock_size++) & (STACK - 1)] = (uint8_t)card;
}

static inline bool can_refill(const struct player *p) { return p->stock_size > 0 && p->row_cards < ROW; }

static inline void draw_to(struct player *p, int slot)
{
    int card = pop_stock(p);
    p->empty &= ~(1u << slot);
    p->row[slot] = (uint8_t)card;
    p->row_cards++;
    p->lanes |= (uint64_t)1 << (16 * slot + (card & 15));
}

static inline void draw_card(struct player *p) { draw_to(p, __builtin_ctz(p->empty)); }

static inline void fill_row(struct player *p)
{
    while (can_refill(p))
        draw_card(p);
}

static inline void put_on_pile(struct game *g, int pile, int card)
{
    struct pile *q = &g->piles[pile];
    q->cards[q->size++] = (uint8_t)card;
    q->rank = card & 15;
    q->fits = g->fits[card & 15];
    q->version++;
}

static inline void lay(struct game *g, struct player *p, int slot, int pile)
{
    put_on_pile(g, pile, p->row[slot]);
    p->lanes &= ~((uint64_t)0xFFFF << (16 * slot));
    p->empty |= 1u << slot;
    p->row_cards--;
}

static void shuffle(uint8_t *cards, int n, uint64_t *stream)
{
    for (int i = n - 1; i > 0;) {
        uint64_t word = next_word(stream);
        for (int half = 0; half < 2 && i > 0; half++, i--) {
            uint32_t j = (uint32_t)(((half ? word & 0xFFFFFFFFu : word >> 32) * (uint64_t)(i + 1)) >> 32);
            uint8_t card = cards[i];
            cards[i] = cards[j];
            cards[j] = card;
        }
    }
}

static void shuffle_stock(struct game *g, struct player *p)
{
    uint8_t cards[STACK];
    for (int i = 0; i < p->stock_size; i++)
        cards[i] = p->stock[(p->head + i) & (STACK - 1)];
    shuffle(cards, p->stock_size, &g->stream);
    memcpy(p->stock, cards, (size_t)p->stock_size);
    p->head = 0;
}

static int take_pile(struct game *g, struct player *p, int pile)
{
    struct pile *q = &g->piles[pile];
    int n = q->size, place = (p->head + p->stock_size) & (STACK - 1);
    /* Whole blocks, where what they write behind the last card lies neither beyond the ring nor on its first card. */
    if (place + n + BLOCK <= STACK && p->stock_size + n + BLOCK <= STACK) {
        for (int i = 0; i < n; i += BLOCK)
            memcpy(p->stock + place + i, q->cards + i, BLOCK);
        p->stock_size += n;
    } else {
        for (int i = 0; i < n; i++)
            append_stock(p, q->cards[i]);
    }
    q->size = 0;
    q->rank = -1;
    q->fits = 0;
    q->version++;
    p->short_plays = 0;
    p->last_equal = 0;
    return n;
}

static int take_both(struct game *g, int loser)
{
    struct player *p = &g->players[loser];
    int n = take_pile(g, p, loser);
    n += take_pile(g, p, 1 - loser);
    if (g->rules.pickup_placement == SHUFFLE_INTO_STOCK)
        shuffle_stock(g, p);
    return n;
}

/* --- begin and end ---------------------------------------------------------------------------------------------- */

static void prepare_masks(struct game *g)
{
    int n = (int)g->rules.n_ranks;
    for (int rank = 0; rank < n; rank++) {
        g->fits[rank] = 0;
        for (int other = 0; other < n; other++) {
            int distance = rank > other ? rank - other : other - rank;
            if (distance == 1 || (g->rules.ace == ACE_WRAP && distance == n - 1))
                g->fits[rank] |= 1u << other;
        }
    }
}

static void key_streams(struct game *g)
{
    g->stream = rekeyed(g->key, (uint64_t)g->flips, 0);
    for (int i = 0; g->clock && i < N; i++) {
        g->players[i].stream = rekeyed(g->players[i].key, (uint64_t)g->flips, 0);
        g->players[i].plays = 0;
    }
}

static void deal_cards(struct game *g, uint64_t seed, uint64_t deal)
{
    uint8_t cards[STACK];
    g->now = 0;
    g->flips = g->events = g->comes_back = 0;
    g->lead = g->last_lead = 0;
    g->lead_from = 0;
    g->slap_winner = -1;
    g->outcome = PLAYING_ON;
    g->window = CLOSED;
    g->grace_until = 0;
    g->key = stream_key(seed, deal, 0);
    for (int i = 0; i < N; i++) {
        const int32_t *tables = g->players[i].tables;
        memset(&g->players[i], 0, offsetof(struct player, row));
        g->players[i].tables = tables;
        g->players[i].empty = (1u << ROW) - 1;
        g->players[i].key = stream_key(seed, deal, 1 + (uint64_t)i);
        g->piles[i].size = g->piles[i].version = 0;
        g->piles[i].fits = 0;
        g->piles[i].rank = -1;
    }
    key_streams(g);
    int n_shares = g->rules.deal_mode == OWN_DECK_EACH ? N : 1;
    int copies = (int)g->rules.n_copies_total / n_shares, each = (int)g->rules.cards_each;
    for (int share = 0; share < n_shares; share++) {
        int n = 0;
        for (int copy = share * copies; copy < (share + 1) * copies; copy++)
            for (int rank = 0; rank < g->rules.n_ranks; rank++)
                cards[n++] = (uint8_t)(rank + 16 * copy);
        shuffle(cards, n, &g->stream);
        for (int i = 0; i < N; i++)
            if (n_shares == 1 || i == share) {
                memcpy(g->players[i].stock, cards + (n_shares == 1 ? i * each : 0), (size_t)each);
                g->players[i].stock_size = each;
            }
    }
    if (g->rules.reflexes > 0) {
        g->key = rekeyed(g->key, (uint64_t)g->rules.reflexes, 0);
        for (int i = 0; i < N; i++)
            g->players[i].key = rekeyed(g->players[i].key, (uint64_t)g->rules.reflexes, 0);
        key_streams(g);
    }
}

/* Note who has strictly the fewest cards, and how far behind each player is. */
static inline void judge_lead(struct game *g)
{
    struct player *a = &g->players[0], *b = &g->players[1];
    int lead = remaining(b) - remaining(a);
    if (-lead > a->most_behind)
        a->most_behind = -lead;
    if (lead > b->most_behind)
        b->most_behind = lead;
    int leads = (lead > 0) - (lead < 0);
    g->lead_from ^= (g->lead_from ^ g->now) & -(int64_t)(leads != g->lead);
    g->lead = leads;
    g->row.lead_changes += leads * g->last_lead == -1;
    g->last_lead = leads | (g->last_lead & -(leads == 0));
}

static void end_deal(struct game *g, enum outcome outcome, int winner)
{
    struct row *row = &g->row;
    g->outcome = outcome;
    row->ended[outcome] = 1;
    row->length_us = g->now;
    if (outcome != WON)
        return;
    struct player *p = &g->players[winner];
    row->win[winner] = 1;
    row->loser_cards = remaining(&g->players[1 - winner]);
    row->losers = N - 1;
    row->comeback = 2 * p->most_behind >= g->rules.cards_each;
    row->last_card_equal = p->last_equal;
    if (g->now > 0 && g->lead == 1 - 2 * winner)
        row->dead_ppm = 1000000 - 1000000 * g->lead_from / g->now;
}

/* End the deal if somebody has no cards left; both at once are a draw. */
static inline bool end_if_out(struct game *g)
{
    bool out_0 = remaining(&g->players[0]) == 0, out_1 = remaining(&g->players[1]) == 0;
    if (out_0 && out_1)
        end_deal(g, DRAWN, -1);
    else if (out_0 || out_1)
        end_deal(g, WON, out_0 ? 0 : 1);
    return out_0 || out_1;
}

/* --- flips ------------------------------------------------------------------------------------------------------ */

static inline bool can_flip(const struct game *g)
{
    return g->players[0].stock_size + g->players[1].stock_size > 0;
}

/* Whether a player without a stock card takes one of the other's (S4:35). */
static inline bool takes_card(const struct game *g, enum reason reason)
{
    if (reason == AFTER_STRESS && g->rules.post_stress_empty_stock != AFTER_STRESS_AS_RESTART)
        return g->rules.post_stress_empty_stock == AFTER_STRESS_TAKE;
    return g->rules.restart_empty_stock == SHORT_TAKE;
}

static inline void flip_one(struct game *g, int player, int pile)
{
    put_on_pile(g, pile, pop_stock(&g->players[player]));
    g->players[player].just_flipped = true;
}

/* One player flips; no centre place stays empty while he has cards for it. */
static void flip_alone(struct game *g, int player)
{
    struct player *p = &g->players[player];
    bool own_empty = g->piles[player].size == 0;
    if (g->piles[1 - player].size > 0) {
        flip_one(g, player, player);
        return;
    }
    if (own_empty)
        flip_one(g, player, player);
    if (p->stock_size > 0)
        flip_one(g, player, 1 - player);
    if (!own_empty && p->stock_size > 0)
        flip_one(g, player, player);
}

static void flip(struct game *g, enum reason reason)
{
    bool has_0 = g->players[0].stock_size > 0, has_1 = g->players[1].stock_size > 0;
    bool both = has_0 && has_1;
    if (has_0 != has_1) {
        int giver = has_0 ? 0 : 1;
        struct player *to = &g->players[1 - giver];
        if (reason == NOBODY_COULD || reason == AFTER_STRESS)
            g->row.one_stock_empty = 1;
        if (reason == AFTER_STRESS && g->slap_winner == 1 - giver)
            g->row.slap_winner_without_stock++;
        if (takes_card(g, reason) && g->players[giver].stock_size >= 2) {
            to->head = (to->head - 1) & (STACK - 1);
            to->stock[to->head] = (uint8_t)pop_stock(&g->players[giver]);
            to->stock_size++;
            both = true;
        } else {
            flip_alone(g, giver);
        }
    }
    if (both)
        for (int i = 0; i < N; i++)
            flip_one(g, i, i);
    bool equal = tops_equal(g);
    for (int i = 0; i < N; i++)
        if (g->players[i].just_flipped) {
            g->players[i].just_flipped = false;
            g->players[i].last_equal = equal;
        }
    g->flips++;
    key_streams(g);
}

static void flip_to_begin(struct game *g)
{
    flip(g, START);
    g->row.stress_at_first_flip = tops_equal(g);
}

#endif
