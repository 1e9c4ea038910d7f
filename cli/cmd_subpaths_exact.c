#include "subpaths.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* trod subpaths --exact: all subpaths of a trace, or of a program that is run, counted. */

enum {
    MOST = 20,
    MOST_FOUND = 10000,
    MOST_STOPS = 1000,
    MOST_AT_STOP = 100,
    LENGTHS = TROD_EVERY_LONGEST
};

/* What is known at some point: all, and what a sampler has of it. */
struct known {
    struct trod_every_answer exact;
    struct cli_sampled sampled;
};

struct exact {
    struct cli *cli;
    struct cli_blocks blocks;
    struct trod_every every;
    enum trod_sample_identity identity;
    double weight;
    size_t most;
    uint64_t distance; /* blocks from stop to stop; 0: none */
    struct known *stop;
    uint32_t nstop, room;
    struct cli_sampler *sampler; /* NULL: none */
    struct cli_block_names names;
    bool has_names;
    double begun, told; /* when */
};

/* --- options --------------------------------------------------------------------------------------- */

static bool parse_memory(uint64_t *out, struct cli *cli, const char *text)
{
    return cli_parse_size(out, text, text + strlen(text)) ||
           cli_misused(cli, "--memory=%s: give bytes, as 512m or 2g", text);
}

/* 2,4,8 or 2-32; also with + between them, as samplers have it. */
static bool parse_lengths(
    struct trod_every_options *out, uint32_t *length, struct cli *cli, const char *text)
{
    const char *at = text;

    if (strcmp(text, "powers") == 0)
        return true;
    for (;;) {
        char *end;
        unsigned long from = strtoul(at, &end, 10), to = from;

        if (end != at && *end == '-') {
            at = end + 1;
            to = strtoul(at, &end, 10);
        }
        if (end == at || *at < '0' || *at > '9' || from < TROD_EVERY_SHORTEST ||
            to > TROD_EVERY_LONGEST || from > to || (*end && !strchr(",+", *end)))
            return cli_misused(cli,
                "--lengths=%s: give lengths from %d to %d, as 2,4,8 or 2-32", text,
                TROD_EVERY_SHORTEST, TROD_EVERY_LONGEST);
        while (from <= to && out->nlength < LENGTHS)
            length[out->nlength++] = (uint32_t)from++;
        if (!*end)
            break;
        at = end + 1;
    }
    out->length = length;
    return true;
}

static bool parse_weight(double *out, struct cli *cli, const char *text)
{
    char *end;

    *out = text ? strtod(text, &end) : 0;
    return !text || (end != text && !*end && isfinite(*out) && fabs(*out) <= 16) ||
           cli_misused(cli, "--weight=%s: give an exponent from -16 to 16", text);
}

/* Every so many blocks, or so much of the whole. */
static bool parse_stops(struct exact *x, struct cli *cli, const char *text)
{
    char *end;
    double n = strtod(text, &end), whole;
    bool percent = strcmp(end, "%") == 0;

    if (end == text || !(n > 0) || (*end && !percent) || (percent && n > 100) ||
        (!percent && !(n >= 1 && n <= 1e18)))
        return cli_misused(
            cli, "--stops=%s: give a number of blocks, or a part of all as 10%%", text);
    if (percent) {
        whole = x->blocks.argv ? 0 : (double)cli_blocks_count(x->blocks.name);
        if (whole <= 0)
            return cli_misused(cli,
                "--stops=%s: how many blocks there will be is only known of a file; "
                "give a number of blocks",
                text);
        n = ceil(whole * n / 100);
    }
    x->distance = (uint64_t)n;
    return true;
}

static bool take_files(struct exact *x, struct cli *cli)
{
    struct cli_options *o = &cli->options;

    if (o->program) {
        uint32_t n = o->file.count - (o->program - 1);
        char **argv = trod_new(&cli->mem, char *, n + 1);

        if (o->program > 1)
            return cli_misused(
                cli, "--exact counts a trace, or what runs behind '--', not both");
        for (uint32_t i = 0; i < n; i++)
            argv[i] =
                trod_copy_text(&cli->mem, o->file.item[i], strlen(o->file.item[i]));
        x->blocks.argv = argv;
        return true;
    }
    if (o->file.count > 2)
        return cli_misused(cli,
            "--exact counts one trace; name it, and a profile of the "
            "program that wrote it");
    x->blocks.name = o->file.count ? o->file.item[0] : "-";
    return true;
}

