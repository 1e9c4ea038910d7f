#include "commands.h"
#include "keep/formats.h"
#include "output/output.h"
#include "test/verdict.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "pprof/pprof_port.h"
#include "profdata/profdata.h"

/* Formats of ports, then those of the library. */
static const struct trod_export_format *const tables[] = {
    trod_pprof_formats,
    trod_export_formats,
    trod_profdata_formats,
};

const struct trod_export_format *cli_export_format(uint32_t number)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct trod_export_format *f = tables[t]; f->name; f++)
            if (number-- == 0)
                return f;
    return NULL;
}

/* The number of functions that a format omits because their paths continue into calls. */
static uint64_t count_across(
    const struct trod_profile *profile, const struct trod_map *map)
{
    uint64_t n = 0;

    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++) {
            const struct trod_map_entry *entry =
                trod_profile_is_events(&profile->module[m].function[f])
                    ? NULL
                    : trod_map_find(map, &profile->module[m].function[f]);

            n += entry && entry->nframe;
        }
    return n;
}

/* Remarks are also printed on standard error, for every format. */
static void report_remarks(struct cli *cli, const struct trod_exported *in,
    const struct trod_export_format *format)
{
    uint64_t nacross = count_across(in->profile, in->map);
    const char *const *remark;
    size_t n = trod_export_remarks(&remark, in, &cli->mem);

    for (size_t i = 0; i < n; i++)
        cli_note(cli, "%s", remark[i]);
    if (nacross && !(format->takes & TROD_EXPORT_ACROSS))
        cli_note(cli,
            "%" PRIu64
            " functions whose paths follow calls are omitted: %s cannot represent them",
            nacross, format->name);
}

/* Check counts against the requirements of the format. */
static bool build_flows(struct trod_flows *out, struct cli *cli,
    const struct trod_exported *in, const struct trod_export_format *format)
{
    if (format->takes & (TROD_EXPORT_ESTIMATES | TROD_EXPORT_PARTIAL |
                            TROD_EXPORT_ACROSS | TROD_EXPORT_SAMPLES)) {
        trod_flows_build_any(out, in->profile, in->map, &cli->mem);
    } else if (!trod_flows_build(out, in->profile, in->map, &cli->mem, &cli->err)) {
        return false;
    }
    cli_add_unfinished(cli, out, in->profile);
    return true;
}

static bool put(
    struct cli *cli, struct trod_exported *in, const struct trod_export_format *format)
{
    struct trod_flow_source *source;
    struct trod_subpaths *subpaths = trod_new(&cli->mem, struct trod_subpaths, 1);
    struct trod_flows *flows = trod_new(&cli->mem, struct trod_flows, 1);
    struct trod_times *times = trod_new(&cli->mem, struct trod_times, 1);
    struct cli_text text;

    if (trod_profile_has_samples(in->profile)) {
        if (!trod_online_estimate(subpaths, in->profile, &cli->mem, &cli->err))
            return false;
        in->subpaths = subpaths;
    }
    if (trod_profile_has_times(in->profile)) {
        trod_times_build(times, in->profile, &cli->mem);
        in->times = times;
    }
    if (format->takes & TROD_EXPORT_BLOCKS)
        cli_block_ids(cli, in);
    if (!build_flows(flows, cli, in, format))
        return false;
    in->flows = flows;
    if (format->takes & TROD_EXPORT_FRAMES)
        in->text = cli_text_open(&text, cli, in->profile, in->map);
    in->nsource = trod_flow_sources(&source, flows, &cli->mem);
    in->source = source;
    report_remarks(cli, in, format);
    return format->put(&cli->out.sink, in, &cli->mem, &cli->err);
}

bool cli_export(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    const struct trod_export_format *format;
    struct trod_exported in = {.version = TROD_VERSION, .most = o->most};
    struct trod_profile profile;
    struct trod_map map;

    if (!o->format)
        return cli_misused(cli,
            "the format is missing; add --to=FORMAT ('trod export --help' lists formats)");
    format = cli_export_format((uint32_t)o->format - 1);
    assert(format); /* the option accepts only known formats */
    if (format->binary && cli_to_terminal(cli))
        return cli_misused(cli,
            "%s cannot be written to a terminal; name a file with -o, or pipe it to a reader",
            format->name);
    if (!cli_profiles_sum(&profile, cli, &o->file) ||
        !trod_export_check(format, &profile, &cli->err) ||
        !cli_maps_read(cli, &map, &profile))
        return false;
    if (o->function) {
        in.wants = cli_report_wants;
        in.ctx = trod_copy(&cli->mem, o->function);
    }
    in.profile = &profile;
    in.map = &map;
    return put(cli, &in, format);
}
