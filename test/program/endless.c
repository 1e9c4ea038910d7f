// modes: O1 O3 code
// abandons: main tick
#include <stdio.h>
#include <stdlib.h>

/* A loop that ends only by exit in a callee. */

static void tick(int n)
{
    if (n == 30) {
        puts("done");
        exit(4);
    }
}

static int next(int n)
{
    return n % 7 == 3 ? n + 2 : n + 1;
}

int main(void)
{
    int n = 0;

    for (;;) {
        n = next(n);
        tick(n);
    }
}
