#include "cli.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zstd/zstd_port.h"

/* Traces are large: a file is mapped, where it can be. */
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
           cli_misused(
               cli, "--%s: '%s' is not the number of an instruction", option, text);
}

static void tell_health(
    struct cli *cli, const char *file, const struct trod_branch_health *health)
{
    if (health->ndamaged)
        cli_note(cli,
            "%s: damaged in %" PRIu32 " places; %" PRIu64
            " instructions or more could not be read",
            file, health->ndamaged, health->nlost);
    if (health->cut_off)
        cli_note(cli,
            "%s: cut off behind %" PRIu64 " instructions; what is there is read", file,
            health->ninsn);
}

static bool read_text(struct trod_branch_sink *to, struct cli_branches *out,
    struct cli *cli, const struct cli_bytes *in, uint64_t from, uint64_t upto)
{
    struct trod_branch_cutter *cutter =
        trod_new(&cli->mem, struct trod_branch_cutter, 1);
    struct trod_token head;
    struct trod_text text;

    trod_branch_cutter_init(cutter, to, from, upto);
    trod_text_init(&text, in->name, in->bytes, in->length);
    do
        if (!trod_text_next(&head, &text, &cli->mem, &cli->err))
            return false;
    while (head.kind == TROD_T_LINE);
    if (!trod_token_is_word(&head, "branches"))
        return trod_text_fail(&text, &cli->err,
            "neither a trace file nor text that begins with 'branches NAME'");
    return trod_text_take_name(&out->name, "a name", &text, &cli->mem, &cli->err) &&
           trod_branch_parse(
               from || upto ? &cutter->sink : to, &text, &cli->mem, &cli->err);
}

bool cli_branches_read(struct trod_branch_sink *to, struct cli_branches *out,
    struct cli *cli, const char *path)
{
    struct trod_branch_read_options options = {.codec = &trod_zstd_branch_codec};
    struct cli_bytes in;
    bool mapped, ok;

    *out = (struct cli_branches){0};
    if (!read_number(cli, &options.from, "from", cli->options.from) ||
        !read_number(cli, &options.to, "to", cli->options.to))
        return false;
    if (cli->options.to && options.to <= options.from)
        return cli_misused(cli, "--to is not behind --from: there is nothing between");
    mapped = map_file(&in, path);
    if (!mapped && !cli_in_bytes(cli, &in, path, &cli->mem))
        return false;
    out->file = in.name;
    out->nbyte = in.length;
    out->is_trace = trod_branch_is_trace((const uint8_t *)in.bytes, in.length);
    if (out->is_trace) {
        ok = trod_branch_read(to, &out->health, in.name, (const uint8_t *)in.bytes,
            in.length, &options, &cli->mem, &cli->err);
        out->name = out->health.name;
        if (ok)
            tell_health(cli, in.name, &out->health);
    } else {
        ok = read_text(to, out, cli, &in, options.from, options.to);
    }
    if (mapped)
        munmap((void *)(uintptr_t)in.bytes, in.length);
    return ok;
}
