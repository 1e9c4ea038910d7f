#include "cli.h"

bool cmd_subpaths_exact(struct cli *cli)
{
    return cli_misused(cli, "traces cannot be read yet");
}
