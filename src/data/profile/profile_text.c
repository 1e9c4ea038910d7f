#include "profile/profile.h"

#include <inttypes.h>

uint64_t trod_profile_last_id(const struct trod_profile_function *function)
{
    return function->counted == TROD_COUNTED_ALL ? UINT64_MAX : function->npath;
}

size_t trod_profile_count_below(const struct trod_profile_tally *tally, uint64_t id)
{
    size_t n = tally->npath;

    while (n && tally->path[n - 1].id >= id)
        n--;
    return n;
}

size_t trod_profile_npath(
    const struct trod_profile *profile, const struct trod_profile_tally *tally)
{
    const struct trod_profile_function *function =
        &profile->module[tally->module].function[tally->function];

    if (trod_profile_is_events(function))
        return 0;
    return trod_profile_count_below(tally, function->npath);
}

static void print_run(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_profile_run *run)
{
    trod_put(sink, "run");
    if (profile->ngroup > 1)
        trod_put(sink, " @%" PRIu32, run->group);
    trod_put(sink, "\n");
    for (uint32_t i = 0; i < run->nfield; i++) {
        trod_put_name(sink, run->field[i].key);
        trod_put(sink, ":");
        if (*run->field[i].value) {
            trod_put(sink, " ");
            trod_put_name(sink, run->field[i].value);
        }
        trod_put(sink, "\n");
    }
}

enum { IDS_A_LINE = 16 };

static void print_function(
    struct trod_sink *sink, const struct trod_profile_function *function)
{
    trod_put(sink, "function %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %" PRIu64,
        function->name, function->graph, function->cuts, function->npath);
    if (function->counted != TROD_COUNTED_ALL)
        trod_put(sink, " %s", trod_profile_counted_name(function->counted));
    trod_put(sink, "\n");
    for (size_t i = 0; i < function->nchosen; i++) {
        bool last = i + 1 == function->nchosen || i % IDS_A_LINE == IDS_A_LINE - 1;

        trod_put(sink, "%s =%" PRIu64 "%s", i % IDS_A_LINE ? "" : "slots",
            function->chosen[i], last ? "\n" : "");
    }
}

static void print_tally(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_profile_tally *tally)
{
    uint64_t npath = profile->module[tally->module].function[tally->function].npath;

    for (size_t i = 0; i < tally->npath; i++) {
        const struct trod_profile_path *path = &tally->path[i];

        if (path->id < npath)
            trod_put(sink, "=%" PRIu64, path->id);
        else if (path->id == npath)
            trod_put(sink, "begun");
        else
            trod_put(sink, "stop %" PRIu64, path->id - npath - 1);
        trod_put(
            sink, " %" PRIu64 "%s", path->count, path->count == UINT64_MAX ? "+" : "");
        if (profile->ngroup > 1)
            trod_put(sink, " @%" PRIu32, tally->group);
        trod_put(sink, "\n");
    }
}

static void print_steps(struct trod_sink *sink, const struct trod_profile_steps *steps)
{
    trod_put(sink, "steps %" PRIu32, steps->thread);
    if (steps->ngiven)
        trod_put(sink, " given %" PRIu64, steps->ngiven);
    trod_put(sink, "\n");
    trod_grammar_print_rules(sink, &steps->grammar);
}

