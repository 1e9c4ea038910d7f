/* migrate: profiles of an old version of a program for the new version.
 *
 *     old profiles + changes + impact -> plan -> selective profiling -> merged profiles
 *
 * Three stages: decide which entries may be reused, profile the rest again, merge both.
 *
 * Glossary
 *   input    an input of the program: each has separate profiles of the old and the new version
 *   exempt   of a construct: it need not be profiled again
 *   plan     a folder: what is reused, what must be profiled again, and everything needed to merge both later
 *   skipped  of an input: it ran nothing that must be profiled again, so it need not run
 *
 * paper:  ProfMig, sections 4.3.3 to 4.4
 */
#ifndef TROD_MIGRATE_H
#define TROD_MIGRATE_H

#include "entry/entry.h"

/* --- function_join.c: functions of both versions -------------------------------------------------------------------------
 *
 * A function is known by its map entry, by its construct, or both. Functions of two versions are matched if the map
 * of constructs says so; otherwise if names and files are the same, as far as both have the file; otherwise if the name is
 * unique in each; otherwise, as renamed, if their meanings are equal and unique.
 */
struct trod_match;

struct trod_joined {
    const char *name, *file; /* in the old version; for a new function, in the new */
    const char *new_name, *new_file;          /* NULL: gone */
    const struct trod_map_entry *old, *later; /* NULL: the map has none */
    uint32_t construct, new_construct;        /* TROD_NO_CONSTRUCT: unknown */
    bool in_old, in_new;
    bool many; /* several functions with this name and file have different graphs */
    const struct trod_match *match; /* NULL: it is missing in a map */
};

struct trod_join {
    uint32_t njoined;
    struct trod_joined *joined; /* by name and file */
};

/* Maps or changes may be NULL, but not all of them. */
void trod_join_build(struct trod_join *out, const struct trod_map *old,
    const struct trod_map *later, const struct trod_changes *changes,
    struct trod_arena *mem);
/* Find a function by name, and by file as far as both have it, in the old version or the new; TROD_NONE: none. */
uint32_t trod_join_find(const struct trod_join *of, const char *name, const char *file);
uint32_t trod_join_find_new(
    const struct trod_join *of, const char *name, const char *file);

/* --- discriminate.c: which entries may be reused --------------------------------------------------------------------
 *
 * Entries are decided on in units: loops, if levels allow it, otherwise functions. The level is the coarser of the
 * type's and the method's. If the construct of a function is unknown, hashes in the maps decide.
 *
 * The method `own` also compares blocks: a loop or function all of whose blocks are the same is reused, even if its
 * construct differs; and for a function that must be profiled again, the counts of an input are reused if it executed
 * only unchanged blocks. It also uses a check run: a complete profile of the new version on one input. Units that differ
 * there are not reused on any input; units that ran and are equal are reused.
 */
enum trod_fate {
    TROD_UNIT_UNAFFECTED, /* nothing that it depends on changed, according to the method */
    TROD_UNIT_SAME,       /* its construct differs, its blocks do not */
    TROD_UNIT_GRANTED,    /* flagged, but the check agrees: reused */
    TROD_UNIT_AFFECTED,  /* flagged */
    TROD_UNIT_WITHDRAWN, /* not flagged, but the check disagrees */
    TROD_UNIT_UNMAPPED, /* not flagged, but its counterpart in the new version is unknown */
    TROD_UNIT_NEW,      /* is in the new version only */
    TROD_UNIT_GONE,     /* is in the old version only */
    TROD_UNIT_FATES
};
/* unaffected, same, granted, ... and a description. */
const char *trod_fate_name(enum trod_fate fate);
const char *trod_fate_about(enum trod_fate fate);
bool trod_fate_parse(enum trod_fate *out, const char *word);
static inline bool trod_fate_is_exempt(enum trod_fate fate)
{
    return fate <= TROD_UNIT_GRANTED || fate == TROD_UNIT_GONE;
}

struct trod_migrate_unit {
    uint32_t joined;
    uint32_t part, new_part; /* loop; TROD_NONE: the whole function, or no new loop */
    uint32_t line;
    enum trod_fate fate;
    bool checked, agrees; /* it ran in the check; its count is as before */
    double trust;         /* from the check; 0: unknown */
    const char *why;      /* NULL: none */
};

enum trod_input_state {
    TROD_INPUT_RUN,     /* must be run again */
    TROD_INPUT_SKIPPED, /* need not run */
    TROD_INPUT_CHECK    /* was run as the check */
};
const char *trod_input_state_name(enum trod_input_state state);

/* An input, with its old profile and its result. */
struct trod_migrate_input {
    const char *name;
    struct trod_entries old; /* of the old version */
    const struct trod_flows
        *flows; /* of the old version; NULL: there are only entries */
    enum trod_input_state state;
    struct trod_entries
        *check; /* for the check: entries of the new version; otherwise NULL */
    const struct trod_flows *check_flows; /* NULL: none */
    struct trod_entries
        planned; /* filled: entries of the new version if nothing is run again */
    struct trod_entries
        begun; /* filled, for paths: begun activations of functions; part and id are unused */
    struct trod_entries
        callers;     /* filled: calls of functions by others, of type TROD_CALLERS */
    const char *why; /* reason to run it again: a function that must be profiled */
};

