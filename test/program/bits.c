// modes: O1 O3 code static
#include <stdint.h>
#include <stdio.h>

/* Hot loops over bits, which the optimizer unrolls, turns into vectors and into selects. */

static int population(uint32_t x)
{
    int n = 0;

    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

static uint32_t crc(const char *p)
{
    uint32_t c = ~0u;

    for (; *p; p++) {
        c ^= (unsigned char)*p;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

static uint32_t reverse(uint32_t x)
{
    uint32_t r = 0;

    for (int i = 0; i < 32; i++) {
        r <<= 1;
        if (x & 1)
            r |= 1;
        x >>= 1;
    }
    return r;
}

static unsigned gcd(unsigned a, unsigned b)
{
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a;
}

static int positive(const int *a, int n)
{
    int count = 0;

    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            count++;
    return count;
}

int main(void)
{
    int a[100];

    for (int i = 0; i < 100; i++)
        a[i] = (i * 37 % 64) - 32;
    printf("%d %08x %08x %u %d\n", population(0xf0f01234u), crc("the way it went"),
        reverse(0x12345678u), gcd(84, 36), positive(a, 100));
    return 0;
}
