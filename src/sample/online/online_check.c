#include "online/online.h"

#include <inttypes.h>
#include <math.h>

static bool check_blocks(const struct trod_subpaths *s, size_t i, struct trod_err *err)
{
    const struct trod_online_subpath *one = &s->subpath[i];

    if (one->length < TROD_PROFILE_SHORTEST || one->length > TROD_PROFILE_LONGEST)
        return trod_fail(
            err, TROD_E_INTERNAL, "subpath %zu has %" PRIu32 " blocks", i, one->length);
    for (uint32_t k = 0; k < one->length; k++) {
        trod_block block = one->block[k];
        uint32_t f = 0;

        if (block < s->blocks->first[s->blocks->nfunction])
            f = trod_online_blocks_function(s->blocks, block);
        if (block >= s->blocks->first[s->blocks->nfunction] ||
            block == s->blocks->first[f + 1] - 1)
            return trod_fail(err, TROD_E_INTERNAL,
                "block %" PRIu32 " of subpath %zu does not exist", block, i);
    }
    if (s->identity == TROD_SAMPLE_ROTATION &&
        trod_online_rotation(one->block, one->length) != 0)
        return trod_fail(
            err, TROD_E_INTERNAL, "subpath %zu is not its least rotation", i);
    return true;
}

static bool check_counts(const struct trod_subpaths *s, size_t i, struct trod_err *err)
{
    const struct trod_online_subpath *one = &s->subpath[i];
    /* Tolerate rounding errors in sums of many samples. */
    double most = one->heaviest * (double)one->count * (1 + 1e-6);
    bool sound = one->count && isfinite(one->estimate) && isfinite(one->heaviest);

    if (s->exact)
        sound = sound && !(one->heaviest > 0) &&
                fabs(one->estimate - (double)one->count) < 0.5;
    else
        sound = sound && one->heaviest >= 1 && one->estimate <= most &&
                one->estimate >= (double)one->count * (1 - 1e-6);
    if (!sound)
        return trod_fail(err, TROD_E_INTERNAL,
            "subpath %zu has count %" PRIu64 ", estimate %g, heaviest %g", i,
            one->count, one->estimate, one->heaviest);
    return i == 0 || one[-1].estimate >= one->estimate ||
           trod_fail(err, TROD_E_INTERNAL, "subpath %zu is not in order", i);
}

bool trod_subpaths_check(
    const struct trod_subpaths *subpaths, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_online_set set;

    if (!trod_profile_identity_name(subpaths->identity) ||
        !isfinite(subpaths->nblock) || subpaths->nblock < 0)
        return trod_fail(err, TROD_E_INTERNAL, "which are one, or how many ran");
    trod_online_set_init(&set, subpaths->identity, mem);
    for (size_t i = 0; i < subpaths->nsubpath; i++) {
        const struct trod_online_subpath *one = &subpaths->subpath[i];

        if (!check_blocks(subpaths, i, err) || !check_counts(subpaths, i, err))
            return false;
        trod_online_set_add(&set, one->block, one->length);
        if (set.count != i + 1)
            return trod_fail(err, TROD_E_INTERNAL, "subpath %zu is there again", i);
    }
    return true;
}
