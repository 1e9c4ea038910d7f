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
#include "flow/flow.h"

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
/* level: what the user says, 0: nothing. A type that is not known needs one; of one that is known it must not be finer
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
        *file; /* linkage name; as the map has it, or the unit; NULL: not known */
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
 *     calls      paths that start at the function's entry: one that was left in the middle of its first path is not seen
 *     callgraph  of path profiles: how often blocks ran that call, for each call in them whose callee is known
 *     paths      id of the numbering of the map; `begun` is no path and not among them
 *
 * Of chains of paths, the last path counts. Functions whose paths go on into calls are left out.
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
 * fills:  *out; *nmissing, if not NULL: calls through pointers that ran, whose callees paths do not tell
 * fails:  TROD_E_MISMATCH when there are no such entries in flows
 */
bool trod_flows_entries(struct trod_entries *out, uint64_t *nmissing, const char *type,
    const struct trod_flows *flows, bool all, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
/* Of one function. needs: a type that there is in flows */
void trod_flow_entries(struct trod_entries *out, uint64_t *nmissing, const char *type,
    const struct trod_flow *flow, bool all, struct trod_arena *mem);

struct trod_bursts;
/* The call graph of an exact burst profile, whose indirect calls have names where trod_bursts_build() was told them.
 *
 * fails:  TROD_E_MISMATCH when calls were not counted, or not all of them
 */
bool trod_migrate_pairs(struct trod_entries *out, const struct trod_bursts *burst,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- joined.c: functions of both versions -------------------------------------------------------------------------
 *
 * A function is known by what the map says of it, by its construct, or both. Those of two versions are one if the map
 * of constructs says so; else if names and files are the same, as much of the file as both have; else if the name is, and there
 * is one such in each; else, renamed, if what they do is the same and no other does that.
 */
struct trod_match;

struct trod_joined {
    const char *name, *file;         /* in the old version; of a new one, in the new */
    const char *new_name, *new_file; /* NULL: gone */
    const struct trod_map_entry *old, *later; /* NULL: the map has none */
    uint32_t construct, new_construct;        /* TROD_NO_CONSTRUCT: not known */
    bool in_old, in_new;
    bool many; /* of name and file there are several with different graphs */
    const struct trod_match *match; /* NULL: a map has none of it */
};

struct trod_join {
    uint32_t njoined;
    struct trod_joined *joined; /* by name and file */
};

/* Maps and changes may be NULL, not all of them. */
void trod_join_build(struct trod_join *out, const struct trod_map *old,
    const struct trod_map *later, const struct trod_changes *changes,
    struct trod_arena *mem);
/* By name, and by as much of the file as both have, in the old version or the new; TROD_NONE: there is none. */
uint32_t trod_join_find(const struct trod_join *of, const char *name, const char *file);
uint32_t trod_join_find_new(
    const struct trod_join *of, const char *name, const char *file);

/* --- discriminate.c: which entries may be reused --------------------------------------------------------------------
 *
 * What is decided on as one is a unit: a loop where levels allow it, else a function. The level is the coarser of the
 * type's and the method's. Where the construct of a function is not known, hashes in the maps decide.
 *
 * The method `own` looks at blocks, too: a loop or a function all of whose blocks are the same is reused, whatever its
 * construct says; and of a function that must be profiled again, what an input did is reused if it went only where
 * nothing changed. And it believes a run: the profile of one input, taken of the new version as a whole. What is not as it
 * was on that input is not reused on any; what is, and ran, is.
 */
enum trod_fate {
    TROD_UNIT_UNAFFECTED, /* nothing that it depends on changed, as far as the method tells */
    TROD_UNIT_SAME,       /* its construct differs, its blocks do not */
    TROD_UNIT_GRANTED,   /* flagged, but the check agrees: reused */
    TROD_UNIT_AFFECTED,  /* flagged */
    TROD_UNIT_WITHDRAWN, /* not flagged, but the check disagrees */
    TROD_UNIT_UNMAPPED, /* not flagged, but nobody knows what it is in the new version */
    TROD_UNIT_NEW,      /* is in the new version only */
    TROD_UNIT_GONE,     /* is in the old version only */
    TROD_UNIT_FATES
};
/* unaffected, same, granted, ... and a line of help. */
const char *trod_fate_name(enum trod_fate fate);
const char *trod_fate_about(enum trod_fate fate);
bool trod_fate_parse(enum trod_fate *out, const char *word);
static inline bool trod_fate_is_exempt(enum trod_fate fate)
{
    return fate <= TROD_UNIT_GRANTED || fate == TROD_UNIT_GONE;
}

struct trod_migrate_unit {
    uint32_t joined;
    uint32_t part, new_part; /* loop; TROD_NONE: the function, or no new loop */
    uint32_t line;
    enum trod_fate fate;
    bool checked, agrees; /* it ran in the check, and as often as before */
    double trust;         /* by the check; 0: it says nothing */
    const char *why;      /* NULL: nothing more to say */
};

enum trod_input_state {
    TROD_INPUT_RUN,     /* must be run again */
    TROD_INPUT_SKIPPED, /* need not */
    TROD_INPUT_CHECK    /* has been, to check */
};
const char *trod_input_state_name(enum trod_input_state state);

/* An input, with its old profile and what becomes of it. */
struct trod_migrate_input {
    const char *name;
    struct trod_entries old; /* as the old version has them */
    const struct trod_flows
        *flows; /* of the old version; NULL: entries are all there is */
    enum trod_input_state state;
    struct trod_entries *check; /* of a check: entries of the new version; else NULL */
    const struct trod_flows *check_flows; /* NULL: none */
    struct trod_entries
        planned; /* filled: entries of the new version, as they are if nothing is run again */
    struct trod_entries
        begun; /* filled, of paths: how often functions were begun; part and id mean nothing */
    const char *why; /* it must be run again: a function that must be profiled */
};

struct trod_migration {
    struct trod_type type;
    enum trod_impact_method method;
    uint32_t level; /* the coarser of type and method; filled */
    const struct trod_map *old_map, *new_map; /* or NULL */
    const struct trod_changes *changes;       /* or NULL: hashes of the maps decide */
    const struct trod_impact *impact;         /* or NULL */
    uint32_t ninput;
    struct trod_migrate_input *input;

    /* filled */
    struct trod_join join;
    uint32_t nunit;
    struct trod_migrate_unit *unit; /* by function and part */
    const uint32_t *first_unit;     /* [njoined + 1] */
    uint64_t *again;                /* set of joined: must be profiled again */
    uint64_t nagreed, ndisagreed;   /* units that were not flagged, in the check */
    uint64_t nentry_of_fate[TROD_UNIT_FATES]; /* old entries, of all inputs */
    uint32_t nnote;
    const char **note;
    uint32_t room_note;
};

/* Decide, map, and say which inputs must run again.
 *
 * needs:  type, method, maps or changes, inputs with entries; impact unless changes are NULL or the method is own
 * fails:  TROD_E_INPUT when an input's profile is empty, or a method needs constructs that are not there
 */
bool trod_migrate_decide(struct trod_migration *m, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- carry.c: entries of the old version in the new ----------------------------------------------------------------- */

/* What an old entry is in the new version; false: nothing. */
bool trod_carry_entry(struct trod_entry *out, const struct trod_migration *m,
    const struct trod_joined *joined, const struct trod_entry *old,
    struct trod_arena *mem);
/* Entries of a function that changed and will not be profiled, put together from what its old counts say. */
void trod_carry_infer(struct trod_entries *out, const struct trod_migration *m,
    const struct trod_joined *joined, const struct trod_migrate_input *input,
    struct trod_arena *mem);

/* --- merging.c: what was profiled, and what was not --------------------------------------------------------------------
 *
 * Functions that the profile of the new version counted are as it says, all others as planned.
 */
struct trod_merged {
    struct trod_entries entries;
    struct trod_entries begun;
    uint64_t nentry_of_how[TROD_HOW_PROFILED + 1];
    uint64_t count_of_how[TROD_HOW_PROFILED + 1];
    uint32_t nnote;
    const char **note; /* what is missing, and where flow is not conserved */
    uint32_t room_note;
};
/* planned, begun: of a plan. profiled, flows: of a run; NULL: there was none. again: functions of the new version that
 * should have been counted, by name and file, in order. map: of the new version, or NULL.
 */
struct trod_merging {
    const struct trod_entries *planned, *begun;
    const struct trod_entries *profiled;
    const struct trod_flows *flows;
    const struct trod_entries *again;
    const struct trod_map *map;
};
void trod_merge_entries(
    struct trod_merged *out, const struct trod_merging *in, struct trod_arena *mem);

/* A profile of the new version from entries of type paths. The module has the functions of the map, in its order.
 *
 * fails:  TROD_E_INTERNAL when an entry is of no function of the map
 */
struct trod_migrate_module {
    const char *path, *build_id;
};
bool trod_merge_profile(struct trod_profile *out, const struct trod_merged *merged,
    const struct trod_map *map, const struct trod_migrate_module *module,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- planning.c: a plan's text --------------------------------------------------------------------------------------------
 *
 *     migration TYPE METHOD LEVEL
 *     old NAME
 *     new NAME
 *     module PATH BUILDID                      # of the new program; - if it has none
 *     agreed 12 1                              # units that were not flagged, in the check: as before, not as before
 *     input NAME skipped
 *     input NAME run "WHY"
 *     function FATE NAME FILE NEWNAME NEWFILE "WHY"   # of its units, the fate that asks most
 *     loop FATE PART NEWPART LINE "WHY"        # of the function above it
 *     again NAME FILE                          # of the new version: must be profiled again
 *     note "TEXT"
 */
struct trod_migrate_plan {
    const char *type, *method, *old, *later;
    uint32_t level;
    struct trod_migrate_module module;
    uint64_t nagreed, ndisagreed;
    struct trod_plan_input {
        const char *name, *why;
        enum trod_input_state state;
    } *input;
    uint32_t ninput, room_input;
    struct trod_plan_function {
        const char *name, *file, *new_name, *new_file, *why;
        enum trod_fate fate;
        uint32_t first_loop, nloop;
    } *function;
    uint32_t nfunction, room_function;
    struct trod_plan_loop {
        uint32_t part, new_part, line;
        enum trod_fate fate;
        const char *why;
    } *loop;
    uint32_t nloop, room_loop;
    struct trod_entries again; /* names and files, of type "again" */
    const char **note;
    uint32_t nnote, room_note;
};
void trod_migrate_plan_build(struct trod_migrate_plan *out,
    const struct trod_migration *m, const char *old, const char *later,
    const struct trod_migrate_module *module, struct trod_arena *mem);
void trod_migrate_plan_print(
    struct trod_sink *sink, const struct trod_migrate_plan *plan);
bool trod_migrate_plan_parse(struct trod_migrate_plan *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
/* What `trod cc --only` reads: FUNCTION FILE, one a line. */
void trod_migrate_plan_reprofile(
    struct trod_sink *sink, const struct trod_migrate_plan *plan);

/* --- telling.c: for people and scripts -------------------------------------------------------------------------------------- */

struct trod_migrate_telling {
    bool colour;
    size_t most; /* functions; 0 = TROD_REPORT_MOST */
};
void trod_migrate_tell(struct trod_sink *sink, const struct trod_migration *m,
    const struct trod_migrate_plan *plan, const struct trod_migrate_telling *how);
void trod_migrate_json(struct trod_json *json, const struct trod_migration *m,
    const struct trod_migrate_plan *plan);
/* What happened to each entry of a function, and why; false: no version has it. */
bool trod_migrate_explain(struct trod_sink *sink, const struct trod_migration *m,
    const char *function, const struct trod_migrate_telling *how);
/* Of merged entries: how many are known how; and all of a function. */
void trod_merged_tell(struct trod_sink *sink, const char *input,
    const struct trod_merged *merged, const struct trod_migrate_telling *how);
bool trod_merged_explain(struct trod_sink *sink, const char *input,
    const struct trod_merged *merged, const char *function,
    const struct trod_migrate_telling *how);
void trod_merged_json(
    struct trod_json *json, const char *input, const struct trod_merged *merged);

#endif
