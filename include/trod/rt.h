/* rt: the contract between instrumented programs and the runtime linked into them.
 *
 * The compiler port emits code and data that follow this contract; the runtime (libtrod-rt.a, linked
 * into every instrumented executable and shared library, all its symbols hidden) writes a
 * profile from them. Programs may call trod_rt_* themselves.
 *
 * The counting path, in x86-64 instructions:
 *
 *     once a function  mov %fs:__trod_thread, t; test t, t; je slow       3
 *     count            lea table(%rip), p; incq -1(p, t, index)           2
 *
 * The counters of a module are in its section __trod_cnt, which serves as a template: each thread counts
 * in its own copy of it, a mapping of the profile. __trod_thread is 1 + the distance from
 * the section to the copy, or 0 until the thread has one. So counts survive any end of
 * the process, threads never share a counter, and nothing is interposed. The distance is 0 only if there is
 * no memory for a copy.
 *
 * A function may keep the value for as long as it runs: across fork, and until its image is
 * unloaded, the copy stays in place. __trod_thread itself may change meanwhile.
 *
 * A function that counts only some of its paths has counters for these, its slots.
 * If other paths are wanted as well, emitted code passes each of them to __trod_untested.
 */
#ifndef TROD_RT_H
#define TROD_RT_H

#include <stdint.h>

#include "trod/format.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TROD_RT_HIDDEN __attribute__((visibility("hidden")))

/* --- emitted by the compiler ------------------------------------------------------ */

/* One for each function, in section __trod_fn, in any order. Aligned to exactly 8 bytes, because they
 * form an array. The linker drops the record of a dropped function with it. Counters
 * in __trod_cnt are aligned to at least 8 and at most 64 bytes.
 */
struct trod_rt_function {
    uint64_t name, graph, cuts, npath; /* as in struct trod_format_function */
    int64_t table; /* from the address of this field to the function's counters:
                      npath + 1, or nslot + 1 unless counted is TROD_COUNTED_ALL */
    int64_t ids;   /* from the address of this field to the ids of its slots */
    uint32_t nslot;
    uint32_t counted; /* enum trod_format_counted, and TROD_RT_STOPS */
};

/* In struct trod_rt_function.counted: a stop cell follows begun (trod/format.h). */
#define TROD_RT_STOPS UINT32_C(0x100)

/* Ids of slots are constant data: uint32_t each if npath < UINT32_MAX, else uint64_t. All ones: the
 * slot belongs to no path, and its counter is meaningless.
 */

/* Hash table of untested paths, in __trod_cnt like the counters, so that each thread has its own
 * table in its area. Every object with functions of kind TROD_COUNTED_RESIDUAL or
 * TROD_COUNTED_UNTESTED defines it, zero-initialised, and the linker keeps one; other programs have none.
 */
enum { TROD_RT_HASHED = 512 }; /* entries, a power of two */
extern struct trod_format_hashed __trod_hashed[TROD_RT_HASHED] TROD_RT_HIDDEN
    __attribute__((weak));

/* The number of entries, also a power of two, if many are expected. An object
 * that defines it puts it into one group with the table.
 */
enum { TROD_RT_HASHED_MANY = 16384 };
extern const uint32_t __trod_nhashed TROD_RT_HIDDEN __attribute__((weak));

/* Bundles: counters that stand for several others, because all of these would be incremented together. Section __trod_bnd
 * is a sequence of records: the counter, how many it adds to, these. Each counter is given as the distance in bytes
 * from its own word. A counter that is listed twice is incremented twice. Emitted code increments the bundle only, so
 * readers add it to what it stands for (trod/format.h, BUNDLES).
 */
extern const int32_t __start___trod_bnd[] TROD_RT_HIDDEN __attribute__((weak));
extern const int32_t __stop___trod_bnd[] TROD_RT_HIDDEN __attribute__((weak));

