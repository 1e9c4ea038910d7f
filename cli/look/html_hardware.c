#include "commands.h"
#include "hw/processor.h"
#include "look/html_kinds.h"

#include <inttypes.h>
#include <string.h>

#include "cxx/demangle.h"
#include "dwfl/dwfl_port.h"

/* --- names ------------------------------------------------------------------------------------------------ */

/* Images of a stream, and the symbols of their files. */
struct images {
    struct cli *cli;
    struct trod_image *image;
    uint32_t count, room;
    struct trod_lift_files files;
};

/* The image mapped last at an address: others may have been there before. */
static const char *name_at(void *ctx, uint64_t address)
{
    struct images *images = ctx;

    for (uint32_t i = images->count; i-- > 0;) {
        const struct trod_image *image = &images->image[i];
        struct trod_lift_symbol symbol;

        if (address < image->start || address >= image->end)
            continue;
        if (!image->path || !images->files.symbol ||
            !images->files.symbol(images->files.ctx, &symbol, image,
                address - image->start + image->offset))
            return NULL;
        return trod_copy(&images->cli->mem, symbol.name);
    }
    return NULL;
}

static const char *display_name(void *ctx, const char *name)
{
    const struct images *images = ctx;

    return trod_cxx_name(name, &images->cli->mem);
}

/* --- streams ------------------------------------------------------------------------------------------------ */

/* Passes a stream on to the profiler, and keeps its images. */
struct feeder {
    struct trod_branch_sink sink;
    struct trod_profiler profiler;
    struct images *images;
    bool damaged;
};

static void take_image(struct trod_branch_sink *to, const struct trod_image *image)
{
    struct images *images = ((struct feeder *)to)->images;

    trod_push(&images->cli->mem, images->image, images->count, images->room, *image);
}

static void take_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    trod_profiler_run(&((struct feeder *)to)->profiler, run, 0);
}

static void take_end(struct trod_branch_sink *to, uint32_t thread)
{
    trod_profiler_end(&((struct feeder *)to)->profiler, thread);
}

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

/* --- interface
 * ------------------------------------------------------------------------------------------------- */

static bool watch(struct feeder *out, struct trod_page_watch *watch, struct cli *cli,
    const char *file, struct images *images)
{
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
    *out =
        (struct feeder){.sink = {.image = take_image, .run = take_run, .end = take_end},
            .images = images};
    trod_page_watch_init(watch, &cli->mem);
    trod_profiler_init(&out->profiler, &options, &cli->mem);
    if (!drive(&out->sink, cli, file, &out->damaged))
        return false;
    trod_profiler_finish(&out->profiler);
    if (watch->full)
        return trod_fail(&cli->err, TROD_E_LIMIT,
            "%s: it has more than %d windows of %" PRIu64
            " instructions; choose larger ones with --window, or a part with --from and --to",
            file, TROD_PAGE_WINDOWS_MOST, options.window);
    return (!cli->options.check && !TROD_CHECKED) ||
           trod_profiler_check(&out->profiler, &cli->err);
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
    struct images images = {.cli = cli};
    struct trod_page_symbols symbols = {name_at, display_name, &images};
    struct trod_page_watch seen;
    struct trod_dwfl *dwfl;
    struct feeder feeding;
    bool ok;

    if (!in->trace.count)
        return true;
    h = trod_new(&cli->mem, struct trod_page_hardware, 1);
    dwfl = trod_dwfl_open(&cli->mem);
    trod_dwfl_files(&images.files, dwfl);
    ok = watch(&feeding, &seen, cli, in->trace.item[0], &images);
    if (ok) {
        trod_page_hardware_build(
            h, &seen, &feeding.profiler, names, &symbols, TROD_PAGE_ENTRIES, &cli->mem);
        kinds->hardware = h;
        report_rest(kinds, cli, in, h, feeding.damaged);
    }
    trod_dwfl_close(dwfl);
    return ok;
}
