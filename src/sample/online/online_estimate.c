#include "online/online.h"

#include <string.h>

#include <trod/online.h>

/* Accumulates the samples of one profile. */
struct estimator {
    struct trod_subpaths *out;
    struct trod_online_set set;
    struct trod_arena *mem;
    double chance[TROD_PROFILE_LONGEST +
                  1]; /* probabilities of the sampler; negative: not yet computed */
    trod_block block[TROD_PROFILE_LONGEST];
};

static double chance_of(
    struct estimator *a, const struct trod_format_sample *how, uint32_t length)
{
    if (a->chance[length] < 0)
        a->chance[length] = trod_online_chance(how, length);
    return a->chance[length];
}

static void add_subpath(struct estimator *a, const struct trod_format_sample *how,
    const struct trod_profile_sampled *sampled,
    const struct trod_online_blocks_module *module)
{
    double frequency = how->frequency[sampled->level];
    double weight = frequency / chance_of(a, how, sampled->length);
    struct trod_online_subpath *subpath;

    for (uint32_t i = 0; i < sampled->length; i++)
        if (!trod_online_blocks_find(&a->block[i], module, sampled->block[i]))
            return;
    subpath = trod_online_set_add(&a->set, a->block, sampled->length);
    subpath->count = trod_sat_add(subpath->count, sampled->count);
    subpath->estimate += weight * (double)sampled->count;
    if (subpath->heaviest < weight)
        subpath->heaviest = weight;
}

/* The number of executed blocks. Every executed block is equally likely to begin a sample, so a
 * sample stands for as many blocks as its frequency says, whatever its length. Dropped samples
 * count like the average of the others. Samples kept only as hashes are included as a number.
 */
static double count_blocks(const struct trod_profile_samples *s)
{
    uint64_t nlost = trod_sat_add(s->how.ndropped, s->how.nrejected);
    double sum = (double)s->how.nonce * s->how.frequency[s->how.level];

    for (size_t i = 0; i < s->nsampled; i++)
        sum += (double)s->sampled[i].count * s->how.frequency[s->sampled[i].level];
    if (s->how.nsample)
        sum *= 1 + (double)nlost / (double)s->how.nsample;
    return sum;
}

static void add_sampler(struct estimator *a, const struct trod_profile_samples *s,
    const struct trod_online_blocks_module *module)
{
    struct trod_subpaths *out = a->out;
    double frequency = s->how.frequency[s->how.level];

    for (uint32_t i = 0; i <= TROD_PROFILE_LONGEST; i++)
        a->chance[i] = -1;
    for (size_t i = 0; i < s->nsampled; i++)
        add_subpath(a, &s->how, &s->sampled[i], module);
    if (!out->nsampler || frequency < out->least_frequency)
        out->least_frequency = frequency;
    if (!out->nsampler || frequency > out->most_frequency)
        out->most_frequency = frequency;
    out->nsampler++;
    out->nblock += count_blocks(s);
    out->nsample = trod_sat_add(out->nsample, s->how.nsample);
    out->ndropped = trod_sat_add(out->ndropped, s->how.ndropped);
    out->nrejected = trod_sat_add(out->nrejected, s->how.nrejected);
    out->spent.time = trod_sat_add(out->spent.time, s->how.time);
    out->spent.cost = trod_sat_add(out->spent.cost, s->how.cost);
    out->spent.floor = trod_sat_add(out->spent.floor, s->how.floor);
    if (s->how.budget > out->spent.budget)
        out->spent.budget = s->how.budget;
    if (s->how.threshold > out->threshold)
        out->threshold = s->how.threshold;
    out->costs |= s->how.costs != 0;
    out->aged |= s->how.ageing != TROD_SAMPLE_NO_AGEING;
}

static bool check(const struct trod_profile *profile, struct trod_err *err)
{
    if (!trod_profile_has_samples(profile))
        return trod_fail(err, TROD_E_MISMATCH,
            "no blocks were sampled; build the program with 'trod cc --online'");
    for (uint32_t i = 1; i < profile->nsamples; i++) {
        const struct trod_format_sample *a = &profile->samples[0].how;
        const struct trod_format_sample *b = &profile->samples[i].how;

        if (a->identity != b->identity)
            return trod_fail(err, TROD_E_MISMATCH,
                "some samples identify subpaths by %s and others by %s; report them separately",
                trod_profile_identity_name(a->identity),
                trod_profile_identity_name(b->identity));
        if (!a->costs != !b->costs)
            return trod_fail(err, TROD_E_MISMATCH,
                "some samples were rejected by cost and some were not; report them separately");
    }
    return true;
}

/* --- whole profiles ------------------------------------------------------------------------------ */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

bool trod_online_estimate(struct trod_subpaths *out, const struct trod_profile *profile,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_online_blocks *blocks = trod_new(mem, struct trod_online_blocks, 1);
    struct estimator *a = trod_new(mem, struct estimator, 1);
    uint32_t s = 0;

    *out = (struct trod_subpaths){.blocks = blocks, .name = "?"};
    if (!check(profile, err))
        return false;
    out->name = base_name(
        profile->module[profile->nsamples ? profile->samples[0].module : 0].path);
    trod_online_blocks_init(blocks, mem);
    a->out = out;
    a->mem = mem;
    trod_online_set_init(&a->set,
        profile->nsamples ? profile->samples[0].how.identity : TROD_SAMPLE_ROTATION,
        mem);
    for (uint32_t m = 0; m < profile->nmodule; m++) {
        struct trod_online_blocks_module module;

        if (!trod_online_blocks_add(&module, blocks, &profile->module[m], err))
            return false;
        for (; s < profile->nsamples && profile->samples[s].module == m; s++)
            add_sampler(a, &profile->samples[s], &module);
    }
    trod_online_rank(out, &a->set);
    return true;
}
