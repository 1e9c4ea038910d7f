// modes: O1 O3 code limit lto
// with: tail_calls_part.c
// abandons: main jumps tries
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

/* Tail calls: into another unit, through pointers, after loops, and calls that never return. */

long odd(long n, long sum);
void leave(int how);

long even(long n, long sum)
{
    return n ? odd(n - 1, sum + 1) : sum;
}

/* Several paths before the call, and a return without a call. */
long loops(long n, long sum)
{
    if (n & 4)
        sum += 2;
    if (n & 8)
        sum ^= 1;
    for (long i = 0; i < (n & 3); i++)
        sum += i;
    if (!n)
        return sum;
    if (n & 16)
        return odd(n & 7, sum);
    return loops(n - 1, sum);
}

struct machine {
    const unsigned char *pc;
    long sum, rounds;
};
typedef long op(struct machine *m);
static op *const table[];

static long add(struct machine *m)
{
    m->sum++;
    m->pc++;
    if (m->sum & 64)
        m->sum += 3;
    return table[*m->pc](m);
}

static long again(struct machine *m)
{
    if (--m->rounds)
        m->pc -= m->pc[1];
    else
        m->pc += 2;
    return table[*m->pc](m);
}

static long stop(struct machine *m)
{
    return m->sum;
}

static op *const table[] = {add, again, stop};

/* The callee may read a variable of the caller: not a jump, but the same path. */
static void look(const int *at)
{
    if (*at > 3)
        leave(0);
}

static void lends(int n)
{
    int own = n * 2;

    look(&own);
}

/* The call does not return: the path has ended anyway. */
static jmp_buf home;

void jump(int n)
{
    longjmp(home, n);
}

static void jumps(int n)
{
    if (n > 2)
        n -= 2;
    jump(n);
}

static void tries(int n)
{
    leave(n > 1 ? 1 : n);
}

int main(void)
{
    static const unsigned char code[] = {0, 0, 1, 2, 2, 2};
    struct machine m = {.pc = code, .rounds = 40};
    volatile int n = 1;
    long sum = even(33, 0) + loops(77, 0) + table[0](&m);

    for (int i = 0; i < 4; i++)
        lends(i);
    if (setjmp(home) < 2)
        jumps(n += 2);
    printf("%ld %d\n", sum, n);
    fflush(stdout);
    tries(0);
    tries(2);
    return 9;
}
