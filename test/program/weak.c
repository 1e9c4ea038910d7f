// with: weak_part.c
// modes: O1 code lto
#include <stdio.h>

/* The linker prefers the definition in the other unit; `missing` has no definition. */
__attribute__((weak)) int choose(int x)
{
    if (x)
        return 1;
    return 2;
}

__attribute__((weak)) int kept(int x)
{
    return x > 3 ? x : 3;
}

__attribute__((weak)) int missing(int x);
int from_part(int x);

int main(void)
{
    for (int i = 0; i < 6; i++)
        printf("%d %d %d %d\n", choose(i), kept(i), from_part(i),
            missing ? missing(i) : -1);
    return 0;
}
