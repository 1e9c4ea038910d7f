// modes: O1 O3 code
// abandons: careful jumped main
// ambiguous: early
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

/* Signal handlers in the middle of a path, of the first path of a called function, between two
 * calls, and of another handler; one that does not return. An instruction raises the signal, not a
 * call.
 */

#if defined __x86_64__
#define TRAP() __asm__ volatile("int3" ::: "memory")
#else
#define TRAP() raise(SIGTRAP)
#endif

static volatile int ntrap, sum;
static sigjmp_buf back;
static volatile sig_atomic_t leave;

static int weigh(int n)
{
    return n & 1 ? n : -n;
}

static void handler(int signal)
{
    int n = ++ntrap;

    if (leave && n % 4 == 0)
        siglongjmp(back, 1);
    sum += weigh(n);
    if (n % 7 == 0) {
        TRAP(); /* in the handler itself: SA_NODEFER */
        sum += weigh(signal);
    }
}

/* In the first path. */
static int first(int n)
{
    TRAP();
    return n > 2 ? 1 : weigh(n);
}

/* In the middle of an iteration. */
static int rounds(int n)
{
    int total = 0;

    for (int i = 0; i < n; i++) {
        total += weigh(i);
        if (i & 1)
            total++;
        else
            total += 2;
        if (i == 2)
            TRAP();
    }
    return total;
}

/* Right after a call, and between two. */
static int behind(int n)
{
    int x = weigh(n);

    TRAP();
    if (x > 0)
        TRAP();
    return x + weigh(n + 1);
}

static int jumped(int n)
{
    int x = weigh(n);

    if (x)
        TRAP();
    return x + 1;
}

static int careful(int n)
{
    if (sigsetjmp(back, 1))
        return -1;
    return jumped(n) + jumped(n + 1);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NODEFER};

    sigaction(SIGTRAP, &action, NULL);
    for (int i = 0; i < 5; i++) {
        printf("%d", first(i));
        printf(" %d", rounds(i));
        printf(" %d\n", behind(i));
    }
    leave = 1;
    for (int i = 0; i < 5; i++)
        printf("%d\n", careful(i));
    printf("%d %d\n", ntrap, sum);
    return 0;
}
