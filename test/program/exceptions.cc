// modes: O1 O3 code static lto asan
// abandons: _Z5levelii _Z4fromi _Z7rethrowi _ZN5GuardD2Ev
#include <cstdio>
#include <stdexcept>

// Exceptions through several frames, rethrown, with destructors on the way, out of loops.

static int destroyed;

struct Guard {
    int n;
    explicit Guard(int n) : n(n)
    {
    }
    ~Guard()
    {
        if (n & 1)
            destroyed += n;
        else
            destroyed++;
    }
};

int level(int depth, int at)
{
    Guard guard(depth);

    if (depth == at)
        throw depth;
    if (depth == 0)
        return 1;
    return level(depth - 1, at) + 1;
}

int from(int kind)
{
    switch (kind) {
    case 0:
        throw std::runtime_error("runtime");
    case 1:
        throw std::logic_error("logic");
    case 2:
        throw 3.5;
    case 3:
        throw "text";
    }
    return kind;
}

int rethrow(int kind)
{
    try {
        Guard guard(3);
        return from(kind);
    } catch (const std::logic_error &e) {
        std::puts(e.what());
        throw;
    } catch (double) {
        throw 'c';
    }
}

int handle(int kind)
{
    try {
        return rethrow(kind);
    } catch (const std::exception &e) {
        return e.what()[0];
    } catch (char c) {
        return c;
    } catch (...) {
        return -1;
    }
}

int loops(int n)
{
    int caught = 0;

    for (int i = 0; i < n; i++) {
        try {
            for (int j = 0;; j++) {
                Guard guard(j);

                if (j > i)
                    break;
                if (j == 3)
                    throw j;
                if (j == 2 && i == 5)
                    continue;
            }
        } catch (int j) {
            caught += j;
            if (i == 6)
                return -caught;
        }
    }
    return caught;
}

int main()
{
    for (int i = 0; i < 4; i++) {
        try {
            std::printf("%d\n", level(3, i + 1));
        } catch (int n) {
            std::printf("caught %d\n", n);
        }
    }
    for (int i = 0; i < 6; i++)
        std::printf("%d\n", handle(i));
    std::printf("%d %d %d\n", loops(5), loops(8), destroyed);
    return 0;
}
