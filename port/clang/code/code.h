/* code: what the functions of a unit mean, and what depends on what in them.
 *
 *     unit -> bitcode before any optimisation -> meaning and shape of each function
 *                                             -> nodes, memory, who may change whom
 *
 * The text, of `trod-clang code`:
 *
 *     code FILE                                             # the unit's source, relative to the root
 *     function NAME FILE LINE meaning HASH shape HASH       # linkage name, and where it is defined
 *     function NAME FILE LINE meaning HASH shape HASH static
 *
 * With --depends a section `depends` follows: see code_depend.c.
 *
 * Glossary
 *   meaning  hash of a function's code: see port/meaning
 *   shape    the hash that clang keeps in its profiles; 0: none
 *   place    file and line, as debug information has them
 *   class    places in memory that cannot be distinguished
 *
 * Memory: in the arena handed in.
 */
#ifndef TROD_CLANG_CODE_H
#define TROD_CLANG_CODE_H

#include "clang/clang_port.h"

#include <llvm-c/Core.h>

/* --- code_mode.c: the mode ----------------------------------------------------------------------- */

bool trod_clang_code(struct trod_sink *out, const struct trod_clang_unit *unit,
    struct trod_arena *mem, struct trod_err *err);
/* The same, and who depends on whom. */
bool trod_clang_depends(struct trod_sink *out, const struct trod_clang_unit *unit,
    struct trod_arena *mem, struct trod_err *err);

/* --- code_compile.c: the compiler, run ------------------------------------------------------------ */

/* The unit as a module: what clang makes of it without optimising, with counters of its own. With `data`, debug
 * information has the places of data, too. The caller disposes of context and module.
 *
 * fails:  TROD_E_INPUT when it does not compile, TROD_E_SYSTEM
 */
bool trod_code_compile(LLVMModuleRef *out, LLVMContextRef context,
    const struct trod_clang_unit *unit, bool data, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- code_number.c: numbers of things that have an address --------------------------------------- */

struct trod_code_numbers {
    struct trod_arena *mem;
    struct trod_keys keys;
};

void trod_code_numbers_init(struct trod_code_numbers *out, struct trod_arena *mem);
/* Where the value of a key is; NULL: it has none. */
uint64_t *trod_code_numbers_find(
    const struct trod_code_numbers *numbers, const void *key);
/* The same, made if it is not there: *is_new says so, and the value is 0. */
uint64_t *trod_code_numbers_add(
    struct trod_code_numbers *numbers, const void *key, bool *is_new);

/* --- code_place.c: files and lines ----------------------------------------------------------------- */

struct trod_code_places {
    const struct trod_clang_unit *unit;
    struct trod_arena *mem;
    struct trod_code_numbers known; /* from scope to file, by address */
    struct trod_names files;        /* number 0 is the unit's source */
};

void trod_code_places_init(struct trod_code_places *out,
    const struct trod_clang_unit *unit, struct trod_arena *mem);
/* Number of the file of a scope of debug information; NULL: the unit's. */
uint32_t trod_code_file_of(struct trod_code_places *places, LLVMMetadataRef scope);
/* Where a function begins; line 0: unknown. */
uint32_t trod_code_function_place(
    uint32_t *line, struct trod_code_places *places, LLVMValueRef function);
/* A linkage name, without what marks it as written by hand. */
const char *trod_code_name(LLVMValueRef global);

/* --- code_body.c ------------------------------------------------------------------------------------ */

/* Is it there for debuggers and profilers only? */
bool trod_code_is_nothing(LLVMValueRef instruction);

#endif
