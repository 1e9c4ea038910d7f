#include "commands.h"
#include "input/input.h"
#include "output/output.h"

#include <inttypes.h>

static bool show_file(struct cli *cli, const char *path, void *ctx)
{
    struct trod_mark mark = trod_arena_mark(&cli->mem);
    struct cli_profiles in;

    (void)ctx;
    if (!cli_profiles_read(&in, cli, path, &cli->mem))
        return false;
    if (in.health.nloss)
        cli_note(cli, "%s: damaged; %" PRIu64 " losses are among the notes", in.name,
            in.health.nloss);
    for (uint32_t i = 0; i < in.count; i++) {
        if (cli->options.form == CLI_JSON) {
            trod_profile_json(&cli->json, NULL, &in.profile[i]);
        } else {
            cli_out_gap(cli);
            trod_profile_print(&cli->out.sink, &in.profile[i]);
        }
    }
    trod_arena_rewind(&cli->mem, mark);
    return true;
}

bool cli_show_profiles(struct cli *cli)
{
    cli_profiles_open_json(cli, "profiles");
    if (!cli_profiles_each(cli, show_file, NULL))
        return false;
    cli_profiles_close_json(cli);
    return true;
}
