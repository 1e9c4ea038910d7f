// modes: O1 code
// abandons: main _Z6unsafei _Z4quiti
#include <cstdio>
#include <cstdlib>
#include <exception>

// An exception that leaves a noexcept function: std::terminate.

static void last()
{
    std::puts("terminating");
    std::exit(7);
}

__attribute__((noinline)) int quit(int n)
{
    if (n > 2)
        throw n;
    return n;
}

int unsafe(int n) noexcept
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += quit(i);
    return sum;
}

int main()
{
    std::set_terminate(last);
    for (int i = 0; i < 9; i++)
        std::printf("%d\n", unsafe(i));
    return 0;
}
