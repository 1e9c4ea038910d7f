/* Operations of one kind, over and over: how many a second. As the first section of the Java Grande suite.
 *
 * Each loop does one operation a round, on something that the compiler knows nothing of, so that neither
 * the loop nor the operation goes away.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define HIDE(x) __asm__ volatile("" : "+r"(x))
#define HIDE_REAL(x) __asm__ volatile("" : "+x"(x))

#define OPERATION(name, setup, count, body)           \
    static void name(const char *said)                \
    {                                                 \
        double begun = now(), spent;                  \
        long n = (count);                             \
        setup;                                        \
                                                      \
        for (long i = 0; i < n; i++) {                \
            body;                                     \
        }                                             \
        spent = now() - begun;                        \
        printf("%s %.0f\n", said, (double)n / spent); \
    }

OPERATION(add_int, int x = 1, 200000000, x += 3; HIDE(x))
OPERATION(add_real, double x = 1, 100000000, x += 0.5; HIDE_REAL(x))
OPERATION(multiply_int, int x = 3, 150000000, x *= 5; HIDE(x))
OPERATION(multiply_real, double x = 1, 100000000, x *= 1.0000001; HIDE_REAL(x))
OPERATION(divide_real, double x = 1e300, 40000000, x /= 1.0000001; HIDE_REAL(x))
OPERATION(assign, int x = 1; int y = 2, 300000000, x = y; HIDE(x); HIDE(y))
OPERATION(cast, int x = 1; double y = 0, 150000000, y = x; HIDE_REAL(y); HIDE(x))
OPERATION(allocate_small, void *p, 20000000, p = malloc(8); HIDE(p); free(p))
OPERATION(allocate_cleared, void *p, 4000000, p = calloc(128, 8); HIDE(p); free(p))
OPERATION(nothing, int x = 0, 400000000, HIDE(x))

static int __attribute__((noinline)) called(int x)
{
    HIDE(x);
    return x;
}

OPERATION(call, int x = 1, 150000000, x = called(x))

int main(void)
{
    add_int("add:int");
    add_real("add:double");
    multiply_int("multiply:int");
    multiply_real("multiply:double");
    divide_real("divide:double");
    assign("assign:local");
    cast("cast:int-double");
    allocate_small("allocate:8");
    allocate_cleared("allocate:1024-cleared");
    call("call");
    nothing("loop:for");
    return 0;
}
