#include "commands.h"
#include "input/input.h"
#include "keep/check_calls.h"
#include "output/output.h"

#include <inttypes.h>

struct tally {
    uint32_t nfile, ndamaged, nforeign, ncontradiction;
};

static uint64_t count_paths(const struct trod_profile *profile)
{
    uint64_t n = 0;

    for (size_t i = 0; i < profile->ntally; i++)
        n += trod_profile_npath(profile, &profile->tally[i]);
    return n;
}

static const char *kind_of(const struct cli_profiles *in)
{
    if (in->text)
        return "text";
    return in->health.kind == TROD_FORMAT_LIVE ? "live" : "packed";
}

static bool is_open(const struct cli_profiles *in)
{
    return !in->text && in->health.kind == TROD_FORMAT_LIVE && !in->health.ended;
}

static uint64_t count_events(const struct trod_profile *profile)
{
    uint64_t n = 0;

    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        if (trod_profile_is_events(&profile->module[t->module].function[t->function]))
            n += t->npath;
    }
    return n;
}

static uint64_t count_bursts(const struct trod_profile *profile)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < profile->nburst; i++)
        for (int t = 0; t < TROD_BURST_TYPES; t++)
            n = trod_sat_add(n, profile->burst[i].how.type[t].nburst);
    return n;
}

static void print_steps(
    struct cli *cli, const struct cli_profiles *in, const struct trod_profile *profile)
{
    if (profile->nsteps)
        trod_put(&cli->out.sink, ", threads: %" PRIu32 ", steps: %" PRIu64,
            profile->nsteps, trod_profile_nstep(profile, &cli->mem));
    if (profile->nsamples)
        trod_put(&cli->out.sink, ", samplers: %" PRIu32 ", samples: %" PRIu64,
            profile->nsamples, trod_profile_nsample(profile));
    if (trod_profile_has_bursts(profile))
        trod_put(&cli->out.sink, ", events: %" PRIu64 ", bursts: %" PRIu64,
            count_events(profile), count_bursts(profile));
    if (in->health.nrefs)
        trod_put(
            &cli->out.sink, ", sections of references: %" PRIu32, in->health.nrefs);
    trod_put(&cli->out.sink, "\n");
}

static void print_profile(
    struct cli *cli, const struct cli_profiles *in, const struct trod_profile *profile)
{
    struct trod_sink *sink = &cli->out.sink;

    trod_put(sink,
        "%s: %s, %s%s; runs: %" PRIu32 ", modules: %" PRIu32 ", paths: %" PRIu64,
        in->name, kind_of(in), in->health.nloss ? "damaged" : "sound",
        is_open(in) ? ", still running or killed" : "", profile->nrun, profile->nmodule,
        count_paths(profile));
    print_steps(cli, in, profile);
    for (uint32_t i = 0; i < profile->nnote; i++) {
        trod_put(sink, "    ");
        trod_put_name(sink, profile->note[i]);
        trod_put(sink, "\n");
    }
}

static void json_profile(
    struct cli *cli, const struct cli_profiles *in, const struct trod_profile *profile)
{
    struct trod_json *json = &cli->json;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "file", in->name);
    trod_json_text(json, "kind", kind_of(in));
    trod_json_bool(json, "sound", !in->health.nloss);
    trod_json_uint(json, "losses", in->health.nloss);
    trod_json_bool(json, "open", is_open(in));
    trod_json_uint(json, "runs", profile->nrun);
    trod_json_uint(json, "modules", profile->nmodule);
    trod_json_uint(json, "paths", count_paths(profile));
    if (profile->nsteps) {
        trod_json_uint(json, "threads", profile->nsteps);
        trod_json_uint(json, "steps", trod_profile_nstep(profile, &cli->mem));
    }
    if (profile->nsamples) {
        trod_json_uint(json, "samplers", profile->nsamples);
        trod_json_uint(json, "samples", trod_profile_nsample(profile));
    }
    if (trod_profile_has_bursts(profile)) {
        trod_json_uint(json, "events", count_events(profile));
        trod_json_uint(json, "bursts", count_bursts(profile));
    }
    if (in->health.nrefs)
        trod_json_uint(json, "refs", in->health.nrefs);
    trod_json_open(json, "notes", '[');
    for (uint32_t i = 0; i < profile->nnote; i++)
        trod_json_text(json, NULL, profile->note[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

static void refuse(struct cli *cli, const char *path)
{
    if (cli->options.form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_json_text(&cli->json, "file", path);
        trod_json_text(&cli->json, "kind", "none");
        trod_json_text(&cli->json, "error", cli->err.text);
        trod_json_close(&cli->json, '}');
    } else {
        trod_put(&cli->out.sink, "%s\n", cli->err.text);
    }
}

/* A file that is not a profile does not stop the check of the others. */
static bool check_file(struct cli *cli, const char *path, void *ctx)
{
    struct trod_mark mark = trod_arena_mark(&cli->mem);
    struct tally *tally = ctx;
    struct cli_profiles in;

    tally->nfile++;
    if (!cli_profiles_read(&in, cli, path, &cli->mem)) {
        if (cli->err.code != TROD_E_INPUT && cli->err.code != TROD_E_MISMATCH)
            return false;
        tally->nforeign++;
        refuse(cli, path);
    } else {
        tally->ndamaged += in.health.nloss != 0;
        for (uint32_t i = 0; i < in.count; i++) {
            if (!trod_profile_check(&in.profile[i], &cli->err))
                return false;
            if (cli->options.form == CLI_JSON)
                json_profile(cli, &in, &in.profile[i]);
            else
                print_profile(cli, &in, &in.profile[i]);
        }
    }
    trod_arena_rewind(&cli->mem, mark);
    return true;
}

/* Everything after the list of files. */
static bool check_calls(struct cli *cli, struct tally *tally)
{
    bool json = cli->options.form == CLI_JSON;

    if (json)
        trod_json_close(&cli->json, ']');
    if (cli->options.calls && !cli_check_calls(cli, &tally->ncontradiction))
        return false;
    if (json) {
        cli_skips_json(cli);
        trod_json_close(&cli->json, '}');
    }
    return true;
}

bool cli_check(struct cli *cli)
{
    struct tally tally = {0};

    cli_profiles_open_json(cli, "files");
    if (!cli_profiles_each(cli, check_file, &tally) || !check_calls(cli, &tally))
        return false;
    if (!tally.ndamaged && !tally.nforeign && !tally.ncontradiction)
        return true;
    /* A negative result is not an error. */
    if (!cli_out_write(cli))
        return false;
    cli->exit = tally.nforeign ? CLI_INPUT : CLI_NO;
    if (!tally.ndamaged && !tally.nforeign)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%" PRIu32 " %s called more often than entered", tally.ncontradiction,
            tally.ncontradiction == 1 ? "function was" : "functions were");
    return trod_fail(&cli->err, TROD_E_INPUT,
        "of %" PRIu32 " files %" PRIu32 " are damaged, %" PRIu32 " not profiles",
        tally.nfile, tally.ndamaged, tally.nforeign);
}
