#include "commands.h"
#include "look/look.h"
#include "output/output.h"
#include "test/verdict.h"

#include <string.h>

#include "flow/annotate.h"

static bool wants_file(const struct cli *cli, const struct trod_flow_source *source)
{
    const char *glob = cli->options.file_glob;
    bool shown = false;

    for (uint32_t i = 0; i < source->nfunction; i++)
        shown |= source->function[i].flow->entry->shown == TROD_SHOWN;
    for (uint32_t i = 0; i < source->nincluder; i++)
        shown |= source->includer[i].flow->entry->shown == TROD_SHOWN;
    if (!shown)
        return false;
    return !glob || cli_file_matches(glob, source->path) ||
           cli_file_matches(glob, source->name);
}

/* How many functions of a source are selected; *last: the last of them. */
static uint32_t count_wanted(const struct trod_flow **last, const struct cli *cli,
    const struct trod_flow_source *source, size_t nsource,
    const struct trod_annotate_options *options)
{
    uint32_t n = 0;

    for (size_t i = 0; i < nsource; i++)
        for (uint32_t k = 0; wants_file(cli, &source[i]) && k < source[i].nfunction;
            k++) {
            const struct trod_flow *flow = source[i].function[k].flow;

            if (options->wants && !options->wants(flow->entry->name, options->ctx))
                continue;
            *last = flow;
            n++;
        }
    return n;
}

static bool read_options(struct trod_annotate_options *out, struct cli *cli,
    const struct trod_flow_source *source, size_t nsource)
{
    const struct cli_options *o = &cli->options;
    const struct trod_flow *flow = NULL;
    struct trod_style style;

    cli_style(&style, cli);
    *out = (struct trod_annotate_options){.all = o->all,
        .most = o->most,
        .colour = style.colour,
        .exact = style.exact,
        .width = cli_to_terminal(cli) ? style.width : 0};
    if (o->function) {
        out->wants = cli_report_wants;
        out->ctx = trod_copy(&cli->mem, o->function);
    }
    if (!o->path.count)
        return true;
    if (o->path.count > 1 || !trod_text_uint(&out->path, o->path.item[0]))
        return cli_misused(
            cli, "--path takes the id of one path, as 'trod report' prints it");
    if (count_wanted(&flow, cli, source, nsource, out) != 1)
        return cli_misused(cli, "--path needs one function; name it with --function");
    if (out->path >= flow->entry->numbering.npath)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "'%s' has no path %llu: ids are below %llu", flow->entry->name,
            (unsigned long long)out->path,
            (unsigned long long)flow->entry->numbering.npath);
    out->one = true;
    return true;
}

/* The hottest count of what is shown, and the total of all that ran. */
static void measure_counts(struct trod_annotated_file *out, struct cli *cli,
    const struct trod_flows *flows, const struct trod_flow_source *source,
    size_t nsource)
{
    for (size_t i = 0; i < nsource; i++)
        for (uint32_t k = 0; wants_file(cli, &source[i]) && k < source[i].nrow; k++)
            if (source[i].row[k].count > out->hottest)
                out->hottest = source[i].row[k].count;
    for (uint32_t i = 0; i < flows->map->nentry; i++)
        for (size_t k = 0; k < flows->of_entry[i].npath; k++)
            out->total = trod_sat_add(out->total, flows->of_entry[i].path[k].count);
}

/* The same of times, which are returned for each source. */
static const uint64_t **measure_times(struct trod_annotated_file *out, struct cli *cli,
    const struct trod_flows *flows, const struct trod_flow_source *source,
    size_t nsource, const struct trod_times *times)
{
    const uint64_t **own_of_source = trod_new(&cli->mem, const uint64_t *, nsource);

    out->total = times->own;
    for (size_t i = 0; i < nsource; i++) {
        uint64_t *own;

        if (!wants_file(cli, &source[i]))
            continue;
        own = trod_new(&cli->mem, uint64_t, source[i].nrow);
        trod_annotate_times(own, &source[i], flows->map, times, &cli->mem);
        for (uint32_t k = 0; k < source[i].nrow; k++)
            if (own[k] > out->hottest)
                out->hottest = own[k];
        own_of_source[i] = own;
    }
    return own_of_source;
}

