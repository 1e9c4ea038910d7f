/* counters: clang's own counters, by block.
 *
 *     module of the front end -> marks in it -> map
 *
 * Clang numbers what it counts of a function from its syntax tree. Where clang is asked to count, and the plugin
 * runs before clang lowers its counters to memory, each is in the block that it counts. The map keeps that block, and the
 * value of the counter follows from the counts of paths. The counters themselves are removed from the program.
 */
#ifndef TROD_LLVM_COUNTERS_H
#define TROD_LLVM_COUNTERS_H

#include "llvm/port.h"

/* Of one function. */
struct trod_llvm_counters {
    const char *
        name; /* in profiles of clang: with the file, where others do not see the function */
    uint64_t hash;   /* of what its syntax tree is made of */
    uint32_t count;  /* so many counters, used or not */
    uint32_t *first; /* [nnode + 1] into index */
    uint32_t *
        index; /* of the counters of each block; several times, if it counts more than one */
    uint32_t nindex;
};

/* Make marks of clang's counters: calls that nothing is known of but that they stay as often as they run.
 *
 * needs:  a module as the front end made it
 */
void trod_llvm_adopt_counters(LLVMModuleRef module, void (*exhausted)(void *ctx));

/* What the marks in a body say, without which it is from here on.
 *
 * needs:  its graph
 * fills:  body->counters; NULL: it has none
 */
void trod_llvm_take_counters(struct trod_body *body, struct trod_arena *mem);

/* Lines `counters` of a body. */
void trod_llvm_map_counters(struct trod_sink *sink, const struct trod_body *body);

void trod_llvm_drop_counters(LLVMModuleRef module);

#endif