/* One for each module (image), defined by the linker from the sections of the objects. */
extern uint64_t __start___trod_cnt[] TROD_RT_HIDDEN __attribute__((weak));
extern uint64_t __stop___trod_cnt[] TROD_RT_HIDDEN __attribute__((weak));
extern const struct trod_rt_function __start___trod_fn[] TROD_RT_HIDDEN
    __attribute__((weak));
extern const struct trod_rt_function __stop___trod_fn[] TROD_RT_HIDDEN
    __attribute__((weak));

/* enum trod_format_mode of the module; every object defines it, the linker keeps one. */
extern const uint32_t __trod_mode TROD_RT_HIDDEN __attribute__((weak));

/* Defined if the module records untested paths: it writes a profile even if there were none. */
extern const uint32_t __trod_seeks TROD_RT_HIDDEN __attribute__((weak));

/* Defined if the module counts only functions of a list: it writes a profile even if none of them ran, or
 * the module has none of them.
 */
extern const uint32_t __trod_always TROD_RT_HIDDEN __attribute__((weak));

/* Defined if the module records steps: the order in which paths end, instead of their counts.
 * According to their records, its functions count all paths (TROD_COUNTED_ALL), but nothing
 * writes to their counters.
 */
extern const uint32_t __trod_records TROD_RT_HIDDEN __attribute__((weak));

/* The name of the profile, unless the environment overrides it; from `trod cc --out`. */
extern const char __trod_out[] TROD_RT_HIDDEN __attribute__((weak));

/* --- used by emitted code ------------------------------------------------------------- */

/* The thread's state for this image: the distance to its counters, and, in programs with two copies of the
 * code, the words that code and runtime exchange. In code for executables (also position-independent ones) it is a
 * thread-local variable of the initial-exec model, which linkers relax to local-exec.
 */
extern __thread uintptr_t __trod_thread TROD_RT_HIDDEN
    __attribute__((tls_model("initial-exec")));

/* Called on function entry while __trod_thread is 0: give the thread its counters. Returns
 * the new value, which is not 0. Safe in signal handlers and before constructors.
 */
uintptr_t __trod_enter(void) TROD_RT_HIDDEN;

/* On x86-64, the same with LLVM's calling convention preserve_most. */
void __trod_enter_most(void) TROD_RT_HIDDEN;

/* __trod_thread, or __trod_enter() while that is 0. Only for code that did not reach the end
 * of the optimizer, which replaces the call.
 */
uintptr_t __trod_self(void) TROD_RT_HIDDEN;

/* table[index] += by, in the copy of the thread. Likewise. */
void __trod_count(
    uintptr_t thread, uint64_t *table, uint64_t index, uint64_t by) TROD_RT_HIDDEN;

/* table[index] = value, in the copy of the thread. Likewise. */
void __trod_put_cell(
    uintptr_t thread, uint64_t *table, uint64_t index, uint64_t value) TROD_RT_HIDDEN;

/* (*counter)++, in the copy of the thread: for rare counts, where code should be short. On x86-64
 * with LLVM's calling convention preserve_most.
 */
void __trod_count_rare(uint64_t *counter) TROD_RT_HIDDEN;
void __trod_count_rare_most(uint64_t *counter) TROD_RT_HIDDEN;
/* The same, called by code for shared libraries. The first is for other machines than x86-64. */
void __trod_count_rare_shared(uint64_t *counter) TROD_RT_HIDDEN;
void __trod_count_rare_shared_most(uint64_t *counter) TROD_RT_HIDDEN;

/* How a path is looked up by its sum, which is its id unless stated otherwise. */
enum trod_rt_ending {
    TROD_RT_SELECT, /* the sum is a slot, if it is below nslot */
    TROD_RT_PREFER, /* the low bits are the id; the high bits are the slot, if that is below nslot and
                       has this id */
    TROD_RT_HASH,  /* the slot is sum * number >> bits, if that has this id */
    TROD_RT_STRAY, /* the low bits are the id; the high bits must be 0 */
    TROD_RT_MASK,  /* this bit of number must be set */
    TROD_RT_BITS   /* this bit of ids must be set, 32 a word */
};
enum {
    TROD_RT_KIND = 15,    /* of enum trod_rt_ending */
    TROD_RT_COUNTS = 16,  /* count in the slot if the path was found */
    TROD_RT_REPORTS = 32, /* __trod_untested if it was not */
    TROD_RT_WIDE = 64,    /* ids are 64 bits wide */
    TROD_RT_DIRECT =
        128, /* instead of __trod_untested: count in the counter of its id */
    TROD_RT_BITS_AT = 8
};
#define TROD_RT_BITS_OF(how) ((unsigned)((how) >> TROD_RT_BITS_AT & 127))

