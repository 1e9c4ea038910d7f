// flags: -std=c++20
// modes: O1 O3 code
// ambiguous: early
#include <coroutine>
#include <cstdio>
#include <exception>
#include <utility>

// Generators: a path continues in a suspended frame; some are never finished.

struct Generator {
    struct promise_type {
        int value = 0;
        bool failed = false;
        Generator get_return_object()
        {
            return Generator{std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend()
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        std::suspend_always yield_value(int v)
        {
            value = v;
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
            failed = true;
        }
    };
    std::coroutine_handle<promise_type> handle;

    explicit Generator(std::coroutine_handle<promise_type> h) : handle(h)
    {
    }
    Generator(Generator &&other) : handle(std::exchange(other.handle, nullptr))
    {
    }
    ~Generator()
    {
        if (handle)
            handle.destroy();
    }
    bool next()
    {
        handle.resume();
        return !handle.done();
    }
};

/* Inlined or not: the optimizer chooses where a frame is allocated, which does not affect paths. */
static Generator squares(int n)
{
    for (int i = 0; i < n; i++)
        if (i % 3)
            co_yield i *i;
}

static Generator twice(int from)
{
    co_yield from;
    if (from & 1)
        co_return;
    co_yield from + 100;
}

static Generator fails(int n)
{
    while (true) {
        if (n == 2)
            throw n;
        co_yield n--;
    }
}

int sum(Generator g, int most)
{
    int sum = 0;

    while (most-- > 0 && g.next())
        sum += g.handle.promise().value;
    return g.handle.promise().failed ? -sum : sum;
}

int main()
{
    std::printf(
        "%d %d %d\n", sum(squares(8), 100), sum(squares(20), 3), sum(squares(0), 1));
    for (int i = 0; i < 4; i++)
        std::printf("%d\n", sum(twice(i), 9));
    std::printf("%d %d\n", sum(fails(5), 50), sum(fails(1), 4));
    return 0;
}
