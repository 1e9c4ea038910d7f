/* score: how good a migrated profile is.
 *
 *     merged entries + full profile of the new version -> accuracy, precision, recall, time saved
 *
 * It shares no code with src/version/migrate: entries of the full profile are found here again, by walking every path that ran
 * block by block, and the text of merged entries is read by a reader of its own. What both get wrong in the same way
 * would not be seen otherwise.
 *
 * Glossary
 *   entry      one unit of a profile: a function and a part of it, with a count. It is one of the profile if it ran; with
 *              `all`, also if it did not.
 *   correct    an entry of the full profile that the merged one has, with the same count
 *   near       the same within one percent
 *   Acc        correct entries by those of the full profile
 *   reused     an entry that was not profiled again: reused or validated; what was inferred is distinguished
 *   reusable   an entry whose old count, mapped, is that of the full profile
 *   precision  reused entries with the count of the full profile, by reused ones; 1 where nothing was
 *   recall     the same by reusable ones; 1 where nothing was
 *   F          2 P R / (P + R)
 *   missing    an entry of the full profile that the merged one has not
 *   extra      one that ran by the merged profile only; Acc does not know of these, precision does
 *   hot        the overlap of both: of each entry its share of all counts, the lesser of the two, added up
 *   TS_total   (time of full profiling - time of migration and of profiling the rest) / time of full profiling, over all
 *              inputs
 *   TS_overhead  the same of the time beyond that of the plain program. An input that is skipped takes none.
 *
 * What counts mean, here and in whatever is scored:
 *   blocks     part: the number of the block; how often it is on paths that ran
 *   edges      part: the number of the edge of the graph; how often it was taken, whether or not paths are cut there
 *   loops      part: the number of the loop in trod_graph_loops() of the graph; how often its header ran. All iterations of
 *              all visits are added up; the test that ends a loop whose header has it is one, too.
 *   calls      how often the function was entered: paths that begin at its entry and came to an end. One that was left in
 *              its first path is not seen.
 *   callgraph  other: the callee; how often it was called, of bursts that count all calls. Of paths: direct calls alone, as
 *              often as their blocks ran; how many blocks call through pointers is said.
 *   paths      id: of the path; of rows of paths, the last
 *   sequences  Positions in long sequences are too dear to align. Entries are transitions: function is a caller, and other
 *              is "A>B" where it called A and then B; ">A" where A was the first, "A>" the last, ">" if it called
 *              nothing. A thread is a caller called @. Calls of what is unknown are omitted. Beside these, spans
 *              are compared: a function with all that it called until it returned, as a whole; other is "=" and its hash.
 *
 * Functions are one if their names are and their files: one file may be the other with more folders before it. Where a
 * name is there once on each side, files do not matter.
 *
 * paper:  ProfMig, section 5
 *
 * Memory: in the arena handed in; texts of maps and profiles are referred to.
 */
#ifndef TROD_SCORE_H
#define TROD_SCORE_H

#include "profile/overlap.h"
#include "burst/burst.h"
#include "report/report.h"
#include "wpp/wpp.h"

enum trod_scored_how {
    TROD_SCORED_UNSAID,
    TROD_SCORED_REUSED,
    TROD_SCORED_VALIDATED,
    TROD_SCORED_INFERRED,
    TROD_SCORED_PROFILED
};

struct trod_scored {
    const char *function, *file; /* file: NULL: unknown */
    uint32_t part;               /* TROD_NONE: all of it */
    const char *other;           /* NULL */
    uint64_t id, count;
    enum trod_scored_how how;
    bool has_was;
    uint64_t was;
};

struct trod_scored_entries {
    const char *type, *input; /* input: NULL: not said */
    size_t nentry, room;
    struct trod_scored *entry; /* by trod_scored_compare, none twice */
    uint64_t
        nindirect; /* of the call graph of paths: blocks with calls through pointers that ran */
};

/* By function, file, part, other, id. */
int trod_scored_compare(const struct trod_scored *a, const struct trod_scored *b);

/* In order; those that are one are added up. */
void trod_scored_order(struct trod_scored_entries *entries);

/* --- score_read.c: merged entries, from their text form --------------------------------------- */

/* A whole text `entries TYPE`, as src/version/migrate/migrate.h has it.
 *
 * fails:  TROD_E_INPUT; also for an entry that is there twice
 */
