/* timing: a model of a processor: caches, predictors, pipeline.
 *
 *     text -> machine -> runs (branch.h) -> caches, predictor -> events -> cycles of one or many designs
 *
 * Runs go through caches and a branch predictor once. The resulting events are the same for all designs, and each
 * design is timed separately, instruction by instruction: so designs differ only by what they do.
 * The base line is the design that does nothing.
 *
 * The model is not validated against a machine. Its cycles are those of the rules below; only differences between
 * designs are claimed to be meaningful.
 *
 * Each instruction has five times, in cycles from 0:
 *
 *   fetch     in order, `width` in a cycle; in a later cycle than a preceding taken branch; when its line
 *             of code arrives if that misses; when the one `ifq` before it is dispatched; `penalty` cycles after
 *             the completion of a branch that was mispredicted; one after the dispatch of a direct branch whose
 *             target was unknown (misfetched)
 *   dispatch  in order, `width` in a cycle; a cycle after its fetch; when the one `rob` before it commits, and
 *             its accesses when those `lsq` before them do
 *   issue     in any order, `width` in a cycle, the older before the younger; a cycle after its dispatch; when
 *             all registers it reads are complete and a unit is free. A load takes a port for each access first,
 *             and a unit when the data have arrived. It waits for the last store to the same eight bytes,
 *             and for a line in transit
 *   complete  as many cycles after its issue as its class takes: others may read its result
 *   commit    in order, `width` in a cycle; a cycle after its completion; a store when it has a port
 *
 * So an instruction alone takes five cycles. Slots that become free in a cycle can be used in the same. For an
 * instruction without registers (they were not recorded) no dependence is modelled.
 *
 * A queue of committed branches feeds the hardware profiler. A branch commits when there is a free
 * slot; its service starts in the next cycle, and takes as many cycles as its operations. A
 * pipelined profiler accepts one branch per cycle. A slot is free when the service of its branch begins or, as an option,
 * when it ends.
 * Injected operations are fetched after a bubble: one cycle later than the instruction would have been.
 *
 * Threads share the core in the order of their runs. When the thread changes, nothing is fetched before everything
 * is committed.
 *
 * Glossary
 *   machine   sizes, latencies, kinds of caches and predictor
 *   event     a miss or a misprediction of a run
 *   unit      executes an operation; units of a kind are a pool
 *   port      of the first data cache, for a load or store
 *   service   of a branch, by the profiler: in cycles; 0: the profiler ignores it
 *   cost      of an access, in power; the cheapest costs TROD_TIMING_COST
 *
 * papers: Vaswani, "Efficient Online Path Profiling", chapter 5; the machine is its table 5.3
 *         Brooks, Tiwari and Martonosi, "Wattch", ISCA 2000: power by the cycle
 *         McFarling, "Combining Branch Predictors", 1993; Yeh and Patt, "Two-Level Adaptive Training", 1991
 *
 * Memory: in the arena handed in; a core allocates more when new codes appear. It keeps pointers to
 * codes: they must live as long as it.
 */
#ifndef TROD_TIMING_H
#define TROD_TIMING_H

#include "branch/branch.h"

/* --- machines ---------------------------------------------------------------------------------------- */

struct trod_timing_cache {
    uint64_t size;    /* bytes, a power of 2; 0: it never misses */
    uint32_t ways;    /* as many as lines: fully associative */
    uint32_t line;    /* bytes, a power of 2 */
    uint32_t latency; /* of a hit; of a miss, until it is detected */
};

enum trod_timing_pool {
    TROD_TIMING_ALU,      /* and branches, and all else */
    TROD_TIMING_MULTIPLY, /* and divide */
    TROD_TIMING_FLOAT,
    TROD_TIMING_FLOAT_MULTIPLY, /* and divide */
    TROD_TIMING_PORT,
    TROD_TIMING_POOLS
};

enum trod_timing_predictor {
    TROD_TIMING_PERFECT, /* directions and targets */
    TROD_TIMING_TAKEN,
    TROD_TIMING_NOT_TAKEN,
    TROD_TIMING_BIMODAL,   /* counters of two bits, by address */
    TROD_TIMING_GSHARE,    /* by address and global history, exclusive or */
    TROD_TIMING_TWO_LEVEL, /* by a history of the address, and the address */
    TROD_TIMING_COMBINED,  /* bimodal, another, and a table that chooses between them */
    TROD_TIMING_PREDICTORS
};

