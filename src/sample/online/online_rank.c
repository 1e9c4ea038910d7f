#include "online/online.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

static int by_estimate(const void *x, const void *y)
{
    const struct trod_online_subpath *a = x, *b = y;

    if (a->estimate != b->estimate)
        return a->estimate > b->estimate ? -1 : 1;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    for (uint32_t i = 0; i < a->length; i++)
        if (a->block[i] != b->block[i])
            return a->block[i] < b->block[i] ? -1 : 1;
    return 0;
}

void trod_online_rank(struct trod_subpaths *out, struct trod_online_set *set)
{
    trod_sort(set->subpath, set->count, by_estimate);
    out->identity = set->identity;
    out->nsubpath = set->count;
    out->subpath = set->subpath;
    *set = (struct trod_online_set){0};
}

double trod_subpaths_error(double nsample, double confidence, bool one_sided)
{
    if (isinf(nsample))
        return 0;
    return sqrt((one_sided ? 2 : 6) * -log1p(-confidence) / nsample);
}

double trod_subpaths_needed(double error, double confidence)
{
    return 6 * -log1p(-confidence) / (error * error);
}

/* Is it unlikely that what ran so often has this estimate, or one that is farther away? */
static bool is_unlikely(double ran, const struct trod_online_subpath *s, double most)
{
    double off = s->estimate - ran;

    return off * off >= most * s->heaviest * (off < 0 ? 2 * ran : ran + s->estimate);
}

enum trod_online_verdict trod_subpaths_verdict(
    const struct trod_online_subpath *subpath, double low, double high,
    double confidence)
{
    double most = -log1p(-confidence);
    bool above = subpath->estimate > low && is_unlikely(low, subpath, most);
    bool below = subpath->estimate < high && is_unlikely(high, subpath, most);

    if (above && below)
        return TROD_ONLINE_BETWEEN;
    return above   ? TROD_ONLINE_ABOVE
           : below ? TROD_ONLINE_BELOW
                   : TROD_ONLINE_UNDECIDED;
}

/* Effective number of samples. A weighted sum is at least as certain as the same sum made of
 * samples that all have the highest weight: Chernoff's bounds hold for random variables between 0
 * and 1, not only for those that are 0 or 1.
 */
double trod_online_nsample(const struct trod_online_subpath *subpath)
{
    return subpath->heaviest > 0 ? subpath->estimate / subpath->heaviest
                                 : (double)INFINITY;
}
