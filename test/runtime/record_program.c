/* A program whose steps are recorded, in scenarios of how programs run and end: patterns, threads, deaths, the first and the
 * last step, no room. Those with signal handlers and children are in record_interrupted.c.
 *
 *     record_program SCENARIO [ARGUMENT...]
 *
 * Like harness.c.
 */
#define _GNU_SOURCE 1

#include "steps_log.h"
#include "steps_read.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- one thread --------------------------------------------------------------------- */

static int single(char **argv)
{
    seed = argument(argv, 4, 1);
    steps(argv[2], argument(argv, 3, 100000));
    return steps_are_there();
}

#ifdef __x86_64__
/* All registers that preserve_most saves are restored, and so is the argument. */
static int registers(char **argv)
{
    uint64_t out[8] = {0};
    uint32_t i;

    (void)argv;
    for (i = 0; i < 20000; i++) {
        const uint64_t *at = table_of_main + next_of("mixed", i);

        log_one(at);
        __asm__ volatile("lea -256(%%rsp), %%rsp\n\t"
                         "mov %1, %%rdi\n\tmov $10, %%esi\n\t"
                         "mov $11, %%eax\n\tmov $12, %%ecx\n\tmov $13, %%edx\n\t"
                         "mov $14, %%r8d\n\tmov $15, %%r9d\n\tmov $16, %%r10d\n\t"
                         "call __trod_step_most\n\t"
                         "lea 256(%%rsp), %%rsp\n\t"
                         "mov %%rax, 0(%0)\n\tmov %%rcx, 8(%0)\n\tmov %%rdx, 16(%0)\n\t"
                         "mov %%r8, 24(%0)\n\tmov %%r9, 32(%0)\n\tmov %%r10, 40(%0)\n\t"
                         "mov %%rdi, 48(%0)\n\tmov %%rsi, 56(%0)\n\t"
            :
            : "r"(out), "r"(at)
            : "rax", "rcx", "rdx", "rdi", "rsi", "r8", "r9", "r10", "r11", "memory",
            "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
            "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
        MUST(out[0] == 11 && out[1] == 12 && out[2] == 13 && out[3] == 14 &&
             out[4] == 15 && out[5] == 16 && out[6] == (uint64_t)at && out[7] == 10);
    }
    return steps_are_there();
}
#endif

/* Nanoseconds a step. */
static int speed(char **argv)
{
    unsigned long n = argument(argv, 3, 10000000), i;
    uint32_t *id = malloc(n * sizeof *id);
    struct timespec a, b;

    MUST(id);
    for (i = 0; i < n; i++)
        id[i] = next_of(argv[2], i);
    STEP(main, 0);
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (i = 0; i < n; i++)
        STEP(main, id[i]);
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%.1f\n",
        ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) /
            (double)n);
    return 0;
}

/* Killed at some moment. */
static int killed(char **argv)
{
    const uint8_t *bytes;
    size_t size;
    pid_t child = fork();

    if (!child)
        steps(argv[2], LOG);
    while (!atomic_load(&logged->count))
        usleep(100);
    kill_after(child, argument(argv, 3, 1000));
    bytes = map_profile(&size, child);
    MUST(is_as_logged(bytes, size, 0));
    printf("%lu\n", atomic_load(&logged->count));
    return 0;
}

/* Check the profile before each instruction, as if the process were killed there. */
static int stepwise(char **argv)
{
    unsigned long n = argument(argv, 3, 200), ninstruction = 0;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    int status;
    pid_t child = fork();

    if (!child) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        steps(argv[2], n);
        _exit(0);
    }
    MUST(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
    for (;;) {
        MUST(!ptrace(PTRACE_SINGLESTEP, child, NULL, NULL));
        MUST(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status))
            break;
        follow_profile(&bytes, &size, child);
        ninstruction++;
        if (!is_as_logged(bytes, size, 0)) {
            printf("wrong after %lu instructions, in step %lu\n", ninstruction,
                atomic_load(&logged->count));
            MUST(child > 0 && !kill(child, SIGKILL));
            return 1;
        }
    }
    MUST(atomic_load(&logged->count) == n);
    printf("%lu instructions\n", ninstruction);
    return 0;
}

/* --- threads --------------------------------------------------------------------------- */

