/* A program that does not count all paths, and events that may occur while it records the rest.
 *
 *     hashed_program SCENARIO [ARGUMENT...]
 *
 * Like harness.c: status 9 if something is wrong; the test reads the profile.
 */
#define _GNU_SOURCE 1

#include "alone.h"
#include "emitted.h"
#include "scenario.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

FUNCTION(step, 4, 1);
SLOTTED(pick, 99, 2, uint32_t, 4, 1, 7, (uint32_t)-1, 0, 98);
SLOTTED(rest, 100000, 3, uint32_t, 3, 2, 5, (uint32_t)-1, 70000);
SLOTTED(huge, 9223372036854775807, 4, uint64_t, 2, 2, 4294967295, (uint64_t)-1);
SLOTTED(bare, 8, 5, uint32_t, 0, 3, 0);
MET;

static __attribute__((noinline)) void step(void)
{
    ENTER;
    COUNT(step, 0);
}

/* Paths 1000 to 1000 + n - 1 of rest, in order, `times` times over. */
static __attribute__((noinline)) void count_paths(unsigned n, unsigned times)
{
    unsigned i;

    while (times--) {
        for (i = 0; i < n; i++)
            UNTESTED(rest, 1000 + i);
    }
}

static struct trod_format_hashed *mine(void)
{
    return (struct trod_format_hashed *)((char *)__trod_hashed + (__trod_thread - 1));
}

/* --- slots and entries ------------------------------------------------------------ */

/* 18 paths and one begun; a slot without a path is not counted. */
static int slots(char **argv)
{
    unsigned i;
    ENTER;

    (void)argv;
    COUNT(pick, 0);
    for (i = 0; i < 2; i++)
        COUNT(pick, 2);
    for (i = 0; i < 3; i++)
        COUNT(pick, 3);
    COUNT(pick, 4);
    for (i = 0; i < 1000; i++)
        COUNT(pick, 1);
    for (i = 0; i < 4; i++)
        COUNT(huge, 0);
    COUNT(huge, 1);
    for (i = 0; i < 5; i++)
        UNTESTED(bare, 7);
    UNTESTED(bare, 0);
    UNTESTED(huge, UINT64_C(9223372036854775806));
    UNTESTED(huge, 0);
    return 0;
}

/* As if a handler had counted the path between two words of an entry, or two threads at once. */
static int entries(char **argv)
{
    uint64_t function = (uint64_t)(table_of_bare - __start___trod_cnt) + 1;
    struct trod_format_hashed *hashed, *free = NULL;
    unsigned i, found = 0;

    (void)argv;
    for (i = 0; i < 3; i++)
        UNTESTED(bare, 3);
    hashed = mine();
    for (i = 0; i < TROD_RT_HASHED; i++) {
        if (hashed[i].function) {
            MUST(hashed[i].function == function && hashed[i].path == 4 &&
                 hashed[i].count == 3);
            found++;
            hashed[i].path = hashed[i].count = 0;
        } else {
            free = hashed + i;
        }
    }
    MUST(found == 1);
    UNTESTED(bare, 3); /* passes on to the next entry */
    UNTESTED(bare, 3);
    MUST(!free->function);
    free->function = function;
    free->path = 4;
    free->count = 40;
    (free - 1)->function = function;
    (free - 1)->path = 8;
    return 0;
}

