#include "calls/recordings.h"
#include "commands.h"
#include "output/output.h"
#include "sample/sampled.h"
#include "version/carried.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A full profile. Which part of it is read depends on what it is compared with. */
struct full {
    const char *input, *path;
    struct cli_bytes bytes;
};

struct scorer {
    struct cli *cli;
    struct trod_scored_entries *merged;
    uint32_t nmerged, room_merged;
    struct full *full;
    uint32_t nfull, room_full;
    struct trod_score *score, *spans;
    uint32_t nspans;
    uint64_t nindirect;
};

/* --- names of inputs ----------------------------------------------------------------------------------- */

/* The input that a file is named after: the name without folders, .trod or .entries, and process number. */
static const char *input_of(struct cli *cli, const char *path)
{
    static const char *const tails[] = {".trod", ".entries", ".spans", NULL};
    const char *slash = strrchr(path, '/');
    char *name = trod_copy(&cli->mem, slash ? slash + 1 : path);
    char *dot;

    for (int i = 0; tails[i]; i++)
        if (cli_ends(name, tails[i]))
            name[strlen(name) - strlen(tails[i])] = '\0';
    dot = strrchr(name, '.');
    if (dot && dot > name && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1))
        *dot = '\0';
    return name;
}

/* NAME=FILE, or a file. */
static const char *split(struct cli *cli, const char **input, const char *word)
{
    const char *equals = strchr(word, '=');

    if (!equals || equals == word || memchr(word, '/', (size_t)(equals - word))) {
        *input = input_of(cli, word);
        return word;
    }
    *input = trod_copy_text(&cli->mem, word, (size_t)(equals - word));
    return equals + 1;
}

/* full-small belongs to input small, if no other name matches. */
static bool is_of(const char *name, const char *input, bool loosely)
{
    size_t n = strlen(name), m = strlen(input);

    if (!loosely)
        return strcmp(name, input) == 0;
    return n > m && strcmp(name + n - m, input) == 0 && !isalnum(name[n - m - 1]);
}

/* --- files -------------------------------------------------------------------------------------------------- */

static bool add_full(struct scorer *s, const char *word)
{
    struct full full;

    full.path = split(s->cli, &full.input, word);
    if (!cli_in_bytes(s->cli, &full.bytes, full.path, &s->cli->mem))
        return false;
    trod_push(&s->cli->mem, s->full, s->nfull, s->room_full, full);
    return true;
}

static bool parse(
    struct trod_scored_entries *out, struct cli *cli, const struct cli_bytes *in)
{
    struct trod_text text;

    trod_text_init(&text, in->name, in->bytes, in->length);
    return trod_score_is_sequence(in->bytes, in->length)
               ? trod_score_spans(out, &text, &cli->mem, &cli->err)
               : trod_score_parse(out, &text, &cli->mem, &cli->err);
}

static bool is_text(const struct cli_bytes *in)
{
    return trod_score_is_entries(in->bytes, in->length) ||
           trod_score_is_sequence(in->bytes, in->length);
}

static bool add_file(struct scorer *s, const char *word)
{
    struct cli *cli = s->cli;
    const char *input, *path = split(cli, &input, word);
    struct trod_scored_entries *out;
    struct cli_bytes in;

    if (!cli_in_bytes(cli, &in, path, &cli->mem))
        return false;
    if (!is_text(&in))
        return add_full(s, word);
    trod_reserve(&cli->mem, s->merged, s->nmerged, s->room_merged);
    out = &s->merged[s->nmerged++];
    if (!parse(out, cli, &in))
        return false;
    if (!out->input || path != word)
        out->input = input;
    return strcmp(out->type, s->merged->type) == 0 ||
           trod_fail(&cli->err, TROD_E_MISMATCH,
               "%s: entries are of type '%s', those before of '%s'; score each type separately",
               in.name, out->type, s->merged->type);
}

/* A file, or a folder of merged entries. */
static bool add_any(struct scorer *s, const char *word)
{
    struct cli_list in_folder = {0};

    if (!cli_is_folder(word))
        return add_file(s, word);
    if (!cli_folder_add(&in_folder, s->cli, word, ".entries") ||
        !cli_folder_add(&in_folder, s->cli, word, ".spans"))
        return false;
    if (!in_folder.count)
        return trod_fail(&s->cli->err, TROD_E_INPUT,
            "%s: this folder has no merged entries (files NAME.entries); name a folder that "
            "'trod migrate --finish' wrote",
            word);
    for (uint32_t i = 0; i < in_folder.count; i++)
        if (!add_file(s, in_folder.item[i]))
            return false;
    return true;
}

