/* format: the layout of a profile.
 *
 * Only layout, and functions that compute it, so that the runtime inside users'
 * programs, the tools and third-party readers share one definition. doc/format.md is the
 * specification; if the two differ, one of them has a bug.
 *
 * A profile is a header and a sequence of sections. All numbers are little-endian.
 *
 *     header | section | section | ...
 *
 * Every section begins with the same 64 bytes, its head; the payload follows immediately. The
 * head has the size of the section. Both have checksums, except for payloads of live
 * counters. Checksums are CRC-32 as in zlib, gzip and PNG.
 *
 * In a live profile, written by a running program, sections start on page boundaries: a
 * section of counters is mapped into the program, including its head, and a reader finds the sections
 * after a damaged one. Threads add sections concurrently, each at its own offset,
 * so there may be zeros instead of a head (a thread was about to write it when the program
 * was killed, or there was no space): search, page by page, for the next head whose checksum
 * is right. A thread that starts while the program ends has its counters after END. The file may
 * end before its last section does; the missing bytes are zeros.
 */
#ifndef TROD_FORMAT_H
#define TROD_FORMAT_H

#include <stdint.h>

#include "trod/metric.h"

#define TROD_FORMAT_MAGIC "\x89TROD\r\n\x1a" /* 8 bytes; text transfer damages them */
#define TROD_FORMAT_VERSION 6
/* Files of version 5 are those without BUNDLES. */
#define TROD_FORMAT_OLDEST 5

enum { TROD_FORMAT_PAGE = 4096 };

enum trod_format_kind {
    TROD_FORMAT_LIVE = 1,  /* by a program as it runs: raw counters, page-aligned */
    TROD_FORMAT_PACKED = 2 /* by the tools: compressed, no alignment */
};

/* At offset 0. */
struct trod_format_header {
    uint8_t magic[8];
    uint32_t version;
    uint32_t kind;
    uint64_t first; /* offset of the first section: 64; live: a multiple of a page */
    uint8_t reserved[36];
    uint32_t checksum; /* CRC-32 of the 60 bytes before it */
};

enum trod_format_section {
    TROD_SECTION_RUN = 1,    /* how the program ran: lines of text */
    TROD_SECTION_MODULE = 2, /* an image of code: names and its functions */
    TROD_SECTION_COUNTS = 3, /* live: raw counters of one module and one thread, or of
                                threads one after another */
    TROD_SECTION_END =
        4, /* live: the program ended normally; packed: the file is complete */
    TROD_SECTION_PATHS = 5,    /* packed: paths and counts of one module */
    TROD_SECTION_NOTE = 6,     /* what was lost and why: lines of text */
    TROD_SECTION_STEPS = 7,    /* live: the open part of a thread's steps */
    TROD_SECTION_PART = 8,     /* a closed part of a thread's steps */
    TROD_SECTION_SAMPLE = 9,   /* sampled subpaths of a thread */
    TROD_SECTION_BURST = 10,   /* sampling parameters of a thread in bursts */
    TROD_SECTION_REFS = 11,    /* live: loads and stores of a thread in bursts */
    TROD_SECTION_SHARED = 12,  /* live: the processes that count in the file */
    TROD_SECTION_BUNDLES = 13, /* live: counters of a module that stand for several */
    TROD_SECTION_CONTROL = 15  /* live: how a running program is to sample */
};

#define TROD_SECTION_MAGIC UINT32_C(0x44524f54) /* "TORD" read as bytes T O R D */

enum {
    TROD_SECTION_ZSTD = 1, /* flag: the payload is one zstd frame */
    TROD_SECTION_LIVE = 2 /* flag: the payload changes, checksum covers the head only */
};

/* At the start of every section. */
struct trod_format_head {
    uint32_t magic;
    uint32_t type;
    uint64_t size;    /* of the section with this head: where the next one starts */
    uint64_t payload; /* bytes of the payload, after the head */
    uint32_t flags;
    uint32_t
        module; /* COUNTS, PATHS, STEPS, PART, BUNDLES: number of the MODULE section, from 0;
                   MODULE: its own */
    uint32_t
        thread; /* COUNTS, PART: number of the thread, from 0 in order of appearance; packed
                        RUN and PATHS: number of the group of runs */
    uint8_t reserved[20];
    uint32_t payload_checksum; /* CRC-32 of the payload; 0 if LIVE */
    uint32_t checksum;         /* CRC-32 of the 60 bytes before it */
};

