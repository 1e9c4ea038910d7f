// modes: O1 code
// abandons: _ZN4PartC2Ei _ZN5WholeC2Ei
#include <cstdio>

struct Part {
    int n;
    Part(int n) : n(n)
    {
        if (n > 2)
            throw n;
    }
    ~Part()
    {
        std::printf("~%d\n", n);
    }
};

struct Whole {
    Part a, b;
    Whole(int n)
    try : a(n), b(n + 1) {
        std::puts("made");
    } catch (int what) {
        std::printf("not made %d\n", what);
    }
};

int whole(int n)
try {
    Whole w(n);
    return w.a.n + w.b.n;
} catch (int what) {
    return -what;
}

int nothrow(int n) noexcept
{
    try {
        Part p(n);
        return p.n;
    } catch (...) {
    }
    return 0;
}

int main()
{
    for (int i = 0; i < 5; i++)
        std::printf("%d %d\n", whole(i), nothrow(i));
    return 0;
}
