// modes: O1 O3 code
#include <stdio.h>

static int odd(int n, int *calls);

static int even(int n, int *calls)
{
    ++*calls;
    if (n == 0)
        return 1;
    if (n & 4) __attribute__
        ((musttail)) return odd(n - 1, calls);
    __attribute__((musttail)) return odd(n - 1, calls);
}

static int odd(int n, int *calls)
{
    ++*calls;
    if (n == 0)
        return 0;
    __attribute__((musttail)) return even(n - 1, calls);
}

typedef int op(int acc, const char *code);
static op *const table[3];

static int finish(int acc, const char *code)
{
    return acc + (*code == 0);
}

static int twice(int acc, const char *code)
{
    acc *= 2;
    code++;
    __attribute__((musttail)) return (*code ? table[*code - 'a'] : finish)(acc, code);
}

static int plus(int acc, const char *code)
{
    for (int i = 0; i < 3; i++)
        acc++;
    code++;
    if (!*code) __attribute__
        ((musttail)) return finish(acc, code);
    __attribute__((musttail)) return table[*code - 'a'](acc, code);
}

static op *const table[3] = {twice, plus, finish};

/* A tail call without the attribute: the optimizer may turn it into a loop. */
static int sum(int n, int acc)
{
    return n ? sum(n - 1, acc + n) : acc;
}

int main(void)
{
    int calls = 0;

    for (int i = 0; i < 12; i++)
        printf("%d", even(i, &calls));
    printf(" %d %d %d %d\n", calls, twice(1, "aab"), plus(1, "bbaac"), sum(50, 0));
    return 0;
}
