/* A deal without a clock: at every step one of all legal plays, each as likely as any other. */
#ifndef UNIFORM_H
#define UNIFORM_H

#include "game.h"

enum { MOST_PLAYS = 20000 };

static inline int count_plays(const struct game *g)
{
    uint64_t on_0 = spread(g->piles[0].fits), on_1 = spread(g->piles[1].fits);
    int n = 0;
    for (int i = 0; i < N; i++)
        n += __builtin_popcountll(g->players[i].lanes & on_0) + __builtin_popcountll(g->players[i].lanes & on_1);
    return n;
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

/* Play the nth legal (player, slot, pile). */
static inline void play_nth(struct game *g, int nth)
{
    uint32_t fits_0 = g->piles[0].fits, fits_1 = g->piles[1].fits;
    for (int i = 0; i < N; i++) {
        struct player *p = &g->players[i];
        for (uint64_t playable = p->lanes & spread(fits_0 | fits_1); playable; playable &= playable - 1) {
            int place = __builtin_ctzll(playable), rank = place & 15;
            int on_0 = fits_0 >> rank & 1, n_here = on_0 + (int)(fits_1 >> rank & 1);
            if (nth >= n_here) {
                nth -= n_here;
                continue;
            }
            uint32_t mask = row_mask(p);
            g->row.looks++;
            g->row.choices += __builtin_popcount((mask & fits_0) << 16 | (mask & fits_1)) >= 2;
            g->now = ++g->row.moves;
            g->comes_back = 0;
            lay(g, p, place >> 4, nth < on_0 ? 0 : 1);
            p->last_equal = tops_equal(g);
            judge_lead(g);
            fill_row(p);
            return;
        }
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
        int n_plays;
        if (g->row.moves >= MOST_PLAYS || g->flips >= MOST_PLAYS) {
            end_deal(g, UNFINISHED, -1);
        } else if (tops_equal(g)) {
            g->row.stress_from_flip += from_flip;
            stress(g);
            from_flip = true;
        } else if ((n_plays = count_plays(g)) > 0) {
            play_nth(g, below(&g->stream, n_plays));
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
