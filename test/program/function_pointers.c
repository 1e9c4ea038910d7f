// modes: O1 O3 code
#include <stdio.h>
#include <stdlib.h>

static int add(int a, int b)
{
    return a + b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int power(int a, int b)
{
    int p = 1;

    while (b-- > 0)
        p = p * a % 1009;
    return p;
}

static int fold(int (*f)(int, int), const int *a, int n)
{
    int x = a[0];

    for (int i = 1; i < n; i++)
        x = f(x, a[i]);
    return x;
}

static int by_size(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    if (x < y)
        return -1;
    return x > y;
}

int main(void)
{
    int (*const f[])(int, int) = {add, larger, power};
    int a[] = {5, 3, 9, 1, 7, 7, 2, 8};

    for (int i = 0; i < 6; i++)
        printf("%d ", fold(f[i % 3], a, 3 + i));
    qsort(a, 8, sizeof *a, by_size);
    for (int i = 0; i < 8; i++)
        printf("%d", a[i]);
    puts("");
    return 0;
}
