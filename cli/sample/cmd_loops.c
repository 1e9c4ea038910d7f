#include "commands.h"
#include "sample/sampled.h"

bool cli_trips(struct cli *cli)
{
    return cli_bursts_put(cli, TROD_BURST_OF_LOOPS);
}
