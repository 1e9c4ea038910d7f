// modes: O1 code
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t hits, left = 6;

static void again(int signal)
{
    hits++;
    if (--left > 3)
        raise(signal); /* blocked until we return */
    else if (left == 2)
        raise(SIGUSR2);
}

static void other(int signal)
{
    hits += signal == SIGUSR2 ? 100 : 1;
}

static int work(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        if (i % 5 == 0)
            raise(SIGUSR1);
        sum += i;
    }
    return sum;
}

int main(void)
{
    signal(SIGUSR1, again);
    signal(SIGUSR2, other);
    printf("%d", work(17));
    printf(" %d\n", (int)hits);
    return 0;
}
