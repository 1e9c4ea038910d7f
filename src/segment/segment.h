/* segment: what a thread did across calls, and the pieces of it that are worth counting.
 *
 *     whole program path -> segments of some depth, each with its count
 *
 * Glossary
 *   subpath  a piece of a path of one function that ends at a call, at a return or at the
 *            end of a round of a loop; told by the function and an id
 *   step     of a whole program path: a subpath, a call or a return
 *   wpp      a whole program path: all steps of one thread, in order. A call comes after
 *            the subpath that ends at it, and before the first of the function called.
 *   segment  an inter-procedural path segment: a row of steps that begins with a subpath
 *            and goes on where control went, down into calls and back up from those it
 *            went into, but not across the rounds of a loop
 *   depth    of a segment: how many calls it spans
 *   count    how often a segment is in the whole program path
 *
 * Of a whole program path there is one segment for each subpath that ends at a call: the
 * longest one from there that spans as many calls as allowed. It ends before a call too
 * many, at the end of a round, or where the function it began in returns.
 *
 * paper:  Vaswani, "Efficient Online Path Profiling", 2007, sections 3.4.1 and 3.4.2: what
 *         P -> (P | (P) | PP | <f, p> yields, with at most so many calls
 *
 * Memory: everything is in the arena handed in.
 */
#ifndef TROD_SEGMENT_H
#define TROD_SEGMENT_H

#include "base/base.h"

enum trod_step_kind { TROD_STEP_SUBPATH, TROD_STEP_CALL, TROD_STEP_RETURN };

struct trod_step {
    enum trod_step_kind kind;
    uint32_t function; /* of a subpath; else 0 */
    uint64_t id;       /* of a subpath; else 0 */
};

struct trod_wpp {
    const char *name;
    struct trod_names function;
    size_t nstep;
    const struct trod_step *step;
};

struct trod_segment {
    uint64_t count;
    size_t nstep;
    const struct trod_step *step; /* the first and the last are subpaths */
};

struct trod_segments {
    const char *name;
    uint64_t depth; /* calls that a segment may span */
    struct trod_names function;
    size_t nsegment;
    const struct trod_segment *segment; /* the most frequent first */
};

/* --- segment_build.c: from a whole program path to its segments ---------------------------- */

/* needs:  a sound whole program path, depth >= 1
 * cost:   O(steps * depth) expected, and a sort of the different segments; those that are
 *         as frequent stand in the order they were met
 */
void trod_segments_build(struct trod_segments *out, const struct trod_wpp *wpp,
    uint64_t depth, struct trod_arena *mem);

/* --- segment_text.c: text forms -------------------------------------------------------------- */

/* Read a section behind its head and name, `wpp NAME` or `segments NAME`, up to a line that
 * belongs to another. What is not sound is refused.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_wpp_parse(struct trod_wpp *out, const char *name, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_segments_parse(struct trod_segments *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

void trod_wpp_print(struct trod_sink *sink, const struct trod_wpp *wpp);
void trod_segments_print(struct trod_sink *sink, const struct trod_segments *segments);
void trod_segments_json(
    struct trod_json *json, const char *key, const struct trod_segments *segments);

/* --- segment_check.c: the validators ------------------------------------------------------------ */

/* Check that
 *   - a call comes after a subpath, or outside of all calls that are open;
 *   - a call is followed by a subpath, or by nothing;
 *   - a return closes a call;
 *   - subpaths between a call and its return, and outside of calls, are of one function.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_wpp_check(const struct trod_wpp *wpp, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The first step that is wrong and, in *fault, what is; NULL and the number of steps if none. */
size_t trod_wpp_fault(
    const char **fault, const struct trod_wpp *wpp, struct trod_arena *mem);

/* Check that
 *   - each segment is sound as a whole program path, begins and ends with a subpath, spans
 *     a call and no more than the depth, and goes from round to round of no loop;
 *   - none is there twice, counts are not 0, and do not rise.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_segments_check(const struct trod_segments *segments, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