/* Bytes from the start of a live section to the next one: head and payload, up to a multiple of
 * page. page is TROD_FORMAT_PAGE, or a power of two above it where the system's own pages are larger.
 * 0 if that is beyond 64 bits.
 */
static inline uint64_t trod_format_live_size(uint64_t payload, uint64_t page)
{
    uint64_t slack = sizeof(struct trod_format_head) + page - 1;

    return payload > UINT64_MAX - slack ? 0 : (payload + slack) / page * page;
}

/* RUN, END, NOTE: lines "key value", each ended by a newline; the value is the rest of the line. In it a
 * backslash is written \\, and a byte below 32 or 127 as \x and two hexadecimal digits. Keys may
 * repeat; readers skip unknown ones.
 *
 *     RUN   program PATH, pid N, parent N, birth start|fork, image program|library,
 *           mode source|code, host NAME, directory PATH, start SECONDS.NANOSECONDS since 1970,
 *           argument TEXT for each, from 0; arguments N if not all N are there
 *     END   exit order, duration SECONDS.NANOSECONDS, threads N (number of COUNTS, except those that
 *           follow), private N (of these: kept in memory until then), lost N (areas
 *           whose counts could not be written), unrecorded N if not 0 (times that an untested path
 *           could not be recorded); for recorded steps: recorded N (threads), parts N (PART
 *           sections), given N if not 0 (steps that were dropped); packed: chain HEX, of the heads
 *           before it
 *     NOTE  private TEXT   the counts of a thread are in memory, and lost unless there is an END
 *           shared TEXT    threads share counters: counts may be too low
 *           dropped TEXT   functions that MODULE omits
 *           unrecorded TEXT     untested paths could not be recorded: counts are too low
 *           given TEXT     steps could not be recorded: the last ones are missing
 *           controlled TEXT     how the program samples was changed while it ran
 *           reset TEXT     counts were set to 0 while it ran
 *           budget TEXT    checks alone took more than the budget of sampling
 *           unmetered TEXT      metrics of paths that were refused, and why
 */

/* SHARED: a file in which several processes of one image count, at the same time or one after another. It is the first
 * section, and there is no END: this section has the sums of what END would say. All processes map it and change
 * it by atomic operations only. A process takes an area for each of its threads: one whose owner has ended, with its
 * counts, or a new one. So there are as many areas as there were threads at the same time.
 */
enum { TROD_SHARED_STOPS = 512, TROD_SHARED_AREAS = 2048 };

struct trod_format_shared {
    uint64_t end;   /* offset of the next section */
    uint64_t image; /* hash of the image: build id or functions, number of counters */
    uint64_t nstarted; /* processes, including children of fork */
    uint64_t nended;   /* of these: ended normally */
    uint64_t nprivate; /* as in END: sums over processes that ended */
    uint64_t nlost;
    uint64_t nunrecorded;
    uint64_t npart;    /* of these: stacks that were not seen completely */
    uint64_t duration; /* nanoseconds, likewise */
    uint32_t ncounts;  /* number of COUNTS; their numbers of threads */
    uint32_t narea;    /* entries of area in use */
    uint32_t
        noted; /* bit for each kind of NOTE: 1 private, 2 shared, 4 dropped, 8 unrecorded */
    uint32_t place; /* hash of device and number of the file; 0: unknown */
    struct trod_format_shared_stop {
        uint64_t place; /* offset of a return address in the image, plus 1; 0: none */
        uint64_t times;
    } stop
        [TROD_SHARED_STOPS]; /* by hash: activations that were unfinished when their process ended normally */
    struct trod_format_shared_area {
        uint64_t owner;  /* process id; above its 32 bits: number of changes of owner */
        uint64_t home;   /* identifies the PID namespace of the owner */
        uint64_t offset; /* of its COUNTS; 0: none yet */
    } area[TROD_SHARED_AREAS];
};

