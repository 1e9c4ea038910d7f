#include "commands.h"
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool cli_in_fail(struct cli *cli, const struct cli_bytes *in, int error)
{
    return trod_fail(&cli->err, TROD_E_SYSTEM,
        "%s: %s; name a file that can be read, or '-' for standard input", in->name,
        strerror(error));
}

static bool read_all(struct cli *cli, struct cli_bytes *out, int fd)
{
    struct trod_file_data data = {0};
    int error = fd < 0 ? errno : trod_file_read_data(&data, fd, out->mem);

    out->bytes = data.bytes;
    out->length = data.length;
    out->data = data.extent;
    out->ndata = data.nextent;
    return !error || cli_in_fail(cli, out, error);
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

/* Open a file, or standard input for "-". */
static int begin(
    struct cli *cli, struct cli_bytes *out, const char *path, struct trod_arena *mem)
{
    bool from_stdin = strcmp(path, "-") == 0;

    *out = (struct cli_bytes){.name = from_stdin ? "<stdin>" : path, .mem = mem};
    if (from_stdin && isatty(STDIN_FILENO))
        cli_note(cli, "reading a document from the terminal; end it with Ctrl-D");
    return from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
}

static void end(int fd)
{
    if (fd > STDIN_FILENO)
        close(fd);
}

bool cli_in_bytes(
    struct cli *cli, struct cli_bytes *out, const char *path, struct trod_arena *mem)
{
    int fd = begin(cli, out, path, mem);
    bool ok = read_all(cli, out, fd) && read_again(cli, out, fd);

    end(fd);
    return ok;
}

bool cli_in_open(
    struct cli *cli, struct cli_bytes *out, const char *path, struct trod_arena *mem)
{
    int fd = begin(cli, out, path, mem);
    uint8_t head[64];
    bool ok = true;

    out->in_pieces = fd >= 0 &&
                     trod_file_pieces_begin(&out->pieces, fd, head, sizeof head) &&
                     trod_profile_begins_binary(head, sizeof head);
    if (!out->in_pieces) {
        ok = read_all(cli, out, fd) && read_again(cli, out, fd);
        end(fd);
    }
    return ok;
}

void cli_in_close(const struct cli_bytes *in)
{
    if (in->in_pieces)
        end(in->pieces.fd);
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
