/* clang: one translation unit, as the compiler understands it.
 *
 *     directory, command, root -> text of constructs, or of what code means
 *
 * A program of its own, trod-clang, so that trod itself needs no LLVM: it reads one unit, prints what it found in the
 * text form of a stage, and ends. One process reads one unit.
 *
 *     trod-clang MODE --root DIR --directory DIR --command 'LINE'
 *     trod-clang MODE --root DIR --directory DIR -- COMPILER ARGUMENT...
 *
 * --file FILE says which source is meant, where the command names several.
 *
 * Status 0: it was read; if the compiler found errors, a note has the first. 2: called wrongly. 3: nothing could be read.
 * 5: the system said no. Where it is not 0, standard error says why, in one line.
 *
 * Glossary
 *   unit     what is compiled: one source file, and how
 *   root     the folder of the sources: names of files are relative to it, and what is outside it is not the program's
 *   line     a command as the map of a binary has it: words as the text forms write names
 *
 * Memory: one arena for the process. Exhaustion ends it.
 */
#ifndef TROD_CLANG_PORT_H
#define TROD_CLANG_PORT_H

#include "base/base.h"

struct trod_clang_unit {
    const char *root; /* absolute, without a slash at its end */
    const char
        *directory;   /* absolute: where the compiler was started, and we are now */
    const char **arg; /* the compiler's, NULL-terminated; arg[0] is the compiler */
    uint32_t narg, room;
    const char *source; /* of the arguments: the file that is compiled */
    bool cxx;           /* its language is C++ */
    bool depends;       /* who depends on whom is wanted, too */
};

/* --- clang_main.c: which mode ---------------------------------------------------------------- */

struct trod_clang_mode {
    const char *name;
    /* Print what there is in the unit; the working directory is the unit's.
     *
     * fails:  TROD_E_INPUT when the compiler cannot read it, TROD_E_SYSTEM
     */
    bool (*run)(struct trod_sink *out, const struct trod_clang_unit *unit,
        struct trod_arena *mem, struct trod_err *err);
};

/* --- clang_unit.c: what is compiled, and how ------------------------------------------------- */

/* fails:  TROD_E_INPUT */
bool trod_clang_unit_read(struct trod_clang_unit *out, int argc, char **argv,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Options that were not passed on, with their arguments, each once. */
struct trod_clang_refused {
    const char **option;
    uint32_t count, room;
};

/* The arguments that say what the source means: without the compiler, the source, what is written and where, plugins,
 * and what libraries are linked; of the rest, those that are known to do no harm.
 */
const char **trod_clang_unit_meaning(const struct trod_clang_unit *unit, uint32_t *narg,
    struct trod_clang_refused *refused, struct trod_arena *mem);

/* A file relative to the root; NULL if it is not in it. file may be relative to the unit's directory. */
const char *trod_clang_unit_file(
    const struct trod_clang_unit *unit, const char *file, struct trod_arena *mem);

/* --- clang_option.c: which options are harmless ------------------------------------------------ */

/* Of how many words an option at the head of a NULL-terminated list is, if clang may have it: it makes it load no code,
 * run no program, write no file, and read none but headers. 0: it may not.
 */
uint32_t trod_clang_option_allowed(
    const char *const *arg, const struct trod_clang_unit *unit);

/* --- modes ------------------------------------------------------------------------------------ */

bool trod_clang_constructs(struct trod_sink *out, const struct trod_clang_unit *unit,
    struct trod_arena *mem, struct trod_err *err);

#endif
