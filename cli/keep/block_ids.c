#include "keep/formats.h"

#include <string.h>

#include "elf/section.h"

/* The compiler's block numbers from a file, if it has them. */
static bool read_blocks(struct cli *cli, struct trod_export_blocks *out,
    const struct trod_profile_module *module)
{
    struct trod_export_block *block;
    struct trod_elf_block *from;
    struct trod_err why = {0};
    size_t n = 0;
    char *id;

    if (!trod_elf_build_id(&id, module->path, &cli->mem, &why) ||
        !trod_elf_bb_map(&from, &n, module->path, &cli->mem, &why)) {
        cli_note(cli, "%s", why.text);
        return false;
    }
    if (n && strcmp(id, module->build_id) != 0) {
        cli_note(cli,
            "%s: this is not the build that ran, and its blocks are omitted; run it again",
            module->path);
        return false;
    }
    block = trod_new(&cli->mem, struct trod_export_block, n);
    for (size_t i = 0; i < n; i++)
        block[i] = (struct trod_export_block){.address = from[i].address,
            .nbyte = from[i].nbyte,
            .function = from[i].function,
            .id = from[i].id,
            .flags = from[i].flags};
    *out = (struct trod_export_blocks){module->path, n, block};
    return n > 0;
}

void cli_block_ids(struct cli *cli, struct trod_exported *in)
{
    struct trod_export_blocks *blocks =
        trod_new(&cli->mem, struct trod_export_blocks, in->profile->nmodule);

    in->blocks = blocks;
    for (uint32_t m = 0; m < in->profile->nmodule; m++)
        if (in->profile->module[m].mode == TROD_MODE_MACHINE &&
            in->profile->module[m].path[0] == '/')
            in->nblocks +=
                read_blocks(cli, &blocks[in->nblocks], &in->profile->module[m]);
}
