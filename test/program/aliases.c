// modes: O1 O3 code static pie
// ifunc: fast
#include <stdio.h>

/* One body under several names; a function chosen by the loader; forced and forbidden inlining. */

int real(int n);
int real(int n)
{
    if (n > 3)
        return n - 3;
    return n + 3;
}
int other_name(int n) __attribute__((alias("real")));
int weak_name(int n) __attribute__((weak, alias("real")));

static int fast(int n)
{
    return n & 1 ? n : 0;
}

static int slow(int n)
{
    while (n > 1)
        n -= 2;
    return n;
}

static int (*choose(void))(int)
{
    return sizeof(long) == 8 ? fast : slow;
}
int by_loader(int n) __attribute__((ifunc("choose")));

__attribute__((always_inline)) static inline int forced(int n)
{
    for (int i = 0; i < 3; i++)
        if (n >> i & 1)
            return i;
    return -1;
}

__attribute__((noinline)) static int forbidden(int n)
{
    return forced(n) + forced(n + 1);
}

__attribute__((optnone, noinline)) static int left_alone(int n)
{
    return n < 4 ? forced(n) : slow(n);
}

__attribute__((cold)) static int rare(int n)
{
    return n ? 1 : 2;
}

int main(void)
{
    for (int i = 0; i < 9; i++)
        printf("%d %d %d %d %d %d %d\n", real(i), other_name(i + 1), weak_name(i + 2),
            by_loader(i), forbidden(i), left_alone(i),
            __builtin_expect(i == 5, 0) ? rare(i) : 0);
    return 0;
}
