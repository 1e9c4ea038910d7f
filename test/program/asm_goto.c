// modes: O1 O3 code
#include <stdio.h>

#ifdef __aarch64__
#define GO_IF_ODD "tbnz %w0, #0, %l1"
#define GO_BY_ORDER "cmp %w0, %w1\n\tb.gt %l2\n\tb.lt %l3"
#else
#define GO_IF_ODD "test $1, %0\n\tjnz %l1"
#define GO_BY_ORDER "cmp %1, %0\n\tjg %l2\n\tjl %l3"
#endif

static int is_odd(unsigned x)
{
    __asm__ goto(GO_IF_ODD : : "r"(x) : "cc" : odd);
    return 0;
odd:
    return 1;
}

/* Two jump targets besides the fall-through; one of them has other predecessors. */
static int compare(int a, int b)
{
    int times = 0;

again:
    __asm__ goto(GO_BY_ORDER : : "r"(a), "r"(b) : "cc" : above, below);
    return times;
above:
    a--;
    times++;
    if (times < 10)
        goto again;
    return 100;
below:
    times += 20;
    if (times > 40)
        goto above;
    goto again;
}

int main(void)
{
    int sum = 0;

    for (unsigned i = 0; i < 9; i++)
        sum += is_odd(i * 3);
    printf("%d %d %d %d\n", sum, compare(5, 5), compare(8, 5), compare(5, 8));
    return 0;
}