/* MODULE: this, then nfunction of trod_format_function, by ascending counter, then for each
 * function with slots, in the same order, the ids of its nslot slots, 8 bytes each, all ones:
 * no path's; then the path of the image, a NUL, and its build id in hexadecimal, a NUL; both
 * texts may be empty.
 */
struct trod_format_module {
    uint64_t ncounter; /* 8-byte counters in each of its COUNTS */
    uint32_t nfunction;
    uint16_t mode;    /* enum trod_format_mode */
    uint16_t flags;   /* TROD_MODULE_* */
    uint64_t hashed;  /* live: index of the hash table of paths among the counters */
    uint64_t nhashed; /* live: its entries, three counters each; 0: there is none */
};

enum { TROD_MODULE_BUNDLES = 1 }; /* flag: some of its counters are in BUNDLES */

/* BUNDLES: words of 32 bits. For each bundle the number of its counter, how many counters it adds to, and their numbers. A
 * counter that is listed twice is added to twice. Readers of COUNTS add the count of a bundle to each of these.
 */

/* What a path is. Counts of different modes are never merged or compared. */
enum trod_format_mode {
    TROD_MODE_SOURCE = 1,   /* all paths, before inlining: decisions of the source */
    TROD_MODE_CODE = 2,     /* all paths of the optimised code */
    TROD_MODE_STEPS = 3,    /* subpaths: paths before inlining that also end at calls */
    TROD_MODE_SEGMENTS = 4, /* paths that continue into the chosen calls */
    TROD_MODE_BLOCKS =
        5,               /* blocks of the optimised code, whose sequences are sampled */
    TROD_MODE_BURST = 6, /* paths of the optimised code and events, in bursts */
    TROD_MODE_MACHINE = 7,    /* paths of machine code, from an emulator */
    TROD_MODE_ITERATIONS = 16 /* plus k, from 2 to 8: chains of up to k paths */
};

/* The word for a mode; a null pointer: there is no such mode. */
static inline const char *trod_format_mode_word(uint32_t mode)
{
    switch (mode) {
    case TROD_MODE_SOURCE:
        return "source";
    case TROD_MODE_CODE:
        return "code";
    case TROD_MODE_STEPS:
        return "steps";
    case TROD_MODE_SEGMENTS:
        return "segments";
    case TROD_MODE_BLOCKS:
        return "blocks";
    case TROD_MODE_BURST:
        return "burst";
    case TROD_MODE_MACHINE:
        return "machine";
    case TROD_MODE_ITERATIONS + 2:
        return "iterations2";
    case TROD_MODE_ITERATIONS + 3:
        return "iterations3";
    case TROD_MODE_ITERATIONS + 4:
        return "iterations4";
    case TROD_MODE_ITERATIONS + 5:
        return "iterations5";
    case TROD_MODE_ITERATIONS + 6:
        return "iterations6";
    case TROD_MODE_ITERATIONS + 7:
        return "iterations7";
    case TROD_MODE_ITERATIONS + 8:
        return "iterations8";
    default:
        return 0;
    }
}

/* What the counters of a function count. */
enum trod_format_counted {
    TROD_COUNTED_ALL = 0,      /* every path: counter i belongs to path i */
    TROD_COUNTED_CHOSEN = 1,   /* the paths of its slots; no other path is counted */
    TROD_COUNTED_RESIDUAL = 2, /* the paths of its slots; every other path that ran is
                                  in the hash table */
    TROD_COUNTED_UNTESTED =
        3, /* none: every path that ran is in the hash table, except tested
                                  ones, which are not counted */
    TROD_COUNTED_REST =
        4, /* counter i belongs to path i; those of tested paths stay 0, since they
                                  are not counted */
    TROD_COUNTED_EVENTS = 5 /* ids are not paths but events, see below; those of its
                               slots, and others in the hash table */
};

