/* online: hot subpaths while the program runs. */
#ifndef TROD_ONLINE_H
#define TROD_ONLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trod/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- how likely a length is: for who samples and for who estimates ------------------------- */

enum { TROD_ONLINE_LONGEST = 1024 }; /* blocks of a subpath */

/* Up to a factor; 0: never. */
static inline double trod_online_weight(
    const struct trod_format_sample *s, uint32_t length)
{
    double weight = 1;
    uint32_t i;

    if (length < s->shortest || length > s->longest || length > TROD_ONLINE_LONGEST)
        return 0;
    switch (s->lengths) {
    case TROD_SAMPLE_POWERS:
        if (length & (length - 1))
            return 0;
        for (; length > 1; length /= 2)
            weight *= s->bias;
        return weight;
    case TROD_SAMPLE_UNIFORM:
        return 1;
    case TROD_SAMPLE_INVERSE:
        return 1 / (double)length;
    default:
        for (i = 0; i < s->nlength && i < TROD_SAMPLE_LENGTHS; i++)
            if (s->length[i].length == length)
                return (double)s->length[i].chance;
        return 0;
    }
}

/* What the weights of all lengths add up to. */
static inline double trod_online_weights(const struct trod_format_sample *s)
{
    double sum = 0;
    uint32_t n;

    for (n = s->shortest; n <= s->longest && n <= TROD_ONLINE_LONGEST; n++)
        sum += trod_online_weight(s, n);
    return sum;
}

/* The probability that a sample has this length. cost: O(longest) */
static inline double trod_online_chance(
    const struct trod_format_sample *s, uint32_t length)
{
    double weight = trod_online_weight(s, length);

    return weight > 0 ? weight / trod_online_weights(s) : 0;
}

#ifdef __cplusplus
}
#endif

#endif
