#include "output/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool cli_to_terminal(const struct cli *cli)
{
    const char *path = cli->options.output;

    return (!path || strcmp(path, "-") == 0) && isatty(STDOUT_FILENO);
}

/* The words of --color. */
enum { COLOUR_AUTO = 1, COLOUR_ALWAYS, COLOUR_NEVER };

bool cli_wants_colour(const struct cli *cli)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

    if (cli->options.colour > COLOUR_AUTO)
        return cli->options.colour == COLOUR_ALWAYS;
    return cli_to_terminal(cli) && !(no && *no) && terminal &&
           strcmp(terminal, "dumb") != 0;
}

/* --- width -------------------------------------------------------------------------- */

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 40, MOST_WIDTH = 1000 };

/* COLUMNS, if the user set it, takes precedence over the width of the terminal. */
static unsigned find_width(const struct cli *cli)
{
    const char *said = getenv("COLUMNS");
    struct winsize size;
    uint64_t columns;

    if (said && trod_text_uint(&columns, said) && columns >= LEAST_WIDTH &&
        columns <= MOST_WIDTH)
        return (unsigned)columns;
    if (cli_to_terminal(cli) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
        size.ws_col >= LEAST_WIDTH)
        return size.ws_col;
    return USUAL_WIDTH;
}

void cli_style(struct trod_style *out, const struct cli *cli)
{
    *out = (struct trod_style){.width = find_width(cli),
        .colour = cli_wants_colour(cli),
        .exact = cli->options.exact,
        .whole = cli->options.verbose};
}

/* --- progress -------------------------------------------------------------------- */

enum { PATIENCE = 2 }; /* seconds before the first message */

void cli_progress_begin(struct cli_progress *out, const char *doing, const char *things)
{
    *out = (struct cli_progress){.doing = doing, .things = things, .start = time(NULL)};
}

static void say(
    const struct cli_progress *progress, uint32_t done, uint32_t of, const char *end)
{
    fprintf(stderr, "\rtrod: %s, %" PRIu32 " of %" PRIu32 " %s%s", progress->doing,
        done, of, progress->things, end);
}

void cli_progress_report(
    struct cli_progress *progress, const struct cli *cli, uint32_t done, uint32_t of)
{
    time_t now = time(NULL);

    if (cli->options.quiet || !isatty(STDERR_FILENO) ||
        now - progress->start <= PATIENCE || now == progress->said)
        return;
    say(progress, done, of, "");
    progress->said = now;
}

void cli_progress_end(const struct cli_progress *progress, uint32_t done, uint32_t of)
{
    if (progress->said)
        say(progress, done, of, "\n");
}
