// flags: -std=c++20 -pthread
// modes: O1 code
// ambiguous: early
#include <coroutine>
#include <cstdio>
#include <thread>

// A coroutine that is suspended on one thread and resumed on another.

struct Task {
    struct promise_type {
        Task get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend()
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

static int total;

Task wander(int n)
{
    for (int i = 0; i < n; i++) {
        if (i & 1)
            total += i;
        else
            total *= 2;
        if (i % 3 != 2)
            co_await std::suspend_always{};
    }
    total++;
}

int main()
{
    for (int n = 0; n < 6; n++) {
        Task task = wander(n);

        while (!task.handle.done())
            std::thread([&] { task.handle.resume(); }).join();
        task.handle.destroy();
    }
    std::printf("%d\n", total);
    return 0;
}
