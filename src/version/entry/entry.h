/* entry: a profile as entries that can be carried over to another version, one by one.
 *
 *     profile -> entries
 *
 * Glossary
 *   type     what a profile has entries of, and how these may be migrated: a line of the knowledge base
 *   entry    one unit of a profile: a function and a part of it, with a count
 *   how      how an entry of the merged profile is known:
 *              reused     taken from the old profile: nothing that it depends on changed, according to the method
 *              validated  the same, and a run of the new program on one input gave what the old profile says of it
 *              inferred   put together from what is reused around it, so that flow is conserved
 *              profiled   counted by the new program
 *   trust    how likely it is right, from 0 to 1; 1 of what was profiled
 */
#ifndef TROD_ENTRY_H
#define TROD_ENTRY_H

#include "flow/flow.h"
#include "impact/impact.h"

/* --- type.c: the knowledge base -----------------------------------------------------------------------------
 *
 *     loops      loop        how many iterations each loop made
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
    bool added;    /* by the user */
};
struct trod_types {
    struct trod_arena *mem;
    struct trod_type *type;
    uint32_t ntype, room;
};
/* With those above. */
void trod_types_init(struct trod_types *out, struct trod_arena *mem);
/* fails:  TROD_E_INPUT when the name is taken */
bool trod_types_add(struct trod_types *types, const struct trod_type *type,
    struct trod_err *err) TROD_MUST_CHECK;
/* level: what the user says, 0: nothing. A type that is unknown needs one; of one that is known it must not be finer
 * than what is safe.
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
 * COUNT is. An entry that is not there did not run; one with count 0 says the same. Everything that reads or writes a
 * profile of any profiler reads or writes these.
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
        *file; /* linkage name; as the map has it, or the unit; NULL: unknown */
    uint32_t
        part; /* number of loop, block or edge in the function's graph; TROD_NONE: all of it */
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
    struct trod_entry *entry; /* by function, file, part, other, id; none twice */
};

/* Put a copy in, at the end; the caller puts all in order when it is done. */
void trod_entries_add(struct trod_entries *entries, const struct trod_entry *entry,
    struct trod_arena *mem);
/* By what they are; counts and `was` of equal ones are added up, saturating. */
void trod_entries_order(struct trod_entries *entries);
/* By function, file, part, other, id: below, at or above 0. */
int trod_entries_compare(const struct trod_entry *a, const struct trod_entry *b);
/* The one with the same identity, or NULL. */
const struct trod_entry *trod_entries_find(
    const struct trod_entries *entries, const struct trod_entry *like);
/* Those of a function: the first, and how many. */
size_t trod_entries_of(size_t *first, const struct trod_entries *entries,
    const char *function, const char *file);
/* Added up, saturating. */
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
/* Check that entries have names, are in order, none twice, and that trust is from 0 to 1.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_entries_check(
    const struct trod_entries *entries, struct trod_err *err) TROD_MUST_CHECK;

/* --- iterate.c: entries of trod's own profiles ------------------------------------------------------------------
 *
 * What is counted, of paths that came to an end:
 *
 *     blocks     a path runs each of its blocks once
 *     edges      and each of its edges; one that is cut, at the end of the path that ended with it
 *     loops      how often the header ran: loops are numbered as trod_graph_loops() numbers those of the map's graph
 *     calls      paths that start at the function's entry: one that was abandoned of its first path is not seen
 *     callgraph  of path profiles: how often blocks ran that call, for each call in them whose callee is known
 *     paths      id of the numbering of the map; `begun` is not a path and not among them
 *
 * Of chains of paths, the last path counts. Functions whose paths continue into calls are omitted.
 */

/* The base-level iterator: entries of a type, one after the other. Other profilers' are in readers of their own. Parts
 * that did not run have entries with count 0 if `all` is set, of functions that the profile counted; paths have none.
 *
 * fails:  TROD_E_MISMATCH when the profile has no such entries, or counted nothing at all
 */
bool trod_migrate_entries(struct trod_entries *out, const char *type,
    const struct trod_profile *profile, const struct trod_map *map, bool all,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The same of flows.
 *
 * fills:  *out; *nmissing, if not NULL: calls through pointers that ran, whose callees paths do not show
 * fails:  TROD_E_MISMATCH when there are no such entries in flows
 */
bool trod_flows_entries(struct trod_entries *out, uint64_t *nmissing, const char *type,
    const struct trod_flows *flows, bool all, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
/* Of one function. needs: a type that there is in flows */
void trod_flow_entries(struct trod_entries *out, uint64_t *nmissing, const char *type,
    const struct trod_flow *flow, bool all, struct trod_arena *mem);

struct trod_bursts;
/* The call graph of an exact burst profile, whose indirect calls have names where trod_bursts_build() got them.
 *
 * fails:  TROD_E_MISMATCH when calls were not counted, or not all of them
 */
bool trod_migrate_pairs(struct trod_entries *out, const struct trod_bursts *burst,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
