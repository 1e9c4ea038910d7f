// modes: O1 O3 code guards
// abandons: main weave worker turn
#include <stdio.h>
#include <ucontext.h>

/* Switched stacks: functions continue in turn without calling each other. One of them is never
 * resumed.
 */

static ucontext_t from, to[3];
static char stack[3][1 << 16];
static int order[64], norder;

static int weigh(int n)
{
    return n % 3 ? n : -n;
}

static int turn(int who)
{
    order[norder++] = who;
    swapcontext(&to[who], &from);
    return weigh(norder);
}

static void worker(int who, int rounds)
{
    int sum = 0;

    for (int i = 0; i < rounds; i++)
        if (i & 1)
            sum += turn(who);
        else
            sum -= turn(who) + weigh(i);
    order[norder++] = 10 * who + (sum & 1);
}

static int weave(int rounds)
{
    int sum = 0;

    for (int i = 0; i < rounds; i++) {
        swapcontext(&from, &to[i % 3]);
        sum += weigh(order[norder - 1]);
    }
    return sum;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        getcontext(&to[i]);
        to[i].uc_stack.ss_sp = stack[i];
        to[i].uc_stack.ss_size = sizeof stack[i];
        to[i].uc_link = &from;
        makecontext(&to[i], (void (*)(void))worker, 2, i, 4 + 2 * i);
    }
    printf("%d", weave(13));
    for (int i = 0; i < norder; i++)
        printf(" %d", order[i]);
    puts("");
    return 0;
}
