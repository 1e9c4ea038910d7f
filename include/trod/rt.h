/* rt: what instrumented programs and the runtime linked into them agree on.
 *
 * The compiler port emits code and data to this contract; the runtime (libtrod-rt.a, linked
 * into every instrumented executable and shared library, all its symbols hidden) makes a
 * profile of it. Programs may call trod_rt_* themselves.
 *
 * The counting path, in x86-64 instructions:
 *
 *     once a function  mov %fs:__trod_thread, t; test t, t; je slow       3
 *     count            lea table(%rip), p; incq -1(p, t, index)           2
 *
 * Counters of a module lie in its section __trod_cnt and are not counted in there, but in a
 * thread's own copy of it, a mapping of the profile: __trod_thread is 1 + the distance from
 * the former to the latter, or 0 while the thread has none. So counts survive whatever kills
 * the process, threads never share a counter, and nothing is interposed. Only when there is no
 * memory for a copy is the distance 0.
 *
 * A function may keep the value for as long as it runs: across fork, and until its image is
 * unloaded, what it points to stays in place. __trod_thread itself may change meanwhile.
 *
 * A function in which not all paths are counted has counters for the chosen ones only, its slots.
 * Where the others are wanted, too, emitted code hands each of them to __trod_untested.
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

/* One for each function, in section __trod_fn, in no order, aligned to 8 bytes and no more: they
 * must stand side by side. Functions that the linker drops take theirs along. Counters
 * in __trod_cnt are aligned to 8 bytes, at most to 64.
 */
struct trod_rt_function {
    uint64_t name, graph, cuts, npath; /* as in struct trod_format_function */
    int64_t table; /* from the address of this field to the function's counters:
                      npath + 1, or nslot + 1 unless counted is TROD_COUNTED_ALL */
    int64_t ids;   /* from the address of this field to the ids of its slots */
    uint32_t nslot;
    uint32_t counted; /* enum trod_format_counted, and TROD_RT_STOPS */
};

/* In struct trod_rt_function.counted: behind begun there is a stop cell (trod/format.h). */
#define TROD_RT_STOPS UINT32_C(0x100)

/* Ids of slots are constant data: uint32_t each if npath < UINT32_MAX, else uint64_t. All ones: the
 * slot is not a path's, and its counter means nothing.
 */

/* Hash table of untested paths, in __trod_cnt like the counters, so that each thread has its own
 * table in its area. Every object with functions of kind TROD_COUNTED_RESIDUAL or
 * TROD_COUNTED_UNTESTED defines it, zeros, and the linker keeps one; programs without have none.
 */
enum { TROD_RT_HASHED = 512 }; /* entries, a power of two */
extern struct trod_format_hashed __trod_hashed[TROD_RT_HASHED] TROD_RT_HIDDEN
    __attribute__((weak));

/* Where many are to be expected, there are this many entries instead, a power of two as well. An object
 * that defines it has it in one group with the table.
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

/* One for each module (image), made by the linker from what the objects have. */
extern uint64_t __start___trod_cnt[] TROD_RT_HIDDEN __attribute__((weak));
extern uint64_t __stop___trod_cnt[] TROD_RT_HIDDEN __attribute__((weak));
extern const struct trod_rt_function __start___trod_fn[] TROD_RT_HIDDEN
    __attribute__((weak));
extern const struct trod_rt_function __stop___trod_fn[] TROD_RT_HIDDEN
    __attribute__((weak));

/* enum trod_format_mode of the module; every object defines it, the linker keeps one. */
extern const uint32_t __trod_mode TROD_RT_HIDDEN __attribute__((weak));

/* Of a module in which untested paths are looked for: that there were none is worth a profile, too. */
extern const uint32_t __trod_seeks TROD_RT_HIDDEN __attribute__((weak));

/* Of a module in which only functions of a list are counted: that none of them ran is worth a profile, too, even where
 * the module has none of them.
 */
extern const uint32_t __trod_always TROD_RT_HIDDEN __attribute__((weak));

/* Of a module whose steps are recorded: how often paths ran is not counted, but which one ended
 * after which. Its functions count all paths, as far as their records say (TROD_COUNTED_ALL); nobody
 * writes to their counters.
 */
extern const uint32_t __trod_records TROD_RT_HIDDEN __attribute__((weak));

