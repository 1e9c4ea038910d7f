// flags: -std=c++17
// modes: O1 O3 code
#include <cstdio>

template <int N> struct Power {
    static int of(int x)
    {
        return N % 2 ? x * Power<N - 1>::of(x) : Power<N / 2>::of(x * x);
    }
};
template <> struct Power<0> {
    static int of(int)
    {
        return 1;
    }
};

template <class T> T clamp(T x, T low, T high)
{
    if (x < low)
        return low;
    return x > high ? high : x;
}

template <class... Rest> int longest(int best, Rest... rest)
{
    int all[] = {rest..., 0};

    for (int n : all)
        if (n > best)
            best = n;
    return best;
}

template <class T> int kind(T x)
{
    if constexpr (sizeof(T) == 1)
        return x > 0 ? 1 : 2;
    else if (x)
        return 3;
    return 4;
}

int main()
{
    std::printf("%d %d %d\n", Power<5>::of(3), Power<8>::of(2), Power<1>::of(9));
    for (int i = 0; i < 5; i++)
        std::printf("%d %g %d %d\n", clamp(i, 1, 3), clamp(i / 2.0, 0.5, 1.5),
            longest(i, 3, i * 2, 4), kind(char(i)) + kind(i));
    return 0;
}
