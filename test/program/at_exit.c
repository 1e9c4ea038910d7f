// modes: O1 code static
// abandons: main leave
#include <stdio.h>
#include <stdlib.h>

static int order;

static void first(void)
{
    printf("first %d\n", order++);
}

static void second(void)
{
    if (order == 0)
        atexit(first); /* from inside exit */
    printf("second %d\n", order++);
}

__attribute__((constructor)) static void before(void)
{
    for (int i = 0; i < 3; i++)
        putchar('0' + i);
    puts(" before");
}

__attribute__((constructor(200))) static void earlier(void)
{
    puts("earlier");
}

__attribute__((destructor)) static void after(void)
{
    printf("after %d\n", order);
}

static void leave(int n)
{
    if (n == 2)
        exit(6);
}

int main(void)
{
    atexit(first);
    atexit(second);
    for (int i = 0; i < 10; i++)
        leave(i);
    return 1;
}
