#include "commands.h"
#include "version/carried.h"

#include <inttypes.h>

#include "elf/section.h"

struct symbols {
    struct trod_elf_symbol *symbol;
    size_t nsymbol;
};

/* The profile's address range begins at __executable_start, where glibc starts it. So the distance
 * from there is an offset in the image, wherever that was loaded.
 */
static const char *name_of(void *ctx, uint64_t low, uint64_t address)
{
    const struct symbols *s = ctx;
    const struct trod_elf_symbol *found =
        address >= low ? trod_elf_find(s->symbol, s->nsymbol, address - low) : NULL;

    return found ? found->name : NULL;
}

bool cli_foreign_is(const struct cli_bytes *in)
{
    return trod_foreign_kind(in->bytes, in->length) != TROD_FOREIGN_NONE;
}

bool cli_foreign_read(struct trod_entries *out, struct cli *cli, const char *type,
    const struct cli_bytes *in)
{
    const struct cli_list *binary = &cli->options.binary;
    struct symbols symbols = {0};
    struct trod_foreign_symbols names = {name_of, &symbols};
    bool gmon = trod_foreign_kind(in->bytes, in->length) == TROD_FOREIGN_GMON;
    uint64_t nlost = 0;

    if (gmon && binary->count != 1)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: gmon.out has only addresses of functions; name the program that ran with "
            "--binary",
            in->name);
    if (gmon && !trod_elf_symbols(&symbols.symbol, &symbols.nsymbol, binary->item[0],
                    TROD_ELF_FUNCTIONS, &cli->mem, &cli->err))
        return false;
    if (!trod_foreign_entries(out, type, in->name, in->bytes, in->length,
            gmon ? &names : NULL, &nlost, &cli->mem, &cli->err))
        return false;
    if (nlost)
        cli_note(cli,
            "%s: %" PRIu64 " calls have targets outside the functions of the program",
            in->name, nlost);
    return true;
}
