/* Random waits: the number of events that are off between bursts. */
#include "burst_plan.h"

__extension__ typedef unsigned __int128 trod_wide;

/* --- numbers -------------------------------------------------------------------------- */

/* paper: Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators": SplitMix64 */
uint64_t __trod_burst_random(struct trod_burst_plan *p)
{
    uint64_t z = p->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t __trod_burst_below(struct trod_burst_plan *p, uint64_t bound)
{
    return (uint64_t)((trod_wide)__trod_burst_random(p) * bound >> 64);
}

/* --- primes --------------------------------------------------------------------------- */

static bool is_prime(uint64_t n)
{
    uint64_t d;

    if (n < 4)
        return n > 1;
    if (n % 2 == 0)
        return false;
    for (d = 3; d <= n / d; d += 2)
        if (n % d == 0)
            return false;
    return true;
}

/* cost:   O(sqrt(n)); for the limit of 10^12, some milliseconds */
uint64_t __trod_burst_next_prime(uint64_t n)
{
    while (n < UINT64_C(1000000000000) && !is_prime(n))
        n++;
    return n;
}

/* --- logarithms ----------------------------------------------------------------------- */

enum { LOG_BITS = 40 };

/* log2(x / 2^63) * 2^LOG_BITS, rounded down; x has its highest bit set. Each squaring yields a bit. */
static uint64_t log_of(uint64_t x)
{
    uint64_t out = 0;
    int i;

    for (i = 0; i < LOG_BITS; i++) {
        trod_wide square = (trod_wide)x * x;
        bool two = square >> 127;

        x = (uint64_t)(square >> (two ? 64 : 63));
        out = out << 1 | two;
    }
    return out;
}

/* -log2 of a random number in (0, 1]. */
static uint64_t draw_log(struct trod_burst_plan *p)
{
    uint64_t x = __trod_burst_random(p) | 1;
    unsigned zeros = 0;

    while (!(x >> 63)) {
        x <<= 1;
        zeros++;
    }
    return ((uint64_t)(zeros + 1) << LOG_BITS) - log_of(x);
}

/* 2^16 / log2(1 + 1/sparsity): the factor of an exponentially distributed number with base 2. For
 * large values it is ln 2 * (sparsity + 1/2), with a relative error below 1 / sparsity.
 */
static uint64_t geometric_scale(uint64_t sparsity)
{
    const uint64_t ln2 = UINT64_C(0xb17217f7d1cf79ac); /* times 2^64 */

    if (sparsity > 4096)
        return (uint64_t)((trod_wide)(2 * sparsity + 1) * ln2 >> 49);
    if (sparsity < 2)
        return sparsity << 16;
    return (UINT64_C(1) << (LOG_BITS + 16)) /
           log_of((UINT64_C(1) << 63) + (UINT64_C(1) << 63) / sparsity);
}

/* Each event that is off begins a burst with probability 1 / (sparsity + 1). */
static uint64_t geometric(struct trod_burst_plan *p, const struct trod_burst_group *g)
{
    return (uint64_t)((trod_wide)draw_log(p) * g->per >> (LOG_BITS + 16));
}

/* --- waits ------------------------------------------------------------------------------ */

/* Uniform from half the sparsity to one and a half times it: the mean is exact. */
static uint64_t jitter(struct trod_burst_plan *p, const struct trod_burst_group *g)
{
    uint64_t half = g->sparsity / 2;

    return g->sparsity - half + __trod_burst_below(p, 2 * half + 1);
}

uint64_t __trod_burst_draw(struct trod_burst_plan *p, const struct trod_burst_group *g)
{
    switch (p->period) {
    case TROD_BURST_JITTER:
        return jitter(p, g);
    case TROD_BURST_GEOMETRIC:
        return geometric(p, g);
    default:
        return g->sparsity;
    }
}

/* A random moment falls into a wait with probability proportional to its length, and uniformly
 * within it. */
uint64_t __trod_burst_draw_rest(
    struct trod_burst_plan *p, const struct trod_burst_group *g)
{
    uint64_t most = g->sparsity + g->sparsity / 2, all;

    if (p->period == TROD_BURST_GEOMETRIC)
        return geometric(p, g);
    do
        all = __trod_burst_draw(p, g);
    while (p->period == TROD_BURST_JITTER && __trod_burst_below(p, most + 1) > all);
    return __trod_burst_below(p, all + 1);
}

/* --- rates --------------------------------------------------------------------------------- */

void __trod_burst_set_rate(
    struct trod_burst_plan *p, struct trod_burst_group *g, uint64_t rate)
{
    uint64_t all = g->burst * rate;
    uint32_t t;

    if (p->period == TROD_BURST_PRIME && rate > 1)
        all = __trod_burst_next_prime(all);
    g->rate = rate;
    g->sparsity = all - g->burst;
    g->weight = all / g->burst;
    g->more = all % g->burst ? UINT64_MAX / g->burst * (all % g->burst) : 0;
    g->per = geometric_scale(g->sparsity);
    for (t = 0; t < TROD_BURST_TYPES; t++) {
        if (!(g->types >> t & 1))
            continue;
        p->shared->type[t].burst = g->burst;
        p->shared->type[t].sparsity = g->sparsity;
        p->shared->type[t].weight = g->weight;
    }
}
