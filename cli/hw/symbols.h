/* symbols: functions and lines of the code that a stream executed.
 *
 *     images of a stream -> files -> symbols and debug lines, by address
 */
#ifndef TROD_CLI_SYMBOLS_H
#define TROD_CLI_SYMBOLS_H

#include "input/input.h"

struct trod_dwfl;

/* A sink that keeps the images of a stream. */
struct cli_symbols {
    struct trod_branch_sink sink;
    struct cli *cli;
    struct trod_image *image;
    uint32_t count, room;
    struct trod_dwfl *dwfl;
    struct trod_lift_files files;
    struct trod_branch_places places; /* for printing */
};

void cli_symbols_open(struct cli_symbols *out, struct cli *cli);
void cli_symbols_close(struct cli_symbols *symbols);

/* The symbol of an address, its image, and the offset in it. False: it has none. */
bool cli_symbols_at(const struct cli_symbols *symbols, struct trod_lift_symbol *out,
    const struct trod_image **image, uint64_t *offset, uint64_t address);

/* As trod_branch_places.find. */
bool cli_symbols_find(void *ctx, struct trod_branch_place *out, uint64_t address);

#endif
