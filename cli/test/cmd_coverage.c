#include "commands.h"
#include "output/output.h"
#include "test/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MISSING = 1000000 };

/* A minimum coverage. */
struct demand {
    const char *what, *option, *said; /* said: NULL: not given */
    double percent;
};

static bool read_demands(struct demand *demand, int n, struct cli *cli)
{
    for (int i = 0; i < n; i++) {
        char *end;

        if (!demand[i].said)
            continue;
        demand[i].percent = strtod(demand[i].said, &end);
        if (*end || end == demand[i].said || !isfinite(demand[i].percent) ||
            demand[i].percent < 0 || demand[i].percent > 100)
            return cli_misused(cli, "--%s: '%s' is not a number from 0 to 100",
                demand[i].option, demand[i].said);
    }
    return true;
}

static void read_options(struct trod_cover_options *out, struct cli *cli)
{
    const struct cli_options *o = &cli->options;

    *out = (struct trod_cover_options){.most = o->most,
        .sort = o->cover_sort ? (enum trod_cover_sort)(o->cover_sort - 1)
                              : TROD_COVER_WORTH,
        .group = o->cover_group ? (enum trod_cover_group)(o->cover_group - 1)
                                : TROD_COVER_FUNCTION};
    if (o->function) {
        out->wants = cli_report_wants;
        out->ctx = trod_copy(&cli->mem, o->function);
    }
}

/* Is it the default report: what to test next, by function and by path? */
static bool is_overview(const struct cli_options *o)
{
    return !o->cover_sort && !o->cover_group && !o->most && o->form != CLI_JSON;
}

enum { OVERVIEW_MISSING = 3 };

static void put_text(struct cli *cli, const struct trod_cover *cover,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_neighbour *missing, size_t n)
{
    struct trod_style style;
    struct trod_path_look look = {.style = &style};
    struct cli_text text;

    cli_style(&style, cli);
    if (is_overview(&cli->options))
        trod_cover_print_overview(&cli->out.sink, cover, &style, &cli->mem);
    else
        trod_cover_print(&cli->out.sink, cover, &style, &cli->mem);
    if (n)
        look.text = cli_text_open(&text, cli, profile, map);
    if (cli->options.missing || n)
        trod_neighbours_print(&cli->out.sink, map, missing, n,
            cli->options.brief ? NULL : &look, &cli->mem);
    cli_chosen_remarks(cli, profile, map);
}

static void put(struct cli *cli, const struct trod_cover *cover,
    const struct trod_profile *profile, const struct trod_ran *ran,
    const struct trod_map *map, const struct trod_cover_options *options)
{
    size_t most = cli->options.missing         ? cli->options.missing
                  : is_overview(&cli->options) ? OVERVIEW_MISSING
                                               : 0;
    struct trod_neighbour *missing = NULL;
    size_t n = 0;

    if (most)
        n = trod_neighbours_build(&missing, ran, map, options, most, &cli->mem);
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_cover_json(&cli->json, "coverage", cover);
        if (most)
            trod_neighbours_json(&cli->json, "missing", map, missing, n, &cli->mem);
        cli_chosen_remarks(cli, profile, map);
        trod_json_close(&cli->json, '}');
        return;
    }
    put_text(cli, cover, profile, map, missing, n);
}

static bool check_demand(
    struct cli *cli, const struct demand *demand, struct trod_part part)
{
    double percent = 100 * trod_part_share(part);

    return !demand->said || percent >= demand->percent ||
           cli_no(cli, "%.2f%% of the %s ran, less than the %g%% of --%s", percent,
               demand->what, demand->percent, demand->option);
}

bool cli_coverage(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    struct demand demand[] = {{"paths", "min", o->min, 0},
        {"edges", "min-edges", o->min_edges, 0},
        {"blocks", "min-blocks", o->min_blocks, 0}};
    struct trod_cover_options options;
    struct trod_profile profile;
    struct trod_flows flows;
    struct trod_cover cover;
    struct trod_map map;
    struct trod_ran ran;

    if (!read_demands(demand, 3, cli))
        return false;
    if (o->missing > MOST_MISSING)
        return cli_misused(cli, "--missing lists at most %d paths", MOST_MISSING);
    read_options(&options, cli);
    if (!cli_profiles_sum(&profile, cli, &o->file) ||
        !trod_profile_check_counts(&profile, &cli->err) ||
        !cli_maps_read(cli, &map, &profile) ||
        !trod_ran_build(
            &ran, (const struct trod_profile *[]){&profile}, 1, &cli->mem, &cli->err))
        return false;
    cli_code_choose(cli, &map);
    trod_flows_build_any(&flows, &profile, &map, &cli->mem);
    cli_add_unfinished(cli, &flows, &profile);
    options.flows = &flows;
    trod_cover_build(&cover, &ran, &map, &options, &cli->mem);
    if (cover.total.nunknown && (o->min_edges || o->min_blocks))
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%llu functions have no map entry, so their edges and blocks are unknown; name the "
            "program with --binary, or remove --min-edges and --min-blocks",
            (unsigned long long)cover.total.nunknown);
    put(cli, &cover, &profile, &ran, &map, &options);
    return check_demand(cli, &demand[0], cover.total.covered.path) &&
           check_demand(cli, &demand[1], cover.total.covered.edge) &&
           check_demand(cli, &demand[2], cover.total.covered.block);
}
