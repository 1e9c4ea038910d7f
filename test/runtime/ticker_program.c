/* Programs with the ticker and nothing else of the runtime. The argument selects the scenario. */
#define _GNU_SOURCE 1

#include "os.h"
#include "burst/ticker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

unsigned char __trod_burst_flag;

static void fail(const char *what)
{
    fprintf(stderr, "%s (%s)\n", what, strerror(errno));
    exit(1);
}

static int start(uint32_t hz)
{
    struct trod_os_calm calm;
    int error;

    __trod_os_calm(&calm);
    error = __trod_ticker_start(hz);
    __trod_os_resume(&calm);
    return error;
}

static void stop(void)
{
    struct trod_os_calm calm;

    __trod_os_calm(&calm);
    __trod_ticker_stop();
    __trod_os_resume(&calm);
}

static void rest(void)
{
    struct timespec little = {0, 1000000};

    nanosleep(&little, NULL);
}

/* Wait for n ticks. The test fails if this never returns. */
static void take(int n)
{
    while (n > 0) {
        if (__atomic_exchange_n(&__trod_burst_flag, 0, __ATOMIC_RELAXED))
            n--;
        rest();
    }
}

static int nthread(void)
{
    char line[200];
    int n = 0;
    FILE *f = fopen("/proc/self/status", "r");

    while (f && fgets(line, sizeof line, f))
        sscanf(line, "Threads: %d", &n);
    if (f)
        fclose(f);
    return n;
}

static void plain(void)
{
    uint32_t before;

    take(10);
    before = __atomic_load_n(&__trod_burst_ticks, __ATOMIC_RELAXED);
    if (before < 10)
        fail("ticks are not counted");
    if (nthread() != 2)
        fail("the number of threads did not grow by one");
    if (!__libc_single_threaded)
        fail("libc knows the thread");
    if (start(1000) || nthread() != 2)
        fail("a second one was started");
    stop();
    if (nthread() != 1)
        fail("it is still there");
}

/* A signal that the only thread of a program blocks stays pending: the ticker does not take it. */
static volatile sig_atomic_t nhandled;

static void handle(int number)
{
    (void)number;
    nhandled++;
}

static void signals(void)
{
    struct sigaction action = {.sa_handler = handle};
    sigset_t one;

    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigprocmask(SIG_BLOCK, &one, NULL);
    kill(getpid(), SIGUSR1);
    take(10);
    sigpending(&one);
    if (nhandled || !sigismember(&one, SIGUSR1))
        fail("a signal was taken by another thread");
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    if (nhandled != 1)
        fail("a signal was lost");
}

static void forks(void)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        if (nthread() != 1)
            fail("a child has a ticker that was not started");
        if (start(1000))
            fail("a child has no ticker");
        take(10);
        stop();
        _exit(nthread() == 1 ? 0 : 1);
    }
    take(10);
    if (waitpid(child, &status, 0) != child || status)
        fail("a child failed");
}

static void *late(void *arg)
{
    take(20);
    return arg;
}

static void main_leaves(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, late, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}

static void run(const char *word, char **argv)
{
    if (!strcmp(word, "plain"))
        plain();
    else if (!strcmp(word, "signals"))
        signals();
    else if (!strcmp(word, "fork"))
        forks();
    else if (!strcmp(word, "pthread_exit"))
        main_leaves();
    else if (!strcmp(word, "pthread_exit-alone"))
        pthread_exit(NULL);
    else if (!strcmp(word, "raw-exit"))
        syscall(SYS_exit, 0);
    else if (!strcmp(word, "exec"))
        execl(argv[0], argv[0], "plain", (char *)NULL);
    else if (!strcmp(word, "kill"))
        raise(SIGKILL);
    else if (!strcmp(word, "abort"))
        abort();
    else if (!strcmp(word, "daemon") && daemon(1, 1) == 0) {
        if (nthread() != 1 || start(1000))
            fail("a daemon has no ticker");
        take(10);
        puts("a daemon ticks");
    } else if (!strcmp(word, "stops")) {
        int i;

        for (i = 0; i < 50; i++) {
            stop();
            if (nthread() != 1)
                fail("it is still there");
        }
    }
}

int main(int argc, char **argv)
{
    int error;

    if (argc < 2)
        return 2;
    alarm(120);
    if (!strcmp(argv[1], "no-memory")) {
        struct rlimit none = {1, 1};

        setrlimit(RLIMIT_AS, &none);
    }
    errno = 77;
    error = start(argc > 2 ? (uint32_t)atoi(argv[2]) : 1000);
    if (error) {
        fprintf(stderr, "there is no ticker: error %d\n", -error);
        return 3;
    }
    if (errno != 77)
        fail("errno changed");
    run(argv[1], argv);
    return 0;
}
