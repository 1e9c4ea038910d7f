// modes: O1 O3 code
// abandons: deep main catch_in_loop locals
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static int deep(int n)
{
    if (n == 0)
        longjmp(back, 7);
    if (n == 100)
        return 1;
    return deep(n - 1) + 1;
}

static int catch_in_loop(int times)
{
    volatile int caught = 0;

    for (volatile int i = 0; i < times; i++) {
        int what = setjmp(back);

        if (what == 0)
            deep(i % 3 == 2 ? 100 : i);
        else if (what == 7)
            caught++;
        else
            return -1;
    }
    return caught;
}

/* A loop with one path, which contains setjmp. */
static int retry(void)
{
    volatile int tries = 0;

    while (setjmp(back) < 5)
        longjmp(back, ++tries);
    return tries;
}

static int locals(int x)
{
    volatile int y = x;

    if (setjmp(back)) {
        y += 100;
        return y;
    }
    for (int i = 0; i < 4; i++)
        y += i;
    if (x & 1)
        deep(1);
    return y;
}

int main(void)
{
    printf("%d\n", catch_in_loop(9));
    printf("%d\n", retry());
    for (int i = 0; i < 4; i++)
        printf("%d\n", locals(i));
    return 0;
}