/* Look a path up. Only for code that did not reach the end of the optimizer, which replaces the call by a
 * few instructions.
 */
void __trod_ask(uintptr_t thread, uint64_t *table, const void *ids, uint64_t how,
    uint64_t nslot, uint64_t number, uint64_t sum) TROD_RT_HIDDEN;

/* If calls are followed and code would grow too much, one copy of the callee serves
 * several callers. It receives the address of the caller's sum, whether the sum is followed (all ones,
 * or 0), and a context: what to do at each of its sites for that caller.
 */
enum trod_rt_action {
    TROD_RT_SET,         /* the sum is value */
    TROD_RT_ADD,         /* value is added to it */
    TROD_RT_COUNT,       /* the counter sum + value */
    TROD_RT_COUNT_AT,    /* the counter value */
    TROD_RT_LOOK,        /* __trod_ask with (sum + value) & look.mask */
    TROD_RT_LOOK_ASTRAY, /* the same with astray */
    TROD_RT_REPORT,      /* __trod_untested with (sum + value) & report_mask */
    TROD_RT_REPORT_AT,   /* __trod_untested with value & report_mask */
    TROD_RT_PAUSE        /* the sum is not followed any more: its mask is 0 */
};
struct trod_rt_op {
    uint64_t action; /* enum trod_rt_action */
    uint64_t value;
};
struct trod_rt_look {
    uint64_t how, nslot, number, mask;
};
struct trod_rt_context {
    uint64_t *table;
    const void *ids;
    struct trod_rt_look look, astray;
    uint64_t report_mask;
    uint64_t
        direct; /* not 0: a path is reported by counting it in the counter of its id */
    const uint32_t *first_op; /* by site, and one more */
    const struct trod_rt_op *op;
};
void __trod_relay(uint64_t *sum, uint64_t *mask, const struct trod_rt_context *context,
    uint64_t site) TROD_RT_HIDDEN;

/* A path that is not among the tested ones ended: record and count it. table is that of
 * the function. Safe in signal handlers and before constructors. 37 instructions, one
 * of them atomic, if the path is in the table; some hundreds when the table is nearly full.
 */
void __trod_untested(const uint64_t *table, uint64_t path) TROD_RT_HIDDEN;

/* On x86-64, the same with LLVM's calling convention preserve_most. */
void __trod_untested_most(const uint64_t *table, uint64_t path) TROD_RT_HIDDEN;

/* A path ended in a module that records steps. at is the address of its counter, table + id. That
 * address is neither read nor written; its index in __trod_cnt, which is below 2^31, is the terminal
 * that is appended to the grammar of the thread's steps. Safe in signal handlers, even if they leave by longjmp, and
 * before constructors. Steps of a handler that interrupts this function are appended after the interrupted
 * step. doc/production/runtime.md lists the cost.
 */
void __trod_step(const uint64_t *at) TROD_RT_HIDDEN;

/* On x86-64, the same with LLVM's calling convention preserve_most. */
void __trod_step_most(const uint64_t *at) TROD_RT_HIDDEN;

/* --- sampled subpaths ------------------------------------------------------------------ */

/* Defined if the module samples subpaths: the options of `trod cc --online=...`. According to their records
 * (TROD_COUNTED_ALL), its functions have a counter for each block, but nothing writes to these.
 */
extern const char __trod_online[] TROD_RT_HIDDEN __attribute__((weak));

