#include "commands.h"
#include "input/input.h"
#include "look/look.h"
#include "sample/sampled.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- profiles of processes ------------------------------------------------------------------------- */

static bool take_process(struct cli_top *top, const char *text)
{
    struct cli *cli = top->cli;
    uint32_t from = top->file.count;
    uint64_t pid;

    if (!trod_text_uint(&pid, text))
        return cli_misused(cli, "'%s' is not a process id", text);
    if (!cli_process_profiles(&top->file, cli, pid))
        return false;
    if (top->file.count == from)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "process %" PRIu64
            " has no profile: it was not compiled by 'trod cc', or none of its "
            "functions has run yet",
            pid);
    top->process[top->nprocess++] = pid;
    return true;
}

bool cli_top_open(struct cli_top *out, struct cli *cli)
{
    const struct cli_list *pid = &cli->options.path; /* arguments of -p */

    *out = (struct cli_top){.cli = cli};
    if (!pid->count && !cli->options.file.count)
        return cli_misused(cli, "name a process with -p, or a profile");
    if (!cli_online_options(&out->options, cli) ||
        !cli_profiles_list(&cli->options.file, cli, &cli->options.file))
        return false;
    out->process = trod_new(&cli->mem, uint64_t, pid->count);
    for (uint32_t i = 0; i < pid->count; i++)
        if (!take_process(out, pid->item[i]))
            return false;
    for (uint32_t i = 0; i < cli->options.file.count; i++)
        cli_list_add(cli, &out->file, cli->options.file.item[i]);
    for (int i = 0; i < 2; i++)
        trod_arena_init(&out->picture[i].mem, cli->mem.exhausted, cli->mem.ctx);
    return true;
}

void cli_top_close(struct cli_top *top)
{
    for (int i = 0; i < 2; i++)
        trod_arena_free(&top->picture[i].mem);
}

/* --- reading ------------------------------------------------------------------------------------------ */

static bool read_profiles(struct cli_top *top, struct cli_picture *picture)
{
    const struct trod_profile **profile = NULL;
    uint32_t n = 0, room = 0;

    for (uint32_t i = 0; i < top->file.count; i++) {
        struct cli_profiles in;

        if (!cli_profiles_read(&in, top->cli, top->file.item[i], &picture->mem)) {
            if (!top->cli->unusable || top->file.count < 2)
                return false;
            continue; /* it has just been created */
        }
        for (uint32_t k = 0; k < in.count; k++)
            trod_push(&picture->mem, profile, n, room, &in.profile[k]);
    }
    return trod_profile_merge(
        &picture->profile, profile, n, NULL, &picture->mem, &top->cli->err);
}

/* Modules, and functions: a program may make some while it runs. */
static uint64_t count_functions(const struct trod_profile *profile)
{
    uint64_t n = profile->nmodule;

    for (uint32_t m = 0; m < profile->nmodule; m++)
        n += profile->module[m].nfunction;
    return n;
}

/* Maps are large, so they are read again only when modules or functions change. */
static bool read_map(struct cli_top *top, const struct trod_profile *profile)
{
    uint64_t n = count_functions(profile);

    if (top->has_map && top->nmapped == n)
        return true;
    if (!cli_maps_read(top->cli, &top->map, profile))
        return false;
    top->has_map = true;
    top->nmapped = n;
    return true;
}

bool cli_top_look(struct cli_top *top)
{
    struct cli_picture *next = &top->picture[!top->now];

    trod_arena_free(&next->mem);
    trod_arena_init(&next->mem, top->cli->mem.exhausted, top->cli->mem.ctx);
    next->is_there = false;
    if (!read_profiles(top, next))
        return false;
    top->sampled = trod_profile_has_samples(&next->profile);
    if ((top->sampled && !trod_online_estimate(&next->subpaths, &next->profile,
                             &next->mem, &top->cli->err)) ||
        !read_map(top, &next->profile))
        return false;
    next->is_there = true;
    next->at = cli_top_now();
    top->now = !top->now;
    return true;
}

/* --- liveness ------------------------------------------------------------------------------------------- */

static const char *field_of(const struct trod_profile_run *run, const char *key)
{
    for (uint32_t i = 0; i < run->nfield; i++)
        if (strcmp(run->field[i].key, key) == 0)
            return run->field[i].value;
    return "";
}

/* Does the process exist, and is it not a zombie? */
static bool is_alive(uint64_t pid)
{
    char path[64], text[512];
    const char *state;
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "/proc/%" PRIu64 "/stat", pid);
    file = fopen(path, "re");
    if (!file)
        return false;
    n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    state = strrchr(text, ')');
    return !state || !strchr("ZX", state[1] ? state[2] : ' ');
}

static bool is_here(const struct trod_profile_run *run)
{
    char host[256] = "";

    return gethostname(host, sizeof host - 1) == 0 &&
           strcmp(host, field_of(run, "host")) == 0;
}

const char *cli_top_state(const struct cli_top *top, bool *open)
{
    const struct trod_profile *profile = &top->picture[top->now].profile;
    uint32_t nopen = 0, nalive = 0;

    for (uint32_t i = 0; i < profile->nrun; i++) {
        const struct trod_profile_run *run = &profile->run[i];
        uint64_t pid;

        if (strcmp(field_of(run, "exit"), "unknown") != 0)
            continue;
        nopen++;
        nalive += !trod_text_uint(&pid, field_of(run, "pid")) || !is_here(run) ||
                  is_alive(pid);
    }
    *open = nalive != 0;
    return nalive ? "running" : nopen ? "killed" : "ended";
}

/* --- rows ------------------------------------------------------------------------------------------------ */

const struct cli_top_kind *cli_top_kind(const struct cli_top *top)
{
    return top->sampled ? &cli_top_subpaths : &cli_top_paths;
}

const char *cli_top_name(const struct cli_top *top)
{
    const struct cli_picture *picture = &top->picture[top->now];

    if (top->sampled)
        return picture->subpaths.name;
    return picture->profile.nmodule
               ? trod_map_base_name(picture->profile.module[0].path)
               : "?";
}

double cli_top_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void cli_top_rows_all(struct cli_top_rows *out, size_t n, struct trod_arena *mem)
{
    out->n = n;
    out->at = trod_new(mem, size_t, n);
    for (size_t i = 0; i < n; i++)
        out->at[i] = i;
}

bool cli_top_rows(
    struct cli_top_rows *out, const struct cli_top *top, struct trod_arena *mem)
{
    *out = (struct cli_top_rows){.top = top};
    return !top->picture[top->now].is_there || cli_top_kind(top)->build(out, top, mem);
}