/* If the source was changed since, its lines may not match. */
static void read_text(struct trod_annotate_text *out, struct cli *cli,
    const struct trod_flow_source *source, time_t built)
{
    struct cli_source text;

    cli_source_read(&text, cli, source->name, source->directory);
    *out = (struct trod_annotate_text){text.line, text.nline, text.why};
    if (text.line && built && text.changed > built)
        cli_note(cli,
            "%s changed after the program was built: line numbers may be wrong",
            text.path);
}

static void put(struct cli *cli, const struct trod_flows *flows,
    const struct trod_flow_source *source, size_t nsource,
    const struct trod_annotate_options *options, time_t built)
{
    struct trod_annotated_file file = {0};
    const uint64_t **own_of_source = NULL;
    uint32_t n = 0;

    if (options->times)
        own_of_source =
            measure_times(&file, cli, flows, source, nsource, options->times);
    else
        measure_counts(&file, cli, flows, source, nsource);
    for (size_t i = 0; i < nsource; i++) {
        if (!wants_file(cli, &source[i]))
            continue;
        trod_annotate_build(&file, &source[i], flows->map, options, &cli->mem);
        if (!file.nfunction)
            continue;
        if (own_of_source)
            file.own_of_row = own_of_source[i];
        file.heading = cli_source_heading(cli, source[i].path);
        read_text(&file.text, cli, &source[i], built);
        if (cli->options.form == CLI_JSON) {
            trod_annotate_json(&cli->json, &file, flows, &cli->mem);
        } else {
            cli_out_gap(cli);
            trod_annotate_print(&cli->out.sink, &file, flows, options, &cli->mem);
        }
        n++;
    }
    if (!n)
        cli_note(cli,
            "none of the selected functions ran; --all also shows functions that did not run");
}

/* Nothing if times are not asked for. */
static bool read_times(struct trod_times *out, struct cli *cli,
    struct trod_annotate_options *options, const struct trod_profile *profile)
{
    if (!cli->options.time)
        return true;
    if (!cli_is_timed(cli, "--time", profile, NULL))
        return false;
    trod_times_build(out, profile, &cli->mem);
    options->times = out;
    return true;
}

bool cli_annotate(struct cli *cli)
{
    struct trod_annotate_options options;
    struct trod_times times;
    struct trod_flow_source *source;
    struct trod_profile profile;
    struct trod_flows flows;
    struct trod_map map;
    size_t nsource;

    if (!cli_profiles_sum(&profile, cli, &cli->options.file) ||
        !trod_profile_check_counts(&profile, &cli->err) ||
        !cli_maps_read(cli, &map, &profile))
        return false;
    cli_code_choose(cli, &map);
    trod_flows_build_any(&flows, &profile, &map, &cli->mem);
    cli_add_unfinished(cli, &flows, &profile);
    nsource = trod_flow_sources(&source, &flows, &cli->mem);
    if (!read_options(&options, cli, source, nsource) ||
        !read_times(&times, cli, &options, &profile))
        return false;
    if (cli->options.form != CLI_JSON) {
        put(cli, &flows, source, nsource, &options, cli_sources_built(&profile));
        if (options.times)
            trod_put(&cli->out.sink,
                "\n# the time of a line is the own time of all paths on it: they share it with their other lines\n");
        cli_chosen_remarks(cli, &profile, &map);
        return true;
    }
    cli_json_begin(cli);
    trod_json_bool(&cli->json, "exact", flows.exact);
    if (options.times)
        trod_times_json(&cli->json, "times", options.times);
    trod_json_open(&cli->json, "files", '[');
    put(cli, &flows, source, nsource, &options, cli_sources_built(&profile));
    trod_json_close(&cli->json, ']');
    cli_chosen_remarks(cli, &profile, &map);
    trod_json_close(&cli->json, '}');
    return true;
}
