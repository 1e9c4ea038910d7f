#include "cli.h"

bool cli_subpaths(struct cli *cli)
{
    if (cli->options.exact)
        return cmd_subpaths_exact(cli);
    return cli_misused(cli, "samples cannot be read yet");
}
