#include "commands.h"
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"

static bool read_all(struct cli *cli, struct cli_bytes *out, int fd)
{
    struct trod_file_data data = {0};
    int error = fd < 0 ? errno : trod_file_read_data(&data, fd, out->mem);

    out->bytes = data.bytes;
    out->length = data.length;
    out->data = data.extent;
    out->ndata = data.nextent;
    return !error ||
           trod_fail(&cli->err, TROD_E_SYSTEM,
               "%s: %s; name a file that can be read, or '-' for standard input",
               out->name, strerror(error));
}

/* A second read shows what a running program changed meanwhile. A pipe cannot be read twice. */
static bool read_again(struct cli *cli, struct cli_bytes *out, int fd)
{
    struct cli_bytes again = {.name = out->name, .mem = out->mem};

    if (!trod_profile_may_change((const uint8_t *)out->bytes, out->length) ||
        lseek(fd, 0, SEEK_SET) != 0)
        return true;
    if (!read_all(cli, &again, fd))
        return false;
    out->again = again.bytes;
    out->nagain = again.length;
    return true;
}

bool cli_in_bytes(
    struct cli *cli, struct cli_bytes *out, const char *path, struct trod_arena *mem)
{
    bool from_stdin = strcmp(path, "-") == 0;
    const char *name = from_stdin ? "<stdin>" : path;
    int fd = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    bool ok;

    *out = (struct cli_bytes){.name = name, .mem = mem};
    if (from_stdin && isatty(fd))
        cli_note(cli, "reading a document from the terminal; end it with Ctrl-D");
    ok = read_all(cli, out, fd) && read_again(cli, out, fd);
    if (!from_stdin && fd >= 0)
        close(fd);
    return ok;
}

bool cli_in_read(struct cli *cli, struct trod_text *text, const char *path)
{
    struct cli_bytes in;

    if (!cli_in_bytes(cli, &in, path, &cli->mem))
        return false;
    trod_text_init(text, in.name, in.bytes, in.length);
    return true;
}

bool cli_text_sections(struct cli *cli, struct trod_text *text,
    bool (*take)(struct cli *cli, const char *head, struct trod_text *text),
    const char *heads)
{
    bool any = false;

    for (;;) {
        struct trod_mark mark = trod_arena_mark(&cli->mem);
        struct trod_token head;

        if (!trod_text_next(&head, text, &cli->mem, &cli->err))
            return false;
        if (head.kind == TROD_T_END)
            break;
        if (head.kind == TROD_T_LINE)
            continue;
        any = true;
        if (!take(cli, head.kind == TROD_T_NAME ? head.name : "", text))
            return false;
        trod_arena_rewind(&cli->mem, mark);
    }
    cli->unusable = text->at == text->end && !any;
    return any ||
           trod_text_fail(text, &cli->err, "the file is empty; begin with %s", heads);
}

bool cli_in_sections(struct cli *cli, const char *path,
    bool (*take)(struct cli *cli, const char *head, struct trod_text *text),
    const char *heads)
{
    struct trod_text text;

    return cli_in_read(cli, &text, path) && cli_text_sections(cli, &text, take, heads);
}

void cli_list_add(struct cli *cli, struct cli_list *to, const char *word)
{
    trod_push(&cli->mem, to->item, to->count, to->room, word);
}