/* What emitted code and the runtime exchange, for each thread. At function entries and in each iteration of
 * loops, emitted code subtracts from one of the skips the largest number of blocks that can begin before it
 * subtracts again, and jumps to the slow copy if the result is negative. After anything that may have run other
 * code, it does so if samples are pending. Each skip is drawn independently, which does not change the
 * distribution, and avoids waiting for a word that was just written.
 */
enum { TROD_RT_SKIPS = 16, TROD_RT_WORD_AT = 16, TROD_RT_SLOT_AT = 32 };
#define TROD_RT_WORD_MOST ((UINT64_C(1) << TROD_RT_WORD_AT) - 1)
struct trod_rt_hand {
    uint64_t pending; /* not 0: samples are pending, and all skips are negative */
    uint64_t own;     /* see below */
    uintptr_t
        at; /* address of the block's counter, whose index in __trod_cnt is the number of the block, plus
                         from 0 to 7 the binary logarithm of its cost, which is at most 255; 0: none */
    uint64_t most;  /* number to subtract; from TROD_RT_WORD_AT on: index of the skip */
    uint64_t value; /* additional argument of events in bursts */
    int64_t skip[TROD_RT_SKIPS]; /* blocks or events before the next check */
    uint64_t inside; /* where paths are timed: ticks that the runtime itself took */
};

/* At __trod_thread. */
struct trod_rt_own {
    uintptr_t thread;
    struct trod_rt_hand hand;
};

/* Static TLS is scarce, and each shared library that is opened while the program runs would use some of it until it is
 * closed. So code for shared libraries (position-independent, and not for executables) has no thread-local
 * variable: all images of a process share one word of each thread, at offset __trod_slot from the thread pointer. That
 * word plus __trod_entry is the address of two words of this image: first the equivalent of __trod_thread, then
 * the address of the thread's trod_rt_own. Both are 0 until the thread has one; __trod_entry is 0 until
 * the image is registered, or if there is no such word. Once per function, in x86-64 instructions:
 *
 *     mov __trod_entry(%rip), e; test e, e; je slow; mov __trod_slot(%rip), t
 *     mov %fs:(t), t; mov (t, e), t; test t, t; je slow                             8
 *
 * Code of both kinds may be in one image. Each object of code for executables refers to __trod_link_with_trod_cc, so
 * that the variable is linked; each of the other kind refers to __trod_entry.
 */
extern uint64_t __trod_slot TROD_RT_HIDDEN;
extern uint64_t __trod_entry TROD_RT_HIDDEN;
extern const uint32_t __trod_link_with_trod_cc TROD_RT_HIDDEN;

/* Called by code for shared libraries if the second word is 0, or instead of reading it: the thread's trod_rt_own. */
struct trod_rt_own *__trod_own_enter(void) TROD_RT_HIDDEN;
/* On x86-64, the same with LLVM's calling convention preserve_all. */
void __trod_own_enter_all(void) TROD_RT_HIDDEN;

/* Called on the way from the slow copy to the fast one, before it subtracts or, with at 0, after it subtracted; and
 * where the fast copy subtracted and will not do so again. On return, own is the argument of the next __trod_block,
 * or TROD_RT_FAST: continue in the fast copy, and subtract, or having subtracted.
 */
#define TROD_RT_FAST UINT64_MAX
void __trod_online_again(void) TROD_RT_HIDDEN;
void __trod_online_enter(void) TROD_RT_HIDDEN;
/* Called where there is no way back to the fast copy, after the fast copy subtracted, and in the slow copy instead of
 * subtracting: the same, but own is 0 instead of TROD_RT_FAST.
 */
void __trod_online_stay(void) TROD_RT_HIDDEN;
void __trod_online_pass(void) TROD_RT_HIDDEN;

/* In the slow copy, a block begins. own is the value that the last of these calls in the same
 * activation left, or 0 after a test.
 */
void __trod_block(void) TROD_RT_HIDDEN;

/* In the slow copy, before a function returns that may be a signal handler: the interrupted code may be
 * in the fast copy, whose blocks are not seen.
 */
