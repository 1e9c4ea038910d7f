/* segment: interprocedural path segments, with counts.
 *
 *     steps of whole program paths, one by one -> segments of some depth, each with its count
 *
 * Glossary
 *   segment  an interprocedural path segment: a sequence of steps that begins with a subpath
 *            and follows control into calls and back,
 *            but not across iterations of a loop
 *   depth    of a segment: the number of calls it spans
 *   count    its occurrences in the whole program paths
 *
 * A whole program path has one segment for each subpath that ends at a followed
 * call: the longest one from there that spans as many calls as allowed. It ends before a
 * call too many or to the outside, at the end of an iteration, when the function it began in returns,
 * and when a call is abandoned. It skips interruptions; these have
 * their own segments.
 *
 * paper:  Vaswani, "Efficient Online Path Profiling", 2007, sections 3.4.1 and 3.4.2: what
 *         P -> (P | (P) | PP | <f, p> produces, with at most depth calls
 *
 * Memory: everything is in the arena handed in.
 */
#ifndef TROD_SEGMENT_H
#define TROD_SEGMENT_H

#include "profile/overlap.h"
#include "wpp/wpp.h"
#include "base/table.h"

struct trod_segment {
    uint64_t count;
    size_t nstep;
    const struct trod_step *step; /* the first and the last are subpaths */
};

struct trod_segments {
    const char *name;
    uint64_t depth; /* limit on the calls of a segment */
    struct trod_names function;
    const struct trod_identity *identity; /* by function, or NULL */
    size_t nsegment;
    const struct trod_segment *segment; /* the most frequent first */
};

/* --- segment_build.c: from steps to segments -------------------------------------------------- */

struct trod_segments_builder {
    struct trod_arena *mem;
    uint64_t depth;
    struct trod_functions functions;

    /* Segments found so far. */
    struct trod_segment *segment;
    uint64_t *first; /* position of the first occurrence, by segment */
    size_t nsegment, room_segment, room_first;
    struct trod_table by_steps;

    /* The steps since the beginning of the oldest open segment, with prefix hashes;
     * open segments; interrupted activations.
     */
    struct trod_step *step;
    uint64_t *hash; /* [nstep + 1] */
    size_t nstep, room_step, room_hash;
    struct trod_segment_open *open;
    size_t nopen, room_open;
    struct trod_segment_frame *frame;
    size_t nframe, room_frame;
    uint64_t *power;
    size_t npower, room_power;
    uint64_t nseen; /* steps */
};

/* builder.functions has the functions of steps.
 *
 * needs:  depth >= 1
 */
void trod_segments_builder_init(
    struct trod_segments_builder *out, uint64_t depth, struct trod_arena *mem);

/* The next step of a whole program path; its end, before the first step of another.
 *
 * needs:  steps of a valid one
 * cost:   O(1) expected, amortized, and O(its steps) when a segment ends; memory
 *         for different segments, and for the steps of open ones
 */
void trod_segments_add(
    struct trod_segments_builder *builder, const struct trod_step *step);
bool trod_segments_take(const struct trod_step *step, void *builder); /* a taker */
void trod_segments_end(struct trod_segments_builder *builder);

/* The segments of everything that was added; equally frequent ones in order of
 * appearance. The builder is consumed.
 */
void trod_segments_finish(
    struct trod_segments *out, struct trod_segments_builder *builder, const char *name);

/* The same for a single whole program path; functions keep their numbers.
 *
 * needs:  a valid whole program path, depth >= 1
 */
void trod_segments_build(struct trod_segments *out, const struct trod_wpp *wpp,
    uint64_t depth, struct trod_arena *mem);

/* --- segment_text.c: the text form -------------------------------------------------------------
 *
 *     segments NAME DEPTH
 *     function f HASH HASH HASH 12    # name, graph, cuts, paths; may be missing
 *     7 main:0 ( f:1 ) main:2
 */

/* Read a section after its head and name, `segments NAME`, up to a line that belongs to
 * another. Invalid input is refused.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_segments_parse(struct trod_segments *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

void trod_segments_print(struct trod_sink *sink, const struct trod_segments *segments);
void trod_segments_json(
    struct trod_json *json, const char *key, const struct trod_segments *segments);

/* --- segment_list.c: segments as text ----------------------------------------------------------
 *
 *     # 1 of 12 segments, 340 times in all
 *      61.8%          210
 *       main  entry 12:T calls parse 14
 *         parse  entry 30:F return 33
 *       main  after parse 14 15:T again 12
 */

/* The first `most` of them, 0: all; subpaths of functions without a map entry are printed by id. */
void trod_segments_list(struct trod_sink *sink, const struct trod_segments *segments,
    const struct trod_map *map, size_t most, struct trod_arena *mem);

/* The same in JSON: as trod_segments_json, with each subpath as text. */
void trod_segments_list_json(struct trod_json *json, const char *key,
    const struct trod_segments *segments, const struct trod_map *map, size_t most,
    struct trod_arena *mem);

/* A single subpath; with mem, what repeats at once is folded. */
void trod_segments_put_subpath(struct trod_sink *sink,
    const struct trod_segments *segments, const struct trod_map *map,
    const struct trod_step *step, struct trod_arena *mem);

/* --- segment_overlap.c: overlap of two sets of segments --------------------------------------------- */

struct trod_segments_overlap {
    struct trod_overlap overlap;
    struct trod_segments
        both; /* functions of both, and the segment of each member, without a count */
};

/* Members are segments. They are the same if their steps are; functions are the same if their identities are or, if
 * one side has no identities, their names. The result is symmetric.
 *
 * fails:  TROD_E_MISMATCH if depths differ, no function is in both, or one has no segment
 */
bool trod_segments_overlap_build(struct trod_segments_overlap *out,
    const struct trod_segments *a, const struct trod_segments *b, uint32_t top_of,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

void trod_segments_overlap_print(struct trod_sink *sink,
    const struct trod_segments_overlap *overlap, const struct trod_map *map,
    size_t most);
void trod_segments_overlap_json(struct trod_json *json, const char *key,
    const struct trod_segments_overlap *overlap, const struct trod_map *map,
    size_t most, struct trod_arena *mem);

/* --- segment_check.c: the validator ------------------------------------------------------------- */

/* Check that
 *   - each segment is valid as a whole program path, begins and ends with a subpath, spans
 *     a call and no more than the depth, stays within one iteration of every loop, and has no
 *     calls to the outside, abandoned calls or interruptions;
 *   - segments are unique, counts are not 0, and in descending order.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_segments_check(const struct trod_segments *segments, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
