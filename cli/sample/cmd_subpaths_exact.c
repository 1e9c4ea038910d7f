#include "commands.h"
#include "sample/sampled.h"
#include "sample/subpaths.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* trod sample subpaths --exact: count all subpaths of a trace, or of a program that it runs. */

enum { MOST = 20, MOST_STOPS = 1000, LENGTHS = TROD_EVERY_LONGEST };

/* --- options --------------------------------------------------------------------------------------- */

static bool parse_memory(uint64_t *out, struct cli *cli, const char *text)
{
    return cli_parse_size(out, text, text + strlen(text)) ||
           cli_misused(cli, "--memory=%s: expected a size, such as 512m or 2g", text);
}

/* 2,4,8 or 2-32; '+' is also a separator, as in the options of samplers. */
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

/* Stop every N blocks, or every N % of the file. */
static bool parse_stops(struct cli_exact *x, struct cli *cli, const char *text)
{
    char *end;
    double n = strtod(text, &end), whole;
    bool percent = strcmp(end, "%") == 0;

    if (end == text || !(n > 0) || (*end && !percent) || (percent && n > 100) ||
        (!percent && !(n >= 1 && n <= 1e18)))
        return cli_misused(cli,
            "--stops=%s: expected a number of blocks, or a percentage such as 10%%",
            text);
    if (percent) {
        whole = x->blocks.argv ? 0 : (double)cli_blocks_count(x->blocks.name);
        if (whole <= 0)
            return cli_misused(cli,
                "--stops=%s: a percentage needs a trace file; give a number of blocks",
                text);
        n = ceil(whole * n / 100);
    }
    x->distance = (uint64_t)n;
    return true;
}

static bool take_files(struct cli_exact *x, struct cli *cli)
{
    struct cli_options *o = &cli->options;

    if (o->program) {
        uint32_t n = o->file.count - (o->program - 1);
        char **argv = trod_new(&cli->mem, char *, n + 1);

        if (o->program > 1)
            return cli_misused(cli, "--exact needs a trace or '-- PROGRAM', not both");
        for (uint32_t i = 0; i < n; i++)
            argv[i] = trod_copy(&cli->mem, o->file.item[i]);
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
    struct cli_exact *x, struct trod_every_options *options, struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    uint32_t *length = trod_new(&cli->mem, uint32_t, LENGTHS);

    x->most = o->most ? o->most : MOST;
    x->identity = o->identity ? (enum trod_sample_identity)(o->identity - 1)
                              : TROD_SAMPLE_ROTATION;
    options->partial = o->partial;
    if (o->stops.count > 1)
        return cli_misused(cli, "--stops must be given once");
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
    struct cli_exact *x = ctx;
    double t = now();

    if (t - x->reported < 0.5)
        return;
    x->reported = t;
    fprintf(stderr,
        "\r%.0f million blocks, %.1f million a second, %.1f million subpaths ",
        (double)x->every.nblock / 1e6, (double)x->every.nblock / 1e6 / (t - x->begun),
        x->every.nentry / 1e6);
}

static void add_stop(struct cli_exact *x)
{
    struct trod_arena *mem = &x->cli->mem;
    struct cli_known *stop;

    trod_reserve(mem, x->stop, x->nstop, x->room);
    stop = &x->stop[x->nstop++];
    trod_every_hottest(&stop->exact, &x->every, x->identity, x->weight, x->most, mem);
    if (x->sampler)
        cli_sampler_read(&stop->sampled, x->sampler, x->weight);
}

static bool take(uint64_t thread, const uint32_t *block, size_t nblock, void *ctx,
    struct trod_err *err)
{
    struct cli_exact *x = ctx;

    while (nblock) {
        size_t n = nblock;
        uint64_t next = (x->nstop + 1) * x->distance;

        /* Stop in the middle of a chunk. Gaps are not blocks, so this may take several turns. */
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

/* An incomplete trace must not be reported as complete. */
static bool check_whole(struct cli_exact *x, struct cli *cli)
{
    if (x->blocks.ncut && !cli->options.partial)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: the last %" PRIu64
            " bytes are not a whole chunk: the end is missing; use --partial to read the rest",
            cli_exact_name(x), x->blocks.ncut);
    if (x->blocks.ncut)
        cli_note(cli, "%s: the end is missing, from block %" PRIu64 " on",
            cli_exact_name(x), x->every.nblock);
    if (!x->every.nblock)
        return trod_fail(&cli->err, TROD_E_INPUT,
            x->blocks.argv
                ? "%s wrote no blocks; compile it with 'trod cc --online'"
                : "%s: no blocks; a trace is what a program built with 'trod cc "
                  "--online' writes to $TROD_BLOCKS",
            cli_exact_name(x));
    return true;
}

static bool count(struct cli_exact *x, struct cli *cli)
{
    bool shows_progress = !cli->options.quiet && isatty(STDERR_FILENO), ok;

    x->blocks.take = take;
    x->blocks.ctx = x;
    x->blocks.tick = shows_progress ? tick : NULL;
    x->begun = x->reported = now();
    ok = cli_blocks_read(&x->blocks, cli);
    if (shows_progress)
        fprintf(stderr, "\r\033[K");
    return ok && check_whole(x, cli) &&
           (!(cli->options.check || TROD_CHECKED) ||
               trod_every_check(&x->every, &cli->mem, &cli->err));
}

/* --- interface ---------------------------------------------------------------------------------------- */

/* Names come from the given profile, or from one that the program wrote; if it wrote several, any will do. */
static bool find_names(struct cli_exact *x, struct cli *cli)
{
    const struct cli_list *file =
        x->blocks.argv ? &x->blocks.profile : &cli->options.file;
    uint32_t at = x->blocks.argv ? 0 : 1;

    if (file->count <= at)
        return true;
    x->has_names = true;
    return cli_block_names_open(&x->names, cli, file->item[at], x->identity);
}

static bool open_sampler(struct cli_exact *x, struct cli *cli)
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
    struct cli_exact x = {.cli = cli};
    struct trod_every_options options = {0};
    bool ok;

    if (!take_options(&x, &options, cli) || !open_sampler(&x, cli) ||
        !trod_every_init(&x.every, &options, &cli->mem, &cli->err))
        return false;
    ok = count(&x, cli) && find_names(&x, cli);
    if (ok)
        cli_exact_put(&x, cli);
    cli_blocks_end(&x.blocks);
    return ok;
}
