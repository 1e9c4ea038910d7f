// modes: O1 O3 code
// abandons: main fail step in_child
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* exit, abort and a noreturn function of the program, called in the middle of loops. */

static _Noreturn void fail(int code)
{
    if (code > 100)
        abort();
    exit(code);
}

static int step(int n, int end)
{
    if (n == end)
        fail(n);
    return n + 1;
}

static int check(int n)
{
    if (n < 0) {
        puts("negative");
        fflush(stdout);
        fail(101);
    }
    return n;
}

static int in_child(int what)
{
    pid_t pid;
    int status;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        if (what == 0)
            check(-1);
        if (what == 1)
            for (int i = 0;; i++)
                if (i == 20)
                    exit(5);
        abort();
    }
    waitpid(pid, &status, 0);
    return status & 0xff7f; /* without the core flag */
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d\n", in_child(i));
    for (int n = 0;;)
        n = step(n, 9);
}
