/* hardware: what can be explored of the profiling hardware: hot path tables, the caches and predictors they are beside, the
 * queue that feeds them, sampling in bursts. One trial has three parts, each there only if something is measured of it;
 * each keeps what designs share once.
 *
 * Glossary
 *   lane   paths as one control register has them, with the events of one metric on one machine: a detector, and a
 *          reference of all paths
 *   cell   a hot path table after a lane; windowed: emptied at the end of each window, and compared there
 *   clock  a machine with a base line and designs of queues, timed together
 *   burst  an editor, sampling
 */
#ifndef TROD_HARDWARE_H
#define TROD_HARDWARE_H

#include "edit/edit.h"
#include "explore/explore.h"
#include "model/model.h"
#include "timing/timing.h"

/* What a design says, as numbers. */
struct hardware_design {
    struct trod_control control;
    struct trod_hot_design table;
    struct trod_timing_machine machine; /* all of it by: predictor, l2.size, l2.ways */
    uint64_t predictor;
    uint32_t queue;
    bool pipelined, freed_at_end, idle;
    uint64_t window;
    uint32_t notes; /* enum trod_edit_notes */
    uint64_t rate, burst;
    int period; /* enum trod_edit_period */
};

/* What a measure is of. */
enum hardware_part { HARDWARE_PATHS, HARDWARE_CLOCKS, HARDWARE_BURSTS };

struct hardware_measure {
    enum hardware_part part;
    uint32_t metric; /* paths: enum trod_control_metric; bursts: which */
    bool windowed;
    enum { HARDWARE_OVERLAP, HARDWARE_IDEAL, HARDWARE_DISTINCT } of; /* paths */
};

enum {
    HARDWARE_ACCURACY,
    HARDWARE_HPS,
    HARDWARE_DISE,
    HARDWARE_DISE_BASIC,
    HARDWARE_DISE_CHECKS
};

/* --- explore_hardware.c --- */

bool trod_hardware_same_control(
    const struct trod_control *a, const struct trod_control *b);
bool trod_hardware_same_table(
    const struct trod_hot_design *a, const struct trod_hot_design *b);

/* --- hardware_paths.c ----------------------------------------------------------------------------- */

struct hardware_paths;

struct hardware_paths *trod_hardware_paths_build(struct trod_arena *mem);

/* Where the answer to a measure of a design will be. */
uint32_t trod_hardware_paths_add(struct hardware_paths *paths,
    const struct hardware_design *design, const struct hardware_measure *measure);
void trod_hardware_paths_run(struct hardware_paths *paths, const struct trod_run *run);
void trod_hardware_paths_end(struct hardware_paths *paths, uint32_t thread);
double trod_hardware_paths_result(struct hardware_paths *paths, uint32_t cell,
    const struct hardware_measure *measure);

/* --- hardware_clock.c ------------------------------------------------------------------------------- */

struct hardware_clocks;

struct hardware_clocks *trod_hardware_clocks_build(struct trod_arena *mem);
uint32_t trod_hardware_clocks_add(
    struct hardware_clocks *clocks, const struct hardware_design *design);
void trod_hardware_clocks_run(
    struct hardware_clocks *clocks, const struct trod_run *run);
/* Cycles more than the base line's, in percent. */
double trod_hardware_clocks_result(struct hardware_clocks *clocks, uint32_t which);

/* --- hardware_burst.c ------------------------------------------------------------------------------- */

struct hardware_bursts;

/* most_refs: limit on addresses that designs of streams record; they share them. */
struct hardware_bursts *trod_hardware_bursts_build(
    uint64_t most_refs, struct trod_arena *mem);
bool trod_hardware_bursts_add(uint32_t *out, struct hardware_bursts *bursts,
    const struct hardware_design *design, struct trod_err *err) TROD_MUST_CHECK;
void trod_hardware_bursts_run(
    struct hardware_bursts *bursts, const struct trod_run *run);
void trod_hardware_bursts_end(struct hardware_bursts *bursts, uint32_t thread);
/* How many addresses were beyond the limit; *kept, if any were: within it. NULL: not asked for. */
uint64_t trod_hardware_bursts_lost(
    const struct hardware_bursts *bursts, uint64_t *kept);

/* In percent. No accuracy of streams (NaN) if addresses were beyond the limit. */
double trod_hardware_bursts_result(
    struct hardware_bursts *bursts, uint32_t which, uint32_t metric);

#endif
