/* scenario: what programs that test the runtime share: checks and arguments, threads, signals, children, and memory that
 * cannot be had.
 *
 * Such a program has a table of scenarios, and its first argument names one of them. It ends with status 9 if something is
 * wrong, and with 8 if there is no such scenario. Include it after _GNU_SOURCE is defined.
 */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUST(condition)                                                               \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s, line %d: not %s\n", __FILE__, __LINE__, #condition); \
            _exit(9);                                                                 \
        }                                                                             \
    } while (0)

struct scenario {
    const char *name;
    int (*run)(char **argv);
};

/* The status for main. */
static inline int run_scenario(
    const struct scenario *scenario, size_t count, int argc, char **argv)
{
    size_t i;

    for (i = 0; argc > 1 && i < count; i++) {
        if (!strcmp(argv[1], scenario[i].name))
            return scenario[i].run(argv);
    }
    fprintf(stderr, "no such scenario\n");
    return 8;
}

/* The i-th of the command line, a number. */
static inline unsigned long argument(char **argv, int i, unsigned long otherwise)
{
    int n;

    for (n = 0; argv[n]; n++)
        ;
    return i < n ? strtoul(argv[i], NULL, 10) : otherwise;
}

/* --- threads ---------------------------------------------------------------------- */

static inline void start_threads(
    pthread_t *thread, unsigned n, void *(*run)(void *), void *with)
{
    unsigned i;

    for (i = 0; i < n; i++)
        MUST(!pthread_create(thread + i, NULL, run, with));
}

static inline void join_threads(const pthread_t *thread, unsigned n)
{
    unsigned i;

    for (i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
}

enum { MOST_THREADS = 256 };

static inline void run_in_threads(unsigned n, void *(*run)(void *), void *with)
{
    pthread_t thread[MOST_THREADS];

    MUST(n <= MOST_THREADS);
    start_threads(thread, n, run, with);
    join_threads(thread, n);
}

/* A thread unknown to pthreads, with its creator's thread pointer. It ends like a child. */
static inline pid_t start_clone(int (*run)(void *))
{
    static char stack[65536] __attribute__((aligned(16)));
    pid_t child = clone(run, stack + sizeof stack,
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | SIGCHLD, NULL);

    MUST(child > 0);
    return child;
}

/* --- signals ---------------------------------------------------------------------- */

/* Handlers run on a stack of their own of that size; 0: on that of the thread. */
static inline void handle(int signal, void (*handler)(int), size_t own_stack)
{
    static char small[1 << 18];
    stack_t stack = {.ss_sp = small, .ss_size = own_stack};
    struct sigaction action = {
        .sa_handler = handler, .sa_flags = SA_RESTART | (own_stack ? SA_ONSTACK : 0)};

    MUST(own_stack <= sizeof small);
    MUST(!own_stack || !sigaltstack(&stack, NULL));
    MUST(!sigaction(signal, &action, NULL));
}

/* SIGALRM again and again; 0: no more. */
static inline void tick_every(long microseconds)
{
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};

    MUST(!setitimer(ITIMER_REAL, &timer, NULL));
}

/* --- children --------------------------------------------------------------------- */

/* Memory that children share and that outlives them. */
static inline void *share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    MUST(memory != MAP_FAILED);
    return memory;
}

static inline void wait_for(pid_t child)
{
    int status;

    MUST(child > 0 && waitpid(child, &status, 0) == child);
    MUST(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static inline void kill_after(pid_t child, unsigned long microseconds)
{
    usleep((useconds_t)microseconds);
    MUST(child > 0 && !kill(child, SIGKILL));
    MUST(waitpid(child, NULL, 0) == child);
}

/* --- memory ----------------------------------------------------------------------- */

/* No more of it, until it is allowed again. */
static inline void forbid_memory(struct rlimit *before)
{
    struct rlimit none = {0, 0};

    MUST(!getrlimit(RLIMIT_AS, before));
    none.rlim_max = before->rlim_max;
    MUST(!setrlimit(RLIMIT_AS, &none));
}

static inline void allow_memory(const struct rlimit *before)
{
    MUST(!setrlimit(RLIMIT_AS, before));
}

#endif
