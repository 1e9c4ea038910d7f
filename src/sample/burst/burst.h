/* burst: what was counted in bursts beside paths.
 *
 *     profile + map -> methods, calls, loops -> text, JSON, pictures
 *
 * A program that is sampled in bursts counts events: functions that are entered, iterations of loops
 * that begin again, calls, and how many iterations loops make. In a burst all of them are seen, and between
 * bursts none; each that is seen stands for as many as one in so many stretches was on.
 *
 * Glossary
 *   method    a function, with how often it was entered and how often a further iteration of one of its
 *             loops began, of all: what has most of both runs most
 *   call      a place in the source that calls, and whom: as often as it did
 *   pair      a function and one that it calls, from wherever in it
 *   loop      how often it was entered from outside, and how often a further iteration began: both are
 *             its iterations, and iterations by entries its mean
 *   trips     visits of a loop that were seen from beginning to end, by their number of iterations: by
 *             powers of two
 *   exact     nothing was omitted: counts are not estimates
 *   error     how far an estimate is off, as a share of it, with a probability of 95 percent, about. The
 *             standard error of a count of n bursts is 1 / sqrt(n); what is in one burst is taken to be
 *             one observation, so that with long bursts it is often less.
 *
 * Functions are one if name and file are. Where no map has a function it is ?HASH in file ?.
 *
 * paper:  Mousa and Krintz, "HPS: Hybrid Profiling Support", PACT 2005
 *
 * Memory: in the arena handed in; texts of maps and profiles are referred to.
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

enum { TROD_BURST_TRIPS_MOST = 16 }; /* powers of two; the last has all above it, too */

struct trod_bursts_loop {
    const char *function, *file;
    uint32_t loop;        /* its number in the function */
    uint32_t line, depth; /* 0: unknown */
    uint64_t nenter, nagain;
    uint64_t ntrip[TROD_BURST_TRIPS_MOST]; /* visits of 2^i to 2^(i+1) - 1 iterations;
                                         of the last, or more */
};

struct trod_bursts {
    const char *name; /* of the program */
    uint32_t nhow;
    const struct trod_profile_burst *how; /* as in the profile, in one group */
    size_t nmethod, ncall,
        nloop; /* each by how often, most first, then by what it is */
    const struct trod_bursts_method *method;
    const struct trod_bursts_call *call;
    const struct trod_bursts_loop *loop;
    uint64_t nunknown; /* events that this version does not know */
};

/* --- burst_build.c: from counts to what they are of ------------------------------------- */

/* Who knows what is where in an image, for indirect calls: the name of the function so many bytes
 * after its start; NULL: unknown. A name lives as long as the result.
 */
struct trod_bursts_symbols {
    const char *(*name)(
        void *ctx, const struct trod_profile_module *module, uint64_t offset);
    void *ctx;
};

/* symbols may be NULL. A callee whose name is unknown is "+0x" and its offset, or "elsewhere" if it
 * is in another image.
 *
 * fails:  TROD_E_MISMATCH when the profile is of no program that was sampled in bursts
 * cost:   O(events log events)
 */