void __trod_online_left(void) TROD_RT_HIDDEN;

/* On x86-64, the same with all registers but r11 preserved, and with any stack pointer; __trod_block_all has at in r11.
 * Code for shared libraries calls __trod_block_shared_all, and likewise of the others and of bursts.
 */
void __trod_online_left_all(void) TROD_RT_HIDDEN;
void __trod_online_again_all(void) TROD_RT_HIDDEN;
void __trod_online_enter_all(void) TROD_RT_HIDDEN;
void __trod_online_stay_all(void) TROD_RT_HIDDEN;
void __trod_online_pass_all(void) TROD_RT_HIDDEN;
void __trod_block_all(void) TROD_RT_HIDDEN;
void __trod_block_shared_all(void) TROD_RT_HIDDEN;

/* --- bursts ------------------------------------------------------------------------------- */

/* Defined if the module is sampled in bursts: the options of `trod cc --burst=...`; the types that it can be
 * sampled for, bits of enum trod_burst_type; and whether emitted code tests the flag instead of skips.
 */
extern const char __trod_burst[] TROD_RT_HIDDEN __attribute__((weak));
extern const uint32_t __trod_burst_types TROD_RT_HIDDEN __attribute__((weak));
extern const uint32_t __trod_burst_flagged TROD_RT_HIDDEN __attribute__((weak));

/* Not 0: a burst of some thread is due. */
extern unsigned char __trod_burst_flag TROD_RT_HIDDEN;

/* An event: a function was entered, or a back edge was taken. at is the counter of entries. If the distance (in most,
 * from bit TROD_RT_WORD_AT on; the low bits are the index of the skip) is not 0, at is the counter of the loop's
 * iterations, and the counter of the function's iterations is so many before it. own is TROD_RT_FAST if the event comes
 * from the fast copy: the skip was subtracted from and is negative, or the flag is set. On return, own has the types that
 * sample the next stretch, bits of enum trod_burst_type; 0: continue in the fast copy.
 */
void __trod_burst_pass(void) TROD_RT_HIDDEN;

/* In the slow copy, for stretches of their type. A path ended: at is its counter. */
void __trod_burst_path(void) TROD_RT_HIDDEN;
/* A loop was entered: at is a counter. A loop ended after value iterations, or 0 if not all were seen: at is the
 * first of its bins.
 */
void __trod_burst_trip(void) TROD_RT_HIDDEN;
void __trod_burst_left(void) TROD_RT_HIDDEN;
/* A call: at is its counter. For an indirect call, value is its target, the low bits of most are the number of the call,
 * and those from TROD_RT_SLOT_AT on the slot among its function's events.
 */
void __trod_burst_call(void) TROD_RT_HIDDEN;
void __trod_burst_call_to(void) TROD_RT_HIDDEN;
/* A load or store: at is its counter, value the address. */
void __trod_burst_ref(void) TROD_RT_HIDDEN;

/* In code whose paths can be timed, the same functions have other names, __trod_timed_pass and so on: they also add to
 * inside. Each activation has a watch, and passes its address, on x86-64 in r11. Emitted code sets path and
 * table before the end of a path.
 *
 *     start    a path begins, after an event: runs, if own has the type, and is off otherwise
 *     pause    before a call, and where a path ends
 *     resume   after the call
 *     ended    the path ended: count its time
 */
struct trod_rt_watch {
    uint64_t begun;  /* clock when the path began; 0: off */
    uint64_t from;   /* clock when it was last started, resumed or paused */
    uint64_t own;    /* ticks that it ran, up to its last pause */
    uint64_t nread;  /* number of pauses */
    uint64_t inside; /* of the thread, when the path began */
    uint64_t path;   /* id */
    uint64_t table;  /* address of the first counter of the function's events */
};

void __trod_watch_start(struct trod_rt_watch *watch) TROD_RT_HIDDEN;
void __trod_watch_pause(struct trod_rt_watch *watch) TROD_RT_HIDDEN;
void __trod_watch_resume(struct trod_rt_watch *watch) TROD_RT_HIDDEN;
void __trod_watch_ended(struct trod_rt_watch *watch) TROD_RT_HIDDEN;