struct trod_timing_prediction {
    enum trod_timing_predictor kind;
    enum trod_timing_predictor other; /* COMBINED: gshare or two-level */
    uint32_t bimodal;                 /* counters; all sizes are powers of 2 */
    uint32_t counters;                /* of gshare and two-level */
    uint32_t bits;                    /* of a history */
    uint32_t histories;               /* of two-level */
    bool
        exclusive; /* for two-level: combine address and history by exclusive or, not by concatenation */
    uint32_t meta;          /* counters */
    uint32_t return_stack;  /* entries; 0: there is none */
    uint32_t btb, btb_ways; /* entries; 0: targets are always known */
};

struct trod_timing_machine {
    const char *name;
    uint32_t width, rob, lsq, ifq;
    uint32_t penalty; /* of a misprediction */
    uint32_t units[TROD_TIMING_POOLS];
    uint32_t
        latency[TROD_INSN_CLASSES]; /* until it completes; of NOTHING and SYSTEM, too */
    uint32_t busy[TROD_INSN_CLASSES]; /* cycles until its unit accepts another */
    struct trod_timing_cache l1i, l1d, l2;
    uint32_t memory; /* cycles */
    struct trod_timing_prediction prediction;
    uint32_t cost_l1i, cost_l1d, cost_l2,
        cost_memory; /* power; 0: by size (core_power.c) */
};

enum {
    TROD_TIMING_MOST_WIDTH = 16,
    TROD_TIMING_MOST_UNITS = 31,
    TROD_TIMING_MOST_ROB = 1024, /* and lsq, ifq */
    TROD_TIMING_MOST_LATENCY = 1000,
    TROD_TIMING_MOST_TABLE = 1 << 20, /* counters */
    TROD_TIMING_MOST_WAYS = 64,
    TROD_TIMING_MOST_COST = 1 << 20
};

/* --- core_machine.c: built-in machines ------------------------------------------------------- */

/* table5.3: the base line. Details that it omits are as in SimpleScalar 3: lines of 64 bytes in the second cache,
 * latencies of units (multiply 3, divide 20, busy 19; float 2; its multiply 4, its divide 12, busy 12). 2 ports.
 * low, high: the same with the predictors and second caches of table 5.4. perfect: table5.3 without misses.
 * false: there is none of this name.
 */
bool trod_timing_machine_named(struct trod_timing_machine *out, const char *name);
const char *trod_timing_machine_name(uint32_t i); /* NULL: there is no ith */

/* --- core_text.c: the text form ---------------------------------------------------------------------------
 *
 *     machine NAME                   # all other lines are optional; defaults are those of table5.3
 *     width 4
 *     rob 128
 *     lsq 64
 *     ifq 16
 *     penalty 3
 *     units alu 4                    # alu, multiply, float, fmultiply, port
 *     class multiply 3 1             # latency, busy; of alu, multiply, divide, float, fmultiply,
 *                                    # fdivide, branch, nothing, system
 *     l1i 32K 1 32 1                 # size, ways, bytes of a line, latency; K is 2^10, M is 2^20
 *     l1d perfect 32 1               # bytes of a line, latency: it never misses
 *     l2 512K 4 64 10
 *     memory 100
 *     predictor combined 1K bimodal 8K gshare 8K 12       # meta; counters; counters, bits of history
 *     predictor combined 8K bimodal 8K two_level 1 2K 8   # histories, counters, bits; xor may follow
 *     predictor bimodal 8K           # or gshare ..., two_level ..., taken, not_taken, perfect
 *     return_stack 32
 *     btb 2K 4                       # entries, ways; 0 0: targets are known
 *     cost l1i 16                    # of l1i, l1d, l2, memory; default: by size
 */

void trod_timing_machine_print(
    struct trod_sink *sink, const struct trod_timing_machine *machine);

/* Read from the head on, up to a line that does not belong to a machine. Messages have file, line and column.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_timing_machine_parse(struct trod_timing_machine *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- core_check.c: the validator ------------------------------------------------------------------------------ */

/* Check that sizes are powers of 2 where they must be, and all is within the limits above; lines of the first
 * caches are not longer than those of the second; each pool has units; widths and latencies are at least 1.
 *
 * fails:  TROD_E_INPUT; the message names the line of the text form that is wrong
 */
bool trod_timing_machine_check(
    const struct trod_timing_machine *machine, struct trod_err *err) TROD_MUST_CHECK;

/* --- core_cache.c: caches ------------------------------------------------------------------------------- */

