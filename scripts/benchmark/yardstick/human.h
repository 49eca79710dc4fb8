/* A deal under the clock: looks, landings, slaps and restarts, one event after the other. */
#ifndef HUMAN_H
#define HUMAN_H

#include "game.h"

static int64_t later_by[9][9][7]; /* what share of the orders of n cards, m playable, shows the first after k + 1 */
static int64_t bits_of_choice[9]; /* log2(n) in 16-bit fixed point */

static inline int64_t scaled(int64_t time, int64_t factor) { return (time * factor) >> 16; }

static inline int64_t motor_time(struct player *p, int64_t table)
{
    return scaled(sampled(p, table, next_32(&p->stream)), p->motor);
}

static inline void table_off(struct game *g)
{
    g->table_act = IDLE;
    g->table_time = FAR;
}

static inline bool slap_pending(const struct game *g)
{
    return g->players[0].slap < FAR || g->players[1].slap < FAR;
}

/* --- a player looks and plans ----------------------------------------------------------------------------------- */

static void prepare_player(struct game *g, int player)
{
    struct player *p = &g->players[player];
    const struct person *own = &g->persons[player];
    p->cognitive = p->motor = 65536;
    if (own->persons_differ) {
        uint32_t common = next_32(&p->stream);
        uint64_t word = next_word(&p->stream);
        p->cognitive = (sampled(p, own->person_common_cognitive, common) *
                        sampled(p, own->person_own_cognitive, high_32(word))) >> 16;
        p->motor = (sampled(p, own->person_common_motor, common) *
                    sampled(p, own->person_own_motor, low_32(word))) >> 16;
    }
    uint64_t word = next_word(&p->stream);
    p->false_left = sampled(p, own->hazard, high_32(word));
    p->illegal_left = sampled(p, own->hazard, low_32(word));
    p->act = WAITING;
    p->act_time = p->stuck = p->notice = p->slap = FAR;
}

/* Scan the row in random order up to the first card that fits; returns the number of cards seen. */
static inline int see_first(struct game *g, struct player *p)
{
    uint64_t word = next_word(&p->stream);
    uint32_t fits_0 = g->piles[0].fits, fits_1 = g->piles[1].fits;
    uint64_t playable = p->lanes & spread(fits_0 | fits_1);
    int n_playable = __builtin_popcountll(playable);
    const int64_t *later = later_by[p->row_cards][n_playable];
    int n_seen = 1;
    for (int k = 0; k < ROW - 1; k++)
        n_seen += high_32(word) < later[k];
    uint64_t bits = (uint64_t)low_32(word) * (uint64_t)n_playable;
    int place = nth_one(playable, (int)(bits >> 32));
    p->slot = place >> 4;
    p->rank = place & 15;
    int on_0 = fits_0 >> p->rank & 1, on_1 = fits_1 >> p->rank & 1;
    p->pile = on_1 & ((1 - on_0) | (int)(bits >> 31 & 1));
    return n_seen;
}

/* Replace the planned card by one that does not fit on the planned pile, if the row has one. */
static void take_wrong_card(struct game *g, struct player *p, const struct person *own)
{
    uint64_t word = next_word(&p->stream);
    p->illegal_left = sampled(p, own->hazard, high_32(word));
    uint64_t wrong = p->lanes & ~spread(g->piles[p->pile].fits);
    uint64_t bits = low_32(word);
    for (uint64_t n = 1; wrong; wrong &= wrong - 1, n++) {
        bits = (bits & 0xFFFFFFFFu) * n;
        if (bits >> 32 == 0) {
            int place = __builtin_ctzll(wrong);
            p->slot = place >> 4;
            p->rank = place & 15;
            p->illegal = true;
        }
    }
}

/* Let a player decide what he does next, when the event is over. */
static inline void start_look(struct game *g, int player, int64_t begin) { g->players[player].look = begin + 1; }

