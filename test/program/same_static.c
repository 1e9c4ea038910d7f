// with: same_static_part.c
// modes: O1 code lto thin
#include <stdio.h>

/* Static functions of one name in two files, which call each other across the files. */

int other(int n);

static int step(int n)
{
    if (n % 3 == 0)
        return n / 3;
    return n - 1;
}

static int walk(int n)
{
    int steps = 0;

    for (; n > 1; steps++)
        n = step(n);
    return steps;
}

int here(int n)
{
    return n > 2 ? walk(n) + other(step(n)) : walk(n);
}

int main(void)
{
    for (int i = 1; i < 16; i++)
        printf("%d %d\n", here(i), other(i));
    return 0;
}
