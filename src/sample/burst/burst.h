/* burst: functions, calls and loops counted in bursts.
 *
 *     profile + map -> methods, calls, loops -> text, JSON, pictures
 *
 * A program that is sampled in bursts counts events: function entries, iterations of loops,
 * calls, and trip counts of loops. In a burst all of them are seen, and between
 * bursts none; each event that is seen stands for as many as the inverse of the sampling rate.
 *
 * Glossary
 *   method    a function, with its entries and the further iterations of its
 *             loops; ranked by the sum of both
 *   call      a call site and a callee, with a count
 *   pair      a caller and a callee, for all call sites
 *   loop      its entries from outside, and its further iterations: the sum is the number of
 *             iterations, and iterations / entries the mean
 *   trips     executions of a loop that were seen completely, by number of iterations, in
 *             powers of two
 *   exact     everything was counted: counts are not estimates
 *   error     relative error of an estimate, with a probability of about 95 percent. The
 *             standard error of a count of n bursts is 1 / sqrt(n); all counts of one burst are treated as
 *             one observation, so with long bursts the error is often smaller.
 *
 * Functions are identified by name and file. A function without a map entry is ?HASH in file ?.
 *
 * paper:  Mousa and Krintz, "HPS: Hybrid Profiling Support", PACT 2005
 *
 * Memory: in the arena handed in; results refer to texts of maps and profiles.
 */
#ifndef TROD_BURST_STAGE_H
#define TROD_BURST_STAGE_H

#include "profile/overlap.h"
#include "profile/profile.h"
#include "report/report.h"

struct trod_bursts_method {
    const char *function, *file;
    uint64_t nentry, nagain;
};

struct trod_bursts_call {
    const char *function, *file, *callee;
    uint64_t count;
    uint32_t site;         /* its number in the function */
    uint32_t line, column; /* 0: unknown */
    bool indirect;
};

enum {
    TROD_BURST_TRIPS_MOST = 16
}; /* powers of two; the last includes all higher ones */

struct trod_bursts_loop {
    const char *function, *file;
    uint32_t loop;        /* its number in the function */
    uint32_t line, depth; /* 0: unknown */
    uint64_t nenter, nagain;
    uint64_t
        ntrip[TROD_BURST_TRIPS_MOST]; /* executions with 2^i to 2^(i+1) - 1 iterations;
                                         the last: or more */
};

struct trod_bursts {
    const char *name; /* of the program */
    uint32_t nhow;
    const struct trod_profile_burst
        *how; /* sampling parameters, as in the profile, in one group */
    size_t nmethod, ncall, nloop; /* each sorted by count, then by identity */
    const struct trod_bursts_method *method;
    const struct trod_bursts_call *call;
    const struct trod_bursts_loop *loop;
    uint64_t nunknown; /* events of unknown kinds */
};

/* --- burst_build.c: from a profile ------------------------------------- */

/* The name of the function at an offset in an image, for indirect
 * calls; NULL: unknown. Names live as long as the result.
 */
struct trod_bursts_symbols {
    const char *(*name)(
        void *ctx, const struct trod_profile_module *module, uint64_t offset);
    void *ctx;
};

/* symbols may be NULL. A callee without a name is "+0x" and its offset, or "elsewhere" if it
 * is in another image.
 *
 * fails:  TROD_E_MISMATCH if the profile was not sampled in bursts
 * cost:   O(events log events)
 */
