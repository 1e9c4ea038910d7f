#include "commands.h"
#include "hw/symbols.h"
#include "hw/processor.h"
#include "output/output.h"

#include <string.h>

struct asked {
    struct trod_control control;
    struct trod_hot_design *design;
    uint32_t ndesign;
    double least;
    struct trod_timing_machine machine; /* if events come from one */
};

/* Events on a path that the stream does not contain: a processor model supplies them. */
struct metric_source {
    struct trod_timing *core;
    enum trod_timing_metric metric;
};

/* --- options ---------------------------------------------------------------------------- */

bool cli_control_read(struct trod_control *out, struct cli *cli)
{
    const char *name = cli->options.control ? cli->options.control : "ballarus";
    const struct trod_control *known = trod_control_named(name);
    struct cli_bytes in;

    if (known)
        *out = *known;
    else if (!cli_in_bytes(cli, &in, name, &cli->mem) ||
             !trod_control_parse(
                 out, in.name, in.bytes, in.length, &cli->mem, &cli->err))
        return false;
    for (uint32_t i = 0; i < cli->options.set.count; i++) {
        const char *line = cli->options.set.item[i];

        if (!trod_control_set(out, "--set", line, strlen(line), &cli->mem, &cli->err)) {
            cli->exit = CLI_USAGE;
            return false;
        }
    }
    if (out->metric == TROD_METRIC_EVENTS)
        return cli_misused(cli, "a branch trace has no events; choose another metric");
    return true;
}

static bool read_designs(struct asked *out, struct cli *cli)
{
    static const char *const standard[] = {"512x4,lfu,xor"};
    const struct cli_list *table = &cli->options.table;
    const char *const *item = table->count ? table->item : standard;

    out->ndesign = table->count ? table->count : 1;
    out->design = trod_new(&cli->mem, struct trod_hot_design, out->ndesign);
    for (uint32_t i = 0; i < out->ndesign; i++) {
        if (trod_hot_design_parse(&out->design[i], item[i], &cli->mem, &cli->err))
            continue;
        cli->exit = CLI_USAGE;
        return false;
    }
    return true;
}

static bool read_least(struct asked *out, struct cli *cli)
{
    uint64_t percent = 50;

    if (cli->options.least &&
        (!trod_text_uint(&percent, cli->options.least) || !percent || percent > 100))
        return cli_misused(cli, "--least is a whole number of percent, from 1 to 100");
    out->least = (double)percent / 100;
    return true;
}

/* --- events ---------------------------------------------------------------------------------- */

static uint64_t events_of(void *ctx, const struct trod_run *run)
{
    const struct metric_source *h = ctx;

    return trod_timing_metric_of(trod_timing_take(h->core, run), h->metric);
}

static void count_events(struct trod_profiler_options *options, struct metric_source *h,
    const struct asked *asked, struct trod_arena *mem)
{
    static const enum trod_timing_metric metric[] = {
        [TROD_METRIC_MISSES] = TROD_TIMING_L2_MISSES,
        [TROD_METRIC_MISPREDICTIONS] = TROD_TIMING_MISPREDICTIONS,
        [TROD_METRIC_POWER] = TROD_TIMING_POWER};

    if (asked->control.metric < TROD_METRIC_MISSES)
        return;
    h->metric = metric[asked->control.metric];
    h->core = trod_timing_build(&asked->machine, NULL, 0, mem);
    options->events = events_of;
    options->ctx = h;
}

/* Without addresses, a model of caches has no events. */
static bool check_events(
    struct cli *cli, const struct metric_source *h, const char *file, const char *what)
{
    const struct trod_timing_events *all =
        h->core ? trod_timing_events_of(h->core) : NULL;

    if (!all || h->metric == TROD_TIMING_MISPREDICTIONS || !trod_timing_is_blind(all))
        return true;
    return trod_fail(&cli->err, TROD_E_INPUT,
        "%s: it has no addresses of loads and stores, so there are no %s; record it with "
        "'trod emulate --trace --accesses'",
        file, what);
}

/* --- streams ------------------------------------------------------------------------------- */

static bool drive(struct trod_profiler *profiler, struct cli_symbols *symbols,
    struct cli *cli, const char *path)
{
    struct trod_branch_sink *to[] = {&symbols->sink, &profiler->sink};
    struct trod_branch_tee tee;
    struct cli_branches in;

    trod_branch_tee_init(&tee, to, 2);
    return cli_branches_open(&in, cli, path) && cli_branches_drive(&tee.sink, &in, cli);
}

static void put_profiler(struct cli *cli, const struct trod_profiler *profiler)
{
    uint64_t most = cli->options.most ? cli->options.most : TROD_REPORT_MOST;
    bool spread = cli->options.spread;

    if (cli->options.form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_profiler_json(&cli->json, profiler, most, spread, &cli->mem);
        trod_json_close(&cli->json, '}');
        return;
    }
    cli_out_gap(cli);
    trod_profiler_print(&cli->out.sink, profiler, most, spread, &cli->mem);
}

static bool profile(struct cli *cli, const char *path, const struct asked *asked,
    struct cli_symbols *symbols)
{
    const struct cli_options *o = &cli->options;
    struct trod_profiler_options options = {.control = &asked->control,
        .design = asked->design,
        .ndesign = asked->ndesign,
        .window = o->window ? o->window : TROD_MODEL_WINDOW,
        .interval = o->phases,
        .least = asked->least,
        .grammar = o->grammar,
        .places = &symbols->places};
    struct metric_source happening = {0};
    struct trod_profiler profiler;

    count_events(&options, &happening, asked, &cli->mem);
    trod_profiler_init(&profiler, &options, &cli->mem);
    if (!drive(&profiler, symbols, cli, path))
        return false;
    trod_profiler_finish(&profiler);
    if (!check_events(
            cli, &happening, path, trod_control_metric_word(asked->control.metric)) ||
        ((o->check || TROD_CHECKED) && !trod_profiler_check(&profiler, &cli->err)))
        return false;
    put_profiler(cli, &profiler);
    return true;
}

static bool take_file(struct cli *cli, const char *path, void *ctx)
{
    struct cli_symbols symbols;
    bool ok;

    cli_symbols_open(&symbols, cli);
    ok = profile(cli, path, ctx, &symbols);
    cli_symbols_close(&symbols);
    return ok;
}

bool cli_model_stream(struct cli *cli)
{
    struct asked asked = {0};

    if (!cli_control_read(&asked.control, cli) || !read_designs(&asked, cli) ||
        !read_least(&asked, cli) || !cli_machine_read(&asked.machine, cli))
        return false;
    if (cli->options.as_text) {
        trod_control_print(&cli->out.sink, &asked.control);
        return true;
    }
    cli_profiles_open_json(cli, "streams");
    if (!cli_profiles_each(cli, take_file, &asked))
        return false;
    cli_profiles_close_json(cli);
    return true;
}
