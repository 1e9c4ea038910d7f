#include "profile/profile.h"

#include <string.h>

/* Number the modules of the result; returns how many there are. */
static uint32_t renumber(
    uint32_t *number, const struct trod_profile *profile, const bool *is_kept)
{
    uint32_t n = 0;

    for (uint32_t m = 0; m < profile->nmodule; m++)
        if (is_kept[m])
            number[m] = n++;
    return n;
}

void trod_profile_keep_modules(struct trod_profile *out,
    const struct trod_profile *profile, const bool *is_kept, struct trod_arena *mem)
{
    const struct trod_profile all = *profile;
    uint32_t *number = trod_new(mem, uint32_t, all.nmodule);
    uint32_t nmodule = renumber(number, &all, is_kept);
    struct trod_profile_module *module;
    struct trod_profile_tally *tally;
    struct trod_profile_steps *steps;
    struct trod_profile_samples *samples;

    *out = all;
    if (nmodule == all.nmodule)
        return;
    module = trod_new(mem, struct trod_profile_module, all.nmodule);
    tally = trod_new(mem, struct trod_profile_tally, all.ntally);
    steps = trod_new(mem, struct trod_profile_steps, all.nsteps);
    samples = trod_new(mem, struct trod_profile_samples, all.nsamples);
    out->nmodule = out->nsteps = out->nsamples = 0;
    out->ntally = 0;
    for (uint32_t i = 0; i < all.nmodule; i++)
        if (is_kept[i])
            module[out->nmodule++] = all.module[i];
    for (size_t i = 0; i < all.ntally; i++)
        if (is_kept[all.tally[i].module]) {
            tally[out->ntally] = all.tally[i];
            tally[out->ntally++].module = number[all.tally[i].module];
        }
    for (uint32_t i = 0; i < all.nsteps; i++)
        if (is_kept[all.steps[i].module]) {
            steps[out->nsteps] = all.steps[i];
            steps[out->nsteps++].module = number[all.steps[i].module];
        }
    for (uint32_t i = 0; i < all.nsamples; i++)
        if (is_kept[all.samples[i].module]) {
            samples[out->nsamples] = all.samples[i];
            samples[out->nsamples++].module = number[all.samples[i].module];
        }
    out->module = module;
    out->tally = tally;
    out->steps = steps;
    out->samples = samples;
}

/* Add a note once, in sorted order. */
static void add_note(
    struct trod_profile *profile, const char *text, struct trod_arena *mem)
{
    const char **note = trod_new(mem, const char *, (size_t)profile->nnote + 1);
    uint32_t at = 0;

    while (at < profile->nnote && strcmp(profile->note[at], text) < 0)
        at++;
    if (at < profile->nnote && strcmp(profile->note[at], text) == 0)
        return;
    for (uint32_t i = 0; i <= profile->nnote; i++)
        note[i] = i < at ? profile->note[i] : i == at ? text : profile->note[i - 1];
    profile->note = note;
    profile->nnote++;
}

void trod_profile_keep_functions(struct trod_profile *out,
    const struct trod_profile *profile,
    bool (*wants)(const struct trod_profile_function *function, void *ctx), void *ctx,
    struct trod_arena *mem)
{
    const struct trod_profile all = *profile;
    struct trod_profile_tally *tally =
        trod_new(mem, struct trod_profile_tally, all.ntally);

    *out = all;
    out->tally = tally;
    out->ntally = 0;
    for (size_t i = 0; i < all.ntally; i++)
        if (wants(
                &all.module[all.tally[i].module].function[all.tally[i].function], ctx))
            tally[out->ntally++] = all.tally[i];
    /* A group must have a run, a tally or a burst. */
    if (!out->ntally && !out->nrun && !out->nburst)
        out->ngroup = 0;
    add_note(out, "chosen only the counts of selected functions were kept", mem);
}
