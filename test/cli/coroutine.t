#!/bin/sh
# A coroutine may be resumed by another thread, and destroyed, before the awaiter that received it has returned:
# instrumented code does not access its frame after that.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >hop.cc <<'END'
#include <coroutine>
#include <cstdio>
#include <thread>
struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
};
struct hop {
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> h)
    {
        std::thread other([h] { h.resume(); });
        other.join();
    }
    void await_resume() {}
};
struct maybe : hop {
    bool go;
    bool await_suspend(std::coroutine_handle<> h)
    {
        bool gone = go;
        if (gone)
            hop::await_suspend(h);
        return gone;
    }
};
static inline int step(int sum, int i) { return i & 1 ? sum + i : sum ^ i; }
task work(volatile int *sum, int n)
{
    if (n & 1)
        *sum = 3;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++)
            *sum = step(*sum, i);
        if (k & 1)
            *sum += 1;
        if (k == 2)
            co_await maybe{{}, n % 3 == 0};
        else
            co_await hop{};
    }
}
int main()
{
    volatile int sum = 0;
    for (int i = 0; i < 5; i++)
        work(&sum, 10 + i);
    std::printf("%d\n", sum);
}
END
clang++-19 -std=c++20 -pthread -O1 -fsanitize=address hop.cc -o plain 2>/dev/null || skip_all "clang 19 has no address sanitizer here"
want=$(./plain)

# keeps OPTION...: it prints what it does plain, and the sanitizer has nothing to say.
keeps()
{
    trod c++ "$@" -std=c++20 -pthread -fsanitize=address hop.cc -o hop 2>log || cat log
    is "$(TROD_OUT=hop.trod ./hop 2>&1 | head -n 4)" "$want" "$*"
}
keeps -O0
keeps -O2
keeps --subpaths -O1
keeps --iterations=2 -O2
keeps --wpp -O2
keeps --at=code -O2
trod c++ -std=c++20 -pthread -O2 hop.cc -o hop && TROD_OUT=run.trod ./hop >/dev/null
keeps --tested=run.trod -O2
trod c++ --untested-only --tested=run.trod -std=c++20 -pthread -O2 hop.cc -o seeks && TROD_OUT=sought.trod ./seeks >/dev/null
ok "no path of the run given as tested is untested" trod untested --brief --tested=run.trod sought.trod
done_testing