/* Where the profile goes unless the environment says otherwise; from `trod cc --out`. */
extern const char __trod_out[] TROD_RT_HIDDEN __attribute__((weak));

/* --- used by emitted code ------------------------------------------------------------- */

/* What a thread has of the image, its own: where its counters are, and what is handed to and fro where
 * there are two copies of the code. In code for executables (also position independent ones) it is a
 * thread-local variable, of the model initial-exec, of which linkers make local-exec.
 */
extern __thread uintptr_t __trod_thread TROD_RT_HIDDEN
    __attribute__((tls_model("initial-exec")));

/* Called on function entry while __trod_thread is 0: give the thread its counters. Returns
 * the new value, which is not 0. Safe in signal handlers and before constructors.
 */
uintptr_t __trod_enter(void) TROD_RT_HIDDEN;

/* On x86-64, the same with LLVM's calling convention preserve_most. */
void __trod_enter_most(void) TROD_RT_HIDDEN;

/* __trod_thread, or __trod_enter() while that is 0. Only for code that was not run through the end
 * of the optimizer, which makes it that.
 */
uintptr_t __trod_self(void) TROD_RT_HIDDEN;

/* table[index] += by, in the copy of the thread. Likewise. */
void __trod_count(
    uintptr_t thread, uint64_t *table, uint64_t index, uint64_t by) TROD_RT_HIDDEN;

/* table[index] = value, in the copy of the thread. Likewise. */
void __trod_put_cell(
    uintptr_t thread, uint64_t *table, uint64_t index, uint64_t value) TROD_RT_HIDDEN;

/* (*counter)++, in the copy of the thread: where that is rare and code is to be short. On x86-64
 * with LLVM's calling convention preserve_most.
 */
void __trod_count_rare(uint64_t *counter) TROD_RT_HIDDEN;
void __trod_count_rare_most(uint64_t *counter) TROD_RT_HIDDEN;
/* The same, called by code for shared libraries. */
void __trod_count_rare_shared_most(uint64_t *counter) TROD_RT_HIDDEN;