/* In programs that also count metrics, each activation has one of these instead, and passes it to functions of other
 * names, which also do what those above do.
 */
enum { TROD_RT_METRICS = 4 };
#define TROD_RT_UNKNOWN UINT64_MAX
struct trod_rt_meter {
    struct trod_rt_watch watch;
    struct trod_rt_metered {
        uint64_t begun;  /* counter when the path began; UNKNOWN: not counted */
        uint64_t from;   /* when it was last started, resumed or paused */
        uint64_t own;    /* events up to its last pause */
        uint64_t inside; /* of the thread, when the path began */
    } of[TROD_RT_METRICS];
    uint64_t last; /* ticks that the last pause took for reading counters */
};

void __trod_meter_start(struct trod_rt_meter *meter) TROD_RT_HIDDEN;
void __trod_meter_pause(struct trod_rt_meter *meter) TROD_RT_HIDDEN;
void __trod_meter_resume(struct trod_rt_meter *meter) TROD_RT_HIDDEN;
void __trod_meter_ended(struct trod_rt_meter *meter) TROD_RT_HIDDEN;
void __trod_timed_pass(void) TROD_RT_HIDDEN;
void __trod_timed_path(void) TROD_RT_HIDDEN;
void __trod_timed_trip(void) TROD_RT_HIDDEN;
void __trod_timed_left(void) TROD_RT_HIDDEN;
void __trod_timed_call(void) TROD_RT_HIDDEN;
void __trod_timed_call_to(void) TROD_RT_HIDDEN;
void __trod_timed_ref(void) TROD_RT_HIDDEN;

/* --- allocations ------------------------------------------------------------------------- */

/* In programs whose data streams are sampled: a call site that allocates objects. Emitted as zeros, except
 * for the last four fields.
 */
struct trod_rt_site {
    uint64_t nmade;  /* objects so far */
    uint32_t number; /* number of the site, from 1 in the order of first execution */
    uint32_t said;   /* the process whose profile already has it */
    uint32_t line, column;
    const char *file, *function;
};

/* After a call that allocates so many bytes; NULL: it failed. Likewise for posix_memalign, which returned
 * status; and for a call that returns a string, whose NUL is the last byte.
 */
void __trod_heap_made(
    const void *object, uint64_t size, struct trod_rt_site *site) TROD_RT_HIDDEN;
void __trod_heap_made_at(void *const *at, uint32_t status, uint64_t size,
    struct trod_rt_site *site) TROD_RT_HIDDEN;
void __trod_heap_made_text(const char *text, struct trod_rt_site *site) TROD_RT_HIDDEN;

/* Before a call that frees an object, or NULL. */
void __trod_heap_gone(const void *object) TROD_RT_HIDDEN;

/* Before realloc, to get an order; and after it. */
uint64_t __trod_heap_order(void) TROD_RT_HIDDEN;
void __trod_heap_moved(uint64_t order, const void *from, const void *object,
    uint64_t size, struct trod_rt_site *site) TROD_RT_HIDDEN;

/* --- for programs themselves ------------------------------------------------------------ */

/* The names of profiles, determined at start: TROD_OUT in the environment, otherwise `trod cc --out`, otherwise
 * "%e.%p.trod" for an executable and "%e.%p.%m.trod" for a shared library. %p process id, %e name of
 * the program, %h host, %m name of the image, %t seconds since 1970, %% a percent sign; any other
 * % stands for itself. A relative name is relative to the directory the program started in. Missing directories
 * of the name are created. If the name exists, a number is inserted before its suffix .trod.
 */

/* Wait until all counts up to now are on disk (msync). 0, or -1 if there is no
 * profile or some counts are not in it. Safe in signal handlers.
 */
int trod_rt_sync(void) TROD_RT_HIDDEN;

#ifdef __cplusplus
}
#endif

#endif