/* Is there a counter for each path? Otherwise there is one for each slot. */
static inline int trod_format_counts_each(uint32_t counted)
{
    return counted == TROD_COUNTED_ALL || counted == TROD_COUNTED_REST;
}

/* The compiler puts a similar record into the program's read-only data (trod/rt.h). */
struct trod_format_function {
    uint64_t name;    /* FNV-1a 64 of the linkage name; for local functions of
                         "file:name", the file as the compiler was given it */
    uint64_t graph;   /* trod_graph_hash of its graph */
    uint64_t cuts;    /* hash of the set of cut edges: ids depend on it */
    uint64_t npath;   /* ids of paths are 0..npath-1 */
    uint64_t counter; /* index of its first among the module's counters */
    uint64_t nslot;   /* counters of chosen paths; 0 if all paths have one */
    uint32_t counted; /* enum trod_format_counted */
    uint32_t stops;   /* live: 1: a stop cell follows begun, see below */
};

/* A function of kind TROD_COUNTED_ALL may have a stop cell. Before each call that may not return it stores 1 + SUM x NODES +
 * BLOCK there, and 0 when it returns. SUM is that of the path so far, NODES the number of blocks in its graph. So the cell
 * says where the function was when the process ended, in whatever way. Readers convert it to a path with the
 * id npath + the value of the cell and the count 1: ids above npath are stops.
 */

/* A function has one counter more than it has paths or, unless all are counted, slots. The last one
 * does not belong to a path. It is begun: how often the function reached a place where it may be abandoned, by longjmp, an
 * exception or exit. Minus the number of times it finished after that, which follows from its paths, this is the number
 * of abandoned activations. In packed files its id is npath.
 */
static inline uint64_t trod_format_nbefore_begun(const struct trod_format_function *of)
{
    return trod_format_counts_each(of->counted) ? of->npath : of->nslot;
}

/* Bursts also count events. A function has a separate record for these, of kind
 * TROD_COUNTED_EVENTS, with the name and graph of the other record, npath TROD_EVENTS_NPATH, and
 * TROD_EVENTS_CUTS in its cuts. Loops, calls and references are numbered in the map.
 */
#define TROD_EVENTS_NPATH (UINT64_C(1) << 62)
#define TROD_EVENTS_CUTS UINT64_C(0x73746e657665) /* exclusive or */

enum trod_event_kind {
    TROD_EVENT_ENTRY = 1,     /* the function was entered */
    TROD_EVENT_BACK = 2,      /* an iteration of one of its loops began */
    TROD_EVENT_ENTER = 3,     /* loop a was entered from outside */
    TROD_EVENT_ITERATION = 4, /* an iteration of loop a began */
    TROD_EVENT_TRIPS = 5,     /* loop a ended after 2^b to 2^(b+1) - 1 iterations */
    TROD_EVENT_CALL = 6,      /* call a, of a function that the map names */
    TROD_EVENT_CALL_TO =
        7,               /* call a, of the function b - 1 bytes after the start of the
                               image; b 0: elsewhere */
    TROD_EVENT_REF = 8,  /* load or store a */
    TROD_EVENT_TIME = 9, /* a: enum trod_time_cell; b: the id of a path */
    TROD_EVENT_METER =
        10 /* a: enum trod_meter_kind times 2^16, plus enum trod_time_cell;
                              b: the id of a path */
};

/* What is known of the time of a path's executions that were timed, in ticks of the thread's clock, each
 * multiplied by its weight. The time of an execution is its own: calls are subtracted, and so is what reading the clock
 * took. Of a cell TROD_TIME_BIN + i, the count is that of executions whose own time is in bin i. Every execution that was
 * timed is in a bin.
 */
enum trod_time_cell {
    TROD_TIME_OWN = 0,     /* sum of own times */
    TROD_TIME_WITH = 1,    /* sum of times with calls */
    TROD_TIME_SQUARES = 2, /* sum of squares of own times, of each modulo 2^32 */
    TROD_TIME_HIGHS = 3,   /* sum of squares of own times, of each divided by 2^32 */
    TROD_TIME_AWAY =
        4, /* sum of times in which the thread did not run; not part of own times */
    TROD_TIME_BIN = 16 /* bin 0 */
};

