// linked: shared_part.cc
// modes: O1 code lto linker
// abandons: _Z4eachiPFiiE _Z4seeni
// skips: segran2
#include <cstdio>

#include "shared.h"

// A shared library that calls back, lets the program's exceptions pass, and shares inline
// functions and the name of a hidden function with the program.
//
// Without optimisation, the loader lets the library call the program's copy of half. A build that counts segments follows
// the library's own copy, as inlining would: then its segments are not those of the recording (segran2).

HIDDEN int same(int x)
{
    return x % 3 == 0 ? 1 : 0;
}

int seen(int x)
{
    if (x == 5)
        throw x;
    return same(x) ? -x : half(x);
}

int main()
{
    for (int i = 0; i < 8; i++) {
        try {
            std::printf("%d\n", each(i, seen));
        } catch (int x) {
            std::printf("caught %d\n", half(x));
        }
    }
    return 0;
}
