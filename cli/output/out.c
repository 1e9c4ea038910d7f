#include "commands.h"
#include "output/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"

bool cli_out_check(struct cli *cli, const char *name, int error)
{
    return !error || trod_fail(&cli->err, TROD_E_SYSTEM, "writing %s: %s%s", name,
                         strerror(error),
                         error == ENOSPC || error == EDQUOT
                             ? "; make room, or name another file with -o"
                             : "");
}

/* The descriptor that /dev/stdout or /dev/fd/N means; otherwise -1. */
static int fd_named(const char *path)
{
    static const char *const folder[] = {"/dev/fd/", "/proc/self/fd/"};
    char *end;
    long fd;

    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
        size_t n = strlen(folder[i]);

        if (strncmp(path, folder[i], n) != 0 || path[n] < '0' || path[n] > '9')
            continue;
        fd = strtol(path + n, &end, 10);
        if (!*end && fd <= 1 << 20)
            return (int)fd;
    }
    return -1;
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
    struct trod_file_beside beside;
    int fd = fd_named(path), error;

    if (fd >= 0)
        return cli_out_check(cli, path, trod_file_write(fd, text->text, text->length));
    error = trod_file_begin(&beside, path, true, &cli->mem);
    if (!error)
        error = trod_file_end(
            &beside, trod_file_write(beside.fd, text->text, text->length));
    return cli_out_check(cli, path, error);
}

/* --- control characters --------------------------------------------------------------- */

/* The length of a colour sequence that trod itself prints; 0: none. */
static size_t colour_length(const char *at)
{
    size_t n = strncmp(at, "\033[", 2) == 0 ? 2 + strspn(at + 2, "0123456789;") : 0;

    return n && at[n] == 'm' ? n + 1 : 0;
}

/* The number of following bytes that may be printed unchanged. */
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

/* Names of functions and files, arguments and notes come from untrusted files, and are printed in
 * many places. So all output is filtered here. Binary forms contain NULs, and are not changed.
 */
static void show_controls(struct cli *cli)
{
    bool colours = cli_wants_colour(cli);
    struct trod_string shown;
    const char *at = cli->out.text;

    cli->out.text[cli->out.length] =
        '\0'; /* the length is set only if everything was written */
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

    show_controls(cli);
    if (path && strcmp(path, "-") != 0)
        return cli_out_file(cli, path, &cli->out);
    return cli_out_check(cli, "standard output",
        trod_file_write(STDOUT_FILENO, cli->out.text, cli->out.length));
}