/* Bins of times: below TROD_TIME_PARTS one for each number of ticks; from there on so many for each power of two, of the
 * same width. So a bin is at most an eighth wide of what it begins with.
 */
enum { TROD_TIME_PARTS = 8, TROD_TIME_BINS = 62 * TROD_TIME_PARTS };

static inline uint32_t trod_time_bin(uint64_t ticks)
{
    uint32_t power = 0;

    while (ticks >> power >= UINT64_C(2) * TROD_TIME_PARTS)
        power++;
    return power * TROD_TIME_PARTS + (uint32_t)(ticks >> power);
}

/* The fewest ticks of a bin; those of the next bin are one more than its most. */
static inline uint64_t trod_time_least(uint32_t bin)
{
    uint32_t power = bin < 2 * TROD_TIME_PARTS ? 0 : bin / TROD_TIME_PARTS - 1;

    return (uint64_t)(bin - power * TROD_TIME_PARTS) << power;
}

static inline uint64_t trod_event_id(enum trod_event_kind kind, uint32_t a, uint32_t b)
{
    return (uint64_t)kind << 56 | (uint64_t)a << 32 | b;
}

static inline uint32_t trod_event_kind(uint64_t id)
{
    return (uint32_t)(id >> 56);
}

static inline uint32_t trod_event_a(uint64_t id)
{
    return (uint32_t)(id >> 32) & UINT32_C(0xffffff);
}

static inline uint32_t trod_event_b(uint64_t id)
{
    return (uint32_t)id;
}

/* An entry of the hash table of paths. An entry that contains a 0 is unused or incomplete. A path may
 * have two entries. Fields are written in this order.
 */
struct trod_format_hashed {
    uint64_t function; /* index of the first counter of its function, plus 1 */
    uint64_t path;     /* id plus 1 */
    uint64_t count;
};

/* STEPS: the subpaths of a thread in the order in which they ended, as a growing grammar that produces exactly
 * this sequence. This, then nnode of trod_format_node. A terminal is the
 * number of a counter: that of the function's first, plus the id of the path. The counters themselves are not used.
 *
 * Rules are rings of nodes, each closed by a guard, which is not a symbol; node 0 is the guard of
 * the start. The queued terminals that were not taken follow the expansion of the start.
 *
 * Valid at every moment: one word at a time changes, between two states that produce the same sequence, or
 * one terminal more. If two words must change, undo has the old values of both, and nundo is their number
 * until the change is complete. Readers must restore them first.
 */
struct trod_format_node {
    uint32_t next;
    uint32_t symbol; /* a terminal; or TROD_STEPS_RULE and the guard of a rule */
};

#define TROD_STEPS_RULE UINT32_C(0x80000000)
#define TROD_STEPS_GUARD UINT32_C(0xfffffffe) /* the symbol of a guard */
#define TROD_STEPS_NONE UINT32_C(0xffffffff)  /* of a node that is not in use */

enum { TROD_STEPS_QUEUE = 256, TROD_STEPS_UNDO = 2 };

struct trod_format_steps {
    uint32_t thread, part; /* thread and part; if there is a PART of these, ignore the
                              nodes. Both change atomically */
    uint32_t taken;        /* terminals that were taken out of the queue so far */
    uint32_t linking; /* if it is the last node of rule 0, the first of the queue is
                         already in there; 0: none. Changes atomically with taken */
    uint32_t queued;  /* that were put into the queue so far */
    uint32_t nundo;
    struct {
        uint32_t node, next;
    } undo[TROD_STEPS_UNDO];
    uint64_t ngiven; /* later steps that were dropped */
    uint32_t nnode;
    uint32_t reserved[3];
    uint32_t queue[TROD_STEPS_QUEUE]; /* i-th at i % TROD_STEPS_QUEUE: terminal plus 1;
                                         0: none */
};

/* PART: varint number of the part of its thread, from 0; varint number of later steps that were
 * dropped; varint number of rules; then for each rule, varint number of symbols, and for each of
 * them a varint: twice a terminal, or twice the number of a rule plus 1. Rule 0 is the start, others
 * are numbered in breadth-first order. The steps in STEPS follow the parts of a
 * thread. In packed files, which have no counters, a terminal is the id plus npath + 1 of each preceding
 * function.
 */

