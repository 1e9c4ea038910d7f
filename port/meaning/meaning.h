/* meaning: semantic hashes of code, independent of names, lines and flags of the compiler.
 *
 *     function, or block of it -> hash
 *
 * There are two hashes. That of a function is exact: instructions in order, values by number, branches by the
 * number of the block, and whether arithmetic may wrap. That of a block depends on the block alone, so that an edit elsewhere does
 * not change it: values of the same block are identified by distance, values from elsewhere by the
 * instruction that computes them, its type, and its callee, global or argument;
 * the successors of the block are not part of it. What a block passes to phis of its successors is.
 *
 * Both identify functions and globals by linkage name, private ones by content; the function itself by a
 * constant; types by structure; fields by byte offset; and include attributes that say how an argument is passed.
 * Both ignore names of values, debug information, other metadata, alignment, visibility, other
 * attributes, lifetime markers, and branch expectations. Arguments that give the location of a call are
 * omitted: those of assertions; a string that is the name of the source file, and a
 * number that is the line of the call.
 *
 * Uses only LLVM's C API, for the plugin and for trod-clang.
 */
#ifndef TROD_MEANING_MEANING_H
#define TROD_MEANING_MEANING_H

#include "base/base.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* --- meaning_constant.c: types, constants, globals --------------------------------------------- */

/* By structure, without names. */
uint64_t trod_meaning_type(LLVMTypeRef type);

struct trod_meaning;

/* By value, or by name; relative to a function, whose blocks are identified by number if `exact`. */
uint64_t trod_meaning_constant(
    const struct trod_meaning *of, LLVMValueRef constant, bool exact);

/* The text that a constant points to, with its length; NULL: it is not text. */
const char *trod_meaning_text(LLVMValueRef constant, size_t *length);

/* The effect of an index on a pointer: a constant number of bytes, which is added, or a stride. The type becomes that
 * of the element.
 */
struct trod_meaning_step {
    LLVMTargetDataRef layout;
    LLVMTypeRef type; /* of what the pointer points to; NULL before the first index */
    int64_t bytes;
};

/* gives:  the stride of the index in bytes, or 0 if it is constant and was added */
uint64_t trod_meaning_move(
    struct trod_meaning_step *step, LLVMValueRef gep, LLVMValueRef index);

/* Are its indices and pointer scalars, not vectors? */
bool trod_meaning_is_plain(LLVMValueRef gep);

/* --- meaning_call.c: calls ---------------------------------------------------------------------- */

/* Does an instruction call something that has code? name: the callee, or NULL if unknown. */
bool trod_meaning_is_call(const char **name, LLVMValueRef instruction);

/* Is a value the result of a function whose name begins with this? */
bool trod_meaning_calls(LLVMValueRef value, const char *prefix);

/* Is it only an annotation, or an instruction of the profiler? */
bool trod_meaning_is_noise(LLVMValueRef instruction);

/* Does an argument give the source location of the call? */
bool trod_meaning_is_neutral(LLVMValueRef call, unsigned argument);

/* How a function or a call passes its arguments, as attributes say: by value, extended, in a register. */
uint64_t trod_meaning_passing(LLVMValueRef of, unsigned nparam);

/* --- meaning.c ---------------------------------------------------------------------------------- */

struct trod_meaning {
    LLVMValueRef function;
    LLVMTargetDataRef layout;
    struct trod_keys number; /* of arguments, blocks and instructions: each counted
                                from 0, instructions through all of the function */
    struct trod_arena *mem;
    LLVMValueRef *home; /* [nargument] the alloca of an argument, or NULL */
    uint32_t nargument;
};

/* The number of an argument, block or instruction; 0 for others. */
uint32_t trod_meaning_number(const struct trod_meaning *of, LLVMValueRef value);

/* Number what a function has. It must not change until its hashes are taken. */
void trod_meaning_open(
    struct trod_meaning *out, LLVMValueRef function, struct trod_arena *mem);

uint64_t trod_meaning_of_function(const struct trod_meaning *of);
uint64_t trod_meaning_of_block(const struct trod_meaning *of, LLVMBasicBlockRef block);

#endif
