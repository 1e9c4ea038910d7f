#include "profile/profile.h"

/* Add a profile. Its groups follow those of the profiles before it, or all become one group. */
static void add(struct trod_profile_builder *b, const struct trod_profile *profile,
    bool keep_runs, uint32_t first_group)
{
    uint32_t first_module = b->nmodule;

    for (uint32_t i = 0; i < profile->nrun; i++)
        trod_profile_add_run(b, keep_runs ? first_group + profile->run[i].group : 0,
            profile->run[i].field, profile->run[i].nfield);
    for (uint32_t i = 0; i < profile->nmodule; i++)
        trod_profile_add_module(b, &profile->module[i]);
    for (size_t i = 0; i < profile->ntally; i++) {
        struct trod_profile_tally tally = profile->tally[i];

        tally.module += first_module;
        tally.group = keep_runs ? first_group + tally.group : 0;
        trod_profile_add_tally(b, &tally);
    }
    for (uint32_t i = 0; i < profile->nsamples; i++) {
        struct trod_profile_samples samples = profile->samples[i];

        samples.module += first_module;
        trod_profile_add_samples(b, &samples);
    }
    for (uint32_t i = 0; i < profile->nburst; i++) {
        struct trod_profile_burst burst = profile->burst[i];

        burst.group = keep_runs ? first_group + burst.group : 0;
        trod_profile_add_burst(b, &burst);
    }
    for (uint32_t i = 0; i < profile->nnote; i++)
        trod_profile_add_note(b, "%s", profile->note[i]);
}

bool trod_profile_merge(struct trod_profile *out,
    const struct trod_profile *const *profile, uint32_t nprofile,
    const struct trod_profile_merge_options *options, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_profile_builder builder;
    uint32_t ngroup = 0;

    trod_profile_builder_init(&builder, mem);
    builder.copy = true;
    builder.keep_modules = options && options->keep_modules;
    for (uint32_t i = 0; i < nprofile; i++) {
        if (!trod_profile_has_samples(profile[i]) &&
            !trod_profile_check_counts(profile[i], err))
            return false;
        add(&builder, profile[i], options && options->keep_runs, ngroup);
        ngroup += profile[i]->ngroup;
    }
    return trod_profile_build(out, &builder, err);
}
