/* Counts what paths do besides taking time: instructions, cache misses, page faults. Linked only into programs that were
 * built for it. General registers only, as burst.c.
 *
 * Where a path starts and ends, and around its calls, the clock is read as by burst_watch.c; the counters are read after it
 * stops and before it starts, so that times are as without metrics.
 */
#include "burster.h"

/* --- counters -------------------------------------------------------------------------------- */

static uint64_t ask(void *usage)
{
    __trod_os_usage(usage);
    return 0;
}

static void read_some(const struct trod_meter *meter, bool asks, uint64_t *out)
{
    uint64_t usage[TROD_OS_USAGE] = {0};
    uint32_t i;

    if (asks)
        __trod_keep_vectors(ask, usage);
    for (i = 0; i < TROD_RT_METRICS; i++) {
        uint32_t metric = i < meter->n ? meter->metric[i] : 0;

        out[i] = TROD_RT_UNKNOWN;
        if (metric >= TROD_METER_PAGE_FAULTS && asks)
            out[i] = usage[metric - TROD_METER_PAGE_FAULTS];
        else if (meter->page[i])
            out[i] = __trod_os_meter_read(meter->page[i]);
    }
}

static void forget(uint64_t *out)
{
    uint32_t i;

    for (i = 0; i < TROD_RT_METRICS; i++)
        out[i] = TROD_RT_UNKNOWN;
}

/* A signal handler that interrupts this and forks finds the burster busy: then its child has the pages, too. In a handler
 * that interrupts the runtime, nothing is counted.
 */
static void read_all(struct trod_burster *b, bool asks, uint64_t *out)
{
    if (!b || !b->alive || b->busy) {
        forget(out);
        return;
    }
    b->busy = true;
    atomic_signal_fence(memory_order_seq_cst);
    if (b->alive && b->meter.open)
        read_some(&b->meter, asks, out);
    else
        forget(out);
    __trod_burster_end(b);
}

/* --- paths --------------------------------------------------------------------------------------- */

static uint64_t take_off(uint64_t from)
{
    uint64_t ticks = __trod_watch_clock() - from;

    trod_own()->emitted.hand.inside += ticks;
    return ticks;
}

static void suspend(struct trod_rt_meter *meter)
{
    uint64_t from = __trod_watch_clock(), now[TROD_RT_METRICS];
    struct trod_burster *b = trod_own()->burster;
    uint32_t i;

    read_all(b, b && b->meter.asks, now);
    for (i = 0; i < TROD_RT_METRICS; i++) {
        struct trod_rt_metered *of = &meter->of[i];

        if (of->begun == TROD_RT_UNKNOWN || now[i] == TROD_RT_UNKNOWN) {
            of->begun = TROD_RT_UNKNOWN;
            continue;
        }
        of->own += now[i] - of->from;
        of->from = now[i];
    }
    meter->last = take_off(from);
}

static void go_on(struct trod_rt_meter *meter)
{
    uint64_t from = __trod_watch_clock(), now[TROD_RT_METRICS];
    struct trod_burster *b = trod_own()->burster;
    uint32_t i;

    read_all(b, b && b->meter.asks, now);
    for (i = 0; i < TROD_RT_METRICS; i++) {
        if (now[i] == TROD_RT_UNKNOWN)
            meter->of[i].begun = TROD_RT_UNKNOWN;
        meter->of[i].from = now[i];
    }
    take_off(from);
}

#ifdef __x86_64__

/* As in stub.h, for both kinds of code. */
#define METER(name, before, function, after)                    \
    ".pushsection .text\n\t"                                    \
    ".p2align 4\n\t"                                            \
    ".globl " name "_all\n\t"                                   \
    ".hidden " name "_all\n\t"                                  \
    ".type " name "_all, @function\n\t"                         \
    ".globl " name "_shared_all\n\t"                            \
    ".hidden " name "_shared_all\n"                             \
    ".set " name "_shared_all, " name "_all\n" name "_all:\n\t" \
    ".cfi_startproc\n\t" before "push %rbp\n\t"                 \
    ".cfi_adjust_cfa_offset 8\n\t"                              \
    ".cfi_rel_offset %rbp, 0\n\t"                               \
    "mov %rsp, %rbp\n\t"                                        \
    ".cfi_def_cfa_register %rbp\n\t"                            \
    "push %rax\n\t"                                             \
    "push %rcx\n\t"                                             \
    "push %rdx\n\t"                                             \
    "push %rsi\n\t"                                             \
    "push %rdi\n\t"                                             \
    "push %r8\n\t"                                              \
    "push %r9\n\t"                                              \
    "push %r10\n\t"                                             \
    "push %r11\n\t"                                             \
    "and $-16, %rsp\n\t"                                        \
    "mov %r11, %rdi\n\t"                                        \
    "call " function "\n\t"                                     \
    "lea -72(%rbp), %rsp\n\t"                                   \
    "pop %r11\n\t"                                              \
    "pop %r10\n\t"                                              \
    "pop %r9\n\t"                                               \
    "pop %r8\n\t"                                               \
    "pop %rdi\n\t"                                              \
    "pop %rsi\n\t"                                              \
    "pop %rdx\n\t"                                              \
    "pop %rcx\n\t"                                              \
    "pop %rax\n\t"                                              \
    "pop %rbp\n\t"                                              \
    ".cfi_def_cfa %rsp, 8\n\t"                                  \
    ".cfi_restore %rbp\n\t" after "2:\n\t"                      \
    "ret\n\t"                                                   \
    ".cfi_endproc\n\t"                                          \
    ".size " name "_all, . - " name "_all\n\t"                  \
    ".popsection"

