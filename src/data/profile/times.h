/* times: where paths spend their time, as bursts of type time see it.
 *
 *     profile -> cells of its events -> the times of each path, in ticks
 *
 * Glossary
 *   tick      of the clock that the program read; a run says how many there are in a second
 *   own       time of an execution without the functions that it calls
 *   with      the same with them, as time passes: also while the thread did not run
 *   metric    what is counted for each execution in the same way, in events instead of ticks: instructions, page faults
 *   away      part of an execution in which its thread did not run; not a part of its own time
 *   bin       own times that are almost equal (trod_time_bin)
 *   error     relative error of a sum of own times, with a probability of 95 percent; bursts are independent, and
 *             all executions of one burst are treated as one observation
 *
 * Functions are identified as in profiles. Memory: in the arena handed in.
 */
#ifndef TROD_TIMES_H
#define TROD_TIMES_H

#include "profile/profile.h"

struct trod_time_in_bin {
    uint32_t bin;
    uint64_t count; /* executions; not 0 */
};

/* Sums over executions, each as often as it stands for. All sums saturate. */
struct trod_time {
    uint64_t count, own, with, away;
    double squares; /* of own times */
    size_t nbin;
    const struct trod_time_in_bin *bin; /* ascending */
};

struct trod_path_time {
    uint64_t name, graph, cuts; /* of the function whose path it is */
    uint64_t id;
    struct trod_time time;
};

struct trod_times {
    enum trod_meter_kind metric; /* what "ticks" are */
    size_t npath;
    const struct trod_path_time *path; /* ascending by name, graph, cuts, id */
    uint64_t ticks, nanoseconds;       /* so many ticks took so long; 0: unknown */
    double
        spread; /* the variance of a sum, divided by the sum of squares; 0: exact; negative: unknown */
    uint64_t own; /* of all paths */
    uint64_t ran; /* CPU time of all threads, without what sampling took; 0: unknown */
    uint64_t nunknown; /* cells that this version does not know, or of no use */
};

bool trod_profile_has_times(const struct trod_profile *profile);
/* Bit m: metric m was counted for some path. */
uint64_t trod_profile_metrics(const struct trod_profile *profile);

/* Cells of all groups and modules are added.
 *
 * fills:  *out; without paths if none was timed
 * cost:   O(cells log cells)
 */
void trod_times_build(
    struct trod_times *out, const struct trod_profile *profile, struct trod_arena *mem);

/* The same of a metric; without paths if none was counted. Its clock is unknown: sums are printed as numbers. */
void trod_times_build_of(struct trod_times *out, const struct trod_profile *profile,
    enum trod_meter_kind metric, struct trod_arena *mem);

/* NULL: it was not timed. */
const struct trod_time *trod_times_find(const struct trod_times *times,
    const struct trod_profile_function *function, uint64_t id);

/* All timed paths of a function, ascending by id; how many. */
size_t trod_times_of(const struct trod_path_time **out, const struct trod_times *times,
    const struct trod_profile_function *function);

/* The sum of two, of which either may be NULL; in the arena if neither is. */
const struct trod_time *trod_time_sum(
    const struct trod_time *a, const struct trod_time *b, struct trod_arena *mem);

/* Own time that a part of the executions does not exceed, 0.5: half of them. Interpolated in its bin. */
double trod_time_quantile(const struct trod_time *time, double part);
double trod_time_mean(const struct trod_time *time);
/* 0: exact; negative: unknown. */
double trod_times_error(const struct trod_times *times, const struct trod_time *time);

/* How the mean own time of some executions differs from one profile to another, in nanoseconds. */
struct trod_time_change {
    double before, after;
    double
        error; /* of the difference, with a probability of 95 percent; negative: unknown, too few were timed */
    double
        chance; /* that means differ so much by the choice of what was timed; 1: unknown */
    double
        more; /* what all executions of the second profile took beyond the first one's mean */
};

/* needs:  both clocks are known */
void trod_time_compare(struct trod_time_change *out, const struct trod_times *times_a,
    const struct trod_time *a, const struct trod_times *times_b,
    const struct trod_time *b);

/* What was added after a profile of the same program; earlier NULL: everything. Times that decreased began anew. */
void trod_times_since(struct trod_times *out, const struct trod_times *earlier,
    const struct trod_times *now, struct trod_arena *mem);

/* The variance of what bursts of a type count, divided by the count; of times, by the sum of their squares. 0: exact. */
double trod_burst_spread(
    const struct trod_profile_burst *burst, enum trod_burst_type type);

/* Differences with at most this chance are certain: of those, at most one in twenty is expected to be none (Benjamini
 * and Hochberg). Negative: none is.
 */
double trod_times_threshold(const double *chance, size_t n, struct trod_arena *mem);

/* The validator: paths are in order and each there once, bins are and have counts, and sums are those of the parts.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_times_check(
    const struct trod_times *times, struct trod_err *err) TROD_MUST_CHECK;

/* --- times_text.c ------------------------------------------------------------------------------ */

enum { TROD_TIME_TEXT = 16 };

/* "12.3ns", "4.56us", "789ms", "1.23s", "84m"; in ticks if the clock is unknown: "1234". Three digits. */
const char *trod_time_text(
    char out[TROD_TIME_TEXT], const struct trod_times *times, double ticks);
/* In nanoseconds, or unchanged if the clock is unknown; and the name of that unit, or of the metric. */
double trod_time_in_unit(const struct trod_times *times, double ticks);
/* The same, rounded; at most INT64_MAX. */
uint64_t trod_time_rounded(const struct trod_times *times, double ticks);
const char *trod_time_unit(const struct trod_times *times);
/* Members of the open object: own, with_callees, away, mean, p50, p99 in nanoseconds, or in ticks if the clock is
 * unknown; executions; error, if known. */
void trod_time_json(struct trod_json *json, const struct trod_times *times,
    const struct trod_time *time);
/* One member: of the clock and of all paths. */
void trod_times_json(
    struct trod_json *json, const char *key, const struct trod_times *times);

#endif
