/* migrate: yesterday's profile for today's program.
 *
 *     old profiles + changes + impact -> plan -> what is profiled again -> merged profiles
 *
 * Three stages: discriminate what may be reused from what may not, profile the rest again, merge both.
 *
 * Glossary
 *   input    what the program was run on: each has a profile of its own, in the old and in the new version
 *   exempt   of a construct: it need not be profiled again
 *   plan     a folder: what is reused, what must be profiled again, and what is needed to merge both later
 *   skipped  of an input: nothing must be profiled again that it ran, so that it need not run at all
 *
 * paper:  ProfMig, sections 4.3.3 to 4.4
 */
#ifndef TROD_MIGRATE_H
#define TROD_MIGRATE_H

#include "entry/entry.h"

/* --- function_join.c: functions of both versions -------------------------------------------------------------------------
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
    uint32_t construct, new_construct;        /* TROD_NO_CONSTRUCT: unknown */
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
 * type's and the method's. Where the construct of a function is unknown, hashes in the maps decide.
 *
 * The method `own` looks at blocks, too: a loop or a function all of whose blocks are the same is reused, whatever its
 * construct says; and of a function that must be profiled again, what an input did is reused if it went only where
 * nothing changed. And it believes a run: the profile of one input, taken of the new version as a whole. What is not as it
 * was on that input is not reused on any; what is, and ran, is.
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

/* --- merge_entries.c: what was profiled, and what was not --------------------------------------------------------------------
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
struct trod_merge_inputs {
    const struct trod_entries *planned, *begun;
    const struct trod_entries *profiled;
    const struct trod_flows *flows;
    const struct trod_entries *again;
    const struct trod_map *map;
};
void trod_merge_entries(struct trod_merged *out, const struct trod_merge_inputs *in,
    struct trod_arena *mem);

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

/* --- migrate_plan.c: a plan's text --------------------------------------------------------------------------------------------
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
/* What happened to each entry of a function, and why; false: no version has it. */
bool trod_migrate_explain(struct trod_sink *sink, const struct trod_migration *m,
    const char *function, const struct trod_migrate_print_options *how);
/* Of merged entries: how many are known how; and all of a function. */
void trod_merged_report(struct trod_sink *sink, const char *input,
    const struct trod_merged *merged, const struct trod_migrate_print_options *how);
bool trod_merged_explain(struct trod_sink *sink, const char *input,
    const struct trod_merged *merged, const char *function,
    const struct trod_migrate_print_options *how);
void trod_merged_json(
    struct trod_json *json, const char *input, const struct trod_merged *merged);

#endif
