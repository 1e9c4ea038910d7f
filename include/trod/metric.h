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
    switch (metric) {
    case TROD_METER_TIME:
        return "time";
    case TROD_METER_CYCLES:
        return "cycles";
    case TROD_METER_INSTRUCTIONS:
        return "instructions";
    case TROD_METER_CACHE_REFERENCES:
        return "cache-references";
    case TROD_METER_CACHE_MISSES:
        return "cache-misses";
    case TROD_METER_BRANCHES:
        return "branches";
    case TROD_METER_BRANCH_MISSES:
        return "branch-misses";
    case TROD_METER_BUS_CYCLES:
        return "bus-cycles";
    case TROD_METER_FRONTEND:
        return "stalled-cycles-frontend";
    case TROD_METER_BACKEND:
        return "stalled-cycles-backend";
    case TROD_METER_REF_CYCLES:
        return "ref-cycles";
    case TROD_METER_L1D:
        return "L1-dcache-load-misses";
    case TROD_METER_L1I:
        return "L1-icache-load-misses";
    case TROD_METER_LLC:
        return "LLC-load-misses";
    case TROD_METER_DTLB:
        return "dTLB-load-misses";
    case TROD_METER_ITLB:
        return "iTLB-load-misses";
    case TROD_METER_PAGE_FAULTS:
        return "page-faults";
    case TROD_METER_MAJOR_FAULTS:
        return "major-faults";
    case TROD_METER_SWITCHES:
        return "context-switches";
    default:
        return 0;
    }
}

#endif
