// modes: O1 O3 code limit
#include <stdio.h>

/* goto into loops: cycles with several entries. */

static int two_ways_in(int x, int n)
{
    int steps = 0;

    if (x & 1)
        goto b;
a:
    steps++;
    if (--n <= 0)
        return steps;
    if (n % 3 == 0)
        goto a;
b:
    steps += 10;
    if (--n > 0)
        goto a;
    return steps;
}

static int into_while(int x)
{
    int sum = 0, i = 0;

    if (x > 3)
        goto inside;
    while (i < x) {
        sum += 1;
        if (i == 2) {
        inside:
            sum += 100;
        }
        i++;
    }
    return sum;
}

static int knot(int x)
{
    int n = 0;

    switch (x & 3) {
    case 0:
        goto p;
    case 1:
        goto q;
    case 2:
        goto r;
    }
    return 0;
p:
    n++;
    if (n > 12)
        return n;
    if (n & 1)
        goto r;
q:
    n += 2;
    if (n % 5 == 0)
        goto p;
r:
    n += 3;
    if (n % 2)
        goto q;
    if (n < 20)
        goto p;
    return -n;
}

int main(void)
{
    for (int i = 0; i < 12; i++)
        printf("%d %d %d\n", two_ways_in(i, i), into_while(i), knot(i));
    return 0;
}
