/* A deal without a clock: at every step one of all legal plays, each as likely as any other. */
#ifndef UNIFORM_H
#define UNIFORM_H

#include "game.h"

enum { MOST_PLAYS = 20000 };

/* A player's plays as bits, slot by slot: at the place of the rank on pile 0, at the next place on pile 1. */
static inline uint64_t plays_of(const struct game *g, int player)
{
    uint64_t lanes = g->players[player].lanes;
    return (lanes & spread(g->piles[0].fits)) | (lanes & spread(g->piles[1].fits)) << 1;
}

static inline int count_plays(const struct game *g)
{
    return __builtin_popcountll(plays_of(g, 0)) + __builtin_popcountll(plays_of(g, 1));
}

static void refill_all(struct game *g)
{
    for (int i = 0; i < N; i++)
        fill_row(&g->players[i]);
}

static void flip_and_refill(struct game *g, enum reason reason)
{
    flip(g, reason);
    judge_lead(g);
    refill_all(g);
}

/* Lay a slot's card and draw the next one, if there is one; without branches. */
static inline void lay_and_draw(struct game *g, struct player *p, int slot, int pile)
{
    put_on_pile(g, pile, p->row[slot]);
    int draws = p->stock_size > 0, drawn = p->stock[p->head];
    p->head = (p->head + draws) & (STACK - 1);
    p->stock_size -= draws;
    p->row_cards += draws - 1;
    p->row[slot] = (uint8_t)drawn;
    p->empty = (p->empty & ~(1u << slot)) | (uint32_t)(1 - draws) << slot;
    p->lanes = (p->lanes & ~((uint64_t)0xFFFF << 16 * slot)) | (uint64_t)draws << (16 * slot + (drawn & 15));
}

/* Note the lead, which each play changes by one card, so that it begins and ends at 0 alone. */
static inline void note_lead(struct game *g, int player, int *lead)
{
    int64_t begins = -(int64_t)(*lead == 0);
    *lead += 1 - 2 * player;
    g->row.lead_changes += begins & (*lead + g->last_lead == 0);
    g->last_lead ^= (g->last_lead ^ *lead) & (int)begins;
    g->lead_from ^= (g->lead_from ^ g->now) & begins;
    if (-*lead > g->players[0].most_behind)
        g->players[0].most_behind = -*lead;
    if (*lead > g->players[1].most_behind)
        g->players[1].most_behind = *lead;
}

/* Play any of all legal (player, slot, pile), each as likely as another, until there is none (returns false), the tops
 * are equal or a player is out. */
static bool play(struct game *g)
{
    int lead = remaining(&g->players[1]) - remaining(&g->players[0]);
    uint64_t lanes[N] = {g->players[0].lanes, g->players[1].lanes};
    uint64_t fits[N] = {spread(g->piles[0].fits), spread(g->piles[1].fits)};
    for (;;) {
        uint64_t plays_0 = (lanes[0] & fits[0]) | (lanes[0] & fits[1]) << 1;
        uint64_t plays_1 = (lanes[1] & fits[0]) | (lanes[1] & fits[1]) << 1;
        int n_before = __builtin_popcountll(plays_0), n_plays = n_before + __builtin_popcountll(plays_1);
        if (n_plays == 0)
            return false;
        int nth = below(&g->stream, n_plays), player = nth >= n_before;
        int place = nth_one(player ? plays_1 : plays_0, nth - (n_before & -player));
        struct player *p = &g->players[player];
        int slot = place >> 4, pile = 1 - (int)(p->lanes >> place & 1);
        uint32_t mask = row_mask(p);
        uint32_t choices = (mask & g->piles[0].fits) << 16 | (mask & g->piles[1].fits);
        g->row.looks++;
        g->row.choices += (choices & (choices - 1)) != 0;
        g->now = ++g->row.moves;
        g->comes_back = 0;
        lay_and_draw(g, p, slot, pile);
        lanes[0] = player ? lanes[0] : p->lanes;
        lanes[1] = player ? p->lanes : lanes[1];
        uint64_t now_fits = spread(g->piles[pile].fits);
        fits[0] = pile ? fits[0] : now_fits;
        fits[1] = pile ? now_fits : fits[1];
        p->last_equal = tops_equal(g);
        note_lead(g, player, &lead);
        g->lead = (lead > 0) - (lead < 0);
        if (p->row_cards == 0 || g->now >= MOST_PLAYS || p->last_equal)
            return true;
    }
}

/* The sizes of piles and rows in one number; -1 if there is a stock card. */
static int64_t sizes(const struct game *g)
{
    if (can_flip(g))
        return -1;
    return ((int64_t)g->piles[0].size << 24) | (g->piles[1].size << 16) | (g->players[0].row_cards << 8) |
           g->players[1].row_cards;
}

static void stress(struct game *g)
{
    int64_t before = sizes(g);
    g->row.stresses++;
    int loser = next_32(&g->stream) & 1, n_taken = take_both(g, loser);
    g->row.picked_up += n_taken;
    g->slap_winner = 1 - loser;
    if (end_if_out(g))
        return;
    flip_and_refill(g, AFTER_STRESS);
    /* Both piles are one card each and lie as before: so it will go on, whoever loses. */
    if (n_taken <= 2 && before >= 0 && sizes(g) == before && tops_equal(g) &&
        !(n_taken == 2 && g->piles[0].size != 1)) {
        g->comes_back |= 1 << loser;
        if (g->comes_back == (1 << N) - 1)
            end_deal(g, LIVELOCKED, -1);
    } else {
        g->comes_back = 0;
    }
}

static void play_uniform(struct game *g, uint64_t seed, uint64_t deal)
{
    deal_cards(g, seed, deal);
    refill_all(g);
    flip_to_begin(g);
    judge_lead(g);
    refill_all(g);
    g->row.stalled_at_start = !tops_equal(g) && count_plays(g) == 0;
    bool from_flip = true;
    while (g->outcome == PLAYING_ON && !end_if_out(g)) {
        if (g->row.moves >= MOST_PLAYS || g->flips >= MOST_PLAYS) {
            end_deal(g, UNFINISHED, -1);
        } else if (tops_equal(g)) {
            g->row.stress_from_flip += from_flip;
            stress(g);
            from_flip = true;
        } else if (play(g)) {
            from_flip = false;
        } else {
            g->row.stalls++;
            g->row.stalled = 1;
            from_flip = true;
            if (can_flip(g)) {
                flip_and_refill(g, NOBODY_COULD);
            } else {
                g->row.both_stocks_empty = 1;
                end_deal(g, DEADLOCKED, -1);
            }
        }
    }
    g->row.length_us = 0;
}

#endif
