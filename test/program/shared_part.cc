#include "shared.h"

HIDDEN int same(int x)
{
    int n = 0;

    while (x > 0) {
        x -= 2;
        n++;
    }
    return n;
}

int each(int n, int (*f)(int))
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += f(i) + same(i) + half(i);
    return sum;
}
