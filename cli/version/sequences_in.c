#include "calls/recordings.h"
#include "version/carried.h"

#include <inttypes.h>

#include "sequence/sequence.h"

/* --- call sequences from recordings -------------------------------------------------------------------------- */

struct recorder {
    struct trod_call_sequence_recorder recorder;
    uint32_t nthread; /* one above the highest thread number */
};

/* Modules may use the same thread numbers: each thread gets the next free one. */
static bool run_thread(struct cli *cli, const struct cli_recorded_thread *t, void *ctx)
{
    struct recorder *r = ctx;
    uint32_t number = t->steps->thread > r->nthread ? t->steps->thread : r->nthread;

    r->recorder.ctx = t->recorded;
    if (!cli_recorded_run(cli, t))
        return false;
    trod_call_sequence_end(&r->recorder, number);
    r->nthread = number + 1;
    return true;
}

static bool record(struct cli_sequence *out, struct cli *cli,
    struct cli_recorded *recorded, bool selective)
{
    struct trod_functions functions;
    struct recorder r = {0};

    trod_functions_init(&functions, &cli->mem);
    trod_call_sequence_recorder_init(&r.recorder, &functions.name, selective,
        trod_call_sequence_recorded_callee, NULL, &cli->mem);
    if (!cli_recorded_maps(recorded, cli) ||
        !cli_recorded_each(
            recorded, cli, &functions, trod_call_sequence_take, &r, run_thread))
        return false;
    out->map = recorded->map;
    out->has_map = true;
    trod_call_sequence_build(&out->sequence, &r.recorder, cli_recorded_name(recorded));
    return true;
}

bool cli_sequence_read(
    struct cli_sequence *out, struct cli *cli, const char *path, bool selective)
{
    struct cli_recorded recorded = {0};
    struct cli_bytes in;
    struct trod_text text;
    bool taken;

    *out = (struct cli_sequence){0};
    if (!cli_in_bytes(cli, &in, path, &cli->mem) ||
        !cli_recorded_take(&recorded, cli, &in, &taken))
        return false;
    if (taken ? !record(out, cli, &recorded, selective)
              : (trod_text_init(&text, in.name, in.bytes, in.length),
                    !trod_call_sequence_parse(
                        &out->sequence, &text, &cli->mem, &cli->err)))
        return false;
    return !TROD_CHECKED ||
           trod_call_sequence_check(&out->sequence, &cli->mem, &cli->err);
}

/* --- merging ------------------------------------------------------------------------------------------------- */

struct exemptions {
    const struct cli_sequence *recorded;
    struct trod_names again, skipped;
};

/* Functions counted in the recording's map were recorded again; functions omitted from it are
 * exempt. For a text, functions with a span were recorded again.
 */
static enum trod_call_sequence_what what(const char *function, void *ctx)
{
    const struct exemptions *k = ctx;

    if (trod_names_find(&k->again, function) != UINT32_MAX)
        return TROD_CALLEE_AFFECTED;
    return trod_names_find(&k->skipped, function) != UINT32_MAX ? TROD_CALLEE_EXEMPT
                                                                : TROD_CALLEE_FOREIGN;
}

static void know(struct exemptions *k, const struct cli_sequence *recorded)
{
    const struct trod_call_sequence *s = &recorded->sequence;
    const struct trod_map *map = &recorded->map;

    for (uint32_t i = 0; recorded->has_map && i < map->nentry; i++)
        trod_names_add(&k->again, map->entry[i].name);
    for (uint32_t i = 0; recorded->has_map && i < map->nskipped; i++)
        trod_names_add(&k->skipped, map->skipped[i].name);
    for (uint32_t i = 0; !recorded->has_map && i < s->nspan; i++)
        if (s->span[i].how != TROD_SPAN_OUTSIDE)
            trod_names_add(&k->again, s->function.name[s->span[i].function]);
}

bool cli_sequence_merge(struct trod_call_sequence_merged *out, struct cli *cli,
    const char *old, const char *recorded)
{
    struct cli_sequence before, after;
    struct exemptions k = {.recorded = &after};

    trod_names_init(&k.again, &cli->mem);
    trod_names_init(&k.skipped, &cli->mem);
    if (!cli_sequence_read(&before, cli, old, false) ||
        !cli_sequence_read(&after, cli, recorded, true))
        return false;
    know(&k, &after);
    trod_call_sequence_merge(
        out, &before.sequence, &after.sequence, what, &k, &cli->mem);
    return trod_call_sequence_check(&out->sequence, &cli->mem, &cli->err);
}

/* --- trod calls steps --spans ----------------------------------------------------------------- */

static bool put_merged(struct cli *cli, const char *path)
{
    struct trod_call_sequence_merged merged;

    if (!cli_sequence_merge(&merged, cli, cli->options.old_sequence, path))
        return false;
    trod_call_sequence_print(&cli->out.sink, &merged.sequence);
    for (uint32_t i = 0; i < merged.nundecided; i++)
        cli_note(cli, "record '%s' again: %s", merged.undecided[i].function,
            trod_call_sequence_why_name(merged.undecided[i].why));
    if (merged.npointer)
        cli_note(cli,
            "%" PRIu64
            " spans have indirect calls of functions that were not recorded; they are treated as "
            "calls outside the program",
            merged.npointer);
    return !merged.nundecided ||
           cli_no(cli, "the sequence is incomplete: record the named functions again");
}

bool cli_spans_put(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    const char *path = o->file.count ? o->file.item[0] : "-";
    struct cli_sequence sequence;

    if (o->form == CLI_JSON || o->expand || o->hot || o->grammar || o->file.count > 1)
        return cli_misused(cli, "--spans needs one file, and prints text only");
    if (o->old_sequence)
        return put_merged(cli, path);
    if (!cli_sequence_read(&sequence, cli, path, o->selective))
        return false;
    trod_call_sequence_print(&cli->out.sink, &sequence.sequence);
    return true;
}
