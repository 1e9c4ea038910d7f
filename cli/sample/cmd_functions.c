#include "commands.h"
#include "sample/sampled.h"

bool cli_methods(struct cli *cli)
{
    return cli_bursts_put(cli, TROD_BURST_OF_METHODS);
}
