#include <stdlib.h>

long even(long n, long sum);

long odd(long n, long sum)
{
    return n ? even(n - 1, sum + 1) : sum;
}

void leave(int how)
{
    if (how)
        exit(how + 2);
}
