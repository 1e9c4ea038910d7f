#include "build/emulated.h"
#include "calls/recordings.h"
#include "look/html_kinds.h"

#include <sys/stat.h>
#include <stdio.h>
#include <string.h>

/* --- kinds of files ------------------------------------------------------------------------------------ */

enum { HEAD = 4096 }; /* bytes that identify the kind of a file */

enum what { A_PROFILE, A_TRACE, ENTRIES };

static bool begins(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);

    return length > n && memcmp(text, word, n) == 0 && text[n] == ' ';
}

static enum what kind_of_bytes(const char *bytes, size_t length)
{
    if (trod_branch_is_trace((const uint8_t *)bytes, length))
        return A_TRACE;
    while (length && (*bytes == '\n' || *bytes == ' '))
        bytes++, length--;
    if (begins(bytes, length, "branches"))
        return A_TRACE;
    return begins(bytes, length, "entries") ? ENTRIES : A_PROFILE;
}

/* Files that cannot be opened are reported later, by their reader. */
static enum what look(const char *path)
{
    char head[HEAD];
    struct stat status;
    FILE *file;
    size_t n;

    /* A pipe can be read only once, so its kind is not examined. */
    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return A_PROFILE;
    file = fopen(path, "rbe");
    if (!file)
        return A_PROFILE;
    n = fread(head, 1, sizeof head, file);
    fclose(file);
    return kind_of_bytes(head, n);
}

/* --- profiles ------------------------------------------------------------------------------------------- */

static void add_profile(struct cli_html_input *in, struct cli *cli,
    const struct cli_profiles *from, const struct trod_profile *profile)
{
    trod_push(&cli->mem, in->one, in->none, in->room,
        (struct cli_html_profile){.file = from->name,
            .profile = profile,
            .refs = !from->text && from->health.nrefs && from->health.nimage});
    in->recorded |= profile->nsteps > 0;
}

/* Reuse an equal module that is already stored: a thousand profiles of a program share its functions. */
static struct trod_profile_module keep_module(struct cli_html_input *in,
    struct cli *cli, const struct trod_profile_module *module)
{
    struct trod_profile_module copy = *module;

    for (uint32_t i = 0; i < in->nmodule; i++)
        if (trod_profile_compare_modules(&in->module[i], module) == 0)
            return in->module[i];
    trod_profile_copy_module(&copy, &cli->mem);
    trod_push(&cli->mem, in->module, in->nmodule, in->room_module, copy);
    return copy;
}

/* Copy a profile, so that the bytes it was read from can be freed. */
static bool keep_profile(struct trod_profile **out, struct cli_html_input *in,
    struct cli *cli, const struct trod_profile *profile)
{
    struct trod_profile_merge_options options = {
        .keep_runs = true, .keep_modules = true};
    struct trod_profile shared = *profile;
    const struct trod_profile *one = &shared;
    struct trod_profile_module *module =
        trod_new(&cli->mem, struct trod_profile_module, profile->nmodule);

    for (uint32_t i = 0; i < profile->nmodule; i++)
        module[i] = keep_module(in, cli, &profile->module[i]);
    shared.module = module;
    *out = trod_new(&cli->mem, struct trod_profile, 1);
    return trod_profile_merge(*out, &one, 1, &options, &cli->mem, &cli->err);
}

static bool keep_profiles(
    struct cli_html_input *in, struct cli *cli, const struct cli_profiles *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        struct trod_profile *kept;

        if (!keep_profile(&kept, in, cli, &from->profile[i]))
            return false;
        add_profile(in, cli, from, kept);
    }
    return true;
}

/* Steps, samples and references point into the bytes that were read. */
static bool has_counts_only(const struct cli_profiles *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        if (from->profile[i].nsteps || from->profile[i].nsamples)
            return false;
    return from->text || !from->health.nrefs;
}

static bool take_as_read(struct cli_html_input *in, struct cli *cli, const char *path)
{
    struct cli_profiles profiles;

    if (!cli_profiles_read(&profiles, cli, path, &cli->mem))
        return false;
    for (uint32_t i = 0; i < profiles.count; i++)
        add_profile(in, cli, &profiles, &profiles.profile[i]);
    return true;
}

static bool take_profiles(struct cli_html_input *in, struct cli *cli, const char *path)
{
    struct cli_profiles profiles;
    struct trod_arena mem;
    bool ok;

    if (strcmp(path, "-") == 0)
        return take_as_read(in, cli, path);
    trod_arena_init(&mem, cli->mem.exhausted, cli->mem.ctx);
    ok = cli_profiles_read(&profiles, cli, path, &mem);
    if (ok && !profiles.text && profiles.health.nloss)
        cli_note(cli, "%s: damaged; 'trod check' prints what was lost", path);
    ok = ok && (has_counts_only(&profiles) ? keep_profiles(in, cli, &profiles)
                                           : take_as_read(in, cli, path));
    trod_arena_free(&mem);
    return ok;
}

