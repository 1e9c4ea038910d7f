// modes: O1 O3 debug code code0 limit static pie nopie pic sections lto thin guards linker asan ubsan codelto codethin
#include <stdio.h>

/* Every kind of loop: while, do, for, nested, with break, continue and early returns. */

static int count_down(int n)
{
    int steps = 0;

    while (n > 0) {
        n -= n % 3 ? 1 : 2;
        steps++;
    }
    return steps;
}

static int at_least_once(int n)
{
    int steps = 0;

    do {
        steps++;
        if (n == 7)
            break;
        n /= 2;
    } while (n);
    return steps;
}

static int skip_some(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        if (i % 4 == 1)
            continue;
        if (i == 13)
            break;
        sum += i;
    }
    return sum;
}

static int find(int rows, int columns, int what)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (i * j == what)
                return i * 100 + j;
    return -1;
}

static int triangle(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            int k = j;

            while (k--)
                sum += i ^ k;
            if (sum > 1000)
                goto out;
        }
    }
out:
    return sum;
}

int main(void)
{
    for (int n = 0; n < 20; n++)
        printf("%d %d %d %d %d\n", count_down(n), at_least_once(n), skip_some(n),
            find(n, n, 12), triangle(n));
    return 3;
}
