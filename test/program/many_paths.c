// modes: O1 O3 code limit lto
#include <stdio.h>

/* 2^40 paths without a loop, and more inside one: both are cut. */

#define BIT(i)           \
    if (x >> (i) & 1)    \
        n = n * 3 + (i); \
    else                 \
        n ^= (i)
#define EIGHT(i) \
    BIT(i);      \
    BIT(i + 1);  \
    BIT(i + 2);  \
    BIT(i + 3);  \
    BIT(i + 4);  \
    BIT(i + 5);  \
    BIT(i + 6);  \
    BIT(i + 7)

static unsigned straight(unsigned long x)
{
    unsigned n = 1;

    EIGHT(0);
    EIGHT(8);
    EIGHT(16);
    EIGHT(24);
    EIGHT(32);
    return n;
}

static unsigned looping(unsigned long x, int rounds)
{
    unsigned n = 7;

    while (rounds--) {
        EIGHT(0);
        EIGHT(8);
        EIGHT(16);
        if (n % 11 == 0)
            return n;
        x = x * 25214903917ul + 11;
    }
    return n + 1;
}

int main(void)
{
    unsigned long x = 1;
    unsigned sum = 0;

    for (int i = 0; i < 40; i++) {
        x = x * 6364136223846793005ul + 1442695040888963407ul;
        sum += straight(x >> 20) ^ looping(x >> 30, 4);
    }
    printf("%u\n", sum);
    return 0;
}
