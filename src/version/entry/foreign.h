/* foreign: profiles of other profilers, as entries.
 *
 *     gmon.out of gprof -> callgraph, calls
 *     JSON of llvm-cov export -> blocks, edges, calls
 *
 * Once they are entries, they are migrated like any others.
 *
 * Of llvm-cov, blocks are regions of code: part is the number of the region in the function; edges are branches: part is twice
 * the number of the branch where it was true, and one more where it was false; functions that are compiled several times
 * are added up. Names of functions that are seen in one file only have the file before them there, "a.c:f": here they
 * have not.
 *
 * Of gmon.out, numbers are of 64 bits, lowest byte first. Times are of no use here: they are passed over.
 *
 * Memory: in the arena handed in; nothing refers to the bytes.
 */
#ifndef TROD_FOREIGN_H
#define TROD_FOREIGN_H

#include "entry/entry.h"

enum trod_foreign { TROD_FOREIGN_NONE, TROD_FOREIGN_GMON, TROD_FOREIGN_COV };

/* By its first bytes. */
enum trod_foreign trod_foreign_kind(const char *bytes, size_t length);

/* Which function is at an address of a program that ran; NULL: unknown. low: the first address of the profile,
 * which gives the load address of a position-independent program. A name lives as long as the result.
 */
struct trod_foreign_symbols {
    const char *(*name)(void *ctx, uint64_t low, uint64_t address);
    void *ctx;
};

/* file: for messages. symbols: of gmon.out. Calls whose caller or callee is unknown are omitted; *nlost, if it is not
 * NULL, is how many.
 *
 * fails:  TROD_E_INPUT when it is damaged; TROD_E_MISMATCH when it has no such entries
 */
bool trod_foreign_entries(struct trod_entries *out, const char *type, const char *file,
    const char *bytes, size_t length, const struct trod_foreign_symbols *symbols,
    uint64_t *nlost, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- foreign_gmon.c, foreign_cov.c: each of them, unordered --------------------------------------------- */

bool trod_foreign_gmon(struct trod_entries *out, const char *type, const char *file,
    const char *bytes, size_t length, const struct trod_foreign_symbols *symbols,
    uint64_t *nlost, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_foreign_cov(struct trod_entries *out, const char *type, const char *file,
    const char *bytes, size_t length, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