/* SAMPLE: sampled subpaths of a thread. This, then nentry of
 * trod_format_sampled, then nchunk of trod_format_chunk. The number of a block in its module is that
 * of a counter: that of its function's first, plus its node in the graph. The counters themselves are not used.
 *
 * Every block that begins is the start of a sample with probability 1 / frequency, independently of
 * all others; its length is drawn; the estimate is count * frequency / probability of the length, with the
 * frequency of the entry's own level.
 *
 * Valid at every moment: an entry and its chunks are written, then its state is stored atomically.
 * When entries are thinned because there is no room, each gets its level and count in one store.
 * When an entry is reused, its generation changes: readers of a file that changes must compare
 * the state before and after. Entries with count 0 are unused.
 */
enum { TROD_SAMPLE_LEVELS = 64, TROD_SAMPLE_LENGTHS = 32, TROD_SAMPLE_TEXT = 14 };

enum trod_sample_identity {   /* which subpaths count as one */
    TROD_SAMPLE_ROTATION = 0, /* rotations of each other */
    TROD_SAMPLE_SEQUENCE = 1, /* only equal ones */
    TROD_SAMPLE_XOR = 2       /* those of equal length and exclusive or of numbers */
};

enum trod_sample_lengths {   /* distribution of lengths */
    TROD_SAMPLE_POWERS = 0,  /* of 2^k: proportional to bias^k; others never */
    TROD_SAMPLE_UNIFORM = 1, /* equal for all */
    TROD_SAMPLE_INVERSE = 2, /* of n: proportional to 1 / n */
    TROD_SAMPLE_LIST = 3     /* as listed */
};

enum trod_sample_ageing {
    TROD_SAMPLE_NO_AGEING = 0,
    TROD_SAMPLE_HALVES = 1, /* every period samples, all counts are halved */
    TROD_SAMPLE_WINDOW = 2  /* only the last period samples count */
};

struct trod_format_sample {
    uint32_t thread; /* number of the thread, or of the last of several */
    uint32_t nentry, nchunk;
    uint32_t identity;          /* enum trod_sample_identity */
    uint32_t lengths;           /* enum trod_sample_lengths */
    uint32_t shortest, longest; /* 2 to 1024 blocks */
    uint32_t nlength;           /* of a list */
    double bias;
    struct {
        uint32_t length;
        float chance; /* they add up to 1 */
    } length[TROD_SAMPLE_LENGTHS];
    uint32_t costs;  /* not 0: cheap samples were rejected: counts are in units of the
                                        mean cost of their blocks, in 1/255 of the most expensive */
    uint32_t ageing; /* enum trod_sample_ageing */
    uint64_t period;
    double threshold; /* 0: none. Executions from which on a subpath is reported */
    double
        frequency[TROD_SAMPLE_LEVELS]; /* by level: one of so many blocks is a start */
    uint64_t level;                    /* current */
    uint64_t nbegun;                   /* samples that began */
    uint64_t nsample;                  /* samples that were completed and counted */
    uint64_t
        ndropped; /* samples that were dropped: some of their blocks were not seen */
    uint64_t nrejected; /* samples that were rejected because of their cost */
    uint64_t
        nonce; /* samples at the current level of subpaths that were sampled once and have
                                       no entry; in units of the current level */
    uint64_t time;   /* of the thread so far, in ticks of its clock; 0: not known */
    uint64_t cost;   /* of sampling, in the same ticks, estimated */
    uint64_t floor;  /* that checks took, likewise */
    uint32_t budget; /* of a million; 0: none */
    uint32_t reserved_word;
    uint64_t reserved[3];
};

struct trod_format_sampled {
    uint64_t state;  /* generation << 48 | level << 40 | count */
    uint64_t id[2];  /* a hash */
    uint16_t length; /* blocks */
    uint16_t nbyte;  /* of text */
    uint16_t chunk;  /* the first chunk of its text */
    uint16_t reserved;
};