#define TROD_CALLERS "callers" /* see callers.h */

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
    uint64_t *again; /* set of joined functions that must be profiled again */
    uint64_t nagreed, ndisagreed; /* units that were not flagged and ran in the check */
    uint64_t nentry_of_fate[TROD_UNIT_FATES]; /* old entries, of all inputs */
    uint32_t nnote;
    const char **note;
    uint32_t room_note;
};

/* Decide on units, map entries, and determine which inputs must run again.
 *
 * needs:  type, method, maps or changes, inputs with entries; impact unless changes are NULL or the method is own
 * fails:  TROD_E_INPUT if an input's profile is empty, or the method needs missing constructs
 */
bool trod_migrate_decide(struct trod_migration *m, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- carry.c: entries of the old version in the new ----------------------------------------------------------------- */

/* The new entry of an old one; false: none. */
bool trod_carry_entry(struct trod_entry *out, const struct trod_migration *m,
    const struct trod_joined *joined, const struct trod_entry *old,
    struct trod_arena *mem);
/* Infer the entries of a changed function that will not be profiled from its old counts. */
void trod_carry_infer(struct trod_entries *out, const struct trod_migration *m,
    const struct trod_joined *joined, const struct trod_migrate_input *input,
    struct trod_arena *mem);

/* --- merge_entries.c: merging --------------------------------------------------------------------
 *
 * Functions that were profiled on the new version have these counts, all others the planned ones; if they are called
 * more or less often by functions that were profiled, their counts are scaled accordingly (scale_callers.c).
 */
struct trod_merged {
    struct trod_entries entries;
    struct trod_entries begun;
    uint64_t nentry_of_how[TROD_HOW_PROFILED + 1];
    uint64_t count_of_how[TROD_HOW_PROFILED + 1];
    uint32_t nscaled; /* functions whose counts follow those of their callers */
    uint32_t nnote;
    const char **note; /* missing functions, and blocks where flow is not conserved */
    uint32_t room_note;
};
/* planned, begun, callers: of a plan; callers may be NULL. profiled, flows: of a run; NULL: there was none. again: functions of the new version that
 * should have been counted, by name and file, in order. map: of the new version, or NULL.
 */
struct trod_merge_inputs {
    const struct trod_entries *planned, *begun, *callers;
    const struct trod_entries *profiled;
    const struct trod_flows *flows;
    const struct trod_entries *again;
    const struct trod_map *map;
};
void trod_merge_entries(struct trod_merged *out, const struct trod_merge_inputs *in,
    struct trod_arena *mem);

/* A profile of the new version from entries of type paths. The module has the functions of the map, in its order.
 *
 * fails:  TROD_E_INTERNAL if an entry has no function in the map
 */
struct trod_migrate_module {
    const char *path, *build_id;
};
bool trod_merge_profile(struct trod_profile *out, const struct trod_merged *merged,
    const struct trod_map *map, const struct trod_migrate_module *module,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- migrate_plan.c: a plan's text --------------------------------------------------------------------------------------------
 *
 *     migration TYPE METHOD LEVEL
 *     old NAME
 *     new NAME
 *     module PATH BUILDID                      # of the new program; - if it has none
 *     agreed 12 1                              # units that were not flagged, in the check: as before, not as before
 *     input NAME skipped
 *     input NAME run "WHY"
 *     function FATE NAME FILE NEWNAME NEWFILE "WHY"   # the most demanding fate of its units
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
/* What `trod cc --only` reads: FUNCTION FILE, one per line. */
void trod_migrate_plan_reprofile(
    struct trod_sink *sink, const struct trod_migrate_plan *plan);

/* --- migrate_print.c: for people and scripts -------------------------------------------------------------------------------------- */

struct trod_migrate_print_options {
    bool colour;
    size_t most; /* functions; 0 = TROD_REPORT_MOST */
};
void trod_migrate_report(struct trod_sink *sink, const struct trod_migration *m,
    const struct trod_migrate_plan *plan, const struct trod_migrate_print_options *how);
void trod_migrate_json(struct trod_json *json, const struct trod_migration *m,
    const struct trod_migrate_plan *plan);
/* The fate of each entry of a function, with reasons; false: no version has it. */
bool trod_migrate_explain(struct trod_sink *sink, const struct trod_migration *m,
    const char *function, const struct trod_migrate_print_options *how);
/* For merged entries: numbers by provenance; and all entries of a function. */
void trod_merged_report(struct trod_sink *sink, const char *input,
    const struct trod_merged *merged, const struct trod_migrate_print_options *how);
bool trod_merged_explain(struct trod_sink *sink, const char *input,
    const struct trod_merged *merged, const char *function,
    const struct trod_migrate_print_options *how);
void trod_merged_json(
    struct trod_json *json, const char *input, const struct trod_merged *merged);

#endif
