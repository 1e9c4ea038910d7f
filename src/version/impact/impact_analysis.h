/* impact_analysis: what the methods share. A method marks old constructs, with reasons, and new ones; then trod_impact_finish
 * marks what is affected whatever the method, and makes both versions agree.
 *
 * To add a method: a file with a function that begins with trod_impact_begin and ends with trod_impact_finish, a
 * value in enum trod_impact_method, and its line in impact.c.
 */
#ifndef TROD_IMPACT_ANALYSIS_H
#define TROD_IMPACT_ANALYSIS_H

#include "impact/impact.h"

struct trod_impact_analysis {
    struct trod_impact *out;
    const struct trod_changes *changes;
    struct trod_arena *mem;
    uint32_t *
        function_of_old; /* [old->nconstruct] the function it is in, itself if it is one; or TROD_NO_CONSTRUCT */
    uint32_t *function_of_new;
    uint32_t *
        first_change; /* [old->nconstruct] of functions: the first change in it, or TROD_NO_CONSTRUCT */
    uint32_t *next_change;  /* [nchange] in the same function */
    uint32_t first_outside; /* the first change that is in no function of old */
};

/* --- impact_mark.c ------------------------------------------------------------------------------------------------ */

void trod_impact_begin(struct trod_impact_analysis *out, struct trod_impact *impact,
    const struct trod_changes *changes, struct trod_arena *mem);

/* Functions of one version, for each construct. */
uint32_t *trod_impact_functions(
    const struct trod_constructs *of, struct trod_arena *mem);

/* Mark an old construct, if it is not yet; were it marked, that stays its reason. */
bool trod_impact_mark(
    struct trod_impact_analysis *a, uint32_t old, uint32_t change, uint32_t from);

/* A function that changed, with all that is in it: reasons are its own changes. */
void trod_impact_mark_changed(struct trod_impact_analysis *a, uint32_t function);
/* One that did not, with all that is in it. */
void trod_impact_mark_function(
    struct trod_impact_analysis *a, uint32_t function, uint32_t change, uint32_t from);
/* What changed at file scope. */
void trod_impact_mark_outside(struct trod_impact_analysis *a);

/* up: what holds affected constructs is affected, up to functions. */
void trod_impact_finish(struct trod_impact_analysis *a, bool up);

/* Is an old function changed? One that is not mapped is. */
bool trod_impact_is_changed(const struct trod_impact_analysis *a, uint32_t function);

/* --- one function for each method ------------------------------------------------------------------------------------ */

typedef bool trod_impact_finder(struct trod_impact *out,
    const struct trod_impact_input *input, struct trod_arena *mem,
    struct trod_err *err);
trod_impact_finder trod_impact_find_none, trod_impact_find_blind, trod_impact_find_hash,
    trod_impact_find_ba, trod_impact_find_ag, trod_impact_find_sl,
    trod_impact_find_hybrid, trod_impact_find_own;

#endif