#define TROD_SAMPLE_COUNT UINT64_C(0xffffffffff)

static inline unsigned trod_sample_level(uint64_t state)
{
    return (unsigned)(state >> 40 & 255);
}

/* Text is LEB128: the number of the first block; then for each further block, the difference to the previous
 * one, zigzag. If rotations count as one: the least.
 */
struct trod_format_chunk {
    uint8_t text[TROD_SAMPLE_TEXT];
    uint16_t next; /* 0: none; chunk 0 is not used */
};

/* In packed files nchunk is 0, and entries are, by length, blocks, level and count: varint count, varint
 * level, varint length, then the blocks as in the text, with numbers as PART has terminals there.
 */

/* BURST: sampling parameters of a thread in bursts, kept current while it runs. Everything in a stretch that is on
 * is counted with a weight, the inverse of the share of stretches that are on: counts are estimates. With trigger
 * ALWAYS they are exact; with FLAG only shares are meaningful.
 */
enum trod_burst_type {
    TROD_BURST_PATHS,
    TROD_BURST_METHODS,
    TROD_BURST_CALLS,
    TROD_BURST_TRIPS,
    TROD_BURST_STREAMS,
    TROD_BURST_HANDLER,
    TROD_BURST_TIME,
    TROD_BURST_TYPES
};

enum trod_burst_trigger {
    TROD_BURST_COUNT = 0,
    TROD_BURST_FLAG = 1,
    TROD_BURST_ALWAYS = 2,
    TROD_BURST_NEVER = 3
};

enum trod_burst_period {
    TROD_BURST_FIXED = 0,
    TROD_BURST_PRIME = 1,
    TROD_BURST_JITTER = 2,
    TROD_BURST_GEOMETRIC = 3
};

struct trod_format_burst {
    uint32_t thread;
    uint32_t types;   /* bit t: type t was sampled */
    uint32_t trigger; /* enum trod_burst_trigger */
    uint32_t period;  /* enum trod_burst_period */
    uint32_t words, hz;
    uint32_t budget; /* of a million; 0: none */
    uint32_t reserved_word;
    uint64_t time;    /* of the thread so far, in ticks of its clock */
    uint64_t cost;    /* of bursts, in the same ticks, estimated */
    uint64_t nevent;  /* events that the runtime saw */
    uint64_t npassed; /* events in the fast copy, in the same time */
    uint64_t nmissed; /* events that occurred inside the runtime */
    struct {
        uint64_t burst;          /* events of a burst */
        uint64_t sparsity;       /* between bursts, current */
        uint64_t weight;         /* current */
        uint64_t nburst, nevent; /* begun; events that were on */
    } type[TROD_BURST_TYPES];
    uint64_t
        ticks; /* type time: of the clock that times paths, in as many nanoseconds; 0: not known */
    uint64_t nanoseconds;
    uint64_t floor; /* ticks as of time that checks took, estimated; 0: not known */
};

/* CONTROL: how a program that samples is to go on, while it runs. A controller writes setting, check and sequence; the
 * program writes the rest, once, except for heard, ignored and most. The program looks at sequence now and then, and
 * follows a setting if sequence is even and did not change meanwhile, check is right, and all values are possible. So what
 * is damaged or half-written changes nothing. Several controllers lock the file (flock).
 */
enum { TROD_CONTROL_TYPES = 16 };

enum trod_control_kind {
    TROD_CONTROL_BURST = 1, /* events in bursts */
    TROD_CONTROL_ONLINE = 2 /* block sequences */
};

/* All of it, not only what changes. Types are enum trod_burst_type. */
struct trod_format_setting {
    uint32_t on;      /* 0: nothing is sampled; 1 */
    uint32_t types;   /* bursts: bit t: type t is sampled */
    uint32_t trigger; /* bursts: enum trod_burst_trigger while on; not NEVER */
    uint32_t budget;  /* bursts: of a million; 0: none */
    uint32_t nreset;  /* how often counts were to be set to 0 */
    uint32_t reserved[3];
    uint64_t rate
        [TROD_CONTROL_TYPES]; /* bursts: one of so many events is on, by type; online:
                                           [0] one of so many blocks is a start, [1] at least */
    uint64_t burst[TROD_CONTROL_TYPES]; /* bursts: events of a burst, by type */
};

