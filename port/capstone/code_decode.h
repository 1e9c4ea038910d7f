/* code_decode: machine code that did not run, block by block: x86-64 through capstone, aarch64 and riscv64, whose
 * instructions encode their length, without.
 */
#ifndef TROD_CODE_DECODE_H
#define TROD_CODE_DECODE_H

#include "branch/branch.h"

struct trod_code_decoder;

/* For a machine as ELF numbers it; NULL: it is unknown. */
struct trod_code_decoder *trod_code_decoder_open(
    unsigned machine, struct trod_arena *mem);
void trod_code_decoder_close(struct trod_code_decoder *decoder);

/* The block from some bytes on, up to the first branch; pc: where they are. What cannot be gone on after (a trap, a halt) ends
 * it like a return. False if there is none, or no end.
 */
bool trod_code_decode(struct trod_code *out, const struct trod_code_decoder *decoder,
    uint64_t pc, const uint8_t *bytes, size_t nbyte);

#endif
