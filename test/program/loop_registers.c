// flags: -fno-strict-aliasing
// modes: O1 O3 code
// abandons: copy scan try_all main
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Innermost loops with several paths count in registers. The counters are brought up to date at each exit of the loop
// and before calls in it that may not return.

static jmp_buf env;
static volatile int limit = 500;
static volatile sig_atomic_t handled;

struct buffer {
    char *at;
    int used, room;
};

__attribute__((noinline)) static void grow(struct buffer *b)
{
    if (b->room >= limit)
        longjmp(env, 1);
    b->room = b->room * 2 + 16;
    b->at = realloc(b->at, (size_t)b->room);
    if (!b->at)
        exit(1);
}

// Three paths, one exit.
__attribute__((noinline)) static int classify(const char *s, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        if (s[i] == ' ')
            sum++;
        else if (s[i] == 'e')
            sum += 3;
    return sum;
}

// A call that may not return, in some iterations.
__attribute__((noinline)) static void copy(struct buffer *b, const char *s)
{
    while (*s) {
        if (b->used == b->room)
            grow(b);
        b->at[b->used++] = *s++;
    }
}

// Several exits, one of them a return, and iterations that continue early.
__attribute__((noinline)) static int scan(const char *s, int stop)
{
    int n = 0;

    for (int i = 0; s[i]; i++) {
        if (s[i] == stop)
            return n;
        if (s[i] < 'f')
            continue;
        if (s[i] > 'y')
            break;
        if (n > 1000)
            exit(3);
        n++;
    }
    return -n;
}

// A handler that runs the same function while a loop of it is in progress.
static void handle(int number)
{
    (void)number;
    handled += classify("a e", 3);
}

__attribute__((noinline)) static int signalled(const char *s)
{
    int n = 0;

    for (int i = 0; s[i]; i++)
        if (s[i] == '!') {
            raise(SIGUSR1);
            n += 100;
        } else if (s[i] & 1) {
            n++;
        }
    return n;
}

// A loop that waits for what others store.
__attribute__((noinline)) static int wait_for(volatile int *flag)
{
    int n = 0;

    while (*flag > 0)
        if ((*flag)-- & 1)
            n++;
    return n;
}

// Nested loops: only the inner one counts in registers.
__attribute__((noinline)) static int matrix(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if ((i ^ j) & 1)
                sum += j;
            else if (sum > 90)
                sum -= 7;
    return sum;
}

__attribute__((noinline)) static int try_all(struct buffer *b, const char *s)
{
    int times = 0;

    if (setjmp(env) == 0)
        for (;;) {
            copy(b, s);
            times++;
        }
    return b->used;
}

int main(void)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog and then sleeps";
    struct buffer b = {0};
    int flag = 9, sum = 0;

    signal(SIGUSR1, handle);
    for (int i = 0; i < 50; i++)
        sum += classify(text, i) + matrix(i % 7);
    sum += scan(text, 'z') + scan(text, '?') + scan("zzz", 'a') + scan("", 'a');
    sum += signalled("ab!cd!!e") + wait_for(&flag);
    printf("%d %d\n", sum, try_all(&b, text));
    printf("%d\n", (int)handled);
    fflush(stdout);
    memset(b.at, 'n', (size_t)b.used);
    free(b.at);
    for (int i = 0; i < 200; i++)
        scan("ghghghghghghghghghghghghghghghghghghghghghghghgh", 'q');
    return scan("", 'q');
}
