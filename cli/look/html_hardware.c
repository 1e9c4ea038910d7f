#include "commands.h"
#include "hw/symbols.h"
#include "hw/processor.h"
#include "look/html_kinds.h"

#include <inttypes.h>
#include <string.h>

#include "cxx/demangle.h"

/* --- names ------------------------------------------------------------------------------------------------ */

static const char *name_at(void *ctx, uint64_t address)
{
    const struct cli_symbols *from = ctx;
    const struct trod_image *image;
    struct trod_lift_symbol symbol;
    uint64_t offset;

    return cli_symbols_at(from, &symbol, &image, &offset, address)
               ? trod_copy(&from->cli->mem, symbol.name)
               : NULL;
}

static const char *display_name(void *ctx, const char *name)
{
    const struct cli_symbols *from = ctx;

    return trod_cxx_name(name, &from->cli->mem);
}

/* --- streams ------------------------------------------------------------------------------------------------ */

/* damaged: set if a part of it could not be read; NULL: not requested */
static bool drive(
    struct trod_branch_sink *sink, struct cli *cli, const char *file, bool *damaged)
{
    struct cli_branches in;

    if (!cli_branches_open(&in, cli, file) || !cli_branches_drive(sink, &in, cli))
        return false;
    if (damaged)
        *damaged = in.is_trace && (in.health.ndamaged || in.health.cut_off);
    return true;
}

/* --- windows ------------------------------------------------------------------------------------------------- */

struct instruction_counter {
    struct trod_branch_sink sink;
    uint64_t ninsn;
};

static void count_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    ((struct instruction_counter *)to)->ninsn += run->code->ninsn;
}

/* Choose a round number of instructions per window, for about as many windows as the chart can
 * show. This takes an additional pass over the stream.
 */
static bool choose_window(uint64_t *out, struct cli *cli, const char *file)
{
    struct instruction_counter m = {.sink = {.run = count_run}};
    bool quiet = cli->options.quiet, ok;
    uint64_t size = 1;

    *out = cli->options.window;
    if (*out)
        return true;
    cli->options.quiet = true; /* notes are printed in the second pass */
    ok = drive(&m.sink, cli, file, NULL);
    cli->options.quiet = quiet;
    if (!ok)
        return false;
    while (10 * size * TROD_PAGE_WINDOWS <= m.ninsn)
        size *= 10;
    if (5 * size * TROD_PAGE_WINDOWS <= m.ninsn)
        size *= 5;
    else if (2 * size * TROD_PAGE_WINDOWS <= m.ninsn)
        size *= 2;
    *out = size;
    return true;
}

static bool check_control(struct cli *cli, const struct trod_control *control)
{
    return control->metric <= TROD_METRIC_INSTRUCTIONS ||
           cli_misused(cli,
               "a page can show only tables that count executions or instructions; set the metric "
               "of the control register to frequency or instructions");
}

static bool read_design(struct trod_hot_design *out, struct cli *cli)
{
    const struct cli_list *table = &cli->options.table;

    if (table->count > 1)
        return cli_misused(cli, "a page shows one table; give --table once");
    if (trod_hot_design_parse(
            out, table->count ? table->item[0] : "512x4,lfu,xor", &cli->mem, &cli->err))
        return true;
    cli->exit = CLI_USAGE;
    return false;
}

/* --- interface ------------------------------------------------------------------------------------------------ */

/* damaged: set if a part of the stream could not be read */
static bool watch(struct trod_profiler *out, struct trod_page_watch *watch,
    struct cli *cli, const char *file, struct cli_symbols *from, bool *damaged)
{
    struct trod_branch_sink *to[] = {&from->sink, &out->sink};
    struct trod_branch_tee tee;
    struct trod_control *control = trod_new(&cli->mem, struct trod_control, 1);
    struct trod_hot_design *design = trod_new(&cli->mem, struct trod_hot_design, 1);
    struct trod_profiler_options options = {.control = control,
        .design = design,
        .ndesign = 1,
        .window_over = trod_page_watch_window,
        .window_ctx = watch};

    if (!cli_control_read(control, cli) || !check_control(cli, control) ||
        !read_design(design, cli) || !choose_window(&options.window, cli, file))
        return false;
    trod_page_watch_init(watch, &cli->mem);
    trod_profiler_init(out, &options, &cli->mem);
    trod_branch_tee_init(&tee, to, 2);
    if (!drive(&tee.sink, cli, file, damaged))
        return false;
    trod_profiler_finish(out);
    if (watch->full)
        return trod_fail(&cli->err, TROD_E_LIMIT,
            "%s: it has more than %d windows of %" PRIu64
            " instructions; choose larger ones with --window, or a part with --from and --to",
            file, TROD_PAGE_WINDOWS_MOST, options.window);
    return (!cli->options.check && !TROD_CHECKED) ||
           trod_profiler_check(out, &cli->err);
}

static void report_rest(struct trod_page_kinds *kinds, struct cli *cli,
    const struct cli_html_input *in, const struct trod_page_hardware *h, bool damaged)
{
    if (damaged)
        cli_html_note(kinds, cli,
            "%s: damaged or truncated: the table saw the readable part",
            in->trace.item[0]);
    if (in->trace.count > 1)
        cli_html_note(kinds, cli, "of %" PRIu32 " traces only the first is shown: %s",
            in->trace.count, in->trace.item[0]);
    if (h->behind)
        cli_html_note(kinds, cli,
            "%" PRIu64
            " instructions of the trace are after its last window and not shown",
            h->behind);
}

bool cli_html_hardware(struct trod_page_kinds *kinds, struct cli *cli,
    const struct cli_html_input *in, const struct trod_page_names *names)
{
    struct trod_page_hardware *h;
    struct cli_symbols from;
    struct trod_page_symbols symbols = {name_at, display_name, &from};
    struct trod_page_watch seen;
    struct trod_profiler profiler;
    bool ok, damaged;

    if (!in->trace.count)
        return true;
    h = trod_new(&cli->mem, struct trod_page_hardware, 1);
    cli_symbols_open(&from, cli);
    ok = watch(&profiler, &seen, cli, in->trace.item[0], &from, &damaged);
    if (ok) {
        trod_page_hardware_build(
            h, &seen, &profiler, names, &symbols, TROD_PAGE_ENTRIES, &cli->mem);
        kinds->hardware = h;
        report_rest(kinds, cli, in, h, damaged);
    }
    cli_symbols_close(&from);
    return ok;
}
