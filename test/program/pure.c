// modes: O1 O3 code lto
#include <stdio.h>

/* Functions with the attributes pure and const. Counting is a side effect. */

__attribute__((const, noinline)) static int square(int x)
{
    return x < 0 ? 0 : x * x;
}

__attribute__((pure, noinline)) static int total(const int *a, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            sum += a[i];
    return sum;
}

__attribute__((const)) int visible(int x);

int visible(int x)
{
    if (x & 1)
        return 3;
    return 4;
}

int main(void)
{
    int a[] = {3, -1, 4, -1, 5}, sum = 0;

    for (int i = -3; i < 5; i++) {
        sum += square(i) + square(i); /* may be called once or twice */
        sum += total(a, 5) + visible(i);
        square(i); /* or not at all */
    }
    printf("%d\n", sum);
    return 0;
}
