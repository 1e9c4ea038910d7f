// modes: O1 code
// trapped: main divide touch child
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Processes that end without a call: traps and faults. */

static int divide(int a, int b)
{
    if (a < 0)
        __builtin_trap();
    return a / b;
}

static int touch(volatile int *p, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        if (i & 1)
            sum += p[i];
        else
            p[i] = i;
    return sum;
}

static int child(int how)
{
    static volatile int zero;
    int a[4];

    if (how == 0)
        return divide(4, 2);
    if (how == 1)
        return divide(-1, 2);
    if (how == 2)
        return divide(7, 1);
    return touch(how == 3 ? a : (int *)(long)zero, 4);
}

int main(void)
{
    for (int i = 0; i < 5; i++) {
        int status;
        pid_t pid = fork();

        if (pid == 0)
            _exit(child(i));
        waitpid(pid, &status, 0);
        printf(
            "%d %d\n", WIFSIGNALED(status), WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        fflush(stdout);
    }
    return 0;
}