/* A line of a cache; the lines of a set are adjacent, most recently used first. */
struct trod_timing_line {
    uint64_t tag;  /* line number + 1; 0: empty */
    uint32_t fill; /* number of the miss that fetched it, from 1 */
    bool dirty;
};

struct trod_timing_lines {
    struct trod_timing_cache cache;
    uint32_t shift; /* of an address, to the number of its line */
    uint64_t mask;  /* of that, to its set */
    struct trod_timing_line *line;
    uint64_t naccess, nmiss, nback; /* nback: evicted dirty lines */
};

void trod_timing_lines_init(struct trod_timing_lines *out,
    const struct trod_timing_cache *cache, struct trod_arena *mem);

/* Look up an address; a miss replaces the least recently used line.
 *
 * fills:  *gone, the evicted line if it was dirty: its number + 1; otherwise 0
 *         *fill, number of the miss that fetched the line
 */
bool trod_timing_lines_look(struct trod_timing_lines *lines, uint64_t address,
    bool store, uint64_t *gone, uint32_t *fill);

/* Write back a dirty line from the level above. False: it is not here, and nothing was changed. */
bool trod_timing_lines_put_back(struct trod_timing_lines *lines, uint64_t address);

/* --- core_predict.c: branch prediction ------------------------------------------------------------------------------------ */

struct trod_timing_predict;

struct trod_timing_predict *trod_timing_predict_build(
    const struct trod_timing_prediction *prediction, struct trod_arena *mem);

enum trod_timing_outcome {
    TROD_TIMING_RIGHT,
    TROD_TIMING_MISFETCHED, /* the direction was right; the target is in the instruction, but was unknown */
    TROD_TIMING_MISPREDICTED /* detected when the branch completes */
};

/* Predict the successor of a run, compare, and update. Return stacks are per thread (with many threads, by the low
 * bits of the number).
 */
enum trod_timing_outcome trod_timing_predict_run(
    struct trod_timing_predict *predict, const struct trod_run *run);

/* --- core_power.c: power of accesses -------------------------------------------------------------------------------- */

enum {
    TROD_TIMING_COST = 16
}; /* of the cheapest access: halves and eighths are whole */

struct trod_timing_costs {
    uint64_t l1i, l1d, l2, memory;
};

/* Costs of one access of each. Defaults: see doc/hardware/timing.md. */
void trod_timing_costs_fill(
    struct trod_timing_costs *out, const struct trod_timing_machine *machine);

/* --- events --------------------------------------------------------------------------------------------------------------- */

struct trod_timing_events {
    uint64_t nrun, ninsn, nblind, nbranch, nodd;
    uint64_t nl1i, nl1i_miss; /* lines of code that blocks read */
    uint64_t nl1d, nl1d_miss; /* an access that crosses lines is several */
    uint64_t
        nunseen; /* of nl1d: without an address, treated as hits. Only in runs without any */
    uint64_t nl2, nl2_miss; /* code and data, without write-backs */
    uint64_t nback;         /* dirty lines, from either */
    uint64_t nmisfetch, nmispredict;
    uint64_t power; /* analytic: each access, fill and write-back by its cost */
    /* The same, but accesses of the first data cache in one cycle share the cost of one (figure 5.5), as the first
     * design has them. Only where it is final. */
    uint64_t cycle_power;
};

enum trod_timing_metric {
    TROD_TIMING_INSTRUCTIONS,
    TROD_TIMING_L1_MISSES, /* both */
    TROD_TIMING_L2_MISSES,
    TROD_TIMING_MISPREDICTIONS,
    TROD_TIMING_POWER,
    TROD_TIMING_CYCLE_POWER,
    TROD_TIMING_METRICS
};

uint64_t trod_timing_metric_of(
    const struct trod_timing_events *events, enum trod_timing_metric metric);
const char *trod_timing_metric_name(enum trod_timing_metric metric);

/* Did caches see nothing, because addresses are missing? Every trace has a few instructions that may access memory and did
 * not: conditional moves, masked vector stores, string operations of length 0.
 */
bool trod_timing_is_blind(const struct trod_timing_events *events);

/* --- designs -------------------------------------------------------------------------------------------------------------- */

/* Operations injected into a run, in order of positions. */
struct trod_timing_injected {
    const struct trod_insn *insn; /* [count]; loads and stores of it are hits */
    uint32_t count;
    uint16_t at; /* which instruction of the code */
    bool behind; /* insert after it, not before it */
};

