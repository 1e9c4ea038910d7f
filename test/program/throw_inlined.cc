// modes: O1 O3 code lto
// abandons: _ZL5checki _ZL4passi _ZL7nestingi _ZL3dieb _ZN5NoisyD2Ev _ZL9recursiveii _ZL5outeri
#include <cstdio>
#include <stdexcept>

// Exceptions out of functions small enough to be inlined, through inlined callers, with and
// without destructors on the way; caught in the same function, in the caller, or in an outer
// activation of the same function; thrown by a function that never returns.

static int log_of_all;

struct Noisy {
    int n;
    explicit Noisy(int n) : n(n)
    {
    }
    ~Noisy()
    {
        if (n > 2)
            log_of_all += n;
        else
            log_of_all ^= 1;
    }
};

static int check(int n)
{
    if (n % 3 == 0)
        throw n;
    if (n % 5 == 0)
        throw std::runtime_error("five");
    return n + 1;
}

static int pass(int n)
{
    return check(n) + check(n + 1);
}

static int nesting(int n)
{
    Noisy noisy(n);

    return pass(n);
}

[[noreturn]] static void die(bool how)
{
    if (how)
        throw 'd';
    throw 2.5;
}

static int dies(int n)
{
    try {
        Noisy noisy(n);

        if (n & 1)
            die(n & 2);
        return n;
    } catch (char c) {
        return c;
    } catch (double) {
        return -2;
    }
}

static int caught(int n)
{
    try {
        try {
            return nesting(n);
        } catch (int i) {
            if (i > 5)
                throw std::logic_error("large");
            return -i;
        }
    } catch (const std::runtime_error &e) {
        return e.what()[0];
    }
}

static int outer(int n)
{
    Noisy noisy(1);

    return caught(n) + caught(n + 2);
}

static int handle(int n)
{
    try {
        return outer(n);
    } catch (const std::exception &e) {
        return e.what()[1];
    }
}

// Caught by an activation that is neither the one that threw nor its caller.
static int recursive(int n, int where)
{
    if (n == 0)
        throw where;
    if (n % 2)
        return recursive(n - 1, where) + 1;
    try {
        return recursive(n - 1, where) + 2;
    } catch (int at) {
        if (at == n)
            return 100;
        throw;
    }
}

int main()
{
    for (int i = 1; i < 14; i++)
        std::printf("%d %d\n", handle(i), dies(i));
    for (int i = 2; i < 7; i += 2)
        std::printf("%d\n", recursive(6, i));
    std::printf("%d\n", log_of_all);
    return 0;
}