static bool take_options(
    struct exact *x, struct trod_every_options *options, struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    uint32_t *length = trod_new(&cli->mem, uint32_t, LENGTHS);

    x->most = o->most ? o->most : MOST;
    x->identity = o->identity ? (enum trod_sample_identity)(o->identity - 1)
                              : TROD_SAMPLE_ROTATION;
    options->partial = o->partial;
    if (o->stops.count > 1)
        return cli_misused(cli, "--stops is given once");
    return take_files(x, cli) && parse_weight(&x->weight, cli, o->weight) &&
           (!o->memory || parse_memory(&options->memory, cli, o->memory)) &&
           (!o->lengths || parse_lengths(options, length, cli, o->lengths)) &&
           (!o->stops.count || parse_stops(x, cli, o->stops.item[0]));
}

/* --- counting -------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Progress, on a terminal. */
static void tick(void *ctx)
{
    struct exact *x = ctx;
    double t = now();

    if (t - x->told < 0.5)
        return;
    x->told = t;
    fprintf(stderr,
        "\r%.0f million blocks, %.1f million a second, %.1f million subpaths ",
        (double)x->every.nblock / 1e6, (double)x->every.nblock / 1e6 / (t - x->begun),
        x->every.nentry / 1e6);
}

/* Rows. */
static size_t at_stop(const struct exact *x)
{
    return x->most < MOST_AT_STOP ? x->most : MOST_AT_STOP;
}

static void add_stop(struct exact *x)
{
    struct trod_arena *mem = &x->cli->mem;
    struct known *stop;

    trod_reserve(mem, x->stop, x->nstop, x->room);
    stop = &x->stop[x->nstop++];
    trod_every_hottest(&stop->exact, &x->every, x->identity, x->weight, x->most, mem);
    if (x->sampler)
        cli_sampler_read(&stop->sampled, x->sampler, x->weight);
}

static bool take(uint64_t thread, const uint32_t *block, size_t nblock, void *ctx,
    struct trod_err *err)
{
    struct exact *x = ctx;

    while (nblock) {
        size_t n = nblock;
        uint64_t next = (x->nstop + 1) * x->distance;

        /* A stop in the middle of a chunk; gaps are no blocks, so it may take several turns. */
        if (x->distance && x->nstop < MOST_STOPS && next - x->every.nblock < n)
            n = next - x->every.nblock;
        if (!trod_every_add(&x->every, thread, block, n, err) ||
            (x->sampler && !cli_sampler_add(x->sampler, thread, block, n, err)))
            return false;
        block += n;
        nblock -= n;
        if (x->distance && x->nstop < MOST_STOPS && x->every.nblock == next)
            add_stop(x);
    }
    return true;
}

static const char *name_of(const struct exact *x)
{
    return x->blocks.argv                     ? x->blocks.argv[0]
           : strcmp(x->blocks.name, "-") == 0 ? "<stdin>"
                                              : x->blocks.name;
}

/* A part is not passed off as the whole. */
static bool check_whole(struct exact *x, struct cli *cli)
{
    if (x->blocks.ncut && !cli->options.partial)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: the last %" PRIu64 " bytes are no whole chunk: the end is missing; "
            "--partial takes what is there",
            name_of(x), x->blocks.ncut);
    if (x->blocks.ncut)
        cli_note(cli, "%s: the end is missing, from block %" PRIu64 " on", name_of(x),
            x->every.nblock);
    if (!x->every.nblock)
        return trod_fail(&cli->err, TROD_E_INPUT,
            x->blocks.argv
                ? "%s wrote no blocks; compile it with 'trod cc --online'"
                : "%s: no blocks; a trace is what a program built with 'trod cc "
                  "--online' writes to $TROD_BLOCKS",
            name_of(x));
    return true;
}

static bool count(struct exact *x, struct cli *cli)
{
    bool tells = !cli->options.quiet && isatty(STDERR_FILENO), ok;

    x->blocks.take = take;
    x->blocks.ctx = x;
    x->blocks.tick = tells ? tick : NULL;
    x->begun = x->told = now();
    ok = cli_blocks_read(&x->blocks, cli);
    if (tells)
        fprintf(stderr, "\r\033[K");
    return ok && check_whole(x, cli) &&
           (!(cli->options.check || TROD_CHECKED) ||
               trod_every_check(&x->every, &cli->mem, &cli->err));
}

