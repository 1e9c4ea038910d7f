// linked: shared_part.cc
// modes: O1 code lto linker
// abandons: _Z4eachiPFiiE _Z4seeni
#include <cstdio>

#include "shared.h"

// A library linked with: it calls back, lets exceptions of ours through, and shares inline
// functions and the name of a hidden one with us.

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
