#include "subpaths.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* trod subpaths --exact: all subpaths of a trace, or of a program that is run, counted. */

enum { MOST = 20, MOST_STOPS = 1000, LENGTHS = TROD_EVERY_LONGEST };

struct stop {
    uint64_t nblock;
    struct trod_every_answer answer;
};

struct exact {
    struct cli *cli;
    struct cli_blocks blocks;
    struct trod_every every;
    enum trod_sample_identity identity;
    double weight;
    size_t most;
    uint64_t distance; /* blocks from stop to stop; 0: none */
    struct stop *stop;
    uint32_t nstop, room;
    double begun, told; /* when */
};

/* --- options --------------------------------------------------------------------------------------- */

/* 64k, 1g: a number of bytes. */
static bool parse_size(uint64_t *out, struct cli *cli, const char *text)
{
    static const char units[] = "kKmMgG";
    char *end;
    unsigned long long n = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (1 + (unsigned)(unit - units) / 2) : 0;

    if (*text < '0' || *text > '9' || (*end && (!unit || end[1])) || !n ||
        n > UINT64_MAX >> 1 >> shift)
        return cli_misused(cli, "--memory=%s: give bytes, as 512m or 2g", text);
    *out = (uint64_t)n << shift;
    return true;
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
           (!o->memory || parse_size(&options->memory, cli, o->memory)) &&
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

static void add_stop(struct exact *x)
{
    struct trod_arena *mem = &x->cli->mem;

    trod_reserve(mem, x->stop, x->nstop, x->room);
    x->stop[x->nstop].nblock = x->every.nblock;
    trod_every_hottest(
        &x->stop[x->nstop].answer, &x->every, x->identity, x->weight, x->most, mem);
    x->nstop++;
}

static bool take(uint32_t thread, const uint32_t *block, size_t nblock, void *ctx,
    struct trod_err *err)
{
    struct exact *x = ctx;

    while (nblock) {
        size_t n = nblock;
        uint64_t next = (x->nstop + 1) * x->distance;

        /* A stop in the middle of a chunk; gaps are no blocks, so it may take several turns. */
        if (x->distance && x->nstop < MOST_STOPS && next - x->every.nblock < n)
            n = next - x->every.nblock;
        if (!trod_every_add(&x->every, thread, block, n, err))
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

static const char *blocks_text(struct cli *cli, const struct trod_every_row *row)
{
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    for (uint32_t i = 0; i < row->length; i++)
        trod_put(&text.sink, "%s%" PRIu32, i ? " " : "", row->block[i]);
    return text.text;
}

static double share_of(
    const struct trod_every_answer *a, const struct trod_every_row *row)
{
    return (double)row->count * row->length / (double)a->nblock;
}

static void print_rows(struct cli *cli, const struct trod_every_answer *a)
{
    static const char *const column[] = {"rank", "count", "share", "length", "blocks"};
    struct cli_table table;

    cli_table_init(&table, "rows", column, 5, &cli->mem);
    for (size_t i = 0; i < a->nrow; i++) {
        cli_table_uint(&table, i + 1);
        cli_table_uint(&table, a->row[i].count);
        cli_table_share(&table, share_of(a, &a->row[i]));
        cli_table_uint(&table, a->row[i].length);
        cli_table_words(&table, blocks_text(cli, &a->row[i]));
    }
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
    cli_table_print(&cli->out.sink, &table);
}

static void print(struct exact *x, struct cli *cli, const struct trod_every_answer *a)
{
    struct trod_sink *sink = &cli->out.sink;
    const char *name = name_of(x);

    for (uint32_t i = 0; i < x->nstop; i++) {
        trod_put(sink, "# %s: after %" PRIu64 " blocks\n", name, x->stop[i].nblock);
        print_rows(cli, &x->stop[i].answer);
        trod_put(sink, "\n");
    }
    trod_put(sink,
        "# %s: all subpaths of %" PRIu64 " blocks, %" PRIu64 " thread%s, %" PRIu64
        " gap%s\n",
        name, a->nblock, a->nthread, a->nthread == 1 ? "" : "s", a->ngap,
        a->ngap == 1 ? "" : "s");
    print_rows(cli, a);
    trod_put(sink, "\n");
    print_sums(cli, a);
    if (a->floor)
        trod_put(sink,
            "# partial: there was no memory for all; a sequence of blocks may have run "
            "up to %" PRIu64 " times more often than is said\n",
            a->floor);
}

static void json_rows(
    struct trod_json *json, const char *key, const struct trod_every_answer *a)
{
    trod_json_open(json, key, '[');
    for (size_t i = 0; i < a->nrow; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "rank", i + 1);
        trod_json_uint(json, "count", a->row[i].count);
        trod_json_real(json, "share", share_of(a, &a->row[i]));
        trod_json_uint(json, "length", a->row[i].length);
        trod_json_open(json, "blocks", '[');
        for (uint32_t k = 0; k < a->row[i].length; k++)
            trod_json_uint(json, NULL, a->row[i].block[k]);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
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

static void put_json(
    struct exact *x, struct cli *cli, const struct trod_every_answer *a)
{
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
    json_rows(json, "rows", a);
    trod_json_open(json, "stops", '[');
    for (uint32_t i = 0; i < x->nstop; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "blocks", x->stop[i].nblock);
        json_rows(json, "rows", &x->stop[i].answer);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

static void put(struct exact *x, struct cli *cli)
{
    struct trod_every_answer a;

    trod_every_merge(&a, &x->every, x->identity, x->weight, x->most, &cli->mem);
    if (a.ncollision)
        cli_note(cli, "%" PRIu64 " subpaths had the hash of another", a.ncollision);
    if (a.floor)
        cli_note(cli,
            "partial: there was no memory for all; a sequence of blocks may have run up "
            "to %" PRIu64 " times more often than is said",
            a.floor);
    if (cli->options.form == CLI_JSON)
        put_json(x, cli, &a);
    else
        print(x, cli, &a);
}

bool cmd_subpaths_exact(struct cli *cli)
{
    struct exact x = {.cli = cli};
    struct trod_every_options options = {0};
    bool ok;

    if (!take_options(&x, &options, cli) ||
        !trod_every_init(&x.every, &options, &cli->mem, &cli->err))
        return false;
    ok = count(&x, cli);
    if (ok)
        put(&x, cli);
    cli_blocks_end(&x.blocks);
    return ok;
}
