/* entry: profiles as entries, which can be migrated to another version one by one.
 *
 *     profile -> entries
 *
 * Glossary
 *   type     the kind of entries of a profile, and how they may be migrated: a line of the knowledge base
 *   entry    one unit of a profile: a function and a part of it, with a count
 *   how      provenance of an entry of the merged profile:
 *              reused     taken from the old profile: nothing that it depends on changed, according to the method
 *              validated  the same, and confirmed by a run of the new program on one input
 *              inferred   derived from reused entries around it, so that flow is conserved
 *              profiled   counted by the new program
 *   trust    probability that it is right, from 0 to 1; 1 if profiled
 */
#ifndef TROD_ENTRY_H
#define TROD_ENTRY_H

#include "flow/flow.h"
#include "impact/impact.h"

/* --- type.c: the knowledge base -----------------------------------------------------------------------------
 *
 *     loops      loop        iterations of each loop
 *     calls      function    entries of each function
 *     callgraph  function    calls by caller and callee
 *     blocks     function    executions of each block
 *     edges      function    executions of each edge
 *     paths      function    executions of each path
 *     sequences  function    order and nesting of calls
 *     strides    statement   of loads and stores: defined, no reader yet
 *     reuse      program     reuse distances of data: any code in between affects them; no reader yet
 */
struct trod_type {
    const char *name, *about;
    uint32_t level; /* G_B: the finest safe level */
    bool order, nesting;
    bool readable; /* there is an iterator */
    bool added;    /* by the user */
};
struct trod_types {
    struct trod_arena *mem;
    struct trod_type *type;
    uint32_t ntype, room;
};
/* The built-in types above. */
void trod_types_init(struct trod_types *out, struct trod_arena *mem);
/* fails:  TROD_E_INPUT if the name is in use */
bool trod_types_add(struct trod_types *types, const struct trod_type *type,
    struct trod_err *err) TROD_MUST_CHECK;
/* level: given by the user, 0: none. An unknown type needs one; for a known type it must not be finer
 * than the safe level.
 *
 * fails:  TROD_E_INPUT, with the list of levels
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
 * A dash stands for a missing field. `was`: the count in the old profile, mapped, whether or not COUNT
 * is the same. A missing entry did not run; so did one with count 0 not. Readers and writers of
 * profiles of all profilers use this form.
 */
enum trod_how {
    TROD_HOW_NONE,
    TROD_HOW_REUSED,
    TROD_HOW_VALIDATED,
    TROD_HOW_INFERRED,
    TROD_HOW_PROFILED
};

struct trod_entry {
    const char *function,
        *file; /* linkage name; file as in the map, or the unit; NULL: unknown */
    uint32_t
        part; /* number of loop, block or edge in the function's graph; TROD_NONE: the whole function */
    const char *other; /* of the call graph: the callee; NULL */
    uint64_t id;       /* of paths: its id; else 0 */
    uint32_t line;     /* for people; 0: unknown */
    uint64_t count;
    enum trod_how how;
    bool has_was;
    uint64_t was;
    double trust;
};

struct trod_entries {
    const char *type, *input, *version;
    uint32_t nentry, room;
    struct trod_entry *entry; /* by function, file, part, other, id; unique */
};

/* Append a copy; the caller sorts at the end. */
void trod_entries_add(struct trod_entries *entries, const struct trod_entry *entry,
    struct trod_arena *mem);
/* Sort by identity; counts and `was` of equal entries are added, saturating. */
void trod_entries_order(struct trod_entries *entries);
/* By function, file, part, other, id: negative, 0 or positive. */
int trod_entries_compare(const struct trod_entry *a, const struct trod_entry *b);
/* The one with the same identity, or NULL. */
const struct trod_entry *trod_entries_find(
    const struct trod_entries *entries, const struct trod_entry *like);
/* The entries of a function: the first, and their number. */
size_t trod_entries_of(size_t *first, const struct trod_entries *entries,
    const char *function, const char *file);
/* The sum of counts, saturating. */
uint64_t trod_entries_sum(const struct trod_entries *entries);

/* none, reused, validated, inferred, profiled */
const char *trod_how_name(enum trod_how how);
bool trod_how_parse(enum trod_how *out, const char *word);

/* Read a section from its head, `entries TYPE`, to the end of the text or the head of another.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_entries_parse(struct trod_entries *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
void trod_entries_print(struct trod_sink *sink, const struct trod_entries *entries);
/* Check that entries have names, are sorted and unique, and that trust is from 0 to 1.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_entries_check(
    const struct trod_entries *entries, struct trod_err *err) TROD_MUST_CHECK;

/* --- iterate.c: entries of trod's own profiles ------------------------------------------------------------------
 *
 * Counts follow from finished paths:
 *
 *     blocks     a path runs each of its blocks once
 *     edges      and each of its edges; a cut edge belongs to the path that ends with it
 *     loops      executions of the header: loops are numbered by trod_graph_loops() on the map's graph
 *     calls      paths that start at the function's entry: an activation abandoned on its first path is not seen
 *     callgraph  in path profiles: executions of blocks, for each call in them with a known callee
 *     paths      id of the map's numbering; `begun` is not a path, and not included
 *
 * Of chains of paths, the last path counts. Functions whose paths continue into calls are omitted.
 */

/* The base-level iterator: entries of a type, one by one. Profiles of other profilers have separate readers. Parts
 * that did not run have entries with count 0 if `all` is set, in functions that the profile counted; paths have no such entries.
 *
 * fails:  TROD_E_MISMATCH when the profile has no such entries, or counted nothing at all
 */
bool trod_migrate_entries(struct trod_entries *out, const char *type,
    const struct trod_profile *profile, const struct trod_map *map, bool all,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The same for flows.
 *
 * fills:  *out; *nmissing, if not NULL: calls through pointers that ran, whose callees paths do not show
 * fails:  TROD_E_MISMATCH when there are no such entries in flows
 */
bool trod_flows_entries(struct trod_entries *out, uint64_t *nmissing, const char *type,
    const struct trod_flows *flows, bool all, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
/* The same for one function. needs: a type that flows have */
void trod_flow_entries(struct trod_entries *out, uint64_t *nmissing, const char *type,
    const struct trod_flow *flow, bool all, struct trod_arena *mem);

struct trod_bursts;
/* The call graph of an exact burst profile, whose indirect calls have names if trod_bursts_build() found them.
 *
 * fails:  TROD_E_MISMATCH when calls were not counted, or not all of them
 */
bool trod_migrate_pairs(struct trod_entries *out, const struct trod_bursts *burst,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
