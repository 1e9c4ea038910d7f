// modes: O1 O3 code static
// abandons: main guarded spread deeper leave
// ambiguous: early before
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* fork deep in calls: the child returns from functions that its parent called, calls others, forks
 * again, or jumps to an activation of its parent; atfork handlers.
 */

static jmp_buf back;
static int nbefore, nin_child;

static int weigh(int n)
{
    return n % 3 ? n : -n;
}

static void before(void)
{
    nbefore += weigh(1);
}

static void in_child(void)
{
    nin_child++;
}

static int leave(int how)
{
    if (how == 2)
        longjmp(back, 1);
    return weigh(how);
}

static int deeper(int depth, int how)
{
    int got;
    pid_t pid;

    if (depth > 0)
        return deeper(depth - 1, how) + weigh(depth);
    fflush(stdout);
    pid = fork();
    if (pid == 0)
        return leave(how) + 50;
    waitpid(pid, &got, 0);
    return WEXITSTATUS(got);
}

static int spread(int how)
{
    int got = deeper(how, how);

    if (got < 40 && how == 3)
        got += deeper(1, 1);
    return got;
}

static int guarded(int how)
{
    if (setjmp(back))
        return 77;
    return spread(how);
}

int main(void)
{
    pid_t own = getpid();

    pthread_atfork(before, NULL, in_child);
    for (int i = 0; i < 5; i++) {
        int got = guarded(i);

        if (getpid() != own)
            exit(weigh(got & 31) & 31);
        printf("%d %d\n", got, nbefore);
    }
    return nin_child;
}
