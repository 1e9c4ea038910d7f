// modes: O1 O2 code limit
#include <stdio.h>

/* The entry block contains only the jump into a loop: probes of the block and probes of the edge are in one place, in
 * this order.
 */

static volatile int sink;

static int turns(int a, int b, int c, int d)
{
again:
    sink += a;
    do {
        if (a & 1)
            sink++;
        else
            sink--;
        if (b & 1)
            sink += 2;
        else
            sink -= 2;
        if (c & 1)
            sink += 3;
        a--;
    } while (a % 3);
    b++;
    if (--d > 0)
        goto again;
    return sink;
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 20; i++)
        sum += turns(i, i / 2, i / 3, i % 5);
    printf("%d\n", sum);
    return 0;
}