bool trod_bursts_build(struct trod_bursts *out, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_bursts_symbols *symbols,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Call pairs: calls combined by caller and callee; sites and lines are 0. */
void trod_bursts_pairs(struct trod_bursts_call **out, size_t *npair,
    const struct trod_bursts *burst, struct trod_arena *mem);

/* Sort methods, calls and loops, and merge equal ones. */
void trod_bursts_order(struct trod_bursts *burst, struct trod_bursts_method *method,
    size_t nmethod, struct trod_bursts_call *call, size_t ncall,
    struct trod_bursts_loop *loop, size_t nloop);

/* Order by identity. */
int trod_bursts_compare_methods(
    const struct trod_bursts_method *a, const struct trod_bursts_method *b);
int trod_bursts_compare_calls(
    const struct trod_bursts_call *a, const struct trod_bursts_call *b);
int trod_bursts_compare_loops(
    const struct trod_bursts_loop *a, const struct trod_bursts_loop *b);

/* The count by which a method, a call or a loop is ranked. */
uint64_t trod_bursts_method_count(const struct trod_bursts_method *method);
uint64_t trod_bursts_loop_count(const struct trod_bursts_loop *loop);

/* Was a type sampled? Are counts exact? The relative error of a count; negative:
 * unknown.
 */
bool trod_bursts_has(const struct trod_bursts *burst, enum trod_burst_type type);
bool trod_bursts_is_exact(const struct trod_bursts *burst);
double trod_bursts_error(
    const struct trod_bursts *burst, enum trod_burst_type type, uint64_t count);

/* --- burst_member.c: methods, calls, pairs and loops alike -------------------------------------------- */

enum trod_bursts_kind {
    TROD_BURST_OF_METHODS,
    TROD_BURST_OF_CALLS, /* sites */
    TROD_BURST_OF_PAIRS,
    TROD_BURST_OF_LOOPS
};

struct trod_bursts_member {
    enum trod_bursts_kind kind;
    const struct trod_bursts_method *method; /* exactly one of these, by kind */
    const struct trod_bursts_call *call;
    const struct trod_bursts_loop *loop;
    const char *function, *file;
    uint64_t count; /* its rank key */
};

/* All of a kind, the hottest first; returns their number. */
size_t trod_bursts_members(struct trod_bursts_member **out,
    const struct trod_bursts *burst, enum trod_bursts_kind kind,
    struct trod_arena *mem);

/* Order by identity. needs: members of one kind */
int trod_bursts_compare_members(
    const struct trod_bursts_member *a, const struct trod_bursts_member *b);

/* functions, calls, pairs, loops; and the burst type that counts them. */
const char *trod_bursts_kind_name(enum trod_bursts_kind kind);
enum trod_burst_type trod_bursts_kind_type(enum trod_bursts_kind kind);

/* Mean number of iterations of a loop; 0: unknown. */
double trod_bursts_mean(const struct trod_bursts_loop *loop);

/* Its description as text.
 *
 *     main  app.c
 *     main  app.c:12:5 -> parse
 *     main  app.c -> parse
 *     main loop 0  app.c:12
 */
void trod_bursts_member_put(
    struct trod_sink *sink, const struct trod_bursts_member *member);
/* Members of the open object. */
void trod_bursts_member_json(
    struct trod_json *json, const struct trod_bursts_member *member);

/* --- burst_print.c: reports ----------------------------------------------------------- */

enum trod_bursts_sort { /* the highest first; names ascending */
    TROD_BURST_BY_COUNT,
    TROD_BURST_BY_MEAN, /* for loops: mean number of iterations */
    TROD_BURST_BY_FUNCTION,
    TROD_BURST_BY_FILE
};

struct trod_bursts_options {
    size_t most; /* rows; 0 = TROD_REPORT_MOST */
    enum trod_bursts_sort sort;
    bool (*wants)(
        const char *function, void *ctx); /* NULL: all; for a call, caller or callee */
    void *ctx;
};

/* Shares are relative to everything that ran, listed or not. */
void trod_bursts_report(struct trod_sink *sink, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, const struct trod_bursts_options *options,
    struct trod_arena *mem);
/* Members of the open object. */
void trod_bursts_json(struct trod_json *json, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, const struct trod_bursts_options *options,
    struct trod_arena *mem);

/* --- burst_draw.c: call graph ------------------------------------------------------------- */

/* The rows that would be listed, as a graph in DOT: functions, and calls with a width by their heat. */
void trod_bursts_draw(struct trod_sink *sink, const struct trod_bursts *burst,
    const struct trod_bursts_options *options, struct trod_arena *mem);

/* --- burst_overlap.c: overlap of two profiles ----------------------------------------------- */

struct trod_bursts_overlap {
    struct trod_overlap overlap;
    enum trod_bursts_kind kind;
    const struct trod_bursts_member *member; /* in the order of the overlap */
};

/* Members are methods by name, with their events; calls by names and call site; pairs by names;
 * loops by function and number, with their iterations.
 *
 * fails:  TROD_E_MISMATCH when one has no members, or none is in both
 */
bool trod_bursts_overlap_build(struct trod_bursts_overlap *out,
    const struct trod_bursts *a, const struct trod_bursts *b,
    enum trod_bursts_kind kind, uint32_t top_of, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
void trod_bursts_overlap_print(
    struct trod_sink *sink, const struct trod_bursts_overlap *overlap, size_t most);
void trod_bursts_overlap_json(struct trod_json *json, const char *key,
    const struct trod_bursts_overlap *overlap, size_t most);

/* --- burst_text.c: the text form -----------------------------------------------------------------
 *
 *     bursts NAME
 *     burst count jitter 3                 # sampling parameters, as in profiles
 *     type methods 1 999 999 1000 1000 12 12
 *     unknown 3                            # events, if there are any
 *     method main app.c 1 1000             # function, file, entered, further iterations
 *     call main app.c 0 12 5 parse 1000    # function, file, number, line, column, callee
 *     call main app.c 1 14 3 *print 20     # an indirect one
 *     loop main app.c 0 12 1 1 1000        # function, file, number, line, depth, entered,
 *                                          # further iterations
 *     trips 9:1                            # of the loop: 1 execution had 2^9 to 2^10 - 1 iterations
 */

void trod_bursts_print(struct trod_sink *sink, const struct trod_bursts *burst);

/* Read a section after its head and name, `bursts NAME`, up to a line that belongs to another.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_bursts_parse(struct trod_bursts *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- burst_check.c: the validator ------------------------------------------------------------------ */

/* Check that bursts have no fault and one group; methods, calls and loops are sorted and
 * unique; names are not empty; no method, call or loop has only counts of 0.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_bursts_check(const struct trod_bursts *burst, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
