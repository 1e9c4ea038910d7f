/* A program with counters, in many scenarios of how programs run and end.
 *
 *     harness SCENARIO [ARGUMENT...]
 *
 * Scenarios check what they can observe themselves and end with status 9 if it is wrong; the test
 * reads the profile.
 */
#define _GNU_SOURCE 1

#include "alone.h"
#include "emitted.h"
#include "scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FUNCTION(step, 4, 1);
FUNCTION(wide, 20000, 2); /* 40 pages: what is sparse in the file */
FUNCTION(forker, 3, 3);

static __attribute__((noinline)) void step(unsigned i)
{
    ENTER;
    COUNT(step, i % 4);
}

static void steps(unsigned n)
{
    while (n--)
        step(n);
}

static __attribute__((noinline)) void wide(void)
{
    unsigned i;
    ENTER;

    for (i = 0; i < 20000; i++)
        COUNT(wide, i);
}

/* --- threads ---------------------------------------------------------------------- */

static void *thread_steps(void *n)
{
    steps(*(const unsigned *)n);
    return NULL;
}

/* NTHREAD threads at once, NSTEP steps each, and as many of BESIDE by the caller. */
static void run_threads_beside(unsigned nthread, unsigned nstep, unsigned beside)
{
    pthread_t thread[MOST_THREADS];

    MUST(nthread <= MOST_THREADS);
    start_threads(thread, nthread, thread_steps, &nstep);
    steps(beside);
    join_threads(thread, nthread);
}

static void run_threads(unsigned nthread, unsigned nstep)
{
    run_threads_beside(nthread, nstep, 0);
}

static int single(char **argv)
{
    steps((unsigned)argument(argv, 2, 1000));
    return (int)argument(argv, 3, 0);
}

static int threads(char **argv)
{
    steps(1);
    run_threads((unsigned)argument(argv, 2, 8), (unsigned)argument(argv, 3, 100000));
    return 0;
}

/* Threads one after another, a few at a time. */
static int churn(char **argv)
{
    unsigned i;

    for (i = 0; i < argument(argv, 2, 1000) / 4; i++) {
        run_threads(4, 10);
        wait_until_alone();
    }
    return 0;
}

/* All alive at once: no two threads may share an area. */
static pthread_barrier_t barrier;