/* --- telling --------------------------------------------------------------------------------------- */

/* In words if there are some, else by numbers. */
static const char *tell(const struct exact *x, const uint32_t *block, uint32_t n)
{
    struct cli_block_names names = x->names;
    const char *words = x->has_names ? cli_block_names_tell(&names, block, n) : NULL;
    struct trod_string text;

    if (words)
        return words;
    trod_string_init(&text, &x->cli->mem);
    for (uint32_t i = 0; i < n; i++)
        trod_put(&text.sink, "%s%" PRIu32, i ? " " : "", block[i]);
    return text.text;
}

/* Of all subpaths of as many blocks. */
static double share_of(
    const struct trod_every_answer *a, const struct trod_every_row *row)
{
    for (uint32_t i = 0; i < a->nsum; i++)
        if (a->sum[i].length == row->length)
            return (double)row->count / (double)a->sum[i].nsubpath;
    return 0;
}

/* The row of a sampled subpath among those counted; NULL: it is none of them. */
static const struct trod_every_row *find_exact(const struct exact *x,
    const struct trod_every_answer *a, const struct cli_sampled_row *sampled)
{
    struct cli_sampled one = {.row = (struct cli_sampled_row[]){*sampled}, .nrow = 1};

    for (size_t i = 0; i < a->nrow; i++)
        if (cli_sampled_find(&one, x->identity, a->row[i].block, a->row[i].length))
            return &a->row[i];
    return NULL;
}

static void add_sampled(struct cli_table *t, const struct cli_sampled *s, size_t rank)
{
    if (!rank) {
        cli_table_blank(t);
        cli_table_blank(t);
        return;
    }
    cli_table_uint(t, rank);
    cli_table_real(t, s->row[rank - 1].estimate);
}

/* Those counted, and where they are in the sample. */
static void print_rows(const struct exact *x, struct cli *cli, const struct known *k)
{
    static const char *const column[] = {"rank", "count", "share", "length", "path"},
                             *const both[] = {"rank", "count", "share", "sampled rank",
                                 "estimate", "length", "path"};
    const struct trod_every_answer *a = &k->exact;
    struct cli_table table;

    cli_table_init(
        &table, "rows", x->sampler ? both : column, x->sampler ? 7 : 5, &cli->mem);
    for (size_t i = 0; i < a->nrow && i < x->most; i++) {
        const struct trod_every_row *row = &a->row[i];

        cli_table_uint(&table, i + 1);
        cli_table_uint(&table, row->count);
        cli_table_share(&table, share_of(a, row));
        if (x->sampler)
            add_sampled(&table, &k->sampled,
                cli_sampled_find(&k->sampled, x->identity, row->block, row->length));
        cli_table_uint(&table, row->length);
        cli_table_words(&table, tell(x, row->block, row->length));
    }
    cli_table_print(&cli->out.sink, &table);
}

/* Those sampled, and what they are: as table 4.8 of Oren's thesis. */
static void print_sampled(const struct exact *x, struct cli *cli, const struct known *k)
{
    static const char *const column[] = {"rank", "exact rank", "samples", "estimate",
        "count", "error", "bound", "length"};
    struct cli_table table;

    cli_table_init(&table, "sampled", column, 8, &cli->mem);
    for (size_t i = 0; i < k->sampled.nrow && i < x->most; i++) {
        const struct cli_sampled_row *row = &k->sampled.row[i];
        const struct trod_every_row *exact = find_exact(x, &k->exact, row);

        cli_table_uint(&table, i + 1);
        if (exact)
            cli_table_uint(&table, (uint64_t)(exact - k->exact.row) + 1);
        else
            cli_table_blank(&table);
        cli_table_real(&table, row->samples);
        cli_table_real(&table, row->estimate);
        if (exact) {
            double count = (double)exact->count;

            cli_table_uint(&table, exact->count);
            cli_table_share(&table, fabs(row->estimate - count) / count);
        } else {
            cli_table_blank(&table);
            cli_table_blank(&table);
        }
        cli_table_share(&table, row->both);
        cli_table_uint(&table, row->length);
    }
    trod_put(&cli->out.sink,
        "\n# %" PRIu64 " samples, one of %.6g blocks at last; %" PRIu64
        " dropped, %" PRIu64 " rejected\n",
        k->sampled.nsample, k->sampled.f, k->sampled.ndropped, k->sampled.nrejected);
    cli_table_print(&cli->out.sink, &table);
}

