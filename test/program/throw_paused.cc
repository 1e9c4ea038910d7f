// modes: O1 O3 code
// abandons: _ZL2atRK5Noisyi _ZL4deepi
#include <cstdio>

// Exceptions out of functions with callees, into a cleanup whose destructor calls functions
// itself.

static int sum;

static int next(int i)
{
    return i > 5 ? i - 5 : i + 1;
}

struct Noisy {
    int n;
    explicit Noisy(int n) : n(next(n))
    {
    }
    ~Noisy()
    {
        sum += next(n);
    }
};

static int at(const Noisy &noisy, int i)
{
    if (next(i) > 3)
        throw i;
    return noisy.n;
}

static int deep(int i)
{
    Noisy noisy(i);

    return at(Noisy(i + 1), i) + at(noisy, i + 1);
}

static int caught(int i)
{
    try {
        return i & 1 ? deep(i) : at(Noisy(3), i);
    } catch (int n) {
        return -next(n);
    }
}

int main()
{
    for (int i = 0; i < 9; i++)
        std::printf("%d %d\n", caught(i), sum);
    return 0;
}