/* Neither is called from C: the names are for these lines. The clock is the first and the last to be read. */
void __trod_meter_begin(struct trod_rt_meter *meter) TROD_RT_HIDDEN;
void __trod_meter_suspend(struct trod_rt_meter *meter) TROD_RT_HIDDEN;
void __trod_meter_go_on(struct trod_rt_meter *meter) TROD_RT_HIDDEN;

#define IF_ON "cmpq $0, (%r11)\n\tje 2f\n\t"
__asm__(METER(
    "__trod_meter_start", "", "__trod_meter_begin", "jmp __trod_watch_begin_all\n"));
__asm__(METER("__trod_meter_pause", IF_ON "call __trod_watch_pause_all\n\t",
    "__trod_meter_suspend", ""));
__asm__(METER("__trod_meter_resume", IF_ON, "__trod_meter_go_on",
    "jmp __trod_watch_resume_all\n"));
__asm__(METER("__trod_meter_ended", IF_ON, "__trod_meter_ended", ""));

void __trod_meter_suspend(struct trod_rt_meter *meter)
{
    suspend(meter);
}

void __trod_meter_go_on(struct trod_rt_meter *meter)
{
    go_on(meter);
}

static void pause(struct trod_rt_meter *meter)
{
    __asm__ volatile("mov %0, %%r11\n\tcall __trod_meter_pause_all"
        :
        : "r"(meter)
        : "r11", "memory", "cc");
}

static void resume(struct trod_rt_meter *meter)
{
    __asm__ volatile("mov %0, %%r11\n\tcall __trod_meter_resume_all"
        :
        : "r"(meter)
        : "r11", "memory", "cc");
}

#else

static void pause(struct trod_rt_meter *meter)
{
    __trod_watch_pause(&meter->watch);
    suspend(meter);
}

static void resume(struct trod_rt_meter *meter)
{
    go_on(meter);
    __trod_watch_resume(&meter->watch);
}

void __trod_meter_pause(struct trod_rt_meter *meter)
{
    if (meter->watch.begun)
        pause(meter);
}

void __trod_meter_resume(struct trod_rt_meter *meter)
{
    if (meter->watch.begun)
        resume(meter);
}
#endif

/* --- what counting itself counts ------------------------------------------------------------- */

/* Of TROD_WATCH_READS, by metric: as cost_of_read and cost_of_pause in burst_time.c. Measured in the first thread, and again
 * in others until it is known; two threads may do so at the same time: the values are alike.
 */
static uint64_t cost_of_read[TROD_METERS], cost_of_pause[TROD_METERS];
static bool costs_known;

/* NOLINTNEXTLINE(readability-non-const-parameter): the builtin writes */
static void keep_least(uint64_t *to, uint64_t value)
{
    if (value < __atomic_load_n(to, __ATOMIC_RELAXED))
        __atomic_store_n(to, value, __ATOMIC_RELAXED);
}

static void measure(const struct trod_meter *of)
{
    struct trod_rt_meter meter;
    uint64_t before[TROD_RT_METRICS];
    uint32_t i, k;

    for (i = 0; i < TROD_RT_METRICS; i++)
        meter.of[i].begun = meter.of[i].own = 0;
    meter.watch.begun = 1;
    meter.watch.own = meter.watch.nread = 0;
    resume(&meter);
    pause(&meter);
    for (i = 0; i < TROD_RT_METRICS; i++) {
        before[i] = meter.of[i].from;
        meter.of[i].own = 0;
    }
    for (k = 0; k < TROD_WATCH_READS; k++) {
        resume(&meter);
        pause(&meter);
    }
    for (i = 0; i < of->n; i++) {
        if (!of->page[i] || meter.of[i].begun == TROD_RT_UNKNOWN)
            continue;
        keep_least(&cost_of_read[of->metric[i]], meter.of[i].own);
        keep_least(&cost_of_pause[of->metric[i]], meter.of[i].from - before[i]);
    }
}

static void know_costs(const struct trod_meter *of)
{
    enum { TIMES = 8 };
    int i;

    if (!of->reads || __atomic_load_n(&costs_known, __ATOMIC_ACQUIRE))
        return;
    for (i = 0; i < (int)of->n; i++)
        if (of->page[i])
            cost_of_read[of->metric[i]] = cost_of_pause[of->metric[i]] = UINT64_MAX;
    for (i = 0; i < TIMES; i++)
        measure(of);
    __atomic_store_n(&costs_known, true, __ATOMIC_RELEASE);
}

