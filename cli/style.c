#include "cli.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 40, MOST_WIDTH = 1000 };

/* COLUMNS is what people set to be obeyed everywhere; else a terminal knows its own width. */
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