void trod_profile_print(struct trod_sink *sink, const struct trod_profile *profile)
{
    const struct trod_profile_tally *t = profile->tally, *end = t + profile->ntally;
    uint32_t s = 0, sampler = 0;

    trod_put(sink, "profile\n");
    for (uint32_t i = 0; i < profile->nrun; i++)
        print_run(sink, profile, &profile->run[i]);
    for (uint32_t i = 0; i < profile->nburst; i++)
        trod_profile_burst_print(sink, &profile->burst[i], profile->ngroup > 1);
    for (uint32_t m = 0; m < profile->nmodule; m++) {
        const struct trod_profile_module *module = &profile->module[m];

        trod_put(sink, "module ");
        trod_put_name(sink, module->path);
        trod_put(sink, " %s%s%s\n", trod_profile_mode_name(module->mode),
            *module->build_id ? " " : "", module->build_id);
        for (uint32_t f = 0; f < module->nfunction; f++) {
            print_function(sink, &module->function[f]);
            for (; t < end && t->module == m && t->function == f; t++)
                print_tally(sink, profile, t);
        }
        for (; s < profile->nsteps && profile->steps[s].module == m; s++)
            print_steps(sink, &profile->steps[s]);
        for (; sampler < profile->nsamples && profile->samples[sampler].module == m;
            sampler++)
            trod_profile_samples_print(sink, &profile->samples[sampler]);
    }
    for (uint32_t i = 0; i < profile->nnote; i++) {
        trod_put(sink, "note ");
        trod_put_name(sink, profile->note[i]);
        trod_put(sink, "\n");
    }
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void json_hash(struct trod_json *json, const char *key, uint64_t hash)
{
    char text[17];

    for (int i = 0; i < 16; i++)
        text[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
    text[16] = '\0';
    trod_json_text(json, key, text);
}

static void json_runs(struct trod_json *json, const struct trod_profile *profile)
{
    trod_json_open(json, "runs", '[');
    for (uint32_t i = 0; i < profile->nrun; i++) {
        const struct trod_profile_run *run = &profile->run[i];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "group", run->group);
        trod_json_open(json, "fields", '[');
        for (uint32_t k = 0; k < run->nfield; k++) {
            trod_json_open(json, NULL, '{');
            trod_json_text(json, "key", run->field[k].key);
            trod_json_text(json, "value", run->field[k].value);
            trod_json_close(json, '}');
        }
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_tally(struct trod_json *json, const struct trod_profile *profile,
    const struct trod_profile_tally *tally)
{
    uint64_t npath = profile->module[tally->module].function[tally->function].npath;

    for (size_t i = 0; i < tally->npath; i++) {
        trod_json_open(json, NULL, '{');
        if (tally->path[i].id < npath)
            trod_json_uint(json, "id", tally->path[i].id);
        else if (tally->path[i].id == npath)
            trod_json_bool(json, "begun", true);
        else
            trod_json_uint(json, "stop", tally->path[i].id - npath - 1);
        trod_json_uint(json, "count", tally->path[i].count);
        trod_json_bool(json, "stopped", tally->path[i].count == UINT64_MAX);
        trod_json_uint(json, "group", tally->group);
        trod_json_close(json, '}');
    }
}

/* Omitted for most functions, which count every path. */
static void json_chosen(
    struct trod_json *json, const struct trod_profile_function *function)
{
    if (function->counted == TROD_COUNTED_ALL)
        return;
    trod_json_text(json, "counted", trod_profile_counted_name(function->counted));
    trod_json_open(json, "slots", '[');
    for (size_t i = 0; i < function->nchosen; i++)
        trod_json_uint(json, NULL, function->chosen[i]);
    trod_json_close(json, ']');
}

static void json_steps(
    struct trod_json *json, const struct trod_profile *profile, uint32_t m)
{
    if (!profile->nsteps)
        return;
    trod_json_open(json, "steps", '[');
    for (uint32_t i = 0; i < profile->nsteps; i++) {
        if (profile->steps[i].module != m)
            continue;
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "thread", profile->steps[i].thread);
        trod_json_uint(json, "given", profile->steps[i].ngiven);
        trod_grammar_json(json, "parts", &profile->steps[i].grammar);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_samples(
    struct trod_json *json, const struct trod_profile *profile, uint32_t m)
{
    if (!profile->nsamples)
        return;
    trod_json_open(json, "samples", '[');
    for (uint32_t i = 0; i < profile->nsamples; i++) {
        const struct trod_profile_samples *s = &profile->samples[i];

        if (s->module == m)
            trod_profile_samples_json(json, s);
    }
    trod_json_close(json, ']');
}

static void json_bursts(struct trod_json *json, const struct trod_profile *profile)
{
    if (!profile->nburst)
        return;
    trod_json_open(json, "bursts", '[');
    for (uint32_t i = 0; i < profile->nburst; i++)
        trod_profile_burst_json(json, &profile->burst[i]);
    trod_json_close(json, ']');
}

static void json_module(struct trod_json *json, const struct trod_profile *profile,
    uint32_t m, const struct trod_profile_tally **tally)
{
    const struct trod_profile_module *module = &profile->module[m];
    const struct trod_profile_tally *t = *tally,
                                    *end = profile->tally + profile->ntally;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "path", module->path);
    trod_json_text(json, "mode", trod_profile_mode_name(module->mode));
    trod_json_text(json, "build_id", module->build_id);
    trod_json_open(json, "functions", '[');
    for (uint32_t f = 0; f < module->nfunction; f++) {
        trod_json_open(json, NULL, '{');
        json_hash(json, "name", module->function[f].name);
        json_hash(json, "graph", module->function[f].graph);
        json_hash(json, "cuts", module->function[f].cuts);
        trod_json_uint(json, "npath", module->function[f].npath);
        json_chosen(json, &module->function[f]);
        trod_json_open(json, "paths", '[');
        for (; t < end && t->module == m && t->function == f; t++)
            json_tally(json, profile, t);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    json_steps(json, profile, m);
    json_samples(json, profile, m);
    trod_json_close(json, '}');
    *tally = t;
}

void trod_profile_json(
    struct trod_json *json, const char *key, const struct trod_profile *profile)
{
    const struct trod_profile_tally *t = profile->tally;

    trod_json_open(json, key, '{');
    trod_json_uint(json, "groups", profile->ngroup);
    json_runs(json, profile);
    json_bursts(json, profile);
    trod_json_open(json, "modules", '[');
    for (uint32_t m = 0; m < profile->nmodule; m++)
        json_module(json, profile, m, &t);
    trod_json_close(json, ']');
    trod_json_open(json, "notes", '[');
    for (uint32_t i = 0; i < profile->nnote; i++)
        trod_json_text(json, NULL, profile->note[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
