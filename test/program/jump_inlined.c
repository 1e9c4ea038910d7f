// modes: O1 O3 code
// abandons: jump hop two_hops try_it recurse down main out_of
// ambiguous: jump
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* longjmp out of functions small enough to be inlined, over others; to an activation that is not
 * the innermost of its function.
 */

static jmp_buf back;
static volatile int sum;

static void jump(int n)
{
    if (n > 3)
        longjmp(back, n);
    sum += n;
}

static void hop(int n)
{
    jump(n - 1);
    sum++;
    jump(n);
}

static int two_hops(int n)
{
    hop(n);
    if (n & 1)
        hop(n + 1);
    return n;
}

static int try_it(int n)
{
    switch (setjmp(back)) {
    case 0:
        return two_hops(n);
    case 4:
        return -4;
    }
    two_hops(1);
    return -n;
}

/* Nested calls of setjmp. */
struct place {
    jmp_buf at;
    struct place *outer;
};

static void out_of(struct place *place, int levels)
{
    while (--levels > 0 && place->outer)
        place = place->outer;
    longjmp(place->at, levels + 9);
}

static int down(struct place *place, int levels);

static int recurse(struct place *outer, int depth, int levels)
{
    struct place here = {.outer = outer};
    volatile int result = depth;

    if (setjmp(here.at)) {
        result += 10;
        jump(1);
        return result;
    }
    if (depth == 0)
        return down(&here, levels);
    result += recurse(&here, depth - 1, levels);
    jump(2);
    return result;
}

static int down(struct place *place, int levels)
{
    if (levels > 0)
        out_of(place, levels);
    return 1;
}

int main(void)
{
    for (int i = 0; i < 7; i++)
        printf("%d\n", try_it(i));
    for (int depth = 0; depth < 4; depth++)
        for (int levels = 0; levels < 4; levels++)
            printf("%d ", recurse(NULL, depth, levels));
    printf("\n%d\n", sum);
    return 0;
}
