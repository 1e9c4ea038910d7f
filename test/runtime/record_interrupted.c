/* A program whose steps are recorded, interrupted by signal handlers that make steps of their own, and by forks at any
 * moment, also before every single instruction.
 *
 *     record_interrupted SCENARIO [ARGUMENT...]
 *
 * Like record_program.c.
 */
#define _GNU_SOURCE 1

#include "steps_log.h"
#include "steps_read.h"

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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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

enum { OWN_STACK = 1 << 18 };

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
    const uint8_t *bytes;
    size_t size;
    unsigned long i;

    steps_of_handler = (unsigned)argument(argv, 3, 1);
    leaves = argument(argv, 5, 0);
    handle(SIGALRM, on_signal, argument(argv, 4, 0) ? OWN_STACK : 0);
    tick_every(steps_of_handler > 1 ? 3000 : 150); /* longer than they take */
    for (i = 0; i < argument(argv, 6, 400); i++) {
        if (!sigsetjmp(back, 1)) {
            may_leave = true;
            steps(argv[2], 1000);
        }
        may_leave = false;
    }
    tick_every(0);
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
    int status;
    pid_t child;

    steps_of_handler = (unsigned)argument(argv, 5, 1);
    leaves = argument(argv, 7, 0);
    child = fork();
    if (!child) {
        unsigned long i;

        handle(SIGUSR1, on_signal, own_stack ? OWN_STACK : 0);
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
    MUST(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
    for (;;) {
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
        follow_profile(&bytes, &size, child);
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
    const uint8_t *bytes;
    size_t size;
    unsigned i;

    handle(SIGALRM, on_fork, 0);
    tick_every(1000);
    for (i = 0; nfork < 50 && !in_child; i++)
        step(next_of(argv[2], i));
    if (in_child) /* its timer is not inherited; what was going on is done */
        end_child();
    tick_every(0);
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
    pid_t child;
    uint32_t i = 0;

    (void)argv;
    STEP(main, 0);
    child = start_clone(clone_steps);
    while (!atomic_load(&clone_ends))
        STEP(main, i++ % 3);
    wait_for(child);
    STEP(main, 1);
    return 0;
}

static const struct scenario scenarios[] = {
    {"storm", storm},
    {"pricked", pricked},
    {"fork", fork_once},
    {"fork-handler", fork_in_handler},
    {"fork-everywhere", fork_everywhere},
    {"vfork", vforked},
    {"raw-fork", raw_fork},
    {"clone", raw_clone},
};

int main(int argc, char **argv)
{
    open_log();
    handled = share(sizeof *handled);
    return run_scenario(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
}
