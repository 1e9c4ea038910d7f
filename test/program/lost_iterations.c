// modes: O1 O3 code
// abandons: main work quit
#include <stdio.h>
#include <stdlib.h>

/* A loop with one path, whose callee does not return in the end: earlier iterations are still
 * counted.
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
