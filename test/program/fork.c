// modes: O1 O3 code static
// abandons: main
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Parent and child both return from fork, on a path that began before it. */

static int weigh(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += i % 3 ? i : -1;
    return sum;
}

static int spread(int n)
{
    int status, before = weigh(n);
    pid_t pid;

    if (n & 1)
        before++;
    pid = fork();
    if (pid == 0) {
        if (before > 3)
            return weigh(5) & 7;
        _exit(2);
    }
    if (waitpid(pid, &status, 0) != pid)
        return -1;
    return 100 + WEXITSTATUS(status);
}

int main(void)
{
    for (int i = 0; i < 6; i++) {
        int got = spread(i);

        if (got < 100)
            _exit(got);
        printf("%d\n", got);
    }
    return 0;
}
