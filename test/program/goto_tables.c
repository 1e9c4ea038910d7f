// modes: O1 O2 code
#include <stdio.h>

/* Labels whose addresses are in tables, in several functions: the targets of each jump have phi nodes. */

/* Nothing but the jump. */
static int only(int i)
{
    static void *const to[] = {&&a, &&b, &&c};

    goto *to[i];
a:
    return 2;
b:
    return 3;
c:
    return 5;
}

/* As differences of addresses, in an array of numbers. */
static int distances(int i)
{
    static const int distance[] = {&&a - &&a, &&b - &&a, &&c - &&a};

    goto *(&&a + distance[i]);
a:
    return 1;
b:
    return i * 3;
c:
    if (i > 1)
        return 9;
    return 4;
}

/* The same label several times. */
static int twice(int i)
{
    static void *const to[] = {&&a, &&a, &&b, &&a, &&b};
    int v = i;

    goto *to[i];
a:
    v = v * 7;
b:
    return v;
}

/* Labels that nothing jumps to. */
static int unreached(int i)
{
    static void *const to[] = {&&a, &&b};

    if (i > 5)
        return to[0] == to[1];
    return i;
a:
    return 2;
b:
    return 3;
}

/* A label in a variable, assigned on some paths. */
static int variable(int k)
{
    void *to = k & 1 ? &&odd : &&even;
    int sum = 0;

again:
    goto *to;
odd:
    sum += 1;
    to = &&even;
    if (++k < 20)
        goto again;
    return sum;
even:
    sum += 100;
    to = k % 3 ? &&odd : &&even;
    if (++k < 20)
        goto again;
    return sum;
}

/* Targets with other predecessors. */
static int meet(int i, int x)
{
    static void *const to[] = {&&a, &&b, &&c};
    int y = x;

    if (i & 1)
        y = x + 5;
    goto *to[i % 3];
a:
    y += 2;
    if (y & 4)
        goto c;
b:
    y ^= 1;
c:
    return y;
}

static int loop(int i, int n)
{
    static void *const to[] = {&&a, &&b};
    int sum = 0;

    for (int k = 0; k < n; k++) {
        goto *to[(i + k) & 1];
    a:
        sum += k;
        continue;
    b:
        sum -= 1;
    }
    return sum;
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 3; i++)
        sum += only(i) + distances(i) + variable(i) + meet(i, i);
    for (int i = 0; i < 5; i++)
        sum += twice(i) + unreached(i) + meet(i * 3, i) + loop(i, 7);
    printf("%d\n", sum);
    return 0;
}
