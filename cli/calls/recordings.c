#include "calls/recordings.h"

#include <inttypes.h>
#include <string.h>

/* Is it a profile: binary, or in its text form? */
static bool is_profile(struct cli *cli, const struct cli_bytes *in)
{
    struct trod_text text;
    struct trod_token head;
    struct trod_err err;

    if (trod_profile_is_binary((const uint8_t *)in->bytes, in->length) ||
        (in->length && memchr(in->bytes, '\0', in->length)))
        return true;
    trod_text_init(&text, in->name, in->bytes, in->length);
    return trod_text_next(&head, &text, &cli->mem, &err) && head.kind == TROD_T_NAME &&
           strcmp(head.name, "profile") == 0;
}

static bool take_profile(struct cli_recorded *r, struct cli *cli, const char *name,
    const struct trod_profile *profile)
{
    bool counted = r->takes_counts && profile->nmodule &&
                   profile->module[0].mode == TROD_MODE_SEGMENTS;

    if (!profile->nsteps && !counted)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: it has no recorded steps; compile the program with 'trod cc --wpp'",
            name);
    trod_push(
        &cli->mem, r->one, r->count, r->room, (struct cli_recorded_one){name, profile});
    r->ncounted += counted;
    return !r->ncounted || r->ncounted == r->count ||
           trod_fail(&cli->err, TROD_E_MISMATCH,
               "%s: some profiles have recorded steps and others counts; give them separately",
               name);
}

bool cli_recorded_take(
    struct cli_recorded *r, struct cli *cli, const struct cli_bytes *in, bool *taken)
{
    struct cli_profiles profiles;

    *taken = is_profile(cli, in);
    if (!*taken)
        return true;
    if (!cli_profiles_take(&profiles, cli, in))
        return false;
    if (profiles.health.nloss)
        cli_note(cli, "%s: damaged; 'trod check' prints what was lost", in->name);
    for (uint32_t i = 0; i < profiles.count; i++)
        if (!take_profile(r, cli, in->name, &profiles.profile[i]))
            return false;
    return true;
}

/* Each module once, even if several profiles have it. */
void cli_recorded_modules(
    struct trod_profile *out, const struct cli_recorded *r, struct cli *cli)
{
    struct trod_profile_module *module = NULL;
    uint32_t n = 0, room = 0;

    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t m = 0; m < r->one[i].profile->nmodule; m++) {
            const struct trod_profile_module *of = &r->one[i].profile->module[m];
            uint32_t k = 0;

            while (k < n && (trod_profile_compare_identity(of, &module[k]) != 0 ||
                                strcmp(of->path, module[k].path) != 0))
                k++;
            if (k < n)
                continue;
            trod_push(&cli->mem, module, n, room, *of);
        }
    *out = (struct trod_profile){.nmodule = n, .module = module};
}

bool cli_recorded_maps(struct cli_recorded *r, struct cli *cli)
{
    struct trod_profile all;

    cli_recorded_modules(&all, r, cli);
    return cli_maps_read(cli, &r->map, &all);
}

/* Note dropped steps and missing parts, because the output does not show them. */
static void note_given(struct cli *cli, const struct cli_recorded_thread *t)
{
    if (t->steps->ngiven)
        cli_note(cli,
            "%s: thread %" PRIu32 " of %s: %" PRIu64
            " later subpaths were dropped for lack of space",
            t->file, t->steps->thread, t->module->path, t->steps->ngiven);
}

bool cli_recorded_each(struct cli_recorded *r, struct cli *cli,
    struct trod_functions *functions, trod_step_taker take, void *ctx,
    bool (*fn)(struct cli *cli, const struct cli_recorded_thread *thread, void *ctx))
{
    for (uint32_t i = 0; i < r->count; i++) {
        const struct trod_profile *profile = r->one[i].profile;
        struct trod_recorded recorded;

        for (uint32_t s = 0; s < profile->nsteps; s++) {
            const struct trod_profile_steps *steps = &profile->steps[s];
            struct cli_recorded_thread thread = {.of = r,
                .file = r->one[i].name,
                .module = &profile->module[steps->module],
                .steps = steps,
                .recorded = &recorded};

            if (functions && (!s || steps->module != steps[-1].module))
                trod_recorded_init(
                    &recorded, thread.module, &r->map, functions, take, ctx, &cli->mem);
            if (functions && !trod_recorded_grammar(&thread.grammar, &recorded,
                                 &steps->grammar, &cli->err))
                return false;
            note_given(cli, &thread);
            if (!fn(cli, &thread, ctx))
                return false;
        }
    }
    return true;
}

bool cli_recorded_run(struct cli *cli, const struct cli_recorded_thread *t)
{
    uint64_t most = cli->options.max_steps ? cli->options.max_steps : CLI_STEPS;
    struct trod_grammar_sizes sizes;

    trod_grammar_sizes(&sizes, &t->grammar, &cli->mem);
    t->of->nstep = trod_sat_add(t->of->nstep, sizes.nterminal);
    if (t->of->nstep > most)
        return trod_fail(&cli->err, TROD_E_LIMIT,
            "%s: with thread %" PRIu32 " of %s, %" PRIu64
            " steps must be read, and %" PRIu64
            " are allowed; --max-steps=N allows more",
            t->file, t->steps->thread, t->module->path, t->of->nstep, most);
    return trod_recorded_run(t->recorded, &t->grammar);
}

uint64_t cli_recorded_given(const struct cli_recorded *r)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t s = 0; s < r->one[i].profile->nsteps; s++)
            n = trod_sat_add(n, r->one[i].profile->steps[s].ngiven);
    return n;
}

const char *cli_recorded_name(const struct cli_recorded *r)
{
    const struct trod_profile *profile = r->one[0].profile;
    uint32_t module = profile->nsteps ? profile->steps[0].module : 0;
    const char *path = profile->module[module].path;
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}
