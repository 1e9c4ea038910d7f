#include "cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool fail_errno(struct cli *cli, const char *name, int error)
{
    return trod_fail(&cli->err, TROD_E_SYSTEM, "writing %s: %s%s", name,
        strerror(error),
        error == ENOSPC ? "; make room, or name another file with -o" : "");
}

/* 0, or errno. */
static int write_all(int fd, const char *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(fd, bytes, length);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        bytes += n;
        length -= (size_t)n;
    }
    return 0;
}

void cli_out_gap(struct cli *cli)
{
    const struct trod_string *out = &cli->out;

    if (out->length && !(out->length > 1 && out->text[out->length - 2] == '\n'))
        trod_put(&cli->out.sink, "\n");
}

void cli_out_comment(struct cli *cli, const char *text)
{
    struct trod_sink *sink = &cli->out.sink;

    if (!text)
        return;
    trod_put(sink, "# ");
    sink->put(sink, text, strlen(text));
    trod_put(sink, "\n");
}

bool cli_out_file(struct cli *cli, const char *path, const struct trod_string *text)
{
    struct cli_beside beside;
    int fd = cli_fd_named(path), error;

    if (fd >= 0) {
        error = write_all(fd, text->text, text->length);
        return !error || fail_errno(cli, path, error);
    }
    if (!cli_beside_open(&beside, cli, path))
        return false;
    error = write_all(beside.fd, text->text, text->length);
    return cli_beside_close(&beside, cli, error);
}

bool cli_out_write(struct cli *cli)
{
    const char *path = cli->options.output;
    int error;

    if (path && strcmp(path, "-") != 0)
        return cli_out_file(cli, path, &cli->out);
    error = write_all(STDOUT_FILENO, cli->out.text, cli->out.length);
    return !error || fail_errno(cli, "standard output", error);
}
