// flags: -fno-strict-aliasing
// modes: O1 O3 code
// abandons: after behind main
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

// Counts at the end of a block that are the sum of counts at the beginning of its successors need no counter. They need
// one where a successor counts nothing, where something else leads to a successor, and where a call may not return first.

static jmp_buf env;
static volatile int limit = 40;

static inline int low(int x) { return x & 15; }
static inline int high(int x) { return x >> 4; }
static inline int sign(int x) { return x < 0 ? -low(-x) : x > 9 ? high(x) : low(x); }

__attribute__((noinline)) static int step(int x)
{
    if (x >= limit)
        longjmp(env, x);
    return x + 1;
}

// Both sides count.
__attribute__((noinline)) static int sides(int x)
{
    int n = low(x);

    if (x & 16)
        n += printf("%s", "") + high(x);
    else
        n -= high(x) * low(x + 1);
    return n;
}

// Sides of sides, and one that counts nothing by itself.
__attribute__((noinline)) static int nested(const int *p)
{
    int n = low(p[0]);

    if (p[0] & 1) {
        if (p[1] & 1)
            n += sign(p[1]) + rand() % 1;
        else if (p[1] & 2)
            n -= low(p[1]) + rand() % 1;
    } else {
        n ^= high(p[1]) + rand() % 1;
    }
    return n;
}

// Several cases lead to one block, and one case falls through to the next.
__attribute__((noinline)) static int cases(int x)
{
    int n = high(x);

    switch (x & 7) {
    case 0:
    case 3:
    case 5:
        n += sign(x - 20) + rand() % 1;
        break;
    case 1:
        n -= low(x) + rand() % 1;
        /* fall through */
    case 2:
        n += high(n + 100) + rand() % 1;
        break;
    default:
        n = -low(n) + rand() % 1;
    }
    return n;
}

// In a loop, which is left from one side.
__attribute__((noinline)) static int inside(int x)
{
    int n = 0;

    for (int i = 0;; i++) {
        n += low(i);
        if (i > x)
            return n + high(n);
        n += i % 3 ? sign(n - 30) : high(i) + rand() % 1;
    }
}

// A call comes first on both sides, and before one of the two counts on another.
__attribute__((noinline)) static int after(int x)
{
    int n = low(x);

    if (x & 1)
        n += step(x) + high(x);
    else
        n += step(x + 1) - low(x);
    n += high(n) + low(n);
    if (x & 2)
        n += low(n) * step(x);
    else
        n -= high(n) + rand() % 1;
    return n;
}

// One side counts only after a call that may not return.
__attribute__((noinline)) static int behind(int x)
{
    int n = step(0) + low(x);

    if (x & 1) {
        if (step(x) & 2)
            n += high(x) + rand() % 1;
        else
            n -= low(x) + rand() % 1;
    } else {
        n ^= high(n) + rand() % 1;
    }
    return n;
}

int main(void)
{
    static int sum;
    int at;

    for (int i = 0; i < 40; i++)
        sum += sides(i) + nested((int[]){i, i / 2}) + cases(i) + inside(i % 5);
    at = setjmp(env);
    printf("%d %d\n", sum, at);
    if (!limit)
        exit(sum == 1);
    for (int i = 0; i < 60 && !at; i++)
        sum += behind(i);
    limit = 0;
    for (int i = 0; i < 60; i++)
        sum += after(i + 2);
    return 0;
}
