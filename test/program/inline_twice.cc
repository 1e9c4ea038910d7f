// with: inline_twice_part.cc
// modes: O1 O3 code debug lto thin sections linker codelto codethin
#include <cstdio>

#include "inline_twice.h"

int main()
{
    Counter c;

    for (int i = 0; i < 12; i++)
        std::printf("%d %d\n", classify(i), other(i, c));
    std::printf("%d %d\n", c.total(), once<int>(4));
    return 0;
}
