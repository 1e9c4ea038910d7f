/* score: the accuracy of a migrated profile.
 *
 *     merged entries + full profile of the new version -> accuracy, precision, recall, time saved
 *
 * It shares no code with src/version/migrate: entries of the full profile are computed independently, by walking every path that ran
 * block by block, and merged entries have a separate reader. Otherwise an error that both make
 * would go unnoticed.
 *
 * Glossary
 *   entry      one unit of a profile: a function and a part of it, with a count. It belongs to the profile if it ran; with
 *              `all`, also if it did not.
 *   correct    an entry of the full profile that the merged one has, with the same count
 *   near       the same within one percent
 *   Acc        correct entries / entries of the full profile
 *   reused     an entry that was not profiled again: reused or validated; inferred entries are separate
 *   reusable   an entry whose old count, mapped, is that of the full profile
 *   precision  reused entries with the count of the full profile, divided by reused ones; 1 if there are none
 *   recall     the same divided by reusable ones; 1 if there are none
 *   F          2 P R / (P + R)
 *   missing    an entry of the full profile that the merged one does not have
 *   extra      an entry that ran according to the merged profile only; it affects precision, not Acc
 *   hot        the overlap: the sum of the smaller of each entry's two shares
 *   TS_total   (time of full profiling - time of migration and of profiling the rest) / time of full profiling, over all
 *              inputs
 *   TS_overhead  the same for the time beyond that of the plain program. A skipped input takes none.
 *
 * What counts mean, in both profiles:
 *   blocks     part: the number of the block; its occurrences on paths that ran
 *   edges      part: the number of the edge of the graph; its executions, whether or not paths are cut there
 *   loops      part: the number of the loop in trod_graph_loops() of the graph; executions of its header. All iterations of
 *              all executions of the loop are added; the final test in the header counts, too.
 *   calls      entries of the function: finished paths that begin at its entry. An activation that was abandoned on
 *              its first path is not seen.
 *   callgraph  other: the callee; number of calls, from bursts that count all calls. In path profiles: direct calls only, as
 *              often as their blocks ran; the number of blocks that call through pointers is reported.
 *   paths      id: of the path; for chains of paths, the last
 *   sequences  Aligning positions in long sequences is too expensive. Entries are transitions: function is a caller, and other
 *              is "A>B" if it called A and then B; ">A" if A was the first, "A>" the last, ">" if it called
 *              nothing. A thread is a caller called @. Calls of unknown functions are omitted. In addition, spans
 *              are compared: a function with everything it called until it returned, as a whole; other is "=" and its hash.
 *
 * Functions are the same if names and files are: one file may have more leading folders. If a
 * name is unique on each side, files do not matter.
 *
 * paper:  ProfMig, section 5
 *
 * Memory: in the arena handed in; results refer to texts of maps and profiles.
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
    uint32_t part;               /* TROD_NONE: the whole function */
    const char *other;           /* NULL */
    uint64_t id, count;
    enum trod_scored_how how;
    bool has_was;
    uint64_t was;
};

struct trod_scored_entries {
    const char *type, *input; /* input: NULL: not given */
    size_t nentry, room;
    struct trod_scored *entry; /* by trod_scored_compare, unique */
    uint64_t
        nindirect; /* for call graphs of paths: executed blocks with calls through pointers */
};

/* By function, file, part, other, id. */
int trod_scored_compare(const struct trod_scored *a, const struct trod_scored *b);

/* Sort; equal entries are added. */
void trod_scored_order(struct trod_scored_entries *entries);

/* --- score_read.c: merged entries, from their text form --------------------------------------- */

/* A whole text `entries TYPE`, as src/version/migrate/migrate.h has it.
 *
 * fails:  TROD_E_INPUT; also for a duplicate entry
 */