static uint64_t cost_of(const uint64_t *of, uint32_t metric, uint64_t times)
{
    uint64_t cost = __atomic_load_n(of + metric, __ATOMIC_RELAXED);

    return cost == UINT64_MAX ? 0 : times * cost / TROD_WATCH_READS;
}

/* --- start and end ------------------------------------------------------------------------------- */

static void open_meter(struct trod_burster *b)
{
    if (!b || !b->alive || b->meter.open || !__trod_burster_begin(b))
        return;
    __trod_keep_vectors(__trod_meter_open, b);
    __trod_burster_end(b);
    know_costs(&b->meter);
}

/* Everything but the start of the watch. */
static void begin(struct trod_rt_meter *meter)
{
    struct trod_rt_hand *hand = &trod_own()->emitted.hand;
    uint64_t from, now[TROD_RT_METRICS];
    struct trod_burster *b;
    uint32_t i;

    meter->watch.begun = 0;
    if (!(hand->own >> TROD_BURST_TIME & 1))
        return;
    from = __trod_watch_clock();
    b = trod_own()->burster;
    open_meter(b);
    read_all(b, b && b->meter.asks, now);
    for (i = 0; i < TROD_RT_METRICS; i++) {
        struct trod_rt_metered *of = &meter->of[i];

        of->begun = of->from = now[i];
        of->own = 0;
        of->inside = b ? b->meter.inside[i] : 0;
    }
    meter->last = 0;
    take_off(from);
    meter->watch.own = meter->watch.nread = 0;
    meter->watch.inside = hand->inside;
    meter->watch.begun = 1;
}

#ifdef __x86_64__
void __trod_meter_begin(struct trod_rt_meter *meter)
{
    begin(meter);
}
#else
void __trod_meter_start(struct trod_rt_meter *meter)
{
    begin(meter);
    if (meter->watch.begun)
        meter->watch.begun = meter->watch.from = __trod_watch_clock();
}
#endif

static uint64_t less(uint64_t from, uint64_t what)
{
    return from > what ? from - what : 0;
}

/* As find_times in burst_time.c. What the kernel counts, the runtime hardly ever causes. */
static void find(struct trod_timed *out, struct trod_burster *b,
    const struct trod_rt_metered *of, uint32_t i, uint64_t nread)
{
    uint64_t pauses = cost_of(cost_of_pause, out->metric, nread);
    uint64_t within = less(pauses, cost_of(cost_of_pause, out->metric, 1)) +
                      cost_of(cost_of_read, out->metric, 1);

    out->own = less(of->own, cost_of(cost_of_read, out->metric, nread));
    out->with = less(of->from - of->begun, b->meter.inside[i] - of->inside + within);
    if (out->with < out->own)
        out->with = out->own;
    b->meter.inside[i] += pauses;
}

static void count(struct trod_burster *b, const struct trod_rt_meter *meter)
{
    struct trod_timed t = {.table = (const uint64_t *)(uintptr_t)meter->watch.table,
        .path = meter->watch.path,
        .weight = b->shared->type[TROD_BURST_TIME].weight};
    uint32_t i;

    for (i = 0; i < b->meter.n; i++) {
        if (meter->of[i].begun == TROD_RT_UNKNOWN)
            continue;
        t.metric = b->meter.metric[i];
        find(&t, b, &meter->of[i], i, meter->watch.nread);
        __trod_keep_vectors(__trod_time_count, &t);
    }
}

/* What the last pause took for counters came after its clock: it is a part of what calls this path, not of this path. */
void __trod_meter_ended(struct trod_rt_meter *meter)
{
    struct trod_own *own = trod_own();
    struct trod_burster *b = own->burster;
    uint64_t before[TROD_RT_METRICS], from;

    if (!meter->watch.begun)
        return;
    __trod_meter_visit(before);
    own->emitted.hand.inside -= meter->last;
    __trod_watch_ended(&meter->watch);
    own->emitted.hand.inside += meter->last;
    from = __trod_watch_clock();
    if (b && b->alive && meter->watch.path <= UINT32_MAX && __trod_burster_begin(b)) {
        count(b, meter);
        __trod_burster_end(b);
    }
    __trod_meter_leave(before);
    take_off(from);
}

/* --- the runtime itself ---------------------------------------------------------------------------- */

void __trod_meter_visit(uint64_t before[TROD_RT_METRICS])
{
    struct trod_burster *b = trod_own()->burster;

    if (b && b->meter.reads)
        read_all(b, false, before);
    else
        forget(before);
}

void __trod_meter_leave(const uint64_t before[TROD_RT_METRICS])
{
    struct trod_burster *b = trod_own()->burster;
    uint64_t now[TROD_RT_METRICS];
    uint32_t i;

    if (!b || !b->meter.reads)
        return;
    read_all(b, false, now);
    for (i = 0; i < b->meter.n; i++)
        if (now[i] != TROD_RT_UNKNOWN && before[i] != TROD_RT_UNKNOWN)
            b->meter.inside[i] +=
                now[i] - before[i] + cost_of(cost_of_pause, b->meter.metric[i], 1) / 2;
}