struct trod_timing_design {
    const char *name;
    uint32_t queue; /* branches; 0: there is no profiler */
    bool pipelined;
    bool
        freed_at_end; /* slots of the queue are freed when the service of a branch ends, not when it begins */
    uint32_t bubble; /* cycles, of injected operations */
    /* Service of a branch; NULL: trod_timing_service. Called once for each run that ends with a branch, for all designs
     * with the same function and ctx together, with the run's events, but for cycle_power. */
    uint32_t (*service)(
        void *ctx, const struct trod_run *run, const struct trod_timing_events *events);
    /* Operations to inject into a run; NULL: none. Returns their number and the array. */
    size_t (*inject)(
        const struct trod_timing_injected **out, void *ctx, const struct trod_run *run);
    void *ctx;
};

/* The operations of table 5.1, a cycle each, and one more for the update of the hot path table, on a hit:
 * calls 2, returns 3, forward branches 1, backward and indirect ones 4.
 */
uint32_t trod_timing_service(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events);

/* Cycles of an update of the hot path table: 1, plus log2(ways) on a miss. */
uint32_t trod_timing_service_update(bool there, uint32_t ways);

/* --- core_design.c: text form of designs ------------------------------------------------------------------------------------
 *
 *     base                          # nothing
 *     queue=4                       # a profiler after a queue of 4 branches, which takes the cycles of table 5.1
 *     queue=4,pipelined             # one branch a cycle
 *     queue=4,end                   # places are free when the service of a branch is over
 *     queue=4,update=3              # an update of the hot path table takes 3 cycles, not 1
 *     inject=call:4                 # 4 operations before each call; of if, jump, indirect, call, callindirect,
 *                                   # return, any: each reads what the one before wrote, the first a counter
 *     inject=any:15,behind,every=100,bubble=0      # after it; at each hundredth; without a bubble (1)
 *
 * They can be combined: queue=4,inject=call:1
 */

/* fails:  TROD_E_INPUT */
bool trod_timing_design_parse(struct trod_timing_design *out, const char *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

struct trod_timing_cycles {
    const struct trod_timing_design *design;
    uint64_t cycles;
    uint64_t nbranch;   /* served */
    uint64_t service;   /* cycles, of all */
    uint64_t nstall;    /* branches that waited for a slot */
    uint64_t stall;     /* cycles of waiting */
    uint64_t ninjected; /* operations */
};

/* --- core_run.c: the simulation ---------------------------------------------------------------------------------------------------- */

struct trod_timing;

/* A core for a machine and designs, at least one of which should be a base line: {.name = "base"}. Both must live as long
 * as the core. Without designs, events are counted and nothing is timed.
 *
 * needs:  trod_timing_machine_check
 */
struct trod_timing *trod_timing_build(const struct trod_timing_machine *machine,
    const struct trod_timing_design *design, uint32_t ndesign, struct trod_arena *mem);

/* Take a run. Returns its events, except cycle_power, valid until the next run. */
const struct trod_timing_events *trod_timing_take(
    struct trod_timing *core, const struct trod_run *run);

/* Pass each run to a callback, in order, when all its events are final: when as many instructions as the reorder
 * buffer holds have followed it, or at the end. The accesses of the run are not included. Call before the first run, or never.
 *
 * needs:  a design
 */
void trod_timing_when_final(struct trod_timing *core,
    void (*final)(
        void *ctx, const struct trod_run *run, const struct trod_timing_events *events),
    void *ctx);

/* The end of the stream: makes all events final. */
void trod_timing_end(struct trod_timing *core);

/* Totals so far. Cycles have one row for each design, in order. */
const struct trod_timing_events *trod_timing_events_of(const struct trod_timing *core);
uint32_t trod_timing_designs(const struct trod_timing *core);
void trod_timing_cycles_of(
    struct trod_timing_cycles *out, const struct trod_timing *core);

/* The same as a sink for streams. */
struct trod_timing_sink {
    struct trod_branch_sink sink;
    struct trod_timing *core;
};
void trod_timing_sink_init(struct trod_timing_sink *out, struct trod_timing *core);

/* --- core_print.c: output ------------------------------------------------------------------------------------------------- */

/* Printed with every report. */
extern const char trod_timing_caveat[];

/* Overheads are relative to the first design. */
void trod_timing_report(struct trod_sink *sink, const struct trod_timing *core,
    const struct trod_timing_machine *machine, struct trod_arena *mem);
/* Members of the open object. */
void trod_timing_json(struct trod_json *json, const struct trod_timing *core,
    const struct trod_timing_machine *machine, struct trod_arena *mem);

#endif
