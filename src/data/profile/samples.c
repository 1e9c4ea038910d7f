#include "profile/profile.h"
#include "base/order.h"

#include <trod/online.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- how it was sampled ------------------------------------------------------------------------ */

static const char *const identity_word[] = {
    [TROD_SAMPLE_ROTATION] = "rotation",
    [TROD_SAMPLE_SEQUENCE] = "sequence",
    [TROD_SAMPLE_XOR] = "xor",
};

static const char *const lengths_word[] = {
    [TROD_SAMPLE_POWERS] = "powers",
    [TROD_SAMPLE_UNIFORM] = "uniform",
    [TROD_SAMPLE_INVERSE] = "inverse",
    [TROD_SAMPLE_LIST] = "list",
};

static const char *const ageing_word[] = {
    [TROD_SAMPLE_NO_AGEING] = "none",
    [TROD_SAMPLE_HALVES] = "halves",
    [TROD_SAMPLE_WINDOW] = "window",
};

#define WORD(words, i) ((i) < sizeof(words) / sizeof *(words) ? (words)[i] : NULL)

const char *trod_profile_identity_name(uint32_t identity)
{
    return WORD(identity_word, identity);
}

const char *trod_profile_lengths_name(uint32_t lengths)
{
    return WORD(lengths_word, lengths);
}

const char *trod_profile_ageing_name(uint32_t ageing)
{
    return WORD(ageing_word, ageing);
}

const char *trod_profile_how_fault(const struct trod_format_sample *how)
{
    if (!trod_profile_identity_name(how->identity) ||
        !trod_profile_lengths_name(how->lengths) ||
        !trod_profile_ageing_name(how->ageing))
        return "has an unknown type; a later version of trod may support it";
    if (how->shortest < TROD_PROFILE_SHORTEST || how->shortest > how->longest ||
        how->longest > TROD_PROFILE_LONGEST)
        return "has lengths that cannot be";
    if (!(how->bias > 0x1p-64 && how->bias < 0x1p64))
        return "has a bias that cannot be";
    if (how->budget > TROD_PROFILE_MILLION)
        return "has a budget above all there is";
    if (how->nlength > TROD_SAMPLE_LENGTHS)
        return "lists more lengths than can be";
    for (uint32_t i = 0; i < how->nlength; i++)
        if (!(how->length[i].chance >= 0x1p-64F && how->length[i].chance <= 1))
            return "lists lengths with a chance that cannot be";
    if (how->level >= TROD_SAMPLE_LEVELS || !(how->frequency[how->level] >= 1))
        return "has no frequency that is in force";
    return NULL;
}

/* Clear fields that have no meaning with these settings. */
void trod_profile_clean_how(struct trod_format_sample *how)
{
    how->nentry = how->nchunk = 0;
    how->costs = how->costs != 0;
    if (how->lengths != TROD_SAMPLE_LIST)
        how->nlength = 0;
    for (uint32_t i = how->nlength; i < TROD_SAMPLE_LENGTHS; i++) {
        how->length[i].length = 0;
        how->length[i].chance = 0;
    }
    if (how->ageing == TROD_SAMPLE_NO_AGEING)
        how->period = 0;
    if (!(how->threshold > 0) || !isfinite(how->threshold))
        how->threshold = 0;
    for (uint32_t i = 0; i < TROD_SAMPLE_LEVELS; i++)
        if (!(how->frequency[i] >= 1) || !isfinite(how->frequency[i]))
            how->frequency[i] = 0;
    how->reserved_word = 0;
    memset(how->reserved, 0, sizeof how->reserved);
}

/* --- subpaths ------------------------------------------------------------------------------------ */

bool trod_profile_is_sampled(
    const struct trod_format_sample *how, const struct trod_profile_sampled *sampled)
{
    return sampled->count && sampled->count <= TROD_SAMPLE_COUNT &&
           sampled->level < TROD_SAMPLE_LEVELS && how->frequency[sampled->level] >= 1 &&
           trod_online_weight(how, sampled->length) > 0;
}

int trod_profile_compare_sampled(
    const struct trod_profile_sampled *a, const struct trod_profile_sampled *b)
{
    int by = trod_compare(a->length, b->length);

    for (uint32_t i = 0; !by && i < a->length; i++)
        by = trod_compare(a->block[i], b->block[i]);
    by = by ? by : trod_compare(a->level, b->level);
    return by ? by : trod_compare(a->count, b->count);
}

/* Any total order will do. There is no padding, and meaningless fields are 0. */
static int compare_bytes(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n);
}

int trod_profile_compare_samples(
    const struct trod_profile_samples *a, const struct trod_profile_samples *b)
{
    int by = trod_compare(a->module, b->module);

    by = by ? by : trod_compare(a->how.thread, b->how.thread);
    by = by ? by : compare_bytes(&a->how, &b->how, sizeof a->how);
    by = by ? by : trod_compare(a->nsampled, b->nsampled);
    for (size_t i = 0; !by && i < a->nsampled; i++)
        by = trod_profile_compare_sampled(&a->sampled[i], &b->sampled[i]);
    return by;
}

static int by_blocks(const void *x, const void *y)
{
    return trod_profile_compare_sampled(x, y);
}

void trod_profile_add_samples(
    struct trod_profile_builder *builder, const struct trod_profile_samples *samples)
{
    struct trod_profile_sampled *sampled =
        trod_new(builder->mem, struct trod_profile_sampled, samples->nsampled);

    if (samples->nsampled) {
        memcpy(sampled, samples->sampled, samples->nsampled * sizeof *sampled);
        trod_sort(sampled, samples->nsampled, by_blocks);
    }
    for (size_t i = 0; builder->copy && i < samples->nsampled; i++) {
        uint32_t *block = trod_new(builder->mem, uint32_t, sampled[i].length);

        memcpy(block, sampled[i].block, sampled[i].length * sizeof *block);
        sampled[i].block = block;
    }
    trod_reserve(
        builder->mem, builder->samples, builder->nsamples, builder->room_samples);
    builder->samples[builder->nsamples] = *samples;
    trod_profile_clean_how(&builder->samples[builder->nsamples].how);
    builder->samples[builder->nsamples++].sampled = sampled;
}

bool trod_profile_check_blocks(uint64_t *block,
    const struct trod_profile_samples *samples, const struct trod_profile_terminals *of)
{
    for (size_t i = 0; i < samples->nsampled; i++)
        for (uint32_t k = 0; k < samples->sampled[i].length; k++) {
            uint32_t function;
            uint64_t node;

            *block = samples->sampled[i].block[k];
            if (!trod_profile_step(&function, &node, of, *block))
                return false;
        }
    return true;
}

bool trod_profile_has_samples(const struct trod_profile *profile)
{
    return profile->nsamples ||
           (profile->nmodule && profile->module[0].mode == TROD_MODE_BLOCKS);
}

uint64_t trod_profile_nsample(const struct trod_profile *profile)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < profile->nsamples; i++)
        sum = trod_sat_add(sum, profile->samples[i].how.nsample);
    return sum;
}
