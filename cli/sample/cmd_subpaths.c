#include "commands.h"
#include "look/look.h"
#include "output/output.h"
#include "sample/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- options --------------------------------------------------------------------------------------- */

static bool take_real(
    struct cli *cli, double *out, const char *text, const char *option, double most)
{
    char *end;

    *out = strtod(text, &end);
    return (*text && !*end && *out >= 0 && *out <= most) ||
           cli_misused(
               cli, "--%s: '%s' is not a number from 0 to %g", option, text, most);
}

/* A share in percent, with or without the sign: from 0, exclusive. */
static bool take_error(struct cli *cli, double *out, const char *text)
{
    char *end;

    *out = strtod(text, &end) / 100;
    return (end != text && (!*end || strcmp(end, "%") == 0) && *out > 0 &&
               *out <= 10) ||
           cli_misused(cli,
               "--error: '%s' is not a percentage above 0, up to 1000; for example 10%%",
               text);
}

/* One, or LOW..HIGH. */
static bool take_thresholds(
    struct cli *cli, struct trod_subpaths_options *out, const char *text)
{
    const char *dots = strstr(text, "..");

    if (!dots)
        return take_real(cli, &out->threshold, text, "threshold", 1e300);
    if (!take_real(cli, &out->low,
            trod_copy_text(&cli->mem, text, (size_t)(dots - text)), "threshold",
            1e300) ||
        !take_real(cli, &out->threshold, dots + 2, "threshold", 1e300))
        return false;
    return (out->low > 0 && out->low < out->threshold) ||
           cli_misused(cli, "--threshold: '%s': LOW is above 0, and below HIGH", text);
}

bool cli_online_options(struct trod_subpaths_options *out, struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    struct trod_report_options report;

    cli_report_options(&report, cli);
    *out = (struct trod_subpaths_options){.most = report.most,
        .blocks = report.blocks,
        .sort = o->top_sort ? (enum trod_online_sort)(o->top_sort - 1)
                            : TROD_ONLINE_BY_COUNT,
        .wants = report.wants,
        .ctx = report.ctx};
    if ((o->weight && !take_real(cli, &out->weight, o->weight, "weight", 10)) ||
        (o->threshold && !take_thresholds(cli, out, o->threshold)) ||
        (o->error && !take_error(cli, &out->error, o->error)) ||
        (o->confidence &&
            !take_real(cli, &out->confidence, o->confidence, "confidence", 99.999999)))
        return false;
    out->confidence /= 100;
    return true;
}

/* --- output ------------------------------------------------------------------------------------------ */

bool cli_subpaths_put(struct cli *cli, const struct trod_subpaths *subpaths,
    const struct trod_map *map, const struct trod_profile *profile)
{
    struct trod_subpaths_options options;
    struct trod_online_names names;

    if (!cli_online_options(&options, cli) ||
        ((cli->options.check || TROD_CHECKED) &&
            !trod_subpaths_check(subpaths, &cli->mem, &cli->err)))
        return false;
    trod_online_names(&names, subpaths, map, &cli->mem);
    if (cli->options.form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_online_json(&cli->json, &names, &options, &cli->mem);
        if (profile)
            cli_chosen_remarks(cli, profile, map);
        trod_json_close(&cli->json, '}');
        return true;
    }
    cli_out_gap(cli);
    if (cli->options.as_text) {
        trod_subpaths_print(&cli->out.sink, subpaths);
        return true;
    }
    trod_online_print(&cli->out.sink, &names, &options, &cli->mem);
    if (profile)
        cli_chosen_remarks(cli, profile, map);
    return true;
}

bool cli_subpaths_put_sampled(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map)
{
    struct trod_subpaths subpaths;

    if (!trod_online_estimate(&subpaths, profile, &cli->mem, &cli->err))
        return false;
    cli_profiles_open_json(cli, "programs");
    if (!cli_subpaths_put(cli, &subpaths, map, profile))
        return false;
    cli_profiles_close_json(cli);
    return true;
}

/* --- files ------------------------------------------------------------------------------------------- */

struct gathered {
    const struct trod_profile **profile;
    uint32_t count, room;
};

static bool put_section(struct cli *cli, const char *head, struct trod_text *text)
{
    static const struct trod_profile nothing;
    struct trod_subpaths subpaths;
    struct trod_token name;
    struct trod_map map;

    if (!trod_text_next(&name, text, &cli->mem, &cli->err))
        return false;
    if (name.kind != TROD_T_NAME || strcmp(head, "subpaths") != 0)
        return trod_text_fail(text, &cli->err,
            "expected the head of a section, 'subpaths NAME IDENTITY', or a line of one");
    return trod_subpaths_parse(&subpaths, name.name, text, &cli->mem, &cli->err) &&
           cli_maps_read(cli, &map, &nothing) &&
           cli_subpaths_put(cli, &subpaths, &map, NULL);
}

/* A profile in its text form begins with its name. */
static bool is_document(const struct cli_bytes *in)
{
    struct trod_text text;

    trod_text_init(&text, in->name, in->bytes, in->length);
    while (text.at < text.end && (*text.at == '\n' || *text.at == ' '))
        text.at++;
    return (size_t)(text.end - text.at) >= 8 && memcmp(text.at, "subpaths", 8) == 0;
}

static bool take_file(struct cli *cli, const char *path, void *ctx)
{
    struct gathered *g = ctx;
    struct cli_profiles in;
    struct cli_bytes bytes;
    struct trod_text text;

    if (!cli_in_bytes(cli, &bytes, path, &cli->mem))
        return false;
    if (is_document(&bytes)) {
        trod_text_init(&text, bytes.name, bytes.bytes, bytes.length);
        return cli_text_sections(cli, &text, put_section, "'subpaths NAME IDENTITY'");
    }
    if (!cli_profiles_take(&in, cli, &bytes))
        return false;
    for (uint32_t i = 0; i < in.count; i++)
        trod_push(&cli->mem, g->profile, g->count, g->room, &in.profile[i]);
    return true;
}

static bool put_profiles(struct cli *cli, struct gathered *g)
{
    struct trod_subpaths subpaths;
    struct trod_profile sum;
    struct trod_map map;

    trod_push(
        &cli->mem, g->profile, g->count, g->room, cli_skips_noted(cli, &cli->mem));
    return trod_profile_merge(&sum, g->profile, g->count, NULL, &cli->mem, &cli->err) &&
           trod_online_estimate(&subpaths, &sum, &cli->mem, &cli->err) &&
           cli_maps_read(cli, &map, &sum) &&
           cli_subpaths_put(cli, &subpaths, &map, &sum);
}

bool cli_subpaths(struct cli *cli)
{
    struct trod_subpaths_options options;
    struct gathered all = {0};

    /* Report invalid options before reading anything. */
    if (!cli_online_options(&options, cli))
        return false;
    if (cli->options.exact)
        return cmd_subpaths_exact(cli);
    cli_profiles_open_json(cli, "programs");
    if (!cli_profiles_each(cli, take_file, &all) ||
        (all.count && !put_profiles(cli, &all)))
        return false;
    cli_profiles_close_json(cli);
    return true;
}