bool trod_score_parse(struct trod_scored_entries *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Does a text begin like that? Like that of a call sequence? */
bool trod_score_is_entries(const char *bytes, size_t length);
bool trod_score_is_sequence(const char *bytes, size_t length);

/* --- score_walk.c: entries of a full profile of paths ------------------------------------------ */

/* Can entries of this type be derived from paths? */
bool trod_score_has_walk(const char *type);

/* type: one of blocks, edges, loops, calls, callgraph, paths. all: include what did not run, with count 0.
 *
 * fails:  TROD_E_MISMATCH when the profile does not count paths, or nothing ran, or maps have no callees
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
    const struct trod_names *function; /* names of the functions in steps */
    struct trod_score_frame *frame;    /* open activations; the first is the thread */
    size_t nframe, room_frame;
    struct trod_score_cells *cells; /* counts */
};
void trod_score_steps_init(struct trod_score_steps *out,
    const struct trod_names *function, struct trod_arena *mem);
/* A struct trod_step_taker; ctx is a struct trod_score_steps. */
bool trod_score_steps_take(const struct trod_step *step, void *ctx);
/* The end of a thread: closes open activations. */
void trod_score_steps_end(struct trod_score_steps *steps);
void trod_score_steps_entries(
    struct trod_scored_entries *out, struct trod_score_steps *steps);

/* From the text form of a call sequence, as src/version/sequence/sequence.h has it: repeated spans are processed
 * once. An entry is reused if all its spans are.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_score_spans(struct trod_scored_entries *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Separate spans from transitions in entries that have both. */
void trod_score_split(struct trod_scored_entries *spans,
    struct trod_scored_entries *entries, struct trod_arena *mem);

/* --- score_build.c: comparison ------------------------------------------------------------- */

struct trod_score {
    const char *input; /* NULL: of all */
    uint64_t nentry, ncorrect, nnear;
    uint64_t nreused, ntrue, nreusable;
    uint64_t ninferred, ninferred_true;
    uint64_t nmissing, nextra;
    double acc, near, precision, recall, f, hot;
    bool has_recall; /* the old count of some entry is known */
    size_t nmember;
    struct trod_overlap_member *member; /* of hot */
    size_t nwrong;
    struct trod_score_wrong {
        const struct trod_scored *merged, *full; /* one may be NULL */
        uint64_t off;                            /* the difference */
    } *wrong; /* not correct, or extra; largest difference first; not for sums */
};

/* fails:  TROD_E_MISMATCH when types differ, or the full profile has no entries */
bool trod_score_build(struct trod_score *out, const struct trod_scored_entries *merged,
    const struct trod_scored_entries *full, bool all, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* All inputs as one: entries of different inputs are separate. */
void trod_score_sum(struct trod_score *out, const struct trod_score *score,
    uint32_t nscore, struct trod_arena *mem);

/* Check that parts do not exceed totals, shares are in [0, 1], and match the counts.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_score_check(
    const struct trod_score *score, struct trod_err *err) TROD_MUST_CHECK;

/* --- score_time.c: time saved -------------------------------------------------------------------
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
    double plain, full, selective; /* negative: not given */
    bool skipped;
};
struct trod_score_times {
    uint32_t ninput, room;
    struct trod_score_time *input;
    double analysis;
    double ts_total, ts_overhead; /* overhead: NAN if plain times are unknown */
    uint32_t nskipped;
};

/* fails:  TROD_E_INPUT; also if an input has no full time, or neither a selective time nor `skipped` */
bool trod_score_times_parse(struct trod_score_times *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- score_print.c --------------------------------------------------------------------------------- */

/* Scores of each input, and of all together. times may be NULL. */
struct trod_score_table {
    const char *type;
    uint32_t nscore;
    const struct trod_score *score; /* [nscore] */
    struct trod_score all;
    const struct trod_score_times *times;
    uint64_t nindirect;
};
void trod_score_print(struct trod_sink *sink, const struct trod_score_table *table);
/* The wrong entries, at most so many per input, as comments. */
void trod_score_print_wrong(
    struct trod_sink *sink, const struct trod_score_table *table, uint64_t most);
/* Members of the open object. */
void trod_score_json(struct trod_json *json, const struct trod_score_table *table);

#endif
