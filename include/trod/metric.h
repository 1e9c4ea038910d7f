/* metric: the metrics of paths, for format.h. */
#ifndef TROD_METRIC_H
#define TROD_METRIC_H

#include <stdint.h>

/* What is counted for paths besides time, in the same cells as time: "ticks" are then events of the processor or of
 * the kernel. Names are those of perf list. Those of the processor come first, in the order of the kernel's
 * numbers.
 */
enum trod_meter_kind {
    TROD_METER_TIME = 0, /* in no file: kind TIME */
    TROD_METER_CYCLES = 1,
    TROD_METER_INSTRUCTIONS = 2,
    TROD_METER_CACHE_REFERENCES = 3,
    TROD_METER_CACHE_MISSES = 4,
    TROD_METER_BRANCHES = 5,
    TROD_METER_BRANCH_MISSES = 6,
    TROD_METER_BUS_CYCLES = 7,
    TROD_METER_FRONTEND = 8,
    TROD_METER_BACKEND = 9,
    TROD_METER_REF_CYCLES = 10,
    TROD_METER_L1D = 11,
    TROD_METER_L1I = 12,
    TROD_METER_LLC = 13,
    TROD_METER_DTLB = 14,
    TROD_METER_ITLB = 15,
    TROD_METER_PAGE_FAULTS = 32, /* of the kernel, from here on */
    TROD_METER_MAJOR_FAULTS = 33,
    TROD_METER_SWITCHES = 34,
    TROD_METERS = 35
};

enum { TROD_METER_AT = 16 };

/* NULL: there is none with this number. */
static inline const char *trod_meter_name(uint32_t metric)
{
    static const char *const name[TROD_METERS] = {
        [TROD_METER_TIME] = "time",
        [TROD_METER_CYCLES] = "cycles",
        [TROD_METER_INSTRUCTIONS] = "instructions",
        [TROD_METER_CACHE_REFERENCES] = "cache-references",
        [TROD_METER_CACHE_MISSES] = "cache-misses",
        [TROD_METER_BRANCHES] = "branches",
        [TROD_METER_BRANCH_MISSES] = "branch-misses",
        [TROD_METER_BUS_CYCLES] = "bus-cycles",
        [TROD_METER_FRONTEND] = "stalled-cycles-frontend",
        [TROD_METER_BACKEND] = "stalled-cycles-backend",
        [TROD_METER_REF_CYCLES] = "ref-cycles",
        [TROD_METER_L1D] = "L1-dcache-load-misses",
        [TROD_METER_L1I] = "L1-icache-load-misses",
        [TROD_METER_LLC] = "LLC-load-misses",
        [TROD_METER_DTLB] = "dTLB-load-misses",
        [TROD_METER_ITLB] = "iTLB-load-misses",
        [TROD_METER_PAGE_FAULTS] = "page-faults",
        [TROD_METER_MAJOR_FAULTS] = "major-faults",
        [TROD_METER_SWITCHES] = "context-switches",
    };

    return metric < TROD_METERS ? name[metric] : 0;
}

#endif
