// modes: O1 O3 code
// abandons: _ZN4Ping4takeEll _ZN4Pong4takeEll _ZL5plainl
#include <cstdio>
#include <memory>

/* Tail calls that throw: the path that made the call has ended. A function with something to clean up continues
 * in its landing pad. */

struct Step {
    virtual long take(long n, long sum) = 0;
    virtual ~Step() = default;
};

// Never destroyed: destructors would run after the counts were written.
static std::unique_ptr<Step> &ping = *new std::unique_ptr<Step>,
                             &pong = *new std::unique_ptr<Step>;

[[gnu::noinline]] static long fail(long n, long sum)
{
    if (n % 3 == 2)
        throw sum;
    return sum;
}

struct Ping : Step {
    long take(long n, long sum) override
    {
        switch (n & 3) {
        case 0:
            sum += 2;
            break;
        case 1:
            sum--;
            break;
        }
        return n ? pong->take(n - 1, sum + 1) : fail(sum, n);
    }
};

struct Pong : Step {
    long take(long n, long sum) override
    {
        return n ? ping->take(n - 1, sum + 1) : sum;
    }
};

struct Guard {
    int *count;
    ~Guard()
    {
        ++*count;
    }
};

static long guarded(int *count, long n)
{
    Guard guard{count};

    return fail(n, 5);
}

static long plain(long n)
{
    if (n & 4)
        return fail(n, 7);
    return n;
}

int main()
{
    long sum = 0, caught = 0;
    int count = 0;

    ping = std::make_unique<Ping>();
    pong = std::make_unique<Pong>();
    for (long n = 0; n < 20; n++) {
        try {
            sum += ping->take(n, 0);
            sum += guarded(&count, n);
            sum += plain(n);
        } catch (long) {
            caught++;
        }
    }
    std::printf("%ld %ld %d\n", sum, caught, count);
    ping.reset();
    pong.reset();
}