/* The steps of the k-th thread follow from k. */
static void fill_steps(uint32_t *id, unsigned k, size_t n)
{
    uint64_t state = k + 1;
    size_t i;

    for (i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + 1;
        id[i] = i ? (uint32_t)(state >> 40) % (i % 64 < 32 ? 2 : 50) : 100 + k;
    }
}

static size_t nstep_of_thread;

static void *thread_steps(void *k)
{
    uint32_t *id = malloc(nstep_of_thread * sizeof *id);
    size_t i;

    MUST(id);
    fill_steps(id, *(const unsigned *)k, nstep_of_thread);
    for (i = 0; i < nstep_of_thread; i++)
        STEP(main, id[i]);
    free(id);
    return NULL;
}

/* Each of n threads is there once, whole. */
static void find_threads(unsigned n)
{
    uint32_t *want = malloc((nstep_of_thread + 1) * sizeof *want);
    uint32_t *got = malloc((nstep_of_thread + 1) * sizeof *got);
    bool *found_thread = calloc(n, 1);
    uint32_t first = terminal_of(table_of_main), thread;
    size_t size, i;
    const uint8_t *bytes = map_profile(&size, getpid());
    unsigned nfound = 0;

    MUST(want && got && found_thread);
    for (thread = 0; thread < 2 * n + 2; thread++) {
        size_t count = steps_in(got, nstep_of_thread + 1, bytes, size, thread);
        uint32_t k;

        if (!count)
            continue;
        k = got[0] - first - 100;
        MUST(count == nstep_of_thread && k < n && !found_thread[k]);
        found_thread[k] = true;
        nfound++;
        fill_steps(want, k, count);
        for (i = 0; i < count; i++)
            MUST(got[i] == want[i] + first);
    }
    MUST(nfound == n);
}

/* N threads of so many steps, so many at a time. */
static int threads(char **argv)
{
    unsigned n = (unsigned)argument(argv, 2, 8), at_once, k, j;
    static unsigned number[900];
    static pthread_t thread[900];

    nstep_of_thread = argument(argv, 3, 10000);
    at_once = (unsigned)argument(argv, 4, n);
    MUST(n <= 900);
    for (k = 0; k < n; k += at_once) {
        for (j = k; j < n && j < k + at_once; j++) {
            number[j] = j;
            MUST(!pthread_create(thread + j, NULL, thread_steps, number + j));
        }
        for (j = k; j < n && j < k + at_once; j++)
            pthread_join(thread[j], NULL);
    }
    find_threads(n);
    return 0;
}

/* --- the first and the last --------------------------------------------------------------- */

static int made_early(char **argv)
{
    (void)argv;
    return steps_are_there();
}

static __attribute__((constructor(101))) void early(void)
{
    if (getenv("HARNESS_EARLY")) {
        open_log();
        steps("mixed", 300);
    }
}

static __attribute__((destructor)) void late(void)
{
    if (getenv("HARNESS_LATE"))
        STEP(main, 2);
}

static int synced(char **argv)
{
    steps(argv[2], 7000);
    return trod_rt_sync() ? 9 : 0;
}

/* --- no room ------------------------------------------------------------------------------- */

/* Steps that fit are recorded; the rest is counted. Prints how many steps were made. */
static int cramped(char **argv)
{
    unsigned long n = argument(argv, 3, 100000);

    steps(argv[2], n);
    printf("%lu\n", n);
    if (argument(argv, 4, 0)) {
        fflush(stdout);
        kill(getpid(), SIGKILL);
    }
    return 0;
}

/* No memory for a recorder: 1000 steps in a thread without. */
static void *squeezed(void *unused)
{
    struct rlimit before;
    unsigned i;

    (void)unused;
    forbid_memory(&before);
    for (i = 0; i < 1000; i++)
        STEP(other, i % 3);
    allow_memory(&before);
    return NULL;
}

static int no_memory(char **argv)
{
    steps(argv[2], 1000);
    run_in_threads(1, squeezed, NULL);
    printf("%u\n", 2000);
    return steps_are_there();
}

static const struct scenario scenarios[] = {
    {"single", single},
#ifdef __x86_64__
    {"registers", registers},
#endif
    {"speed", speed},
    {"killed", killed},
    {"stepwise", stepwise},
    {"threads", threads},
    {"early", made_early},
    {"sync", synced},
    {"cramped", cramped},
    {"memory", no_memory},
};

int main(int argc, char **argv)
{
    if (!logged)
        open_log();
    return run_scenario(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
}
