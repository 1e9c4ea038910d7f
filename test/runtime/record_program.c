/* A program whose steps are recorded, in many scenarios of how programs run and end.
 *
 *     recording SCENARIO [ARGUMENT...]
 *
 * Like harness.c. Every step is logged before it is made, in memory that outlives the process. An
 * independent reader (steps_in) reads the profile.
 */
#define _GNU_SOURCE 1
#define MODE TROD_MODE_STEPS

#include "emitted.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

RECORDS;
FUNCTION(main, 1000, 1);
FUNCTION(other, 1000, 2); /* steps of handlers and children */

#define MUST(condition)                                                 \
    do {                                                                \
        if (!(condition)) {                                             \
            fprintf(stderr, "line %d: not %s\n", __LINE__, #condition); \
            _exit(9);                                                   \
        }                                                               \
    } while (0)

static unsigned long argument(char **argv, int i, unsigned long otherwise)
{
    int n;

    for (n = 0; argv[n]; n++)
        ;
    return i < n ? strtoul(argv[i], NULL, 10) : otherwise;
}

/* --- the log ---------------------------------------------------------------------- */

enum { LOG = 1 << 22 };

static struct log {
    atomic_ulong count;
    uint32_t terminal[LOG];
} *logged;

static void open_log(void)
{
    logged = mmap(NULL, sizeof *logged, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(logged != MAP_FAILED);
}

static uint32_t terminal_of(const uint64_t *at)
{
    return (uint32_t)(at - __start___trod_cnt);
}

static void log_one(const uint64_t *at)
{
    unsigned long n = atomic_load(&logged->count);

    MUST(n < LOG);
    logged->terminal[n] = terminal_of(at);
    atomic_store(&logged->count, n + 1);
}

static __attribute__((noinline)) void step(uint32_t id)
{
    log_one(table_of_main + id);
    STEP(main, id);
}

/* --- what a program does ------------------------------------------------------------- */

static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % below);
}

/* From one of 1000 to one of its 3 neighbours. */
static uint32_t walk_on(uint32_t at)
{
    static const uint32_t stride[] = {1, 7, 131};

    return (at + stride[draw(3)]) % 1000;
}

static uint32_t next_of(const char *pattern, unsigned long i)
{
    static uint32_t at;

    if (!strcmp(pattern, "one"))
        return 3;
    if (!strcmp(pattern, "nest"))
        return i % 1000 == 999 ? 5 : i % 100 == 99 ? 4 : i % 10 == 9 ? 3 : i % 2;
    if (!strcmp(pattern, "walk"))
        return at = walk_on(at);
    if (!strcmp(pattern, "few"))
        return draw(3);
    if (!strcmp(
            pattern, "copies")) /* of what was before, and now and then something new */
        return i && draw(8) ? logged->terminal[i - 1 - draw(i < 9 ? (uint32_t)i : 9)] -
                                  terminal_of(table_of_main)
                            : draw(4);
    if (!strcmp(pattern, "mixed")) /* loops, noise, loops in loops */
        return i % 64 < 20 ? i % 2 : draw(16) ? (uint32_t)(i % 5) : draw(1000);
    MUST(!"such a pattern");
    return 0;
}

static void steps(const char *pattern, unsigned long count)
{
    unsigned long i;

    for (i = 0; i < count; i++)
        step(next_of(pattern, i));
}

/* --- a reader ------------------------------------------------------------------------ */

/* The profile of a process. */
static const uint8_t *map_profile(size_t *size, pid_t pid)
{
    const uint8_t *bytes;
    char name[64];
    struct stat file;
    int fd;

    snprintf(name, sizeof name, "%d.trod", (int)pid);
    fd = open(name, O_RDWR);
    MUST(fd >= 0 && !fstat(fd, &file));
    *size = (size_t)file.st_size;
    bytes = mmap(NULL, *size, PROT_READ, MAP_SHARED, fd, 0);
    MUST(bytes != MAP_FAILED);
    close(fd);
    return bytes;
}

