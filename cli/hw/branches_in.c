#include "hw/processor.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zstd/zstd_port.h"

/* Traces are large: a file is memory-mapped if possible, until the command ends. */
static bool map_file(struct cli_bytes *out, const char *path)
{
    int fd = strcmp(path, "-") == 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    void *at = MAP_FAILED;

    if (fd < 0)
        return false;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        return false;
    *out =
        (struct cli_bytes){.name = path, .bytes = at, .length = (size_t)status.st_size};
    return true;
}

static bool read_number(
    struct cli *cli, uint64_t *out, const char *option, const char *text)
{
    *out = 0;
    return !text || trod_text_uint(out, text) ||
           cli_misused(cli, "--%s: '%s' is not an instruction number", option, text);
}

static void report_health(
    struct cli *cli, const char *file, const struct trod_branch_health *health)
{
    if (health->ndamaged)
        cli_note(cli,
            "%s: damaged in %" PRIu32 " places; %" PRIu64
            " or more instructions could not be read",
            file, health->ndamaged, health->nlost);
    if (health->cut_off)
        cli_note(cli,
            "%s: truncated after %" PRIu64 " instructions; the rest is missing", file,
            health->ninsn);
}

/* Read the head of a text; the cursor ends up after its name. */
static bool open_text(struct cli_branches *out, struct cli *cli)
{
    struct trod_token head;

    trod_text_init(&out->text, out->file, out->bytes, out->nbyte);
    do
        if (!trod_text_next(&head, &out->text, &cli->mem, &cli->err))
            return false;
    while (head.kind == TROD_T_LINE);
    if (!trod_token_is_word(&head, "branches"))
        return trod_text_fail(&out->text, &cli->err,
            "neither a trace file nor text that begins with 'branches NAME'");
    return trod_text_take_name(&out->name, "a name", &out->text, &cli->mem, &cli->err);
}

static bool open_trace(struct cli_branches *out, struct cli *cli)
{
    if (!trod_branch_read_head(&out->health, out->file, (const uint8_t *)out->bytes,
            out->nbyte, &cli->mem, &cli->err))
        return false;
    out->name = out->health.name;
    return true;
}

bool cli_branches_open(struct cli_branches *out, struct cli *cli, const char *path)
{
    struct cli_bytes in;

    *out = (struct cli_branches){0};
    if (!read_number(cli, &out->from, "from", cli->options.from) ||
        !read_number(cli, &out->to, "to", cli->options.to))
        return false;
    if (cli->options.to && out->to <= out->from)
        return cli_misused(cli, "--to must be greater than --from");
    if (!map_file(&in, path) && !cli_in_bytes(cli, &in, path, &cli->mem))
        return false;
    out->file = in.name;
    out->bytes = in.bytes;
    out->nbyte = in.length;
    out->is_trace = trod_branch_is_trace((const uint8_t *)in.bytes, in.length);
    return out->is_trace ? open_trace(out, cli) : open_text(out, cli);
}

bool cli_branches_drive(
    struct trod_branch_sink *to, struct cli_branches *in, struct cli *cli)
{
    struct trod_branch_read_options options = {
        &trod_zstd_branch_codec, in->from, in->to};
    struct trod_branch_cutter *cutter;

    if (in->is_trace) {
        if (!trod_branch_read(to, &in->health, in->file, (const uint8_t *)in->bytes,
                in->nbyte, &options, &cli->mem, &cli->err))
            return false;
        report_health(cli, in->file, &in->health);
        return true;
    }
    if (!in->from && !in->to)
        return trod_branch_parse(to, &in->text, &cli->mem, &cli->err);
    cutter = trod_new(&cli->mem, struct trod_branch_cutter, 1);
    trod_branch_cutter_init(cutter, to, in->from, in->to);
    return trod_branch_parse(&cutter->sink, &in->text, &cli->mem, &cli->err);
}
