/* embed: parts of the map of a function that embed.c and embed_blocks.c share. */
#ifndef TROD_LLVM_EMBED_H
#define TROD_LLVM_EMBED_H

#include "llvm/source/condition.h"

/* --- embed.c: debug locations ------------------------------------------------------------- */

unsigned trod_embed_line_of(LLVMValueRef i, LLVMMetadataRef file, bool inlined);
unsigned trod_embed_condition_line(
    const struct trod_conditions *of, LLVMValueRef i, LLVMMetadataRef file);

/* --- embed_blocks.c: sets of blocks, lines without code, loops ----------------------- */

void trod_embed_put_sets(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem);
void trod_embed_put_gone(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem);
void trod_embed_put_loops(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem);

#endif
