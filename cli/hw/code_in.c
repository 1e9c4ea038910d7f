#include "hw/processor.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <string.h>
#include <unistd.h>

#include "elf/section.h"
#include "ipt/ipt_port.h"

struct file {
    const char *path;
    const uint8_t *bytes;
    size_t length;
};

static bool map_file(struct file *out, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    void *at = MAP_FAILED;

    if (fd < 0)
        return false;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    *out = (struct file){path, at, (size_t)status.st_size};
    return at != MAP_FAILED;
}

/* Add memory, as far as the file has its contents. */
static void add_memory(struct cli_code *out, struct cli *cli, const struct file *file,
    uint64_t start, uint64_t size, uint64_t offset)
{
    struct trod_ipt_memory *m;
    struct trod_err none;
    char *id = NULL;

    if (offset >= file->length || start + size < start)
        return;
    if (size > file->length - offset)
        size = file->length - offset;
    trod_reserve(&cli->mem, out->memory, out->nmemory, out->room);
    m = &out->memory[out->nmemory++];
    m->bytes = file->bytes + offset;
    m->image = (struct trod_image){file->path, NULL, start, start + size, offset};
    if (trod_elf_build_id(&id, file->path, &cli->mem, &none) && *id)
        m->image.build_id = id;
}

static bool read_place(struct cli *cli, uint64_t *out, const char *text)
{
    char *end;

    *out = strtoull(text, &end, 0);
    return (*text && !*end) ||
           cli_misused(
               cli, "--image: '%s' is not an address; write FILE or FILE@0x...", text);
}

static bool add_image(struct cli_code *out, struct cli *cli, const char *text)
{
    const char *at = strrchr(text, '@');
    const char *path = at ? trod_copy_text(&cli->mem, text, (size_t)(at - text)) : text;
    struct trod_elf_load *load;
    uint64_t base = 0;
    struct file file;
    size_t n;

    if (at && !read_place(cli, &base, at + 1))
        return false;
    if (!map_file(&file, path))
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "%s: cannot be read; name the program that ran, or a library of it", path);
    n = trod_elf_loads(&load, path, &cli->mem);
    for (size_t i = 0; i < n; i++)
        add_memory(
            out, cli, &file, base + load[i].address, load[i].nbyte, load[i].offset);
    if (!n && !at)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: not a program or library; give the address of its bytes, as FILE@0x...",
            path);
    if (!n)
        add_memory(out, cli, &file, base, file.length, 0);
    return true;
}

bool cli_code_read(struct cli_code *out, struct cli *cli)
{
    *out = (struct cli_code){0};
    for (uint32_t i = 0; i < cli->options.image.count; i++)
        if (!add_image(out, cli, cli->options.image.item[i]))
            return false;
    return true;
}

void cli_code_mapped(struct cli_code *out, struct cli *cli, const struct cli_bytes *in)
{
    struct trod_image *image;
    size_t n = trod_branch_parse_maps(&image, in->bytes, in->length, &cli->mem);

    for (size_t i = 0; i < n; i++) {
        struct file file;

        if (map_file(&file, image[i].path))
            add_memory(out, cli, &file, image[i].start, image[i].end - image[i].start,
                image[i].offset);
        else
            cli_note(cli, "%s: no longer there; its code is unknown", image[i].path);
    }
}