static inline void look_if_begun(struct game *g, int player)
{
    struct player *p = &g->players[player];
    const struct person *own = &g->persons[player];
    if (p->look == 0)
        return;
    int64_t begin = p->look - 1;
    p->look = 0;
    bool ahead = p->ahead;
    p->act = WAITING;
    p->act_time = p->stuck = FAR;
    p->search_end = 0;
    p->declined = p->ahead = false;
    if (p->notice <= g->now || remaining(p) == 0)
        return;
    uint32_t mask = row_mask(p), fits_0 = g->piles[0].fits, fits_1 = g->piles[1].fits;
    bool playable = mask & (fits_0 | fits_1);
    if (can_refill(p) &&
        (!playable || own->refill == AT_ONCE || (g->rules.refill_policy == IMMEDIATE && p->short_plays > 0))) {
        bool in_hand = g->rules.stock_location == STOCK_IN_HAND;
        int64_t duration = motor_time(p, in_hand ? own->refill_from_hand : own->refill_from_table);
        p->act = REFILLING;
        p->act_time = begin + duration;
        if (!g->rules.one_hand_only && own->second_hand)
            p->credit = duration;
        return;
    }
    uint64_t word = next_word(&p->stream);
    int64_t look = scaled(sampled(p, own->notice_base, high_32(word)), p->cognitive) - p->credit;
    if (look < 0)
        look = 0;
    p->credit = 0;
    if (!playable) {
        int64_t scan = (p->row_cards * own->scan_per_card_us * own->scan_absent_factor_x65536) >> 16;
        p->search_end = begin + look + scaled(scan, p->cognitive);
        p->stuck = p->search_end + scaled(sampled(p, own->stuck_agreement, low_32(word)), p->cognitive);
        return;
    }
    int n_choices = __builtin_popcount((mask & fits_0) << 16 | (mask & fits_1));
    p->has_choice = n_choices > 1;
    look += scaled(see_first(g, p) * own->scan_per_card_us, p->cognitive);
    look += scaled((own->choice_cost_us * bits_of_choice[n_choices]) >> 16, p->cognitive);
    if (g->rules.restart_trigger == LOCKED_OR_DECLINED && own->decline > 0 && can_flip(g) &&
        next_32(&p->stream) < own->decline) {
        p->declined = true;
        p->search_end = begin + look;
        p->stuck = p->search_end + scaled(sampled(p, own->stuck_agreement, next_32(&p->stream)), p->cognitive);
        return;
    }
    word = next_word(&p->stream);
    int64_t reach = ahead ? 0 : scaled(sampled(p, own->reach_grasp, high_32(word)), p->motor);
    p->act = PLAYING;
    p->commit = begin + look;
    p->act_time = p->commit + reach + scaled(sampled(p, own->carry_to_land, low_32(word)), p->motor);
    p->version = g->piles[p->pile].version;
    p->illegal = false;
    p->illegal_left -= own->illegal_play_hazard;
    if (p->illegal_left < 0)
        take_wrong_card(g, p, own);
}

/* --- the table: stop, agree, flip ------------------------------------------------------------------------------- */

static void stop_all(struct game *g)
{
    for (int i = 0; i < N; i++) {
        struct player *p = &g->players[i];
        p->act = WAITING;
        p->act_time = p->stuck = p->notice = p->slap = FAR;
        p->declined = p->ahead = false;
        p->search_end = p->credit = 0;
        p->free = g->now;
    }
    table_off(g);
}

static int64_t pickup_time(struct game *g, int player)
{
    const struct person *own = &g->persons[player];
    bool shuffles = g->rules.pickup_placement == SHUFFLE_INTO_STOCK;
    return motor_time(&g->players[player], shuffles ? own->pickup_shuffled : own->pickup_under);
}

static int64_t flip_delay(struct game *g, enum reason reason)
{
    int64_t countdown = 0, turn = 0, give = 0;
    for (int i = 0; i < N; i++) {
        struct player *p = &g->players[i];
        uint64_t word = next_word(&p->stream);
        int64_t count = sampled(p, g->persons[i].countdown, high_32(word));
        int64_t own_turn = scaled(sampled(p, g->persons[i].flip, low_32(word)), p->motor);
        countdown = count > countdown ? count : countdown;
        turn = own_turn > turn ? own_turn : turn;
    }
    bool has_0 = g->players[0].stock_size > 0, has_1 = g->players[1].stock_size > 0;
    if (has_0 != has_1 && takes_card(g, reason)) {
        int taker = has_0 ? 1 : 0;
        give = motor_time(&g->players[taker], g->persons[taker].give_card);
    }
    return countdown + turn + give;
}

/* Note the begin of a stall: nobody has a play or a refill to make, and no stress will be slapped. */
static inline void judge_stall(struct game *g)
{
    struct player *a = &g->players[0], *b = &g->players[1];
    if (g->stall_since >= 0 || ((a->lanes | b->lanes) & spread(g->piles[0].fits | g->piles[1].fits)))
        return;
    if (remaining(a) == 0 || remaining(b) == 0 || can_refill(a) || can_refill(b))
        return;
    if (g->window == OPEN && slap_pending(g))
        return;
    if (g->row.stalls++ == 0)
        g->row.first_stall_us = g->now;
    g->row.stalled = 1;
    g->stall_since = g->now;
}

