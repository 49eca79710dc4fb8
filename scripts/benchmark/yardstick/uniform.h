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

/* Place of the nth one of a word with no more than two ones in each 16 bits. */
static inline int nth_one(uint64_t word, int nth)
{
    int n_below = __builtin_popcountll(word & 0xFFFFFFFFu), passed = nth >= n_below, base = passed << 5;
    nth -= n_below & -passed;
    word >>= passed << 5;
    n_below = __builtin_popcountll(word & 0xFFFF);
    passed = nth >= n_below;
    base += passed << 4;
    nth -= n_below & -passed;
    word >>= passed << 4;
    return base + __builtin_ctzll(nth > 0 ? word & (word - 1) : word);
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

/* Play any of all legal (player, slot, pile), each as likely as another; returns whether there was one. */
static inline bool play(struct game *g)
{
    uint64_t plays_0 = plays_of(g, 0), plays_1 = plays_of(g, 1);
    int n_before = __builtin_popcountll(plays_0), n_plays = n_before + __builtin_popcountll(plays_1);
    if (n_plays == 0)
        return false;
    int nth = below(&g->stream, n_plays), player = nth >= n_before;
    int place = nth_one(player ? plays_1 : plays_0, nth - (n_before & -player));
    struct player *p = &g->players[player];
    int slot = place >> 4, pile = 1 - (int)(p->lanes >> place & 1);
    uint32_t mask = row_mask(p);
    g->row.looks++;
    g->row.choices += __builtin_popcount((mask & g->piles[0].fits) << 16 | (mask & g->piles[1].fits)) >= 2;
    g->now = ++g->row.moves;
    g->comes_back = 0;
    lay(g, p, slot, pile);
    p->last_equal = tops_equal(g);
    judge_lead(g);
    if (p->stock_size > 0) /* there is a stock only where the row was full */
        draw_to(p, slot);
    return true;
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
