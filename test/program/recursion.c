// modes: O1 O3 code
#include <stdio.h>

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int female(int n);

static int male(int n)
{
    return n == 0 ? 0 : n - female(male(n - 1));
}

static int female(int n)
{
    return n == 0 ? 1 : n - male(female(n - 1));
}

/* Return into an activation that is in a loop. */
static int queens(int n, int row, unsigned columns, unsigned left, unsigned right)
{
    int found = 0;

    if (row == n)
        return 1;
    for (int i = 0; i < n; i++) {
        unsigned bit = 1u << i;

        if ((columns | left | right) & bit)
            continue;
        found +=
            queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}

int main(void)
{
    printf("%d %d %d %d %d\n", fib(12), ackermann(2, 3), male(10), female(10),
        queens(5, 0, 0, 0, 0));
    return 0;
}
