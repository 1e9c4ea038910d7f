// flags: -std=c++20 -pthread
// modes: O1 O3
// ambiguous: early
#include <coroutine>
#include <cstdio>
#include <thread>

// Coroutines that begin on one thread and continue on others, at the same time. Their callees are inlined into them,
// and must be counted for the thread that runs them.

struct Task {
    struct promise_type {
        Task get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_never initial_suspend()
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
        }
    };
    std::coroutine_handle<promise_type> handle;
};

static inline int step(int sum, int i)
{
    return i & 1 ? sum + i : sum ^ i;
}

Task work(volatile int *sum, int n)
{
    for (int i = 0;; i++) {
        for (int j = 0; j < n; j++)
            *sum = step(*sum, j);
        *sum = step(*sum, i);
        co_await std::suspend_always{};
    }
}

int main()
{
    volatile int a = 0, b = 0;
    Task first = work(&a, 2000), second = work(&b, 2000);

    for (int i = 0; i < 3; i++) {
        std::thread one([&] { first.handle.resume(); });
        std::thread other([&] { second.handle.resume(); });

        one.join();
        other.join();
    }
    first.handle.destroy();
    second.handle.destroy();
    std::printf("%d %d\n", a, b);
    return 0;
}