#ifdef __x86_64__
/* Arguments and all registers that preserve_most saves are restored. */
static int registers(char **argv)
{
    uint64_t out[8] = {0};
    unsigned i;

    (void)argv;
    for (i = 0; i < 2000; i++) {
        __asm__ volatile("lea -256(%%rsp), %%rsp\n\t"
                         "mov %1, %%rdi\n\tmov %2, %%rsi\n\t"
                         "mov $11, %%eax\n\tmov $12, %%ecx\n\tmov $13, %%edx\n\t"
                         "mov $14, %%r8d\n\tmov $15, %%r9d\n\tmov $16, %%r10d\n\t"
                         "call __trod_untested_most\n\t"
                         "lea 256(%%rsp), %%rsp\n\t"
                         "mov %%rax, 0(%0)\n\tmov %%rcx, 8(%0)\n\tmov %%rdx, 16(%0)\n\t"
                         "mov %%r8, 24(%0)\n\tmov %%r9, 32(%0)\n\tmov %%r10, 40(%0)\n\t"
                         "mov %%rdi, 48(%0)\n\tmov %%rsi, 56(%0)\n\t"
            :
            : "r"(out), "r"(table_of_rest), "r"((uint64_t)i)
            : "rax", "rcx", "rdx", "rdi", "rsi", "r8", "r9", "r10", "r11", "memory",
            "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
            "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
        MUST(out[0] == 11 && out[1] == 12 && out[2] == 13 && out[3] == 14 &&
             out[4] == 15 && out[5] == 16 && out[6] == (uint64_t)table_of_rest &&
             out[7] == i);
    }
    return 0;
}
#endif

/* --- many paths, many threads ------------------------------------------------------- */

/* N paths, each NTIMES times; an older frame continues where it was. */
static int many(char **argv)
{
    uintptr_t before;
    ENTER;

    before = __trod_thread;
    COUNT(step, 0);
    count_paths((unsigned)argument(argv, 2, 5000), (unsigned)argument(argv, 3, 1));
    COUNT(step, 1);
    MUST(trod_base == before);
    return 0;
}

static unsigned npath, ntimes;

static void *count_all(void *unused)
{
    ENTER;

    (void)unused;
    COUNT(step, 0);
    count_paths(npath, ntimes);
    COUNT(step, 1);
    return NULL;
}

/* threads NPATH NTIMES NTHREAD ROUNDS */
static int threads(char **argv)
{
    unsigned round;

    npath = (unsigned)argument(argv, 2, 1000);
    ntimes = (unsigned)argument(argv, 3, 1);
    for (round = 0; round < argument(argv, 5, 1); round++) {
        run_in_threads((unsigned)argument(argv, 4, 8), count_all, NULL);
        wait_until_alone();
    }
    return 0;
}

/* --- signals ---------------------------------------------------------------------- */

static atomic_ulong made;

static void on_signal(int signal)
{
    static atomic_uint next;
    unsigned i;

    (void)signal;
    for (i = 0; i < 5; i++)
        UNTESTED(rest, 1000 + atomic_fetch_add(&next, 7) % 6000);
    atomic_fetch_add(&made, 5);
}

static int handler_first(char **argv)
{
    (void)argv;
    handle(SIGUSR1, on_signal, 8192);
    raise(SIGUSR1);
    return 0;
}

static void *count_some(void *unused)
{
    (void)unused;
    count_paths(3000, 3);
    atomic_fetch_add(&made, 9000);
    return NULL;
}

/* Handlers count what the threads count, at any moment: prints the sum. */
static int storm(char **argv)
{
    unsigned i;

    (void)argv;
    handle(SIGALRM, on_signal, 0);
    tick_every(200);
    for (i = 0; i < 20; i++)
        run_in_threads(4, count_some, NULL);
    tick_every(0);
    printf("%lu\n", atomic_load(&made));
    return 0;
}

/* --- fork, death, trouble ------------------------------------------------------------ */

static void *busy(void *unused)
{
    unsigned i;

    (void)unused;
    for (i = 0; i < 1000000; i++)
        step();
    return NULL;
}

/* A frame from before two further areas continues in the child, beside new threads: 4000 paths
 * and 2 steps in the parent, 3500 and 3000000 + 1000000 steps in the child, which is killed.
 */
static int forked(char **argv)
{
    pthread_t thread[3];
    unsigned i;
    pid_t child;
    ENTER;

    (void)argv;
    COUNT(step, 1);
    count_paths(4000, 1);
    child = fork();
    MUST(child >= 0);
    if (!child) {
        start_threads(thread, 3, busy, NULL);
        for (i = 0; i < 1000000; i++)
            COUNT(step, 0);
        join_threads(thread, 3);
        count_paths(3500, 1);
        kill(getpid(), SIGKILL);
    }
    MUST(waitpid(child, NULL, 0) == child);
    COUNT(step, 1);
    return 0;
}

/* The child's counts belong to its parent, which continues where the child ended. */
static int vforked(char **argv)
{
    pid_t child;

    (void)argv;
    count_paths(500, 1);
    child = vfork(); /* NOLINT: this is what is tested */
    if (!child) {
        count_paths(3000, 1); /* NOLINT(clang-analyzer-unix.Vfork) */
        execl("/bin/true", "true", (char *)NULL);
        _exit(9);
    }
    wait_for(child);
    npath = 3000;
    ntimes = 1;
    run_in_threads(4, count_all, NULL);
    count_paths(3000, 1);
    return 0;
}

/* Killed at some moment; prints how many paths were counted, or one less. */
static int killed(char **argv)
{
    volatile unsigned long *shared = share(4096);
    unsigned i;
    pid_t child = fork();

    if (!child) {
        for (i = 0;; i = (i + 1) % 90000) {
            UNTESTED(rest, i);
            ++*shared;
        }
    }
    while (!*shared)
        sched_yield();
    kill_after(child, argument(argv, 2, 10000));
    printf("%lu\n", *shared);
    return 0;
}

/* No memory for a further area, or with an argument not even for the first: 3000 paths. */
static void *squeezed(void *first_too)
{
    struct rlimit before;

    if (!first_too)
        count_paths(1, 1);
    forbid_memory(&before);
    count_paths(3000, 1);
    MUST((__trod_thread == 1) == (first_too != NULL));
    allow_memory(&before);
    return NULL;
}

static int no_memory(char **argv)
{
    unsigned long how = argument(argv, 2, 0);

    step();
    run_in_threads(1, squeezed, how ? &how : NULL);
    if (how == 2)
        kill(getpid(), SIGKILL);
    return 0;
}

/* The directory of the profile exists only when the program ends. */
static int directory_later(char **argv)
{
    npath = 3000;
    ntimes = 1;
    run_in_threads(4, count_all, NULL);
    count_paths(3000, 1);
    MUST(!mkdir(argv[2], 0777));
    return 0;
}

static __attribute__((constructor)) void early(void)
{
    if (getenv("HARNESS_EARLY"))
        count_paths(1500, 1);
}

/* --- which ------------------------------------------------------------------------ */

static const struct scenario scenarios[] = {
    {"slots", slots},
    {"entries", entries},
#ifdef __x86_64__
    {"registers", registers},
#endif
    {"many", many},
    {"threads", threads},
    {"handler", handler_first},
    {"storm", storm},
    {"fork", forked},
    {"vfork", vforked},
    {"killed", killed},
    {"memory", no_memory},
    {"later", directory_later},
};

int main(int argc, char **argv)
{
    return run_scenario(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
}
