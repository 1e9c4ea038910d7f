// flags: -fno-strict-aliasing
// modes: O1 O3 code
// abandons: walk step main
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

// Inlined functions with one path are counted in bundles: together where they always execute together. They are counted
// apart where a call between them may not return, where a loop continues early, and where one of two blocks executes
// more often.

static jmp_buf env;
static volatile int limit = 37;

static inline int low(int x) { return x & 15; }
static inline int high(int x) { return x >> 4; }
static inline int twice(int x) { return low(x) + high(x); }

__attribute__((noinline)) static int step(int x)
{
    if (x == limit)
        longjmp(env, x);
    return x + 1;
}

// Both ends of a diamond, and its sides.
__attribute__((noinline)) static int diamond(int x)
{
    int n = low(x);

    if (x & 1)
        n += high(x);
    else
        n -= twice(x);
    return n + low(n) + high(x);
}

// The beginning of the body executes more often than its end.
__attribute__((noinline)) static int sieve(int x)
{
    int n = 0;

    for (int i = 0;; i++) {
        n += low(i);
        if (i % 3)
            continue;
        n += high(n);
        if (i > x)
            break;
    }
    return n;
}

// The end of a block executes only if the call in its middle returns.
__attribute__((noinline)) static int walk(int x)
{
    int n = low(x) + twice(x);

    n += step(x);
    n += high(n) + low(n);
    n += step(x + 1);
    return n + twice(n);
}

// The compares of a cascade, with an accessor between them.
__attribute__((noinline)) static int cascade(const int *p)
{
    if (low(*p) == 1)
        return 10;
    if (low(*p) == 2)
        return 11;
    if (low(*p) == 3)
        return 12;
    return low(*p) == 4 ? 13 : high(*p);
}

int main(void)
{
    static int sum;
    int at;

    for (int i = 0; i < 20; i++)
        sum += diamond(i) + sieve(i) + cascade(&i);
    at = setjmp(env);
    printf("%d %d\n", sum, at);
    if (at)
        exit(low(sum) == 16);
    for (int i = 0; i < 60; i++)
        sum += walk(i);
    return 0;
}
