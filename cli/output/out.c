#include "commands.h"
#include "output/output.h"

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

/* --- names that would do something to a terminal -------------------------------------- */

/* A colour, as trod itself sets them; 0: it is none. */
static size_t colour_length(const char *at)
{
    size_t n = strncmp(at, "\033[", 2) == 0 ? 2 + strspn(at + 2, "0123456789;") : 0;

    return n && at[n] == 'm' ? n + 1 : 0;
}

/* How many bytes from here on may be printed as they are. */
static size_t harmless_length(const char *text, bool colours)
{
    const char *at = text;

    while (*at) {
        size_t length = trod_control_length(at);

        if (!length || *at == '\n' || *at == '\t' || (*at == '\r' && at[1] == '\n'))
            at += trod_utf8_length(at) ? trod_utf8_length(at) : 1;
        else if (colours && colour_length(at))
            at += colour_length(at);
        else
            break;
    }
    return (size_t)(at - text);
}

/* Names of functions and files, arguments and notes come from files that anybody can make, and are printed in many places:
 * here all of it passes. Bytes of a packed form have NULs, and stay what they are.
 */
static void show_controls(struct cli *cli)
{
    bool colours = cli_wants_colour(cli);
    struct trod_string shown;
    const char *at = cli->out.text;

    cli->out.text[cli->out.length] = '\0'; /* whoever took it all has set the length */
    if (memchr(at, '\0', cli->out.length) ||
        harmless_length(at, colours) == cli->out.length)
        return;
    trod_string_init(&shown, &cli->out_mem);
    while (*at) {
        size_t n = harmless_length(at, colours);

        shown.sink.put(&shown.sink, at, n);
        at += n;
        n = *at ? trod_control_length(at) : 0;
        for (; n; n--, at++)
            trod_put(&shown.sink, "\\x%02x", (unsigned char)*at);
    }
    cli->out.text = shown.text;
    cli->out.length = shown.length;
    cli->out.room = shown.room;
}

void cli_json_begin(struct cli *cli)
{
    trod_json_open(&cli->json, NULL, '{');
    trod_json_text(&cli->json, "trod", cli->command->name);
    trod_json_uint(&cli->json, "version", 1);
}

bool cli_out_write(struct cli *cli)
{
    const char *path = cli->options.output;
    int error;

    show_controls(cli);
    if (path && strcmp(path, "-") != 0)
        return cli_out_file(cli, path, &cli->out);
    error = write_all(STDOUT_FILENO, cli->out.text, cli->out.length);
    return !error || fail_errno(cli, "standard output", error);
}
