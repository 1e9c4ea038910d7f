// modes: O1 O3 code
// abandons: _Z6throw_i _Z4passi _Z6nestedi
#include <cstdio>
#include <exception>

// Exceptions thrown and caught while another is active; destructors that loop and branch; many
// calls that unwind to the same place.

static int log_sum;

struct Safe {
    int n;
    ~Safe()
    {
        for (int i = 0; i < n; i++) {
            try {
                if (i == 1)
                    throw i;
                log_sum += std::uncaught_exceptions() ? 10 : 1;
            } catch (int) {
                log_sum += 100;
            }
        }
    }
};

__attribute__((noinline)) void throw_(int n)
{
    if (n % 3 == 0)
        throw n;
    if (n % 3 == 1)
        throw 'x';
}

__attribute__((noinline)) int pass(int n)
{
    Safe a{n % 4};
    throw_(n + 2);
    Safe b{1};
    throw_(n + 1);
    throw_(n + 4);
    return n;
}

int nested(int n)
{
    try {
        return pass(n);
    } catch (char) {
        try {
            pass(n + 1);
        } catch (int inner) {
            if (inner > 6)
                throw;
            return inner;
        } catch (char) {
            return 'c';
        }
        return 'n';
    }
}

int outer(int n)
{
    int sum = 0;

    while (n-- > 0) {
        try {
            sum += nested(n);
        } catch (int i) {
            sum -= i;
            if (i == 9)
                continue;
            sum++;
        } catch (...) {
            break;
        }
    }
    return sum;
}

int main()
{
    for (int i = 0; i < 14; i++)
        std::printf("%d %d\n", outer(i), log_sum);
    return 0;
}
