// modes: O1 O3 code limit
#include <stdio.h>
#include <string.h>

/* Loops with one path, which trip counters count: no, one and many iterations; several entries;
 * abandoned; in sequence and nested.
 */

static unsigned sum(const unsigned char *p, int n)
{
    unsigned sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * 31 + p[i];
    return sum;
}

static int length(const char *p)
{
    int n = 0;

    while (*p++)
        n++;
    return n;
}

static int search(const int *a, int n, int what)
{
    for (int i = 0; i < n; i++)
        if (a[i] == what)
            return i;
    return -1;
}

static int entered_twice(int n)
{
    int x = 1;

    if (n & 1)
        x = 3;
    else if (n & 2)
        x = 5;
    do
        x = x * 3 % 101;
    while (--n > 0);
    return x;
}

static int in_a_row(int n)
{
    int x = 0;

    for (int i = 0; i < n; i++)
        x += i;
    for (int i = 0; i < x % 5; i++)
        x ^= i;
    while (x > 10)
        x -= 7;
    return x;
}

static int inside(int n)
{
    int x = 0;

    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            x++;
        for (int j = 0; j < i % 4; j++)
            x += j;
        if (x % 5 == 0)
            x += 2;
    }
    return x;
}

int main(void)
{
    static const int a[] = {4, 8, 15, 16, 23, 42};

    for (int i = 0; i < 8; i++)
        printf("%u %d %d %d %d %d\n", sum((const unsigned char *)"trodden", i),
            length("trodden" + i), search(a, 6, a[0] * i), entered_twice(i),
            in_a_row(i), inside(i));
    return 0;
}
