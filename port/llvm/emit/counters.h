/* counters: clang's own counters, by block.
 *
 *     module of the front end -> marks in it -> map
 *
 * Clang numbers the counters of a function by its syntax tree. If clang instruments, and the plugin runs before clang
 * lowers its counters to memory, each counter is in the block that it counts. The map records that block, and the
 * value of the counter follows from the counts of paths. The counters themselves are removed from the program.
 */
#ifndef TROD_LLVM_COUNTERS_H
#define TROD_LLVM_COUNTERS_H

#include "llvm/port.h"

/* The counters of one function. */
struct trod_llvm_counters {
    const char
        *name;       /* in clang's profiles: with the file, if the function is static */
    uint64_t hash;   /* of its syntax tree */
    uint32_t count;  /* number of counters, used or not */
    uint32_t *first; /* [nnode + 1] into index */
    uint32_t *
        index; /* counters of each block; one that is incremented twice is listed twice */
    uint32_t nindex;
};

/* Replace clang's counters by marks: opaque calls that the optimizer must not drop or duplicate.
 *
 * needs:  a module as the front end made it
 */
void trod_llvm_adopt_counters(LLVMModuleRef module, void (*exhausted)(void *ctx));

/* Read the marks of a body, and remove them.
 *
 * needs:  its graph
 * fills:  body->counters; NULL: it has none
 */
void trod_llvm_take_counters(struct trod_body *body, struct trod_arena *mem);

/* Writes the lines `counters` of a body. */
void trod_llvm_map_counters(struct trod_sink *sink, const struct trod_body *body);

void trod_llvm_drop_counters(LLVMModuleRef module);

#endif
