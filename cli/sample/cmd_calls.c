#include "commands.h"
#include "sample/sampled.h"

bool cli_calls(struct cli *cli)
{
    return cli_bursts_put(
        cli, cli->options.call_graph ? TROD_BURST_OF_PAIRS : TROD_BURST_OF_CALLS);
}
