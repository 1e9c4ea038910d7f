#include "commands.h"
#include "output/output.h"
#include "test/verdict.h"

#include <string.h>

/* Validators between stages, in development builds only. */
static bool check(struct cli *cli, const struct trod_flows *flows,
    const struct trod_flow_source *source, size_t nsource)
{
    if (!TROD_CHECKED && !cli->options.check)
        return true;
    for (uint32_t i = 0; i < flows->map->nentry; i++)
        if (!trod_flow_check(&flows->of_entry[i], &cli->err))
            return false;
    for (size_t i = 0; i < nsource; i++)
        if (!trod_flow_source_check(&source[i], &cli->err))
            return false;
    return true;
}

bool cli_flow(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    struct trod_flow_choice choice = {0};
    struct trod_flow_source *source;
    struct trod_profile profile;
    struct trod_flows flows;
    struct trod_map map;
    size_t nsource;

    if (o->function) {
        choice.wants = cli_report_wants;
        choice.ctx = trod_copy(&cli->mem, o->function);
    }
    if (!cli_profiles_sum(&profile, cli, &o->file) ||
        !trod_profile_check_counts(&profile, &cli->err) ||
        !cli_maps_read(cli, &map, &profile))
        return false;
    trod_flows_build_any(&flows, &profile, &map, &cli->mem);
    cli_add_unfinished(cli, &flows, &profile);
    nsource = trod_flow_sources(&source, &flows, &cli->mem);
    if (!check(cli, &flows, source, nsource))
        return false;
    if (flows.nunknown)
        cli_note(cli, "%llu functions have no map entry and are omitted",
            (unsigned long long)flows.nunknown);
    if (o->form == CLI_JSON) {
        cli_json_begin(cli);
        trod_flow_json(&cli->json, &flows, source, nsource, &choice);
    } else {
        trod_flow_print(&cli->out.sink, &flows, source, nsource, &choice);
    }
    cli_chosen_remarks(cli, &profile, &map);
    if (o->form == CLI_JSON)
        trod_json_close(&cli->json, '}');
    return true;
}
