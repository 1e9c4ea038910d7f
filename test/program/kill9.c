// modes: O1 code
// abandons: main
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int work(int n)
{
    return n % 4 == 0 ? n / 4 : n * 3;
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 25; i++)
        sum += work(i);
    printf("%d\n", sum);
    fflush(stdout);
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}