/* How a path is looked up by its sum, which is its id unless it says otherwise. */
enum trod_rt_ending {
    TROD_RT_SELECT, /* the sum is a slot, if it is below nslot */
    TROD_RT_PREFER, /* the low bits are the id; above is the slot, if that is below nslot and
                       has this id */
    TROD_RT_HASH,  /* the slot is sum * number >> bits, if that has this id */
    TROD_RT_STRAY, /* the low bits are the id; what is above must be 0 */
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

/* Look a path up. Only for code that was not run through the end of the optimizer, which makes it a
 * few instructions.
 */
void __trod_ask(uintptr_t thread, uint64_t *table, const void *ids, uint64_t how,
    uint64_t nslot, uint64_t number, uint64_t sum) TROD_RT_HIDDEN;

/* Where calls are followed and code would grow too much, one copy of the function called serves
 * several callers. It is handed where the caller's sum is, and whether it is followed (all ones,
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

/* A path that is not among the tested ones came to its end: note it, and count it. table is that of
 * the function. Safe in signal handlers and before constructors. 37 instructions, one
 * of them atomic, where the path is in the table; some hundreds when the table fills up.
 */
void __trod_untested(const uint64_t *table, uint64_t path) TROD_RT_HIDDEN;

/* On x86-64, the same with LLVM's calling convention preserve_most. */
void __trod_untested_most(const uint64_t *table, uint64_t path) TROD_RT_HIDDEN;

/* A path came to its end in a module that records: at is where its counter is, table + id. That
 * place is neither read nor written; its number in __trod_cnt, which is below 2^31, is the terminal
 * that is added to the grammar of the thread's steps. Safe in signal handlers and before
 * constructors, and where a handler leaves by longjmp. What a handler adds while the thread was in the
 * middle of adding follows that. doc/production/runtime.md lists the cost.
 */
void __trod_step(const uint64_t *at) TROD_RT_HIDDEN;

/* On x86-64, the same with LLVM's calling convention preserve_most. */
void __trod_step_most(const uint64_t *at) TROD_RT_HIDDEN;

/* --- sampled subpaths ------------------------------------------------------------------ */

/* Of a module whose subpaths are sampled: how, as `trod cc --online=...` has it. Its functions have a
 * counter for each block, as far as their records say (TROD_COUNTED_ALL); nobody writes to them.
 */
extern const char __trod_online[] TROD_RT_HIDDEN __attribute__((weak));

/* What the thread's code and the runtime hand each other. Emitted code subtracts from one of the
 * skips, at the entry of functions and in each iteration of loops, the most blocks that can begin before it
 * subtracts again, and goes to the slow copy of its code when that makes it negative; and behind
 * whatever may have run other code, when samples are pending. Each skip is drawn for itself, which
 * makes no difference to chance, and none waits for another's to be written.
 */
enum { TROD_RT_SKIPS = 16, TROD_RT_WORD_AT = 32 };
struct trod_rt_hand {
    uint64_t pending; /* not 0: samples are, and all skips are negative */
    uint64_t own;     /* see below */
    uintptr_t
        at; /* where the block's counter is, whose number in __trod_cnt is its own, plus
                         from 0 to 7 the power of two that its cost is, 255 at most; 0: none */
    uint64_t most;  /* what is subtracted, and from TROD_RT_WORD_AT on, of which skip */
    uint64_t value; /* further, of what is reported in bursts */
    int64_t
        skip[TROD_RT_SKIPS]; /* blocks, or events, that may pass before the next look */
};

/* At __trod_thread. */
struct trod_rt_own {
    uintptr_t thread;
    struct trod_rt_hand hand;
};

/* Static TLS is scarce, and each shared library that is opened while the program runs would take some of it for as
 * long as it stays. Code for shared libraries (position independent, and not for executables) has no thread-local
 * variable: all images of a process share one word of each thread, at __trod_slot from the thread pointer. The
 * word plus __trod_entry is where two words of this image are: first what __trod_thread is in other code, then
 * where the thread's trod_rt_own is. Both are 0 while the thread has none; so is __trod_entry while
 * the image is not known, or there is no such word. Once a function, in x86-64 instructions:
 *
 *     mov __trod_entry(%rip), e; test e, e; je slow; mov __trod_slot(%rip), t
 *     mov %fs:(t), t; mov (t, e), t; test t, t; je slow                             8
 *
 * Code of both kinds may be in one image. Each object of code for executables refers to __trod_link_with_trod_cc, so
 * that the variable is there; each of the other kind to __trod_entry.
 */
extern uint64_t __trod_slot TROD_RT_HIDDEN;
extern uint64_t __trod_entry TROD_RT_HIDDEN;
extern const uint32_t __trod_link_with_trod_cc TROD_RT_HIDDEN;

/* Called by code for shared libraries where the second word is 0, or instead of looking: the thread's own. */
struct trod_rt_own *__trod_own_enter(void) TROD_RT_HIDDEN;
/* On x86-64, the same with LLVM's calling convention preserve_all. */
void __trod_own_enter_all(void) TROD_RT_HIDDEN;

/* Before the fast copy subtracts, coming from the slow one, or from there having subtracted, with at 0; and where it subtracted and will not do so again. Then own is what the next __trod_block
 * is handed, or TROD_RT_FAST: go on in the fast copy, and subtract; or having subtracted.
 */
#define TROD_RT_FAST UINT64_MAX
void __trod_online_again(void) TROD_RT_HIDDEN;
void __trod_online_enter(void) TROD_RT_HIDDEN;

/* In the slow copy, a block begins. own is what it was behind the last of these calls in the same
 * activation, or 0 behind a test.
 */
void __trod_block(void) TROD_RT_HIDDEN;

/* In the slow copy, before a function returns that may be a handler of signals: what it came into may be
 * in the fast one, and would not be seen.
 */
void __trod_online_left(void) TROD_RT_HIDDEN;

/* On x86-64, the same with LLVM's calling convention preserve_all; __trod_block_all has at in r11, and
 * may be called with any stack pointer. Code for shared libraries calls __trod_block_shared_all, and
 * likewise of bursts.
 */
void __trod_online_left_all(void) TROD_RT_HIDDEN;
void __trod_online_again_all(void) TROD_RT_HIDDEN;
void __trod_online_enter_all(void) TROD_RT_HIDDEN;
void __trod_block_all(void) TROD_RT_HIDDEN;
void __trod_block_shared_all(void) TROD_RT_HIDDEN;

/* --- bursts ------------------------------------------------------------------------------- */

/* Of a module that is sampled in bursts: how, as `trod cc --burst=...` has it; which types it can be
 * sampled for, bits of enum trod_burst_type; and whether emitted code looks at the flag, not at skips.
 */
extern const char __trod_burst[] TROD_RT_HIDDEN __attribute__((weak));
extern const uint32_t __trod_burst_types TROD_RT_HIDDEN __attribute__((weak));
extern const uint32_t __trod_burst_flagged TROD_RT_HIDDEN __attribute__((weak));

/* Not 0: it is time for a burst of some thread. */
extern unsigned char __trod_burst_flag TROD_RT_HIDDEN;

/* An event: a function was entered, or goes back in a loop. at is the counter of its entries or, if the
 * distance (in most, from TROD_RT_WORD_AT on; below, which skip was taken from) is not 0, of iterations of
 * the loop, and the counter of the function's iterations so many before it. own is TROD_RT_FAST
 * if the skip was subtracted from and is below 0, or the flag was set, as it is where it comes from the fast copy. Then own is what the stretch that begins is for, bits of enum
 * trod_burst_type; 0: go on in the fast copy.
 */
void __trod_burst_pass(void) TROD_RT_HIDDEN;

/* In the slow copy, for stretches of their type. A path came to its end: value is where its counter is. */
void __trod_burst_path(void) TROD_RT_HIDDEN;
/* A loop was entered: at is a counter. It was left after value iterations, or not all were seen, 0: at is the
 * first of its bins.
 */
void __trod_burst_trip(void) TROD_RT_HIDDEN;
void __trod_burst_left(void) TROD_RT_HIDDEN;
/* A call: at is its counter; of an indirect one, value is where to, and most which it is, and from
 * TROD_RT_WORD_AT on which slot of its function's events.
 */
void __trod_burst_call(void) TROD_RT_HIDDEN;
void __trod_burst_call_to(void) TROD_RT_HIDDEN;
/* A load or store: at is its counter, value the address. */
void __trod_burst_ref(void) TROD_RT_HIDDEN;

/* --- allocations ------------------------------------------------------------------------- */

/* Of programs whose data streams are sampled: a call by which objects are allocated. Emitted zeros but
 * for the last four.
 */
struct trod_rt_site {
    uint64_t nmade;  /* objects so far */
    uint32_t number; /* its own, from 1 in the order in which sites are come to */
    uint32_t said;   /* the process whose profile it is in */
    uint32_t line, column;
    const char *file, *function;
};

/* Behind a call that allocates so many bytes; NULL: it did not. Likewise of posix_memalign, which gave
 * status; and of a call that gives text, the NUL of which is the last byte.
 */
void __trod_heap_made(
    const void *object, uint64_t size, struct trod_rt_site *site) TROD_RT_HIDDEN;
void __trod_heap_made_at(void *const *at, uint32_t status, uint64_t size,
    struct trod_rt_site *site) TROD_RT_HIDDEN;
void __trod_heap_made_text(const char *text, struct trod_rt_site *site) TROD_RT_HIDDEN;

/* Before a call that frees an object, or NULL. */
void __trod_heap_gone(const void *object) TROD_RT_HIDDEN;

/* Before realloc, for the order; and behind it. */
uint64_t __trod_heap_order(void) TROD_RT_HIDDEN;
void __trod_heap_moved(uint64_t order, const void *from, const void *object,
    uint64_t size, struct trod_rt_site *site) TROD_RT_HIDDEN;

/* --- for programs themselves ------------------------------------------------------------ */

/* Where profiles go, decided at start: the environment's TROD_OUT, else `trod cc --out`, else
 * "%e.%p.trod" for an executable and "%e.%p.%m.trod" for a shared library. %p process id, %e name of
 * the program, %h host, %m name of the image, %t seconds since 1970, %% a percent sign; any other
 * % stands for itself. A relative name is below the directory the program started in. Directories
 * that the name has are made. A name that is taken gets a number before its suffix .trod.
 */

/* Add all counts up to now to what is on disk for certain (msync). 0, or -1 if there is no
 * profile or some counts are not in it. Safe in signal handlers.
 */
int trod_rt_sync(void) TROD_RT_HIDDEN;

#ifdef __cplusplus
}
#endif

#endif
