/* A program whose steps are recorded, and the ways in which programs live and die.
 *
 *     recording SCENARIO [ARGUMENT...]
 *
 * As harness.c. Every step is logged before it is made, in memory that outlives whoever made it;
 * a reader of its own (steps_in) tells what a profile has.
 */
#define _GNU_SOURCE 1
#define MODE TROD_MODE_STEPS

#include "emitted.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
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
    fd = open(name, O_RDONLY);
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
    steps(argv[2], argument(argv, 3, 100000));
    return steps_are_there();
}

#ifdef __x86_64__
/* All registers that preserve_most keeps come back, the argument too. */
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
    kill(child, SIGKILL);
    MUST(waitpid(child, NULL, 0) == child);
    bytes = map_profile(&size, child);
    MUST(is_as_logged(bytes, size, 0));
    printf("%lu\n", atomic_load(&logged->count));
    return 0;
}

/* As if killed before each of its instructions: at each the profile is looked at. The pages of a
 * file that grows are mapped anew when it has grown.
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
            kill(child, SIGKILL);
            return 1;
        }
    }
    MUST(atomic_load(&logged->count) == n);
    printf("%lu instructions\n", ninstruction);
    return 0;
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
};

int main(int argc, char **argv)
{
    size_t i;

    open_log();
    for (i = 0; argc > 1 && i < sizeof scenarios / sizeof *scenarios; i++) {
        if (!strcmp(argv[1], scenarios[i].name))
            return scenarios[i].run(argv);
    }
    fprintf(stderr, "no such scenario\n");
    return 8;
}
