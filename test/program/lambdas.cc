// modes: O1 code
#include <cstdio>
#include <functional>

static int apply(const std::function<int(int)> &f, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += f(i);
    return sum;
}

template <class F> static int until(F f)
{
    int n = 0;

    while (f(n))
        n++;
    return n;
}

int main()
{
    int calls = 0, bound = 40;
    auto choose = [&calls](int x) {
        calls++;
        return x % 2 ? x * 3 : x / 2;
    };
    auto curry = [](int a) { return [a](int b) { return a > b ? a : b; }; };
    auto generic = [](auto a, auto b) { return a < b ? a : b; };

    std::printf("%d %d\n", apply(choose, 9), apply(curry(4), 8));
    std::printf("%d\n", until([&](int n) { return n * n < bound || n == 7; }));
    std::printf("%d %g %d\n", generic(3, 4), generic(2.5, 1.5), calls);
    return 0;
}
