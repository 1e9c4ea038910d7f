/* Paths whose time is known: chains of multiplications, pointers that are followed in a cache and out of it, a sort by the
 * library, sleep. Runs them in batches of one kind, in an order drawn at random.
 *
 *     times MEASURE THREADS MILLISECONDS [fork|signals]
 *
 * MEASURE 1: prints "KIND EXECUTIONS NANOSECONDS" for each kind, in CPU time of the thread around each batch, or in time as
 * it passes for the sort and sleep. In any case "cpu NANOSECONDS", without what comes before. What a path does is in assembly or in the
 * library, so that every build does the same.
 *
 * fork: half way, the process forks, and both go on. signals: a timer interrupts the process 1000 times a second.
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BRIEF, SHORT, LONG, NEAR, FAR, SORT, SLEEP, KINDS };
enum {
    NEAR_LINES = 256,    /* 16 KiB */
    FAR_LINES = 2 << 20, /* 128 MiB */
    SORTED = 64,
    MOST_THREADS = 64
};

static const char *const name_of[KINDS] = {
    "brief", "short", "long", "near", "far", "sort", "sleep"};
/* Executions of a batch: about 0.2 milliseconds. */
static const int batch_of[KINDS] = {4000, 600, 16, 400, 32, 100, 2};

struct line {
    struct line *next;
    char rest[56];
};

struct thread {
    pthread_t id;
    struct line *near, *far;
    uint64_t x, cpu;
    uint64_t executions[KINDS], spent[KINDS];
};

static struct line *all;
static int measures, how_long;
static volatile sig_atomic_t interrupted;

static uint64_t now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* --- the paths --------------------------------------------------------------------------------- */

#define CHAIN(n, x)                       \
    __asm__ volatile("mov %1, %%ecx\n"    \
                     "1: imul %0, %0\n\t" \
                     "dec %%ecx\n\t"      \
                     "jne 1b"             \
        : "+r"(x)                         \
        : "i"(n)                          \
        : "rcx", "cc")

#define FOLLOW(n, at)                      \
    __asm__ volatile("mov %1, %%ecx\n"     \
                     "1: mov (%0), %0\n\t" \
                     "dec %%ecx\n\t"       \
                     "jne 1b"              \
        : "+r"(at)                         \
        : "i"(n)                           \
        : "rcx", "cc", "memory")

__attribute__((noinline)) static uint64_t chain(int kind, uint64_t x)
{
    switch (kind) {
    case BRIEF:
        CHAIN(40, x);
        break;
    case SHORT:
        CHAIN(300, x);
        break;
    default:
        CHAIN(12000, x);
    }
    return x;
}

__attribute__((noinline)) static void follow(int kind, struct thread *t)
{
    if (kind == NEAR)
        FOLLOW(256, t->near);
    else
        FOLLOW(64, t->far);
}

static int by_size(const void *a, const void *b)
{
    uint32_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

__attribute__((noinline)) static uint64_t sort(uint64_t x)
{
    uint32_t a[SORTED];

    for (int i = 0; i < SORTED; i++) {
        x = x * 6364136223846793005 + 1442695040888963407;
        a[i] = (uint32_t)(x >> 32);
    }
    qsort(a, SORTED, sizeof *a, by_size);
    return a[0];
}

__attribute__((noinline)) static int wait_a_little(void)
{
    struct timespec t = {.tv_nsec = 100000};

    return nanosleep(&t, NULL);
}

static void execute(struct thread *t, int kind)
{
    if (kind <= LONG)
        t->x = chain(kind, t->x | 1);
    else if (kind <= FAR)
        follow(kind, t);
    else if (kind == SORT)
        t->x += sort(t->x);
    else
        wait_a_little();
}

/* --- the program ---------------------------------------------------------------------------------- */

static void handle(int signal)
{
    (void)signal;
    interrupted++;
}

/* A random cycle through n lines. */
static void link_lines(struct line *lines, uint32_t n)
{
    uint64_t x = 88172645463325252;

    for (uint32_t i = 0; i < n; i++)
        lines[i].next = lines + i;
    for (uint32_t i = n - 1; i > 0; i--) {
        struct line *kept = lines[i].next;
        uint32_t k;

        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        k = (uint32_t)(x % i);
        lines[i].next = lines[k].next;
        lines[k].next = kept;
    }
}

static void *run(void *of)
{
    struct thread *t = of;
    uint64_t end = now(CLOCK_MONOTONIC) + (uint64_t)how_long * 1000000;
    uint64_t x = t->x, before = now(CLOCK_THREAD_CPUTIME_ID);

    while (now(CLOCK_MONOTONIC) < end) {
        int kind;
        clockid_t clock;
        uint64_t began;

        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        kind = (int)(x % KINDS);
        clock = kind >= SORT ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
        began = measures ? now(clock) : 0;
        for (int i = 0; i < batch_of[kind]; i++)
            execute(t, kind);
        if (measures)
            t->spent[kind] += now(clock) - began;
        t->executions[kind] += (uint64_t)batch_of[kind];
    }
    t->cpu += now(CLOCK_THREAD_CPUTIME_ID) - before;
    return NULL;
}

static void run_all(struct thread *threads, int n)
{
    for (int i = 1; i < n; i++)
        if (pthread_create(&threads[i].id, NULL, run, threads + i))
            abort();
    run(threads);
    for (int i = 1; i < n; i++)
        pthread_join(threads[i].id, NULL);
}

static void print(const struct thread *threads, int n)
{
    uint64_t cpu = 0;

    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t executions = 0, spent = 0;

        for (int i = 0; i < n; i++) {
            executions += threads[i].executions[kind];
            spent += threads[i].spent[kind];
        }
        printf("%s %" PRIu64 " %" PRIu64 "\n", name_of[kind], executions, spent);
    }
    for (int i = 0; i < n; i++)
        cpu += threads[i].cpu;
    printf("cpu %" PRIu64 "\n", cpu);
}

int main(int argc, char **argv)
{
    static struct thread threads[MOST_THREADS];
    const char *also = argc > 4 ? argv[4] : "";
    int n = argc > 2 ? atoi(argv[2]) : 1;
    pid_t child = -1;

    measures = argc > 1 && atoi(argv[1]);
    how_long = argc > 3 ? atoi(argv[3]) : 1000;
    n = n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : n;
    all = malloc(FAR_LINES * sizeof *all);
    if (!all)
        return 1;
    link_lines(all, FAR_LINES);
    for (int i = 0; i < n; i++) {
        threads[i].near = malloc(NEAR_LINES * sizeof *all);
        if (!threads[i].near)
            return 1;
        link_lines(threads[i].near, NEAR_LINES);
        threads[i].far = all + (size_t)i * (FAR_LINES / MOST_THREADS);
        threads[i].x = 2654435769U * (uint64_t)(i + 1);
    }
    if (!strcmp(also, "signals")) {
        struct itimerval often = {{0, 1000}, {0, 1000}};

        signal(SIGALRM, handle);
        setitimer(ITIMER_REAL, &often, NULL);
    }
    if (!strcmp(also, "fork")) {
        how_long /= 2;
        run_all(threads, n);
        fflush(stdout);
        child = fork();
        if (child < 0)
            return 1;
    }
    run_all(threads, n);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (child)
        print(threads, n);
    return 0;
}