bool trod_score_parse(struct trod_scored_entries *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Does a text begin like that? Like that of a call sequence? */
bool trod_score_is_entries(const char *bytes, size_t length);
bool trod_score_is_sequence(const char *bytes, size_t length);

/* --- score_walk.c: entries of a full profile of paths ------------------------------------------ */

/* Is it a type that paths have? */
bool trod_score_has_walk(const char *type);

/* type: one of blocks, edges, loops, calls, callgraph, paths. all: what did not run is there, too, with count 0.
 *
 * fails:  TROD_E_MISMATCH when the profile does not count paths, or nothing ran, or maps do not know what is called
 * cost:   O(paths x length of a path)
 */
bool trod_score_walk(struct trod_scored_entries *out, const char *type,
    const struct trod_profile *profile, const struct trod_map *map, bool all,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The call graph of bursts.
 *
 * fails:  TROD_E_MISMATCH when calls are estimates, or were not sampled
 */
bool trod_score_pairs(struct trod_scored_entries *out, const struct trod_bursts *bursts,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- score_sequence.c: transitions and spans ------------------------------------------------------ */

/* From steps, one by one: a taker of src/across/wpp. */
struct trod_score_steps {
    struct trod_arena *mem;
    const struct trod_names *function; /* that steps are of */
    struct trod_score_frame *frame;    /* open activations; the first is the thread */
    size_t nframe, room_frame;
    struct trod_score_cells *cells; /* what was counted */
};
void trod_score_steps_init(struct trod_score_steps *out,
    const struct trod_names *function, struct trod_arena *mem);
/* A struct trod_step_taker; ctx is a struct trod_score_steps. */
bool trod_score_steps_take(const struct trod_step *step, void *ctx);
/* The end of a thread: what is open ends here. */
void trod_score_steps_end(struct trod_score_steps *steps);
void trod_score_steps_entries(
    struct trod_scored_entries *out, struct trod_score_steps *steps);

/* From the text form of a call sequence, as src/version/sequence/sequence.h has it: spans that are there many times are looked at
 * once. An entry is reused if all of it is of spans that are.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_score_spans(struct trod_scored_entries *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Take spans out of entries that have transitions and spans: what is left is transitions. */
void trod_score_split(struct trod_scored_entries *spans,
    struct trod_scored_entries *entries, struct trod_arena *mem);

/* --- score_build.c: both side by side ------------------------------------------------------------- */

struct trod_score {
    const char *input; /* NULL: of all */
    uint64_t nentry, ncorrect, nnear;
    uint64_t nreused, ntrue, nreusable;
    uint64_t ninferred, ninferred_true;
    uint64_t nmissing, nextra;
    double acc, near, precision, recall, f, hot;
    bool has_recall; /* it is known of some entry what it was */
    size_t nmember;
    struct trod_overlap_member *member; /* of hot */
    size_t nwrong;
    struct trod_score_wrong {
        const struct trod_scored *merged, *full; /* one may be NULL */
        uint64_t off;                            /* by how much */
    } *wrong; /* not correct, or extra; farthest off first; not of sums */
};

/* fails:  TROD_E_MISMATCH when types differ, or the full profile has no entries */
bool trod_score_build(struct trod_score *out, const struct trod_scored_entries *merged,
    const struct trod_scored_entries *full, bool all, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* All inputs as one: an entry of each is one of its own. */
void trod_score_sum(struct trod_score *out, const struct trod_score *score,
    uint32_t nscore, struct trod_arena *mem);

/* Check that parts are no more than wholes, shares are in [0, 1], and shares are of what was counted.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_score_check(
    const struct trod_score *score, struct trod_err *err) TROD_MUST_CHECK;

/* --- score_time.c: what was saved -------------------------------------------------------------------
 *
 *     small plain 1.20 1.22 1.19       # seconds; the median of several counts
 *     small full 3.1
 *     small selective 1.4
 *     large plain 10
 *     large full 30
 *     large skipped
 *     analysis 0.8
 */
struct trod_score_time {
    const char *input;
    double plain, full, selective; /* below 0: not said */
    bool skipped;
};
struct trod_score_times {
    uint32_t ninput, room;
    struct trod_score_time *input;
    double analysis;
    double ts_total, ts_overhead; /* overhead: NAN where plain times are unknown */
    uint32_t nskipped;
};

/* fails:  TROD_E_INPUT; also where an input has no full time, or neither a selective one nor is skipped */
bool trod_score_times_parse(struct trod_score_times *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- score_print.c --------------------------------------------------------------------------------- */

/* What was scored: one of each input, and all. times may be NULL. */
struct trod_score_table {
    const char *type;
    uint32_t nscore;
    const struct trod_score *score; /* [nscore] */
    struct trod_score all;
    const struct trod_score_times *times;
    uint64_t nindirect;
};
void trod_score_print(struct trod_sink *sink, const struct trod_score_table *table);
/* Entries that are wrong, of each input at most so many, as comments. */
void trod_score_print_wrong(
    struct trod_sink *sink, const struct trod_score_table *table, uint64_t most);
/* Members of the open object. */
void trod_score_json(struct trod_json *json, const struct trod_score_table *table);

#endif
