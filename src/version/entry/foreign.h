/* foreign: profiles of other profilers, as entries.
 *
 *     gmon.out of gprof -> callgraph, calls
 *     JSON of llvm-cov export -> blocks, edges, calls
 *
 * Once they are entries, they are migrated like any others.
 *
 * For llvm-cov, blocks are regions of code: part is the number of the region in the function. Edges are branches: part is twice
 * the number of the branch for the outcome true, plus one for false. Functions that are compiled several times
 * are added. Names of file-local functions are preceded by the file in llvm-cov's output, "a.c:f"; here they
 * are not.
 *
 * In gmon.out, numbers have 64 bits, little-endian. Times are ignored.
 *
 * Memory: in the arena handed in; nothing refers to the bytes.
 */
#ifndef TROD_FOREIGN_H
#define TROD_FOREIGN_H

#include "entry/entry.h"

enum trod_foreign { TROD_FOREIGN_NONE, TROD_FOREIGN_GMON, TROD_FOREIGN_COV };

/* Recognise a file by its first bytes. */
enum trod_foreign trod_foreign_kind(const char *bytes, size_t length);

/* The function at an address of the program; NULL: unknown. low: the first address of the profile,
 * which gives the load address of a position-independent program. A name lives as long as the result.
 */
struct trod_foreign_symbols {
    const char *(*name)(void *ctx, uint64_t low, uint64_t address);
    void *ctx;
};

/* file: for messages. symbols: for gmon.out. Calls whose caller or callee is unknown are omitted; *nlost, if it is not
 * NULL, is their number.
 *
 * fails:  TROD_E_INPUT when it is damaged; TROD_E_MISMATCH when it has no such entries
 */
bool trod_foreign_entries(struct trod_entries *out, const char *type, const char *file,
    const char *bytes, size_t length, const struct trod_foreign_symbols *symbols,
    uint64_t *nlost, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- foreign_gmon.c, foreign_cov.c: readers, with unsorted results --------------------------------------------- */

bool trod_foreign_gmon(struct trod_entries *out, const char *type, const char *file,
    const char *bytes, size_t length, const struct trod_foreign_symbols *symbols,
    uint64_t *nlost, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_foreign_cov(struct trod_entries *out, const char *type, const char *file,
    const char *bytes, size_t length, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
