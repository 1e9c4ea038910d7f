/* callers: counts of functions that were not profiled again, made to agree with those of their callers; shared by the files
 * of this stage.
 *
 *     old flows -> rows: calls of each function, by caller      (callers.c, when a plan is made)
 *     rows + new flows -> factors -> scaled entries             (scale_callers.c, when it is finished)
 *
 * A function whose code did not change takes its old counts. If a caller changed and calls it more or less often, or no
 * longer, these are wrong, and contradict the caller's. A row with a caller has the number of its calls; the row without one has the number
 * of all calls with a known caller, and as `was` how often the function was entered. Recursive calls of a function
 * by itself are in neither.
 */
#ifndef TROD_CALLERS_H
#define TROD_CALLERS_H

#include "migrate/migrator.h"

/* The rows of an input: functions are named as in the new version. Empty if maps or flows are missing. */
void trod_callers_plan(struct trod_entries *out, const struct trod_migration *m,
    const struct trod_migrate_input *input, struct trod_arena *mem);

/* Scale the entries of functions that were not counted: by how often they are called now, relative to before. For that it
 * is assumed that each takes its paths in the same proportion.
 *
 * needs:  in->flows and in->callers; counted: functions that have counts of the new version; index, see
 *         trod_migrate_index()
 * fills:  entries, begun: copies of in->planned and in->begun in which scaled entries are inferred
 * returns: the number of functions whose counts changed; TROD_NONE: no solution was found, and the copies are equal
 * cost:   O(calls) for each sweep, at most 1,000 sweeps
 */
uint32_t trod_callers_scale(struct trod_entries *entries, struct trod_entries *begun,
    const struct trod_merge_inputs *in, const struct trod_entries *counted,
    const struct trod_entries *index, struct trod_arena *mem);

#endif
