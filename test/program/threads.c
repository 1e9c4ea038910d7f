// flags: -pthread
// modes: O1 O3 code static lto
#include <pthread.h>
#include <stdio.h>

/* Threads in the same functions at the same time: no count is lost. */

static int collatz(int n)
{
    int steps = 0;

    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

static void *work(void *arg)
{
    int *n = arg, most = 0;

    for (int i = 1; i < 30; i++) {
        int steps = collatz(i + *n);

        if (steps > most)
            most = steps;
    }
    *n = most;
    return arg;
}

int main(void)
{
    pthread_t thread[4];
    int n[4];

    for (int i = 0; i < 4; i++) {
        n[i] = i * 10;
        pthread_create(&thread[i], NULL, work, &n[i]);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        printf("%d\n", n[i]);
    }
    return 0;
}
