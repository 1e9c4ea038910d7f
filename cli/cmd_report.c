#include "cli.h"

void cli_report_put(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map)
{
    struct trod_report_options options = {
        .most = cli->options.most, .blocks = cli->options.blocks};

    if (cli->options.form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_json_text(&cli->json, "trod", cli->command->name);
        trod_json_uint(&cli->json, "version", 1);
        trod_report_json(&cli->json, "report", profile, map, &options, &cli->mem);
        trod_json_close(&cli->json, '}');
    } else {
        trod_report_print(&cli->out.sink, profile, map, &options, &cli->mem);
    }
}

bool cli_report(struct cli *cli)
{
    struct trod_profile profile;
    struct trod_map map;

    if (!cli_profiles_sum(&profile, cli, &cli->options.file) ||
        !cli_maps_read(cli, &map, &profile))
        return false;
    cli_report_put(cli, &profile, &map);
    return true;
}