/* --- full profiles --------------------------------------------------------------------------------------------- */

static bool run_thread(struct cli *cli, const struct cli_recorded_thread *t, void *ctx)
{
    if (!cli_recorded_run(cli, t))
        return false;
    trod_score_steps_end(ctx);
    return true;
}

static bool build_sequences(struct trod_scored_entries *out, struct cli *cli,
    const struct full *const *full, uint32_t nfull)
{
    struct cli_recorded recorded = {0};
    struct trod_functions functions;
    struct trod_score_steps steps;

    for (uint32_t i = 0; i < nfull; i++) {
        bool taken;

        if (!cli_recorded_take(&recorded, cli, &full[i]->bytes, &taken))
            return false;
        if (!taken)
            return trod_fail(
                &cli->err, TROD_E_INPUT, "%s: not a profile", full[i]->bytes.name);
    }
    trod_functions_init(&functions, &cli->mem);
    trod_score_steps_init(&steps, &functions.name, &cli->mem);
    if (!cli_recorded_maps(&recorded, cli) ||
        !cli_recorded_each(
            &recorded, cli, &functions, trod_score_steps_take, &steps, run_thread))
        return false;
    trod_score_steps_entries(out, &steps);
    return true;
}

static bool build_profile(struct trod_scored_entries *out, struct cli *cli,
    const char *type, const struct full *const *full, uint32_t nfull)
{
    struct trod_profile_merge_options options = {0};
    const struct trod_profile **profile = NULL;
    struct trod_profile sum;
    struct trod_bursts bursts;
    struct trod_map map;
    uint32_t n = 0, room = 0;

    for (uint32_t i = 0; i < nfull; i++) {
        struct cli_profiles in;

        if (!cli_profiles_take(&in, cli, &full[i]->bytes))
            return false;
        for (uint32_t k = 0; k < in.count; k++)
            trod_push(&cli->mem, profile, n, room, &in.profile[k]);
    }
    if (!trod_profile_merge(&sum, profile, n, &options, &cli->mem, &cli->err) ||
        !cli_maps_read(cli, &map, &sum))
        return false;
    if (strcmp(type, "callgraph") == 0 && trod_profile_has_bursts(&sum))
        return cli_bursts_build(&bursts, cli, &sum, &map) &&
               trod_score_pairs(out, &bursts, &cli->mem, &cli->err);
    return trod_score_walk(
        out, type, &sum, &map, cli->options.all_entries, &cli->mem, &cli->err);
}

/* A profile of another profiler, read like a migrated one: its kind is already known. */
static bool build_foreign(struct trod_scored_entries *out, struct cli *cli,
    const char *type, const struct cli_bytes *in)
{
    struct trod_entries entries;

    if (!cli_foreign_read(&entries, cli, type, in))
        return false;
    *out = (struct trod_scored_entries){.type = type};
    for (uint32_t i = 0; i < entries.nentry; i++) {
        const struct trod_entry *e = &entries.entry[i];

        trod_push(&cli->mem, out->entry, out->nentry, out->room,
            (struct trod_scored){.function = e->function,
                .file = e->file,
                .part = e->part,
                .other = e->other,
                .id = e->id,
                .count = e->count});
    }
    trod_scored_order(out);
    return true;
}

static bool build_full(struct trod_scored_entries *out, struct cli *cli,
    const char *type, const struct full *const *full, uint32_t nfull)
{
    bool foreign = cli_foreign_is(&full[0]->bytes);

    if (nfull > 1 && (foreign || is_text(&full[0]->bytes)))
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: the entries of one input must be in one file", full[1]->bytes.name);
    if (foreign)
        return build_foreign(out, cli, type, &full[0]->bytes);
    if (is_text(&full[0]->bytes))
        return parse(out, cli, &full[0]->bytes);
    if (strcmp(type, "sequences") == 0)
        return build_sequences(out, cli, full, nfull);
    return build_profile(out, cli, type, full, nfull);
}

/* The profiles of an input: those with its name; otherwise those whose names end with it; if there
 * is only one input, all. */