struct found {
    uint32_t thread, part;
    const struct trod_format_steps *live; /* or */
    const uint8_t *at;                    /* of a closed part */
};

enum { MOST_FOUND = 100000 };
static struct found found[MOST_FOUND];

static uint64_t varint(const uint8_t **at)
{
    uint64_t value = 0;
    unsigned shift = 0;

    for (;; shift += 7) {
        uint8_t byte = *(*at)++;

        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

static int by_part(const void *x, const void *y)
{
    const struct found *a = x, *b = y;

    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return (a->live != NULL) - (b->live != NULL);
}

static size_t find_parts(const uint8_t *bytes, size_t size)
{
    size_t at, n = 0;

    for (at = 4096; at + 64 <= size;) {
        struct trod_format_head head;

        memcpy(&head, bytes + at, sizeof head);
        if (head.magic != TROD_SECTION_MAGIC) {
            at += 4096;
            continue;
        }
        MUST(n < MOST_FOUND);
        if (head.type == TROD_SECTION_STEPS) {
            found[n].live = (const void *)(bytes + at + 64);
            found[n].thread = found[n].live->thread;
            found[n].part = found[n].live->part;
            n++;
        } else if (head.type == TROD_SECTION_PART) {
            found[n].live = NULL;
            found[n].at = bytes + at + 64;
            found[n].thread = head.thread;
            found[n].part = (uint32_t)varint(&found[n].at);
            MUST(varint(&found[n].at) == 0); /* given up */
            n++;
        }
        at += head.size;
    }
    qsort(found, n, sizeof *found, by_part);
    return n;
}

struct taker {
    uint32_t *out;
    size_t count, room;
};

static void take(struct taker *taker, uint32_t terminal)
{
    if (taker->count < taker->room)
        taker->out[taker->count] = terminal;
    taker->count++;
}

enum { DEEPEST = 10000 };

static uint32_t live_next(const struct trod_format_steps *live, uint32_t n)
{
    const struct trod_format_node *node = (const void *)(live + 1);
    uint32_t i;

    for (i = 0; i < live->nundo; i++) {
        if (live->undo[i].node == n)
            return live->undo[i].next;
    }
    return node[n].next;
}

/* The last node of rule 0. */
static uint32_t take_nodes(struct taker *taker, const struct trod_format_steps *live)
{
    static struct {
        uint32_t guard, at;
    } open[DEEPEST];
    const struct trod_format_node *node = (const void *)(live + 1);
    uint32_t depth = 0, last = 0, n = live_next(live, 0), guard = 0;

    for (;;) {
        if (n == guard) {
            if (!depth)
                return last;
            depth--;
            guard = open[depth].guard;
            n = live_next(live, open[depth].at);
            continue;
        }
        if (!depth)
            last = n;
        MUST(n < live->nnode && taker->count <= LOG);
        if (node[n].symbol & TROD_STEPS_RULE) {
            MUST(node[n].symbol < TROD_STEPS_GUARD && depth < DEEPEST);
            open[depth].guard = guard;
            open[depth++].at = n;
            guard = node[n].symbol & ~TROD_STEPS_RULE;
            n = live_next(live, guard);
        } else {
            take(taker, node[n].symbol);
            n = live_next(live, n);
        }
    }
}

static void take_live(
    struct taker *taker, const struct trod_format_steps *live, bool closed)
{
    uint32_t last = closed ? 0 : take_nodes(taker, live);
    uint32_t i = live->taken + (live->linking && last == live->linking);

    for (; i != live->queued; i++) {
        if (live->queue[i % TROD_STEPS_QUEUE])
            take(taker, live->queue[i % TROD_STEPS_QUEUE] - 1);
    }
}

static void take_rule(
    struct taker *taker, const uint8_t *const *rule, uint32_t r, unsigned depth)
{
    const uint8_t *at = rule[r];
    uint64_t n = varint(&at);

    MUST(depth < DEEPEST);
    while (n--) {
        uint64_t code = varint(&at);

        if (code & 1)
            take_rule(taker, rule, (uint32_t)(code >> 1), depth + 1);
        else
            take(taker, (uint32_t)(code >> 1));
    }
}

static void take_part(struct taker *taker, const uint8_t *at)
{
    uint64_t nrule = varint(&at), r, n;
    const uint8_t **rule = malloc(nrule * sizeof *rule);

    MUST(rule);
    for (r = 0; r < nrule; r++) {
        rule[r] = at;
        for (n = varint(&at); n; n--)
            varint(&at);
    }
    take_rule(taker, rule, 0, 0);
    free(rule);
}

/* The steps of a thread. */
static size_t steps_in(
    uint32_t *out, size_t room, const uint8_t *bytes, size_t size, uint32_t thread)
{
    struct taker taker = {out, 0, room};
    size_t n = find_parts(bytes, size), i;
    bool closed = false;

    for (i = 0; i < n; i++) {
        if (found[i].thread != thread)
            continue;
        closed = i && found[i].live && !found[i - 1].live &&
                 found[i - 1].thread == thread && found[i - 1].part == found[i].part;
        if (found[i].live)
            take_live(&taker, found[i].live, closed);
        else
            take_part(&taker, found[i].at);
    }
    return taker.count;
}

/* Whether a thread's steps are those logged, but perhaps for the last. */
static bool is_as_logged(const uint8_t *bytes, size_t size, uint32_t thread)
{
    static uint32_t seen[LOG];
    size_t n = atomic_load(&logged->count),
           got = steps_in(seen, LOG, bytes, size, thread);

    return (got == n || got + 1 == n) &&
           !memcmp(seen, logged->terminal, got * sizeof *seen);
}

/* For the other reader: the checksum of what was logged. */
static void leave_checksum(void)
{
    size_t n = atomic_load(&logged->count) * sizeof *logged->terminal, i;
    const uint8_t *at = (const uint8_t *)logged->terminal;
    uint32_t crc = UINT32_MAX;
    FILE *file = fopen("crc", "w");
    int bit;

    for (i = 0; i < n; i++) {
        crc ^= at[i];
        for (bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    MUST(file && fprintf(file, "%" PRIu32, ~crc) > 0 && !fclose(file));
}

/* --- scenarios ------------------------------------------------------------------------ */

static int steps_are_there(void)
{
    size_t size;
    const uint8_t *bytes = map_profile(&size, getpid());

    MUST(is_as_logged(bytes, size, 0));
    leave_checksum();
    return 0;
}

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
    usleep((useconds_t)argument(argv, 3, 1000));
    MUST(child > 0 && !kill(child, SIGKILL));
    MUST(waitpid(child, NULL, 0) == child);
    bytes = map_profile(&size, child);
    MUST(is_as_logged(bytes, size, 0));
    printf("%lu\n", atomic_load(&logged->count));
    return 0;
}

/* Check the profile before each instruction, as if the process were killed there. The pages of a
 * file that grows are mapped again when it has grown.
 */
static int stepwise(char **argv)
{
    unsigned long n = argument(argv, 3, 200), ninstruction = 0;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    char name[64];
    int status;
    pid_t child = fork();

    if (!child) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        steps(argv[2], n);
        _exit(0);
    }
    snprintf(name, sizeof name, "%d.trod", (int)child);
    MUST(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
    for (;;) {
        struct stat file;

        MUST(!ptrace(PTRACE_SINGLESTEP, child, NULL, NULL));
        MUST(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status))
            break;
        MUST(!stat(name, &file));
        if ((size_t)file.st_size != size) {
            if (bytes)
                munmap((void *)(uintptr_t)bytes, size);
            bytes = map_profile(&size, child);
        }
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

/* --- handlers --------------------------------------------------------------------------- */

/* Steps of handlers are 0, 1, 2 ... of the other function. */
static struct {
    atomic_ulong count; /* that are made, or being made */
    atomic_ulong nleft; /* handlers that were left by longjmp */
} *handled;

static unsigned steps_of_handler = 1;
static bool leaves;
static sigjmp_buf back;
static volatile bool may_leave;

static void on_signal(int signal)
{
    unsigned i;

    (void)signal;
    for (i = 0; i < steps_of_handler; i++) {
        unsigned long n = atomic_fetch_add(&handled->count, 1);

        STEP(other, n % 1000);
    }
    if (leaves && may_leave) {
        atomic_fetch_add(&handled->nleft, 1);
        siglongjmp(back, 1);
    }
}

static void open_handled(void)
{
    handled = mmap(NULL, sizeof *handled, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    MUST(handled != MAP_FAILED);
}

static void handle(int signal, bool own_stack)
{
    static char small[1 << 18];
    stack_t stack = {.ss_sp = small, .ss_size = sizeof small};
    struct sigaction action = {
        .sa_handler = on_signal, .sa_flags = SA_RESTART | (own_stack ? SA_ONSTACK : 0)};

    MUST(!own_stack || !sigaltstack(&stack, NULL));
    MUST(!sigaction(signal, &action, NULL));
}

/* Both sequences are recorded, each in order. As many logged steps may be missing as were abandoned,
 * and the last one.
 */
static bool both_are_there(
    const uint8_t *bytes, size_t size, uint32_t thread, unsigned long missing)
{
    static uint32_t seen[LOG];
    size_t got = steps_in(seen, LOG, bytes, size, thread), i, n = 0, nother = 0;
    unsigned long count = atomic_load(&logged->count);
    unsigned long other = atomic_load(&handled->count);
    uint32_t first = terminal_of(table_of_other), behind = first + 1000;

    for (i = 0; i < got && i < LOG; i++) {
        if (seen[i] >= first && seen[i] < behind) {
            if (seen[i] - first != nother++ % 1000)
                return false;
            continue;
        }
        while (n < count && logged->terminal[n] != seen[i] && missing)
            n++, missing--;
        if (n == count || logged->terminal[n] != seen[i])
            return false;
        n++;
    }
    return count - n <= missing + 1 && (nother == other || nother + 1 == other);
}

/* A timer whose handler makes steps: their number, whether on its own stack, whether it ends by longjmp. */
static int storm(char **argv)
{
    struct itimerval often = {{0, 150}, {0, 150}}, never = {{0, 0}, {0, 0}};
    const uint8_t *bytes;
    size_t size;
    unsigned long i;

    steps_of_handler = (unsigned)argument(argv, 3, 1);
    if (steps_of_handler > 1) /* longer than they take */
        often.it_value.tv_usec = often.it_interval.tv_usec = 3000;
    leaves = argument(argv, 5, 0);
    handle(SIGALRM, argument(argv, 4, 0));
    MUST(!setitimer(ITIMER_REAL, &often, NULL));
    for (i = 0; i < argument(argv, 6, 400); i++) {
        if (!sigsetjmp(back, 1)) {
            may_leave = true;
            steps(argv[2], 1000);
        }
        may_leave = false;
    }
    MUST(!setitimer(ITIMER_REAL, &never, NULL));
    step(0);
    bytes = map_profile(&size, getpid());
    MUST(both_are_there(bytes, size, 0, atomic_load(&handled->nleft)));
    printf("%lu in handlers, %lu left\n", atomic_load(&handled->count),
        atomic_load(&handled->nleft));
    return 0;
}

/* A signal before every n-th instruction; the profile is checked before each one. */
static int pricked(char **argv)
{
    volatile unsigned long n = argument(argv, 3, 60);
    unsigned long every = argument(argv, 4, 41), at = 0;
    bool own_stack = argument(argv, 6, 0);
    const uint8_t *bytes = NULL;
    long signal = 0;
    size_t size = 0;
    char name[64];
    int status;
    pid_t child;

    steps_of_handler = (unsigned)argument(argv, 5, 1);
    leaves = argument(argv, 7, 0);
    child = fork();
    if (!child) {
        unsigned long i;

        handle(SIGUSR1, own_stack);
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        for (i = 0; i < n; i++) {
            if (!sigsetjmp(back, 1)) {
                may_leave = true;
                step(next_of(argv[2], i));
            }
            may_leave = false;
        }
        _exit(0);
    }
    snprintf(name, sizeof name, "%d.trod", (int)child);
    MUST(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
    for (;;) {
        struct stat file;

        if (++at % every == 0)
            signal = SIGUSR1;
        MUST(!ptrace(PTRACE_SINGLESTEP, child, NULL, signal));
        MUST(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status))
            break;
        MUST(WIFSTOPPED(status));
        /* One that was blocked comes back later. */
        signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        MUST(!signal || signal == SIGUSR1);
        MUST(!stat(name, &file));
        if ((size_t)file.st_size != size) {
            if (bytes)
                munmap((void *)(uintptr_t)bytes, size);
            bytes = map_profile(&size, child);
        }
        if (!both_are_there(bytes, size, 0, atomic_load(&handled->nleft))) {
            printf("wrong after %lu instructions, in step %lu\n", at,
                atomic_load(&logged->count));
            MUST(child > 0 && !kill(child, SIGKILL));
            return 1;
        }
    }
    MUST(!WEXITSTATUS(status));
    printf("%lu instructions, %lu in handlers, %lu left\n", at,
        atomic_load(&handled->count), atomic_load(&handled->nleft));
    return 0;
}

/* --- fork ------------------------------------------------------------------------------- */

static void wait_for(pid_t child)
{
    int status;

    MUST(child > 0 && waitpid(child, &status, 0) == child);
    MUST(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A child records its own steps, from zero; the parent continues. */
static int fork_once(char **argv)
{
    uint32_t got[16];
    const uint8_t *bytes;
    size_t size;
    pid_t child;

    steps(argv[2], 5000);
    child = fork();
    if (!child) {
        STEP(other, 1);
        STEP(other, 2);
        exit(0);
    }
    steps(argv[2], 5000);
    wait_for(child);
    bytes = map_profile(&size, child);
    MUST(steps_in(got, 16, bytes, size, 0) == 2);
    MUST(got[0] == terminal_of(table_of_other + 1) && got[1] == got[0] + 1);
    return steps_are_there();
}

/* What a child's profile must have: the steps it made when it was alone, and perhaps the one
 * that was just about to be made.
 */
enum { ALONE = 20 };

static bool is_childs(const uint8_t *bytes, size_t size)
{
    uint32_t got[ALONE + 2];
    size_t n = steps_in(got, ALONE + 2, bytes, size, 0), k;

    if (n != ALONE && n != ALONE + 1)
        return false;
    for (k = 0; k < ALONE; k++) {
        if (got[n - ALONE + k] != terminal_of(table_of_other + k))
            return false;
    }
    return true;
}

static _Noreturn void end_child(void)
{
    uint32_t i;

    for (i = 0; i < ALONE; i++)
        STEP(other, i);
    _exit(0);
}

/* Forked by a handler, in the middle of recording; parent and child return there. */
static volatile sig_atomic_t in_child;
static volatile unsigned nfork;
static pid_t children[50];

static void on_fork(int signal)
{
    pid_t child;

    (void)signal;
    if (in_child || nfork == 50)
        return;
    child = fork();
    MUST(child >= 0);
    if (!child)
        in_child = 1;
    else
        children[nfork++] = child;
}

static int fork_in_handler(char **argv)
{
    struct sigaction action = {.sa_handler = on_fork, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    const uint8_t *bytes;
    size_t size;
    unsigned i;

    MUST(!sigaction(SIGALRM, &action, NULL));
    MUST(!setitimer(ITIMER_REAL, &often, NULL));
    for (i = 0; nfork < 50 && !in_child; i++)
        step(next_of(argv[2], i));
    if (in_child) /* its timer is not inherited; what was going on is done */
        end_child();
    MUST(!setitimer(ITIMER_REAL, &never, NULL));
    bytes = map_profile(&size, getpid());
    for (i = 0; i < nfork; i++) {
        wait_for(children[i]);
        bytes = map_profile(&size, children[i]);
        MUST(is_childs(bytes, size));
    }
    return 0;
}

/* The nodes of the first thread, which are the parent's, and what was in them when it forked. */
static struct trod_format_node *parents;
static struct trod_format_node saved[4096];
static size_t nsaved;

static void map_parents(void)
{
    size_t size;
    const uint8_t *bytes = map_profile(&size, getpid());

    MUST(find_parts(bytes, size) == 1 && found[0].live);
    parents = (void *)(uintptr_t)(found[0].live + 1);
    nsaved = found[0].live->nnode;
    MUST(nsaved <= 4096 &&
         !mprotect((void *)(uintptr_t)bytes, size, PROT_READ | PROT_WRITE));
}

/* In a child, before the runtime notices the fork: the parent has continued and changed the shared pages. */
static void outrun(void)
{
    size_t i;

    for (i = 0; parents && i < nsaved; i++)
        parents[i].next = parents[i].symbol = TROD_STEPS_NONE;
}

static void outrun_children(void)
{
    MUST(!pthread_atfork(NULL, NULL, outrun));
}

static __attribute__((section(".preinit_array"), used)) void (*const first)(
    void) = outrun_children;

/* Fork, check the child when it has ended, and notify the tracer. */
static void on_fork_and_wait(int signal)
{
    unsigned long count = atomic_load(&logged->count);
    const uint8_t *bytes;
    char name[64];
    size_t size;
    pid_t child;

    (void)signal;
    memcpy(saved, parents, nsaved * sizeof *saved);
    child = fork();
    in_child = !child;
    if (!child)
        return;
    wait_for(child);
    memcpy(parents, saved, nsaved * sizeof *saved);
    atomic_store(&logged->count, count); /* it may have gone back to log a step */
    bytes = map_profile(&size, child);
    MUST(is_childs(bytes, size));
    munmap((void *)(uintptr_t)bytes, size);
    snprintf(name, sizeof name, "%d.trod", (int)child);
    MUST(!unlink(name));
    raise(SIGTRAP);
}

enum { HOLE = 1 << 27 };

/* Whether a signal would come now. */
static bool is_open_to(pid_t traced, int signal)
{
    uint64_t blocked = 0;

    MUST(!ptrace(PTRACE_GETSIGMASK, traced, sizeof blocked, &blocked));
    return !(blocked >> (signal - 1) & 1);
}

/* Forked before every instruction of some steps. */
static int fork_everywhere(char **argv)
{
    struct sigaction action = {.sa_handler = on_fork_and_wait};
    unsigned long n = argument(argv, 3, 3), i, at = 0;
    bool was_open = true;
    pid_t child = fork();
    sigset_t all;
    int status;

    sigfillset(&all);

    if (!child) {
        /* A better place for what a child makes than where its parent's was. */
        void *hole = mmap(NULL, HOLE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        MUST(hole != MAP_FAILED && !sigaction(SIGUSR1, &action, NULL));
        steps(argv[2], 10);
        MUST(!munmap(hole, HOLE));
        map_parents();
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        for (i = 0; i < n && !in_child; i++)
            step(next_of(argv[2], i));
        MUST(!sigprocmask(SIG_BLOCK, &all, NULL));
        if (in_child)
            end_child();
        _exit(steps_are_there());
    }
    for (;;) {
        MUST(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status))
            break;
        MUST(WIFSTOPPED(status));
        /* Back from the handler it is where it was before. */
        if (was_open && is_open_to(child, SIGUSR1)) {
            MUST(!ptrace(PTRACE_CONT, child, NULL, SIGUSR1));
            MUST(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
            while (WSTOPSIG(status) != SIGTRAP) { /* its own child has ended */
                MUST(!ptrace(PTRACE_CONT, child, NULL, 0));
                MUST(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
            }
            at++;
        }
        was_open = is_open_to(child, SIGUSR1);
        MUST(!ptrace(PTRACE_SINGLESTEP, child, NULL, 0));
    }
    printf("%lu instructions\n", at);
    return WEXITSTATUS(status);
}

/* Steps of a child by vfork belong to its parent. */
static int vforked(char **argv)
{
    pid_t child;

    steps(argv[2], 100);
    child = vfork(); /* NOLINT: this is what is tested */
    if (!child) {
        step(7); /* NOLINT(clang-analyzer-unix.Vfork) */
        _exit(0);
    }
    wait_for(child);
    steps(argv[2], 100);
    return steps_are_there();
}

/* A child without atfork handlers records nothing, and does no harm. */
static int raw_fork(char **argv)
{
    unsigned i;
    pid_t child;

    steps(argv[2], 1000);
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (!child) {
        for (i = 0; i < 100000; i++)
            STEP(other, i % 7);
        _exit(0);
    }
    steps(argv[2], 20000);
    wait_for(child);
    return steps_are_there();
}

/* Two threads with one thread's data: something is recorded, and both live. */
static atomic_bool clone_ends;

static int clone_steps(void *unused)
{
    unsigned i;

    (void)unused;
    for (i = 0; i < 100000; i++)
        STEP(other, i % 5);
    atomic_store(&clone_ends, true);
    return 0;
}

static int raw_clone(char **argv)
{
    static char stack[65536] __attribute__((aligned(16)));
    pid_t child;
    uint32_t i = 0;

    (void)argv;
    STEP(main, 0);
    child = clone(clone_steps, stack + sizeof stack,
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | SIGCHLD, NULL);
    MUST(child > 0);
    while (!atomic_load(&clone_ends))
        STEP(main, i++ % 3);
    wait_for(child);
    STEP(main, 1);
    return 0;
}

/* --- the first and the last --------------------------------------------------------------- */

static int handler_first(char **argv)
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
    struct rlimit none = {0, 0}, before;
    unsigned i;

    (void)unused;
    MUST(!getrlimit(RLIMIT_AS, &before));
    none.rlim_max = before.rlim_max;
    MUST(!setrlimit(RLIMIT_AS, &none));
    for (i = 0; i < 1000; i++)
        STEP(other, i % 3);
    MUST(!setrlimit(RLIMIT_AS, &before));
    return NULL;
}

static int no_memory(char **argv)
{
    pthread_t thread;

    steps(argv[2], 1000);
    MUST(!pthread_create(&thread, NULL, squeezed, NULL));
    pthread_join(thread, NULL);
    printf("%u\n", 2000);
    return steps_are_there();
}

static const struct {
    const char *name;
    int (*run)(char **argv);
} scenarios[] = {
    {"single", single},
#ifdef __x86_64__
    {"registers", registers},
#endif
    {"speed", speed},
    {"killed", killed},
    {"stepwise", stepwise},
    {"threads", threads},
    {"storm", storm},
    {"pricked", pricked},
    {"fork", fork_once},
    {"fork-handler", fork_in_handler},
    {"fork-everywhere", fork_everywhere},
    {"vfork", vforked},
    {"raw-fork", raw_fork},
    {"clone", raw_clone},
    {"early", handler_first},
    {"sync", synced},
    {"cramped", cramped},
    {"memory", no_memory},
};

int main(int argc, char **argv)
{
    size_t i;

    if (!logged)
        open_log();
    open_handled();
    for (i = 0; argc > 1 && i < sizeof scenarios / sizeof *scenarios; i++) {
        if (!strcmp(argv[1], scenarios[i].name))
            return scenarios[i].run(argv);
    }
    fprintf(stderr, "no such scenario\n");
    return 8;
}