/* Let the table count down once the players agree that it must. */
static inline void plan_restart(struct game *g)
{
    struct player *a = &g->players[0], *b = &g->players[1];
    if (a->stuck == FAR || b->stuck == FAR || a->act != WAITING || b->act != WAITING)
        return;
    if (g->table_act != IDLE || slap_pending(g))
        return;
    int64_t agreed = a->stuck > b->stuck ? a->stuck : b->stuck;
    if (agreed < g->now)
        agreed = g->now;
    if (can_flip(g)) {
        g->table_act = FLIP;
        g->reason = a->declined || b->declined ? DECLINED : NOBODY_COULD;
        g->table_time = agreed + flip_delay(g, g->reason);
    } else {
        g->table_act = RECOGNISE_EMPTY;
        g->table_time = agreed;
    }
}

/* --- stress ----------------------------------------------------------------------------------------------------- */

static int64_t signal_time(struct game *g, int player)
{
    struct player *p = &g->players[player];
    const struct person *own = &g->persons[player];
    uint32_t bits = next_32(&p->stream);
    if (g->rules.stress_signal == SIGNAL_SHOUT)
        return scaled(sampled(p, own->call, bits), p->motor);
    return scaled(sampled(p, own->slap_move, bits), p->motor) + own->seat_us;
}

static void open_window(struct game *g, int lander)
{
    if (g->window == ENDED)
        g->row.stress_missed++;
    g->window = OPEN;
    g->window_from_flip = lander < 0;
    for (int i = 0; i < N; i++) {
        struct player *p = &g->players[i];
        const struct person *own = &g->persons[i];
        if (p->slap < FAR && p->notice <= g->now)
            continue;
        uint64_t word = next_word(&p->stream);
        p->notice = p->slap = FAR;
        if (low_32(word) < own->p_miss_stress)
            continue;
        int64_t notice = sampled(p, own->stress_notice, high_32(word));
        if (i == lander) {
            if (own->foresee_stress > 0 && next_32(&p->stream) < own->foresee_stress)
                notice -= own->anticipation_gain_us;
        } else if (p->act != WAITING || g->now < p->search_end || g->now < p->free) {
            notice += own->busy_penalty_us;
        }
        p->notice = g->now + scaled(notice > 0 ? notice : 0, p->cognitive);
        p->slap = p->notice + signal_time(g, i);
    }
}

/* A card has covered the equal tops: who has not noticed stays down, whose hand is on its way comes too late. */
static void close_window(struct game *g)
{
    int n_counting = 0;
    g->grace_until = g->now;
    for (int i = 0; i < N; i++) {
        struct player *p = &g->players[i];
        if (p->slap == FAR)
            continue;
        if (p->notice > g->now)
            p->notice = p->slap = FAR;
        else if (p->slap <= g->grace_until)
            n_counting++;
    }
    g->window = n_counting > 0 ? ENDED : CLOSED;
    g->row.stress_missed += n_counting == 0;
}

static inline void expose_to_false_slaps(struct game *g)
{
    bool adjacent = g->piles[0].rank >= 0 && (g->piles[1].fits >> g->piles[0].rank & 1);
    for (int i = 0; i < N; i++) {
        struct player *p = &g->players[i];
        const struct person *own = &g->persons[i];
        p->false_left -= adjacent ? own->false_slap_hazard_adjacent : own->false_slap_hazard;
        if (p->false_left >= 0)
            continue;
        uint64_t word = next_word(&p->stream);
        p->false_left = sampled(p, own->hazard, high_32(word));
        if (p->slap == FAR) {
            p->notice = g->now + scaled(sampled(p, own->stress_notice, low_32(word)), p->cognitive);
            p->slap = p->notice + signal_time(g, i);
        }
    }
}

static int slapped_pile(struct game *g, int player)
{
    if (g->rules.stress_signal == SIGNAL_SHOUT)
        return -1;
    switch (g->persons[player].slap_pile) {
    case SMALLER:
        return g->piles[1 - player].size < g->piles[player].size ? 1 - player : player;
    case LEFT:
        return 1 - player;
    case EITHER:
        return next_32(&g->stream) & 1 ? 1 - player : player;
    default:
        return player;
    }
}

