/* The shedding kernel once more in plain C: the same streams, the same rows, for the rules of two presets. */
#include <math.h>

#include "human.h"
#include "uniform.h"

static double choose(int n, int k)
{
    double ways = 1;
    for (int i = 1; i <= k; i++)
        ways = ways * (n - k + i) / i;
    return ways;
}

static void prepare_scans(void)
{
    for (int n = 0; n < 9; n++) {
        bits_of_choice[n] = llrint(log2(n > 1 ? n : 1) * 65536);
        for (int m = 0; m < 9; m++)
            for (int k = 1; k < 8; k++)
                later_by[n][m][k - 1] = m > 0 && m <= n - k ? llrint(4294967296.0 * choose(n - k, m) / choose(n, m)) : 0;
    }
}

/* Play n deals from number first on into rows; returns the number of events (plays without a clock). */
int64_t play_deals(const struct rules *rules, const struct person *persons, const int32_t *tables, int64_t n_tables,
                   int64_t uniform, uint64_t seed, uint64_t first, int64_t n, struct row *rows)
{
    struct game game = {.rules = *rules, .clock = !uniform};
    int64_t n_events = 0;
    prepare_scans();
    prepare_masks(&game);
    for (int i = 0; i < N; i++) {
        game.persons[i] = persons[i];
        game.players[i].tables = tables + i * n_tables * N_KNOTS;
    }
    for (int64_t i = 0; i < n; i++) {
        memset(&game.row, 0, sizeof game.row);
        if (uniform)
            play_uniform(&game, seed, first + (uint64_t)i);
        else
            play_human(&game, seed, first + (uint64_t)i);
        n_events += uniform ? game.row.moves + game.flips : game.events;
        rows[i] = game.row;
    }
    return n_events;
}
