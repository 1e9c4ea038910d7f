#include "hw/symbols.h"

#include "cxx/demangle.h"
#include "dwfl/dwfl_port.h"

static void take_image(struct trod_branch_sink *to, const struct trod_image *image)
{
    struct cli_symbols *symbols = (struct cli_symbols *)to;

    trod_push(
        &symbols->cli->mem, symbols->image, symbols->count, symbols->room, *image);
}

void cli_symbols_open(struct cli_symbols *out, struct cli *cli)
{
    *out = (struct cli_symbols){
        .sink = {.image = take_image}, .cli = cli, .dwfl = trod_dwfl_open(&cli->mem)};
    trod_dwfl_files(&out->files, out->dwfl);
    out->places = (struct trod_branch_places){.ctx = out, .find = cli_symbols_find};
}

void cli_symbols_close(struct cli_symbols *symbols)
{
    trod_dwfl_close(symbols->dwfl);
}

/* The image mapped last at an address: others may have been there before. */
static const struct trod_image *image_at(
    const struct cli_symbols *symbols, uint64_t address)
{
    for (uint32_t i = symbols->count; i-- > 0;)
        if (address >= symbols->image[i].start && address < symbols->image[i].end)
            return &symbols->image[i];
    return NULL;
}

bool cli_symbols_at(const struct cli_symbols *symbols, struct trod_lift_symbol *out,
    const struct trod_image **image, uint64_t *offset, uint64_t address)
{
    *image = image_at(symbols, address);
    if (!*image || !(*image)->path)
        return false;
    *offset = address - (*image)->start + (*image)->offset;
    return symbols->files.symbol(symbols->files.ctx, out, *image, *offset);
}

bool cli_symbols_find(void *ctx, struct trod_branch_place *out, uint64_t address)
{
    const struct cli_symbols *symbols = ctx;
    const struct trod_lift_files *files = &symbols->files;
    const struct trod_image *image;
    struct trod_lift_symbol symbol;
    uint64_t offset;
    const char *source;

    if (!cli_symbols_at(symbols, &symbol, &image, &offset, address))
        return false;
    out->function = trod_cxx_name(symbol.name, &symbols->cli->mem);
    out->offset = offset - symbol.start;
    source = files->source(files->ctx, image, offset);
    if (source &&
        files->lines(files->ctx, &out->line, 1, image, offset, offset + 1, source))
        out->source = source;
    return true;
}
