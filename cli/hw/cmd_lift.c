#include "build/lifted.h"
#include "commands.h"
#include "input/input.h"

#include <string.h>
#include <unistd.h>

#include "elf/section.h"

/* trod hw lift: turn recordings of an emulator into a profile and its map. */

/* Beside the profile, unless given. */
static const char *choose_map(struct cli *cli, const char *profile)
{
    if (cli->options.map || !profile)
        return cli->options.map;
    return trod_format(&cli->mem, "%s" TROD_MAP_SUFFIX, profile);
}

bool cli_lift(struct cli *cli)
{
    const char *profile = cli->options.output;
    struct cli_lift_options from = {.seen = cli->options.file,
        .also = cli->options.also,
        .limit = cli->options.limit};
    struct cli_lifted lifted;
    bool ok;

    if (!from.seen.count)
        return cli_misused(cli, "name a recording of the emulator");
    if (cli->options.as_text) {
        ok = cli_lifted_build(cli, &lifted, &from);
        if (ok)
            trod_lift_print(&cli->out.sink, &lifted.lifted, &cli->mem);
        cli_lifted_close(&lifted);
        return ok;
    }
    if (profile && strcmp(profile, "-") == 0)
        profile = NULL;
    if (!profile && isatty(STDOUT_FILENO))
        return cli_misused(cli,
            "a binary profile cannot be written to a terminal; name a file with -o, or use --text");
    cli->options.output = NULL;
    return cli_lifted_write(cli, &from, profile, choose_map(cli, profile));
}