static void print_sums(struct cli *cli, const struct trod_every_answer *a)
{
    static const char *const column[] = {
        "length", "subpaths", "sequences", "different"};
    struct cli_table table;

    cli_table_init(&table, "lengths", column, 4, &cli->mem);
    for (uint32_t i = 0; i < a->nsum; i++) {
        cli_table_uint(&table, a->sum[i].length);
        cli_table_uint(&table, a->sum[i].nsubpath);
        cli_table_uint(&table, a->sum[i].ndistinct);
        cli_table_uint(&table, a->sum[i].nclass);
    }
    trod_put(&cli->out.sink, "\n");
    cli_table_print(&cli->out.sink, &table);
}

static void print(const struct exact *x, struct cli *cli, const struct known *all)
{
    const struct trod_every_answer *a = &all->exact;
    struct trod_sink *sink = &cli->out.sink;
    const char *name = name_of(x);

    for (uint32_t i = 0; i < x->nstop; i++) {
        trod_put(
            sink, "# %s: after %" PRIu64 " blocks\n", name, x->stop[i].exact.nblock);
        print_rows(x, cli, &x->stop[i]);
        trod_put(sink, "\n");
    }
    trod_put(sink,
        "# %s: all subpaths of %" PRIu64 " blocks, %" PRIu64 " thread%s, %" PRIu64
        " gap%s\n",
        name, a->nblock, a->nthread, a->nthread == 1 ? "" : "s", a->ngap,
        a->ngap == 1 ? "" : "s");
    print_rows(x, cli, all);
    if (x->sampler)
        print_sampled(x, cli, all);
    print_sums(cli, a);
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static void json_blocks(
    struct trod_json *json, const struct exact *x, const uint32_t *block, uint32_t n)
{
    trod_json_uint(json, "length", n);
    if (x->has_names)
        trod_json_text(json, "subpath", tell(x, block, n));
    trod_json_open(json, "blocks", '[');
    for (uint32_t i = 0; i < n; i++)
        trod_json_uint(json, NULL, block[i]);
    trod_json_close(json, ']');
}

static void json_rows(
    struct trod_json *json, const struct exact *x, const struct known *k)
{
    const struct trod_every_answer *a = &k->exact;

    trod_json_open(json, "rows", '[');
    for (size_t i = 0; i < a->nrow && i < x->most; i++) {
        const struct trod_every_row *row = &a->row[i];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "rank", i + 1);
        trod_json_uint(json, "count", row->count);
        trod_json_real(json, "share", share_of(a, row));
        if (x->sampler)
            trod_json_uint(json, "sampled_rank",
                cli_sampled_find(&k->sampled, x->identity, row->block, row->length));
        json_blocks(json, x, row->block, row->length);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_sampled(
    struct trod_json *json, const struct exact *x, const struct known *k, size_t most)
{
    const struct cli_sampled *s = &k->sampled;

    trod_json_open(json, "sample", '{');
    trod_json_real(json, "frequency", s->f);
    trod_json_uint(json, "begun", s->nbegun);
    trod_json_uint(json, "samples", s->nsample);
    trod_json_uint(json, "dropped", s->ndropped);
    trod_json_uint(json, "rejected", s->nrejected);
    trod_json_real(json, "kept", s->nkept);
    trod_json_uint(json, "different", s->nrow);
    trod_json_open(json, "rows", '[');
    for (size_t i = 0; i < s->nrow && i < most; i++) {
        const struct trod_every_row *exact = find_exact(x, &k->exact, &s->row[i]);

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "rank", i + 1);
        trod_json_real(json, "samples", s->row[i].samples);
        trod_json_real(json, "estimate", s->row[i].estimate);
        trod_json_real(json, "bound", s->row[i].both);
        trod_json_real(json, "bound_one_sided", s->row[i].one);
        if (exact) {
            trod_json_uint(json, "exact_rank", (uint64_t)(exact - k->exact.row) + 1);
            trod_json_uint(json, "count", exact->count);
        }
        json_blocks(json, x, s->row[i].block, s->row[i].length);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

static void json_known(
    struct trod_json *json, const struct exact *x, const struct known *k, size_t most)
{
    json_rows(json, x, k);
    if (x->sampler)
        json_sampled(json, x, k, most);
}

static void json_sums(struct trod_json *json, const struct trod_every_answer *a)
{
    trod_json_open(json, "lengths", '[');
    for (uint32_t i = 0; i < a->nsum; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "length", a->sum[i].length);
        trod_json_uint(json, "subpaths", a->sum[i].nsubpath);
        trod_json_uint(json, "sequences", a->sum[i].ndistinct);
        trod_json_uint(json, "different", a->sum[i].nclass);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void put_json(const struct exact *x, struct cli *cli, const struct known *all)
{
    const struct trod_every_answer *a = &all->exact;
    struct trod_json *json = &cli->json;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "trod", cli->command->name);
    trod_json_uint(json, "version", 1);
    trod_json_bool(json, "exact", true);
    trod_json_uint(json, "blocks", a->nblock);
    trod_json_uint(json, "threads", a->nthread);
    trod_json_uint(json, "gaps", a->ngap);
    trod_json_uint(json, "subpaths", a->nsubpath);
    trod_json_uint(json, "sequences", a->ndistinct);
    trod_json_uint(json, "different", a->nclass);
    trod_json_uint(json, "collisions", a->ncollision);
    trod_json_uint(json, "too_low", a->floor);
    json_sums(json, a);
    json_known(json, x, all, x->most);
    trod_json_open(json, "stops", '[');
    for (uint32_t i = 0; i < x->nstop; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "blocks", x->stop[i].exact.nblock);
        json_known(json, x, &x->stop[i], at_stop(x));
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* From the profile that was named, or that the program left; of several, the first one's are as good as
 * any other's.
 */
static bool find_names(struct exact *x, struct cli *cli)
{
    const struct cli_list *file =
        x->blocks.argv ? &x->blocks.profile : &cli->options.file;
    uint32_t at = x->blocks.argv ? 0 : 1;

    if (file->count <= at)
        return true;
    x->has_names = true;
    return cli_block_names_open(&x->names, cli, file->item[at], x->identity);
}

/* A profile of another program, or of another build. */
static void note_unknown(struct exact *x, struct cli *cli, const struct known *all)
{
    if (!x->has_names || x->blocks.argv)
        return;
    for (size_t i = 0; i < all->exact.nrow && i < x->most; i++)
        if (!cli_block_names_tell(
                &x->names, all->exact.row[i].block, all->exact.row[i].length)) {
            cli_note(cli,
                "%s: blocks of %s that it does not know are told by their numbers",
                cli->options.file.item[1], name_of(x));
            return;
        }
}

/* With a sample, more rows than are printed, so that what is in it can be found. */
static void put(struct exact *x, struct cli *cli)
{
    size_t most = x->sampler && x->most < MOST_FOUND ? MOST_FOUND : x->most;
    struct known all = {0};

    trod_every_merge(&all.exact, &x->every, x->identity, x->weight, most, &cli->mem);
    if (x->sampler)
        cli_sampler_read(&all.sampled, x->sampler, x->weight);
    if (all.exact.ncollision)
        cli_note(
            cli, "%" PRIu64 " subpaths had the hash of another", all.exact.ncollision);
    if (all.exact.floor)
        cli_note(cli,
            "partial: there was no memory for all; a sequence of blocks may have run up "
            "to %" PRIu64 " times more often than is said",
            all.exact.floor);
    note_unknown(x, cli, &all);
    if (cli->options.form == CLI_JSON)
        put_json(x, cli, &all);
    else
        print(x, cli, &all);
}

static bool open_sampler(struct exact *x, struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    uint64_t seed = 1;

    if (o->seed && !trod_text_uint(&seed, o->seed))
        return cli_misused(cli, "--seed=%s: give a whole number", o->seed);
    if (o->seed && !o->sample)
        return cli_misused(cli, "--seed is for --sample");
    return !o->sample ||
           cli_sampler_open(&x->sampler, cli, o->sample, x->identity, seed);
}

bool cmd_subpaths_exact(struct cli *cli)
{
    struct exact x = {.cli = cli};
    struct trod_every_options options = {0};
    bool ok;

    if (!take_options(&x, &options, cli) || !open_sampler(&x, cli) ||
        !trod_every_init(&x.every, &options, &cli->mem, &cli->err))
        return false;
    ok = count(&x, cli) && find_names(&x, cli);
    if (ok)
        put(&x, cli);
    cli_blocks_end(&x.blocks);
    return ok;
}
