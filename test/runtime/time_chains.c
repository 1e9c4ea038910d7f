// Two paths that take long, one four times as long as the other; prints the ratio of what they take. What both do is in
// assembly, so that it is one block of either.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define CHAIN(n, x)                       \
    __asm__ volatile("mov %1, %%rcx\n"    \
                     "1: imul %0, %0\n\t" \
                     "dec %%rcx\n\t"      \
                     "jne 1b"             \
        : "+r"(x)                         \
        : "i"(n)                          \
        : "rcx", "cc")

static __attribute__((noinline)) uint64_t chains(uint64_t x)
{
    if (x & 1)
        CHAIN(12000, x);
    else
        CHAIN(3000, x);
    return x;
}

static uint64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t least(uint64_t x)
{
    uint64_t best = UINT64_MAX;

    for (int i = 0; i < 50; i++) {
        uint64_t from = now(), took;

        for (int k = 0; k < 4; k++)
            chains(x);
        took = now() - from;
        best = took < best ? took : best;
    }
    return best;
}

int main(void)
{
    for (uint64_t i = 0; i < 2000; i++)
        chains(i);
    printf("%.4f\n", (double)least(1) / (double)least(0));
    return 0;
}