static uint32_t find_full(const struct full ***out, struct scorer *s, const char *input)
{
    uint32_t n = 0;

    *out = trod_new(&s->cli->mem, const struct full *, s->nfull);
    for (int loosely = 0; !n && loosely <= 1; loosely++)
        for (uint32_t i = 0; i < s->nfull; i++)
            if (is_of(s->full[i].input, input, loosely))
                (*out)[n++] = &s->full[i];
    for (uint32_t i = 0; !n && s->nmerged == 1 && i < s->nfull; i++)
        (*out)[i] = &s->full[i];
    return n || s->nmerged > 1 ? n : s->nfull;
}

/* --- scores ------------------------------------------------------------------------------------------------------ */

/* Spans are scored if both have them. */
static bool score_spans(struct scorer *s, struct trod_scored_entries *merged,
    struct trod_scored_entries *full)
{
    struct cli *cli = s->cli;
    struct trod_scored_entries merged_spans, full_spans;

    if (strcmp(merged->type, "sequences") != 0)
        return true;
    trod_score_split(&merged_spans, merged, &cli->mem);
    trod_score_split(&full_spans, full, &cli->mem);
    if (!merged_spans.nentry || !full_spans.nentry)
        return true;
    return trod_score_build(&s->spans[s->nspans++], &merged_spans, &full_spans,
        cli->options.all_entries, &cli->mem, &cli->err);
}

static bool score_one(struct scorer *s, uint32_t i)
{
    struct cli *cli = s->cli;
    struct trod_scored_entries *merged = &s->merged[i], full;
    const struct full **of;
    uint32_t n = find_full(&of, s, merged->input);

    if (!n)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "input '%s' has no full profile; add --full=%s=FILE", merged->input,
            merged->input);
    if (!build_full(&full, cli, merged->type, of, n) ||
        !score_spans(s, merged, &full) ||
        !trod_score_build(&s->score[i], merged, &full, cli->options.all_entries,
            &cli->mem, &cli->err))
        return false;
    s->nindirect = trod_sat_add(s->nindirect, full.nindirect);
    return trod_score_check(&s->score[i], &cli->err);
}

static bool read_times(struct trod_score_times *out, struct cli *cli)
{
    struct trod_text text;

    return cli_in_read(cli, &text, cli->options.times) &&
           trod_score_times_parse(out, &text, &cli->mem, &cli->err);
}

static void put_table(
    struct cli *cli, struct trod_score_table *table, const struct trod_score *score)
{
    table->score = score;
    trod_score_sum(&table->all, score, table->nscore, &cli->mem);
    if (cli->options.form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_score_json(&cli->json, table);
        trod_json_close(&cli->json, '}');
    } else {
        cli_out_gap(cli);
        trod_score_print(&cli->out.sink, table);
        trod_score_print_wrong(&cli->out.sink, table, cli->options.wrong);
    }
}

bool cli_score_put(
    struct cli *cli, const struct cli_list *files, const struct cli_list *full)
{
    struct scorer s = {.cli = cli};
    struct trod_score_times times;
    struct trod_score_table table = {0};

    for (uint32_t i = 0; i < files->count; i++)
        if (!add_any(&s, files->item[i]))
            return false;
    for (uint32_t i = 0; i < full->count; i++)
        if (!add_full(&s, full->item[i]))
            return false;
    if (!s.nmerged || !s.nfull)
        return cli_misused(cli,
            "name merged entries, and a full profile of each input with "
            "--full");
    s.score = trod_new(&cli->mem, struct trod_score, s.nmerged);
    s.spans = trod_new(&cli->mem, struct trod_score, s.nmerged);
    for (uint32_t i = 0; i < s.nmerged; i++)
        if (!score_one(&s, i))
            return false;
    if (cli->options.times && !read_times(&times, cli))
        return false;
    table = (struct trod_score_table){.type = s.merged->type,
        .nscore = s.nmerged,
        .nindirect = s.nindirect,
        .times = cli->options.times ? &times : NULL};
    cli_profiles_open_json(cli, "scores");
    put_table(cli, &table, s.score);
    if (s.nspans) {
        table = (struct trod_score_table){.type = "spans", .nscore = s.nspans};
        put_table(cli, &table, s.spans);
    }
    cli_profiles_close_json(cli);
    return true;
}

bool cli_score(struct cli *cli)
{
    return cli_score_put(cli, &cli->options.file, &cli->options.full);
}
