/* clang: one translation unit, as the compiler understands it.
 *
 *     directory, command, root -> text of constructs, or of meanings of functions
 *
 * A separate program, trod-clang, so that trod itself does not need LLVM. It reads one unit, prints
 * the result in the text form of a stage, and ends.
 *
 *     trod-clang MODE --root DIR --directory DIR --command 'LINE'
 *     trod-clang MODE --root DIR --directory DIR -- COMPILER ARGUMENT...
 *
 * --file FILE selects the source if the command names several.
 *
 * Exit status 0: the unit was read; if the compiler found errors, a note has the first. 2: usage
 * error. 3: the unit cannot be read. 5: system error. Unless it is 0, standard error has the reason
 * in one line.
 *
 * Glossary
 *   unit     a translation unit: one source file, and how it is compiled
 *   root     the directory of the sources: file names are relative to it, and files
 *            outside of it do not belong to the program
 *   line     a command as in the map of a binary: words as the text forms write names
 *
 * Memory: one arena for the process. Exhaustion ends it.
 */
#ifndef TROD_CLANG_PORT_H
#define TROD_CLANG_PORT_H

#include "base/base.h"

struct trod_clang_unit {
    const char *root; /* absolute, without a slash at its end */
    const char *
        directory; /* absolute: the working directory of the compiler, and of this process */
    const char **arg; /* the compiler's, NULL-terminated; arg[0] is the compiler */
    uint32_t narg, room;
    const char *source; /* the argument that is the compiled file */
    bool cxx;           /* its language is C++ */
    bool depends;       /* dependences are printed, too */
};

/* --- clang_main.c: modes --------------------------------------------------------------------- */

struct trod_clang_mode {
    const char *name;
    /* Print the result for the unit, whose directory is the working directory.
     *
     * fails:  TROD_E_INPUT if the compiler cannot read it, TROD_E_SYSTEM
     */
    bool (*run)(struct trod_sink *out, const struct trod_clang_unit *unit,
        struct trod_arena *mem, struct trod_err *err);
};

/* --- clang_unit.c: the unit and its options -------------------------------------------------- */

/* fails:  TROD_E_INPUT */
bool trod_clang_unit_read(struct trod_clang_unit *out, int argc, char **argv,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Options that were not passed to the compiler, with their arguments, without duplicates. */
struct trod_clang_refused {
    const char **option;
    uint32_t count, room;
};

/* The arguments that affect the meaning of the source: without the compiler, the source, outputs,
 * plugins, and what is linked; of the others, those that are known to be harmless.
 */
const char **trod_clang_unit_meaning(const struct trod_clang_unit *unit, uint32_t *narg,
    struct trod_clang_refused *refused, struct trod_arena *mem);

/* A file relative to the root; NULL if it is not in it. file may be relative to the unit's directory. */
const char *trod_clang_unit_file(
    const struct trod_clang_unit *unit, const char *file, struct trod_arena *mem);

/* --- clang_option.c: which options are harmless ------------------------------------------------ */

/* The number of words of the option at the start of a NULL-terminated list, if it may be passed to
 * clang: it does not make clang load code, run programs, write files, or read files other than
 * headers. 0: it may not.
 */
uint32_t trod_clang_option_allowed(
    const char *const *arg, const struct trod_clang_unit *unit);

/* --- modes ------------------------------------------------------------------------------------ */

bool trod_clang_constructs(struct trod_sink *out, const struct trod_clang_unit *unit,
    struct trod_arena *mem, struct trod_err *err);

#endif
