/* code: the meanings of the functions of a unit, and the dependences in them.
 *
 *     unit -> bitcode before any optimisation -> meaning and shape of each function
 *                                             -> nodes, memory, dependences
 *
 * The text that `trod-clang code` prints:
 *
 *     code FILE                                             # the unit's source, relative to the root
 *     function NAME FILE LINE meaning HASH shape HASH       # linkage name, and where it is defined
 *     function NAME FILE LINE meaning HASH shape HASH static
 *
 * With --depends, a section `depends` follows: see code_depend.c.
 *
 * Glossary
 *   meaning  hash of a function's code: see port/meaning
 *   shape    the hash that clang keeps in its profiles; 0: none
 *   place    file and line, from debug information
 *   class    memory locations that the points-to analysis does not distinguish
 *
 * Memory: in the arena of the caller.
 */
#ifndef TROD_CLANG_CODE_H
#define TROD_CLANG_CODE_H

#include "clang/clang_port.h"

#include <llvm-c/Core.h>

/* --- code_mode.c: the mode ----------------------------------------------------------------------- */

bool trod_clang_code(struct trod_sink *out, const struct trod_clang_unit *unit,
    struct trod_arena *mem, struct trod_err *err);
/* The same, with dependences. */
bool trod_clang_depends(struct trod_sink *out, const struct trod_clang_unit *unit,
    struct trod_arena *mem, struct trod_err *err);

/* --- code_compile.c: running the compiler --------------------------------------------------------- */

/* Compile the unit to a module without optimisation, with clang's counters. With `data`, debug
 * information includes the locations of data. The caller disposes of context and module.
 *
 * fails:  TROD_E_INPUT if it does not compile, TROD_E_SYSTEM
 */
bool trod_code_compile(LLVMModuleRef *out, LLVMContextRef context,
    const struct trod_clang_unit *unit, bool data, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- code_number.c: maps from addresses to numbers ----------------------------------------------- */

struct trod_code_numbers {
    struct trod_arena *mem;
    struct trod_keys keys;
};

void trod_code_numbers_init(struct trod_code_numbers *out, struct trod_arena *mem);
/* A pointer to the value of a key; NULL: there is none. */
uint64_t *trod_code_numbers_find(
    const struct trod_code_numbers *numbers, const void *key);
/* The same; adds the key with the value 0 if it is missing, and sets *is_new. */
uint64_t *trod_code_numbers_add(
    struct trod_code_numbers *numbers, const void *key, bool *is_new);

/* --- code_place.c: files and lines ----------------------------------------------------------------- */

struct trod_code_places {
    const struct trod_clang_unit *unit;
    struct trod_arena *mem;
    struct trod_code_numbers known; /* from the address of a scope to its file */
    struct trod_names files;        /* number 0 is the unit's source */
};

void trod_code_places_init(struct trod_code_places *out,
    const struct trod_clang_unit *unit, struct trod_arena *mem);
/* The number of the file of a debug scope; NULL: the unit's. */
uint32_t trod_code_file_of(struct trod_code_places *places, LLVMMetadataRef scope);
/* The location of a function's definition; line 0: unknown. */
uint32_t trod_code_function_place(
    uint32_t *line, struct trod_code_places *places, LLVMValueRef function);
/* A linkage name, without the prefix of names that are set by asm labels. */
const char *trod_code_name(LLVMValueRef global);

/* --- code_body.c ------------------------------------------------------------------------------------ */

/* Does it serve only debuggers and profilers? */
bool trod_code_is_nothing(LLVMValueRef instruction);

#endif