struct trod_format_control {
    uint64_t
        sequence; /* odd: the setting is being written; changes with each setting */
    struct trod_format_setting setting;
    uint32_t check;   /* CRC-32 of the sequence and the setting */
    uint32_t kind;    /* enum trod_control_kind */
    uint32_t pid;     /* of the program */
    uint32_t types;   /* bursts: bit t: type t was compiled in */
    uint32_t trigger; /* bursts: COUNT, or FLAG if the program tests a flag */
    uint32_t nreset;  /* of the setting that was followed last */
    uint32_t reserved[2];
    uint64_t heard;   /* the last sequence that some thread followed */
    uint64_t ignored; /* the last that was damaged or impossible */
    struct {
        uint64_t sparsity, weight;
    } most[TROD_CONTROL_TYPES]; /* bursts: the greatest of earlier settings, by type */
    uint64_t more[8];           /* reserved */
};

/* Bytes that check is of: the first ones. */
#define TROD_CONTROL_CHECKED (sizeof(uint64_t) + sizeof(struct trod_format_setting))

/* REFS: a chunk of the loads and stores of a thread in bursts, or of allocations. This, then
 * used bytes of records. A record is varints (LEB128, unsigned); the first says what it is. If
 * that is even, the record is a reference:
 *
 *     2 * zigzag(site less that of the previous reference, initially 0)
 *     zigzag(address less that of the last reference whose site is equal modulo TROD_REFS_LAST, initially 0)
 *
 * Otherwise it is twice one of these plus 1, followed by the listed numbers. A site is the
 * number of a counter in its module: that of the first of the function's events plus the slot of its REF. All
 * allocations and frees of the process are numbered by orders, from 0: an object
 * exists for references after AT if its own order had been assigned by then, and that of its free had not.
 *
 * Valid at every moment: used is stored after the bytes. Every chunk can be read alone.
 */
enum trod_refs_record {
    TROD_REFS_BURST = 1, /* weight: a burst begins */
    TROD_REFS_ON = 2,    /* weight: the previous burst continues in a new chunk */
    TROD_REFS_THREAD =
        3, /* thread, part, low, size, pointer: the thread and the number of this piece of it,
              from 0; its stack; its thread pointer. Resets the previous values for
              differences */
    TROD_REFS_MADE =
        4, /* zigzag(order less the last), site, zigzag(number less that of the last whose site is
              equal modulo TROD_REFS_LAST), zigzag(address less the last), size: an object was
              allocated, the number-th of its site, from 0 */
    TROD_REFS_GONE = 5, /* zigzag(order less the last), zigzag(address less the last):
                           it was freed */
    TROD_REFS_SITE =
        6, /* site, line, column, bytes of a file's name, bytes of a function's
                           name; then both names: where objects are allocated */
    TROD_REFS_AT =
        7, /* order less that of the last: number of orders assigned when what follows
              was done; before the first, none */
    TROD_REFS_RECORDS = 8
};

enum { TROD_REFS_LAST = 64, TROD_REFS_NUMBERS = 5 /* after the first, at most */ };

struct trod_format_refs {
    uint64_t used;  /* bytes after this */
    uint64_t nlost; /* later records that were lost for lack of room */
    uint64_t image; /* address of the first byte of the module's image */
    uint64_t reserved[5];
};

static inline uint64_t trod_refs_zigzag(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}

static inline uint64_t trod_refs_unzigzag(uint64_t value)
{
    return value >> 1 ^ (0 - (value & 1));
}

/* PATHS, after decompression: for each function with a path that ran, in the order of the
 * module's functions: varint index distance to the last such function, varint number of paths,
 * then for each path, ascending: varint id distance to the last one, varint count. Varints are
 * LEB128, unsigned; the first distance in each sequence is the value itself, later ones are less
 * by 1 than the difference.
 */

#endif
