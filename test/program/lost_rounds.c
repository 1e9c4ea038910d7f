// modes: O1 O3 code
// abandons: main work quit
#include <stdio.h>
#include <stdlib.h>

/* A loop with one way round that a callee never comes back to: what went round before is
 * counted all the same.
 */

__attribute__((noinline)) static int step(int n)
{
    return n + 1;
}

__attribute__((noinline)) static int quit(int n)
{
    if (n == 9) {
        puts("enough");
        exit(0);
    }
    return step(n);
}

static int work(int n)
{
    while (n < 100)
        n = quit(n);
    return n;
}

int main(void)
{
    return work(0);
}
