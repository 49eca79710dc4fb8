/* Random streams and quantile tables: the same words and the same times as the kernels draw. */
#ifndef STREAMS_H
#define STREAMS_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t mix(uint64_t word)
{
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

#define GAMMA 0x9E3779B97F4A7C15u
#define SALT 0xD1342543DE82EF95u

/* Start of the stream of `who` (0: the table, 1 and 2: the players) in a deal. */
static inline uint64_t stream_key(uint64_t seed, uint64_t deal, uint64_t who)
{
    uint64_t key = mix(seed + SALT);
    key = mix((key ^ deal) * GAMMA + SALT);
    return mix(key + who * GAMMA);
}

/* Start of a stream's part for a flip number and the own plays since it. */
static inline uint64_t rekeyed(uint64_t key, uint64_t flip, uint64_t plays)
{
    return mix(key ^ ((flip << 32) | plays) * GAMMA);
}

static inline uint64_t next_word(uint64_t *stream)
{
    *stream += GAMMA;
    return mix(*stream);
}

static inline uint32_t next_32(uint64_t *stream)
{
    return (uint32_t)(next_word(stream) >> 32);
}

static inline int below(uint64_t *stream, int n)
{
    return (int)(((uint64_t)next_32(stream) * (uint64_t)n) >> 32);
}

static inline uint32_t high_32(uint64_t word) { return (uint32_t)(word >> 32); }
static inline uint32_t low_32(uint64_t word) { return (uint32_t)word; }

#define N_KNOTS 257

/* Quantile of a distribution at 32 random bits, in microseconds. */
static inline int64_t sample(const int32_t *table, uint32_t bits)
{
    const int32_t *knot = table + (bits >> 24);
    return knot[0] + (((int64_t)(knot[1] - knot[0]) * (bits & 0xFFFFFF)) >> 24);
}

#endif
