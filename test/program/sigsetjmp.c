// modes: O1 code
// abandons: handler
// trapped: poke guarded
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sigjmp_buf back;
static volatile int seen;

static void handler(int signal)
{
    seen++;
    siglongjmp(back, signal);
}

static int poke(int how)
{
    if (how == 1)
        raise(SIGUSR1);
    else if (how == 2)
        *(volatile int *)(how - 2 + (char *)NULL) = 1;
    return how;
}

static int guarded(int how)
{
    if (sigsetjmp(back, 1) == 0)
        return poke(how);
    return -how;
}

int main(void)
{
    signal(SIGUSR1, handler);
    signal(SIGSEGV, handler);
    for (int i = 0; i < 7; i++)
        printf("%d %d\n", guarded(i % 3), seen);
    return 0;
}