static void *meet(void *unused)
{
    unsigned i;

    (void)unused;
    for (i = 0; i < 20; i++) {
        steps(50);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static int crowd(char **argv)
{
    unsigned n = (unsigned)argument(argv, 2, 100), round;

    pthread_barrier_init(&barrier, NULL, n);
    for (round = 0; round < 2; round++) {
        run_in_threads(n, meet, NULL);
        wait_until_alone();
    }
    return 0;
}

/* 10 steps. */
static int clone_steps(void *unused)
{
    (void)unused;
    steps(10);
    return 0;
}

static int raw_clone(char **argv)
{
    if (argument(argv, 2, 0))
        steps(5);
    wait_for(start_clone(clone_steps));
    run_threads_beside(4, 1000000, 1000000); /* nobody is given this thread's area */
    return 0;
}

/* Cancelled before its first entry, which is no cancellation point: 1 step. */
static void *cancelled(void *unused)
{
    (void)unused;
    pthread_cancel(pthread_self());
    step(0);
    pthread_testcancel();
    _exit(9);
}

static int cancel(char **argv)
{
    pthread_t thread;
    void *result;

    (void)argv;
    MUST(!pthread_create(&thread, NULL, cancelled, NULL));
    MUST(!pthread_join(thread, &result) && result == PTHREAD_CANCELED);
    return 0;
}

/* --- signals ---------------------------------------------------------------------- */

static void on_signal(int signal)
{
    (void)signal;
    steps(3);
}

/* The first entry is in a handler, on a small stack of its own: 3 steps. */
static int handler_first(char **argv)
{
    (void)argv;
    handle(SIGUSR1, on_signal, 8192);
    raise(SIGUSR1);
    return 0;
}

static atomic_ulong made; /* steps so far */

static void on_timer(int signal)
{
    (void)signal;
    step(1);
    atomic_fetch_add(&made, 1);
}

static void *busy(void *unused)
{
    unsigned i;

    (void)unused;
    for (i = 0; i < 2000; i++)
        step(0);
    atomic_fetch_add(&made, 2000);
    return NULL;
}

/* Handlers that count, at any moment, in threads that are just entering. They have a
 * path of their own: in C an increment may be three instructions, and one in between
 * would be lost. Prints the number of steps.
 */
static int storm(char **argv)
{
    unsigned i;

    (void)argv;
    handle(SIGALRM, on_timer, 0);
    tick_every(200);
    for (i = 0; i < 100; i++)
        run_in_threads(4, busy, NULL);
    tick_every(0);
    printf("%lu\n", atomic_load(&made));
    return 0;
}

/* --- what a program can observe of the runtime ------------------------------------- */

enum { NFD = 1000 };
static bool was_open[NFD];

static void look_at_fds(void)
{
    int fd;

    for (fd = 0; fd < NFD; fd++)
        was_open[fd] = fcntl(fd, F_GETFD) >= 0;
}

/* Nothing new, or only from LEAST up and nothing that exec would hand on. */
static void check_fds(int least)
{
    int fd;

    for (fd = 0; fd < NFD; fd++) {
        int flags = fcntl(fd, F_GETFD);

        MUST(was_open[fd] == (flags >= 0) || (fd >= least && flags & FD_CLOEXEC));
    }
}

static void *invisible_thread(void *unused)
{
    sigset_t before, after;

    (void)unused;
    sigemptyset(&before);
    sigaddset(&before, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = 1234;
    step(0);
    MUST(errno == 1234);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    MUST(sigismember(&after, SIGUSR2) == 1 && sigismember(&after, SIGINT) == 0 &&
         sigismember(&after, SIGXFSZ) == 0);
    sigpending(&after);
    MUST(sigisemptyset(&after));
    return NULL;
}

/* errno, signal masks, descriptors, the heap: 3 steps. */
static int invisible(char **argv)
{
    void *heap = sbrk(0);
    int fd;

    (void)argv;
    look_at_fds();
    errno = 1234;
    step(0);
    MUST(errno == 1234);
    MUST(sbrk(0) == heap);
    check_fds(200);
    invisible_thread(NULL);
    run_in_threads(1, invisible_thread, NULL);
    check_fds(200);
    /* The next descriptor is the same as without the runtime. */
    for (fd = 0; was_open[fd]; fd++)
        ;
    MUST(open("/dev/null", O_RDONLY) == fd);
    return 0;
}

static int synced(char **argv)
{
    steps(7);
    return trod_rt_sync() == (int)argument(argv, 2, 0) * -1 ? 0 : 9;
}

/* --- fork ------------------------------------------------------------------------- */

/* The function that forks continues with the base it has. */
static __attribute__((noinline)) pid_t forker(void)
{
    pid_t child;
    ENTER;

    COUNT(forker, 0);
    child = fork();
    if (child)
        COUNT(forker, 1);
    else
        COUNT(forker, 2);
    return child;
}

static int fork_once(char **argv)
{
    pid_t child;

    (void)argv;
    steps(100);
    look_at_fds();
    child = forker();
    if (!child) {
        check_fds(NFD); /* one for one: the parent's is gone */
        steps(10);
        return 0;
    }
    wait_for(child);
    steps(1);
    return 0;
}

/* 2^(depth+1) - 1 processes, depth + 1 steps each, depth being its own. */
static int fork_tree(char **argv)
{
    unsigned depth = (unsigned)argument(argv, 2, 3);

    for (;;) {
        pid_t child[2];
        int i;

        steps(depth + 1);
        if (!depth)
            return 0;
        for (i = 0; i < 2; i++) {
            child[i] = forker();
            if (!child[i])
                break;
        }
        if (i == 2) {
            wait_for(child[0]);
            wait_for(child[1]);
            return 0;
        }
        depth--;
    }
}

static void *forking(void *unused)
{
    unsigned i;

    (void)unused;
    for (i = 0; i < 5; i++) {
        pid_t child = forker();

        if (!child) {
            steps(10);
            run_threads(2, 10);
            exit(0);
        }
        steps(1000);
        wait_for(child);
    }
    return NULL;
}

/* 4 threads with 5 children each: 30 steps in each child, 20000 in the parent. */
static int fork_threads(char **argv)
{
    (void)argv;
    run_in_threads(4, forking, NULL);
    return 0;
}

/* A child continues a function of another thread: a coroutine. */
static uintptr_t other_base;

static void *lend_base(void *unused)
{
    (void)unused;
    steps(1);
    other_base = __trod_thread;
    return NULL;
}

static int fork_coroutine(char **argv)
{
    pid_t child;

    (void)argv;
    run_in_threads(1, lend_base, NULL);
    MUST(other_base > 1);
    child = forker();
    if (!child) {
        count(table_of_step, other_base);
        return 0;
    }
    wait_for(child);
    return 0;
}

/* Forked before anything was counted: two files, 1 step each. */
static int fork_early(char **argv)
{
    pid_t child = fork();

    (void)argv;
    step(0);
    if (child)
        wait_for(child);
    return 0;
}

/* The child's steps belong to its parent; with an argument they are the first of all. */
static int vfork_exec(char **argv)
{
    pid_t child;

    if (!argument(argv, 2, 0))
        steps(5);
    child = vfork(); /* NOLINT: this is what is tested */
    if (!child) {
        step(2); /* NOLINT(clang-analyzer-unix.Vfork) */
        execl("/bin/true", "true", (char *)NULL);
        _exit(9);
    }
    wait_for(child);
    run_threads_beside(4, 1000000, 1000000); /* nobody is given this thread's area */
    return 0;
}

static int execute(char **argv)
{
    char *next[] = {argv[0], (char[]){"single"}, (char[]){"20"}, NULL};

    steps(10);
    execv("/proc/self/exe", next);
    return 9;
}

/* --- ends ------------------------------------------------------------------------- */

static int end(char **argv)
{
    volatile int *nowhere = NULL;
    const char *how = argv[2];

    steps((unsigned)argument(argv, 3, 1000));
    run_threads(2, 100);
    if (!strcmp(how, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(how, "term"))
        kill(getpid(), SIGTERM);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "segv"))
        *nowhere = 1; /* NOLINT(clang-analyzer-core.NullDereference) */
    if (!strcmp(how, "_exit"))
        _exit(0);
    if (!strcmp(how, "quick"))
        quick_exit(0);
    if (!strcmp(how, "thread"))
        pthread_exit(NULL);
    return 9;
}

/* Killed at some moment; prints how many steps there were, or one less. */
static int killed(char **argv)
{
    volatile unsigned long *shared = share(4096);
    pid_t child = fork();

    if (!child) {
        for (;;) {
            step(0);
            ++*shared;
        }
    }
    while (!*shared)
        sched_yield();
    kill_after(child, argument(argv, 2, 10000));
    printf("%lu\n", *shared);
    return 0;
}

/* Other threads still count while the program ends. */
static void *forever(void *unused)
{
    (void)unused;
    step(0);
    atomic_fetch_add(&made, 1);
    for (;;)
        step(0);
    return NULL;
}

static int exit_busy(char **argv)
{
    pthread_t thread[4];

    (void)argv;
    start_threads(thread, 4, forever, NULL);
    while (atomic_load(&made) < 4) /* on a busy machine this may take long */
        sched_yield();
    return 0;
}

static __attribute__((destructor)) void late(void)
{
    if (getenv("HARNESS_LATE"))
        steps(2);
}

static __attribute__((constructor)) void early(void)
{
    if (getenv("HARNESS_EARLY"))
        steps(2);
}

/* --- trouble ---------------------------------------------------------------------- */

/* The directory of the profile exists only when the program ends. */
static int directory_later(char **argv)
{
    steps(1);
    run_threads(8, 1000);
    MUST(!mkdir(argv[2], 0777));
    return 0;
}

/* The disk is full after the first entry: every counter must still be there to be
 * touched.
 */
static int fill_disk(char **argv)
{
    static char block[4096];
    int fd;

    step(0);
    fd = open(argv[2], O_WRONLY | O_CREAT, 0666);
    MUST(fd >= 0);
    while (write(fd, block, sizeof block) > 0)
        ;
    MUST(errno == ENOSPC);
    wide();
    run_threads(8, 10);
    if (argument(argv, 3, 0))
        MUST(!unlink(argv[2]) && !close(fd));
    return 0;
}

/* All descriptors closed, and ours taken by a file of the program's: 81 steps. */
static int close_all(char **argv)
{
    struct stat file;
    int fd, mine;

    step(0);
    for (fd = 3; fd < 1000; fd++)
        close(fd);
    mine = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0666);
    for (fd = 4; fd < 300; fd++)
        MUST(dup2(mine, fd) == fd);
    if (argv[3])
        MUST(!rename(argv[3], argv[4]));
    run_threads(8, 10);
    MUST(!fstat(mine, &file) && file.st_size == 0);
    return 0;
}

/* No memory for another area: the thread counts in the section. With an argument it
 * forks then, and the child, which is in the section too, takes 3 steps.
 */
static bool fork_too;

static void *squeezed(void *unused)
{
    struct rlimit before;

    (void)unused;
    forbid_memory(&before);
    steps(10);
    MUST(__trod_thread == 1);
    allow_memory(&before);
    if (fork_too) {
        pid_t child = fork();

        if (!child) {
            steps(3);
            exit(0);
        }
        wait_for(child);
    }
    return NULL;
}

static int no_memory(char **argv)
{
    fork_too = argument(argv, 2, 0);
    steps(10);
    run_in_threads(1, squeezed, NULL);
    return 0;
}

static int change_directory(char **argv)
{
    steps(1);
    MUST(!chdir(argv[2]));
    run_threads(2, 10);
    fork_early(argv);
    return 0;
}

/* --- main ------------------------------------------------------------------------- */

static const struct scenario scenarios[] = {
    {"single", single},
    {"threads", threads},
    {"churn", churn},
    {"crowd", crowd},
    {"clone", raw_clone},
    {"cancel", cancel},
    {"handler", handler_first},
    {"storm", storm},
    {"invisible", invisible},
    {"sync", synced},
    {"fork", fork_once},
    {"tree", fork_tree},
    {"fork-threads", fork_threads},
    {"coroutine", fork_coroutine},
    {"fork-early", fork_early},
    {"vfork", vfork_exec},
    {"exec", execute},
    {"end", end},
    {"killed", killed},
    {"busy", exit_busy},
    {"later", directory_later},
    {"fill", fill_disk},
    {"close", close_all},
    {"memory", no_memory},
    {"chdir", change_directory},
};

int main(int argc, char **argv)
{
    return run_scenario(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
}
