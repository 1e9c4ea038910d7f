/* Reads the clock where a path begins and ends, and around its calls. All that must be quick is here, and all that reads the
 * clock: a test replaces the file by itself with a clock of its own (TROD_WATCH_FAKE).
 *
 * The clock waits until everything before it is done. Otherwise the time of a load that misses the cache would be counted
 * in whatever follows it.
 */
#include "burster.h"

#ifdef TROD_WATCH_FAKE
extern __thread uint64_t trod_fake_clock;
__thread uint64_t trod_fake_clock = 1 << 20;
#endif

#ifdef __x86_64__

#include "stub.h"

/* The clock in rax; changes rdx. r: the sign before a register. */
#ifdef TROD_WATCH_FAKE
#define READ_WITH(r) "mov " r "fs:trod_fake_clock@tpoff, " r "rax\n\t"
#else
#define READ_WITH(r)        \
    "lfence\n\t"            \
    "rdtsc\n\t"             \
    "shl $32, " r "rdx\n\t" \
    "or " r "rdx, " r "rax\n\t"
#endif
#define READ_CLOCK READ_WITH("%")

/* For both kinds of code, because none of it needs the thread's own. */
#define BEGIN(name)                                             \
    ".pushsection .text\n\t"                                    \
    ".p2align 4\n\t"                                            \
    ".globl " name "_all\n\t"                                   \
    ".hidden " name "_all\n\t"                                  \
    ".type " name "_all, @function\n\t"                         \
    ".globl " name "_shared_all\n\t"                            \
    ".hidden " name "_shared_all\n"                             \
    ".set " name "_shared_all, " name "_all\n" name "_all:\n\t" \
    ".cfi_startproc\n\t"                                        \
    "cmpq $0, (%r11)\n\t"                                       \
    "je 2f\n\t"                                                 \
    "push %rax\n\t"                                             \
    ".cfi_adjust_cfa_offset 8\n\t"                              \
    "push %rdx\n\t"                                             \
    ".cfi_adjust_cfa_offset 8\n\t"

#define FINISH(name)                           \
    "pop %rdx\n\t"                             \
    ".cfi_adjust_cfa_offset -8\n\t"            \
    "pop %rax\n"                               \
    ".cfi_adjust_cfa_offset -8\n"              \
    "2:\n\t"                                   \
    "ret\n\t"                                  \
    ".cfi_endproc\n\t"                         \
    ".size " name "_all, . - " name "_all\n\t" \
    ".popsection"

/* The offsets are those of struct trod_rt_watch. */
__asm__(BEGIN("__trod_watch_pause") READ_CLOCK
    "mov %rax, %rdx\n\t"
    "sub 8(%r11), %rdx\n\t"
    "add %rdx, 16(%r11)\n\t"
    "incq 24(%r11)\n\t"
    "mov %rax, 8(%r11)\n\t" FINISH("__trod_watch_pause"));
__asm__(BEGIN("__trod_watch_resume") READ_CLOCK
    "mov %rax, 8(%r11)\n\t" FINISH("__trod_watch_resume"));
/* begun is not 0 yet: __trod_watch_start has set it. */
__asm__(BEGIN("__trod_watch_begin") READ_CLOCK
    "mov %rax, (%r11)\n\t"
    "mov %rax, 8(%r11)\n\t" FINISH("__trod_watch_begin"));

_Static_assert(offsetof(struct trod_rt_watch, from) == 8 &&
                   offsetof(struct trod_rt_watch, own) == 16 &&
                   offsetof(struct trod_rt_watch, nread) == 24,
    "the offsets above");

uint64_t __trod_watch_clock(void)
{
    uint64_t now;

    __asm__ volatile(READ_WITH("%%") : "=a"(now) : : "rdx", "memory", "cc");
    return now;
}

static void resume(struct trod_rt_watch *watch)
{
    __asm__ volatile("mov %0, %%r11\n\tcall __trod_watch_resume_all"
        :
        : "r"(watch)
        : "r11", "memory", "cc");
}

static void pause(struct trod_rt_watch *watch)
{
    __asm__ volatile("mov %0, %%r11\n\tcall __trod_watch_pause_all"
        :
        : "r"(watch)
        : "r11", "memory", "cc");
}

#else

uint64_t __trod_watch_clock(void)
{
#ifdef TROD_WATCH_FAKE
    return trod_fake_clock;
#elif defined(__aarch64__)
    uint64_t now;

    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(now) : : "memory");
    return now;
#else
    struct trod_os_time now = __trod_os_clock();

    return now.seconds * 1000000000 + now.nanoseconds;
#endif
}

void __trod_watch_start(struct trod_rt_watch *watch)
{
    const struct trod_rt_hand *hand = &trod_own()->emitted.hand;

    watch->begun = 0;
    if (!(hand->own >> TROD_BURST_TIME & 1))
        return;
    watch->own = watch->nread = 0;
    watch->inside = hand->inside;
    watch->begun = watch->from = __trod_watch_clock();
}

void __trod_watch_pause(struct trod_rt_watch *watch)
{
    uint64_t now;

    if (!watch->begun)
        return;
    now = __trod_watch_clock();
    watch->own += now - watch->from;
    watch->nread++;
    watch->from = now;
}

void __trod_watch_resume(struct trod_rt_watch *watch)
{
    if (watch->begun)
        watch->from = __trod_watch_clock();
}

static void resume(struct trod_rt_watch *watch)
{
    __trod_watch_resume(watch);
}

static void pause(struct trod_rt_watch *watch)
{
    __trod_watch_pause(watch);
}
#endif

/* Of so many at once, because a clock may advance in steps that take longer than a read. The least of several:
 * whatever disturbs a measurement makes it longer, and too much must not be taken off.
 */
void __trod_watch_cost(uint64_t *read, uint64_t *pause_and_resume)
{
    enum { TIMES = 8 };
    struct trod_rt_watch watch = {.begun = 1};
    int i, k;

    *read = *pause_and_resume = UINT64_MAX;
    for (i = 0; i < TIMES; i++) {
        uint64_t before = __trod_watch_clock();

        watch.own = 0;
        for (k = 0; k < TROD_WATCH_READS; k++) {
            resume(&watch);
            pause(&watch);
        }
        if (watch.own < *read)
            *read = watch.own;
        if (watch.from - before < *pause_and_resume)
            *pause_and_resume = watch.from - before;
    }
}
