/* unit: state of the port for one module.
 *
 *     settings -> bodies -> numberings, choices -> emit; and the map
 */
#ifndef TROD_LLVM_UNIT_H
#define TROD_LLVM_UNIT_H

#include "llvm/port.h"

/* --- settings.c: options of the plugin ------------------------------------------------------ */

struct trod_settings {
    enum trod_format_mode mode;
    uint64_t limit;
    unsigned iterations;          /* 1: paths are counted one by one */
    const char *only, *skip;      /* globs; or NULL */
    const struct trod_only *list; /* functions to count; NULL: no list */
    bool oracle, no_left;
    bool counters; /* the map keeps which blocks clang's counters count */
    enum trod_want want;
    unsigned plan; /* bits of enum trod_ending_kind; 0: any */
    bool partial, explain;
    bool records;
    const char *segments; /* files */
    const char *out;      /* name of the profile, or NULL */
    const char *online;   /* options of sampling */
    const char *burst;    /* options of bursts */
    unsigned burst_types; /* bits of enum trod_burst_type */
    bool burst_metrics;
    bool burst_flag, burst_one;
    uint64_t code;  /* limit on instructions of copies for a function */
    bool whole;     /* the module is a linked program: --whole-program */
    bool others;    /* record paths that do not consist of the given segments, too */
    uint64_t depth; /* depth of followed calls, if segments do not give it */
};

/* From the environment, as port/cc describes it. On an invalid value the compiler ends with a message. */
void trod_llvm_settings(struct trod_settings *out);

/* --- only_list.c: functions that are counted, of a file ------------------------------------- */

/* Read the file. If it cannot be read, the compiler ends with a message. */
const struct trod_only *trod_llvm_only_load(const char *file);

bool trod_llvm_only_has(
    const struct trod_only *only, LLVMValueRef function, struct trod_arena *mem);

/* Is it a mode of optimised code? */
static inline bool trod_llvm_is_late(enum trod_format_mode mode)
{
    return mode == TROD_MODE_CODE || mode == TROD_MODE_BLOCKS ||
           mode == TROD_MODE_BURST;
}

/* --- instrument.c --------------------------------------------------------------------------- */

struct trod_unit {
    LLVMModuleRef module;
    struct trod_settings settings;
    struct trod_arena mem;     /* of one function */
    struct trod_arena map_mem; /* of the unit */
    struct trod_string map;
    bool changed, skipped; /* some function was changed or skipped */
    bool reports;          /* some function may take an untested path */
    unsigned nstale;       /* number of functions that changed */
};

/* Memory for the next function. */
void trod_unit_begin(struct trod_unit *u);

/* Should the function be instrumented? If not, for a reason, it is recorded as skipped. */
bool trod_unit_takes(struct trod_unit *u, LLVMValueRef function);

/* Never silent: the map lists functions that are not counted, with the reason. */
void trod_unit_skip(struct trod_unit *u, const char *name, const char *why);

/* --- choice.c: the plan of a function ------------------------------------------ */

/* A function with its paths numbered, before anything is decided. */
struct trod_numbered {
    struct trod_view view;
    struct trod_limit_report report;
    struct trod_numbering numbering;
    struct trod_rt_function record; /* name, graph, cuts, npath */
};

/* The paths of a body.
 *
 * fails:  as trod_number_limit
 */
bool trod_unit_number(struct trod_numbered *out, const struct trod_unit *u,
    const struct trod_body *body, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The chosen or tested paths of a function. If the function has changed, they are
 * refused or, with --partial, ignored.
 */
void trod_unit_set(struct trod_set *out, struct trod_unit *u,
    const struct trod_body *body, const struct trod_rt_function *record);

/* The plan for a set. False: nothing is to be counted. */
bool trod_unit_choose(struct trod_choice *out, struct trod_unit *u,
    const struct trod_body *body, const struct trod_numbering *numbering,
    const struct trod_loops *loops, const struct trod_choose_options *options,
    const struct trod_pathset *paths);

/* The record of a function, which identifies its paths. */
struct trod_rt_function trod_unit_record(const struct trod_unit *u,
    const struct trod_body *body, const struct trod_numbering *numbering,
    struct trod_arena *mem);

/* May it take paths that must be recorded? */
static inline bool trod_unit_reports(const struct trod_choice *choice)
{
    return choice->kind != TROD_END_ALL && !choice->ending.direct &&
           trod_wants_others(choice->ending.want);
}

#endif
