// modes: O1 O3 code
// abandons: guarded leave last
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Functions without loops. Where code exists twice (bursts, subpaths), their slow copy is a function of its own, to which
 * control jumps with the arguments it came with: in registers, on the stack, of all kinds, and with results of all kinds.
 */
struct small {
    int a;
    double b;
};
struct large {
    long of[6];
};

__attribute__((noinline)) static long many(int a, long b, char c, short d, long e,
    int f, long g, char h, long i, double x, float y)
{
    if (a < b)
        return a + b * c - d + e + f + g * h + i + (long)x + (long)y;
    return i - h;
}

__attribute__((noinline)) static struct small pair(int a, double b)
{
    struct small s = {a, b};

    if (a & 1)
        s.a = -a;
    return s;
}

/* The result is where the caller wants it. */
__attribute__((noinline)) static struct large wide(int a)
{
    struct large l = {{a, a + 1, a + 2, a + 3, a + 4, a + 5}};

    if (a % 3 == 0)
        l.of[a % 6] = 0;
    return l;
}

/* The argument is on the stack. */
__attribute__((noinline)) static long narrow(struct large l, int k)
{
    l.of[k % 6]++;
    return k > 50 ? l.of[0] : l.of[5];
}

__attribute__((noinline)) static int variable(int n, ...)
{
    va_list list;
    int a, b;

    va_start(list, n);
    a = va_arg(list, int);
    b = n > 1 ? va_arg(list, int) : 0;
    va_end(list);
    return a - b;
}

__attribute__((noinline)) static long double extended(long double x, int k)
{
    return k & 2 ? x * 2 : x - 1;
}

__attribute__((noinline)) static unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return x < y ? -1 : x > y;
}

static jmp_buf out;

__attribute__((noinline)) static int leave(int k)
{
    char text[64];

    snprintf(text, sizeof text, "%d", k);
    if (k % 7 == 3)
        longjmp(out, k);
    return text[0];
}

__attribute__((noinline)) static int guarded(int k)
{
    int came = setjmp(out);

    return came ? -came : leave(k);
}

__attribute__((noinline)) static int last(int k)
{
    return k & 4 ? guarded(k + 1) : leave(7 * k);
}

__attribute__((noinline)) static void nothing(int *sum, int k)
{
    if (k == 5)
        return;
    *sum += k;
}

int main(void)
{
    int numbers[300], sum = 0;
    unsigned long all = 0;

    for (int k = 0; k < 300; k++) {
        struct small s = pair(k, k / 2.0);
        struct large l = wide(k);

        all +=
            (unsigned long)many(k, 7, 'x', 3, 1L << 40, k, 2, 'y', 99, k / 3.0, 1.5F);
        all += (unsigned long)s.a + (unsigned long)s.b;
        all += (unsigned long)narrow(l, k) + (unsigned long)l.of[k % 6];
        all += (unsigned long)variable(k % 3, k, 5) + (unsigned long)extended(k, k);
        all += fibonacci((unsigned)k % 10) + (unsigned long)guarded(k) +
               (unsigned long)last(k);
        nothing(&sum, k);
        numbers[k] = (k * 7919) % 1009;
    }
    qsort(numbers, 300, sizeof *numbers, compare);
    printf("%lu %d %d %d\n", all, sum, numbers[0], numbers[299]);
    return 0;
}
