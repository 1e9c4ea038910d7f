#include "commands.h"
#include "look/look.h"
#include "sample/sampled.h"

#include <stdlib.h>
#include <unistd.h>

static bool put_once(struct cli_top *top)
{
    struct cli *cli = top->cli;
    const struct cli_picture *picture = &top->picture[top->now];

    cli_profiles_open_json(cli, "programs");
    if (!cli_subpaths_put(cli, &picture->subpaths, &top->map, &picture->profile))
        return false;
    cli_profiles_close_json(cli);
    return true;
}

static bool take_interval(struct cli *cli, double *out)
{
    const char *text = cli->options.interval;
    char *end;

    *out = 2;
    if (!text)
        return true;
    *out = strtod(text, &end);
    return (*text && !*end && *out >= 0.05 && *out <= 86400) ||
           cli_misused(
               cli, "--interval: '%s' is not a number of seconds from 0.05 up", text);
}

bool cli_top(struct cli *cli)
{
    struct cli_top top;
    double interval;
    bool ok;

    if (!take_interval(cli, &interval))
        return false;
    if (!cli->options.once && cli->options.form == CLI_JSON)
        return cli_misused(cli, "--json needs --once");
    if (!cli->options.once && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
        return cli_misused(cli, "standard output is not a terminal; use --once");
    if (!cli_top_open(&top, cli))
        return false;
    ok = cli_top_look(&top) &&
         (cli->options.once ? put_once(&top) : cli_top_watch(&top, interval));
    cli_top_close(&top);
    return ok;
}
