/* A timer's handler forks at any instruction; parent and child return there. Prints the number of children that
 * failed. For burst.t: the instruction differs from run to run.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 200 };

static pid_t child[FORKS];
static volatile sig_atomic_t nfork, in_child;

static void on_alarm(int signal)
{
    pid_t pid;

    (void)signal;
    if (in_child || nfork == FORKS)
        return;
    pid = fork();
    if (pid)
        child[nfork++] = pid;
    else
        in_child = 1;
}

static int spread(const int *from, int n, int depth)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += from[i] % 3 ? from[i] : -1;
    return depth ? sum + spread(from + n / 2, n / 2, depth - 1) : sum;
}

int main(void)
{
    struct itimerval often = {{0, 300}, {0, 300}}, never;
    volatile int sum = 0;
    int some[64], failed = 0;

    memset(&never, 0, sizeof never);
    for (int i = 0; i < 64; i++)
        some[i] = i * i;
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &often, NULL);
    while (nfork < FORKS && !in_child)
        sum += spread(some, 64, 5);
    if (in_child) {
        for (int i = 0; i < 20; i++)
            sum += spread(some, 64, 5);
        return 0;
    }
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < FORKS; i++) {
        int status;

        failed += waitpid(child[i], &status, 0) != child[i] || status;
    }
    printf("failed: %d\n", failed);
    return 0;
}
