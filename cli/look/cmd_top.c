#include "commands.h"
#include "look/look.h"
#include "output/output.h"
#include "sample/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A profile that is read once tells what ran since the beginning; read again after an interval, what runs now. */
static bool look_again(struct cli_top *top, double interval)
{
    struct timespec time = {(time_t)interval, (long)(1e9 * fmod(interval, 1))};
    bool open;

    cli_top_state(top, &open);
    top->ended = !open;
    if (top->ended)
        return true;
    nanosleep(&time, NULL);
    return cli_top_look(top);
}

static bool put_paths(struct cli_top *top)
{
    struct cli *cli = top->cli;
    size_t most = cli->options.most ? cli->options.most : TROD_REPORT_MOST;
    struct cli_top_rows rows;

    if (!cli_top_rows(&rows, top, &cli->mem))
        return false;
    if (rows.n > most)
        rows.n = most;
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        cli_top_paths_json(&cli->json, &rows);
        trod_json_close(&cli->json, '}');
    } else {
        cli_top_paths.put_all(&cli->out.sink, &rows);
    }
    return true;
}

static bool put_once(struct cli_top *top, double interval)
{
    struct cli *cli = top->cli;
    const struct cli_picture *picture = &top->picture[top->now];

    if (!top->sampled)
        return look_again(top, interval) && put_paths(top);
    cli_profiles_open_json(cli, "programs");
    if (!cli_subpaths_put(cli, &picture->subpaths, &top->map, &picture->profile))
        return false;
    cli_profiles_close_json(cli);
    return true;
}

/* --- options ----------------------------------------------------------------------------------- */

/* Words of --sort, in their order, from 1. */
enum { BY_COUNT = 1, BY_BLOCKS, BY_LENGTH, BY_FUNCTION, BY_RATE, BY_TIME };

/* What is asked for must fit what is profiled. */
static bool take_order(struct cli_top *top)
{
    static const enum cli_top_order order[] = {[BY_COUNT] = CLI_TOP_BY_COUNT,
        [BY_FUNCTION] = CLI_TOP_BY_FUNCTION,
        [BY_RATE] = CLI_TOP_BY_RATE,
        [BY_TIME] = CLI_TOP_BY_TIME};
    struct cli *cli = top->cli;
    int sort = cli->options.top_sort;

    if (top->sampled)
        return (sort <= BY_FUNCTION ||
                   cli_misused(cli,
                       "--sort: blocks of '%s' are sampled: by count, blocks, "
                       "length or function",
                       cli_top_name(top))) &&
               (!cli->options.group ||
                   cli_misused(cli, "--group: blocks of '%s' are sampled, not paths",
                       cli_top_name(top)));
    if (sort == BY_BLOCKS || sort == BY_LENGTH)
        return cli_misused(cli,
            "--sort: paths of '%s' are counted: by rate, count, time or function",
            cli_top_name(top));
    top->order = order[sort];
    top->group = cli->options.group ? (enum trod_report_group)(cli->options.group - 1)
                                    : TROD_GROUP_NONE;
    return top->order != CLI_TOP_BY_TIME ||
           cli_is_timed(
               cli, "--sort=time", &top->picture[top->now].profile, cli_top_name(top));
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
    ok = cli_top_look(&top) && take_order(&top) &&
         (cli->options.once ? put_once(&top, interval) : cli_top_watch(&top, interval));
    cli_top_close(&top);
    return ok;
}
