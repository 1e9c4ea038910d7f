/* migrate: yesterday's profile for today's program.
 *
 *     old profiles + changes + impact -> plan -> what is profiled again -> merged profiles
 *
 * Three stages: discriminate what may be reused from what may not, profile the rest again, merge both.
 *
 * Glossary
 *   type     what a profile has entries of, and how these may be migrated: a line of the knowledge base
 *   entry    one unit of a profile: a function and a part of it, with a count
 *   input    what the program was run on: each has a profile of its own, in the old and in the new version
 *   how      how an entry of the merged profile is known:
 *              reused     taken from the old profile: nothing that it depends on changed, as far as the method tells
 *              validated  the same, and a run of the new program on one input gave what the old profile says of it
 *              inferred   put together from what is reused around it, so that flow is conserved
 *              profiled   counted by the new program
 *   trust    how likely it is right, from 0 to 1; 1 of what was profiled
 *   exempt   of a construct: it need not be profiled again
 *   plan     a folder: what is reused, what must be profiled again, and what is needed to merge both later
 *   skipped  of an input: nothing must be profiled again that it ran, so that it need not run at all
 *
 * paper:  ProfMig, sections 4.3.3 to 4.4
 */
#ifndef TROD_MIGRATE_H
#define TROD_MIGRATE_H

#include "impact/impact.h"
#include "report/report.h"

/* --- type.c: the knowledge base -----------------------------------------------------------------------------
 *
 *     loops      loop        how many rounds each loop went
 *     calls      function    how often each function was entered
 *     callgraph  function    who called whom, how often
 *     blocks     function    how often each block ran
 *     edges      function    how often each branch went where
 *     paths      function    how often each path ran
 *     sequences  function    which call came after which; ordered, nested
 *     strides    statement   of loads and stores: known to the base, no reader yet
 *     reuse      program     distances between uses of the same data: whatever runs between them changes them; no reader yet
 */
struct trod_type {
    const char *name, *about;
    uint32_t level; /* G_B: the finest that is safe */
    bool order, nesting;
    bool readable; /* there is an iterator */
};
struct trod_types {
    struct trod_arena *mem;
    struct trod_type *type;
    uint32_t ntype, room;
};
void trod_types_init(struct trod_types *out, struct trod_arena *mem);
bool trod_types_add(struct trod_types *types, const struct trod_type *type,
    struct trod_err *err) TROD_MUST_CHECK;
/* level: what the user says, 0: nothing. A type that is not known needs one.
 *
 * fails:  TROD_E_INPUT, with the levels there are
 */
bool trod_types_find(struct trod_type *out, const struct trod_types *types,
    const char *name, uint32_t level, const struct trod_levels *levels,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- entry.c: entries of a profile, and their text form --------------------------------------------------------
 *
 *     entries loops
 *     input NAME
 *     version NAME
 *     entry FUNCTION FILE PART OTHER ID LINE COUNT
 *     entry FUNCTION FILE PART OTHER ID LINE COUNT reused was 17 trust 0.98
 *
 * A dash stands for what there is none of. `was`: what the old profile says of it, mapped, whether or not that is what
 * COUNT is. Everything that reads or writes a profile of any profiler reads or writes these.
 */
enum trod_how {
    TROD_HOW_NONE,
    TROD_HOW_REUSED,
    TROD_HOW_VALIDATED,
    TROD_HOW_INFERRED,
    TROD_HOW_PROFILED
};

struct trod_entry {
    const char *function, *file; /* linkage name; relative, NULL: not known */
    uint32_t
        part; /* number of loop, block or edge in the function's graph; TROD_NONE: all of it */
    const char *other; /* of the call graph: the callee; NULL */
    uint64_t id;       /* of paths: its id; else 0 */
    uint32_t line;     /* for people; 0: not known */
    uint64_t count;
    enum trod_how how;
    bool has_was;
    uint64_t was;
    double trust;
};

struct trod_entries {
    const char *type, *input, *version;
    uint32_t nentry, room;
    struct trod_entry *entry; /* by function, file, part, other, id; none twice */
};

void trod_entries_order(struct trod_entries *entries);
/* The one with the same identity, or NULL. */
const struct trod_entry *trod_entries_find(
    const struct trod_entries *entries, const struct trod_entry *like);
bool trod_entries_parse(struct trod_entries *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
void trod_entries_print(struct trod_sink *sink, const struct trod_entries *entries);
bool trod_entries_check(
    const struct trod_entries *entries, struct trod_err *err) TROD_MUST_CHECK;

/* --- iterate.c: entries of trod's own profiles ------------------------------------------------------------------ */

/* The base-level iterator: entries of a type, one after the other. Other profilers' are in readers of their own. Parts
 * that did not run have entries with count 0 if `all` is set, of functions that the profile counted.
 *
 * fails:  TROD_E_MISMATCH when the profile has no such entries
 */
bool trod_migrate_entries(struct trod_entries *out, const char *type,
    const struct trod_profile *profile, const struct trod_map *map, bool all,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
