#include <stdio.h>

static int calls;

int step(int x);

__attribute__((constructor)) static void loaded(void)
{
    puts(calls ? "again" : "loaded");
}

__attribute__((destructor)) static void unloaded(void)
{
    if (calls > 5)
        puts("busy");
    else
        puts("idle");
}

int step(int x)
{
    calls++;
    switch (x) {
    case 0:
        return 1;
    case 1:
        return 10;
    default:
        while (x > 2)
            x -= 2;
        return x * 100;
    }
}