static bool take_file(struct cli *cli, const char *path, void *ctx)
{
    struct cli_html_input *in = ctx;
    enum what what = look(path);

    if (what == A_PROFILE)
        return take_profiles(in, cli, path);
    cli_list_add(cli, what == A_TRACE ? &in->trace : &in->entries, path);
    return true;
}

/* --- counts from steps ------------------------------------------------------------------------------------- */

struct counter {
    struct trod_functions functions;
    struct trod_profile_builder counted;
};

static bool ignore(const struct trod_step *step, void *ctx)
{
    (void)step;
    (void)ctx;
    return true;
}

static bool count_thread(
    struct cli *cli, const struct cli_recorded_thread *t, void *ctx)
{
    struct counter *c = ctx;
    uint64_t *count = trod_new(&cli->mem, uint64_t, t->recorded->decoder.nsubpath);

    trod_recorded_count(count, &t->grammar, &cli->mem);
    trod_recorded_tally(&c->counted, trod_profile_add_module(&c->counted, t->module),
        t->recorded, count);
    return true;
}

static void add_runs(struct counter *c, const struct trod_profile *profile)
{
    for (uint32_t i = 0; i < profile->nrun; i++)
        trod_profile_add_run(
            &c->counted, 0, profile->run[i].field, profile->run[i].nfield);
    for (uint32_t i = 0; i < profile->nnote; i++)
        trod_profile_add_note(&c->counted, "%s", profile->note[i]);
}

/* Recorded steps yield the count of each subpath. */
static bool count_steps(
    struct trod_profile *out, struct cli *cli, const struct cli_html_input *in)
{
    struct cli_recorded recorded = {.map = in->map};
    struct counter c;

    trod_functions_init(&c.functions, &cli->mem);
    trod_profile_builder_init(&c.counted, &cli->mem);
    for (uint32_t i = 0; i < in->none; i++) {
        if (!in->one[i].profile->nsteps)
            continue;
        trod_push(&cli->mem, recorded.one, recorded.count, recorded.room,
            (struct cli_recorded_one){in->one[i].file, in->one[i].profile});
        add_runs(&c, in->one[i].profile);
    }
    return cli_recorded_each(&recorded, cli, &c.functions, ignore, &c, count_thread) &&
           trod_profile_build(out, &c.counted, &cli->err);
}

/* --- interface -------------------------------------------------------------------------------------------- */

static bool read_maps(struct cli_html_input *in, struct cli *cli)
{
    struct cli_recorded all = {0};
    struct trod_profile modules;

    for (uint32_t i = 0; i < in->none; i++) {
        trod_push(&cli->mem, all.one, all.count, all.room,
            (struct cli_recorded_one){in->one[i].file, in->one[i].profile});
    }
    cli_recorded_modules(&modules, &all, cli);
    /* Runs name the maps of programs that were emulated. */
    if (in->none) {
        modules.nrun = in->one[0].profile->nrun;
        modules.run = in->one[0].profile->run;
    }
    return cli_maps_read(cli, &in->map, &modules);
}

struct parts {
    const struct trod_profile **part;
    uint32_t count;
};

static uint32_t mode_of(const struct trod_profile *profile)
{
    return profile->nmodule ? profile->module[0].mode : 0;
}

/* The counts from steps take the place of the first recording. */
static bool list_parts(
    struct parts *out, struct cli *cli, const struct cli_html_input *in)
{
    struct trod_profile *steps = NULL;

    out->part = trod_new(&cli->mem, const struct trod_profile *, (size_t)in->none + 1);
    for (uint32_t i = 0; i < in->none; i++) {
        if (!in->one[i].profile->nsteps) {
            out->part[out->count++] = in->one[i].profile;
        } else if (!steps) {
            steps = trod_new(&cli->mem, struct trod_profile, 1);
            if (!count_steps(steps, cli, in))
                return false;
            out->part[out->count++] = steps;
        }
    }
    return true;
}

static bool add_up(struct cli_html_input *in, struct cli *cli)
{
    struct parts all = {0}, some;

    if (!list_parts(&all, cli, in))
        return false;
    some.part = trod_new(&cli->mem, const struct trod_profile *, (size_t)all.count + 2);
    in->sum = trod_new(&cli->mem, struct trod_profile, (size_t)all.count + 1);
    do {
        uint32_t left = 0, mode = all.count ? mode_of(all.part[0]) : 0;

        some.count = 0;
        for (uint32_t i = 0; i < all.count; i++) {
            if (mode_of(all.part[i]) == mode)
                some.part[some.count++] = all.part[i];
            else
                all.part[left++] = all.part[i];
        }
        all.count = left;
        some.part[some.count++] = cli_skips_noted(cli, &cli->mem);
        if (!trod_profile_merge(&in->sum[in->nsum++], some.part, some.count, NULL,
                &cli->mem, &cli->err))
            return false;
    } while (all.count);
    return true;
}

bool cli_html_read(struct cli_html_input *out, struct cli *cli)
{
    *out = (struct cli_html_input){0};
    return cli_profiles_each(cli, take_file, out) && read_maps(out, cli) &&
           add_up(out, cli);
}
