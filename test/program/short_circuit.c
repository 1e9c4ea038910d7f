// modes: O1 O3 code limit
#include <stdio.h>

static int calls;

static int yes(int x)
{
    calls++;
    return x;
}

static int both(int a, int b, int c)
{
    return yes(a) && yes(b) && yes(c);
}

static int mixed(int a, int b, int c, int d)
{
    if ((yes(a) || yes(b)) && !(yes(c) && yes(d)))
        return 1;
    if ((a && b) || (c && !d) || (a ^ d && b))
        return 2;
    return 3;
}

static int choose(int x)
{
    return x < 0 ? -1 : x == 0 ? 0 : x < 10 ? (x & 1 ? 1 : 2) : 3;
}

static int comma(int x)
{
    int y = (x++, x > 5) ? (calls++, x) : x ?: 9;

    while (y-- && x)
        x >>= 1;
    return x + y;
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 16; i++) {
        sum = sum * 3 + both(i & 1, i & 2, i & 4);
        sum = sum % 10007 + mixed(i & 1, i & 2, i & 4, i & 8);
        sum += choose(i - 3) + comma(i - 1);
    }
    printf("%d %d\n", sum, calls);
    return 0;
}