static void settle(struct game *g, int first, int pile)
{
    int second = 1 - first;
    struct player *late = &g->players[second];
    int64_t end = g->now, pickup;
    bool tie = false;
    if (late->slap < FAR && late->notice <= g->now) {
        int other_pile = slapped_pile(g, second);
        bool same_pile = g->rules.stress_signal != SIGNAL_SHOUT && pile == other_pile;
        end = late->slap;
        tie = end - g->now < (same_pile ? g->rules.tie_window_same_pile_us : g->rules.tie_window_us);
    }
    g->row.stresses++;
    g->row.stress_from_flip += g->window_from_flip;
    g->window = CLOSED;
    g->now = end;
    if (tie) {
        g->row.stress_ties++;
        g->slap_winner = -1;
        pickup = 0;
        for (int i = 0; i < N; i++) {
            g->row.picked_up += take_pile(g, &g->players[i], i);
            if (g->rules.pickup_placement == SHUFFLE_INTO_STOCK)
                shuffle_stock(g, &g->players[i]);
        }
        for (int i = 0; i < N; i++) {
            int64_t time = pickup_time(g, i);
            pickup = time > pickup ? time : pickup;
        }
    } else {
        g->row.picked_up += take_both(g, second);
        g->slap_winner = first;
        pickup = pickup_time(g, second);
    }
    stop_all(g);
    if (end_if_out(g))
        return;
    g->table_act = FLIP;
    g->reason = AFTER_STRESS;
    g->table_time = end + pickup + flip_delay(g, AFTER_STRESS);
}

static void on_slap(struct game *g, int player)
{
    struct player *p = &g->players[player];
    bool counts = g->window == OPEN || (g->window == ENDED && g->now <= g->grace_until);
    int pile = slapped_pile(g, player);
    table_off(g);
    if (counts) {
        settle(g, player, pile);
    } else {
        g->row.false_calls++;
        p->notice = p->slap = FAR;
        p->free = g->now + motor_time(p, g->persons[player].false_call_recovery);
        if (p->act != REFILLING)
            start_look(g, player, p->free);
    }
    if (g->outcome == PLAYING_ON && g->table_act == IDLE)
        judge_stall(g);
}

/* --- flips under the clock -------------------------------------------------------------------------------------- */

static inline int64_t later_of(int64_t a, int64_t b) { return a > b ? a : b; }

static void after_flip(struct game *g)
{
    judge_lead(g);
    if (tops_equal(g))
        open_window(g, -1);
    else
        expose_to_false_slaps(g);
    if (end_if_out(g))
        return;
    for (int i = 0; i < N; i++) {
        struct player *p = &g->players[i];
        if (p->act == WAITING) {
            start_look(g, i, later_of(g->now, p->free));
        } else if (p->act == PLAYING && !p->illegal && g->now < p->commit) {
            if (g->piles[p->pile].fits >> p->rank & 1)
                p->version = g->piles[p->pile].version;
            else
                start_look(g, i, later_of(g->now, p->free));
        }
    }
    judge_stall(g);
}

static void on_table(struct game *g)
{
    if (g->table_act == RECOGNISE_EMPTY) {
        g->row.both_stocks_empty = 1;
        end_deal(g, DEADLOCKED, -1);
        return;
    }
    table_off(g);
    g->row.restarts += g->reason == DECLINED;
    if (g->window == OPEN) {
        g->window = CLOSED;
        g->row.stress_missed++;
    }
    flip(g, g->reason);
    if (g->stall_since >= 0) {
        g->row.stalled_us += g->now - g->stall_since;
        g->stall_since = -1;
    }
    after_flip(g);
}

/* --- a card reaches a pile -------------------------------------------------------------------------------------- */

static inline bool fits_still(const struct game *g, const struct player *p)
{
    return g->piles[p->pile].fits >> p->rank & 1;
}

/* A player sees that a pile has changed: he looks anew, keeps his plan, or takes his card back. */
static inline void wake(struct game *g, int player, int pile)
{
    struct player *p = &g->players[player];
    const struct person *own = &g->persons[player];
    if (p->notice <= g->now)
        return;
    if (p->act == WAITING) {
        start_look(g, player, later_of(g->now, p->free));
        return;
    }
    if (p->act != PLAYING || p->pile != pile || p->illegal)
        return;
    if (g->now < p->commit) {
        if (fits_still(g, p))
            p->version = g->piles[pile].version;
        else
            start_look(g, player, later_of(g->now, p->free));
    } else if (!(fits_still(g, p) && g->rules.late_card == STAYS_IF_LEGAL) &&
               g->now < p->act_time - own->abort_window_us) {
        g->row.aborted_cards++;
        p->free = g->now + motor_time(p, own->abort_return);
        start_look(g, player, p->free);
    }
}

