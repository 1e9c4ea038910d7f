#include "base/base.h"

/* SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. Small, with arbitrary
 * seeds, and good enough for tests and for the search for multipliers.
 */
void trod_rng_init(struct trod_rng *rng, uint64_t seed)
{
    rng->state = seed;
}

uint64_t trod_rng_next(struct trod_rng *rng)
{
    uint64_t x = rng->state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t trod_rng_below(struct trod_rng *rng, uint64_t bound)
{
    uint64_t x, limit;

    assert(bound > 0);
    /* Reject numbers from the largest multiple of bound on, which would favour small results. */
    limit = UINT64_MAX - UINT64_MAX % bound;
    do
        x = trod_rng_next(rng);
    while (x >= limit);
    return x % bound;
}