bool trod_bursts_build(struct trod_bursts *out, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_bursts_symbols *symbols,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Call pairs, callers and callees together wherever they call: sites are 0, and so are lines. */
void trod_bursts_pairs(struct trod_bursts_call **out, size_t *npair,
    const struct trod_bursts *burst, struct trod_arena *mem);

/* Put methods, calls and loops in order, and those together that are one. */
void trod_bursts_order(struct trod_bursts *burst, struct trod_bursts_method *method,
    size_t nmethod, struct trod_bursts_call *call, size_t ncall,
    struct trod_bursts_loop *loop, size_t nloop);

/* The orders: by what they are. */
int trod_bursts_compare_methods(
    const struct trod_bursts_method *a, const struct trod_bursts_method *b);
int trod_bursts_compare_calls(
    const struct trod_bursts_call *a, const struct trod_bursts_call *b);
int trod_bursts_compare_loops(
    const struct trod_bursts_loop *a, const struct trod_bursts_loop *b);

/* What a method, a call or a loop is ranked by. */
uint64_t trod_bursts_method_count(const struct trod_bursts_method *method);
uint64_t trod_bursts_loop_count(const struct trod_bursts_loop *loop);

/* Was a type sampled, as far as is known? Was nothing left out? How far is a count off; below 0: not
 * known.
 */
bool trod_bursts_has(const struct trod_bursts *burst, enum trod_burst_type type);
bool trod_bursts_is_exact(const struct trod_bursts *burst);
double trod_bursts_error(
    const struct trod_bursts *burst, enum trod_burst_type type, uint64_t count);

/* --- burst_member.c: one of them, whatever it is -------------------------------------------- */

enum trod_bursts_kind {
    TROD_BURST_OF_METHODS,
    TROD_BURST_OF_CALLS, /* sites */
    TROD_BURST_OF_PAIRS,
    TROD_BURST_OF_LOOPS
};

struct trod_bursts_member {
    enum trod_bursts_kind kind;
    const struct trod_bursts_method *method; /* one of these, by kind */
    const struct trod_bursts_call *call;
    const struct trod_bursts_loop *loop;
    const char *function, *file;
    uint64_t count; /* what it is ranked by */
};

/* All of a kind, the hottest first; how many. */
size_t trod_bursts_members(struct trod_bursts_member **out,
    const struct trod_bursts *burst, enum trod_bursts_kind kind,
    struct trod_arena *mem);

/* By what they are. needs: members of one kind */
int trod_bursts_compare_members(
    const struct trod_bursts_member *a, const struct trod_bursts_member *b);

/* functions, calls, pairs, loops; the type that counts them. */
const char *trod_bursts_kind_name(enum trod_bursts_kind kind);
enum trod_burst_type trod_bursts_kind_type(enum trod_bursts_kind kind);

/* Iterations of a visit of a loop, on average; 0: unknown. */
double trod_bursts_mean(const struct trod_bursts_loop *loop);

/* Which it is, in words.
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

/* --- burst_print.c: which are hot ----------------------------------------------------------- */

enum trod_bursts_sort { /* the highest first; names ascending */
    TROD_BURST_BY_COUNT,
    TROD_BURST_BY_MEAN, /* of loops: iterations of a visit */
    TROD_BURST_BY_FUNCTION,
    TROD_BURST_BY_FILE
};

struct trod_bursts_options {
    size_t most; /* rows; 0 = TROD_REPORT_MOST */
    enum trod_bursts_sort sort;
    bool (*wants)(const char *function, void *ctx); /* NULL: all; of a call, either */
    void *ctx;
};

/* Shares are of all that ran, whatever is listed. */
void trod_bursts_report(struct trod_sink *sink, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, const struct trod_bursts_options *options,
    struct trod_arena *mem);
/* Members of the open object. */
void trod_bursts_json(struct trod_json *json, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, const struct trod_bursts_options *options,
    struct trod_arena *mem);

/* --- burst_draw.c: who calls whom ------------------------------------------------------------- */

/* The rows that would be listed, as a graph in DOT: functions, and calls as thick as they are hot. */
void trod_bursts_draw(struct trod_sink *sink, const struct trod_bursts *burst,
    const struct trod_bursts_options *options, struct trod_arena *mem);

/* --- burst_overlap.c: how much two have in common ----------------------------------------------- */

struct trod_bursts_overlap {
    struct trod_overlap overlap;
    enum trod_bursts_kind kind;
    const struct trod_bursts_member *member; /* as the overlap has them */
};

/* Members are methods by name, by how many of their events; calls by names and place; pairs by names;
 * loops by function and number, by their iterations.
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
 *     burst count jitter 3                 # how, as profiles have it
 *     type methods 1 999 999 1000 1000 12 12
 *     unknown 3                            # events, if there are any
 *     method main app.c 1 1000             # function, file, entered, further iterations
 *     call main app.c 0 12 5 parse 1000    # function, file, number, line, column, callee
 *     call main app.c 1 14 3 *print 20     # an indirect one
 *     loop main app.c 0 12 1 1 1000        # function, file, number, line, depth, entered,
 *                                          # further iterations
 *     trips 9:1                            # of it: 1 visit had 2^9 to 2^10 - 1 iterations
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

/* Check that bursts have no fault and one group; methods, calls and loops are in order and each
 * there once; names are not empty; no method, call or loop has counts of nothing but 0.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_bursts_check(const struct trod_bursts *burst, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
