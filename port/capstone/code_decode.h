/* code_decode: decodes machine code that did not run, block by block. x86-64 uses capstone. aarch64
 * and riscv64 do not need it, because their instructions encode their length.
 */
#ifndef TROD_CODE_DECODE_H
#define TROD_CODE_DECODE_H

#include "branch/branch.h"

struct trod_code_decoder;

/* For an ELF machine number; NULL: unsupported. */
struct trod_code_decoder *trod_code_decoder_open(
    unsigned machine, struct trod_arena *mem);
void trod_code_decoder_close(struct trod_code_decoder *decoder);

/* Decode the block at `pc`, up to the first branch. An instruction after which control does not
 * continue (a trap, a halt) ends it like a return. False: it is not code, or has no end.
 */
bool trod_code_decode(struct trod_code *out, const struct trod_code_decoder *decoder,
    uint64_t pc, const uint8_t *bytes, size_t nbyte);

#endif
