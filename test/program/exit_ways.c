// modes: O1 code
// abandons: main child by_quick_exit by_underscore by_kill by_abort by_signal handler
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every way to end a process: return, exit, _exit, quick_exit, abort, kill -9, a signal in a handler. */

static int busy(int n)
{
    int x = 0;

    for (int i = 0; i < n; i++)
        x += i & 2 ? 1 : 3;
    return x;
}

static void on_quick_exit(void)
{
    busy(2);
}

static void by_quick_exit(void)
{
    at_quick_exit(on_quick_exit);
    quick_exit(busy(3));
}

static void by_underscore(void)
{
    _exit(busy(4));
}

static void by_kill(void)
{
    busy(5);
    kill(getpid(), SIGKILL);
    busy(6);
}

static void by_abort(void)
{
    busy(6);
    abort();
}

static void handler(int signal)
{
    if (busy(signal) > 0)
        _Exit(9);
}

static void by_signal(void)
{
    signal(SIGTERM, handler);
    raise(SIGTERM);
}

static int child(int how)
{
    switch (how) {
    case 0:
        by_quick_exit();
    case 1:
        by_underscore();
        break;
    case 2:
        by_kill();
        break;
    case 3:
        by_abort();
    case 4:
        by_signal();
        break;
    case 5:
        exit(busy(7));
    }
    return busy(8);
}

int main(void)
{
    for (int i = 0; i < 7; i++) {
        int status;
        pid_t pid = fork();

        if (pid == 0)
            return child(i);
        waitpid(pid, &status, 0);
        if (WIFSIGNALED(status))
            printf("signal %d\n", WTERMSIG(status));
        else
            printf("status %d\n", WEXITSTATUS(status));
        fflush(stdout);
    }
    return 0;
}
