/* meaning: what code does, as hashes that names, lines and flags of the compiler do not change.
 *
 *     function, or block of it -> hash
 *
 * Two hashes. That of a function is exact: instructions in order, values by number, branches by the
 * number of the block, and whether arithmetic may wrap. That of a block is of the block alone, so that an edit of another leaves it as it
 * is: values of the same block are known by how far back they are, values from elsewhere by the
 * instruction that makes them, its type, and whom it calls or which global or argument it is about;
 * the successors of the block are not part of it. What a block passes to phis of its successors is.
 *
 * Both know functions and globals by linkage name, private ones by content; the function itself by being
 * it; types by structure; places in structures by bytes; attributes that say how an argument is passed.
 * Neither knows names of values, debug information, other metadata, alignment, visibility, other
 * attributes, markers of lifetimes, and what is expected of branches. Arguments that say where a call stands in the source are
 * left out: those of assertions; a string that is the name of the source file, and a
 * number that is the line of the call.
 *
 * Over LLVM's C API alone: the plugin hashes what it compiles, trod-clang what it reads.
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

/* By value, or by name; in a function, which is known by being it, and whose blocks are known by number if `exact`. */
uint64_t trod_meaning_constant(
    const struct trod_meaning *of, LLVMValueRef constant, bool exact);

/* The text that a constant points to, with its length; NULL: it is not text. */
const char *trod_meaning_text(LLVMValueRef constant, size_t *length);

/* How an index moves a pointer: by bytes, which are added, or by as much for each. The type becomes what
 * is after it.
 */
struct trod_meaning_step {
    LLVMTargetDataRef layout;
    LLVMTypeRef type; /* of what the pointer points to; NULL before the first index */
    int64_t bytes;
};

/* gives:  bytes that the index counts, or 0 if it is constant and was added */
uint64_t trod_meaning_move(
    struct trod_meaning_step *step, LLVMValueRef gep, LLVMValueRef index);

/* Is each of its indices a number, its pointer one pointer? */
bool trod_meaning_is_plain(LLVMValueRef gep);

/* --- meaning_call.c: calls ---------------------------------------------------------------------- */

/* Does an instruction call something that has code? name: whom, or NULL if that is unknown. */
bool trod_meaning_is_call(const char **name, LLVMValueRef instruction);

/* Is a value what a function whose name begins so gives? */
bool trod_meaning_calls(LLVMValueRef value, const char *prefix);

/* Does it say something of the code, and do nothing; or is it the profiler's own? */
bool trod_meaning_is_noise(LLVMValueRef instruction);

/* Does an argument say where in the source the call is? */
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
    LLVMValueRef
        *home; /* [nargument] the variable that an argument is kept in, or NULL */
    uint32_t nargument;
};

/* Of an argument, block or instruction; what has none is number 0. */
uint32_t trod_meaning_number(const struct trod_meaning *of, LLVMValueRef value);

/* Number what a function has. It must not change until its hashes are taken. */
void trod_meaning_open(
    struct trod_meaning *out, LLVMValueRef function, struct trod_arena *mem);

uint64_t trod_meaning_of_function(const struct trod_meaning *of);
uint64_t trod_meaning_of_block(const struct trod_meaning *of, LLVMBasicBlockRef block);

#endif