static inline void land(struct game *g, int player)
{
    struct player *p = &g->players[player];
    g->row.looks++;
    g->row.moves++;
    g->row.choices += p->has_choice;
    if (can_refill(p))
        p->short_plays++;
    lay(g, p, p->slot, p->pile);
    bool equal = tops_equal(g);
    p->last_equal = equal;
    p->act = WAITING;
    p->act_time = FAR;
    p->search_end = 0;
    table_off(g);
    p->plays++;
    p->stream = rekeyed(p->key, (uint64_t)g->flips, (uint64_t)p->plays);
    judge_lead(g);
    if (g->window == OPEN)
        close_window(g);
    if (equal)
        open_window(g, player);
    else
        expose_to_false_slaps(g);
    if (p->row_cards == 0 && end_if_out(g))
        return;
    wake(g, 1 - player, p->pile);
    p->ahead = !g->rules.one_card_at_a_time && g->persons[player].grasp_ahead;
    start_look(g, player, g->now);
    judge_stall(g);
}

static inline void on_arrival(struct game *g, int player)
{
    struct player *p = &g->players[player];
    const struct person *own = &g->persons[player];
    if (p->notice <= g->now) {
        p->act = WAITING;
        p->act_time = p->stuck = FAR;
        return;
    }
    bool changed = p->version != g->piles[p->pile].version;
    if (fits_still(g, p) && !(changed && g->rules.late_card != STAYS_IF_LEGAL)) {
        land(g, player);
        return;
    }
    if (p->illegal && !changed) {
        g->row.illegal_cards++;
        p->free = g->now + motor_time(p, own->illegal_card_return);
    } else {
        g->row.late_cards++;
        p->free = g->now + motor_time(p, own->late_card_return);
    }
    start_look(g, player, p->free);
}

static inline void on_refill(struct game *g, int player)
{
    struct player *p = &g->players[player];
    if (p->stock_size > 0)
        draw_card(p);
    if (!can_refill(p))
        p->short_plays = 0;
    judge_stall(g);
    start_look(g, player, later_of(g->now, p->free));
}

/* --- what comes next -------------------------------------------------------------------------------------------- */

enum { MOST_EVENTS = 20000, TABLE = -1 };

/* Who is first where not just one player is: the table, a player, or N more than a player who slaps. */
static int first_of_all(struct game *g, int64_t soonest)
{
    int first = TABLE, n_tied = g->table_time == soonest;
    for (int i = 0; i < N; i++)
        for (int slaps = 0; slaps < 2; slaps++)
            if ((slaps ? g->players[i].slap : g->players[i].act_time) == soonest) {
                n_tied++;
                if (n_tied == 1 || below(&g->stream, n_tied) == 0)
                    first = i + N * slaps;
            }
    return first;
}

static inline void next_event(struct game *g)
{
    struct player *a = &g->players[0], *b = &g->players[1];
    int who = b->act_time < a->act_time;
    int64_t soonest = g->players[who].act_time;
    int64_t slap = a->slap < b->slap ? a->slap : b->slap;
    int64_t other = slap < g->table_time ? slap : g->table_time;
    bool plain = soonest < other && a->act_time != b->act_time;
    if (other < soonest)
        soonest = other;
    if (++g->events > MOST_EVENTS || soonest == FAR) {
        end_deal(g, UNFINISHED, -1);
        return;
    }
    if (!plain)
        who = first_of_all(g, soonest);
    g->now = soonest;
    if (who == TABLE)
        on_table(g);
    else if (who >= N)
        on_slap(g, who - N);
    else if (g->players[who].act == PLAYING)
        on_arrival(g, who);
    else
        on_refill(g, who);
}

static void play_human(struct game *g, uint64_t seed, uint64_t deal)
{
    deal_cards(g, seed, deal);
    g->stall_since = -1;
    table_off(g);
    for (int i = 0; i < N; i++) {
        prepare_player(g, i);
        fill_row(&g->players[i]);
    }
    flip_to_begin(g);
    after_flip(g);
    g->row.stalled_at_start = g->stall_since == 0 && !tops_equal(g);
    while (g->outcome == PLAYING_ON) {
        look_if_begun(g, 0);
        look_if_begun(g, 1);
        plan_restart(g);
        next_event(g);
    }
    if (g->stall_since >= 0)
        g->row.stalled_us += g->now - g->stall_since;
}

#endif
