// with: same_name_part.c
// modes: O1 code lto thin
#include <stdio.h>

/* Static functions of one name in two files. */

static int helper(int x)
{
    if (x & 1)
        return x * 3 + 1;
    return x / 2;
}

int other(int x);

int main(void)
{
    for (int i = 1; i < 12; i++)
        printf("%d %d\n", helper(i), other(i));
    return 0;
}
